"""Sets of labels."""

from __future__ import annotations

import warnings

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _get_feature_names

from ._words import some
from .cells import is_missing, missing_cells
from .parameters import check_count
from .predictions import check_indicator, label_sets


def check_label_sets(y) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sorted classes, which of them each row has, and whether there is a target: from zeros and ones, or from sets.

    A table names its columns; those of a plain matrix are numbered. Rows that are None, or NaN in all columns, have no
    target; an empty set is one.
    """
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None.")
    names = _get_feature_names(y)
    y = y.toarray() if issparse(y) else y
    if not hasattr(y, "shape") and np.iterable(y) and not isinstance(y, str):
        y = list(y)
    there = ~_missing_rows(y)
    if len(there) and not there.any():
        raise ValueError(f"y must have labels in some row; they are missing in all {len(there)}. Check the target.")
    y = y if there.all() else _safe_indexing(y, np.flatnonzero(there))
    sets = label_sets("y", y)
    if sets is None:
        matrix = check_indicator("y", y)
        classes = np.arange(matrix.shape[1]) if names is None else np.asarray(names)
        order = np.argsort(classes, kind="stable")
        classes, has = classes[order], matrix[:, order]
    else:
        classes = np.unique(np.array([c for row in sets for c in row]))
        has = np.array([[c in row for c in classes.tolist()] for row in sets], dtype=bool).reshape(len(sets), -1)
    classes, has = _check_use(classes, has)
    of_all = np.zeros((len(there), len(classes)), dtype=bool)
    of_all[there] = has
    return classes, of_all, there


def _missing_rows(y):
    """Rows without a target; what is no table or list of rows is left to those who complain about it."""
    if hasattr(y, "isna") and y.ndim == 2:
        return y.isna().to_numpy().all(axis=1)
    if getattr(y, "ndim", 1) == 2:
        values = np.asarray(y)
        return missing_cells(values.ravel()).reshape(values.shape).all(axis=1)
    if not np.iterable(y) or isinstance(y, str):
        return np.zeros(1, dtype=bool)
    return np.array([_is_missing_row(row) for row in y], dtype=bool)


def _is_missing_row(row):
    if isinstance(row, (list, tuple)):
        return len(row) > 0 and all(map(is_missing, row))
    return is_missing(row) or (isinstance(row, str) and row == "")


def _check_use(classes, has):
    """Some label occurs; those that never or always do are named in a warning."""
    used, always = has.any(axis=0), has.all(axis=0)
    if not used.any():
        raise ValueError("y must use some label; all sets are empty. Check the target.")
    for mask, when in ((~used, "never occur and are"), (always, "occur in every row: they tell nothing, but are not")):
        if mask.any():
            warnings.warn(f"labels {some(classes[mask].tolist())} {when} left out.", UserWarning, stacklevel=4)
    return classes[used], has[:, used]


def check_sizes(sizes, default, n_neighbors=None) -> list[int]:
    """Sizes to choose from, ascending; None is the default, its smallest and its largest size.

    With a number of neighbors, or "auto" for those from 2, every class must have more rows.
    """
    limit = 0 if n_neighbors is None else 2 if n_neighbors == "auto" else n_neighbors
    least, most = default
    if sizes is None:
        if limit >= most:
            raise ValueError(f"n_neighbors must be below {most} to choose a size up to {most}; got {limit}.")
        return list(range(max(least, limit + 1), most + 1))
    if isinstance(sizes, str) or not np.iterable(sizes):
        raise ValueError(f"sizes must be whole numbers to choose from, such as range(2, 21), or None; got {sizes!r}.")
    found = sorted({check_count("sizes", size) for size in sizes})
    if not found:
        raise ValueError("sizes must have at least one number; got none. Leave it out for the default.")
    if found[0] <= limit:
        raise ValueError(
            f"sizes must be above n_neighbors = {limit} for the permutation test, so that every class has enough rows; "
            f"got {found[0]}. Lower n_neighbors or raise the sizes."
        )
    return found


def keeps_two_sets(counts, sizes) -> bool:
    """Whether some size leaves at least two label sets; a warning if none does although there are several."""
    if any((counts >= size).sum() >= 2 for size in sizes):
        return True
    if len(counts) > 1:
        tried = f"sizes {min(sizes)} to {max(sizes)}" if len(sizes) > 1 else f"{min(sizes)} rows"
        largest = " and ".join(f"{count:.9g}" for count in np.sort(counts)[:-3:-1])
        warnings.warn(
            f"min_class_size='auto' must leave two label sets, which {tried} do not: the two largest of {len(counts)} "
            f"sets have {largest} rows. Every set is kept as a class. Use MultiLabels(transform='labels') to compare "
            "sets by the labels they share.",
            UserWarning,
            stacklevel=4,
        )
    return False


def check_pruning(counts, size) -> int:
    """A size that leaves at least two label sets; if it does not, say what others would leave. A single set is kept."""
    if len(counts) < 2:
        return 0
    if (counts >= size).sum() >= 2:
        return size
    sizes = sorted({2, 3, 5, 10, *map(int, counts.tolist())} - {1})
    useful = [(least, counts[counts >= least].sum()) for least in sizes if (counts >= least).sum() >= 2]
    ways = ", ".join(f"{least} keeps {float(n):.0f}" for least, n in useful[-4:])
    way_out = f"a size of {ways}. Choose one of these." if ways else "no size keeps any: label sets hardly repeat."
    raise ValueError(
        f"min_class_size = {size} leaves fewer than two of the {len(counts)} label sets. Of "
        f"{float(counts.sum()):.9g} rows, {way_out}"
    )


def check_separations(t, n_folds):
    """Some t statistic is a number; as printed, folds may be too small for any."""
    if np.isnan(t).all():
        raise ValueError(
            f"printed=True estimates information in each of {n_folds} folds alone, and no size leaves folds with two "
            "label sets of more than n_neighbors rows. Use fewer folds, a given min_class_size, or printed=False."
        )
