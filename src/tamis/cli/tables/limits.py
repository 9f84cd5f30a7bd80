"""How much is read at most; each limit is checked before the work it saves."""

from __future__ import annotations

from .refused import Refused

MAX_COLUMNS = 20_000
"""Columns of a table; more are refused after a look at the header."""

MAX_BYTES = 4 << 30
"""Bytes of a file, and of what a compressed one holds: they are counted while reading."""

MAX_CELL = 1 << 20
"""Bytes of one cell; longer ones come from a quote that is never closed."""

MAX_CELLS = 1 << 29
"""Cells of a table, 4 GiB as numbers: small sparse ARFF and Parquet files can stand for huge tables."""

HEAD = 4 << 20
"""Bytes looked at before the rest is read; a list of labels has no more."""


def check_columns(count: int, name: str, *, at_least: bool = False) -> None:
    """Not too many columns; with `at_least`, the header was not read to its end."""
    if count > MAX_COLUMNS:
        more = " or more" if at_least else ""
        raise Refused(
            f"{name} must have at most {MAX_COLUMNS:,} columns; it has {count:,}{more}. Keep some of them, or turn the "
            "table if its columns are the samples."
        )


def check_bytes(count: int, name: str, came: str) -> None:
    """Not too many bytes; `came` says what there is, with the count where it has braces."""
    if count > MAX_BYTES:
        raise Refused(
            f"{name} must hold at most {MAX_BYTES:,} bytes, decompressed; it {came.format(count)}. Keep fewer rows, or "
            "read it in Python with tamis.datasets.read_matrix, as float32, or read_blocks."
        )


def check_cells(rows: int, columns: int, name: str) -> None:
    """Not too many cells."""
    if rows * columns > MAX_CELLS:
        raise Refused(
            f"{name} must have at most {MAX_CELLS:,} cells; it has {rows:,} rows of {columns:,}. Keep some of them."
        )


def too_long(name: str, where: str) -> Refused:
    """A cell is too long."""
    return Refused(
        f"a cell of {name} must have at most {MAX_CELL:,} bytes; {where} has more. Look there for a quote that is "
        "never closed, or leave that column out."
    )
