"""Parameters: words, numbers, features."""

from __future__ import annotations

import numbers
import warnings

import numpy as np
from joblib import cpu_count, effective_n_jobs
from sklearn.utils import check_random_state

from ._words import either, some

_MOST = 2**31 - 1
"""Counts above this fit into no kernel."""


def check_choice(name, value, choices):
    """One of a few words, or None."""
    if not (value is None or isinstance(value, str)) or value not in choices:
        raise ValueError(f"{name} must be one of {either(choices)}; got {value!r}.")
    return value


def check_flag(name, value) -> bool:
    """True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{name} must be True or False; got {value!r}.")
    return bool(value)


def check_verbose(value) -> bool:
    """Whether to say something: True, False or a number of at least 0."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    return check_count("verbose", value, least=0) > 0


def check_list(name, values, what) -> list:
    """Any number of things, one after the other."""
    if isinstance(values, (str, bytes)) or not np.iterable(values):
        raise ValueError(f"{name} must be a list of {what}; got {values!r}.")
    return list(values)


def check_count(name, value, *, least=1, most=None) -> int:
    """A whole number, at least `least` and at most `most`."""
    if not _is_whole(value) or not least <= value <= (_MOST if most is None else most):
        bounds = f"from {least} to {most}" if most is not None else f"of at least {least}"
        limit = f" and at most {_MOST}" if most is None and _is_whole(value) and value > _MOST else ""
        raise ValueError(f"{name} must be a whole number {bounds}{limit}; got {value!r}.")
    return int(value)


def check_share(name, value) -> float:
    """A number from 0 to 1."""
    if not 0 <= real(value) <= 1:
        raise ValueError(f"{name} must be a number from 0 to 1; got {value!r}.")
    return float(value)


def check_positive(name, value, *, or_zero=False) -> float:
    """A finite number above zero, or not below it."""
    if not (0 < real(value) < np.inf or (or_zero and real(value) == 0)):
        raise ValueError(f"{name} must be a {'number of at least 0' if or_zero else 'positive number'}; got {value!r}.")
    return float(value)


def _is_whole(value) -> bool:
    return isinstance(value, numbers.Integral) and not isinstance(value, (bool, np.bool_))


def real(value) -> float:
    """A number as a float, NaN if it is none."""
    if not isinstance(value, numbers.Real) or isinstance(value, (bool, np.bool_)):
        return np.nan
    try:
        return float(value)
    except OverflowError:
        return np.inf


def check_beta(doubt, variance) -> tuple[float, float]:
    """The two parameters of the Beta distribution that has this mean and this variance."""
    doubt, variance = check_share("doubt", doubt), check_positive("variance", variance)
    most = doubt * (1 - doubt)
    if variance >= most:
        raise ValueError(
            f"variance must be below doubt * (1 - doubt) = {most:g}, as no Beta distribution of mean {doubt:g} varies "
            f"more; got {variance:g}. Lower variance or take doubt nearer to 0.5."
        )
    total = most / variance - 1
    if total == np.inf:
        raise ValueError(f"variance must not be as small as {variance:g}; raise it.")
    return doubt * total, (1 - doubt) * total


def check_ring(radius, gap) -> tuple[float, float]:
    """A circle and the empty ring around it that leave something inside and outside of them in the unit square."""
    radius, gap = check_positive("radius", radius), check_positive("gap", gap, or_zero=True)
    if radius + gap > 0.5:
        raise ValueError(
            "radius + gap must be at most 0.5, for the circle and its ring to fit into the unit square; "
            f"got {radius:g} + {gap:g}. Lower one of them."
        )
    return radius, gap


def check_length(name, values, length, meaning):
    """As many values as there should be."""
    if len(values) != length:
        raise ValueError(f"{name} must have {length} values, {meaning}; got {len(values)}.")


def check_threads(n_jobs) -> int:
    """Number of threads for `n_jobs`, at most one per core.

    None is one unless `joblib.parallel_config` says otherwise, -1 is every core, -2 all but one, as everywhere in
    scikit-learn.
    """
    if n_jobs is not None and not _is_whole(n_jobs):
        raise ValueError(f"n_jobs must be a whole number or None; got {n_jobs!r}. Use -1 for all cores.")
    if n_jobs == 0:
        raise ValueError("n_jobs must not be 0; use None for one thread or -1 for all of them.")
    cores = cpu_count()
    wanted = None if n_jobs is None else max(-cores, min(int(n_jobs), cores))
    return max(1, min(effective_n_jobs(wanted), cores))


def check_seed(random_state) -> np.random.RandomState:
    """The generator for a seed, as everywhere in scikit-learn."""
    if _is_whole(random_state) and not 0 <= random_state < 2**32:
        raise ValueError(f"random_state must be from 0 to {2**32 - 1} if it is a number; got {random_state!r}.")
    return check_random_state(random_state)


def check_alpha(value) -> float:
    """A level of significance."""
    if not 0 < real(value) < 0.5:
        raise ValueError(f"alpha must be a number between 0 and 0.5, such as 0.05; got {value!r}.")
    return float(value)


def check_n_features_to_select(value, n_features) -> int | None:
    """A number of features, or a fraction of them; None if held-out rows are to decide ("auto")."""
    if isinstance(value, str) and value == "auto":
        return None
    if _is_whole(value) and 1 <= value <= n_features:
        return int(value)
    if not isinstance(value, numbers.Integral) and 0 < real(value) <= 1:
        return max(1, int(n_features * float(value)))
    raise ValueError(
        f"n_features_to_select must be 'auto', a whole number from 1 to {n_features} (the number of features) or a "
        f"fraction in (0, 1]; got {value!r}."
    )


def check_levels(n_levels, n_samples, names):
    """Features of more levels than samples can tell apart are named in a warning."""
    many = np.flatnonzero(n_levels > max(2, n_samples / 10))
    if len(many):
        warnings.warn(
            f"features {some(np.asarray(names)[many].tolist())} have up to {n_levels.max()} levels, fewer than ten "
            f"samples each. Their deltas are mostly chance: use bins='auto'.",
            UserWarning,
            stacklevel=4,
        )


def check_step(value) -> str | int | float:
    """How many features leave per pass: "auto", a number of them, or a share of those left."""
    if isinstance(value, str) and value == "auto":
        return "auto"
    if _is_whole(value) and 1 <= value <= _MOST:
        return int(value)
    if not isinstance(value, numbers.Integral) and 0 < real(value) < 1:
        return float(value)
    raise ValueError(
        "step must be 'auto', a whole number of at least 1 (features per pass) or a fraction in (0, 1) (of those "
        f"left); got {value!r}. Use 1 to remove features one by one."
    )


def check_max_time(value) -> float | None:
    """Seconds, or None for as many as it takes."""
    if value is None:
        return None
    if not 0 < real(value) < np.inf:
        raise ValueError(
            f"max_time must be a positive number of seconds, or None for as long as it takes; got {value!r}."
        )
    return float(value)


def check_n_queries(value) -> str | int | None:
    """How many rows a step is decided on: "auto", a number of them, or None for all."""
    if value is None or (isinstance(value, str) and value == "auto"):
        return value
    if _is_whole(value) and 1 <= value <= _MOST:
        return int(value)
    raise ValueError(
        "n_queries must be 'auto', a whole number of at least 1 (rows that decide a step) or None (all of them); "
        f"got {value!r}."
    )


def check_features(name, features, n_features, feature_names=None) -> np.ndarray:
    """Sorted indices of features given by index, name or mask."""
    if features is None:
        return np.empty(0, dtype=np.intp)
    try:
        features = np.atleast_1d(np.asarray(features))
    except ValueError as error:  # lists of different lengths
        raise ValueError(f"{name} must be a list of indices or names, or a mask; got {features!r}.") from error
    if features.dtype == bool:
        if features.shape != (n_features,):
            raise ValueError(f"{name} as a mask must have {n_features} entries, one per feature; got {len(features)}.")
        return np.flatnonzero(features)
    indices = [_feature_index(name, f, n_features, feature_names) for f in features.tolist()]
    return np.unique(np.asarray(indices, dtype=np.intp))


def _feature_index(name, feature, n_features, feature_names):
    if isinstance(feature, str):
        if feature_names is None:
            raise ValueError(
                f"{name} can use names only when X is a table with column names; got {feature!r}. Use indices."
            )
        found = np.flatnonzero(np.asarray(feature_names) == feature)
        if not len(found):
            raise ValueError(f"{name} must name columns of X; {feature!r} is not one of {some(feature_names)}.")
        return int(found[0])
    if not isinstance(feature, numbers.Integral) or not -n_features <= feature < n_features:
        raise ValueError(f"{name} must be indices from 0 to {n_features - 1} or column names; got {feature!r}.")
    return int(feature) % n_features
