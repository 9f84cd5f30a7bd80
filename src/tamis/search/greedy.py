"""Greedy searches: one feature leaves or enters at each step."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np

from .path import Step

TIE = 1e-10
"""Scores within this of the best are equal: the column that stands first in X is then preferred."""


def backward(scorer, n_features: int, *, required: Collection[int] = (), idle: Collection[int] = ()) -> Iterator[Step]:
    """From all features, remove the one whose loss costs least, down to the required ones or to one.

    Of equally good removals the last column goes, so that of two equal columns the first one stays. Idle columns, which
    cannot tell anything, go before all others whatever their score.
    """
    subset = list(range(n_features))
    removable = np.array([f not in required for f in subset])
    scores = scorer.without_each(subset) if removable.any() and n_features > 1 else None
    yield Step(None, float(scorer.of(subset)[0]))
    while removable.any() and len(subset) > 1:
        if scores is None:
            scores = scorer.without_each(subset)
        idlers = removable & np.isin(subset, list(idle))
        worst = _best(scores, idlers if idlers.any() else removable)[-1]
        step = Step(subset.pop(worst), float(scores[worst, 0]))
        removable = np.delete(removable, worst)
        scores = None
        yield step


def forward(
    scorer,
    n_features: int,
    *,
    n_features_to_select: int,
    required: Collection[int] = (),
    idle: Collection[int] = (),
) -> Iterator[Step]:
    """From the required features, add the one that helps most, until there are enough.

    Of equally good additions the first column is taken; idle columns come after all others.
    """
    subset = sorted(required)
    if subset:
        yield Step(None, float(scorer.of(subset)[0]))
    candidates = [f for f in range(n_features) if f not in required]
    while len(subset) < n_features_to_select:
        scores = scorer.with_each(subset, candidates)
        busy = ~np.isin(candidates, list(idle))
        best = _best(scores, busy if busy.any() else ~busy)[0]
        chosen = candidates.pop(best)
        subset = sorted([*subset, chosen])
        yield Step(chosen, float(scores[best, 0]))


def _best(scores: np.ndarray, allowed: np.ndarray) -> np.ndarray:
    """Positions of the best (score, tie_break) among the allowed ones, ties included."""
    for column in scores.T:
        top = column[allowed].max()
        allowed = allowed & (column >= top - TIE * max(1.0, abs(top)))
    return np.flatnonzero(allowed)
