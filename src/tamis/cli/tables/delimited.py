"""Tables of text: a header, then rows of as many fields, whatever the delimiter."""

from __future__ import annotations

import csv
import io
from collections import Counter

from . import columns, limits
from .delimiters import Dialect, rows_of
from .refused import Refused, check_names, shown

_BLOCK = 1 << 26  # bytes of the longest row
_TAIL = 1 << 16
_LOOKS = 3  # columns named in a note
_WRITTEN = {"comma": "decimal comma", "truth": columns.TRUTH}
_TOO_MANY = "Quote cells with the delimiter inside, name every column, and leave no line above the names."


def parse(data: bytes | bytearray, dialect: Dialect, name: str):
    """The table in UTF-8 bytes, notes, and how columns of numbers were written."""
    import pandas as pd

    cells = _cells(_tidied(data, dialect, name) if dialect.loose else data, dialect, name)
    if cells.num_rows < 2:
        raise Refused(f"{name} must have rows below its header; it has none.")
    _check_closed(data, cells, name)
    header = [cell.strip(" \t") for cell in cells.slice(0, 1).to_pylist()[0].values()]
    names, notes = _names(header, name)
    cells = cells.slice(1)
    limits.check_cells(cells.num_rows, cells.num_columns, name)
    _check_lengths(cells, names, name)
    read = {n: columns.typed(c, comma=dialect.delimiter != ",") for n, c in zip(names, cells.columns, strict=True)}
    notes += _settle_commas(read, dict(zip(names, cells.columns, strict=True)))
    if len(names) > 1 and not header[-1] and read[names[-1]].kind == "empty":
        del read[names[-1]]  # every line ends with the delimiter
        notes += ["delimiter at the end of the lines: a last column without name and cells is left out"]
    frame = pd.DataFrame({n: column.values for n, column in read.items()})
    written = {n: _WRITTEN[column.kind] for n, column in read.items() if column.kind in _WRITTEN}
    return frame, (*notes, *_notes(read)), written


def _cells(data, dialect, name):
    """All cells as text, the header's too."""
    import pyarrow as pa

    odd: list = []
    for width in (dialect.width, limits.MAX_COLUMNS):  # the header may be longer than what was looked at
        try:
            table = _read(data, dialect, width, odd)
        except pa.ArrowInvalid as error:
            if odd or width == limits.MAX_COLUMNS:
                raise _misread(odd, dialect, name, str(error)) from error
            continue
        limits.check_columns(table.num_columns, name)
        if table.num_columns <= width:
            break
    return table


def _read(data, dialect, width, odd):
    """Cells, those of the first `width` columns as text; a row of another length goes to `odd`."""
    import pyarrow as pa
    from pyarrow import csv as arrow

    def refuse(row):
        odd.append(row)
        return "error"

    return arrow.read_csv(
        pa.BufferReader(data),
        # One thread, since several cannot tell the number of a wrong row.
        arrow.ReadOptions(use_threads=False, block_size=_BLOCK, autogenerate_column_names=True),
        arrow.ParseOptions(
            delimiter="," if dialect.loose else dialect.delimiter, newlines_in_values=True, invalid_row_handler=refuse
        ),
        arrow.ConvertOptions(column_types={f"f{i}": pa.string() for i in range(width)}, strings_can_be_null=False),
    )


def _tidied(data, dialect, name) -> bytes:
    """The same rows with single commas, where spaces stand before fields."""
    tidy = io.StringIO(newline="")
    try:
        csv.writer(tidy).writerows(rows_of(io.StringIO(data.decode(), newline=""), dialect))
    except csv.Error as error:
        raise Refused(f"{name} must be rows of fields; it cannot be read as such ({error}).") from error
    return tidy.getvalue().encode()


def _misread(odd, dialect, name, why) -> Refused:
    if odd:
        row, wanted, came = odd[0].number - 1, odd[0].expected_columns, odd[0].actual_columns
        remedy = _TOO_MANY if came > wanted else "Complete or remove that row."
        return Refused(
            f"every row of {name} must have as many fields as the header, {wanted} (delimiter {dialect.called}); row "
            f"{row} has {came}. {remedy}"
        )
    if "straddl" in why:
        return Refused(
            f"a row of {name} must have at most {_BLOCK:,} bytes; one has more. Look for a quote that is never closed."
        )
    if "mpty" in why:
        return Refused(f"{name} must have rows below its header; it has none.")
    return Refused(f"{name} must be rows of fields; it cannot be read as such ({shown(why, 200)}).")


def _check_closed(data, cells, name):
    """The last quote is closed; otherwise all lines after it are one cell."""
    last = cells.column(cells.num_columns - 1)[-1].as_py()
    end = data[-_TAIL:].rstrip(b"\r\n")
    quotes = len(end) - len(end.rstrip(b'"'))
    if ("\n" in last or "\r" in last) and quotes % 2 == 0:
        raise Refused(
            f"quotes of {name} must be closed; the one that opens the last cell of row {cells.num_rows - 1} is not "
            f"({shown(last)}). Close it."
        )


def _names(given, name) -> tuple[list[str], list[str]]:
    """Names of all columns; those without one are called by their place, as an index that pandas wrote has none."""
    names = [column or f"column {place}" for place, column in enumerate(given, 1)]
    check_names(names, name)
    nameless = [called for called, column in zip(names, given, strict=True) if not column]
    notes = [f"without a name: {_listed(nameless)}"] if nameless else []
    numbers = [column for column in given if column.replace(".", "", 1).lstrip("+-").isdigit()]
    if 2 * len(numbers) > len(given):
        notes += [f"the names are numbers ({_listed(numbers)}): is the first line a header?"]
    return names, notes


def _check_lengths(cells, names, name):
    import pyarrow.compute as pc

    for called, column in zip(names, cells.columns, strict=True):
        sizes = pc.binary_length(column)
        if pc.max(sizes).as_py() > limits.MAX_CELL:
            row = pc.index(pc.greater(sizes, limits.MAX_CELL), True).as_py() + 1
            raise limits.too_long(name, f"row {row} of column {shown(called)}")


def _settle_commas(read, cells) -> list[str]:
    """Decimal commas, unless other columns have decimal points or a comma may set off thousands.

    1,234 says neither; where the file has numbers such as 0,5 it is taken for one of these, and 1.234 may then be a
    thousand.
    """
    commas = [n for n, column in read.items() if column.kind == "comma"]
    if not commas:
        return []
    has_comma = [n for n in commas if _is_decimal(cells[n], ",")]
    points = [n for n, column in read.items() if column.kind == "number" and _has(cells[n], ".")]
    point = next((n for n in points if _is_decimal(cells[n], ".")), None)
    if point is None and has_comma:
        for n in points:
            read[n] = columns.as_text(cells[n])
        left = [f"left as text, as their points may set off thousands: {_listed(points)}"] if points else []
        return ["decimal comma", *left]
    for n in commas:
        read[n] = columns.as_text(cells[n])
    if point is None:
        return [f"left as text, as their commas may be decimal or set off thousands: {_listed(commas)}"]
    return [f"left as text for their commas, as {point!r} has decimal points: {_listed(commas)}"]


def _has(cells, sign) -> bool:
    import pyarrow.compute as pc

    return bool(pc.any(pc.match_substring(cells, sign)).as_py())


def _is_decimal(cells, sign) -> bool:
    """Whether some number has a comma or point that cannot set off thousands."""
    import pyarrow.compute as pc

    form = rf"^[ \t]*[+-]?[1-9]\d{{0,2}}([{sign}]\d{{3}})+[ \t]*$"
    thousands = pc.match_substring_regex(cells, form)
    return bool(pc.any(pc.and_not(pc.match_substring(cells, sign), thousands)).as_py())


def _notes(read) -> list[str]:
    total: Counter = Counter()
    where: dict = {}
    for n, column in read.items():
        total.update(column.missing)
        for word in column.missing:
            where.setdefault(word, []).append(n)
    notes = []
    for word, times in total.most_common():
        cells = "1 cell" if times == 1 else f"{times:,} cells"
        notes.append(f"missing: {cells} {repr(word) if word else 'empty'} in {_listed(where[word])}")
    for said, of in (
        ("nothing but missing cells", [n for n, column in read.items() if column.kind == "empty"]),
        ("spaces around cells removed", [n for n, column in read.items() if column.trimmed]),
        ("line breaks inside cells", [n for n, column in read.items() if column.multiline]),
    ):
        if of:
            notes.append(f"{said}: {_listed(of)}")
    return notes


def _listed(names) -> str:
    more = f" and {len(names) - _LOOKS:,} more" if len(names) > _LOOKS else ""
    return ", ".join(shown(n) for n in names[:_LOOKS]) + more
