"""Blanket elimination against a plain twin that computes every delta at every step, with deltas made up."""

from types import SimpleNamespace

import numpy as np
import pytest

from tamis.search import blanket
from tamis.search.blanket import Removal, eliminate
from tamis.search.path import Step

N = 8


class Companions:
    """The next two features that are left, in a circle."""

    def __init__(self):
        self.left = set(range(N))

    def of(self, f):
        return np.array([g % N for g in range(f + 1, f + N) if g % N in self.left][:2], dtype=np.intp)

    def remove(self, f):
        self.left.remove(f)


class Judge:
    """A delta is a number for the feature and each companion; the null is a part of it. Counts what it is asked."""

    tolerance = 0.01
    exponent = 0

    def __init__(self, seed, nothing=()):
        self.table = np.random.default_rng(seed).uniform(1, 2, size=(N, N))
        self.table[list(nothing)] = 0.0
        self.null = np.random.default_rng(seed + 1).uniform(0, 0.8, N)
        self.null[list(nothing)] = -1.0  # after correction they would stay longest
        self.asked = 0

    def deltas(self, features, against):
        self.asked += len(features)
        raw = np.array(
            [self.table[f, f] + self.table[f, list(g)].sum() for f, g in zip(features, against, strict=True)]
        )
        return SimpleNamespace(raw=raw, null=self.null[list(features)] * np.maximum(raw, 1))


def plain(judge, required=()):
    """Every delta anew at every step."""
    companions, found = Companions(), []
    while len(companions.left) > max(1, len(required)):
        left = sorted(companions.left)
        against = {f: companions.of(f) for f in left}
        deltas = {f: judge.deltas([f], [against[f]]) for f in left}
        delta = {f: float(d.raw[0] - d.null[0]) for f, d in deltas.items()}
        keys = {f: -np.inf if deltas[f].raw[0] <= judge.tolerance else delta[f] for f in left if f not in required}
        leaves = min(f for f in keys if keys[f] <= min(keys.values()) + judge.tolerance)
        step = Step(leaves, delta[leaves], adds=tuple(delta.values()))
        found.append(Removal(step, tuple(against[leaves].tolist()), float(deltas[leaves].raw[0])))
        companions.remove(leaves)
    return found


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("required", [(), (3,), (0, 5, 6)])
@pytest.mark.parametrize("nothing", [(), (2, 6)])
def test_the_order_is_that_of_the_plain_twin(seed, required, nothing):
    first, *found = eliminate(Companions(), Judge(seed, nothing), N, required=required)
    assert first == Removal(Step(None, 0.0), (), 0.0)
    assert found == plain(Judge(seed, nothing), required)


def test_a_search_goes_on_and_asks_only_what_has_changed():
    judge = Judge(0)
    whole = list(eliminate(Companions(), judge, N))
    assert judge.asked < N * (N + 1) / 2
    for n in range(1, N):
        assert list(eliminate(Companions(), Judge(0), N, done=whole[:n])) == whole


def test_of_deltas_within_the_tolerance_the_first_column_leaves():
    judge = Judge(0)
    judge.table[:] = 1.0
    judge.table[:, 0] += 1e-4 * np.arange(N)[::-1]
    judge.null[:] = 0.0
    assert [removal.step.feature for removal in eliminate(Companions(), judge, N)][1:] == list(range(N - 1))


def test_of_many_features_what_each_adds_is_not_kept(monkeypatch):
    monkeypatch.setattr(blanket, "MOST_EXPLAINED", 5)
    steps = [removal.step for removal in eliminate(Companions(), Judge(0), N)][1:]
    assert [None if step.adds is None else len(step.adds) for step in steps] == [None, None, None, 5, 4, 3, 2]
