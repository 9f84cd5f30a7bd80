"""BlanketSelector with n_features_to_select="auto": which features tell more than chance would."""

import numpy as np
import pytest
from planted import DISTANCE, N_COPIES, N_TRUE, draw
from samples import gaussians, mixed, one_hot

from tamis import BlanketSelector, ClassDistance
from tamis.distances.correlates import Correlates
from tamis.distances.levels import level_columns
from tamis.estimates.blanket import BlanketJudge
from tamis.search import eliminate, judge_eliminations, weigh
from tamis.search.chance import n_tests_of_removals

X, CODES = gaussians(200, 6, 3, seed=6, informative=3)


def noise(seed, n=1000):
    """Twenty features of two to ten levels, or continuous, that have nothing to do with three classes."""
    rng = np.random.default_rng(seed)
    levels = [rng.integers(0, r, n) for r in (2, 3, 4, 5, 6, 8, 10, 2, 3, 5)]
    return np.column_stack([*levels, *rng.normal(size=(10, n))]), rng.integers(0, 3, n)


@pytest.mark.parametrize("seed", range(3))
def test_planted_features_are_found(seed):
    many, y = draw(2000, np.random.default_rng([2000, seed]))
    selector = BlanketSelector(class_distance=DISTANCE, random_state=seed).fit(many.astype(float), y)
    kept = np.flatnonzero(selector.support_)
    assert set(range(N_TRUE)) <= set(kept)
    assert kept.max() < N_TRUE * (1 + N_COPIES)


@pytest.mark.parametrize("correction", ["null", None])
def test_few_relevant_features_are_all_and_only_kept(correction):
    rng = np.random.default_rng(0)
    levels = rng.integers(0, 3, size=(1500, 8))
    y = np.where(rng.uniform(size=1500) < 0.2, rng.integers(0, 3, 1500), (levels[:, 1] + levels[:, 4]) % 3)
    selector = BlanketSelector(correction=correction, n_conditioning=7, random_state=0).fit(levels.astype(float), y)
    assert np.flatnonzero(selector.support_).tolist() == [1, 4]
    assert (selector.p_values_[:-2] > 0.05).all()
    assert selector.p_values_[-2] <= 0.05


@pytest.mark.parametrize("seed", range(5))
def test_of_noise_one_feature_is_kept_with_a_warning(seed):
    with pytest.warns(UserWarning, match="no feature tells more about the target than chance"):
        selector = BlanketSelector(random_state=0).fit(*noise(seed))
    assert selector.n_features_ == 1
    assert (selector.p_values_ > 0.05).all()


def test_verdicts_stand_beside_the_subsets_of_the_path():
    ugly = np.column_stack([X, np.full(200, 7.0)])
    selector = BlanketSelector(random_state=0).fit(ugly, CODES)
    assert selector.p_values_.shape == selector.path_.sizes.shape == (7,)
    assert selector.null_quantiles_.shape == (7, 3)
    assert selector.path_.order[0] == 6
    assert selector.p_values_[0] == 1  # a constant
    assert np.isnan(selector.null_quantiles_[0]).all()
    drawn = ~np.isnan(selector.null_quantiles_[:, 0])
    assert (np.diff(selector.null_quantiles_[drawn], axis=1) >= 0).all()
    assert (selector.p_values_[~drawn] == 1).all()
    assert drawn[-1]
    assert set(np.flatnonzero(selector.support_)) >= {0, 1}
    assert not selector.support_[3:].any()


@pytest.mark.parametrize("labels", [one_hot, mixed])
@pytest.mark.parametrize("correction", ["null", None])
def test_quantiles_compare_with_the_score_and_p_values_are_of_what_is_drawn(correction, labels):
    judge = BlanketJudge(
        level_columns(X),
        labels(CODES),
        divergence="wasserstein",
        distance=ClassDistance.zero_one(range(3)),
        correction=correction,
        n_permutations=5,
    )
    columns = level_columns(X)
    removals = eliminate(Correlates(columns.values, 3, columns.value_first), judge, 6)
    left, drawn = 6, 0
    for removal in judge_eliminations(removals, judge, 6, alpha=0.05, seed=3):
        if removal.step.feature is None:
            continue
        verdict, delta = removal.step.verdicts[0], removal.step.score
        if np.isfinite(verdict.null_quantiles[0]):
            draw = judge.by_chance(removal.step.feature, removal.against, np.random.default_rng([3, left]))
            plain = weigh(removal.raw, draw, n_tests_of_removals(6), alpha=0.05)
            assert verdict.p_value == plain.p_value
            shifted = np.array(plain.null_quantiles) + (delta - removal.raw)
            assert verdict.null_quantiles == tuple(shifted)
            drawn += 1
        if verdict.p_value <= 0.05:
            assert delta > verdict.null_quantiles[2]
            break  # the size is decided: fewer are drawn from here
        left -= 1
    assert drawn


def test_required_features_are_not_judged():
    selector = BlanketSelector(required_features=[4, 5], random_state=0).fit(X, CODES)
    assert selector.path_.sizes[-1] == 2
    assert np.isnan(selector.p_values_[-1])
    assert not np.isnan(selector.p_values_[:-1]).any()
    assert selector.support_[[0, 4, 5]].all()
    nothing = BlanketSelector(required_features=[4, 5]).fit(*noise(0))  # without a warning
    assert np.flatnonzero(nothing.support_).tolist() == [4, 5]


@pytest.mark.parametrize("labels", ["hard", "soft"])
def test_threads_and_the_order_of_columns_do_not_matter(labels):
    y = mixed(CODES) if labels == "soft" else CODES
    fits = [BlanketSelector(labels=labels, n_jobs=n, n_permutations=5, random_state=3).fit(X, y) for n in (1, 2)]
    for name in ("p_values_", "null_quantiles_", "scores_"):
        assert getattr(fits[0], name).tobytes() == getattr(fits[1], name).tobytes()
    if labels == "hard":
        order = np.array([3, 0, 5, 2, 4, 1])
        moved = BlanketSelector(random_state=3).fit(X[:, order], y)
        np.testing.assert_array_equal(order[moved.path_.order], fits[0].path_.order)
        np.testing.assert_allclose(moved.p_values_, fits[0].p_values_, rtol=1e-6)


def test_a_stricter_alpha_keeps_no_more():
    sizes = [BlanketSelector(alpha=alpha, random_state=0).fit(X, CODES).n_features_ for alpha in (0.2, 0.01, 1e-6)]
    assert sizes == sorted(sizes, reverse=True)


def test_what_companions_tell_is_no_news():
    """The judge is asked about every subset, and the last feature is judged by itself."""
    copies = np.column_stack([X[:, 0] > 0, X[:, 0] > 0]).astype(float)
    judge = BlanketJudge(
        level_columns(copies),
        one_hot(CODES),
        divergence="kl",
        distance=ClassDistance.zero_one(range(3)),
        correction=None,
    )

    class Other:
        def of(self, feature):
            return np.array([1 - feature])

        def remove(self, feature):
            self.of = lambda _: np.empty(0, dtype=int)

    judged = list(judge_eliminations(eliminate(Other(), judge, 2), judge, 2, alpha=0.05, seed=0))
    (start, removal), last = judged, judged[-1].step.verdicts[1]
    assert start.step.verdicts == ()
    assert removal.raw == removal.step.score == 0
    assert removal.step.verdicts[0].p_value == 1
    assert last.p_value < 0.01
