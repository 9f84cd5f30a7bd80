"""Greedy joint selection."""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from .. import _validation
from ..distances.scaling import scaled
from ..labels import HardLabels, NoisyLabels, resolve_labels
from ..relevance import RefittingScorer, resolve_criterion, scorer_of
from ..search import Path, backward, forward
from ._progress import CallbackSupportMixin, track, with_callbacks


class SequentialSelector(CallbackSupportMixin, SelectorMixin, BaseEstimator):
    """Select features that are informative together, by a greedy search.

    Parameters
    ----------
    criterion : {"mutual_information", "bayes_risk"} or Criterion, default="mutual_information"
    labels : {"hard", "noisy", "soft"} or label model, default="hard"
        What is known about the target: a class per row, a class that may be wrong, probabilities.
    direction : {"backward", "forward"}, default="backward"
        Backward sees features that matter only together, and its path runs down to one feature; forward is the choice
        for many features of which few are wanted.
    n_features_to_select : int or float, default=0.5
        A number of features, or a fraction of them.
    scale : {"standard", None}, default="standard"
        Distances are Euclidean, so units matter: columns are divided by their standard deviation unless None.
    required_features : array-like of int, str or bool, default=None
        Features that are never removed and always in.
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
        How much the criterion changed as each feature left or entered, higher is better; NaN if it never moved.
    path_ : Path
        Every subset visited with its score, and with noisy labels their rates. Another size needs no second fit:
        `path_.subset(n)`. After an interruption (Ctrl-C) it holds the part done so far.
    classes_ : ndarray of shape (n_classes,)
    memberships_ : ndarray of shape (n_samples, n_classes)
        Those estimated for the step that led to the selected subset.
    n_features_ : int
        Number of selected features.

    Notes
    -----
    Constant columns are the first to leave and the last to enter, whatever the criterion makes of them. Of two equal
    columns the first is kept. The cost of a step over m features is O(n_samples^2 m), see `tamis._kernels`.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from tamis import SequentialSelector
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> selector = SequentialSelector(n_features_to_select=4).fit(X, y)
    >>> selector.get_feature_names_out().tolist()
    ['alcohol', 'flavanoids', 'hue', 'proline']
    """

    def __init__(
        self,
        criterion="mutual_information",
        *,
        labels="hard",
        direction="backward",
        n_features_to_select=0.5,
        scale="standard",
        required_features=None,
        n_jobs=None,
        random_state=None,
        verbose=0,
    ):
        self.criterion = criterion
        self.labels = labels
        self.direction = direction
        self.n_features_to_select = n_features_to_select
        self.scale = scale
        self.required_features = required_features
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    @with_callbacks
    def fit(self, X, y, *, memberships=None):
        """Search for informative subsets.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_classes)
            Classes, or what the label model takes.
        memberships : array-like of shape (n_samples, n_classes), default=None
            Probabilities of the classes (sorted as in y) for `labels="soft"`, beside a plain y for a whole pipeline.
        """
        X = validate_data(self, X, dtype=np.float64, order="C", ensure_min_samples=2)
        n_selected = _validation.check_n_features_to_select(self.n_features_to_select, X.shape[1])
        moves = {
            "required": self._required(n_selected),
            "idle": frozenset(np.flatnonzero(np.ptp(X, axis=0) == 0).tolist()),
        }
        labels = self._labels().fit(X, y, memberships=memberships)
        _validation.check_rows_match(X, labels.memberships_)
        self.classes_ = labels.classes_
        self._search(self._scorer(X, labels), labels, n_selected, **moves)
        self._keep(n_selected)
        return self

    def _labels(self):
        """A fresh label model; it gets this selector's seed and threads unless it has its own."""
        labels = resolve_labels(self.labels)
        own = labels.get_params(deep=False)
        shared = {name: getattr(self, name) for name in ("random_state", "n_jobs") if own.get(name, 0) is None}
        return labels.set_params(**shared)

    def _scorer(self, X, labels):
        criterion, n_threads = resolve_criterion(self.criterion), _validation.check_threads(self.n_jobs)
        at_scale = scaled(X, self.scale)
        if labels.refit == "each-step":
            return RefittingScorer(criterion, labels, X, at_scale, n_threads=n_threads)
        return scorer_of(criterion, labels, at_scale, n_threads=n_threads)

    def _required(self, n_selected):
        names = getattr(self, "feature_names_in_", None)
        required = _validation.check_features("required_features", self.required_features, self.n_features_in_, names)
        if len(required) > n_selected:
            raise ValueError(
                f"required_features must not be more than n_features_to_select, which asks for {n_selected}; got "
                f"{len(required)}. Ask for more features or require fewer."
            )
        return frozenset(required.tolist())

    def _search(self, scorer, labels, n_selected, required, idle):
        d = self.n_features_in_
        direction = _validation.check_choice("direction", self.direction, ("backward", "forward"))
        if direction == "backward":
            start, total = tuple(range(d)), d - max(1, len(required)) + 1
            steps = backward(scorer, d, required=required, idle=idle)
        else:
            start, total = tuple(sorted(required)), n_selected - len(required) + bool(required)
            steps = forward(scorer, d, n_features_to_select=n_selected, required=required, idle=idle)
        done: list = []
        off = np.inf
        try:
            for step in track(self, steps, total, verbose=self.verbose):
                done.append(step._replace(noise_rates=labels.rates()))
                size = Path(direction, d, start, tuple(done)).sizes[-1]
                if abs(size - n_selected) < off:
                    off, self.memberships_ = abs(size - n_selected), labels.memberships_
        finally:  # Ctrl-C loses nothing
            self.path_ = Path(direction, d, start, tuple(done))

    def _keep(self, n_selected):
        """Fitted attributes from the path; the nearest size on it if a callback ended the search early."""
        sizes = self.path_.sizes
        self.n_features_ = int(sizes[np.argmin(np.abs(sizes - n_selected))])
        chosen = self.path_.subset(self.n_features_)
        self.support_ = np.isin(np.arange(self.n_features_in_), chosen)
        self.scores_ = self.path_.gains()
        # Backward: of those that left, the last is the first to join again. Forward: those that never entered are last.
        self.ranking_ = np.where(self.support_, 1, 2)
        if self.path_.direction == "backward":
            left = self.path_.order[: self.n_features_in_ - self.n_features_]
            self.ranking_[left[::-1]] = np.arange(2, 2 + len(left))

    def _get_support_mask(self):
        check_is_fitted(self, "support_")
        return self.support_

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        one_class_a_row = self.labels in ("hard", "noisy") or isinstance(self.labels, HardLabels | NoisyLabels)
        tags.target_tags.two_d_labels = not one_class_a_row
        return tags
