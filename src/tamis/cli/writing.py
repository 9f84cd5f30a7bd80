"""Files of a command: a folder that appears whole or not at all, and tables that are safe to open in a spreadsheet."""

from __future__ import annotations

import csv
import os
import secrets
import shutil
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .._validation import import_jinja2
from ..search.checkpoint import hidden_beside, replace_file
from ..views._plain import json_text
from .errors import WrongUse
from .signals import held

OURS = frozenset(
    {
        "report.html",
        "selection.json",
        "selected.csv",
        "suspects.csv",
        "relabelled.csv",
        "audit.html",
        "audit.json",
        "annotators.csv",
        "consensus.csv",
        "ask_next.csv",
        "wine.csv",
    }
)
"""Files that commands write; a folder is replaced only if it holds nothing else."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def check_place(folder: Path, *, force: bool) -> None:
    """Nothing is in the way of an output folder, and pages can be made; asked before the work begins."""
    import_jinja2()
    try:
        there = os.lstat(folder)
    except FileNotFoundError:
        parent = folder.absolute().parent
        if not parent.is_dir():
            raise WrongUse(f"--out must be in a folder that exists; {folder.parent} does not. Make it first.") from None
        if not os.access(parent, os.W_OK | os.X_OK):
            raise _unwritable(folder, f"{folder.parent} is read-only") from None
        return
    except (OSError, ValueError) as error:
        raise _unwritable(folder, getattr(error, "strerror", None) or str(error)) from error
    if not stat.S_ISDIR(there.st_mode):
        raise WrongUse(f"--out must be a folder; {folder} is a file or a link. Choose another name.")
    if not force:
        raise WrongUse(f"{folder} exists already. Replace it with --force, or choose another folder with --out.")
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK) or not os.access(folder.absolute().parent, os.W_OK):
        raise _unwritable(folder, "it is read-only")
    _check_ours(folder, folder)


def _check_ours(place: Path, folder: Path) -> None:
    """Nothing but files of ours is in a place, which is or was called `folder`."""
    with os.scandir(place) as entries:
        foreign = sorted(e.name for e in entries if e.name not in OURS or not e.is_file(follow_symlinks=False))
    if foreign:
        what = ", which is no file" if foreign[0] in OURS else ""
        raise WrongUse(
            f"--force replaces only folders that tamis wrote; {folder} also holds {foreign[0]!r}{what}. Choose another "
            "folder with --out."
        )


def _unwritable(folder: Path, why: str) -> WrongUse:
    return WrongUse(f"--out must be writable; {folder} is not ({why}). Choose another folder.")


@contextmanager
def whole_folder(folder: Path, *, force: bool) -> Iterator[Path]:
    """A new folder to write into; it takes the place of `folder` when all is written, else nothing is left of it."""
    check_place(folder, force=force)
    folder = folder.absolute()
    mark = secrets.token_hex(4)
    new, old = (hidden_beside(folder, f"{what}-{mark}") for what in ("new", "old"))
    try:
        new.mkdir()
        yield new
        with held():
            check_place(folder, force=force)
            _take_place(new, folder, old)
    except OSError as error:
        raise _unwritable(folder, error.strerror or str(error)) from error
    finally:
        with held():
            shutil.rmtree(new, ignore_errors=True)


def _take_place(new: Path, folder: Path, old: Path) -> None:
    """Move a new folder to where another one is; that one goes if it is all ours, or comes back."""
    if not folder.exists():
        new.rename(folder)
        return
    folder.rename(old)
    try:
        _check_ours(old, folder)
        new.rename(folder)
    except BaseException:
        old.rename(folder)
        raise
    shutil.rmtree(old, ignore_errors=True)


def write_json(path: Path, summary: Mapping[str, Any]) -> None:
    _write(path, json_text(summary, ascii_only=False) + "\n")


def write_report(path: Path, summary: Mapping[str, Any]) -> None:
    from ..views.html import page

    _write(path, page(summary))


def write_table(path: Path, table) -> None:
    """A CSV file. Text that a spreadsheet would take for a formula gets a ' in front; numbers are left alone."""
    safe = harmless(table)
    text = safe.to_csv(index=False, lineterminator="\n")
    if "\r" in text:  # which begins a row for some readers, and is not quoted by itself
        text = safe.to_csv(index=False, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    _write(path, text)


def harmless(table):
    """The same table with nothing that looks like a formula in its text or in its header."""
    import pandas as pd

    columns = [
        values if pd.api.types.is_numeric_dtype(values.dtype) else values.astype(object).map(_guarded)
        for _, values in table.items()
    ]
    safe = pd.DataFrame(dict(enumerate(columns)), index=table.index)
    safe.columns = [_guarded(name) for name in table.columns]
    return safe


def _guarded(cell):
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell


def _write(path: Path, text: str) -> None:
    # A name of a file that is no text comes with surrogates, which JSON and people read as escapes.
    replace_file(path, text.encode("utf-8", "backslashreplace"))
