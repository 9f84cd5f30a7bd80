"""Huge and tiny values: a power of two changes no score, and nothing leaks a warning."""

import numpy as np
import pytest
from samples import CHEAP, gaussians
from scipy.sparse import csr_array
from sklearn.base import clone

from tamis import (
    BlanketSelector,
    ChiSquare,
    ClassDistance,
    CrowdLabels,
    LaplacianScore,
    MLkNNClassifier,
    MultiLabels,
    NoisyLabels,
    RankingSelector,
    SequentialSelector,
    bayes_risk,
    entropy,
    mutual_information,
    weighted_laplacian_score,
)
from tamis.datasets import flip_near

X, CODES = gaussians(60, 4, 3, seed=8)
ROUND = np.round(2 * X)
SPARSE = csr_array(np.where(ROUND > 1, ROUND, 0.0))
EXPONENTS = (1018, 700, 250, -250, -700, -1015)

SELECTORS = {
    "blanket": BlanketSelector(random_state=0, n_permutations=3, n_conditioning=3, n_bins=10, **CHEAP),
    "blanket, values": BlanketSelector(random_state=0, bins=None, n_features_to_select=2, n_conditioning=3, n_bins=10),
    "blanket, uniform": BlanketSelector(
        random_state=0, bins="uniform", n_features_to_select=2, n_conditioning=3, n_bins=10
    ),
    "ranking": RankingSelector(),
    "ranking, auto": RankingSelector(n_features_to_select="auto", random_state=0, **CHEAP),
    "ranking, groups": RankingSelector(feature_groups=[[0, 1], [2], [3]]),
    "information": RankingSelector("mutual_information", n_features_to_select="auto", random_state=0, **CHEAP),
    "risk": RankingSelector("bayes_risk"),
    "laplacian": RankingSelector("laplacian"),
    "chi": RankingSelector(ChiSquare("quantile")),
    "mdl": RankingSelector(ChiSquare("mdl")),
    "chi2": RankingSelector(ChiSquare("chi2")),
    "sequential": SequentialSelector(random_state=0, **CHEAP),
    "sequential, as is": SequentialSelector(scale=None, n_features_to_select=2),
    "noisy": SequentialSelector(labels=NoisyLabels(None), n_features_to_select=2),
}
quiet = pytest.mark.filterwarnings(
    "ignore:features .* have up to", "ignore:no feature predicts", "ignore:class .* has fewer"
)


def _same(one, other):
    scores = one.scores_, other.scores_
    logarithms = one.get_params().get("criterion") == "bayes_risk"  # of radii in other units: rounded otherwise
    return (
        (np.allclose(*scores, rtol=1e-12) if logarithms else scores[0].tobytes() == scores[1].tobytes())
        and (one.support_ == other.support_).all()
        and one.correlated_ == other.correlated_
    )


@quiet
@pytest.mark.parametrize("values", [X, ROUND], ids=["any values", "few values"])
@pytest.mark.parametrize("name", SELECTORS)
def test_units_of_all_columns(name, values):
    truth = SELECTORS[name].fit(values, CODES)
    exponents = EXPONENTS if values is ROUND else EXPONENTS[::5]
    for exponent in exponents:
        assert _same(clone(SELECTORS[name]).fit(np.ldexp(values, exponent), CODES), truth), exponent


@quiet
@pytest.mark.parametrize("name", [name for name in SELECTORS if "as is" not in name])
def test_units_of_each_column(name):
    """Beside each other too, wherever units do not matter."""
    truth = SELECTORS[name].fit(ROUND, CODES)
    assert _same(clone(SELECTORS[name]).fit(np.ldexp(ROUND, [1000, -1000, 0, 500]), CODES), truth)


@quiet
@pytest.mark.parametrize("name", ["blanket", "blanket, values", "ranking", "ranking, groups"])
def test_units_of_sparse_columns(name):
    truth = SELECTORS[name].fit(SPARSE, CODES)
    for exponents in (1000, -1000, np.array([1000, -1000, 0, 500])):
        scaled = csr_array(np.ldexp(SPARSE.toarray(), exponents))
        assert _same(clone(SELECTORS[name]).fit(scaled, CODES), truth)


def test_values_next_to_the_largest_float():
    largest = np.finfo(float).max
    extreme = np.column_stack([np.where(CODES == 0, largest, -largest), np.where(CODES == 1, 5e-324, 0.0), X[:, 0]])
    for name in ("ranking", "information", "risk", "laplacian", "chi", "sequential"):
        assert (
            clone(SELECTORS[name]).set_params(n_features_to_select=2).fit(extreme, CODES).transform(extreme).shape[1]
            == 2
        )
    for bins in ("auto", "uniform", None):
        selector = BlanketSelector(bins=bins, n_features_to_select=2, random_state=0, n_conditioning=3, n_bins=10)
        with np.errstate(all="raise", under="ignore"):
            assert selector.fit(extreme[:, :2], CODES).support_.all()


@pytest.mark.parametrize("exponent", EXPONENTS)
def test_functions_in_any_unit(exponent):
    huge = np.ldexp(X, exponent)
    for function in (mutual_information, bayes_risk, weighted_laplacian_score):
        assert np.array_equal(function(huge, CODES), function(X, CODES))
    assert entropy(huge) == pytest.approx(entropy(X) + 4 * exponent * np.log(2))
    assert (flip_near(CODES, 0.3, X=huge, random_state=0).y == flip_near(CODES, 0.3, X=X, random_state=0).y).all()


def test_pruning_in_any_unit():
    sets = np.array([[1, 0, 0], [0, 1, 1], [0, 1, 0]])[CODES]
    how = {"size_method": "permutation", "n_neighbors": 4, "n_folds": 3, "n_repeats": 1, "random_state": 0}
    truth = MultiLabels(**how).fit(X, sets).t_statistics_
    assert MultiLabels(**how).fit(np.ldexp(X, [1000, -1000, 0, 500]), sets).t_statistics_ == truth


@pytest.mark.parametrize("container", [np.asarray, csr_array])
@pytest.mark.parametrize("exponent", EXPONENTS)
def test_neighbours_of_huge_and_tiny_rows(exponent, container):
    truth = MLkNNClassifier(5).fit(container(X), CODES).predict_proba(container(X))
    huge = container(np.ldexp(X, exponent))
    assert (MLkNNClassifier(5).fit(huge, CODES).predict_proba(huge) == truth).all()


def test_neighbours_far_beyond_the_training_rows():
    for fitted, asked in ((X, 1e300 * X), (1e-300 * X, X), (1e300 * X, X)):
        P = MLkNNClassifier(5).fit(fitted, CODES).predict_proba(asked)
        assert P.sum(axis=1) == pytest.approx(1)
    X32 = X.astype(np.float32) * np.float32(1e30)
    assert np.isfinite(MLkNNClassifier(5).fit(X32, CODES).predict_proba(X32)).all()


@pytest.mark.parametrize(
    "matrix",
    [1 - np.eye(3), np.array([[0, 3, 4], [3, 0, 5], [4, 5, 0]]) / 8, [[0, 1, 0.5], [1, 0, 0.7], [0.5, 0.7, 0]]],
    ids=["equal", "points", "no tree"],
)
def test_class_distances_in_any_unit(matrix):
    """1e308 overflowed, and a millionth of a millionth hid every feature behind a tolerance."""
    truth = BlanketSelector(
        class_distance=matrix, random_state=0, n_features_to_select=2, n_conditioning=3, n_bins=10
    ).fit(X, CODES)
    for exponent in (1022, 600, -40, -600, -1000):
        distance = np.ldexp(matrix, exponent)
        found = BlanketSelector(
            class_distance=distance, random_state=0, n_features_to_select=2, n_conditioning=3, n_bins=10
        ).fit(X, CODES)
        assert np.ldexp(found.scores_, -exponent).tobytes() == truth.scores_.tobytes()
        assert (found.support_ == truth.support_).all()


@pytest.mark.parametrize(
    "make",
    [
        lambda: ClassDistance.from_tree([("a", "b", 1e308), ("b", "c", 1e308)]),
        lambda: ClassDistance.from_vectors([[1e308], [-1e308]]),
        lambda: ClassDistance.from_paths(["a", "b"], weights=[1.7e308]),
        lambda: ClassDistance.from_vectors([[0, 1], [1e-200, 1]]),
    ],
)
def test_distances_that_are_no_floats(make):
    with pytest.raises(ValueError, match="class_distance must be positive and finite"):
        make()


def test_kl_of_a_crowd_that_agrees():
    """Weights of 1e-80, of which rounding leaves nothing in a group, were divided by it."""
    random = np.random.default_rng(0)
    right = random.uniform(size=(60, 40)) < 0.9
    answers = np.where(right, CODES[:, None], random.integers(0, 3, size=(60, 40)))
    assert CrowdLabels().fit(None, answers).memberships_.min() < 1e-50
    found = BlanketSelector("kl", labels="crowd", n_features_to_select=2, n_conditioning=3, n_bins=10).fit(X, answers)
    hard = BlanketSelector("kl", n_features_to_select=2, n_conditioning=3, n_bins=10).fit(X, CODES)
    assert np.isfinite(found.scores_).all()
    assert found.path_.order.tolist() == hard.path_.order.tolist()


def test_a_width_without_neighbours_is_refused():
    for criterion, values in ((LaplacianScore(width=1e-300), X), (LaplacianScore(width=1.0, scale=None), X * 1e200)):
        with pytest.raises(ValueError, match="width must be in reach"):
            RankingSelector(criterion).fit(values)
    wide = RankingSelector(LaplacianScore(width=np.ldexp(1.5, 600), squared=False, scale=None)).fit(np.ldexp(X, 600))
    assert (wide.scores_ == RankingSelector(LaplacianScore(width=1.5, scale=None)).fit(X).scores_).all()
