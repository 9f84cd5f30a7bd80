"""Cells of text as a column: numbers if all of them are, otherwise text."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

MISSING = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "<NA>", "?", "-")
"""Cells that are missing; "-" is a value where "+" is one too."""

TRUTH = "true as 1, false as 0"
"""How columns of true and false are read."""

_TRUTH = ("True", "False", "TRUE", "FALSE", "true", "false")
_NUMBER = r"^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$|^[+-]?(?i:inf|infinity)$"  # RE2, linear in the length
_PIECE = 4096


class Column(NamedTuple):
    """Values of a column, which words were missing in it, and how the rest was read."""

    values: Any
    missing: Counter
    kind: str  # "number", "comma" (numbers with a decimal comma), "truth", "text" or "empty"
    trimmed: bool = False
    multiline: bool = False


class OddCell(NamedTuple):
    """The first cell of a column that is no number; `numbers` of its `cells` are, those missing not counted.

    `row` counts from 1, without the header.
    """

    row: int
    text: str
    numbers: int
    cells: int


def typed(cells, *, comma: bool = False) -> Column:
    """A column of its cells, a chunked array of text; `comma` if numbers may have a decimal comma."""
    import pyarrow.compute as pc

    numbers = _floats(cells)
    if numbers is not None and not pc.any(pc.is_nan(numbers)).as_py():  # the usual case, without a second look
        return Column(_whole(cells, numbers), Counter(), "number")
    texts = pc.utf8_trim(cells, characters=" \t")
    absent = _absent(texts)
    counts = pc.value_counts(pc.filter(texts, absent))
    missing = Counter({count["values"].as_py(): count["counts"].as_py() for count in counts})
    texts = pc.if_else(absent, None, texts)
    if texts.null_count == len(texts):
        return Column(_floats(texts).to_numpy(), missing, "empty")
    numbers = _floats(texts)
    if numbers is not None:
        return Column(_whole(texts, numbers), missing, "number")
    if pc.all(pc.is_in(pc.drop_null(texts), value_set=_texts(_TRUTH))).as_py():
        return Column(truth(pc.equal(pc.utf8_lower(texts), "true")), missing, "truth")
    if comma and not pc.any(pc.match_substring(texts, ".")).as_py():
        numbers = _floats(pc.replace_substring(texts, ",", "."))
        if numbers is not None:
            return Column(numbers.to_numpy(), missing, "comma")
    return _text(cells, texts, missing)


def as_text(cells) -> Column:
    """A column of text, whatever its cells look like."""
    import pyarrow.compute as pc

    texts = pc.utf8_trim(cells, characters=" \t")
    absent = _absent(texts)
    return _text(cells, pc.if_else(absent, None, texts), Counter(pc.filter(texts, absent).to_pylist()))


def truth(values):
    """0 and 1 for what is true or false, NaN where it is neither."""
    import pyarrow as pa

    return values.cast(pa.int64()).to_numpy()


def odd_cells(values) -> OddCell | None:
    """The first cell of a column of text that is no number; None if there is none, or the column is not text.

    Numbers have a decimal point, unless more of the cells have a decimal comma.
    """
    import pandas as pd
    import pyarrow.compute as pc

    if pd.api.types.is_numeric_dtype(values.dtype) or isinstance(values.dtype, pd.CategoricalDtype):
        return None
    there = values.notna().to_numpy()
    places = there.nonzero()[0].tolist()
    given = values[there].astype(str).tolist()
    texts = _texts(given)
    point = pc.match_substring_regex(texts, _NUMBER).to_pylist()
    decimal = pc.match_substring_regex(pc.replace_substring(texts, ",", "."), _NUMBER).to_pylist()
    swapped = [yes and "." not in text for yes, text in zip(decimal, given, strict=True)]
    commas = sum(yes and "," in text for yes, text in zip(swapped, given, strict=True))
    number = swapped if commas > sum(point) and not all(swapped) else point
    odd = next((i for i, yes in enumerate(number) if not yes), None)
    return None if odd is None else OddCell(places[odd] + 1, given[odd], sum(number), len(given))


def _text(cells, texts, missing):
    import pyarrow.compute as pc

    trimmed = pc.any(pc.and_(pc.is_valid(texts), pc.not_equal(cells, texts))).as_py()
    multiline = pc.any(pc.match_substring(texts, "\n")).as_py()
    return Column(texts.to_pandas(), missing, "text", bool(trimmed), bool(multiline))


def _absent(texts):
    import pyarrow.compute as pc

    words = MISSING[:-1] if pc.any(pc.equal(texts, "+")).as_py() else MISSING
    return pc.is_in(texts, value_set=_texts(words))


def _floats(texts):
    """Numbers of texts that all are; else None."""
    import pyarrow as pa

    return _cast(texts, pa.float64())


def _whole(texts, numbers):
    """Whole numbers if all are written so and none is missing."""
    import numpy as np
    import pyarrow as pa

    values = numbers.to_numpy()
    whole = _cast(texts, pa.int64()) if (values == np.floor(values)).all() else None
    return values if whole is None else whole.to_numpy()


def _cast(texts, kind):
    """Texts as numbers; None if one is not. In pieces, as pyarrow takes long to fail and goes on to the end."""
    import pyarrow as pa

    try:
        pieces = [texts.slice(start, _PIECE).cast(kind).chunks for start in range(0, len(texts), _PIECE)]
    except pa.ArrowInvalid:
        return None
    return pa.chunked_array([chunk for piece in pieces for chunk in piece], kind)


def _texts(words):
    import pyarrow as pa

    return pa.array(words, pa.string())
