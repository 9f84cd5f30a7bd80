"""Words of a line of an ARFF file."""

from __future__ import annotations

from collections.abc import Iterator

from .refused import shown

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


class BadLine(ValueError):  # noqa: N818
    """What is wrong with a line."""


def sparse(text) -> Iterator[tuple[int, str | None]]:
    """Pairs of a place and a value."""
    at = 0
    while at < len(text):
        end = at
        while end < len(text) and text[end] in "0123456789":
            end += 1
        if not 0 < end - at < 10 or text[end : end + 1] not in (" ", "\t"):
            raise BadLine(f"a sparse row has pairs of a place and a value; got {shown(text[at:])}.")
        place = int(text[at:end])
        cell, at = _value(text, end)
        yield place, cell
        at = _skip(text, at + 1)


def fields(line) -> list[str | None]:
    """Values between commas, None where they are missing."""
    if "'" not in line and '"' not in line:
        return [None if cell == "?" else cell for cell in map(str.strip, line.split(","))]
    found = []
    at = 0
    while at <= len(line):
        field, at = _value(line, at)
        found.append(field)
        at += 1
    return found


def _value(line, at) -> tuple[str | None, int]:
    """The value from a place on, and the place of the comma after it."""
    at = _skip(line, at)
    if line[at : at + 1] in ("'", '"') and at < len(line):
        text, at = quoted(line, at)
        at = _skip(line, at)
        if at < len(line) and line[at] != ",":
            raise BadLine(f"a comma follows a closed quote; got {shown(line[at:])}.")
        return text, at
    end = line.find(",", at)
    end = len(line) if end < 0 else end
    text = line[at:end].strip()
    return None if text == "?" else text, end


def quoted(line, at) -> tuple[str, int]:
    """The text between the quotes that open at a place, and the place after them."""
    quote = line[at]
    parts: list[str] = []
    start = at = at + 1
    while at < len(line):
        if line[at] == quote:
            return "".join(parts) + line[start:at], at + 1
        if line[at] == "\\" and at + 1 < len(line):
            parts += [line[start:at], _ESCAPES.get(line[at + 1], line[at + 1])]
            start = at = at + 2
        else:
            at += 1
    raise BadLine(f"quotes are closed on the same line; got {shown(line)}.")


def _skip(line, at) -> int:
    while at < len(line) and line[at] in " \t":
        at += 1
    return at
