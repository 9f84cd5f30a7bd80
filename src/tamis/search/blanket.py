"""Markov-blanket elimination: the feature that tells least beyond its closest companions leaves.

Features may be groups of them, if these move together.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from .pace import AS_PLANNED, Pace, Plan, Unhurried
from .path import MOST_EXPLAINED, Step


class Removal(NamedTuple):
    """A step, the features that the one which left was judged against, and its delta before any correction."""

    step: Step
    against: tuple[int, ...]
    raw: float

    def record(self) -> list:
        """As JSON has it."""
        return [self.step.record(), self.against, self.raw]

    @classmethod
    def of(cls, record) -> Removal:
        step, against, raw = record
        return cls(Step.of(step), tuple(against), raw)


def elimination_plan(n_features: int, least: int, n_conditioning: int) -> Callable[[float], Plan]:
    """Passes in which a share of those left leaves, or one; the cost of a pass is the number of its deltas."""
    return lambda share: Plan(
        lambda left: int(share * left),
        lambda left, moved: min(left, 1 + moved * n_conditioning) if moved else left,
        n_features,
        least,
    )


def eliminate(
    correlates,
    judge,
    n_features: int,
    *,
    required: Collection[int] = (),
    done: Sequence[Removal] = (),
    pace: Pace | Unhurried = AS_PLANNED,
) -> Iterator[Removal]:
    """From all features, remove the one of smallest delta, down to the required ones or to one.

    A delta depends on the feature and its companions only, so that it is computed again when one of these has left.
    Of deltas within the tolerance the first column leaves; after correction, features whose delta is nothing even
    before it leave first. Removals that were `done` before are told again. Each step tells the deltas of all features
    that were left before it. If the `pace` lets several leave at once, to end in time, deltas are computed again after
    the last of them.
    """
    against: list[np.ndarray] = [np.empty(0, dtype=np.intp)] * n_features
    companions: list[set[int]] = [set() for _ in range(n_features)]  # whose companion each feature is
    raw, delta, key = np.full((3, n_features), np.inf)
    fixed = np.isin(np.arange(n_features), list(required))
    gone: set[int] = set()

    def look_again(features):
        for f in features:
            for other in against[f]:
                companions[other].discard(f)
            against[f] = correlates.of(f)
            for other in against[f]:
                companions[other].add(f)
        found = judge.deltas(features, [against[f] for f in features])
        raw[features], delta[features] = found.raw, found.raw - found.null
        key[features] = np.where(found.raw <= judge.tolerance, -np.inf, delta[features])
        key[fixed] = np.inf

    for removal in done or [Removal(Step(None, 0.0), (), 0.0)]:
        if removal.step.feature is not None:
            correlates.remove(removal.step.feature)
            gone.add(removal.step.feature)
        yield removal
    left = np.array([f for f in range(n_features) if f not in gone], dtype=np.intp)
    look_again(left)
    together, waiting = pace.scored(len(left), 1), set[int]()  # how many leave at once, whose deltas are out of date
    while len(left) > max(1, len(required)):
        least = key.min()
        leaves = int(np.flatnonzero(key <= least + judge.tolerance)[0])
        adds = tuple(delta[left].tolist()) if len(left) <= MOST_EXPLAINED else None
        step = Step(leaves, float(delta[leaves]), adds=adds)
        yield Removal(step, tuple(against[leaves].tolist()), float(raw[leaves]))
        key[leaves] = np.inf
        left = left[left != leaves]
        correlates.remove(leaves)
        for other in against[leaves]:
            companions[other].discard(leaves)
        waiting = (waiting | companions[leaves]) - {leaves}
        together -= 1
        if not together:
            if waiting:
                look_again(np.array(sorted(waiting), dtype=np.intp))
            together, waiting = pace.scored(len(left), 1), set()
