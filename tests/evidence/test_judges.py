"""Classifiers that learn memberships."""

import numpy as np
import pytest
from samples import gaussians, mixed, one_hot
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from tamis import SequentialSelector
from tamis.evidence import resolve_judges
from tamis.evidence.judges import ClassifierJudge, LinearJudge, NeighbourJudge, TreeJudge, names_of
from tamis.evidence.spaces import PlainSpace

X, CODES = gaussians(200, 4, 3, seed=8)
X[:, :3] += 1.5 * one_hot(CODES)
SEEN, UNSEEN, KNOWN = X[:120], X[120:], one_hot(CODES)[:120]
SOFT = mixed(CODES)[:120]
SETS = np.column_stack([CODES == 0, CODES != 2, np.ones(200), np.zeros(200)]).astype(float)[:120]
OURS = [NeighbourJudge(), TreeJudge(), LinearJudge()]


def ask(judge, X=SEEN, T=KNOWN, unseen=UNSEEN, *, seed=0, one_class=True, weight=None):
    return judge.predict(X, T, unseen, seed=seed, one_class=one_class, weight=weight)


@pytest.mark.parametrize("judge", [*OURS, ClassifierJudge(GaussianNB())], ids=lambda j: j.name)
@pytest.mark.parametrize("T", [KNOWN, SOFT, SETS], ids=["classes", "soft", "sets"])
def test_predictions_are_probabilities_and_repeatable(judge, T):
    one_class = T is not SETS
    P = ask(judge, T=T, one_class=one_class)
    assert P.shape == (80, T.shape[1])
    assert ((P >= 0) & (P <= 1 + 1e-12)).all()
    if one_class:
        np.testing.assert_allclose(P.sum(axis=1), 1)
        assert (P.argmax(axis=1) == CODES[120:]).mean() > 0.6
    np.testing.assert_array_equal(P, ask(judge, T=T, one_class=one_class))


def test_a_linear_judge_is_logistic_regression():
    model = LogisticRegression(C=1, tol=1e-8, max_iter=1000).fit(SEEN, CODES[:120])
    np.testing.assert_allclose(ask(LinearJudge()), model.predict_proba(UNSEEN), atol=0.02)


def test_a_linear_judge_of_label_sets_is_a_regression_for_each():
    P = ask(LinearJudge(), T=SETS, one_class=False)
    for label in (0, 1):
        model = LogisticRegression(C=1, tol=1e-8, max_iter=1000).fit(SEEN, SETS[:, label])
        np.testing.assert_allclose(P[:, label], model.predict_proba(UNSEEN)[:, 1], atol=0.02)
    assert (P[:, 2] > 0.9).all()
    assert (P[:, 3] < 0.1).all()


def test_memberships_are_weights_of_copied_rows():
    """The regression of all classes of all rows, each by its share."""
    rows, codes = np.nonzero(SOFT)
    model = LogisticRegression(C=1, tol=1e-8, max_iter=1000).fit(SEEN[rows], codes, sample_weight=SOFT[rows, codes])
    np.testing.assert_allclose(ask(LinearJudge(), T=SOFT), model.predict_proba(UNSEEN), atol=0.02)


def test_many_columns_are_as_few_rotated_ones():
    """Columns beyond the rows add no direction: 40 rows in 300 dimensions, of which all but 20 are empty."""
    rng = np.random.default_rng(0)
    few, codes = rng.normal(size=(60, 20)), rng.integers(0, 2, 60)
    turn = np.linalg.qr(rng.normal(size=(300, 300)))[0][:20]
    seen, T = slice(0, 40), one_hot(codes)[:40]
    narrow = ask(LinearJudge(), few[seen], T, few[40:])
    wide = ask(LinearJudge(), few[seen] @ turn, T, few[40:] @ turn)
    np.testing.assert_allclose(wide, narrow, atol=0.02)


def test_a_neighbour_judge_is_ten_nearest_neighbours():
    model = KNeighborsClassifier(10).fit(SEEN, CODES[:120])
    np.testing.assert_allclose(ask(NeighbourJudge()), model.predict_proba(UNSEEN))
    np.testing.assert_allclose(ask(NeighbourJudge(), SEEN[:4], SOFT[:4]), np.tile(SOFT[:4].mean(axis=0), (80, 1)))


def test_trees_depend_on_the_seed_only():
    assert not np.array_equal(ask(TreeJudge(), seed=0), ask(TreeJudge(), seed=1))
    assert ask(TreeJudge(), T=np.ones((120, 1))).tolist() == [[1.0]] * 80


def test_a_classifier_of_ones_own_learns_the_share_of_each_class():
    rows, codes = np.nonzero(SOFT)
    model = GaussianNB().fit(SEEN[rows], codes, sample_weight=SOFT[rows, codes])
    np.testing.assert_allclose(ask(ClassifierJudge(GaussianNB()), T=SOFT), model.predict_proba(UNSEEN), atol=1e-2)


def test_without_weights_it_learns_the_most_probable_class():
    model = KNeighborsClassifier(3).fit(SEEN, SOFT.argmax(axis=1))
    np.testing.assert_array_equal(ask(ClassifierJudge(KNeighborsClassifier(3)), T=SOFT), model.predict_proba(UNSEEN))


def test_a_classifier_that_only_decides_gives_zeros_and_ones():
    P = ask(ClassifierJudge(LinearSVC()))
    assert set(np.unique(P)) == {0, 1}
    assert (P.sum(axis=1) == 1).all()


@pytest.mark.parametrize("classifier", [GaussianNB(), KNeighborsClassifier(3), LinearSVC()], ids=str)
def test_classes_that_it_has_not_met_have_no_probability(classifier):
    T = np.insert(KNOWN, [1, 3], 0.0, axis=1)  # 0, (1), 2, 3, (4)
    P = ask(ClassifierJudge(classifier), T=T)
    assert P.shape == (80, 5)
    assert not P[:, [1, 4]].any()
    np.testing.assert_array_equal(P[:, [0, 2, 3]], ask(ClassifierJudge(classifier)))


def test_label_sets_are_a_problem_for_each_label():
    P = ask(ClassifierJudge(GaussianNB()), T=SETS, one_class=False)
    for label in (0, 1):
        np.testing.assert_array_equal(P[:, label], GaussianNB().fit(SEEN, SETS[:, label]).predict_proba(UNSEEN)[:, 1])
    assert (P[:, 2] == 1).all()
    assert not P[:, 3].any()


def test_a_classifier_without_a_seed_gets_one():
    tree = DecisionTreeClassifier(max_features=1, max_depth=3)
    judge = ClassifierJudge(tree)
    np.testing.assert_array_equal(ask(judge, seed=1), ask(judge, seed=1))
    assert not np.array_equal(ask(judge, seed=1), ask(judge, seed=2))
    fixed = ClassifierJudge(DecisionTreeClassifier(max_features=1, max_depth=3, random_state=0))
    np.testing.assert_array_equal(ask(fixed, seed=1), ask(fixed, seed=2))
    assert tree.random_state is None


def test_names_and_lists():
    assert [judge.name for judge in resolve_judges("auto")] == [judge.name for judge in OURS]
    assert [judge.name for judge in resolve_judges(GaussianNB())] == ["GaussianNB"]
    assert [judge.name for judge in resolve_judges((GaussianNB(), LinearSVC()))] == ["GaussianNB", "LinearSVC"]


class NoClassifier(BaseEstimator):
    def fit(self, X, y):
        return self


class NeverFits(ClassifierMixin, BaseEstimator):
    def predict(self, X):
        return np.zeros(len(X))


@pytest.mark.parametrize(
    "judge", ["best", None, 3, [], GaussianNB, [GaussianNB(), "auto"], LinearRegression(), NoClassifier(), NeverFits()]
)
@pytest.mark.parametrize("n_features_to_select", ["auto", 1])
def test_what_is_no_judge_is_refused(judge, n_features_to_select):
    with pytest.raises(ValueError, match=r"judge must be 'auto', a classifier .* Create it first, as in judge="):
        SequentialSelector(judge=judge, n_features_to_select=n_features_to_select).fit(X, CODES)


COUNTS = np.random.default_rng(1).integers(1, 4, 120)
COPIES = np.repeat(np.arange(120), COUNTS)


@pytest.mark.parametrize("judge", [LinearJudge(), ClassifierJudge(GaussianNB())], ids=lambda j: j.name)
@pytest.mark.parametrize("T", [KNOWN, SOFT, SETS], ids=["classes", "soft", "sets"])
def test_a_weight_is_a_row_repeated(judge, T):
    how = {"one_class": T is not SETS}
    weighted = ask(judge, T=T, weight=COUNTS.astype(float), **how)
    np.testing.assert_allclose(weighted, ask(judge, SEEN[COPIES], T[COPIES], **how), atol=1e-6)
    assert np.abs(weighted - ask(judge, T=T, **how)).max() > 1e-3


@pytest.mark.parametrize("judge", [*OURS, ClassifierJudge(GaussianNB())], ids=lambda j: j.name)
@pytest.mark.parametrize("T", [KNOWN, SETS], ids=["classes", "sets"])
def test_rows_of_hardly_any_weight_are_not_learned(judge, T):
    """Half of the rows have wrong classes, and a weight of nearly zero."""
    wrong, weight = T.copy(), np.ones(120)
    wrong[::2], weight[::2] = np.roll(T[::2], 1, axis=1), 1e-6
    found = ask(judge, T=wrong, weight=weight, one_class=T is KNOWN)
    right, heard = (ask(judge, T=Z, one_class=T is KNOWN) for Z in (T, wrong))
    assert np.abs(found - right).mean() < np.abs(heard - right).mean() / 2


def test_neighbours_count_by_their_weights():
    weight = np.linspace(1, 3, 120)
    near = np.argsort(((UNSEEN[:, None] - SEEN) ** 2).sum(axis=2), axis=1)[:, :10]
    mean = (SOFT[near] * weight[near][..., None]).sum(axis=1) / weight[near].sum(axis=1)[:, None]
    np.testing.assert_allclose(ask(NeighbourJudge(), T=SOFT, weight=weight), mean)


def gappy(share=0.2, seed=3):
    Z = X / X[:120].std(axis=0)
    Z[np.random.default_rng(seed).random(Z.shape) < share] = np.nan
    return Z[:120], Z[120:]


@pytest.mark.parametrize("weight", [None, COUNTS.astype(float)], ids=["alone", "weights"])
def test_neighbours_with_gaps_written_out(weight):
    """A pair with a gap is twice the variance of the column apart there; all that are as near as the tenth count."""
    seen, unseen = gappy()
    unseen[0] = np.nan
    counts = np.ones(120) if weight is None else weight
    gaps = [2 * np.cov(c[~np.isnan(c)], aweights=counts[~np.isnan(c)], ddof=0) for c in seen.T]
    apart = (unseen[:, None] - seen) ** 2
    apart = np.where(np.isnan(apart), gaps, apart).sum(axis=2)
    found = ask(NeighbourJudge(), seen, SOFT, unseen, weight=weight)
    for row, distances in zip(found, apart, strict=True):
        near = distances <= np.sort(distances)[9] * (1 + 1e-9)
        np.testing.assert_allclose(row, np.average(SOFT[near], axis=0, weights=counts[near]))
    np.testing.assert_allclose(found[0], np.average(SOFT, axis=0, weights=counts))


@pytest.mark.parametrize(
    "judge",
    [*OURS, *map(ClassifierJudge, (GaussianNB(), DecisionTreeClassifier(random_state=0)))],
    ids=lambda j: j.name,
)
@pytest.mark.parametrize("T", [KNOWN, SETS], ids=["classes", "sets"])
def test_judges_predict_rows_with_gaps(judge, T):
    seen, unseen = gappy()
    unseen[0], seen[0] = np.nan, np.nan
    P = ask(judge, seen, T, unseen, one_class=T is KNOWN)
    assert ((P >= 0) & (P <= 1 + 1e-12)).all()
    assert T is SETS or (P.argmax(axis=1) == CODES[120:]).mean() > 0.5
    np.testing.assert_array_equal(P, ask(judge, seen, T, unseen, one_class=T is KNOWN))


@pytest.mark.parametrize("judge", OURS, ids=lambda j: j.name)
def test_gaps_only_among_the_rows_left_out(judge):
    unseen = UNSEEN.copy()
    unseen[::2, 0] = np.nan
    P = ask(judge, unseen=unseen)
    assert np.isfinite(P).all()
    if judge is not OURS[0]:  # complete rows tie with others within roundings there
        np.testing.assert_array_equal(P[1::2], ask(judge)[1::2])


def test_a_linear_judge_learns_from_what_is_missing():
    """A column of noise that is missing in nine of ten rows of one class, and in one of ten of the other."""
    rng = np.random.default_rng(0)
    codes, Z = np.arange(200) % 2, rng.normal(size=(200, 1))
    Z[rng.random(200) < np.where(codes == 1, 0.9, 0.1)] = np.nan
    P = ask(LinearJudge(), Z[:150], one_hot(codes)[:150], Z[150:])
    assert (P.argmax(axis=1) == codes[150:]).mean() > 0.8


def test_a_classifier_of_ones_own_gets_gaps_if_it_takes_them():
    seen, unseen = gappy()
    tree = HistGradientBoostingClassifier(max_iter=3, random_state=0)
    model = HistGradientBoostingClassifier(max_iter=3, random_state=0).fit(seen, CODES[:120], np.ones(120))
    np.testing.assert_array_equal(ask(ClassifierJudge(tree), seen, unseen=unseen), model.predict_proba(unseen))
    means = [np.where(np.isnan(Z), 0.0, Z) for Z in (seen, unseen)]
    found = ask(ClassifierJudge(GaussianNB()), seen, unseen=unseen)
    np.testing.assert_array_equal(found, ask(ClassifierJudge(GaussianNB()), means[0], unseen=means[1]))


def test_many_labels_are_predicted_by_fast_forms_of_the_same_judges():
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(300, 6))
    Y = (Z[:, :2] @ rng.normal(size=(2, 40)) + 0.3 * rng.normal(size=(300, 40)) > 0).astype(float)
    nothing = ((Y[200:] - Y[:200].mean(axis=0)) ** 2).sum(axis=1).mean()
    for judge in OURS:
        predicted = judge.predict(Z[:200], Y[:200], Z[200:], seed=0, one_class=False)
        assert predicted.shape == (100, 40)
        assert ((predicted - Y[200:]) ** 2).sum(axis=1).mean() < 0.6 * nothing
    few, many = (names_of(OURS, PlainSpace(False), n) for n in (32, 33))
    assert (few[-1], many[-1]) == ("logistic regression", "ridge regression")
    assert few[:2] == many[:2]
