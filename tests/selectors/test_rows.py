"""Selectors with missing values, weights, rows that belong together, and time."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from samples import gaussians
from scipy.sparse import csr_matrix
from sklearn import config_context
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from tamis import (
    BayesRisk,
    BlanketSelector,
    ChiSquare,
    Criterion,
    LabelModel,
    LaplacianScore,
    MutualInformation,
    RankingSelector,
    SequentialSelector,
    bayes_risk,
    class_posterior,
    entropy,
    mutual_information,
    subset_divergence,
    weighted_laplacian_score,
)

X, CODES = gaussians(72, 4, 3, seed=4)
Y = np.array(["a", "b", "c"])[CODES]
RNG = np.random.default_rng(7)
GAPS = np.where(RNG.uniform(size=X.shape) < 0.25, np.nan, X)
WEIGHT = RNG.integers(1, 4, len(X))
AGAIN = np.repeat(np.arange(len(X)), WEIGHT)
"""Each row as often as its weight says."""

SELECTORS = {
    "backward": SequentialSelector(n_features_to_select=2),
    "forward": SequentialSelector(direction="forward", n_features_to_select=3),
    "distance": SequentialSelector(MutualInformation(estimator="distance"), n_features_to_select=2),
    "risk": SequentialSelector(BayesRisk("count"), n_features_to_select=2),
    "soft": SequentialSelector(labels="soft", n_features_to_select=2),
    "indicator": SequentialSelector(missing="indicator", n_features_to_select=2),
    "moments": RankingSelector(n_features_to_select=2),
    "information": RankingSelector("mutual_information", n_features_to_select=2),
    "chi2": RankingSelector(ChiSquare("quantile"), n_features_to_select=2),
    "mdl": RankingSelector(ChiSquare("mdl"), n_features_to_select=2),
    "blanket": BlanketSelector(n_features_to_select=2, n_conditioning=3, n_bins=10),
    "kl": BlanketSelector("kl", n_features_to_select=2, n_conditioning=1, n_bins=10),
}


def same_path(a, b, rtol=1e-9):
    np.testing.assert_allclose(a.path_.scores, b.path_.scores, rtol=rtol, atol=1e-9)
    assert [step.feature for step in a.path_.steps] == [step.feature for step in b.path_.steps]


@pytest.mark.parametrize("table", [X, GAPS], ids=["complete", "gaps"])
@pytest.mark.parametrize("name", SELECTORS)
def test_an_integer_weight_is_the_row_repeated(name, table):
    selector = SELECTORS[name]
    weighted = selector.fit(table, Y, sample_weight=WEIGHT)
    scores, steps = weighted.path_.scores.copy(), weighted.path_
    repeated = selector.fit(table[AGAIN], Y[AGAIN], groups=AGAIN)
    np.testing.assert_allclose(repeated.path_.scores, scores, rtol=1e-9, atol=1e-9)
    assert [step.feature for step in repeated.path_.steps] == [step.feature for step in steps.steps]


@pytest.mark.parametrize("divergence", ["wasserstein", "kl"])
def test_so_it_is_where_chance_is_drawn(divergence):
    """Of probabilities there is no closed form: chance is the mean of permutations of the repeated rows."""
    soft = 0.7 * np.eye(3)[CODES] + 0.1
    selector = BlanketSelector(
        divergence, labels="soft", n_features_to_select=2, random_state=0, n_conditioning=3, n_bins=10
    )
    weighted = selector.fit(GAPS, soft, sample_weight=WEIGHT).path_
    same_path(selector.fit(GAPS[AGAIN], soft[AGAIN], groups=AGAIN), SimpleNamespace(path_=weighted))


FUNCTIONS = {
    "information": mutual_information,
    "information, distance": lambda *a, **k: mutual_information(*a, estimator="distance", **k),
    "risk": bayes_risk,
    "errors": lambda *a, **k: bayes_risk(*a, kind="count", **k),
    "laplacian": lambda X, y, groups=None, **k: weighted_laplacian_score(X, y, **k),
    "divergence": lambda X, y, groups=None, **k: subset_divergence(X, y, [0], n_permutations=0, n_bins=3, **k).lost,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_keep_the_law_of_weights(name):
    function = FUNCTIONS[name]
    wanted = function(GAPS[AGAIN], Y[AGAIN], groups=AGAIN)
    np.testing.assert_allclose(function(GAPS, Y, sample_weight=WEIGHT), wanted, rtol=1e-9)
    some = WEIGHT * (np.arange(len(X)) % 5 > 0)
    kept = some > 0
    np.testing.assert_array_equal(
        function(GAPS, Y, sample_weight=some), function(GAPS[kept], Y[kept], sample_weight=some[kept])
    )


def test_entropy_and_posterior_keep_it_too():
    np.testing.assert_allclose(entropy(X, sample_weight=WEIGHT), entropy(X[AGAIN], groups=AGAIN), rtol=1e-9)
    once = class_posterior(GAPS, Y, sample_weight=WEIGHT)
    np.testing.assert_allclose(once.posterior[AGAIN], class_posterior(GAPS[AGAIN], Y[AGAIN], groups=AGAIN).posterior)
    with pytest.raises(ValueError, match="contains NaN"):
        entropy(GAPS)


@pytest.mark.parametrize("name", ["backward", "moments", "blanket"])
def test_a_row_of_weight_zero_is_absent(name):
    weight = WEIGHT * (np.arange(len(X)) % 4 > 0)
    kept = weight > 0
    given = np.where(kept[:, None], GAPS, 1e6)
    with_zeros = SELECTORS[name].fit(given, Y, sample_weight=weight).path_
    assert SELECTORS[name].fit(GAPS[kept], Y[kept], sample_weight=weight[kept]).path_ == with_zeros
    assert SELECTORS[name].memberships_.shape[0] == kept.sum()


@pytest.mark.parametrize("name", SELECTORS)
def test_what_says_nothing_changes_no_bit(name):
    selector = SELECTORS[name]
    plain = selector.fit(X, Y).path_
    assert not selector.weighted_
    assert selector.missing_ is selector.n_groups_ is None
    assert selector.fit(X, Y, sample_weight=np.ones(len(X)), groups=np.arange(len(X))).path_ == plain


@pytest.mark.parametrize("name", ["backward", "forward", "information", "moments", "blanket"])
def test_order_of_rows_and_columns(name):
    how = {"sample_weight": WEIGHT, "groups": np.arange(len(X)) // 2}
    selector = SELECTORS[name]
    before = selector.fit(GAPS, Y, **how).path_
    scores, order = before.scores.copy(), [step.feature for step in before.steps]
    rows, columns = RNG.permutation(len(X)), np.array([2, 0, 3, 1])
    selector.fit(GAPS[rows][:, columns], Y[rows], **{key: values[rows] for key, values in how.items()})
    np.testing.assert_allclose(selector.path_.scores, scores, rtol=1e-9)
    moved = [None if step.feature is None else int(columns[step.feature]) for step in selector.path_.steps]
    assert moved == order


def test_columns_and_rows_without_values():
    table = np.column_stack([GAPS, np.full(len(X), np.nan)])
    table[[5, 40]] = np.nan
    table[CODES == 1, 2] = np.nan
    for selector in SELECTORS.values():
        fitted = selector.fit(table, Y)
        assert not fitted.support_[4]
        assert fitted.missing_.share[4] == 1
        assert fitted.missing_.n_empty_rows >= 2
        assert fitted.missing_.pvalues[2] < 1e-6
        assert np.isnan(fitted.missing_.pvalues[4])
        assert not np.isnan(fitted.path_.scores).any()
    table[7, 3] = -np.inf
    with pytest.raises(ValueError, match="X contains infinity or a number too large: column 3 in row 7"):
        SequentialSelector().fit(table, Y)


def test_a_gap_that_predicts_is_part_of_the_feature():
    """The values are noise; that they are missing is all there is."""
    table = RNG.normal(size=(150, 4))
    codes = np.arange(150) % 2
    table[(codes == 1) & (RNG.uniform(size=150) < 0.8), 2] = np.nan
    found = SequentialSelector(missing="indicator", n_features_to_select=1).fit(table, codes)
    assert found.get_support(indices=True).tolist() == [2]
    assert found.missing_.pvalues[2] < 1e-6
    assert np.isnan(found.missing_.pvalues[[0, 1, 3]]).all()
    assert found.transform(table).shape == (150, 1)


def only_gaps(n=90):
    """Noise; a column of one value whose gaps predict the class; a column without any value."""
    random, codes = np.random.default_rng(0), np.arange(n) % 3
    gaps = np.where((codes == 0) & (random.uniform(size=n) < 0.9), np.nan, 5.0)
    return np.column_stack([random.normal(size=(n, 2)), gaps, np.full(n, np.nan)]), codes


@pytest.mark.parametrize(
    "selector",
    [
        RankingSelector(ChiSquare("mdl")),
        RankingSelector(ChiSquare("quantile")),
        SequentialSelector(ChiSquare("mdl")),
        BlanketSelector(n_conditioning=3, n_bins=10),
        SequentialSelector(missing="indicator"),
        RankingSelector("mutual_information", missing="indicator"),
    ],
    ids=lambda selector: f"{type(selector).__name__}-{getattr(selector, 'criterion', '')}",
)
def test_one_value_and_gaps_are_constant_only_where_gaps_are_no_level(selector):
    found = selector.set_params(n_features_to_select=1).fit(*only_gaps())
    assert found.get_support(indices=True).tolist() == [2]
    assert found.ranking_.argmax() == 3  # the column without any value is constant, and last
    plain = SequentialSelector(n_features_to_select=1).fit(*only_gaps())
    assert not plain.support_[2:].any()


def test_tests_of_features_know_their_indicators():
    table, codes = only_gaps()
    table[:, 0] += codes
    table[:, 1] = np.where((codes == 1) & (RNG.uniform(size=len(codes)) < 0.5), np.nan, table[:, 1])
    plain, indicated = (
        RankingSelector("mutual_information", n_features_to_select="auto", missing=missing, **CHEAP).fit(table, codes)
        for missing in ("use", "indicator")
    )
    assert np.isnan(plain.pvalues_[2:]).all()
    assert np.isnan(indicated.pvalues_[3])
    assert indicated.pvalues_[0] == plain.pvalues_[0]
    assert indicated.pvalues_[2] == indicated.missing_.pvalues[2] < 1e-6
    both = plain.pvalues_[1], indicated.missing_.pvalues[1]
    assert indicated.pvalues_[1] == min(1, 2 * min(both)) < 0.01 < plain.pvalues_[1]


def test_a_wide_search_begins_with_features_whose_gaps_predict():
    random, codes = np.random.default_rng(1), np.arange(40) % 2
    table = random.normal(size=(40, 230))
    table[(codes == 1) & (random.uniform(size=40) < 0.9), 117] = np.nan
    table[:, 117] = np.where(np.isnan(table[:, 117]), np.nan, 1.0)
    found = SequentialSelector(missing="indicator", n_features_to_select=1).fit(table, codes)
    assert 117 not in found.path_.order[: found.sieved_]
    assert found.get_support(indices=True).tolist() == [117]


def test_blocks_with_gaps_and_weights():
    whole = RankingSelector(n_features_to_select=2).fit(GAPS, Y, sample_weight=WEIGHT)
    blocks = RankingSelector(n_features_to_select=2)
    for rows in np.array_split(np.arange(len(X)), [10, 11, 40]):
        blocks.partial_fit(GAPS[rows], Y[rows], classes=["a", "b", "c"], sample_weight=WEIGHT[rows])
    np.testing.assert_allclose(blocks.scores_, whole.scores_, rtol=1e-10)
    absent = WEIGHT * (np.arange(len(X)) >= 11)  # all rows of two blocks
    blocks, whole_less = RankingSelector(n_features_to_select=2), RankingSelector(n_features_to_select=2)
    for rows in np.array_split(np.arange(len(X)), [10, 11, 40]):
        blocks.partial_fit(GAPS[rows], Y[rows], classes=["a", "b", "c"], sample_weight=absent[rows])
    np.testing.assert_allclose(blocks.scores_, whole_less.fit(GAPS, Y, sample_weight=absent).scores_, rtol=1e-10)
    with pytest.raises(AttributeError, match="missing='indicator' needs all rows at once"):
        RankingSelector(missing="indicator").partial_fit(GAPS, Y)
    da = pytest.importorskip("dask.array")
    lazy = RankingSelector(n_features_to_select=2).fit(
        da.from_array(GAPS, chunks=(30, 2)), Y, sample_weight=da.from_array(WEIGHT, chunks=10)
    )
    np.testing.assert_allclose(lazy.scores_, whole.scores_, rtol=1e-10)
    with pytest.raises(ValueError, match="order needs all rows at once"):
        RankingSelector().fit(da.from_array(X), Y, order=np.arange(len(X)))


def test_sparse_weights():
    zeros = np.where(X > 0.5, X, 0.0)
    for selector in (
        RankingSelector(n_features_to_select=2),
        BlanketSelector(n_features_to_select=2, n_conditioning=3, n_bins=10),
    ):
        table = np.abs(zeros)
        weighted = selector.fit(csr_matrix(table), Y, sample_weight=WEIGHT).path_.scores.copy()
        again = selector.fit(csr_matrix(table[AGAIN]), Y[AGAIN]).path_.scores
        np.testing.assert_allclose(weighted, again, rtol=1e-9, atol=1e-12)


CHEAP = dict(judge=GaussianNB(), n_repeats=1, random_state=0)


def test_time_goes_forward_and_drift_is_named():
    table = np.column_stack([X, X[:, 0] + np.linspace(0, 8, len(X))])
    days = pd.date_range("2024-01-01", periods=len(X))[RNG.permutation(len(X))]
    rank = np.argsort(np.argsort(days))
    table[:, 4] = X[:, 0] + 8 * rank / len(X)
    found = SequentialSelector(**CHEAP).fit(table, Y, order=days)
    assert found.evidence_.forward
    assert found.evidence_.n_repeats == 1
    assert found.drift_.argmin() == 4
    assert found.drift_[4] < 1e-3 < found.drift_[:4].min()


def test_folds_keep_groups_whole_and_the_answer_honest():
    """Copies of noise predict each other, unless they are known to be copies."""
    random = np.random.default_rng(2)
    noise, codes = random.normal(size=(40, 3)), np.arange(40) % 2
    copies = np.repeat(np.arange(40), 3)
    near = noise[copies] + 1e-3 * random.normal(size=(120, 3))
    asked = {"judge": KNeighborsClassifier(2), "n_repeats": 1, "random_state": 0}
    flattered = SequentialSelector(**asked).fit(near, codes[copies])
    with pytest.warns(UserWarning, match="no feature predicts the target better than knowing nothing"):
        honest = SequentialSelector(**asked).fit(near, codes[copies], groups=copies)
    assert flattered.evidence_.found
    assert flattered.evidence_.expected_error < 0.2
    assert honest.evidence_.expected_error > 0.3
    original = RankingSelector(n_features_to_select="auto", **asked)
    with pytest.warns(UserWarning, match="no feature predicts"):
        original.fit(noise, codes)
    np.testing.assert_allclose(honest.pvalues_, original.pvalues_, atol=0.01)


@pytest.mark.parametrize("selector", [RankingSelector, BlanketSelector, SequentialSelector])
def test_everything_together(selector):
    asked = {"n_conditioning": 3, "n_bins": 10} if selector is BlanketSelector else {"missing": "indicator"}
    found = selector(n_features_to_select="auto", **asked, **CHEAP).fit(
        GAPS, Y, sample_weight=WEIGHT / 2, groups=np.arange(len(X)) // 2, order=np.arange(len(X)) // 4
    )
    assert found.evidence_.expected_error < 0.6
    assert found.n_groups_ == 36


def test_weights_and_groups_go_through_a_pipeline():
    with config_context(enable_metadata_routing=True):
        selector = SequentialSelector(n_features_to_select=2).set_fit_request(sample_weight=True, groups=True)
        model = LogisticRegression().set_fit_request(sample_weight=True)
        pipe = make_pipeline(StandardScaler(), selector, model)
        pipe[0].set_fit_request(sample_weight=False)
        groups = np.arange(len(X)) // 2
        pipe.fit(X, Y, sample_weight=WEIGHT, groups=groups)
        alone = SequentialSelector(n_features_to_select=2).fit(
            StandardScaler().fit_transform(X), Y, sample_weight=WEIGHT, groups=groups
        )
    assert pipe[1].path_ == alone.path_


def test_a_checkpoint_is_for_these_weights(tmp_path):
    selector = SequentialSelector(n_features_to_select=2, checkpoint=tmp_path / "file", random_state=0)
    first = selector.fit(X, Y, sample_weight=WEIGHT).path_
    assert selector.fit(X, Y, sample_weight=WEIGHT).path_ == first
    with pytest.raises(ValueError, match="must have been written for the same data"):
        selector.fit(X, Y, groups=np.arange(len(X)) // 2)


class Spread(Criterion):
    def score(self, X, memberships):
        return float((memberships.T @ X).var())


def test_criteria_that_cannot_take_them_say_so():
    with pytest.raises(ValueError, match="criterion=Spread takes no sample_weight"):
        SequentialSelector(Spread(), n_features_to_select=1).fit(X, Y, sample_weight=WEIGHT)
    with pytest.raises(ValueError, match="criterion=Spread must have values without gaps"):
        SequentialSelector(Spread(), n_features_to_select=1).fit(GAPS, Y)
    with pytest.raises(ValueError, match="criterion=LaplacianScore takes no groups"):
        RankingSelector(LaplacianScore()).fit(X, Y, groups=WEIGHT)


def test_a_class_in_one_group_is_named():
    with pytest.warns(UserWarning, match="class 'c' is in one group only: left out of the information"):
        SequentialSelector(n_features_to_select=1).fit(X, Y, groups=np.where(CODES == 2, 99, np.arange(len(X))))


def test_a_class_of_little_weight_is_named():
    with pytest.warns(UserWarning, match="class 'b' weighs less than one row besides its heaviest row: left out"):
        SequentialSelector(n_features_to_select=1).fit(X, Y, sample_weight=np.where(CODES == 1, 1e-3, 1.0))


@pytest.mark.parametrize("distance", [[[0, 1, 2], [1, 0, 1], [2, 1, 0]], None])
def test_a_class_that_comes_late(distance):
    """The first folds know nothing of it, nor of its distances."""
    late = np.argsort(CODES, kind="stable")
    selector = BlanketSelector(class_distance=distance, n_conditioning=3, n_bins=10, **CHEAP)
    selector.fit(X[late], Y[late], order=np.arange(len(X)))
    assert selector.evidence_.forward
    assert selector.class_distance_.matrix.shape == (3, 3)


class Plain(LabelModel):
    """A label model from before there were weights."""

    def fit(self, X, y=None, *, memberships=None):
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.memberships_ = np.eye(len(self.classes_))[codes]
        return self


def test_label_models_of_ones_own_need_no_weights_unless_there_are_any():
    selector = SequentialSelector(labels=Plain(), n_features_to_select=2)
    assert selector.fit(X, Y).path_ == SequentialSelector(n_features_to_select=2).fit(X, Y).path_
    with pytest.raises(ValueError, match="labels=Plain takes no sample_weight"):
        selector.fit(X, Y, sample_weight=WEIGHT)


@pytest.mark.parametrize(
    ("weight", "said"),
    [
        (np.full(72, 1e300), "from 1e-06 to 1e.09; row 0 has 1e.300"),
        (np.where(np.arange(72) == 3, 5.0, 0.0), "minimum of 2 is required|at least two"),
    ],
)
def test_weights_that_leave_nothing(weight, said):
    with pytest.raises(ValueError, match=said):
        SequentialSelector(n_features_to_select=1).fit(X, Y, sample_weight=weight)
    if weight.max() < 1e9 and weight.min() == 0:
        with pytest.raises(ValueError, match="entropy needs at least two rows"):
            entropy(X, sample_weight=weight)
