"""Which delimiter a text file has.

The one that gives the same number of fields, more than one, on most of the first rows. Spaces are thought of last, as
they stand inside cells too.
"""

from __future__ import annotations

import contextlib
import csv
import io
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from . import limits
from .refused import Refused

_DELIMITERS = "\t;,|"
_UNKNOWN = "^~:¦§\x01\x1f"
_ROWS = 100
_CALLED = {"\t": "tab", " ": "space"}


class Dialect(NamedTuple):
    """How the fields of a row are told apart; `loose` if spaces before a field do not count."""

    delimiter: str
    loose: bool = False
    width: int = 1  # fields of the header, as far as it was looked at

    @property
    def called(self) -> str:
        return _CALLED.get(self.delimiter, repr(self.delimiter))


class _Candidate(NamedTuple):
    """What a dialect makes of the first rows; `share` of them have `width` fields."""

    dialect: Dialect
    header: list[str]
    width: int
    share: float

    @property
    def rank(self):
        fits = len(self.header) == self.width
        return self.share, fits, not self.dialect.loose, self.width, -_DELIMITERS.find(self.dialect.delimiter)


def detect(text: str, *, is_whole: bool, ending: str, name: str) -> tuple[Dialect, tuple[str, ...]]:
    """The dialect of the first characters of a file, and what is worth a note."""
    tried = [_try(text, Dialect(d, loose), is_whole) for d in _DELIMITERS for loose in (False, True)]
    spaces = [_try(text, Dialect(" ", loose), is_whole) for loose in (False, True)]
    found = _choose(tried, spaces, ending)
    if found is None:
        _check_unknown(text, is_whole, name)
        return Dialect(","), ("one column only",)
    limits.check_columns(len(found.header), name, at_least=not is_whole)
    if len(found.header) == 1:
        _check_mixed(found, tried, name)
    dialect = found.dialect._replace(width=len(found.header))
    return dialect, () if found.dialect.delimiter == "," else (f"delimiter {found.dialect.called}",)


def _choose(tried, spaces, ending) -> _Candidate | None:
    headed = [c for c in tried if len(c.header) > 1]
    if ending in (".tsv", ".tab"):
        tabs = [c for c in headed if c.dialect == Dialect("\t")]
        if tabs:
            return tabs[0]
    good = [c for c in headed if c.share > 0.5]
    if good:
        return max(good, key=lambda c: c.rank)
    good = [c for c in spaces if c.share > 0.5 and len(c.header) > 1 and c.width - len(c.header) in (0, 1)]
    good = [c for c in good if c.dialect.loose or all(c.header)]  # aligned columns have runs of spaces
    if good:
        return max(good, key=lambda c: c.rank)
    # None fits: take the one nearest to fitting, so that the first row that does not fit is named.
    rows = [c for c in tried if c.share > 0.5]
    return max(rows or headed, key=lambda c: c.rank, default=None)


def _try(text, dialect, is_whole) -> _Candidate:
    rows: list[list[str]] = []
    try:
        # Strict: what follows a closed quote must be the delimiter.
        rows.extend(islice(rows_of(io.StringIO(text, newline=""), dialect, strict=True), _ROWS))
    except csv.Error:
        rows.append([])
    if not is_whole and 1 < len(rows) < _ROWS:
        rows.pop()  # cut in the middle
    if not rows:
        return _Candidate(dialect, [], 0, 0.0)
    widths = Counter(len(row) for row in rows if len(row) > 1)
    width, times = max(widths.items(), key=lambda w: (w[1], w[0] == len(rows[0]), w[0]), default=(1, 0))
    return _Candidate(dialect, rows[0], width, times / len(rows))


def rows_of(lines, dialect: Dialect, *, strict: bool = False) -> Iterator[list[str]]:
    """Rows that are not blank; `csv.Error` at one that is broken."""
    with _long_cells():
        for row in csv.reader(lines, delimiter=dialect.delimiter, skipinitialspace=dialect.loose, strict=strict):
            if dialect.loose and dialect.delimiter == " " and row and not row[-1]:
                row.pop()  # a space at the end of the line
            if row:
                yield row


@contextlib.contextmanager
def _long_cells():
    before = csv.field_size_limit(limits.MAX_CELL)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _check_mixed(found, tried, name):
    """Not one delimiter in the header and another one in the rows."""
    other = next((c for c in tried if len(c.header) > 1), None)
    if other:
        raise Refused(
            f"{name} must have one delimiter; its header has {len(other.header)} names separated by "
            f"{other.dialect.called}, its rows {found.width} fields separated by {found.dialect.called}. Save it again "
            "with one of them."
        )


def _check_unknown(text, is_whole, name):
    """Not a delimiter that nobody thinks of."""
    lines = [line for line in islice(io.StringIO(text), _ROWS) if line.strip()]
    lines = lines if is_whole or len(lines) < 2 else lines[:-1]
    for sign in _UNKNOWN:
        counts = {line.count(sign) for line in lines}
        if len(lines) > 1 and len(counts) == 1 and counts != {0}:
            raise Refused(
                f"{name} must be separated by commas, semicolons, tabs, | or spaces; it seems to be by {sign!r}. Save "
                "it with one of them."
            )
