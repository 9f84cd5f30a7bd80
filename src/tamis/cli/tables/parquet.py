"""Parquet files."""

from __future__ import annotations

from . import columns, limits
from .refused import Refused, check_names, shown

MAGIC = b"PAR1"


def parse(data: bytes | bytearray, name: str):
    """The table in the bytes of a Parquet file, notes, and how columns of numbers were written."""
    import pandas as pd

    try:
        table, notes = _table(data, name)
        names = [column or f"column {place}" for place, column in enumerate(table.column_names, 1)]
        check_names(names, name)
        written = {n: columns.TRUTH for n, c in zip(names, table.columns, strict=True) if _is_truth(c.type)}
        return pd.DataFrame({n: _values(c, n, name) for n, c in zip(names, table.columns, strict=True)}), notes, written
    except Refused:
        raise
    except Exception as error:  # a damaged file makes pyarrow raise almost anything
        why = shown(str(error).split("\n")[0], 120)
        raise Refused(f"{name} must be a Parquet file; it is broken ({why}). Copy or write it again.") from error


def _table(data, name):
    """All columns but those that pandas wrote as an index."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = pq.ParquetFile(pa.BufferReader(data))
    schema, about = file.schema_arrow, file.metadata
    limits.check_columns(max(len(schema.names), about.num_columns), name)
    limits.check_cells(about.num_rows, len(schema.names), name)
    limits.check_bytes(sum(about.row_group(i).total_byte_size for i in range(about.num_row_groups)), name, "holds {:,}")
    index = [c for c in (schema.pandas_metadata or {}).get("index_columns", ()) if isinstance(c, str)]
    if about.num_rows == 0 or not set(schema.names) - set(index):
        raise Refused(f"{name} must have rows and columns; it has {about.num_rows} rows of {len(schema.names)}.")
    table = file.read()
    table.validate(full=True)
    kept = [place for place, column in enumerate(schema.names) if column not in index]
    return table.select(kept), (f"index left out: {', '.join(map(shown, index))}",) if index else ()


def _values(column, called, name):
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = column.type
    if pa.types.is_dictionary(kind):
        if _is_text(kind.value_type) and not pc.any(pc.is_null(column.combine_chunks().dictionary)).as_py():
            return column.to_pandas()
        kind = kind.value_type
        column = column.cast(kind)
    if _is_truth(kind):
        return columns.truth(column)
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return column.to_numpy()
    if pa.types.is_decimal(kind) or pa.types.is_null(kind):
        return column.cast(pa.float64()).to_numpy()
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind) or pa.types.is_time(kind):
        kind = pa.string()
        column = column.cast(kind)
    if not _is_text(kind):
        raise Refused(
            f"columns of {name} must be numbers, text, categories or dates; {shown(called)} is of type {shown(kind)}. "
            "Leave it out or spread it over columns."
        )
    sizes = pc.binary_length(column)
    if (pc.max(sizes).as_py() or 0) > limits.MAX_CELL:
        row = pc.index(pc.greater(sizes, limits.MAX_CELL), True).as_py() + 1
        raise limits.too_long(name, f"row {row} of column {shown(called)}")
    return column.to_pandas()


def _is_truth(kind) -> bool:
    import pyarrow as pa

    return pa.types.is_boolean(kind)


def _is_text(kind) -> bool:
    import pyarrow as pa

    return pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
