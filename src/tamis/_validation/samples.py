"""Samples: arrays, matrices, columns of tables."""

from __future__ import annotations

import difflib
import warnings
from collections import Counter
from collections.abc import Hashable

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import check_consistent_length

from ._words import some
from .cells import check_numbers

_LEAST_SPREAD = 2.0**-14
"""Then there are a thousand steps of float32 between the smallest and the largest value."""
MANY_ROWS = 10_000
"""Tables of more rows are searched by samples of them, and may be of float32 throughout."""


def number_types(X):
    """The types of numbers that a table keeps: float64, and if it has many rows float32, which takes half the room."""
    return [np.float64, np.float32] if (getattr(X, "shape", ()) or (0,))[0] > MANY_ROWS else np.float64


def check_float32(names, low, high):
    """Columns with these smallest and largest values can be told apart by the seven digits of float32."""
    largest = np.maximum(np.abs(low), np.abs(high))
    for name, far, spread in zip(names, largest, high - low, strict=True):
        if far > np.finfo(np.float32).max:
            raise ValueError(f"column {name!r} must fit into float32; {far:g} does not. Divide it, or take logarithms.")
        if 0 < spread < far * _LEAST_SPREAD:
            raise ValueError(
                f"column {name!r} must have digits that float32 has, seven; its values differ by {spread:g} and are as "
                f"large as {far:g}. Subtract its smallest value first."
            )


def check_samples(X, *, sparse=False, least=2, missing=False) -> np.ndarray:
    """X as a float64 array of finite numbers with at least `least` rows, or if `sparse` possibly as a CSR matrix.

    In one memory order, since NumPy's sums depend on it in their last bits. With `missing`, NaN is allowed in an array.
    """
    how = {"order": "C", "ensure_min_samples": least, "missing": missing}
    return check_numbers("X", X, accept_sparse="csr" if sparse else False, **how)


def column_names(X) -> np.ndarray | None:
    """Names of the columns of a table, all different; None if they have none, or numbers."""
    names = list(getattr(X, "columns", ()))
    if not names or not all(isinstance(name, str) for name in names):
        return None
    name, times = Counter(names).most_common(1)[0]
    if times > 1:
        raise ValueError(f"X must have columns of different names; {name!r} comes {times} times. Rename them.")
    return np.array(names, dtype=object)


def check_dense(X, what, why):
    """X is not sparse; if it is, say why that will not do."""
    if issparse(X):
        raise TypeError(f"{what} cannot take sparse X: {why}. Pass X.toarray() if that fits into memory.")


def check_not_negative(X):
    """No negative value in a sparse matrix, whose zeros are to be the lowest level."""
    if issparse(X) and X.nnz and X.data.min() < 0:
        raise ValueError(
            f"a sparse X must not be negative, since its zeros are taken as the lowest level; got {X.data.min():g}. "
            "Pass X.toarray(), or shift the values."
        )


def check_graph(weights):
    """Some neighbours have a weight."""
    if not weights.sum() > 0:
        raise ValueError(
            "width must be in reach of the distances between neighbours; it is so small that no neighbour has a "
            "weight. Raise it, or leave it out for their mean distance."
        )


def warn_of_rows_left_out(rows, what, instead="they are left out of the estimates"):
    """Say how many rows, given as a mask, have nothing to say, and what becomes of them."""
    if rows.any():
        said = f"{rows.sum()} of {len(rows)} rows have no {what}; {instead}."
        warnings.warn(said, UserWarning, stacklevel=4)


def check_rows_match(X, memberships):
    """As many memberships as samples."""
    check_consistent_length(X, memberships)


def check_columns(name, given, columns) -> list[str]:
    """Names of columns that a file has, at least one and none of them twice."""
    if isinstance(given, str) or not np.iterable(given):
        raise ValueError(f"{name} must be a list of column names; got {given!r}. Write [{given!r}].")
    given = list(given)
    if not given:
        raise ValueError(f"{name} must name at least one column; got none. Columns of the file: {some(columns)}.")
    known = set(columns)
    for column in given:
        if not isinstance(column, Hashable) or column not in known:
            near = difflib.get_close_matches(str(column), columns, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else "."
            raise ValueError(f"{name} must name columns of the file; {column!r} is not one of {some(columns)}{hint}")
    twice = next((column for column, times in Counter(given).items() if times > 1), None)
    if twice is not None:
        raise ValueError(f"{name} must name each column once; {twice!r} comes {given.count(twice)} times.")
    return given


def check_apart(target, features):
    """No column is both what is predicted and what predicts."""
    both = [c for c in target if c in set(features)]
    if both:
        raise ValueError(f"features must not contain the target; {both[0]!r} is in both. Take it out of features.")


def check_numeric(table):
    """A table all of whose columns are numbers; an offending cell is shown if there is one."""
    pd = import_pandas("a table")
    for column in table.columns:
        values = table[column]
        if pd.api.types.is_numeric_dtype(values.dtype):
            continue
        odd = values[values.notna() & pd.to_numeric(values, errors="coerce").isna()]
        cell = f" (row {odd.index[0]}: {odd.iloc[0]!r})" if len(odd) else ""
        raise ValueError(
            f"features must be numeric; column {column!r} is of type {values.dtype}{cell}. Leave it out with features= "
            "or encode it."
        )


def import_pandas(what):
    """pandas, or the sentence that says who needs it."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError(f"{what} needs pandas: pip install pandas.") from error
    return pandas


def import_parquet(what):
    """pyarrow's Parquet reader, or the sentence that says who needs it."""
    try:
        import pyarrow.parquet
    except ImportError as error:
        raise ImportError(f"{what} needs pyarrow: pip install pyarrow.") from error
    return pyarrow.parquet


def import_jinja2():
    """jinja2, or the sentence that says who needs it."""
    try:
        import jinja2
    except ImportError as error:
        raise ImportError("a report needs jinja2: pip install jinja2, or 'tamis[report]'.") from error
    return jinja2
