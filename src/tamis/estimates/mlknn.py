"""Sets of labels predicted from nearest neighbours."""

from __future__ import annotations

import warnings

import numpy as np
from scipy.sparse import csr_matrix, issparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.neighbors import NearestNeighbors
from sklearn.utils.validation import _get_feature_names, check_is_fitted

from .. import _validation
from ..distances.balls import log2_scale

_HOW = {"accept_sparse": "csr", "dtype": "numeric"}
_FAR = 200


class MLkNNClassifier(ClassifierMixin, BaseEstimator):
    """Predict a set of labels: each label from the number of neighbours that have it, by Bayes' rule.

    Parameters
    ----------
    n_neighbors : int, default=10
        Euclidean, so that units matter: scale the features first. Of rows at equal distance those count that
        scikit-learn's `NearestNeighbors` takes.
    smoothing : float, default=1.0
        Rows that are added to every count before shares are taken; above 0.
    n_jobs : int, default=None
        For the search for neighbours.

    Attributes
    ----------
    classes_ : ndarray of shape (n_labels,)
        Labels in the order of the columns of Y: their names if it is a table, else 0, 1, ...
    posteriors_ : ndarray of shape (n_labels, n_neighbors + 1)
        Probability of each label given the number of neighbours that have it, 0 to n_neighbors.
    n_features_in_ : int

    Notes
    -----
    In training a row is not its own neighbour (by index, not by distance zero). A label is predicted if it is more
    probable than not; at exactly 0.5 it is not. A target of one class per row is taken for one label per class:
    probabilities are then divided by their sum, and the class of the highest is predicted, the first of equal ones.

    References
    ----------
    Zhang and Zhou (2007): ML-KNN: a lazy learning approach to multi-label learning. Pattern Recognition 40.

    Examples
    --------
    >>> from sklearn.datasets import make_multilabel_classification
    >>> from tamis import MLkNNClassifier
    >>> X, Y = make_multilabel_classification(random_state=0)
    >>> classifier = MLkNNClassifier().fit(X[:80], Y[:80])
    >>> classifier.predict(X[80:82])
    array([[0, 1, 0, 0, 0],
           [0, 1, 1, 0, 1]])
    >>> classifier.predict_proba(X[80:]).shape
    (20, 5)
    """

    def __init__(self, n_neighbors=10, *, smoothing=1.0, n_jobs=None):
        self.n_neighbors = n_neighbors
        self.smoothing = smoothing
        self.n_jobs = n_jobs

    def fit(self, X, Y):
        """Count, for each label, how many neighbours share it.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        Y : array-like, sparse matrix or table of shape (n_samples, n_labels), or array-like of shape (n_samples,)
            Zeros and ones with a column per label; or a class per row.
        """
        n_neighbors = _validation.check_count("n_neighbors", self.n_neighbors)
        smoothing = _validation.check_positive("smoothing", self.smoothing)
        names = _get_feature_names(Y) if _validation.has_columns(Y) else None
        X = _validation.check_numbers("X", X, estimator=self, ensure_min_samples=2, **_HOW)
        self.classes_, self._has, self._one_each = _labels_of(Y, names)
        _validation.check_rows_match(X, self._has)
        n = len(self._has)
        if n_neighbors >= n:
            said = f"n_neighbors={n_neighbors} but only {n} samples; {n - 1} neighbours are used."
            warnings.warn(said, UserWarning, stacklevel=2)
        k = min(n_neighbors, n - 1)
        self._exponent = _far_exponent(X)
        n_threads = _validation.check_threads(self.n_jobs)
        self._neighbors = NearestNeighbors(n_neighbors=k, n_jobs=n_threads).fit(self._in_reach(X))
        self.posteriors_ = _posteriors(self._has, self._counts(None), k, smoothing)
        return self

    def predict_proba(self, X) -> np.ndarray:
        """Probability of each label, of shape (n_samples, n_labels); rows sum to 1 only if trained on classes."""
        check_is_fitted(self)
        X = self._in_reach(_validation.check_numbers("X", X, estimator=self, reset=False, **_HOW))
        P = self.posteriors_[np.arange(len(self.classes_)), self._counts(X)]
        return P / P.sum(axis=1, keepdims=True) if self._one_each else P

    def predict(self, X) -> np.ndarray:
        """Zeros and ones of shape (n_samples, n_labels); a class per row if trained on classes."""
        P = self.predict_proba(X)
        return self.classes_[P.argmax(axis=1)] if self._one_each else (P > 0.5).astype(np.int64)

    def _counts(self, X):
        """How many neighbours have each label; of the training rows, without themselves, if X is None."""
        near = self._neighbors.kneighbors(X, return_distance=False)
        n, k = near.shape
        graph = csr_matrix(
            (np.ones(n * k, dtype=np.intp), near.ravel(), np.arange(0, n * k + 1, k)), (n, len(self._has))
        )
        return graph @ self._has

    def _in_reach(self, X):
        """X in units of a power of two, if squares would leave the range of floats; what is still too far is cut."""
        if not self._exponent and _far_exponent(X) <= 0:
            return X
        X = X.astype(float)
        values = X.data if issparse(X) else X
        np.ldexp(np.clip(values, *_limits(self._exponent)), -self._exponent, out=values)
        return X

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        tags.input_tags.sparse = True
        return tags


def _far_exponent(X) -> int:
    """Exponent e with max |X| < 2**e if that is beyond 2**200 or 2**-200, else 0."""
    exponent = log2_scale(X.data if issparse(X) else X)
    return exponent if abs(exponent) > _FAR else 0


def _limits(exponent):
    """Values that are at most 2**400 in units of 2**exponent."""
    most = np.ldexp(1.0, min(exponent + 2 * _FAR, 1023))
    return -most, most


def _labels_of(Y, names):
    """Labels, which of them each row has (zeros and ones), and whether that is one each."""
    if _validation.has_columns(Y):
        has = _validation.check_indicator("Y", Y.toarray() if issparse(Y) else Y)
        return np.arange(has.shape[1]) if names is None else names, has.astype(np.intp), False
    y = _validation.class_column("y", Y.toarray() if issparse(Y) else Y)
    classes, codes = np.unique(y, return_inverse=True)
    return classes, np.eye(len(classes), dtype=np.intp)[codes], True


def _posteriors(has, counts, k, smoothing):
    """Bayes' rule for each label and each count from 0 to k: prior times share of rows that have this count."""
    n, n_labels = has.shape
    cells = (np.arange(n_labels) * (k + 1) + counts) * 2 + has
    rows = np.bincount(cells.ravel(), minlength=2 * n_labels * (k + 1)).reshape(n_labels, k + 1, 2)
    shares = (smoothing + rows) / (smoothing * (k + 1) + rows.sum(axis=1, keepdims=True))
    prior = (smoothing + has.sum(axis=0)) / (2 * smoothing + n)
    present, absent = prior[:, None] * shares[:, :, 1], (1 - prior[:, None]) * shares[:, :, 0]
    total = present + absent
    # A count that no row has tells nothing, if the smoothing is so small (or large) that products vanish.
    return np.where(total > 0, present / np.where(total > 0, total, 1.0), 0.5)
