"""Markov-blanket elimination: the feature that tells least beyond its closest companions leaves."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

import numpy as np

from .path import Step


class Removal(NamedTuple):
    """A step, and the features that the one which left was judged against."""

    step: Step
    against: tuple[int, ...]


def eliminate(correlates, judge, n_features: int, *, required: Collection[int] = ()) -> Iterator[Removal]:
    """From all features, remove the one of smallest delta, down to the required ones or to one.

    A delta depends on the feature and its companions only, so that it is computed again when one of these has left.
    Of deltas within the tolerance the first column leaves; after correction, features whose delta is nothing even
    before it leave first.
    """
    against: list[np.ndarray] = [np.empty(0, dtype=np.intp)] * n_features
    companions: list[set[int]] = [set() for _ in range(n_features)]  # whose companion each feature is
    delta, key = np.full(n_features, np.inf), np.full(n_features, np.inf)
    fixed = np.isin(np.arange(n_features), list(required))

    def look_again(features):
        for f in features:
            for other in against[f]:
                companions[other].discard(f)
            against[f] = correlates.of(f)
            for other in against[f]:
                companions[other].add(f)
        found = judge.deltas(features, [against[f] for f in features])
        delta[features] = found.raw - found.null
        key[features] = np.where(found.raw <= judge.tolerance, -np.inf, delta[features])
        key[fixed] = np.inf

    yield Removal(Step(None, 0.0), ())
    left = n_features
    look_again(np.arange(n_features))
    while left > max(1, len(required)):
        least = key.min()
        leaves = int(np.flatnonzero(key <= least + judge.tolerance)[0])
        yield Removal(Step(leaves, float(delta[leaves])), tuple(against[leaves].tolist()))
        key[leaves] = np.inf
        left -= 1
        correlates.remove(leaves)
        for other in against[leaves]:
            companions[other].discard(leaves)
        waiting = np.array(sorted(companions[leaves]), dtype=np.intp)
        if len(waiting):
            look_again(waiting)
