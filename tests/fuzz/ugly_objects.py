"""Label models, criteria and classifiers that somebody wrote, some of them wrong."""

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

from tamis import AdditiveCriterion, Criterion, LabelModel


def _put(P, value):
    P = P.copy()
    P[len(P) // 2, 0] = value
    return P


MEMBERSHIPS = {
    "right": lambda P: P,
    "float32": lambda P: P.astype(np.float32),
    "integers": lambda P: np.eye(P.shape[1], dtype=int)[P.argmax(axis=1)],
    "list": lambda P: P.tolist(),
    "Fortran": np.asfortranarray,
    "a row of zeros": lambda P: P * (np.arange(len(P)) > 0)[:, None],
    "NaN": lambda P: _put(P, np.nan),
    "inf": lambda P: _put(P, np.inf),
    "negative": lambda P: _put(P, -0.5),
    "negative zero": lambda P: _put(P, -0.0),
    "all zero": np.zeros_like,
    "one dimension": lambda P: P[:, 0],
    "three dimensions": lambda P: P[:, :, None],
    "objects": lambda P: P.astype(object),
    "words": lambda P: P.astype(str),
    "complex": lambda P: P.astype(complex),
    "sparse": sparse.csr_array,
    "a row too few": lambda P: P[:-1],
    "a row too many": lambda P: np.vstack([P, P[:1]]),
    "one column": lambda P: P[:, :1],
    "a column too many": lambda P: np.column_stack([P, np.zeros(len(P))]),
    "no columns": lambda P: P[:, :0],
    "huge": lambda P: P * 1e308,
    "tiny": lambda P: P * 1e-310,
    "twice": lambda P: P * 2,
    "None": lambda P: None,
    "a number": lambda P: 1.0,
}
CLASSES = {
    "right": lambda n: np.arange(n),
    "list": lambda n: list(range(n)),
    "words": lambda n: np.array([f"class {s}" for s in range(n)]),
    "too few": lambda n: np.arange(n - 1),
    "None": lambda n: None,
    "a number": lambda n: 3,
}


class OwnLabels(LabelModel):
    """Memberships by a form of the table above."""

    def __init__(self, memberships="right", classes="right", missing=()):
        self.memberships = memberships
        self.classes = classes
        self.missing = missing

    def fit(self, X, y=None, *, memberships=None):
        n = X.shape[0]
        P = np.full((n, 3), 0.1) + 0.7 * np.eye(3)[np.arange(n) % 3]
        self.memberships_, self.classes_ = MEMBERSHIPS[self.memberships](P), CLASSES[self.classes](3)
        for name in self.missing:
            delattr(self, name)
        return self


class OwnWeightedLabels(OwnLabels):
    """The same, which takes what is known of the rows."""

    def fit(self, X, y=None, *, memberships=None, sample_weight=None, groups=None):
        return super().fit(X, y, memberships=memberships)


SCORES = {
    "right": lambda X: float(np.sign(X).mean()),
    "an integer": lambda X: int(X.shape[1]),
    "float32": lambda X: np.float32(X.shape[1]),
    "equal": lambda X: 0.0,
    "NaN": lambda X: np.nan,
    "NaN for two": lambda X: np.nan if X.shape[1] == 2 else 1.0,
    "inf": lambda X: np.inf,
    "-inf": lambda X: -np.inf,
    "None": lambda X: None,
    "a word": lambda X: "good",
    "complex": lambda X: 1j,
    "an array": lambda X: np.ones(1),
    "two numbers": lambda X: np.ones(2),
    "a boolean": lambda X: bool(X.shape[1] > 1),
    "a list": lambda X: [1.0],
}


class OwnCriterion(Criterion):
    """Scores by a form of the table above."""

    def __init__(self, score_is="right"):
        self.score_is = score_is

    def score(self, X, memberships):
        return SCORES[self.score_is](np.nan_to_num(X))


class OwnOfGaps(OwnCriterion):
    """The same, which takes missing values."""

    allows_missing = True


class Unfinished(AdditiveCriterion):
    """Has nothing that is needed."""


PROBABILITIES = {
    "right": lambda P: P,
    "too wide": lambda P: np.column_stack([P, np.zeros(len(P))]),
    "too narrow": lambda P: P[:, :1],
    "NaN": lambda P: _put(P, np.nan),
    "negative": lambda P: _put(P, -1.0),
    "above one": lambda P: P * 3,
    "all zero": np.zeros_like,
    "one dimension": lambda P: P[:, 0],
    "None": lambda P: None,
    "a row too few": lambda P: P[:-1],
    "words": lambda P: P.astype(str),
    "list": lambda P: P.tolist(),
    "sure": lambda P: np.eye(P.shape[1])[P.argmax(axis=1)],
}


class Quiet:
    """Keeps to itself what a classifier of another library has to warn of: features that are constant or huge."""

    def fit(self, X, y):
        with np.errstate(all="ignore"):
            return super().fit(X, y)

    def predict_proba(self, X):
        with np.errstate(all="ignore"):
            return super().predict_proba(X)


class QuietBayes(Quiet, GaussianNB):
    pass


class QuietNeighbors(Quiet, KNeighborsClassifier):
    pass


class OwnClassifier(ClassifierMixin, BaseEstimator):
    """A classifier that says the shares of the classes, in a form of the table above."""

    def __init__(self, says="right", missing=()):
        self.says = says
        self.missing = missing

    def fit(self, X, y):
        self.classes_, counts = np.unique(y, return_counts=True)
        self.shares_ = counts / counts.sum()
        for name in self.missing:
            delattr(self, name)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])

    def predict_proba(self, X):
        return PROBABILITIES[self.says](np.tile(self.shares_, (len(X), 1)))


def own_labels(draw):
    """A label model of one's own: one thing about it is wrong, if any."""
    if not draw.wrong(0.5):
        kind = draw.among([OwnLabels, OwnWeightedLabels])
        return kind(draw.among(["right", "a row of zeros", "negative zero"]), draw.among(["right", "words"]))
    if draw.chance(0.7):
        return OwnLabels(draw.among(sorted(MEMBERSHIPS)))
    if draw.chance(0.7):
        return OwnLabels(classes=draw.among(sorted(CLASSES)))
    return OwnLabels(missing=(draw.among(["memberships_", "classes_"]),))


def own_criterion(draw):
    if draw.wrong(0.03):
        return Unfinished()
    kind = draw.among([OwnCriterion, OwnOfGaps])
    return kind(draw.among(sorted(SCORES) if draw.wrong(0.5) else ["right", "an integer", "equal", "float32"]))


def own_classifier(draw):
    if not draw.wrong(0.25):
        return draw.among([QuietBayes(), QuietBayes(), QuietNeighbors(2), OwnClassifier(), OwnClassifier("sure")])
    return draw.among(
        [
            LinearSVC(),
            GaussianNB,
            OwnClassifier(missing=("classes_",)),
            *(OwnClassifier(says) for says in sorted(PROBABILITIES)),
        ]
    )
