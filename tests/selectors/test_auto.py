"""How many features? Where chance explains the next one."""

import numpy as np
import pytest
from samples import gaussians, mixed
from sklearn.base import clone
from sklearn.datasets import make_classification

from tamis import NoisyLabels, RankingSelector, SequentialSelector
from tamis.datasets import flip_uniform, make_multilabel_1, make_multilabel_2

NO_FEATURE = pytest.mark.filterwarnings("ignore:no feature tells more")


def as_classes(Y):
    return Y @ (1 << np.arange(Y.shape[1]))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("labels", ["hard", "noisy"])
def test_redundant_features_are_no_better_than_chance(seed, labels):
    X, Y, relevant = make_multilabel_1(500, random_state=seed)
    y = as_classes(Y)
    if labels == "noisy":
        y = flip_uniform(y, 0.1, random_state=seed).y
    selector = SequentialSelector(labels=labels, random_state=seed).fit(X, y)
    kept = set(np.flatnonzero(selector.support_))
    assert len(kept) == selector.n_features_ == 4
    assert all(kept & alike for alike in relevant)


@pytest.mark.parametrize("seed", range(3))
def test_features_that_tell_only_together_are_kept(seed):
    X, Y, relevant = make_multilabel_2(500, random_state=seed)
    selector = SequentialSelector(random_state=seed).fit(X, as_classes(Y))
    np.testing.assert_array_equal(np.flatnonzero(selector.support_), relevant)
    assert selector.p_values_[-1] > 0.05  # one of them alone


@pytest.mark.parametrize(
    "selector",
    [
        SequentialSelector(),
        SequentialSelector(direction="forward"),
        SequentialSelector("bayes_risk"),
        RankingSelector(n_features_to_select="auto"),
        RankingSelector("mutual_information", n_features_to_select="auto"),
    ],
    ids=str,
)
def test_of_noise_one_feature_is_kept_with_a_warning(selector):
    false = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(200, 8)), rng.integers(0, 3, 200)
        fitted = clone(selector).set_params(random_state=seed)
        try:
            with pytest.warns(UserWarning, match="no feature tells more"):
                fitted.fit(X, y)
        except pytest.fail.Exception:
            false += 1
        else:
            assert fitted.n_features_ == 1
    assert false <= 2  # 0.6 expected


def test_p_values_follow_the_path():
    X, codes = gaussians(300, 6, 3, seed=6, informative=3)
    backward = SequentialSelector(random_state=0).fit(X, codes)
    assert backward.p_values_.shape == backward.path_.sizes.shape == (6,)
    assert backward.null_quantiles_.shape == (6, 3)
    assert (np.diff(backward.null_quantiles_, axis=1) >= 0).all()
    first = int(np.argmax(backward.p_values_ <= 0.05))
    assert backward.n_features_ == backward.path_.sizes[first]
    assert (backward.p_values_[:first] > 0.05).all()
    significant = backward.p_values_ < 0.01
    assert (backward.path_.scores > backward.null_quantiles_[:, 2])[significant].all()

    forward = SequentialSelector(direction="forward", random_state=0).fit(X, codes)
    assert (forward.p_values_[:-1] <= 0.05).all()
    assert forward.p_values_[-1] > 0.05
    assert forward.n_features_ == len(forward.p_values_) - 1 < 6

    ranking = RankingSelector("mutual_information", n_features_to_select="auto", random_state=0).fit(X, codes)
    assert ranking.p_values_.shape == (6,)
    assert ranking.n_features_ == (ranking.p_values_ <= 0.05).sum()
    assert not hasattr(SequentialSelector(n_features_to_select=2).fit(X, codes), "p_values_")


@pytest.mark.parametrize("labels", ["hard", "soft", NoisyLabels(None, refit="each-step")], ids=str)
@pytest.mark.parametrize("direction", ["backward", "forward"])
def test_the_same_bits_for_any_number_of_threads(direction, labels):
    X, codes = gaussians(150, 6, 3, seed=2)
    y = mixed(codes) if labels == "soft" else codes
    one, two = (
        SequentialSelector(labels=labels, direction=direction, n_jobs=n, random_state=3).fit(X, y) for n in (1, 2)
    )
    assert one.p_values_.tobytes() == two.p_values_.tobytes()
    assert one.null_quantiles_.tobytes() == two.null_quantiles_.tobytes()


def test_the_order_of_columns_does_not_matter():
    X, codes = gaussians(200, 6, 3, seed=6, informative=3)
    order = np.array([3, 5, 0, 2, 4, 1])
    plain, moved = (SequentialSelector(random_state=1).fit(Z, codes) for Z in (X, X[:, order]))
    np.testing.assert_allclose(moved.p_values_, plain.p_values_, rtol=1e-6)
    np.testing.assert_array_equal(moved.support_, plain.support_[order])


@NO_FEATURE
@pytest.mark.parametrize("direction", ["backward", "forward"])
def test_required_features_stay_whatever_they_tell(direction):
    X, codes = gaussians(300, 6, 3, seed=6, informative=3)
    selector = SequentialSelector(direction=direction, required_features=[5], random_state=0).fit(X, codes)
    assert selector.support_[5]
    assert set(np.flatnonzero(selector.support_)) <= {0, 1, 2, 5}
    noise = np.random.default_rng(0).normal(size=(200, 5))
    alone = SequentialSelector(direction=direction, required_features=[1, 3], random_state=0).fit(noise, codes[:200])
    assert np.flatnonzero(alone.support_).tolist() == [1, 3]
    assert np.isnan(alone.p_values_[-1 if direction == "backward" else 0])


def test_many_relevant_features_of_which_none_repeats_another():
    X, y = make_classification(
        1000, 12, n_informative=4, n_redundant=0, n_repeated=0, class_sep=1.5, shuffle=False, random_state=1
    )
    selector = SequentialSelector(random_state=0).fit(X, y)
    assert not selector.support_[4:].any()
    assert selector.support_[:4].sum() >= 3


@pytest.mark.parametrize("alpha", [0, 0.5, 1, -0.1, "0.05", None, True])
def test_alpha_is_between_nothing_and_a_half(alpha):
    X, codes = gaussians(60, 3, 2)
    with pytest.raises(ValueError, match=r"alpha must be a number between 0 and 0\.5"):
        SequentialSelector(alpha=alpha).fit(X, codes)


def test_rows_in_blocks_cannot_be_permuted():
    X, codes = gaussians(60, 3, 2)
    with pytest.raises(ValueError, match="Give a number, or use fit on an array"):
        RankingSelector(n_features_to_select="auto").partial_fit(X, codes)


def test_an_unknown_word_is_refused():
    X, codes = gaussians(60, 3, 2)
    with pytest.raises(ValueError, match="n_features_to_select must be 'auto', a whole number"):
        SequentialSelector(n_features_to_select="best").fit(X, codes)
