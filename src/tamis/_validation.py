"""The only checker of X, y, memberships and parameters: validate at the door, trust inside.

An error names the parameter, the rule, what came, and the way out.
"""

from __future__ import annotations

import numbers
import warnings

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils import check_array, check_consistent_length, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _get_feature_names

SUM_TOLERANCE = 1e-6
"""Probabilities of a row may miss one by this much; they are then divided by their sum."""


def check_samples(X) -> np.ndarray:
    """X as a float64 array of finite numbers with at least two rows.

    In one memory order, since NumPy's sums depend on it in their last bits.
    """
    return check_array(X, dtype=np.float64, order="C", ensure_min_samples=2, input_name="X")


def check_choice(name, value, choices):
    """One of a few words."""
    if value not in choices:
        raise ValueError(f"{name} must be one of {_either(choices)}; got {value!r}.")
    return value


def check_count(name, value, *, least=1, most=None) -> int:
    """A whole number, at least `least` and at most `most`."""
    whole = isinstance(value, numbers.Integral) and not isinstance(value, (bool, np.bool_))
    if not whole or value < least or (most is not None and value > most):
        bounds = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise ValueError(f"{name} must be a whole number {bounds}; got {value!r}.")
    return int(value)


def check_share(name, value) -> float:
    """A number from 0 to 1."""
    if not isinstance(value, numbers.Real) or isinstance(value, (bool, np.bool_)) or not 0 <= float(value) <= 1:
        raise ValueError(f"{name} must be a number from 0 to 1; got {value!r}.")
    return float(value)


def check_length(name, values, length, meaning):
    """As many values as there should be."""
    if len(values) != length:
        raise ValueError(f"{name} must have {length} values, {meaning}; got {len(values)}.")


def check_known(name, given, classes):
    """Only classes that exist."""
    unknown = [c for c in given if c not in classes.tolist()]
    if unknown:
        raise ValueError(f"{name} must name classes of y; {unknown[0]!r} is not one of {_some(classes.tolist())}.")


def check_square(name, matrix, size) -> np.ndarray:
    """A matrix with a finite number, not negative, for each pair of classes."""
    matrix = check_array(matrix, dtype=np.float64, input_name=name, ensure_min_features=0)
    if matrix.shape != (size, size):
        raise ValueError(f"{name} must have a row and a column per class, {size} x {size}; got {matrix.shape}.")
    if (matrix < 0).any():
        raise ValueError(f"{name} must not be negative; got {matrix.min():g}.")
    return matrix


def check_transition(transition, n_classes) -> np.ndarray:
    """A matrix whose rows are probabilities."""
    matrix = check_square("transition", transition, n_classes)
    wrong = np.flatnonzero(np.abs(matrix.sum(axis=1) - 1) > SUM_TOLERANCE)
    if len(wrong):
        raise ValueError(
            f"transition must sum to one in every row; row {wrong[0]} sums to {matrix[wrong[0]].sum():g}. "
            "Divide each row by its sum."
        )
    return matrix


def check_threads(n_jobs) -> int:
    """Number of threads for `n_jobs`: None is one, -1 is every core, as everywhere in scikit-learn."""
    if n_jobs == 0:
        raise ValueError("n_jobs must not be 0; use None for one thread or -1 for all of them.")
    return effective_n_jobs(n_jobs)


def check_classes(y) -> tuple[np.ndarray, np.ndarray]:
    """Sorted classes, and the class of each row as a code."""
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None.")
    if has_columns(y):
        raise ValueError(
            f"y must have one class per row; got {width_of(y)} columns. Columns of probabilities need labels='soft'."
        )
    y = column_or_1d(y, warn=True)
    if y.dtype.kind == "f" and not np.isfinite(y).all():
        raise ValueError("y must have no missing value; it contains NaN or infinity. Drop or fill those rows.")
    if y.dtype == object and any(v is None or v != v for v in y):
        raise ValueError("y must have no missing value; it contains None or NaN. Drop or fill those rows.")
    check_classification_targets(y)
    classes, codes = np.unique(y, return_inverse=True)
    if len(classes) < 2:
        raise ValueError(
            f"y must have at least two classes; got only 1 class, {classes.tolist()[0]!r}. Check the target."
        )
    return classes, codes


def has_columns(y) -> bool:
    """Whether y has several columns, so that it cannot be a class per row."""
    return width_of(y) > 1


def width_of(y) -> int:
    """Number of columns of y; 1 for a plain list."""
    shape = y.shape if hasattr(y, "shape") else np.asarray(y).shape
    return shape[1] if len(shape) == 2 else 1


def check_memberships(memberships, classes=None) -> tuple[np.ndarray, np.ndarray]:
    """Classes and a float64 array whose rows are probabilities.

    The columns are named by a table's header, else by `classes` if there are as many, else numbered.
    """
    names = _get_feature_names(memberships)
    P = check_array(memberships, dtype=np.float64, input_name="memberships", ensure_min_samples=2)
    if P.shape[1] < 2:
        raise ValueError(f"memberships must have one column per class, at least two; got {P.shape[1]}.")
    negative = np.flatnonzero((P < 0).any(axis=1))
    if len(negative):
        i = negative[0]
        raise ValueError(
            f"memberships must not be negative; row {i} has {P[i].min():g}. Pass probabilities, not scores or logits."
        )
    wrong = np.flatnonzero(np.abs(P.sum(axis=1) - 1) > SUM_TOLERANCE)
    if len(wrong):
        i = wrong[0]
        raise ValueError(
            f"memberships must sum to one in every row (within {SUM_TOLERANCE:g}); row {i} sums to {P[i].sum():g} "
            f"({len(wrong)} such rows). Divide each row by its sum."
        )
    if names is None:
        names = classes if classes is not None and len(classes) == P.shape[1] else np.arange(P.shape[1])
    return np.asarray(names), P / P.sum(axis=1, keepdims=True)


def check_rows_match(X, memberships):
    """As many memberships as samples."""
    check_consistent_length(X, memberships)


def check_class_counts(codes, classes, what, wanted):
    """Every class has at least two samples; those with fewer than `wanted` are named in a warning."""
    counts = np.bincount(codes, minlength=len(classes))
    if (counts < 2).any():
        raise ValueError(_too_few(classes, counts < 2, what))
    if (counts < wanted).any():
        warnings.warn(
            f"class {_names(classes, counts < wanted)} has fewer than the {wanted} samples that {what} wants; it makes "
            "do with those there are. Merge it with another class to be surer.",
            UserWarning,
            stacklevel=4,
        )


def check_class_sizes(memberships, classes, n_neighbors, what):
    """Every class that is used has another sample to be compared with; small ones are named in a warning."""
    mass, top = memberships.sum(axis=0), memberships.max(axis=0)
    if np.count_nonzero(mass) < 2:
        raise ValueError(f"memberships must use at least two classes; got only {_names(classes, mass > 0)}.")
    alone = (mass > 0) & (mass - top < SUM_TOLERANCE)
    if alone.any():
        raise ValueError(_too_few(classes, alone, what))
    small = (mass > 0) & (mass < n_neighbors + 1 - SUM_TOLERANCE)
    if small.any():
        warnings.warn(
            f"class {_names(classes, small)} has fewer than n_neighbors + 1 = {n_neighbors + 1} samples; its balls use "
            "those there are.",
            UserWarning,
            stacklevel=3,
        )


def check_n_features_to_select(value, n_features) -> int:
    """A number of features, or a fraction of them."""
    whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if whole and 1 <= int(value) <= n_features:
        return int(value)
    if isinstance(value, numbers.Real) and not isinstance(value, numbers.Integral) and 0 < float(value) <= 1:
        return max(1, int(n_features * float(value)))
    raise ValueError(
        f"n_features_to_select must be a whole number from 1 to {n_features} (the number of features) or a fraction in "
        f"(0, 1]; got {value!r}."
    )


def check_features(name, features, n_features, feature_names=None) -> np.ndarray:
    """Sorted indices of features given by index, name or mask."""
    if features is None:
        return np.empty(0, dtype=np.intp)
    features = np.asarray(features)
    if features.dtype == bool:
        if len(features) != n_features:
            raise ValueError(f"{name} as a mask must have {n_features} entries, one per feature; got {len(features)}.")
        return np.flatnonzero(features)
    indices = [_feature_index(name, f, n_features, feature_names) for f in np.atleast_1d(features).tolist()]
    return np.unique(np.asarray(indices, dtype=np.intp))


def _feature_index(name, feature, n_features, feature_names):
    if isinstance(feature, str):
        if feature_names is None:
            raise ValueError(
                f"{name} can use names only when X is a table with column names; got {feature!r}. Use indices."
            )
        found = np.flatnonzero(np.asarray(feature_names) == feature)
        if not len(found):
            raise ValueError(f"{name} must name columns of X; {feature!r} is not one of {_some(feature_names)}.")
        return int(found[0])
    if not isinstance(feature, numbers.Integral) or not -n_features <= feature < n_features:
        raise ValueError(f"{name} must be indices from 0 to {n_features - 1} or column names; got {feature!r}.")
    return int(feature) % n_features


def import_pandas(what):
    """pandas, or the sentence that says who needs it."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError(f"{what} needs pandas: pip install pandas.") from error
    return pandas


def _too_few(classes, mask, what):
    return (
        f"class {_names(classes, mask)} has 1 sample; {what} needs at least 2. Merge it with another class or drop it."
    )


def _either(choices):
    return " or ".join(repr(c) for c in choices)


def _names(classes, mask):
    return ", ".join(repr(c) for c in np.asarray(classes)[mask].tolist())


def _some(names, most=8):
    shown = ", ".join(repr(n) for n in list(names)[:most])
    return f"[{shown}{', ...' if len(names) > most else ''}]"
