"""Chi-square with bins said, against SciPy; bins by description length against the textbook."""

import numpy as np
import pytest
from samples import gaussians, mixed, one_hot
from scipy.stats import chi2_contingency

from tamis import ChiSquare, MultiLabels, RankingSelector, SequentialSelector
from tamis.datasets import make_multilabel_1
from tamis.distances.chi_merge import chi2_levels
from tamis.distances.levels import level_columns
from tamis.distances.mdl import mdl_levels

X, CODES = gaussians(300, 5, 3, seed=1, informative=2)


@pytest.mark.parametrize("bins", ["mdl", "quantile", "chi2"])
def test_statistic_is_scipys(bins):
    found = RankingSelector(ChiSquare(bins)).fit(X, CODES).scores_
    columns, merged = level_columns(X), chi2_levels(X, one_hot(CODES))
    for f in range(5):
        own = {"mdl": mdl_levels(X[:, f], one_hot(CODES)), "quantile": columns.of(f), "chi2": merged[f]}
        levels = own[bins]
        table = np.array([[np.sum((levels == v) & (CODES == s)) for s in range(3)] for v in range(levels.max() + 1)])
        expected = chi2_contingency(table, correction=False).statistic if len(table) > 1 else 0.0
        assert found[f] == pytest.approx(expected)


def test_noise_is_left_in_one_piece():
    levels = [mdl_levels(X[:, f], one_hot(CODES)).max() for f in range(5)]
    assert min(levels[:1]) >= 1
    assert levels[2:] == [0, 0, 0]


def test_one_clean_cut():
    x = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8] * 10)
    levels = mdl_levels(x, one_hot((x > 0.45).astype(int)))
    np.testing.assert_array_equal(levels, (x > 0.45).astype(int))


def test_equal_values_are_never_cut_apart():
    x = np.round(X[:, 0])
    levels = mdl_levels(x, one_hot(CODES))
    assert all(len(np.unique(levels[x == v])) == 1 for v in np.unique(x))


def test_description_length_by_hand():
    """6 of one class, then 6 of the other: gain 1 bit, price (log2 11 + log2 7 - 2) / 12."""
    gain, price = 1.0, (np.log2(11) + np.log2(7) - 2) / 12
    assert gain > price
    assert mdl_levels(np.arange(12.0), one_hot(np.repeat([0, 1], 6))).tolist() == [0] * 6 + [1] * 6
    # 1 + 1: gain 1 bit, price (log2 1 + log2 7 - 2) / 2 = 0.4: cut; two alternating pairs do not pay.
    assert mdl_levels(np.arange(4.0), one_hot(np.array([0, 1, 0, 1]))).tolist() == [0, 0, 0, 0]


def test_probabilities_are_weights():
    P = mixed(CODES)
    assert np.isfinite(RankingSelector(ChiSquare("quantile"), labels="soft").fit(X, P).scores_).all()
    hard = RankingSelector(ChiSquare("mdl"), labels="soft").fit(X, one_hot(CODES)).scores_
    np.testing.assert_array_equal(hard, RankingSelector(ChiSquare("mdl")).fit(X, CODES).scores_)


def test_bins_must_be_said():
    for criterion in ("chi2", ChiSquare(), ChiSquare("even")):
        with pytest.raises(ValueError, match="bins must be one of 'mdl' or 'quantile' or 'chi2'"):
            RankingSelector(criterion).fit(X, CODES)


def test_hundreds_of_classes_are_legal():
    many = np.repeat(np.arange(700), 2)
    scores = RankingSelector(ChiSquare("mdl")).fit(np.random.default_rng(0).normal(size=(1400, 2)), many).scores_
    assert scores.tolist() == [0, 0]


SETS = np.column_stack([CODES == 0, X[:, 1] > 0, np.random.default_rng(0).uniform(size=300) < 0.3]).astype(int)
"""Labels of the first feature, of the second, and of none."""


@pytest.mark.parametrize("bins", ["mdl", "quantile", "chi2"])
@pytest.mark.parametrize("how", ["mean", "max"])
@pytest.mark.parametrize("labels", [MultiLabels(5), MultiLabels(transform="copy")], ids=["powerset", "copy"])
@pytest.mark.filterwarnings("ignore:.* rows have no label")
def test_each_label_is_a_problem_of_its_own(bins, how, labels):
    criterion = ChiSquare(bins, per_label=how)
    found = RankingSelector(criterion, labels=labels, n_features_to_select=2).fit(X, SETS).scores_
    alone = [RankingSelector(ChiSquare(bins), n_features_to_select=2).fit(X, has).scores_ for has in SETS.T]
    np.testing.assert_allclose(found, getattr(np, how)(alone, axis=0))


def test_rows_of_rare_sets_count_per_label():
    sets = SETS.copy()
    sets[:3] = [[1, 1, 1], [1, 0, 1], [0, 0, 0]]
    pruned = RankingSelector(ChiSquare("quantile"), labels=MultiLabels(20), n_features_to_select=2).fit(X, sets)
    assert pruned.labels_.n_pruned_ > 0
    each = [
        RankingSelector(ChiSquare("quantile", per_label="max"), labels=MultiLabels(size), n_features_to_select=2)
        .fit(X, sets)
        .scores_
        for size in (5, 20)
    ]
    np.testing.assert_array_equal(*each)


def test_per_label_by_name_and_in_a_search():
    criterion = ChiSquare("quantile", per_label="mean")
    ranked = RankingSelector(criterion, labels="multilabel", n_features_to_select=2, random_state=0).fit(X, SETS)
    assert ranked.get_support(indices=True).tolist() == [0, 1]
    searched = SequentialSelector(criterion, labels=MultiLabels(5), n_features_to_select=2).fit(X, SETS)
    assert searched.get_support(indices=True).tolist() == [0, 1]
    assert criterion.score(X, SETS) == pytest.approx(ranked.scores_.sum())


def test_of_classes_each_is_compared_with_all_others():
    found = RankingSelector(ChiSquare("mdl", per_label="max"), n_features_to_select=2).fit(X, CODES).scores_
    alone = [RankingSelector(ChiSquare("mdl"), n_features_to_select=2).fit(X, CODES == s).scores_ for s in range(3)]
    np.testing.assert_allclose(found, np.max(alone, axis=0))
    either, together = (ChiSquare("quantile", per_label=how).score(X, one_hot(CODES % 2)) for how in ("mean", None))
    assert either == pytest.approx(together)


def test_relevant_features_of_the_published_problem_come_first():
    problem = make_multilabel_1(random_state=0)
    criterion = ChiSquare("mdl", per_label="mean")
    labels = MultiLabels(transform="copy")
    with pytest.warns(UserWarning, match="rows have no label"):
        found = RankingSelector(criterion, labels=labels, n_features_to_select=3).fit(problem.X, problem.Y)
    assert found.get_support(indices=True).tolist() == [4, 10, 14]


@pytest.mark.parametrize(
    ("criterion", "message"),
    [
        (ChiSquare("mdl", per_label="sum"), "per_label must be one of None or 'mean' or 'max'; got 'sum'"),
        (ChiSquare("chi2", max_inconsistency=2), "max_inconsistency must be a number from 0 to 1; got 2"),
    ],
)
def test_bad_parameters_are_named(criterion, message):
    with pytest.raises(ValueError, match=message):
        RankingSelector(criterion, n_features_to_select=1).fit(X, CODES)


def test_bad_label_sets_are_named():
    with pytest.raises(ValueError, match="memberships of labels must be from 0 to 1; got 2"):
        ChiSquare("mdl", per_label="max").score(X, 2 * SETS)
