"""Blanket elimination against a plain twin that computes every delta at every step, with deltas made up."""

from types import SimpleNamespace

import numpy as np
import pytest

from tamis.search import blanket
from tamis.search.blanket import Removal, eliminate, judge_eliminations
from tamis.search.path import Step, Verdict

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

    def by_chance(self, feature, against, random):
        return lambda n: random.normal(size=n)


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


@pytest.mark.parametrize("required", [(), (3,), (0, 5)])
def test_each_subset_has_a_verdict(required, monkeypatch):
    judge, asked = Judge(1), []

    def weigh(raw, draw, n_tests, *, alpha, most):
        asked.append((n_tests, alpha, most))
        return Verdict(0.03 if len(asked) == 3 else 0.5, tuple(draw(3)))

    monkeypatch.setattr(blanket, "weigh", weigh)
    monkeypatch.setattr(blanket, "n_tests_of_removals", lambda n: 100 + n)
    removals = list(eliminate(Companions(), judge, N, required=required))
    found = list(judge_eliminations(removals, judge, N, alpha=0.03, seed=4, required=required))
    n_left = max(1, len(required))
    counts = [len(removal.step.verdicts) for removal in found]
    assert counts == [0] + [1] * (N - n_left - 1) + [2]
    assert asked[0] == (100 + N - len(required), 0.03, blanket.MOST_DRAWS)
    assert [most for _, _, most in asked] == [blanket.MOST_DRAWS] * 3 + [blanket.ENOUGH_DRAWS] * (len(asked) - 3)
    assert (found[-1].step.verdicts[1] is None) == bool(required)
    # The seed is that of the number of features left, and as much is subtracted from the quantiles as from the delta.
    second = found[2]
    drawn = np.random.default_rng([4, N - 1]).normal(size=3) + (second.step.score - second.raw)
    np.testing.assert_allclose(second.step.verdicts[0].null_quantiles, drawn, rtol=1e-12)
    again = list(judge_eliminations(found, None, N, alpha=0.03, seed=4, required=required))
    assert again[1:] == found[1:]


def test_what_tells_nothing_is_not_drawn_for(monkeypatch):
    monkeypatch.setattr(blanket, "weigh", None)
    judge = Judge(1)
    judge.null[:] = 1.0
    verdicts = [
        verdict
        for removal in judge_eliminations(eliminate(Companions(), judge, N), judge, N, alpha=0.05, seed=0)
        for verdict in removal.step.verdicts
    ]
    assert [verdict.p_value for verdict in verdicts] == [1.0] * N
