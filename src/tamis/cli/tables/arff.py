"""ARFF files, dense and sparse: what scipy's reader leaves out are text and sparse rows.

    @relation flowers                        % lines that start with % say nothing
    @attribute 'petal length' numeric
    @attribute kind {setosa, 'iris virginica'}
    @data
    1.4, setosa                              a row
    {1 'iris virginica'}                     the same, sparse: what is left out is 0 or the first value

Names and values in quotes may have anything inside, with a backslash before a quote; ? without quotes is missing.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import NamedTuple

from . import columns, limits
from .arff_words import BadLine, fields, quoted, sparse
from .refused import Refused, check_names, shown

_TYPES = {"numeric": "number", "real": "number", "integer": "number", "string": "text", "date": "text"}


class _Attribute(NamedTuple):
    name: str
    kind: str  # "number", "text" or "nominal"
    levels: tuple[str, ...]
    rows: list[int]
    cells: list[str | None]


def is_arff(text: str) -> bool:
    """Whether the first line that says something is a relation or an attribute."""
    lines = (line.strip().lower() for line in io.StringIO(text))
    first = next((line for line in lines if line and not line.startswith("%")), "")
    return first.startswith(("@relation", "@attribute"))


def parse(data: bytes | bytearray, name: str):
    """The table in UTF-8 bytes, notes, and how columns of numbers were written.

    Nominal attributes are categories in the order of the file, but numbers if all their values are.
    """
    import pandas as pd

    attributes: list[_Attribute] = []
    numbers: list[int] = []  # of the lines of rows
    in_data = False
    for number, line in enumerate(io.StringIO(data.decode(), newline=None), 1):
        line = line.strip()
        if not line or line[0] == "%":
            continue
        try:
            if in_data:
                _add_row(line, attributes, len(numbers))
                numbers.append(number)
            else:
                in_data = _declare(line, attributes)
                limits.check_columns(len(attributes), name)
        except BadLine as error:
            raise Refused(f"line {number} of {name} is not ARFF: {error}") from error
    if not numbers or not attributes:
        raise Refused(f"{name} must have attributes, @data and rows; it has {len(attributes)} attributes and no row.")
    check_names([a.name for a in attributes], name)
    limits.check_cells(len(numbers), len(attributes), name)
    frame = pd.DataFrame({a.name: _column(a, numbers, name) for a in attributes})
    absent = sum(a.cells.count(None) for a in attributes)
    written = {a.name: columns.TRUTH for a in attributes if _is_truth(a.levels)}
    return frame, (f"missing: {absent:,} cells that say '?'",) if absent else (), written


def _declare(line, attributes) -> bool:
    """Take a line of the header; true at its end."""
    word, *rest = line.split(None, 1)
    word = word.lower()
    if word == "@attribute":
        attributes.append(_attribute(rest[0] if rest else ""))
    elif word not in ("@relation", "@data"):
        raise BadLine(f"a header has @relation, @attribute and @data; got {shown(line)}.")
    return word == "@data"


def _attribute(text) -> _Attribute:
    if text[:1] in ("'", '"'):
        called, end = quoted(text, 0)
    else:
        end = next((i for i, sign in enumerate(text) if sign in " \t{"), len(text))
        called = text[:end]
    kind = text[end:].strip()
    if not called or not kind:
        raise BadLine(f"an attribute has a name and a type; got {shown(text)}.")
    if kind[0] == "{":
        if "}" not in kind:
            raise BadLine(f"values of {shown(called)} stand in braces; the second one is missing.")
        inner = kind[1 : kind.rindex("}")].strip()
        levels = tuple("?" if level is None else level for level in fields(inner)) if inner else ()
        if len(set(levels)) < len(levels):
            raise BadLine(f"values of {shown(called)} are named once each; one comes twice.")
        return _Attribute(called, "nominal", levels, [], [])
    word = kind.split()[0].lower()
    if word not in _TYPES:
        raise BadLine(f"the type of {shown(called)} is {', '.join(_TYPES)} or values in braces; got {shown(kind)}.")
    return _Attribute(called, _TYPES[word], (), [], [])


def _add_row(line, attributes, row):
    if line[0] == "{" and line[-1] == "}":
        pairs: Iterable[tuple[int, str | None]] = sparse(line[1:-1].strip())
    else:
        cells = fields(line)
        if len(cells) == 1 < len(attributes) and "'" not in line and '"' not in line:
            cells = [None if cell == "?" else cell for cell in line.split()]
        if len(cells) != len(attributes):
            raise BadLine(f"a row has a field per attribute, {len(attributes)}; got {len(cells)}.")
        pairs = enumerate(cells)
    for place, cell in pairs:
        if place >= len(attributes):
            raise BadLine(f"places of a sparse row are 0 to {len(attributes) - 1}; got {place}.")
        attribute = attributes[place]
        if attribute.rows and attribute.rows[-1] == row:
            raise BadLine(f"a sparse row has each place once; got {place} twice.")
        if cell is not None and len(cell) > limits.MAX_CELL:
            raise BadLine(f"a cell has at most {limits.MAX_CELL:,} characters; got {len(cell):,}.")
        attribute.rows.append(row)
        attribute.cells.append(cell)


def _column(attribute, lines, name):
    """Values of all rows; those that sparse rows left out are 0, the first level, or missing if they are text."""
    import numpy as np
    import pandas as pd

    _, kind, levels, rows, cells = attribute
    if kind == "text":
        texts = np.full(len(lines), None, dtype=object)
        texts[rows] = cells
        return pd.Series(texts.tolist(), dtype=object if not any(texts) else None)
    if kind == "number" or (levels and all(_is_number(level) for level in levels)):
        values = np.full(len(lines), float(levels[0]) if levels else 0.0)
        known = {float(level) for level in levels}
        for row, cell in zip(rows, cells, strict=True):
            if cell is None:
                values[row] = np.nan
            elif not _is_number(cell) or (known and float(cell) not in known):
                raise _unfit(attribute, cell, lines[row], name)
            else:
                values[row] = float(cell)
        whole = values.size and np.isfinite(values).all() and (values == np.round(values)).all()
        return values.astype(np.int64) if whole and np.abs(values).max() < 2**53 else values
    place = {level: code for code, level in enumerate(levels)}
    codes = np.zeros(len(lines), dtype=np.intp) if levels else np.full(len(lines), -1)
    for row, cell in zip(rows, cells, strict=True):
        if cell is not None and cell not in place:
            raise _unfit(attribute, cell, lines[row], name)
        codes[row] = -1 if cell is None else place[cell]
    if _is_truth(levels):
        truth = np.array([level.lower() == "true" for level in levels])[codes]
        return np.where(codes < 0, np.nan, truth) if (codes < 0).any() else truth.astype(np.int64)
    return pd.Categorical.from_codes(codes, categories=list(levels))


def _is_truth(levels) -> bool:
    return {level.lower() for level in levels} == {"true", "false"}


def _is_number(text) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return "_" not in text


def _unfit(attribute, cell, line, name):
    rule = f"one of {', '.join(map(shown, attribute.levels[:5]))}" if attribute.levels else "a number"
    return Refused(f"line {line} of {name} is not ARFF: {shown(attribute.name)} must be {rule}; got {shown(cell)}.")
