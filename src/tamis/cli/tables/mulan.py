"""Mulan's list of labels: `<labels><label name="..."/>...</labels>`, labels possibly inside labels."""

from __future__ import annotations

import difflib
import os
from pathlib import Path
from xml.parsers import expat

from . import limits, sources, text
from .refused import Refused, check_names, shown


def beside(path) -> Path | None:
    """The XML file of the same stem, if there is one."""
    path = Path(path)
    stem = path.name[:-3] if path.name.lower().endswith(".gz") else path.name
    other = path.with_name(stem).with_suffix(".xml")
    return other if os.path.isfile(other) else None  # also of a name that is too long


def read_labels(path) -> tuple[str, ...] | None:
    """Names in the order of the file; None if it is XML about something else."""
    with sources.opened(path) as source:
        if not source.is_whole:
            raise Refused(f"{source.name} must be a list of labels; it has more than {limits.HEAD:,} bytes.")
        data, _ = text.to_utf8(source.head, source.name)
        return _names(bytes(data), source.name)


def check_labels(labels: tuple[str, ...], columns: list[str], name: str) -> tuple[str, ...]:
    """Labels that are columns, each once."""
    if not labels:
        raise Refused(f"{name} must name labels; it names none.")
    check_names(labels, name)
    known = set(columns)
    for label in labels:
        if label not in known:
            near = difflib.get_close_matches(label, columns, n=1)
            hint = f"; did you mean {shown(near[0])}?" if near else ". Is it the list of another file?"
            raise Refused(f"{name} must name columns of the table; {shown(label)} is not one{hint}")
    return labels


def _names(data: bytes, name: str) -> tuple[str, ...] | None:
    if b"<!doctype" in data.lower() or b"<!entity" in data.lower():
        raise Refused(f"{name} must be plain XML; it declares a document type or entities. Remove that declaration.")
    found: list[str] = []
    opened: list[str] = []

    def start(tag, attributes):
        tag = tag.rpartition(":")[2]
        opened.append(tag)
        if tag == "label" and opened[0] == "labels":
            if "name" not in attributes:
                raise Refused(f"{name} must name every label; label {len(found) + 1} has no name.")
            found.append(attributes["name"])

    parser = expat.ParserCreate("utf-8")  # whatever the file declares: it is UTF-8 by now
    parser.StartElementHandler = start
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise Refused(f"{name} must be XML; it is broken ({error}).") from error
    return tuple(found) if opened[0] == "labels" else None
