"""Arrays and tables of numbers: what is no number is named, with its column and the way out."""

from __future__ import annotations

import datetime
import numbers
import re
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import _safe_indexing, check_array
from sklearn.utils.validation import validate_data

_TIME_TYPES = ("date", "time", "period", "duration")
"""How pandas, polars and pyarrow begin the names of types of dates, times and differences of them."""
_TIMES = (datetime.date, datetime.time, datetime.timedelta, np.datetime64, np.timedelta64)
_DATE = re.compile(r"\s*\d{1,4}([-/.])\d{1,2}\1\d{1,4}([ T].*)?")
_DECORATED = re.compile(r"(?i:eur|usd|chf|gbp|jpy)|[\s%‰$£€¥'’_,.+()−-]")
"""What people write around and inside of numbers."""


def check_numbers(name, values, *, estimator=None, dtype=np.float64, missing=False, **how) -> np.ndarray:
    """A float64 array (or sparse matrix) of finite numbers; with `missing` NaN is allowed where it is no sparse matrix.

    `how` is that of scikit-learn's `check_array`, or with an `estimator` of `validate_data`, which learns or compares
    the names of the columns.
    """
    if missing and not issparse(values):
        how["ensure_all_finite"] = "allow-nan"
    values = np.asarray(values) if isinstance(values, memoryview) else _filled(values)
    check_unmasked(name, values)
    _check_no_dates(name, values)
    try:
        with np.errstate(over="ignore", invalid="ignore"):  # sums of huge numbers, by which infinity is looked for
            if estimator is None:
                found = check_array(values, dtype=dtype, input_name=name, **how)
            else:
                found = validate_data(estimator, values, dtype=dtype, **how)
            return found.astype(float) if found.dtype == object else found  # "numeric" leaves text in some tables
    except (ValueError, TypeError, OverflowError) as error:
        said = explained(name, values, error, missing=missing)
        if said is None:
            raise
        raise (TypeError if isinstance(error, TypeError) else ValueError)(said) from error


def _filled(values):
    """A pandas table of sparse columns that leave out something else than zeros, with all its values."""
    fills = [getattr(kind, "fill_value", None) for kind in getattr(values, "dtypes", ())] if _is_table(values) else []
    return values.sparse.to_dense() if fills and None not in fills and any(fill != 0 for fill in fills) else values


def _is_table(values):
    return hasattr(values, "columns") and hasattr(values, "dtypes") and hasattr(values, "sparse")


def explained(name, values, error, *, missing=False) -> str | None:
    """The sentence about what is no number where others only said that something is not; None if there is none.

    With `missing` a gap is nothing to be explained.
    """
    return _explanation(name, values, error, missing) or _of_no_table(name, values, error)


def check_unmasked(name, values):
    """Nothing is masked, since masks would be ignored."""
    if np.ma.isMaskedArray(values) and np.ma.getmaskarray(values).any():
        raise ValueError(
            f"{name} must have no masked values; {int(np.ma.getmaskarray(values).sum())} are masked. Drop those rows, "
            f"or fill them: {name}.filled(value)."
        )


def is_missing(cell) -> bool:
    """None, NaN, and what pandas has for them."""
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(cell, (numbers.Number, np.datetime64, np.timedelta64)) and bool(cell != cell)


def missing_cells(column) -> np.ndarray:
    """Which cells of a column are missing."""
    if column.dtype.kind in "fc":
        return np.isnan(column)
    if column.dtype.kind in "mM":
        return np.isnat(column)
    cells = column.tolist() if column.dtype == object else []
    if set(map(type, cells)) <= {str, int, bool}:
        return np.zeros(len(column), dtype=bool)
    return np.array([is_missing(cell) for cell in cells], dtype=bool)


def is_time(cell) -> bool:
    """A date, a time of day or a difference of them."""
    return isinstance(cell, _TIMES)


def _check_no_dates(name, values):
    """No column has a type of dates; most of these would become numbers silently."""
    if hasattr(values, "columns") and hasattr(values, "dtypes"):
        for place, kind in enumerate(values.dtypes):
            if str(kind).lower().startswith(_TIME_TYPES):
                raise ValueError(_of_dates(name, list(values.columns)[place], kind))
        return
    kind = getattr(values, "dtype", None)
    if isinstance(kind, np.dtype) and kind.kind in "mM":
        raise ValueError(_of_dates(name, None, kind))
    if getattr(kind, "kind", None) == "O" or isinstance(values, (list, tuple)):
        cells = np.asarray(values, dtype=object) if _is_even(values) else np.empty(0)
        found = [isinstance(cell, (np.datetime64, np.timedelta64)) for cell in cells.ravel().tolist()]
        if any(found):
            raise ValueError(_of_dates(name, found.index(True) % cells.shape[-1], "datetime64"))


def _is_even(values):
    """Whether these are rows of the same length, as far as a plain list tells."""
    if hasattr(values, "shape"):
        return True
    lengths = {len(row) if hasattr(row, "__len__") and not isinstance(row, str) else -1 for row in values}
    return len(lengths) <= 1


def _of_dates(name, column, what):
    where = name if column is None else f"column {column!r} of {name}"
    return (
        f"{name} must be numbers; {where} holds dates or times ({what}). Turn them into numbers, such as a year, a "
        "month or the days since the first date, or leave the column out."
    )


def _explanation(name, values, error, missing):
    """The sentence about the first column that is to blame, None if none is."""
    if issparse(values):
        return _of_sparse(name, values, missing)
    if isinstance(values, (list, tuple)):
        if not _is_even(values):
            return f"{name} must have rows of equal length; it has not. Fill or cut the others."
        values = np.asarray(values, dtype=object)
    shape: tuple = getattr(values, "shape", ())
    if len(shape) != 2:
        return None
    header = list(values.columns) if hasattr(values, "columns") else list(range(shape[1]))
    gaps = []
    for place, column in enumerate(header):
        found = _first_trouble(np.asarray(_safe_indexing(values, place, axis=1)).ravel())
        if missing and found is not None and is_missing(found[1]):
            found = _first_infinity(np.asarray(_safe_indexing(values, place, axis=1)).ravel())
        if found is not None and (is_missing(found[1]) or not str(found[1]).strip()):
            gaps.append((column, found[0]))
        elif found is not None:
            return _of_cell(name, column, *found, error)
    return _of_gaps(name, gaps) if gaps else None


def _of_no_table(name, values, error):
    """The sentence about what cannot be read as numbers at all; None where scikit-learn has said what is wrong."""
    header = list(getattr(values, "columns", ()))
    twice = next((column for column in header if header.count(column) > 1), None)
    if twice is not None:
        return f"{name} must have columns of different names; {twice!r} comes {header.count(twice)} times. Rename them."
    if issparse(values) or "Complex data" in str(error):
        return None
    try:
        readable = values is not None and np.asarray(values, dtype=float) is not None
    except (ValueError, TypeError, OverflowError):
        readable = False
    if not readable:
        kind = f"{type(values).__name__} of {values.dtype}" if hasattr(values, "dtype") else type(values).__name__
        return f"{name} must be an array or a table of numbers, with rows and columns; got {kind}."
    return None


def _first_trouble(column) -> tuple[int, Any] | None:
    """Row and cell of the first that is no finite number; a missing one only if all others are numbers."""
    if column.dtype.kind in "fc":
        bad = np.flatnonzero(~np.isfinite(column))
        return (int(bad[0]), column[bad[0]].item()) if len(bad) else None
    if column.dtype.kind not in "OUST":
        return None
    gap = None
    for row, cell in enumerate(column.tolist()):
        if is_missing(cell) or (isinstance(cell, str) and not cell.strip()):
            gap = (row, cell) if gap is None else gap
            continue
        try:
            value = float(cell)
        except OverflowError:
            return row, np.inf
        except (ValueError, TypeError):
            return row, cell
        if np.isinf(value):
            return row, value
        if np.isnan(value):  # the text "nan"
            gap = (row, value) if gap is None else gap
    return gap


def _first_infinity(column) -> tuple[int, Any] | None:
    """Row and value of the first infinite number of a column that may have gaps."""
    try:
        bad = np.flatnonzero(np.isinf(column.astype(float)))
    except (ValueError, TypeError, OverflowError):
        return None
    return (int(bad[0]), float(column[bad[0]])) if len(bad) else None


def _of_cell(name, column, row, cell, error):
    if isinstance(cell, (float, complex)):
        if np.isnan(cell) or not np.isinf(cell):
            return None
        return (
            f"{name} contains infinity or a number too large: column {column!r} in row {row}. Correct that value, or "
            "drop the row or the column."
        )
    if is_time(cell) or (isinstance(cell, str) and _DATE.fullmatch(cell)):
        return _of_dates(name, column, f"row {row}: {str(cell)!r}")
    if not isinstance(cell, (str, bytes)):
        return f"{error}. It is in column {column!r} of {name}, row {row}: leave it out, or encode it as numbers"
    here = f"{name} must be numbers; column {column!r} has text, {cell!r} in row {row}."
    if isinstance(cell, str) and _DECORATED.sub("", cell).isdecimal():
        return f"{here} Write plain numbers, such as 1234.5, without signs and separators: pandas.to_numeric converts."
    others = " Name columns of text in categorical_features of a selector," if name == "X" else ""
    return f"{here}{others or ' Convert it,'} encode it as numbers (OneHotEncoder) or leave it out."


def _of_gaps(name, gaps):
    (column, row), more = gaps[0], len(gaps) - 1
    others = f", and {more} more column{'s' if more > 1 else ''}" if more else ""
    return (
        f"{name} contains NaN: column {column!r} has missing values (the first in row {row}){others}. Drop those rows "
        "or columns, or fill them: SimpleImputer of scikit-learn does."
    )


def _of_sparse(name, values, missing):
    entries = values.tocoo()
    if entries.data.dtype.kind != "f":
        return None
    bad = np.flatnonzero(~np.isfinite(entries.data))
    if not len(bad):
        return None
    row, column, value = int(entries.row[bad[0]]), int(entries.col[bad[0]]), float(entries.data[bad[0]])
    if np.isnan(value) and missing:
        return (
            f"{name} is sparse, and in a sparse matrix what is not stored is zero, not missing; column {column} has "
            f"NaN in row {row}. Pass {name}.toarray() to have missing values used as such."
        )
    return _of_gaps(name, [(column, row)]) if np.isnan(value) else _of_cell(name, column, row, value, None)
