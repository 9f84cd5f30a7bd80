"""Columns of a table: categories, and those that move together."""

from __future__ import annotations

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import _safe_indexing

from ._words import some
from .cells import check_unmasked, missing_cells
from .parameters import check_features, check_list

_CATEGORY_TYPES = ("category", "categorical", "enum")


def check_table(X):
    """Rows and columns of any type; those of plain lists keep the types of their cells."""
    if not hasattr(X, "shape") or isinstance(X, memoryview):
        X = np.asarray(X, dtype=object)
    if len(X.shape) != 2:
        raise ValueError(
            f"X must have rows and columns: Expected 2D array, got {len(X.shape)}D array instead. Make all rows of "
            "equal length; Reshape your data with X.reshape(-1, 1) if it is one column."
        )
    check_unmasked("X", X)
    return X


def check_categorical(categorical_features, X, feature_names=None) -> np.ndarray:
    """A mask of the columns that hold categories: those named, or those whose type says so ("from_dtype")."""
    n_features = X.shape[1]
    if isinstance(categorical_features, str):
        if categorical_features != "from_dtype":
            raise ValueError(
                "categorical_features must be 'from_dtype', None, or the indices, names or mask of columns; got "
                f"{categorical_features!r}. Write [{categorical_features!r}] for a column."
            )
        types = list(X.dtypes) if hasattr(X, "columns") and hasattr(X, "dtypes") else []
        return np.array([str(t).lower().startswith(_CATEGORY_TYPES) for t in types] or [False] * n_features)
    mask = np.zeros(n_features, dtype=bool)
    mask[check_features("categorical_features", categorical_features, n_features, feature_names)] = True
    if mask.any() and issparse(X):
        raise TypeError(
            "categorical_features cannot be used with sparse X. Encode them as zeros and ones and name these columns "
            "in feature_groups."
        )
    return mask


def check_categories(X, feature, name, *, missing=True) -> tuple[np.ndarray, np.ndarray]:
    """The categories of a column, sorted, and the place of each row's among them.

    Missing values are one more category, None, the last, unless they are not to be there.
    """
    column = np.asarray(_safe_indexing(X, int(feature), axis=1)).ravel()
    gaps = missing_cells(column)
    if gaps.any() and not missing:
        raise ValueError(
            f"categorical column {name!r} must not have missing values where missing='error'; row "
            f"{np.flatnonzero(gaps)[0]} has one. Fill them, or use missing='use'."
        )
    codes = np.empty(len(column), dtype=np.intp)
    try:
        categories, codes[~gaps] = np.unique(column[~gaps], return_inverse=True)
    except TypeError as error:
        kinds = sorted({type(value).__name__ for value in column.tolist()})
        raise ValueError(
            f"categorical column {name!r} must be of one type; got {' and '.join(kinds)}. Make them all text."
        ) from error
    if len(categories) == len(column) > 1:
        raise ValueError(
            f"categorical column {name!r} must have fewer categories than rows; all its {len(column)} values differ, "
            "so that it can tell nothing. Leave it out, or declare it as a number."
        )
    if gaps.any():
        codes[gaps] = len(categories)
        categories = np.array([*categories.tolist(), None], dtype=object)
    return categories, codes


def check_groups(feature_groups, n_features, feature_names=None) -> tuple[tuple[int, ...], ...]:
    """The features of each group, in the order of their first columns; single ones if there are no groups.

    A text is a separator: columns whose names agree up to its first occurrence belong together. Lists name the
    columns of each group, labels (one per column) its group.
    """
    if feature_groups is None:
        return tuple((f,) for f in range(n_features))
    if isinstance(feature_groups, str):
        labels = _prefixes(feature_groups, feature_names)
    else:
        given = check_list("feature_groups", feature_groups, "lists of columns or of labels")
        nested = [np.iterable(group) and not isinstance(group, str) for group in given]
        labels = _labels_of_lists(given, n_features, feature_names) if any(nested) else given
    if len(labels) != n_features:
        raise ValueError(
            f"feature_groups must be lists of columns, a separator in their names, or {n_features} labels, one per "
            f"column; got {len(labels)} labels."
        )
    found: dict = {}
    for feature, label in enumerate(labels):
        found.setdefault(label, []).append(feature)
    return tuple(tuple(group) for group in found.values())


def check_unsplit(required, groups, names):
    """Required features do not tear a group apart."""
    for group in groups:
        inside = [f for f in group if f in required]
        if inside and len(inside) < len(group):
            out = next(f for f in group if f not in required)
            raise ValueError(
                f"required_features must take a group whole; it has {names[inside[0]]!r} but not {names[out]!r} of the "
                f"same group. Require all of {some([names[f] for f in group])}, or none."
            )


def why_not_in_blocks(n_features_to_select, categorical_features, missing="use") -> str | None:
    """The reason why parameters need all rows at once; None if they do not."""
    if missing == "indicator":
        return (
            "missing='indicator' needs all rows at once, to know which features have missing values; they come in "
            "blocks. Use missing='use', or add columns of zeros and ones and name them in feature_groups."
        )
    if isinstance(n_features_to_select, str) and n_features_to_select == "auto":
        return (
            "n_features_to_select='auto' compares features with permuted ones, for which all rows must be at hand; "
            "they come in blocks. Give a number, or use fit on an array."
        )
    if categorical_features is not None and not isinstance(categorical_features, str):
        return (
            "categorical_features need all rows at once; they come in blocks. Encode them as zeros and ones and name "
            "these columns in feature_groups."
        )
    return None


def _prefixes(separator, feature_names):
    if not separator or feature_names is None:
        raise ValueError(
            "feature_groups as text is the separator after a common prefix of column names, such as '_', and needs a "
            f"table with column names; got {separator!r}. Use lists of columns."
        )
    return [name.split(separator)[0] if separator in name else ("alone", name) for name in feature_names]


def _labels_of_lists(groups, n_features, feature_names):
    labels = [-1] * n_features
    for number, group in enumerate(groups):
        group = [group] if isinstance(group, str) or not np.iterable(group) else list(group)
        for f in check_features("feature_groups", group, n_features, feature_names).tolist():
            if labels[f] >= 0:
                raise ValueError(
                    f"feature_groups must not overlap; column {_named(f, feature_names)!r} is in two of them. Leave it "
                    "in one."
                )
            labels[f] = number
    left = [_named(f, feature_names) for f in range(n_features) if labels[f] < 0]
    if left:
        raise ValueError(
            f"feature_groups must name every column; {some(left)} are in none. Give each that moves alone a group of "
            "its own."
        )
    return labels


def _named(feature, feature_names):
    return feature if feature_names is None else str(feature_names[feature])
