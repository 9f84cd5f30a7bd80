"""How many features? Where rows left out say that more are of no use."""

import numpy as np
import pytest
from samples import CHEAP, gaussians
from sklearn.base import clone
from sklearn.datasets import make_classification

from experiments.class_distance.planted import DISTANCE, N_COPIES, N_TRUE, draw
from tamis import BlanketSelector, RankingSelector, SequentialSelector
from tamis.datasets import flip_uniform, make_multilabel_1, make_multilabel_2

SELECTORS = [
    SequentialSelector(),
    SequentialSelector("bayes_risk", direction="forward"),
    RankingSelector("mutual_information", n_features_to_select="auto"),
    BlanketSelector(n_conditioning=3, n_bins=10),
]


def as_classes(Y):
    return Y @ (1 << np.arange(Y.shape[1]))


@pytest.mark.parametrize("labels", ["hard", "noisy"])
def test_of_features_that_say_the_same_one_is_needed(labels):
    X, Y, relevant = make_multilabel_1(500, random_state=0)
    y = as_classes(Y)
    if labels == "noisy":
        y = flip_uniform(y, 0.1, random_state=0).y
    selector = SequentialSelector(labels=labels, n_repeats=1, random_state=0).fit(X, y)
    kept = set(np.flatnonzero(selector.support_))
    assert all(kept & alike for alike in relevant)
    assert kept <= set().union(*relevant)
    assert len(kept) <= 6


@pytest.mark.parametrize("seed", range(2))
def test_features_that_matter_only_together_are_kept(seed):
    X, Y, relevant = make_multilabel_2(500, random_state=seed)
    selector = SequentialSelector(n_repeats=1, random_state=seed).fit(X, as_classes(Y))
    np.testing.assert_array_equal(np.flatnonzero(selector.support_), relevant)


@pytest.mark.parametrize("selector", SELECTORS, ids=str)
def test_of_noise_one_feature_is_kept_with_a_warning(selector):
    false = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(200, 8)), rng.integers(0, 3, 200)
        fitted = clone(selector).set_params(random_state=seed, **CHEAP)
        try:
            with pytest.warns(UserWarning, match=r"no feature predicts the target .* say how many you want"):
                fitted.fit(X, y)
        except pytest.fail.Exception:
            false += 1
        else:
            assert fitted.n_features_ == 1
            assert (fitted.roles_ == "no evidence").all()
            assert not fitted.evidence_.found
            assert fitted.evidence_.p_value > 0.05
            assert fitted.swaps_ == {}
    assert false <= 2  # 0.6 expected


@pytest.mark.parametrize("selector", SELECTORS, ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_one_related_feature_is_found(selector, seed):
    """An area under the curve of about 0.65, 500 rows, among 20 features."""
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], 250)
    X = rng.normal(size=(500, 20))
    X[:, 7] += 0.545 * y
    found = clone(selector).set_params(random_state=seed, **CHEAP).fit(X, y)
    assert found.evidence_.found
    assert found.roles_[7] != "no evidence"
    if seed == 0:
        found.set_params(**{name: clone(selector).get_params()[name] for name in CHEAP}).fit(X, y)
        assert found.roles_[7] == "needed"


def test_planted_features_are_found():
    many, y = draw(2000, np.random.default_rng([2000, 0]))
    selector = BlanketSelector(class_distance=DISTANCE, random_state=0, n_repeats=1, n_conditioning=3, n_bins=10).fit(
        many.astype(float), y
    )
    kept = np.flatnonzero(selector.support_)
    assert kept.max() < N_TRUE * (1 + N_COPIES)
    assert len(kept) <= N_TRUE + 2


@pytest.mark.filterwarnings("ignore:no feature predicts")
@pytest.mark.parametrize("direction", ["backward", "forward"])
def test_required_features_stay_whatever_they_are(direction):
    X, codes = gaussians(300, 6, 3, seed=6, informative=3)
    how = {"direction": direction, "random_state": 0, **CHEAP}
    selector = SequentialSelector(required_features=[5], **how).fit(X, codes)
    assert selector.support_[5]
    assert set(np.flatnonzero(selector.support_)) <= {0, 1, 2, 5}
    noise = np.random.default_rng(0).normal(size=(200, 5))
    alone = SequentialSelector(required_features=[1, 3], **how).fit(noise, codes[:200])
    assert np.flatnonzero(alone.support_).tolist() == [1, 3]


def test_many_relevant_features_of_which_none_repeats_another():
    X, y = make_classification(
        1000, 12, n_informative=4, n_redundant=0, n_repeated=0, class_sep=1.5, shuffle=False, random_state=1
    )
    selector = SequentialSelector(random_state=0, n_repeats=1).fit(X, y)
    assert not selector.support_[4:].any()
    assert selector.support_[:4].sum() >= 3


def test_more_tolerance_keeps_no_more():
    X, codes = gaussians(300, 8, 3, seed=6)
    sizes = [
        SequentialSelector(tolerance=tolerance, random_state=0, **CHEAP).fit(X, codes).n_features_
        for tolerance in (0, 0.01, 0.1, 0.5, 1)
    ]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 1


@pytest.mark.parametrize("alpha", [0, 0.5, 1, -0.1, "0.05", None, True])
def test_alpha_is_between_nothing_and_a_half(alpha):
    X, codes = gaussians(60, 3, 2)
    with pytest.raises(ValueError, match=r"alpha must be a number between 0 and 0\.5"):
        SequentialSelector(alpha=alpha).fit(X, codes)


@pytest.mark.parametrize(
    ("parameter", "value"),
    [("tolerance", -0.1), ("tolerance", 1.1), ("tolerance", "1"), ("cv", 1), ("cv", 2.5), ("cv", "5")]
    + [("n_repeats", value) for value in (0, 1.5, None, "many")],
)
def test_parameters_are_refused_by_name_even_if_a_number_is_asked_for(parameter, value):
    X, codes = gaussians(60, 3, 2)
    for selector in (
        SequentialSelector(n_features_to_select=1),
        RankingSelector(),
        BlanketSelector(n_conditioning=3, n_bins=10),
    ):
        with pytest.raises(ValueError, match=f"{parameter} must be"):
            selector.set_params(**{parameter: value}).fit(X, codes)


def test_rows_in_blocks_cannot_be_left_out():
    X, codes = gaussians(60, 3, 2)
    with pytest.raises(ValueError, match="Give a number, or use fit on an array"):
        RankingSelector(n_features_to_select="auto").partial_fit(X, codes)


def test_an_unknown_word_is_refused():
    X, codes = gaussians(60, 3, 2)
    with pytest.raises(ValueError, match="n_features_to_select must be 'auto', a whole number"):
        SequentialSelector(n_features_to_select="best").fit(X, codes)
