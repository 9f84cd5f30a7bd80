"""Deltas: the formula as written, and the mean by chance in closed form against permutations."""

import blanket_reference as slow
import numpy as np
import pytest

from tamis.distances.classes import ClassDistance
from tamis.distances.levels import level_columns
from tamis.estimates.blanket import BlanketJudge

RNG = np.random.default_rng(0)
N = 120
LEVELS = np.column_stack([RNG.integers(0, r, N) for r in (2, 3, 10, 4, 2)])
CODES = (LEVELS[:, 0] + RNG.integers(0, 3, N)) % 4
POINTS = ClassDistance.from_vectors(RNG.normal(size=(4, 3)))
METRICS = {
    "0/1": ClassDistance.zero_one(range(4)),
    "paths": ClassDistance.from_paths(["a", "a/b", "a/c", "d"], weights=(1, 0.3)),
    "chain": ClassDistance.from_tree([(0, 1, 1.0), (1, 2, 0.5), (2, 3, 2.0)]),
    "points": POINTS,
}
TARGETS = {"hard": np.eye(4)[CODES], "soft": RNG.dirichlet(np.full(4, 0.5), N), "copies": RNG.integers(0, 2, (N, 4))}
TARGETS["copies"][:, 0] |= TARGETS["copies"].sum(axis=1) == 0
GROUPS = [(0, ()), (2, (0,)), (1, (0, 2, 3)), (4, (0, 1, 2, 3))]


def judge(target, metric="0/1", divergence="wasserstein", correction=None, **more):
    columns = level_columns(LEVELS.astype(float), bins=None)
    return BlanketJudge(
        columns,
        TARGETS[target].astype(float),
        divergence=divergence,
        distance=METRICS[metric],
        correction=correction,
        **more,
    )


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("metric", [*METRICS, "kl"])
def test_deltas_are_those_of_the_formula(target, metric):
    divergence, metric = ("kl", "0/1") if metric == "kl" else ("wasserstein", metric)
    found = judge(target, metric, divergence, n_threads=2).deltas([f for f, _ in GROUPS], [g for _, g in GROUPS])
    D, P = METRICS[metric].matrix, TARGETS[target].astype(float)
    expected = [slow.delta(LEVELS, P, f, g, divergence, D) for f, g in GROUPS]
    np.testing.assert_allclose(found.raw, expected, atol=1e-9)
    assert not found.null.any()


def test_points_are_not_a_tree_and_the_others_are():
    assert [m for m in METRICS if METRICS[m].tree is None] == ["points"]


@pytest.mark.parametrize("target", ["hard", "copies"])
@pytest.mark.parametrize("metric", ["0/1", "paths", "chain", "kl"])
def test_mean_by_chance_in_closed_form(target, metric):
    divergence, metric = ("kl", "0/1") if metric == "kl" else ("wasserstein", metric)
    judged = judge(target, metric, divergence, "null")
    judged._grain = lambda feature, others: 0
    found = judged.deltas([f for f, _ in GROUPS], [g for _, g in GROUPS])
    P = TARGETS[target].astype(float)
    expected = [slow.null_by_chance(LEVELS, P, f, g, divergence, METRICS[metric].tree) for f, g in GROUPS]
    np.testing.assert_allclose(found.null, expected, atol=1e-9)


@pytest.mark.parametrize("divergence", ["wasserstein", "kl"])
def test_mean_by_chance_is_that_of_five_thousand_permutations(divergence):
    """Within four standard errors; the permutations are done here, by shuffling classes within groups."""
    columns = level_columns(LEVELS[:, :3].astype(float), bins=None)
    D = METRICS["paths"]
    rng = np.random.default_rng(3)
    group = LEVELS[:, 0]

    def one(codes):
        return BlanketJudge(columns, np.eye(4)[codes], divergence=divergence, distance=D, correction=None)

    draws = []
    for _ in range(5000):
        order = np.lexsort((rng.random(N), group))
        codes = np.empty(N, dtype=int)
        codes[np.lexsort((np.arange(N), group))] = CODES[order]
        draws.append(one(codes).deltas([2], [(0,)]).raw[0])
    judged = BlanketJudge(columns, np.eye(4)[CODES], divergence=divergence, distance=D, correction="null")
    judged._grain = lambda feature, others: 0
    found = judged.deltas([2], [(0,)]).null[0]
    assert found == pytest.approx(np.mean(draws), abs=4 * np.std(draws) / np.sqrt(len(draws)))


@pytest.mark.parametrize(("target", "metric"), [("soft", "paths"), ("hard", "points"), ("soft", "points")])
def test_permutations_are_those_of_the_twin(target, metric):
    judged = judge(target, metric, correction="null", n_permutations=3, seed=11)
    judged._grain = lambda feature, others: 0
    D, P = METRICS[metric].matrix, TARGETS[target]
    for feature, others in GROUPS[:3]:
        keys = np.random.default_rng([11, feature, *sorted(others)]).random((3, N))
        expected = slow.null_by_permutation(LEVELS, P, feature, others, "wasserstein", D, keys)
        assert judged.deltas([feature], [others]).null[0] == pytest.approx(expected, abs=1e-9)


def test_corrected_companions_are_coarse_enough():
    judged = judge("hard", correction="null")
    assert judged._grain(0, ()) == 0
    assert judged._grain(0, (4,)) == 0  # 2 x 2 cells of 30 samples
    assert judged._grain(0, (2,)) == 1  # 2 x 10 cells are too many for 120 samples, 2 x 5 are not
    assert judged._grain(2, (2, 3)) == 3
    assert judge("hard")._grain(2, (2, 3)) == 0


def test_what_is_known_already_adds_nothing():
    columns = level_columns(np.column_stack([LEVELS[:, 2], LEVELS[:, 2]]).astype(float), bins=None)
    judged = BlanketJudge(columns, np.eye(4)[CODES], divergence="wasserstein", distance=METRICS["0/1"], correction=None)
    assert judged.deltas([0], [(1,)]).raw[0] == 0.0


def test_information_is_the_textbooks():
    """KL against nobody is the mutual information of the contingency table."""
    from sklearn.metrics import mutual_info_score

    found = judge("hard", divergence="kl").deltas(range(5), [()] * 5).raw
    np.testing.assert_allclose(found, [mutual_info_score(CODES, LEVELS[:, f]) for f in range(5)], atol=1e-12)


def weighted(levels, P, weight, metric, divergence, **how):
    """Deltas with weights, and of repeated rows."""
    both = []
    for X, target, rows in (
        (levels, P * weight[:, None], weight.astype(float)),
        (np.repeat(levels, weight, axis=0), np.repeat(P, weight, axis=0), None),
    ):
        columns = level_columns(X, bins=None, weight=rows)
        judged = BlanketJudge(columns, target, divergence=divergence, distance=METRICS[metric], weight=rows, **how)
        both.append(judged.deltas([f for f, _ in GROUPS], [g for _, g in GROUPS]))
    return both


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("metric", [*METRICS, "kl"])
@pytest.mark.parametrize("correction", [None, "null"])
def test_whole_weights_are_repeated_rows(target, metric, correction):
    divergence, metric = ("kl", "0/1") if metric == "kl" else ("wasserstein", metric)
    weight = np.random.default_rng(5).integers(1, 9, N)
    levels = np.where(np.random.default_rng(6).random(LEVELS.shape) < 0.1, np.nan, LEVELS)
    P = TARGETS[target].astype(float)
    found, expected = weighted(levels, P, weight, metric, divergence, correction=correction)
    np.testing.assert_allclose(found.raw, expected.raw, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(found.null, expected.null, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("divergence", ["wasserstein", "kl"])
def test_missing_values_are_a_level(divergence):
    missing = np.random.default_rng(1).random(LEVELS.shape) < 0.2
    columns = level_columns(np.where(missing, np.nan, LEVELS), bins=None)
    as_level = np.where(missing, 99, LEVELS)
    judged = BlanketJudge(columns, np.eye(4)[CODES], divergence=divergence, distance=METRICS["0/1"], correction=None)
    found = judged.deltas([0, 2, 1], [(), (0,), (0, 3)])
    D = METRICS["0/1"].matrix
    expected = [
        slow.delta(as_level, np.eye(4)[CODES], f, g, divergence, D) for f, g in [(0, ()), (2, (0,)), (1, (0, 3))]
    ]
    np.testing.assert_allclose(found.raw, expected, atol=1e-9)


@pytest.mark.parametrize("unit", [2.0**-60, 2.0**300])
def test_the_unit_of_weights_does_not_matter_where_they_are_no_counts(unit):
    weight = np.random.default_rng(2).lognormal(size=(N, 1))
    columns = level_columns(LEVELS.astype(float), bins=None)
    how = {"divergence": "kl", "distance": METRICS["0/1"], "correction": None}
    plain, found = (
        BlanketJudge(columns, w * weight * TARGETS["soft"], **how).deltas([0, 1], [(1,), (0, 2)]) for w in (1.0, unit)
    )
    np.testing.assert_allclose(found.raw, plain.raw, rtol=1e-9)


def test_high_weights_need_no_table_as_long():
    columns = level_columns(LEVELS.astype(float), bins=None)
    judged = BlanketJudge(
        columns, 1e12 * TARGETS["hard"], divergence="kl", distance=METRICS["0/1"], correction="null", n_permutations=3
    )
    found = judged.deltas([2], [(0,)])
    assert 0 < found.null[0] < found.raw[0] + 1
