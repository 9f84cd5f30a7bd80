"""Selection feature by feature, at any size."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from sklearn.exceptions import NotFittedError

from .. import _validation
from ..distances.columns import Coordinates, single
from ..distances.scaling import has_gaps, tamed
from ..labels import accept_sparse, label_kind, resolve_labels
from ..relevance import (
    AdditiveCriterion,
    CheckedScorer,
    Criterion,
    criterion_kind,
    known_rows,
    scored_rows,
    scorer_of,
)
from ..search import Path, Plan, ranking
from . import _dask
from ._base import BaseSelector
from ._blocks import where_rows_add_up
from ._how_many import Work, decide
from ._progress import with_callbacks

_FEATURES_AT_ONCE = 64
_MOST_COMPARED = 50  # correlations of more would take longer than a ranking by sums


class RankingSelector(BaseSelector):
    """Select the features that are best each by itself.

    Parameters
    ----------
    criterion : {"weighted_laplacian", "laplacian", "mutual_information", "neighbor_cost", "bayes_risk"} or Criterion, \
default="weighted_laplacian"
        "weighted_laplacian" compares class means and works at any size: on sparse matrices, dask arrays, and blocks of
        rows (`partial_fit`). "mutual_information" and "bayes_risk" see any difference between the classes;
        "neighbor_cost" knows distances between them, and takes sets of labels; "laplacian" needs no labels.
    labels : {"hard", "noisy", "soft", "crowd", "multilabel"} or label model, default="hard"
        What is known about the target: a class per row, a class that may be wrong, probabilities, annotators' answers,
        sets of labels.
        A noise model is estimated once, on all features.
    class_distance : None, array-like of shape (n_classes, n_classes) or ClassDistance, default=None
        Distances between the classes (of sets, between the labels), in sorted order if they have no names; None: 1
        between any two. For "neighbor_cost", and for the loss that chooses the size.
    n_features_to_select : "auto", int or float, default=0.5
        A number of features, or a fraction of them. "auto" repeats the ranking on folds, and keeps the fewest features
        that predict the rows left out about as well as the best number: see the notes of `SequentialSelector`. All rows
        must be at hand for it.
    judge : "auto", classifier or list of classifiers, default="auto"
        What predicts the rows left out: a mixture of nearest neighbours, a random forest and logistic regression (ridge
        regression with a class distance or more than 32 classes). With a classifier of one's own the answer is the best
        for that one.
    tolerance : float, default=0.02
        Share of the achievable gain over knowing nothing that may be given up for fewer features; 0.05 is parsimonious.
        `evidence_.size_at` gives what another one would choose.
    cv : int, default=5
        Number of folds.
    n_repeats : "auto" or int, default="auto"
        Repetitions of the folds. "auto" is up to ten as long as they take seconds, fewer if the size depends on none
        of them.
    alpha : float, default=0.05
        Level of the test whether the features predict the target better than knowing nothing.
    required_features : array-like of int, str or bool, default=None
        Features that are always in.
    feature_groups : list of lists, str or array-like of shape (n_features,), default=None
        Features that are ranked together: lists of indices or names that cover all columns, a separator (columns
        whose names agree up to it belong together, such as "_"), or a label per column. The columns of a group are
        divided by their standard deviations.
    categorical_features : "from_dtype", array-like of int, str or bool, or None, default="from_dtype"
        Columns that hold categories; by default those of a categorical type in a table. Two samples of different
        categories are one unit apart, whatever the categories.
    missing : {"use", "indicator", "error"}, default="use"
        A pair of rows of which one has no value in a column counts twice the variance of that column in place of the
        squared difference: as much as two rows at random. With "indicator" it also counts one whether a value is
        missing, as a part of the feature; missing categories are a category of their own always. "error" refuses
        missing values.
    n_jobs : int, default=None
        Threads; the result does not depend on it.
    random_state : int, RandomState instance or None, default=None
        For the folds and judges of "auto", and for label models that draw random numbers and have no seed of their own.
    checkpoint : path, default=None
        A file that is written as the work goes on. If it is there already, the work goes on from where that one was
        interrupted, to the identical result; it must have been for the same data and settings.
    max_time : float, default=None
        Seconds that a fit may take; None for as many as it takes. All features are always scored; folds, roles and
        correlations are left out as in the notes of `SequentialSelector`. With it the result may depend on the machine,
        and `limited_` says what was left out.
    verbose : int, default=0
        Whether to show a progress bar and to say how long the fit takes, after its first second. With scikit-learn
        >= 1.9 callbacks (`set_callbacks`) report progress too.

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
    class_distance_ : ClassDistance
        As given, in the order of `classes_`; absent if none was.
    criterion_ : Criterion
        As asked for, with the class distance; of `fit` on arrays only.
    labels_ : label model
        As fitted; of `fit` on arrays only: blocks are not kept.
    memberships_ : ndarray of shape (n_samples, n_classes)
        Those of `labels_`.
    n_features_ : int
        Number of selected features.
    limited_ : Limited or None
        What was left out because of `max_time`: `limited_.cut` has a phrase for each, and its text is a sentence; None
        if nothing was.
    evidence_ : Evidence
        With "auto": losses and errors on rows left out by size, the error to expect, how often each feature is selected
        on folds, and the stability of the selection.
    roles_ : ndarray of str, shape (n_features,)
        With "auto": "needed" if selected; "interchangeable" if it is related to the target or can replace a needed one;
        "no evidence"; "not known" if there was no time to look.
    swaps_ : dict of int to list of (int, float)
        With "auto": for each interchangeable feature the needed ones that it can replace, and by how much the balanced
        error on rows left out grows; the cheapest first.
    pvalues_ : ndarray of shape (n_features,)
        With "auto": of a test whether each feature is related to the target by itself, with `missing="indicator"` also
        by its gaps. Not corrected for their number; NaN for constant features.
    correlated_ : list of lists of (int, float)
        For each feature, those most correlated with it (absolutely), and how much: the first of them that is in a
        subset of the path is the most correlated in it. None if there are too many values to compare; of `fit` on
        arrays only.
    n_compared_ : int
        The largest subsets for which that holds: 50 features, fewer if there are very many values.
    categories_ : dict
        The categories of each categorical feature, by its index, if there are any.
    missing_ : MissingValues or None
        How much of each feature is missing (`missing_.share`), whether that predicts the target (`missing_.pvalues`,
        not corrected for their number), and in how many rows all selected features are missing
        (`missing_.n_empty_rows`); None if nothing is.
    weighted_ : bool
        Whether rows have weights.
    n_groups_ : int or None
        Number of groups of rows, if there are any.
    drift_ : ndarray of shape (n_features,)
        With `order`: p-values of a test whether the feature differs between the early and the late half of the rows.

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
        class_distance=None,
        n_features_to_select=0.5,
        judge="auto",
        tolerance=0.02,
        cv=5,
        n_repeats="auto",
        alpha=0.05,
        required_features=None,
        feature_groups=None,
        categorical_features="from_dtype",
        missing="use",
        n_jobs=None,
        random_state=None,
        checkpoint=None,
        max_time=None,
        verbose=0,
    ):
        self.criterion = criterion
        self.labels = labels
        self.class_distance = class_distance
        self.n_features_to_select = n_features_to_select
        self.judge = judge
        self.tolerance = tolerance
        self.cv = cv
        self.n_repeats = n_repeats
        self.alpha = alpha
        self.required_features = required_features
        self.feature_groups = feature_groups
        self.categorical_features = categorical_features
        self.missing = missing
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.checkpoint = checkpoint
        self.max_time = max_time
        self.verbose = verbose

    @with_callbacks
    def fit(self, X, y=None, *, memberships=None, sample_weight=None, groups=None, order=None):
        """Score every feature.

        Parameters
        ----------
        X : array-like, sparse matrix or dask array of shape (n_samples, n_features)
            Sparse matrices and dask arrays with the weighted Laplacian score only.
        y : array-like of shape (n_samples,), (n_samples, n_classes) or (n_samples, n_annotators)
            Classes, or what the label model takes; a dask array beside one.
        memberships : array-like of shape (n_samples, n_classes), default=None
            Probabilities of the classes (sorted as in y) for `labels="soft"`, beside a plain y for a whole pipeline.
        sample_weight : array-like of shape (n_samples,), default=None
            How often each row counts; an integer is the row repeated, and a row is never its own neighbour. Rows of
            weight 0 are left out before anything else: fitted attributes have no rows for them.
        groups : array-like of shape (n_samples,), default=None
            Rows that belong together, such as those of a patient: they are not compared with each other, folds keep
            them together, and what is said of other rows is said of other groups. A row without a group is one of its
            own.
        order : array-like of shape (n_samples,), default=None
            When each row was: numbers, dates or text that sorts. Folds then go forward in time, and `drift_` says which
            features changed.
        """
        if _dask.is_dask(X):
            _validation.check_no_order(order)
            return self._fit_dask(X, y, memberships, sample_weight)
        beside = {"sample_weight": sample_weight, "groups": groups, "order": order}
        X, y, memberships, rows = _validation.present_rows(X, y, memberships, **beside)
        work = self._search(X, y, memberships, rows, self._pace())
        self._choose(decide(self, work, X, y, memberships))
        self._describe(work)
        self._compare(work.columns, work.pace, most=_MOST_COMPARED)
        self._end(work.progress, work.pace)
        return self

    def _search(self, X, y, memberships, rows, pace, *, part=None) -> Work:
        criterion, self._sums = self._asked_criterion(), None
        adds_up = isinstance(criterion, AdditiveCriterion)
        columns = self._read(X, rows, accept_sparse="csr" if adds_up else False, ensure_min_samples=2)
        n_selected, required = self._wanted(columns.groups)
        raw, n_threads = columns.coordinates(), _validation.check_threads(self.n_jobs)
        labels = self._fitted_labels(raw.X, y, memberships, rows)
        criterion = self._criterion_for(labels, part)
        if criterion.uses_labels:
            self.labels_, self.memberships_ = labels, labels.memberships_
        # Units matter only within groups.
        coordinates = raw if single(raw.groups) else columns.coordinates("standard")
        if coordinates is raw and criterion.any_units:
            coordinates = Coordinates(tamed(raw.X), raw.groups)
        how = {"groups": coordinates.groups, "n_threads": n_threads, "rows": rows}
        if adds_up:
            self._sums = self._sums_of(criterion, raw.X, labels, rows)
            how["sums"] = self._sums if coordinates is raw else None
        scorer = scorer_of(criterion, labels, coordinates.X, **how)
        scored, known_as, _ = scored_rows(criterion, coordinates.X, labels, rows)
        sizes = tuple(len(batch) for batch in _batches(len(columns.groups)))
        saved = self._checkpoint("ranking", scored, known_as, columns.groups, required, rows, part=part, batches=sizes)
        idle: frozenset[int] = frozenset()
        if not adds_up:  # sums know constant columns
            idle = columns.idle(gaps_are_levels=criterion.gaps_are_levels)
        progress = self._progress(len(sizes), part, pace, raw.X.shape[0])
        self._begin(pace, lambda share: _plan(len(columns.groups)), raw, labels, rows)
        self._rank(scorer, columns.groups, required, progress, pace, idle, saved)
        return Work(columns, labels, n_selected, required, saved, progress, pace, rows)

    def _search_seconds(self, n_rows, n_groups, classes_a_row):
        return 1e-6 * n_rows * n_groups

    def _fit_dask(self, X, y, memberships, sample_weight):
        criterion, labels = self._asked_criterion(), self._fresh_labels()
        # A target can be gathered where it is looked at alone; samples cannot.
        reason = self._why_not_in_blocks() if labels.uses_samples else self._why_not_sums()
        if reason is not None:
            raise ValueError(reason)
        for other in ("labels_", "memberships_", "feature_names_in_", "support_"):
            self.__dict__.pop(other, None)
        self.n_features_in_ = X.shape[1]
        groups, wanted = self._in_blocks()
        self.classes_, self._sums = _dask.sums_of(criterion, labels, X, y, memberships, sample_weight)
        return self._rank_sums(self._scorer_of_sums(criterion, groups), groups, *wanted)

    @where_rows_add_up
    @with_callbacks
    def partial_fit(self, X, y=None, classes=None, *, memberships=None, sample_weight=None):
        """Add a block of rows to those seen so far, and rank the features anew.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rows, n_features)
        y : array-like of shape (n_rows,), (n_rows, n_classes) or (n_rows, n_annotators)
        classes : array-like of shape (n_classes,), default=None
            All classes, in the first call; by default those of the first block are all there are.
        memberships : array-like of shape (n_rows, n_classes), default=None
        sample_weight : array-like of shape (n_rows,), default=None
            How often each row counts.

        Notes
        -----
        The result is that of one `fit` up to a relative rounding error of 1e-10. A block that is refused leaves the
        sums as they were.
        """
        criterion, labels = self._asked_criterion(), self._fresh_labels()
        before = getattr(self, "_sums", None)
        how = {"accept_sparse": "csr", "order": "C", "reset": before is None, "missing": self.missing != "error"}
        X = _validation.check_numbers("X", X, estimator=self, **how)
        weight = None if sample_weight is None else _validation.check_weights(sample_weight, X.shape[0])
        if weight is None or weight.any():
            X, y, memberships, rows = _validation.present_rows(X, y, memberships, sample_weight=weight, least=0)
        else:  # a block of absent rows adds nothing to the sums
            rows = _validation.Rows(weight)
        groups, wanted = self._in_blocks()
        if before is not None:
            if classes is not None:
                _validation.check_same_classes(np.asarray(classes), self.classes_)
            classes = self.classes_
        _validation.check_classes_of_blocks(classes)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", ".* only one class", UserWarning)  # an error here
            labels.fit(None, y, memberships=memberships, classes=classes)
        block = self._sums_of(criterion, X, labels, rows)
        _validation.check_classes_of_blocks(labels.classes_)
        self.classes_, self._sums = labels.classes_, block if before is None else before + block
        for other in ("labels_", "memberships_"):
            self.__dict__.pop(other, None)
        weights = getattr(self._sums, "weights", np.ones(2))
        if (reason := _validation.why_one_class(weights, self.classes_)) is not None:  # later blocks may have others
            self._not_yet = reason
            return self
        return self._rank_sums(self._scorer_of_sums(criterion, groups), groups, *wanted)

    def _why_not_sums(self) -> str | None:
        """The reason why what is asked for is not a sum over rows; None if it is."""
        if not issubclass(criterion_kind(self.criterion) or AdditiveCriterion, AdditiveCriterion):
            return (
                "rows in blocks need a criterion that is a sum over rows, such as 'weighted_laplacian'; got "
                f"{self.criterion!r}, which compares all rows. Use fit on an array that fits into memory."
            )
        return _validation.why_not_in_blocks(self.n_features_to_select, self.categorical_features, self.missing)

    def _why_not_in_blocks(self) -> str | None:
        """The reason why rows cannot come in blocks; None if they can, or if the labels are not even known."""
        if (reason := self._why_not_sums()) is not None or label_kind(self.labels) is None:
            return reason
        reason = resolve_labels(self.labels).why_not_in_blocks()
        return None if reason is None else f"labels={self.labels!r} cannot be used with rows in blocks: {reason}."

    def _sums_of(self, criterion, X, labels, rows):
        _validation.check_takes(criterion, gaps=has_gaps(X), rows=rows)
        X, memberships, rows = known_rows(X, labels, rows)
        return criterion.sums(X, rows.weighted(memberships), n_threads=_validation.check_threads(self.n_jobs))

    def _in_blocks(self):
        """Groups, how many features and which in any case, where rows are not all at hand."""
        groups = self._groups()
        return groups, self._wanted(groups)

    def _scorer_of_sums(self, criterion, groups):
        sums: Any = self._sums
        sums = sums if single(groups) else sums.standardised()
        return CheckedScorer(criterion, criterion.scorer_of(sums, classes=self.classes_, groups=groups))

    def _rank_sums(self, scorer, groups, n_selected, required):
        pace = self._pace()
        progress = self._progress(len(_batches(len(groups))), None, pace)
        self._rank(scorer, groups, required, progress, pace)
        self._choose(n_selected)
        self._end(progress, pace)
        return self

    def _rank(self, scorer, groups, required, progress, pace, idle=frozenset(), saved=None):
        n_groups, records = len(groups), [] if saved is None else list(saved.records)
        scores = np.full((n_groups, 2), np.nan)

        def work():
            """Scores, taken from the records as far as they go."""
            for batch in _batches(n_groups):
                if records:
                    scores[batch] = records.pop(0)
                else:
                    scores[batch] = scorer.with_each((), batch)
                    pace.scored(n_groups - batch.start, len(batch))
                yield scores[batch].tolist()

        n_known = len(records)
        try:
            for number, record in enumerate(progress.through(work())):
                if saved is not None and number >= n_known:
                    saved.add(record)
        finally:  # Ctrl-C loses nothing
            scored = ~np.isnan(scores[:, 0])
            steps = ranking(np.where(scored[:, None], scores, -np.inf), required=required, idle=idle)
            several = None if single(groups) else groups
            known = tuple(step for step in steps if scored[step.feature])
            self.path_ = Path("ranking", self.n_features_in_, (), known, several)
            if saved is not None:
                saved.save()

    def _get_support_mask(self):
        if hasattr(self, "_not_yet") and not hasattr(self, "support_"):
            raise NotFittedError(f"{self._not_yet} Go on with partial_fit.")
        return super()._get_support_mask()

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        adds_up = issubclass(criterion_kind(self.criterion) or Criterion, AdditiveCriterion)
        tags.input_tags.sparse = adds_up and accept_sparse(self.labels)
        return tags


def _plan(n_groups) -> Plan:
    """Batches of features, which take as long as each other."""
    at_once = _FEATURES_AT_ONCE
    return Plan(lambda left: at_once, lambda left, moved: min(left, at_once), n_groups, 0)


def _batches(n_groups) -> list[range]:
    """Features whose scores are computed, and saved, together."""
    return [range(b, min(b + _FEATURES_AT_ONCE, n_groups)) for b in range(0, n_groups, _FEATURES_AT_ONCE)]
