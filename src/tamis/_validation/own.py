"""What objects of one's own give: label models, criteria, classifiers. A kernel would read it as it is."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import is_classifier

from .classes import SUM_TOLERANCE
from .parameters import real


def check_label_model(labels, n_rows) -> np.ndarray:
    """The memberships of a fitted label model as a search sees them; all that it says of the classes is in order."""
    who = type(labels).__name__
    classes: Any = getattr(labels, "classes_", None)
    if np.ndim(classes) != 1 or not len(classes):
        raise ValueError(f"labels={who} must set classes_, a 1-d array of classes, in fit; got {classes!r}.")
    _check_memberships(f"memberships_ of labels={who}", getattr(labels, "memberships_", None), n_rows, len(classes))
    for name, n_dimensions in (("noise_rates_", 1), ("class_priors_", 1), ("transition_", 2)):
        value = getattr(labels, name, None)
        if value is None:
            continue
        _check_shares(f"{name} of labels={who}", value, (len(classes),) * n_dimensions)
        if name != "noise_rates_" and (np.abs(value.sum(axis=-1) - 1) > SUM_TOLERANCE).any():
            raise ValueError(f"{name} of labels={who} must sum to one; it sums to {value.sum(axis=-1)}.")
    seen = labels.search_memberships()
    if seen is not labels.memberships_:
        _check_memberships(f"search_memberships() of labels={who}", seen, n_rows, len(classes))
    return seen


def _check_memberships(name, P, n_rows, n_classes):
    if isinstance(P, np.ndarray) and P.ndim == 2 and len(P) != n_rows:
        raise ValueError(
            f"{name} must have a row per sample (inconsistent numbers of samples): X has {n_rows} rows, the target "
            f"{len(P)}."
        )
    _check_shares(name, P, (n_rows, n_classes))
    total = P.sum(axis=1)
    short = np.flatnonzero((total > 0) & (total < 1 - SUM_TOLERANCE))
    if len(short):
        raise ValueError(
            f"{name} must sum to one in every row, or to zero if nothing is known of it; row {short[0]} sums to "
            f"{total[short[0]]:g}. Divide each row by its sum."
        )
    if not total.any():
        raise ValueError(f"{name} must say something of some row; all are zero.")


def check_out_of_sample(classifier, P, n_rows, n_classes, *, gaps=False) -> np.ndarray:
    """Probabilities of a classifier, a column per class; with `gaps`, NaN where it has none for a row."""
    name = f"predict_proba of the noise classifier {type(classifier).__name__}"
    P = np.asarray(P)
    P = P.astype(float) if P.dtype.kind in "fiub" else P
    _check_shares(name, np.where(np.isnan(P), 0.0, P) if gaps and P.dtype.kind == "f" else P, (n_rows, n_classes))
    return P


def _check_shares(name, values, shape):
    """A float64 array of this shape whose numbers are from 0 to 1."""
    if not isinstance(values, np.ndarray) or np.ma.isMaskedArray(values):
        raise ValueError(f"{name} must be a NumPy array; got {type(values).__name__}.")
    if values.shape != shape:
        raise ValueError(f"{name} must have shape {shape}; got {values.shape}.")
    if values.dtype != np.float64:
        raise ValueError(f"{name} must be of type float64; got {values.dtype}. Use .astype(float).")
    wrong = np.argwhere(~((values >= 0) & (values <= 1 + SUM_TOLERANCE)))
    if len(wrong):
        place = tuple(wrong[0].tolist())
        raise ValueError(
            f"{name} must have numbers from 0 to 1, no NaN among them; row {place[0]} has {values[place]:g}."
        )


def check_takes(criterion, *, gaps, rows):
    """Data with gaps, weights of rows and groups of them come only to criteria that can take them."""
    who = _named(criterion)
    if gaps and not criterion.allows_missing:
        raise ValueError(
            f"criterion={who} must have values without gaps; X contains NaN. Fill them (SimpleImputer of scikit-learn "
            "does), use another criterion, or set allows_missing = True in one of your own that can."
        )
    if rows.are_alike or criterion.takes_rows or criterion.adds_up:
        return
    given = "sample_weight" if rows.group is None else "groups"
    raise ValueError(
        f"criterion={who} takes no {given}: it counts every row once and compares it with all others. Leave {given} "
        "out, or use another criterion, such as 'mutual_information'."
    )


def check_score(criterion, value) -> float:
    """A number, which may be minus infinity for what is worst."""
    number = real(value.item() if isinstance(value, (np.ndarray, np.generic)) and value.size == 1 else value)
    if not number < np.inf:
        raise ValueError(
            f"criterion={_named(criterion)} must score a subset with one number below infinity; got {value!r}. Return "
            "-numpy.inf for a subset that is worst."
        )
    return number


def check_score_rows(criterion, scores, shape) -> np.ndarray:
    """Rows of (score, tie break), as numbers."""
    found = np.asarray(scores)
    if found.shape != shape or found.dtype.kind not in "fiub":
        raise ValueError(
            f"the scorer of criterion={_named(criterion)} must give numbers of shape {shape}, (score, tie_break) for "
            f"each subset; got {found.dtype} of shape {found.shape}."
        )
    if not (found < np.inf).all():
        raise ValueError(
            f"the scorer of criterion={_named(criterion)} must give numbers below infinity; got "
            f"{found[~(found < np.inf)][0]}. Return -numpy.inf for a subset that is worst."
        )
    return found.astype(float, copy=False)


def check_judge(judge):
    """A classifier."""
    if isinstance(judge, type) or not (hasattr(judge, "fit") and hasattr(judge, "predict") and is_classifier(judge)):
        raise ValueError(
            f"judge must be 'auto', a classifier of scikit-learn's kind, or a list of them; got {judge!r}. Create it "
            "first, as in judge=LogisticRegression()."
        )
    return judge


def check_predictions(judge, values) -> np.ndarray:
    """Probabilities that a judge gives."""
    if not np.isfinite(values).all():
        raise ValueError(
            f"judge={_named(judge)} must give finite probabilities; it gives NaN or infinity for some subset. Use "
            "another classifier, or judge='auto'."
        )
    return values


def _named(criterion):
    return type(criterion).__name__
