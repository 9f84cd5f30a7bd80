"""Greedy searches: one feature leaves or enters at each step."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

import numpy as np

from ..relevance import RefittingScorer
from .path import MOST_EXPLAINED, Path, Step

TIE = 1e-10
"""Scores within this of the best are equal: the column that stands first in X is then preferred."""

_MOST_ASKED = 50


def backward(
    scorer,
    n_features: int,
    *,
    required: Collection[int] = (),
    idle: Collection[int] = (),
    done: Sequence[Step] = (),
) -> Iterator[Step]:
    """From all features, remove the one whose loss costs least, down to the required ones or to one.

    Of equally good removals the last column goes, so that of two equal columns the first one stays. Idle columns, which
    cannot tell anything, go before all others whatever their score. Steps that were `done` before are told again.
    Each step tells what the features of the subset that it leaves add to it.
    """
    subset = list(range(n_features))
    scores, value = None, np.nan
    for step in done:
        subset, value = [f for f in subset if f != step.feature], step.score
        yield step
    if not done:
        # Scored before the first step is told, since the value of the whole set comes with it.
        scores = scorer.without_each(subset) if n_features > 1 else None
        value = float(scorer.of(subset)[0])
        yield Step(None, value)
    while len(subset) > max(1, len(required)):
        if scores is None:
            scores = scorer.without_each(subset)
        idlers = [p for p, f in enumerate(subset) if f in idle and f not in required]
        removable = idlers or [p for p, f in enumerate(subset) if f not in required]
        worst = _best(scores, removable)[-1]
        if isinstance(scorer, RefittingScorer):  # the step before had other labels
            value = float(scorer.of(subset)[0])
        adds, value = _adds(value, scores), float(scores[worst, 0])
        yield Step(subset.pop(worst), value, adds=adds)
        scores = None


def forward(
    scorer,
    n_features: int,
    *,
    n_features_to_select: int,
    sizes: Sequence[int] | None = None,
    required: Collection[int] = (),
    idle: Collection[int] = (),
    done: Sequence[Step] = (),
) -> Iterator[Step]:
    """From the required features, add the one that helps most, until there are enough.

    Of equally good additions the first column is taken; idle columns come after all others. `sizes` tells how many
    features each of them stands for, if they are groups. Steps that were `done` before are told again.
    """
    subset = sorted(required)
    if subset and not done:
        yield Step(None, float(scorer.of(subset)[0]))
    for step in done:
        subset = subset if step.feature is None else sorted([*subset, step.feature])
        yield step
    candidates = [f for f in range(n_features) if f not in subset]
    size_of = [1] * n_features if sizes is None else sizes
    while candidates and sum(size_of[f] for f in subset) < n_features_to_select:
        scores = scorer.with_each(subset, candidates)
        busy = [p for p, f in enumerate(candidates) if f not in idle]
        best = _best(scores, busy or range(len(candidates)))[0]
        chosen = candidates.pop(best)
        subset = sorted([*subset, chosen])
        yield Step(chosen, float(scores[best, 0]))


def explained(path: Path, scorer, n_selected: int) -> Path:
    """A forward path that tells what the features of its subsets add: of up to 50 of them, and of those selected."""
    subset, steps = sorted(set(path.start) | {s.feature for s in path.steps if s.feature is not None}), []
    # From the largest down: a scan of balls knows the radii of a subset from the one before.
    for step, size in zip(path.steps[::-1], path.sizes[::-1].tolist(), strict=True):
        most = MOST_EXPLAINED if size == n_selected else _MOST_ASKED
        if len(subset) == 1:
            step = step._replace(adds=(step.score,))
        elif len(subset) <= most:
            step = step._replace(adds=_adds(step.score, scorer.without_each(subset)))
        steps.append(step)
        subset = [f for f in subset if f != step.feature]
    return replace(path, steps=tuple(steps[::-1]))


def _adds(value: float, scores: np.ndarray) -> tuple[float, ...] | None:
    """What each feature adds to a subset of this value, from the scores without it; NaN if both are infinite."""
    if len(scores) > MOST_EXPLAINED:
        return None
    with np.errstate(invalid="ignore"):
        return tuple((value - scores[:, 0]).tolist())


def _best(scores: np.ndarray, positions: Sequence[int]) -> Sequence[int]:
    """Those of the positions with the best (score, tie_break), ties included."""
    for column in scores.T.tolist():
        top = max(column[p] for p in positions)
        positions = [p for p in positions if column[p] >= top - TIE * max(1.0, abs(top))]
    return positions
