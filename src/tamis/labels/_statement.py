"""What can be said about the labels: how many are wrong, how sure that is, and how sure each row is."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.stats import beta

from ._em import Fitted, estimate_transition, transition_of
from ._weights import ALIKE, independence, mean_of, number_of, sum_of

_LEVEL = 0.95
_PARTS = 5


class Statement(NamedTuple):
    """What is said about the labels: of each row, of the classes, and of all rows together.

    `identified` is whether the labels show that some are wrong.
    """

    memberships: np.ndarray
    transition: np.ndarray
    rate: float
    interval: tuple[float, float]
    identified: bool


def stated(run: Fitted, codes, kind, shows_mistakes, rows=ALIKE) -> Statement:
    """From a run of EM with classifiers; `shows_mistakes()` tells whether one rate is supported by the labels.

    Where neither that nor rates for pairs of classes are, half of the labels that the classifiers contradict, beyond
    those that EM takes for wrong, are counted as wrong too: nothing tells them from overlap.
    """
    rate = _rate(run, codes, rows)
    transition, identified = run.transition, True
    if kind == "auto":
        transition, kind = preferred_transition(run.posterior, codes, run.transition, rate, rows)
        identified = kind == "full" or shows_mistakes()
    memberships = run.posterior * transition[:, codes].T
    memberships /= memberships.sum(axis=1, keepdims=True)
    unquestioned = np.isin(codes, run.trusted)
    memberships[unquestioned] = run.memberships[unquestioned]
    memberships = cautious(memberships, run.posterior, codes, rate, rows)
    transition = estimate_transition(memberships, codes, kind, rows=rows)
    if not identified:
        contradicted = float(mean_of(run.posterior.argmax(axis=1) != codes, rows))
        rate += max(0.0, contradicted - rate) / 2
    return Statement(memberships, transition, rate, rate_interval(run.posterior, codes, rate, rows), identified)


def as_estimated(run: Fitted, codes, rows=ALIKE) -> Statement:
    """A run of EM as it is: the paper."""
    rate = _rate(run, codes, rows)
    return Statement(run.memberships, run.transition, rate, rate_interval(run.posterior, codes, rate, rows), False)


def _rate(run, codes, rows):
    return float(1.0 - mean_of(run.memberships[np.arange(len(codes)), codes], rows))


def unknown(codes, n_classes) -> Statement:
    """All labels are kept, and nothing is said about how many are wrong.

    At most as many as of labels drawn at random; without a second class there is nothing to draw from.
    """
    identity, most = np.eye(n_classes), 1.0 - 1.0 / n_classes if n_classes > 1 else 1.0
    return Statement(identity[codes], identity, np.nan, (0.0, most), False)


def preferred_transition(posterior, codes, full, rate, rows=ALIKE) -> tuple[np.ndarray, str]:
    """Every entry of the transition matrix if BIC prefers that to one rate for all classes (Schwarz, 1978)."""
    n, n_classes = number_of(posterior, rows), posterior.shape[1]
    common = transition_of(np.full(n_classes, rate))
    with np.errstate(divide="ignore"):
        gain = np.log((posterior * full[:, codes].T).sum(axis=1)) - np.log((posterior * common[:, codes].T).sum(axis=1))
    price = (n_classes * (n_classes - 1) - 1) * np.log(max(n, 1)) / 2
    return (full, "full") if sum_of(gain, rows) > price else (common, "common")


def cautious(memberships, posterior, codes, rate, rows=ALIKE) -> np.ndarray:
    """Memberships that are no surer than the classifiers are right, with the same share of wrong labels.

    The classifiers expect to be wrong about a share e of the rows, however sure they are of some. A row whose label
    contradicts them is then a mistake with odds of at most (1 - e) / e times those of a wrong label. Odds o of a
    mistake become 1 / (1 / (c o) + 1 / most), in the same order; c is chosen such that they add up to `rate`. A share e
    of each doubt is spread evenly over the other classes.
    """
    n, n_classes = memberships.shape
    places = np.arange(n)
    wrong = 1.0 - memberships[places, codes]
    error = max(1.0 - mean_of(posterior.max(axis=1), rows), 1e-9)
    if not 0 < rate < 1 or not wrong.any():
        return memberships
    most = (1 - error) / error * rate / (1 - rate) * n_classes / (n_classes - 1)
    with np.errstate(divide="ignore"):
        odds_against = (1.0 - wrong) / wrong

    def doubt(log_c):
        return 1.0 / (1.0 + odds_against * np.exp(-log_c) + 1.0 / most)

    def excess(log_c):
        return mean_of(doubt(log_c), rows) - rate

    ends = (-10.0, 10.0)
    log_c = brentq(excess, *ends) if excess(ends[0]) < 0 < excess(ends[1]) else ends[int(excess(ends[1]) <= 0)]
    doubts = np.where(wrong > 0, doubt(log_c), 0.0)
    shrunk = memberships * ((1 - error) * doubts / np.where(wrong > 0, wrong, 1.0))[:, None]
    shrunk += (error / (n_classes - 1) * doubts)[:, None]
    shrunk[places, codes] = 1.0 - doubts
    return shrunk


def rate_interval(posterior, codes, rate, rows=ALIKE) -> tuple[float, float]:
    """Between what share of wrong labels is certain, and what share is possible.

    Classifiers that are wrong about a share e of the rows, and contradict the labels of a share D, leave between
    D - e and D + e for the wrong labels. The upper end is D + e, with the 95 % limit of D, and at most what labels
    drawn at random would have. For the lower end rows are sorted by how sure the classifiers are and cut into fifths:
    where they contradict the fewest labels, at least the 95 % limit of these less e are mistakes, and mistakes are
    taken to be no rarer elsewhere. Limits are of independent rows: see `independence`.
    """
    each = independence(rows, len(codes))
    n, n_classes = number_of(posterior, rows), posterior.shape[1]
    ordered = np.partition(posterior, n_classes - 2, axis=1)
    margin = ordered[:, -1] / np.maximum(ordered[:, -2], np.finfo(float).tiny)
    error = 1.0 - mean_of(ordered[:, -1], rows)
    against = posterior.argmax(axis=1) != codes
    parts = _counts_of_parts(against, np.argsort(-margin, kind="stable"), rows)
    low = min(float(share_interval(count * each, of * each)[0]) for count, of in parts) - float(error)
    high = min(float(share_interval(sum_of(against, rows) * each, n * each)[1]) + float(error), 1.0 - 1.0 / n_classes)
    return min(max(0.0, low), rate), max(high, rate)


def _counts_of_parts(which, order, rows):
    """Of sorted rows cut into fifths: how many of each are among some, given as a mask, and how many there are.

    A row of some weight may lie in several parts. Where weights add up to a whole number, parts are as large as if rows
    were repeated.
    """
    if rows.weight is None:
        parts = np.array_split(order, min(_PARTS, len(order)))
        return [(which[part].sum(), len(part)) for part in parts]
    ends = np.cumsum(rows.weight[order])
    n_parts = max(1, min(_PARTS, int(ends[-1])))
    each, left = np.divmod(ends[-1], n_parts)
    cuts = each * np.arange(n_parts + 1) + np.minimum(np.arange(n_parts + 1), left)
    reached = np.interp(cuts, np.append(0.0, ends), np.append(0.0, np.cumsum((rows.weight * which)[order])))
    return list(zip(np.diff(reached), np.diff(cuts), strict=True))


def share_interval(count, of):
    """95 % interval of a share that was found as `count` of `of` (Clopper and Pearson, 1934); arrays or numbers."""
    tail = (1 - _LEVEL) / 2
    count, of = np.asarray(count, dtype=float), np.asarray(of, dtype=float)
    least = np.finfo(float).tiny
    low = np.where(count > 0, beta.ppf(tail, np.maximum(count, least), of - count + 1), 0.0)
    high = np.where(count < of, beta.ppf(1 - tail, count + 1, np.maximum(of - count, least)), 1.0)
    return low, high
