"""Chi-square with bins said, against SciPy; bins by description length against the textbook."""

import numpy as np
import pytest
from samples import gaussians, mixed, one_hot
from scipy.stats import chi2_contingency

from tamis import ChiSquare, RankingSelector
from tamis.distances.levels import level_columns
from tamis.distances.mdl import mdl_levels

X, CODES = gaussians(300, 5, 3, seed=1, informative=2)


@pytest.mark.parametrize("bins", ["mdl", "quantile"])
def test_statistic_is_scipys(bins):
    found = RankingSelector(ChiSquare(bins)).fit(X, CODES).scores_
    columns = level_columns(X)
    for f in range(5):
        levels = mdl_levels(X[:, f], one_hot(CODES)) if bins == "mdl" else columns.of(f)
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
        with pytest.raises(ValueError, match="bins must be one of 'mdl' or 'quantile'"):
            RankingSelector(criterion).fit(X, CODES)


def test_hundreds_of_classes_are_legal():
    many = np.repeat(np.arange(700), 2)
    scores = RankingSelector(ChiSquare("mdl")).fit(np.random.default_rng(0).normal(size=(1400, 2)), many).scores_
    assert scores.tolist() == [0, 0]
