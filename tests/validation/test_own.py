"""Objects of one's own that give what no kernel may read: a sentence that names them."""

import dask.array as da
import numpy as np
import pytest
from samples import gaussians
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from tamis import (
    BlanketSelector,
    ChiSquare,
    ClassDistance,
    Criterion,
    LabelModel,
    NoisyLabels,
    RankingSelector,
    SequentialSelector,
    bayes_risk,
    mutual_information,
    weighted_laplacian_score,
)
from tamis.labels._out_of_sample import probabilities_of

X, CODES = gaussians(40, 3, 3, seed=5)
ONE_HOT = np.eye(3)[CODES]


class Own(LabelModel):
    """Says what it is told to say."""

    uses_samples = False

    def __init__(self, memberships=None, classes=(0, 1, 2), more=None, seen=None):
        self.memberships, self.classes, self.more, self.seen = memberships, classes, more, seen

    def fit(self, X, y=None, *, memberships=None, classes=None):
        self.classes_ = None if self.classes is None else np.array(self.classes)
        self.memberships_ = self.memberships
        vars(self).update(self.more or {})
        return self

    def why_not_in_blocks(self):
        return None

    def search_memberships(self):
        return self.memberships_ if self.seen is None else self.seen


def _with(value):
    changed = ONE_HOT.copy()
    changed[3, 1] = value
    return changed


MEMBERSHIPS = {
    "NaN": (_with(np.nan), "numbers from 0 to 1, no NaN among them; row 3 has nan"),
    "infinite": (_with(np.inf), "row 3 has inf"),
    "negative": (_with(-0.5), "row 3 has -0.5"),
    "one dimension": (CODES.astype(float), "shape"),
    "three dimensions": (ONE_HOT[None], "shape"),
    "objects": (ONE_HOT.astype(object), "float64; got object"),
    "float32": (ONE_HOT.astype(np.float32), "float64; got float32"),
    "whole numbers": (ONE_HOT.astype(int), "float64; got int64"),
    "text": (ONE_HOT.astype(str), "float64"),
    "a list": (ONE_HOT.tolist(), "NumPy array; got list"),
    "sparse": (csr_array(ONE_HOT), "NumPy array; got csr_array"),
    "masked": (np.ma.array(ONE_HOT, mask=ONE_HOT > 2), "NumPy array; got MaskedArray"),
    "nothing": (None, "NumPy array; got NoneType"),
    "all zero": (np.zeros((40, 3)), "all are zero"),
    "tiny": (ONE_HOT * 1e-300, "sum to one .* row 0 sums to 1e-300"),
    "half": (ONE_HOT / 2, "sum to one"),
    "huge": (ONE_HOT * 1e300, "numbers from 0 to 1"),
    "few rows": (ONE_HOT[:30], "X has 40 rows, the target 30"),
    "wide": (np.hstack([ONE_HOT, ONE_HOT]), "shape"),
}
USES = {
    "sequential": lambda labels: SequentialSelector(labels=labels, n_features_to_select=1).fit(X, CODES),
    "risk": lambda labels: SequentialSelector("bayes_risk", labels=labels, n_features_to_select=1).fit(X, CODES),
    "ranking": lambda labels: RankingSelector(labels=labels).fit(X, CODES),
    "chi": lambda labels: RankingSelector(ChiSquare("quantile"), labels=labels).fit(X, CODES),
    "blocks": lambda labels: RankingSelector(labels=labels).partial_fit(X, CODES),
    "dask": lambda labels: RankingSelector(labels=labels).fit(da.from_array(X, chunks=(40, 3)), CODES),
    "blanket": lambda labels: BlanketSelector(
        labels=labels, n_features_to_select=1, random_state=0, n_conditioning=3, n_bins=10
    ).fit(X, CODES),
    "kl": lambda labels: BlanketSelector(
        "kl", labels=labels, n_features_to_select=1, random_state=0, n_conditioning=3, n_bins=10
    ).fit(X, CODES),
    "information function": lambda labels: mutual_information(X, CODES, labels=labels),
    "risk function": lambda labels: bayes_risk(X, CODES, labels=labels),
    "laplacian function": lambda labels: weighted_laplacian_score(X, CODES, labels=labels),
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("case", MEMBERSHIPS)
def test_memberships_are_checked_before_they_are_used(use, case):
    memberships, words = MEMBERSHIPS[case]
    with pytest.raises(ValueError, match=f"memberships_ of labels=Own must .*{words}"):
        USES[use](Own(memberships))


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (Own(ONE_HOT, None), "must set classes_"),
        (Own(ONE_HOT, (0, 1)), r"shape \(40, 2\); got \(40, 3\)"),
        (Own(ONE_HOT, seen=_with(np.nan)), r"search_memberships\(\) of labels=Own must have numbers"),
        (Own(ONE_HOT, seen=ONE_HOT[:5]), r"search_memberships\(\) of labels=Own must have a row per sample"),
        (Own(ONE_HOT, more={"transition_": np.eye(2)}), "transition_ of labels=Own must have shape"),
        (Own(ONE_HOT, more={"transition_": np.ones((3, 3))}), "transition_ of labels=Own must sum to one"),
        (Own(ONE_HOT, more={"class_priors_": np.ones(3)}), "class_priors_ of labels=Own must sum to one"),
        (Own(ONE_HOT, more={"noise_rates_": np.array([np.nan] * 3)}), "noise_rates_ of labels=Own must have numbers"),
    ],
)
def test_what_a_label_model_says_of_the_classes_is_checked(use, labels, words):
    with pytest.raises(ValueError, match=words):
        USES[use](labels)


@pytest.mark.filterwarnings("ignore:class .* has fewer than")
@pytest.mark.parametrize("use", USES)
def test_label_models_that_keep_the_contract_are_taken(use):
    nothing_known = ONE_HOT.copy()
    nothing_known[3] = 0.0
    for memberships in (ONE_HOT, np.asfortranarray(ONE_HOT), nothing_known, np.where(ONE_HOT, 1.0, 5e-324)):
        USES[use](Own(memberships, more={"transition_": np.eye(3)}))


def test_labels_that_break_at_a_later_step_are_noticed():
    class Later(Own):
        refit = "each-step"

        def fit_again(self, X):
            self.memberships_ = _with(np.nan)

    selector = SequentialSelector("bayes_risk", labels=Later(ONE_HOT), n_features_to_select=1)
    with pytest.raises(ValueError, match="memberships_ of labels=Later must have numbers"):
        selector.fit(X, CODES)


class Constant(Criterion):
    def __init__(self, value=0.0):
        self.value = value

    def score(self, X, memberships):
        return self.value


@pytest.mark.parametrize("value", [np.nan, np.inf, None, "a", 1j, np.zeros(3), [1.0], 10**400, -(10**400)])
@pytest.mark.parametrize(
    "selector", [RankingSelector(), SequentialSelector(), SequentialSelector(direction="forward", random_state=0)]
)
def test_a_criterion_scores_with_a_number(selector, value):
    with pytest.raises(ValueError, match="criterion=Constant must score a subset with one number below infinity; got"):
        selector.set_params(criterion=Constant(value)).fit(X, CODES)


@pytest.mark.parametrize("value", [1, np.float32(1), np.array(1.0), np.array([[1.0]]), 1e308, -np.inf])
def test_numbers_of_any_type_are_scores(value):
    fitted = RankingSelector(Constant(value)).fit(X, CODES)
    assert (fitted.scores_ == float(np.asarray(value).item())).all()


class Scores:
    def __init__(self, of_many):
        self.of_many = of_many

    def of(self, subset):
        return self.of_many(1)[0]

    def without_each(self, subset):
        return self.of_many(len(subset))

    def with_each(self, subset, candidates):
        return self.of_many(len(candidates))

    def beside(self, subset, blocks):
        return self.of_many(blocks.shape[1])


class OwnScorer(Criterion):
    def __init__(self, of_many=None):
        self.of_many = of_many

    def scorer(self, X, memberships, **how):
        return Scores(self.of_many)


@pytest.mark.parametrize(
    ("of_many", "words"),
    [
        (lambda n: np.full((n, 2), np.nan), "below infinity; got nan"),
        (lambda n: np.full((n, 2), np.inf), "below infinity; got inf"),
        (lambda n: np.zeros((n + 1, 2)), "of shape"),
        (lambda n: np.zeros(n), "of shape"),
        (lambda n: np.full((n, 2), None), "got object"),
        (lambda n: None, "got object"),
    ],
)
@pytest.mark.parametrize(
    "selector", [RankingSelector(), SequentialSelector(), SequentialSelector(direction="forward", random_state=0)]
)
def test_a_scorer_gives_rows_of_two_numbers(selector, of_many, words):
    with pytest.raises((ValueError, TypeError), match=words if of_many(1) is not None else "NoneType|object"):
        selector.set_params(criterion=OwnScorer(of_many)).fit(X, CODES)


PROBABILITIES = {
    "NaN": (lambda n: np.full((n, 3), np.nan), "row 0 has nan"),
    "negative": (lambda n: np.full((n, 3), -1.0), "row 0 has -1"),
    "per cent": (lambda n: np.full((n, 3), 33.0), "row 0 has 33"),
    "wide": (lambda n: np.full((n, 4), 0.25), "shape"),
    "narrow": (lambda n: np.full((n, 2), 0.5), "shape"),
    "too many rows": (lambda n: np.full((n + 1, 3), 0.3), "shape"),
    "one dimension": (lambda n: np.zeros(n), "shape"),
    "objects": (lambda n: np.full((n, 3), None), "float64"),
    "text": (lambda n: np.full((n, 3), "a"), "float64"),
}


class Says(ClassifierMixin, BaseEstimator):
    def __init__(self, of_rows=None, oob_score=False):
        self.of_rows, self.oob_score = of_rows, oob_score

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.oob_decision_function_ = self.of_rows(len(X))

    def predict_proba(self, X):
        return self.of_rows(len(X))


@pytest.mark.parametrize("out_of_bag", [False, True])
@pytest.mark.parametrize("case", PROBABILITIES)
def test_a_noise_classifier_is_checked(case, out_of_bag):
    of_rows, words = PROBABILITIES[case]
    if out_of_bag and case == "NaN":  # samples that were in every bag
        return
    with pytest.raises(ValueError, match=f"noise classifier Says must .*{words}"):
        NoisyLabels(Says(of_rows, out_of_bag)).fit(X, CODES)


@pytest.mark.parametrize("estimator", [[], 5, [None], "x", Says, object()])
def test_only_classifiers_tell_true_classes(estimator):
    with pytest.raises(ValueError, match="estimator must be 'auto', 'precomputed', None, or classifiers"):
        NoisyLabels(estimator).fit(X, CODES)


def test_probabilities_are_those_of_a_cross_validation():
    for classifier in (GaussianNB(), DecisionTreeClassifier(max_depth=2, random_state=1)):
        (found,) = probabilities_of(classifier, X, CODES, seed=3, n_jobs=1)
        folds = StratifiedKFold(5, shuffle=True, random_state=3)
        assert (found == cross_val_predict(classifier, X, CODES, cv=folds, method="predict_proba")).all()


@pytest.mark.filterwarnings("ignore:the features tell nothing")
def test_classifiers_without_a_seed_get_that_of_the_model():
    def fitted(classifier):
        return NoisyLabels(classifier, random_state=4).fit(X, CODES).memberships_

    assert (fitted(RandomForestClassifier(5)) == fitted(RandomForestClassifier(5))).all()
    given = RandomForestClassifier(5, random_state=9)
    assert (fitted(given) == fitted(given)).all()
    assert given.random_state == 9


@pytest.mark.parametrize(
    "setting",
    [
        {"transition": np.eye(3)},
        {"transition": None},
        {"initial_rate": np.array([0.1, 0.2])},
        {"initial_rate": np.nan},
        {"initial_rate": 10**400},
        {"refit": np.array(["once"])},
        {"scale": np.zeros(3)},
        {"tol": "a"},
        {"n_init": 10**30},
    ],
)
def test_settings_of_the_noise_model(setting):
    (name,) = setting
    with pytest.raises(ValueError, match=f"{name} must be"):
        NoisyLabels(**setting).fit(X, CODES)


class Narrow(ClassDistance):
    def for_classes(self, classes, *, extra="error"):
        return ClassDistance(1 - np.eye(2))


@pytest.mark.parametrize(
    "distance", [1 - np.eye(2), 1 - np.eye(4), ClassDistance(1 - np.eye(4)), Narrow(1 - np.eye(3))]
)
def test_a_class_distance_has_a_row_per_class(distance):
    with pytest.raises(ValueError, match="class_distance must have a row and a column per class, 3 x 3"):
        BlanketSelector(class_distance=distance, n_conditioning=3, n_bins=10).fit(X, CODES)
