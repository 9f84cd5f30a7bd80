"""Greedy joint selection."""

from __future__ import annotations

import numpy as np
from sklearn.utils.validation import validate_data

from .. import _validation
from ..distances.scaling import scaled
from ..relevance import RefittingScorer, resolve_criterion, scorer_of
from ..search import Path, backward, forward
from ._base import BaseSelector, constant_columns
from ._progress import track, with_callbacks


class SequentialSelector(BaseSelector):
    """Select features that are informative together, by a greedy search.

    Parameters
    ----------
    criterion : {"mutual_information", "bayes_risk"} or Criterion, default="mutual_information"
        The Laplacian scores are possible too; they see no interplay of features, so that a ranking does as well.
    labels : {"hard", "noisy", "soft", "crowd", "multilabel"} or label model, default="hard"
        What is known about the target: a class per row, a class that may be wrong, probabilities, annotators' answers,
        sets of labels.
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
    def fit(self, X, y=None, *, memberships=None):
        """Search for informative subsets.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,), (n_samples, n_classes) or (n_samples, n_annotators)
            Classes, or what the label model takes.
        memberships : array-like of shape (n_samples, n_classes), default=None
            Probabilities of the classes (sorted as in y) for `labels="soft"`, beside a plain y for a whole pipeline.
        """
        X = validate_data(self, X, dtype=np.float64, order="C", ensure_min_samples=2)
        n_selected = _validation.check_n_features_to_select(self.n_features_to_select, X.shape[1])
        moves = {"required": self._required(n_selected), "idle": constant_columns(X)}
        criterion = resolve_criterion(self.criterion)
        labels = self._fitted_labels(X, y, memberships)
        self._search(self._scorer(criterion, X, labels), labels, n_selected, **moves)
        self._keep(n_selected)
        return self

    def _scorer(self, criterion, X, labels):
        n_threads, at_scale = _validation.check_threads(self.n_jobs), scaled(X, self.scale)
        if labels.refit == "each-step":
            return RefittingScorer(criterion, labels, X, at_scale, n_threads=n_threads)
        return scorer_of(criterion, labels, at_scale, n_threads=n_threads)

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
