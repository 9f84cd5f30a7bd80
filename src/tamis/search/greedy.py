"""Greedy searches: features leave, one by one or several per pass, or enter one by one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

import numpy as np

from ..relevance import RefittingScorer
from .pace import AS_PLANNED, Pace, Plan, Unhurried
from .path import MOST_EXPLAINED, Path, Step

TIE = 1e-10
"""Scores within this of the best are equal: the column that stands first in X is then preferred."""

_MOST_ASKED = 50
_FEW = 40
"""With step="auto", so many features or fewer leave one by one."""
_EACH_PASS = 25
"""What a pass takes whatever the number of features, in units of one feature more: 24 to 40 at 1000 x 200, 2600 x 300
and 4000 x 40."""
_BESIDE_NONE, _TO_EXPLAIN = 20, 2.5
"""In a forward search a candidate takes 4 to 9 times as long beside one feature as beside 30, and what a feature of a
subset adds 2.3 to 2.7 times as long as a candidate (the same tables)."""


def batch_sizes(step: str | float, n_features: int, n_required: int = 0, n_first: int = 0) -> tuple[int, ...]:
    """How many features leave in each pass of a backward search; the result depends on nothing else.

    `step` is "auto", a whole number, or a share of those left; `n_first` leave before all others. The last pass leads
    to the required ones, or to one.
    """
    sizes, left, least = [n_first] if n_first else [], n_features - n_first, max(1, n_required)
    while left > least:
        sizes.append(batch_size(step, left, least))
        left -= sizes[-1]
    return tuple(sizes)


def batch_size(step: str | float, left: int, least: int) -> int:
    """How many of the features left leave in the next pass, if so many must stay."""
    if isinstance(step, str):
        size = min(left // 10, left - _FEW)
    else:
        size = step if isinstance(step, int) else int(step * left)
    return min(max(1, size), left - least)


def backward_plan(
    step, n_features: int, n_required: int = 0, n_first: int = 0, most: float = np.inf
) -> Callable[[float], Plan]:
    """Passes of a backward search in which a share of those left leaves, if that is more than `step` says.

    No pass costs more than one over the `most` features: with more of them, fewer rows are asked.
    """
    least = max(1, n_required)
    return lambda share: Plan(
        lambda left: max(batch_size(step, left, least), int(share * left)),
        lambda left, moved: min(left, most) + _EACH_PASS,
        n_features - n_first,
        least,
    )


def forward_plan(n_candidates: int, n_to_add: int, n_in_group: int = 1) -> Callable[[float], Plan]:
    """Passes of a forward search, which has no larger ones."""

    def cost(left, moved):
        n_in = (n_to_add - left) // n_in_group
        return (n_candidates - n_in + _EACH_PASS) * (1 + _BESIDE_NONE / (n_in + 1))

    n_explained = min(n_to_add // n_in_group, _MOST_ASKED)
    after = _TO_EXPLAIN * sum(m + _EACH_PASS for m in range(1, n_explained + 1))
    return lambda share: Plan(lambda left: n_in_group, cost, n_to_add, 0, after=after)


def backward(
    scorer,
    n_features: int,
    *,
    step: str | float = 1,
    required: Collection[int] = (),
    first: Sequence[int] = (),
    idle: Collection[int] = (),
    done: Sequence[Step] = (),
    pace: Pace | Unhurried = AS_PLANNED,
) -> Iterator[Step]:
    """From all features, remove those whose removal costs least, down to the required ones or to one.

    Each pass scores the subset without each of its features, and the cheapest ones leave: as many as `batch_sizes` of
    `step` says. Within a pass the cheapest leaves first; of equally good removals the last column, so that of two equal
    columns the first one stays. Constant columns (`idle`) leave before all others whatever their score. Features that
    are to leave `first` do so in a pass of their own, in the order given, and are not scored.

    The first step of a pass has what each feature adds to the subset. The subsets within a pass are not scored: all
    steps of a pass but the last have the score NaN. Steps that were `done` before are replayed; if they end within a
    pass, it is scored again. The `pace` may make passes larger, to end in time.
    """
    subset, moved = list(range(n_features)), [s for s in done if s.feature is not None]
    scores = None
    yield from done
    if done:
        value = done[0].score
    else:
        # Scored before the first step is told, since the value of the whole set comes with it.
        scores = scorer.without_each(subset) if n_features > 1 and not first else None
        value = float(scorer.of(subset)[0])
        yield Step(None, value)
    refits = isinstance(scorer, RefittingScorer)
    rescores = getattr(scorer, "rescores", False)  # a step has other labels, or other rows, than the one before
    least, waits = max(1, len(required)), bool(first)  # whether those that are to leave first are there
    while len(subset) > least:
        size = len(first) if waits else batch_size(step, len(subset), least)
        gone, moved = [s.feature for s in moved[:size]], moved[size:]
        if len(gone) == size:
            subset, value = _less(subset, gone), done[n_features - len(subset) + size].score
            waits = False
            continue
        if waits:
            steps, waits = [Step(f, np.nan, alone=np.nan) for f in first], False
        else:
            scores = scorer.without_each(subset) if scores is None else scores
            size = pace.scored(len(subset), size)
            if rescores:
                value = float(scorer.of(subset)[0])
            steps = _priced(value, scores, subset, _cheapest(scores, subset, size, required, idle))
        waiting = [s for s in steps if s.feature not in gone][: size - len(gone)]
        rest, scores = _less(subset, [*gone, *(s.feature for s in waiting)]), None
        yield from waiting[:-1]
        if size == 1 and not np.isnan(steps[0].score):
            value = steps[0].score
        elif refits:
            value = float(scorer.with_last_labels(rest)[0])
        else:  # the next pass has the value of this subset, too
            scores = scorer.without_each(rest) if len(rest) > least else None
            value = float(scorer.of(rest)[0])
        yield waiting[-1]._replace(score=value)
        subset = rest


def forward(
    scorer,
    n_features: int,
    *,
    n_features_to_select: int,
    sizes: Sequence[int] | None = None,
    required: Collection[int] = (),
    idle: Collection[int] = (),
    done: Sequence[Step] = (),
    pace: Pace | Unhurried = AS_PLANNED,
) -> Iterator[Step]:
    """From the required features, add the one that helps most, until there are enough.

    Of equally good additions the first column is taken; idle columns come after all others. `sizes` tells how many
    features each of them stands for, if they are groups. Steps that were `done` before are replayed. The `pace` may
    end the search, once it has a feature, if time is short.
    """
    subset = sorted(required)
    if subset and not done:
        yield Step(None, float(scorer.of(subset)[0]))
    for step in done:
        subset = subset if step.feature is None else sorted([*subset, step.feature])
        yield step
    candidates = [f for f in range(n_features) if f not in subset]
    size_of = [1] * n_features if sizes is None else sizes
    while candidates and (to_add := n_features_to_select - sum(size_of[f] for f in subset)) > 0:
        scores = scorer.with_each(subset, candidates)
        busy = [p for p, f in enumerate(candidates) if f not in idle]
        best = int(_best(scores, np.array(busy or range(len(candidates))))[0])
        chosen = candidates.pop(best)
        subset = sorted([*subset, chosen])
        yield Step(chosen, float(scores[best, 0]))
        if not pace.goes_on(to_add):
            return


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


def _less(subset: list[int], gone: Collection[int | None]) -> list[int]:
    gone = frozenset(gone)
    return [f for f in subset if f not in gone]


def _cheapest(scores, subset, size, required, idle) -> list[int]:
    """Places in the subset of those that leave in a pass, in their order."""
    removable = np.array([p for p, f in enumerate(subset) if f not in required])
    is_idle = np.array([subset[p] in idle for p in removable])
    places: list[int] = []
    for waiting in (removable[is_idle], removable[~is_idle]):
        while len(waiting) and len(places) < size:
            places.append(int(_best(scores, waiting)[-1]))
            waiting = waiting[waiting != places[-1]]
    return places


def _priced(value: float, scores, subset, places) -> list[Step]:
    """The steps of a pass, before the subset that it leads to is scored."""
    first = Step(subset[places[0]], float(scores[places[0], 0]), adds=_adds(value, scores))
    if len(places) == 1:
        return [first]
    without = scores[places, 0].tolist()
    alone = [value - score if value != score else 0.0 for score in without]  # infinite ones too
    steps = [Step(subset[p], np.nan, alone=price) for p, price in zip(places, alone, strict=True)]
    return [steps[0]._replace(adds=first.adds), *steps[1:]]


def _adds(value: float, scores: np.ndarray) -> tuple[float, ...] | None:
    """What each feature adds to a subset of this value, from the scores without it; NaN if both are infinite."""
    if len(scores) > MOST_EXPLAINED:
        return None
    with np.errstate(invalid="ignore"):
        return tuple((value - scores[:, 0]).tolist())


def _best(scores: np.ndarray, positions: np.ndarray) -> np.ndarray:
    """Those of the positions with the best (score, tie_break), ties included."""
    for column in scores.T:
        values = column[positions]
        top = float(values.max())
        positions = positions[values >= top - TIE * max(1.0, abs(top))]
    return positions
