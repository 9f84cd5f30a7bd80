"""Selection feature by feature, at any size."""

from __future__ import annotations

import numpy as np
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import validate_data

from .. import _validation
from ..labels import label_kind, resolve_labels
from ..relevance import AdditiveCriterion, Criterion, criterion_kind, known_rows, resolve_criterion, scorer_of
from ..search import Path, ranking
from . import _dask
from ._base import BaseSelector, constant_columns
from ._blocks import where_rows_add_up
from ._progress import track, with_callbacks

_FEATURES_AT_ONCE = 64


class RankingSelector(BaseSelector):
    """Select the features that are best each by itself.

    Parameters
    ----------
    criterion : {"weighted_laplacian", "laplacian", "mutual_information", "bayes_risk"} or Criterion, \
default="weighted_laplacian"
        "weighted_laplacian" compares class means and works at any size: on sparse matrices, dask arrays, and blocks of
        rows (`partial_fit`). "mutual_information" and "bayes_risk" see any difference between the classes;
        "laplacian" needs no labels.
    labels : {"hard", "noisy", "soft", "crowd", "multilabel"} or label model, default="hard"
        What is known about the target: a class per row, a class that may be wrong, probabilities, annotators' answers,
        sets of labels.
        A noise model is estimated once, on all features.
    n_features_to_select : int or float, default=0.5
        A number of features, or a fraction of them.
    required_features : array-like of int, str or bool, default=None
        Features that are always in.
    n_jobs : int, default=None
        Threads; the result does not depend on it.
    random_state : int, RandomState instance or None, default=None
        For label models that draw random numbers and have no seed of their own.
    verbose : int, default=0
        Whether to show a progress bar. With scikit-learn >= 1.9 callbacks (`set_callbacks`) report progress too.

    Attributes
    ----------
    support_ : ndarray of bool, shape (n_features,)
    ranking_ : ndarray of int, shape (n_features,)
        1 for selected features, then 2, 3, ... in the order they would join.
    scores_ : ndarray of float, shape (n_features,)
        The criterion of each feature alone, higher is better: minus the weighted Laplacian score, say.
    path_ : Path
        The ranking as a path. Another size needs no second fit: `path_.subset(n)`.
    classes_ : ndarray of shape (n_classes,)
    memberships_ : ndarray of shape (n_samples, n_classes)
        Of `fit` on arrays only: blocks are not kept.
    n_features_ : int
        Number of selected features.

    Notes
    -----
    A ranking keeps copies of a good feature and misses features that matter only together; `SequentialSelector` does
    neither. Constant columns come last. Costs: O(n_samples n_classes n_features) for the weighted Laplacian score;
    O(n_samples log n_samples) per feature for the others, by sorting, and with the memory of 64 features; a search for
    neighbours for "laplacian".

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from tamis import RankingSelector
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> selector = RankingSelector(n_features_to_select=2).fit(X, y)
    >>> selector.get_feature_names_out().tolist()
    ['petal length (cm)', 'petal width (cm)']

    In blocks:

    >>> selector = RankingSelector()
    >>> for rows in (slice(0, 50), slice(50, 150)):
    ...     selector = selector.partial_fit(X[rows], y[rows], classes=[0, 1, 2])
    >>> selector.get_feature_names_out().tolist()
    ['petal length (cm)', 'petal width (cm)']
    """

    def __init__(
        self,
        criterion="weighted_laplacian",
        *,
        labels="hard",
        n_features_to_select=0.5,
        required_features=None,
        n_jobs=None,
        random_state=None,
        verbose=0,
    ):
        self.criterion = criterion
        self.labels = labels
        self.n_features_to_select = n_features_to_select
        self.required_features = required_features
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    @with_callbacks
    def fit(self, X, y=None, *, memberships=None):
        """Score every feature.

        Parameters
        ----------
        X : array-like, sparse matrix or dask array of shape (n_samples, n_features)
            Sparse matrices and dask arrays with the weighted Laplacian score only.
        y : array-like of shape (n_samples,), (n_samples, n_classes) or (n_samples, n_annotators)
            Classes, or what the label model takes; a dask array beside one.
        memberships : array-like of shape (n_samples, n_classes), default=None
            Probabilities of the classes (sorted as in y) for `labels="soft"`, beside a plain y for a whole pipeline.
        """
        criterion, self._sums = resolve_criterion(self.criterion), None
        if _dask.is_dask(X):
            return self._fit_dask(criterion, X, y, memberships)
        X = self._validated(X, criterion, reset=True, ensure_min_samples=2)
        wanted = self._wanted()
        labels = self._fitted_labels(X, y, memberships)
        if criterion.uses_labels:
            self.memberships_ = labels.memberships_
        if not isinstance(criterion, AdditiveCriterion):
            scorer = scorer_of(criterion, labels, X, n_threads=_validation.check_threads(self.n_jobs))
            return self._rank(scorer, *wanted, idle=constant_columns(X))
        self._sums = self._sums_of(criterion, X, labels)
        return self._rank(criterion.scorer_of(self._sums, classes=self.classes_), *wanted)

    def _fit_dask(self, criterion, X, y, memberships):
        labels = self._fresh_labels()
        # A target can be gathered where it is looked at alone; samples cannot.
        reason = self._why_not_in_blocks() if labels.uses_samples else self._why_not_sums()
        if reason is not None:
            raise ValueError(reason)
        for other in ("memberships_", "feature_names_in_"):
            self.__dict__.pop(other, None)
        self.n_features_in_ = X.shape[1]
        wanted = self._wanted()
        self.classes_, self._sums = _dask.sums_of(criterion, labels, X, y, memberships)
        return self._rank(criterion.scorer_of(self._sums, classes=self.classes_), *wanted)

    @where_rows_add_up
    @with_callbacks
    def partial_fit(self, X, y=None, classes=None, *, memberships=None):
        """Add a block of rows to those seen so far, and rank the features anew.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rows, n_features)
        y : array-like of shape (n_rows,), (n_rows, n_classes) or (n_rows, n_annotators)
        classes : array-like of shape (n_classes,), default=None
            All classes, in the first call; by default those of the first block are all there are.
        memberships : array-like of shape (n_rows, n_classes), default=None

        Notes
        -----
        The result is that of one `fit` up to a relative rounding error of 1e-10. A block that is refused leaves the
        sums as they were.
        """
        criterion, labels = resolve_criterion(self.criterion), self._fresh_labels()
        before = getattr(self, "_sums", None)
        X = self._validated(X, criterion, reset=before is None)
        wanted = self._wanted()
        if before is not None:
            if classes is not None:
                _validation.check_same_classes(np.asarray(classes), self.classes_)
            classes = self.classes_
        labels.fit(None, y, memberships=memberships, classes=classes)
        _validation.check_rows_match(X, labels.memberships_)
        block = self._sums_of(criterion, X, labels)
        self.classes_, self._sums = labels.classes_, block if before is None else before + block
        self.__dict__.pop("memberships_", None)
        try:
            scorer = criterion.scorer_of(self._sums, classes=self.classes_)
        except ValueError as reason:  # one class so far: later blocks may have others
            self._not_yet = str(reason)
            return self
        return self._rank(scorer, *wanted)

    def transform(self, X):
        """The selected columns of X; lazily so for a dask array."""
        return X[:, np.flatnonzero(self._get_support_mask())] if _dask.is_dask(X) else super().transform(X)

    def _validated(self, X, criterion, **how):
        sparse = "csr" if isinstance(criterion, AdditiveCriterion) else False
        return validate_data(self, X, accept_sparse=sparse, dtype=np.float64, order="C", **how)

    def _why_not_sums(self) -> str | None:
        """The reason why the criterion is not a sum over rows; None if it is."""
        if issubclass(criterion_kind(self.criterion) or AdditiveCriterion, AdditiveCriterion):
            return None
        return (
            "rows in blocks need a criterion that is a sum over rows, such as 'weighted_laplacian'; got "
            f"{self.criterion!r}, which compares all rows. Use fit on an array that fits into memory."
        )

    def _why_not_in_blocks(self) -> str | None:
        """The reason why rows cannot come in blocks; None if they can, or if the labels are not even known."""
        if (reason := self._why_not_sums()) is not None or label_kind(self.labels) is None:
            return reason
        reason = resolve_labels(self.labels).why_not_in_blocks()
        return None if reason is None else f"labels={self.labels!r} cannot be used with rows in blocks: {reason}."

    def _sums_of(self, criterion, X, labels):
        X, memberships = known_rows(X, labels.search_memberships())
        return criterion.sums(X, memberships, n_threads=_validation.check_threads(self.n_jobs))

    def _wanted(self) -> tuple[int, frozenset[int]]:
        """How many features, and which of them in any case."""
        n_selected = _validation.check_n_features_to_select(self.n_features_to_select, self.n_features_in_)
        return n_selected, self._required(n_selected)

    def _rank(self, scorer, n_selected, required, idle=frozenset()):
        d = self.n_features_in_
        scores = np.full((d, 2), np.nan)
        batches = [range(begin, min(begin + _FEATURES_AT_ONCE, d)) for begin in range(0, d, _FEATURES_AT_ONCE)]
        try:
            work = ((batch, scorer.with_each((), batch)) for batch in batches)
            for batch, found in track(self, work, len(batches), verbose=self.verbose):
                scores[batch] = found
        finally:  # Ctrl-C loses nothing
            scored = ~np.isnan(scores[:, 0])
            steps = ranking(np.where(scored[:, None], scores, -np.inf), required=required, idle=idle)
            self.path_ = Path("ranking", d, (), tuple(step for step in steps if scored[step.feature]))
        self._keep(n_selected)
        return self

    def _get_support_mask(self):
        if hasattr(self, "_not_yet") and not hasattr(self, "support_"):
            raise NotFittedError(f"{self._not_yet} Go on with partial_fit.")
        return super()._get_support_mask()

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        adds_up = issubclass(criterion_kind(self.criterion) or Criterion, AdditiveCriterion)
        tags.input_tags.sparse = adds_up and not getattr(label_kind(self.labels), "uses_samples", True)
        return tags
