"""Markov-blanket elimination: the feature that tells least beyond its closest companions leaves.

Features may be groups of them, if these move together.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from .chance import ENOUGH_DRAWS, MOST_DRAWS, n_tests_of_removals, weigh
from .path import MOST_EXPLAINED, Step, Verdict


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


def eliminate(
    correlates, judge, n_features: int, *, required: Collection[int] = (), done: Sequence[Removal] = ()
) -> Iterator[Removal]:
    """From all features, remove the one of smallest delta, down to the required ones or to one.

    A delta depends on the feature and its companions only, so that it is computed again when one of these has left.
    Of deltas within the tolerance the first column leaves; after correction, features whose delta is nothing even
    before it leave first. Removals that were `done` before are told again. Each step tells the deltas of all features
    that were left before it.
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
        waiting = np.array(sorted(companions[leaves]), dtype=np.intp)
        if len(waiting):
            look_again(waiting)


def judge_eliminations(
    removals, judge, n_features: int, *, alpha, seed, required: Collection[int] = ()
) -> Iterator[Removal]:
    """Removals with the verdict on the subset that each leaves; the last one also with that on its own.

    Does the feature that leaves tell more beyond its companions than copies of it that are permuted where these are
    alike? A verdict answers for `n_tests_of_removals`. The seed of the copies is that of the number
    of features left, so that the answer depends neither on threads nor on the order of the columns. From the quantiles
    as much is subtracted as from the delta, so that they compare with the score of the step. Removals that have
    verdicts keep them.
    """
    n_tests, most, left = n_tests_of_removals(n_features - len(required)), MOST_DRAWS, set(range(n_features))

    def verdict(feature, against, raw, delta):
        # Most features tell no more than the mean by chance: nothing need be drawn for them.
        if min(raw, delta) <= judge.tolerance:
            return Verdict(1.0, (np.nan,) * 3)
        random = np.random.default_rng([seed, len(left)])
        draw, unit = judge.by_chance(feature, against, random), judge.exponent
        found = weigh(np.ldexp(raw, -unit), lambda n: np.ldexp(draw(n), -unit), n_tests, alpha=alpha, most=most)
        low, middle, high = (np.ldexp(quantile, unit) + (delta - raw) for quantile in found.null_quantiles)
        return found._replace(null_quantiles=(low, middle, high))

    def verdicts(removal):
        step, against, raw = removal
        if step.feature is not None:
            yield verdict(step.feature, against, raw, step.score)
            left.remove(step.feature)
        if len(left) == max(1, len(required)):
            if required:
                yield None
            else:
                (last,) = left
                alone = judge.deltas([last], [()])
                yield verdict(last, (), float(alone.raw[0]), float(alone.raw[0] - alone.null[0]))

    for removal in removals:
        if removal.step.verdicts:
            left.discard(removal.step.feature)
        else:
            removal = removal._replace(step=removal.step._replace(verdicts=tuple(verdicts(removal))))
        if any(v is not None and v.p_value <= alpha for v in removal.step.verdicts):
            most = ENOUGH_DRAWS  # the size is decided
        yield removal
