"""Greedy joint selection."""

from __future__ import annotations

from copy import copy

import numpy as np

from .. import _validation
from ..distances.columns import single
from ..relevance import MutualInformation, RefittingScorer, scored_rows, scorer_of
from ..relevance.racing import Queries, most_values
from ..search import Path, Step, backward, batch_sizes, forward
from ..search.greedy import backward_plan, explained, forward_plan
from ._base import BaseSelector
from ._dask import gathered
from ._how_many import Work, decide
from ._progress import with_callbacks
from ._sieve import first_to_leave

_MOST_FORWARD = 50
"""Features that a forward search with "auto" goes up to."""
_FEW, _PAIRS_A_SECOND = 40, 8e9
_OF_EACH_CLASS = 1.5
"""Time that a class of a row takes if it has several, relative to a row of one class."""


class SequentialSelector(BaseSelector):
    """Select features that are informative together, by a greedy search.

    Parameters
    ----------
    criterion : {"auto", "mutual_information", "neighbor_cost", "bayes_risk"} or Criterion, default="auto"
        "auto" is "mutual_information", of sets of up to 16 labels the mean of that of each label (`per_label`), and
        "neighbor_cost" for more labels and with a `class_distance`. The Laplacian scores are possible too; they see no
        interplay of features, so that a ranking does as well.
    labels : {"hard", "noisy", "soft", "crowd", "multilabel"} or label model, default="hard"
        What is known about the target: a class per row, a class that may be wrong, probabilities, annotators' answers,
        sets of labels.
    class_distance : None, array-like of shape (n_classes, n_classes) or ClassDistance, default=None
        Distances between the classes (of sets, between the labels), in sorted order if they have no names; None: 1
        between any two. For "neighbor_cost", and for the loss that chooses the size.
    direction : {"backward", "forward"}, default="backward"
        Backward sees features that matter only together, and its path runs down to one feature; forward is the choice
        for many features of which few are wanted.
    n_features_to_select : "auto", int or float, default="auto"
        A number of features, or a fraction of them. "auto" repeats the whole procedure on folds, and keeps the smallest
        subset that predicts the rows left out about as well as the best one, see Notes.
    step : "auto", int or float, default="auto"
        How many features (or groups) leave per pass of a backward search: a whole number, or a fraction in (0, 1) of
        those left, rounded down, at least one. "auto" is a tenth of those left while more than 40 are left, and one by
        one from there; if there are more features than rows, the search begins with the 200 that are most related to
        the target by themselves (`sieved_`). 1 is the exact greedy search, see Notes. A forward search ignores it.
    n_queries : "auto", int or None, default="auto"
        Rows around which neighbours are counted, among all rows, to decide a step. "auto" is every row of up to 10,000;
        of more, a sample that doubles until the decision is significant, at 5 % for the whole search, or the step has
        cost enough; the fewer features are left, the more rows. `sampling_` has what a step loses by that at most. None
        is every row. Criteria that are no means over rows always use every row.
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
    scale : {"standard", None}, default="standard"
        Distances are Euclidean, so units matter: columns are divided by their standard deviation unless None.
    required_features : array-like of int, str or bool, default=None
        Features that are never removed and always in.
    feature_groups : list of lists, str or array-like of shape (n_features,), default=None
        Features that enter and leave together: lists of indices or names that cover all columns, a separator (columns
        whose names agree up to it belong together, such as "_"), or a label per column.
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
        A file that is written as the search goes. If it is there already, the search goes on from where that one
        was interrupted, to the identical result; it must have been for the same data and settings.
    max_time : float, default=None
        Seconds that a fit may take, see Notes; None for as many as it takes. With it the result may depend on the
        machine, and `limited_` says what was left out.
    verbose : int, default=0
        Whether to show a progress bar and to say how long the fit takes, after its first second. With scikit-learn
        >= 1.9 callbacks (`set_callbacks`) report progress too.

    Attributes
    ----------
    support_ : ndarray of bool, shape (n_features,)
    ranking_ : ndarray of int, shape (n_features,)
        1 for selected features, then 2, 3, ... in the order they would join.
    scores_ : ndarray of float, shape (n_features,)
        How much the criterion changed as each feature left or entered, higher is better; NaN if it never moved. Of
        several features that left in one pass, how much it would have changed without each of them alone.
    path_ : Path
        Every subset visited with its score (NaN within a pass in which several features left, as these subsets are not
        scored), and with noisy labels their rates. Another size needs no second fit:
        `path_.subset(n)`; `path_.adds(n)` tells what each of its features adds to the others. After an interruption
        (Ctrl-C, which a note of the KeyboardInterrupt places) it holds the steps done so far: none if that was in the
        first one, and is absent if that was before it. Attributes that depend on the choice are then absent, too.
    classes_ : ndarray of shape (n_classes,)
    class_distance_ : ClassDistance
        As given, in the order of `classes_`; absent if none was.
    criterion_ : Criterion
        As asked for or chosen by "auto".
    labels_ : label model
        As fitted for the step that led to the selected subset: `labels_.suspects()`, say.
    memberships_ : ndarray of shape (n_samples, n_classes)
        Those of `labels_`.
    n_features_ : int
        Number of selected features.
    sieved_ : int
        How many features left before the search began: with `step="auto"`, if there are more features than rows, all
        but the 200 most related to the target by themselves, in the order of their p-values. The folds of "auto" repeat
        it, so that its loss is part of `evidence_`.
    sampling_ : Sampling or None
        How many rows the steps were decided on, and the margin; None if all.
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
        subset of the path is the most correlated in it. None if there are too many values to compare.
    n_compared_ : int
        The largest subsets for which that holds: 300 features, fewer if there are very many values.
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
    How "auto" chooses: the whole procedure (scaling, label model, search) runs on four fifths of the rows, five times,
    and again with other folds. Classifiers learn the subsets of each path there, and predict the rows left out. Their
    squared loss is expected under what is believed of the true classes: wrong, soft and crowd-sourced labels and label
    sets are judged by what is probably true. The smallest size is chosen whose loss is behind the best one by no more
    than `tolerance`, or five times that if it is within one standard error. The criterion is no guide to the size, as
    its height depends on the number of dimensions. If the loss on rows left out is not significantly better than that
    of knowing nothing, and no feature is significantly related to the target by itself (at half of `alpha`), one
    feature is kept, with a warning. A forward search goes up to 50 features. Five folds cost about four searches.

    Constant columns are the first to leave and the last to enter, whatever the criterion makes of them. Of two equal
    columns the first is kept.

    A pass of a backward search over m features costs O(n_samples^2 m), see `tamis._kernels`, and scores the removal of
    each of them. One by one there are as many passes as features. With `step="auto"` there are about
    10 log(n_features / 40) + 40: some 60 instead of 500 for 500 features. The price is that all features of a pass are
    compared with the same subset: two features that can replace each other may leave together, although one of them
    would have become more valuable after the other had left. Labels that are estimated at each step are estimated once
    per pass.

    With `max_time` the label model, the search on all rows and the folds run in this order. What does not fit is left
    out, in this order: repetitions of the folds; folds, down to two; sizes that are judged; passes of the search, so
    that more features leave in each of them, on folds as well (a forward search ends early); all folds, so that it is
    not known how many features are needed, and all are kept; roles and correlations. The label model and the first pass
    are always done.
    A checkpoint keeps what would have been done without `max_time`, too: with more time a fit goes on from it to the
    result of one that was never cut.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from tamis import SequentialSelector
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> selector = SequentialSelector(random_state=0).fit(X, y)
    >>> selector.n_features_, X.columns[selector.path_.subset(3)].tolist()
    (8, ['alcohol', 'flavanoids', 'hue'])
    >>> selector.evidence_.error_of_nothing > 0.6, bool(selector.evidence_.expected_error < 0.05)
    (True, True)
    """

    def __init__(
        self,
        criterion="auto",
        *,
        labels="hard",
        class_distance=None,
        direction="backward",
        n_features_to_select="auto",
        step="auto",
        n_queries="auto",
        judge="auto",
        tolerance=0.02,
        cv=5,
        n_repeats="auto",
        alpha=0.05,
        scale="standard",
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
        self.direction = direction
        self.n_features_to_select = n_features_to_select
        self.step = step
        self.n_queries = n_queries
        self.judge = judge
        self.tolerance = tolerance
        self.cv = cv
        self.n_repeats = n_repeats
        self.alpha = alpha
        self.scale = scale
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
        """Search for informative subsets.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            A dask array is gathered. Of more than 10,000 rows float32 stays so, and needs half the memory.
        y : array-like of shape (n_samples,), (n_samples, n_classes) or (n_samples, n_annotators)
            Classes, or what the label model takes.
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
        X = gathered(X, type(self).__name__)
        beside = {"sample_weight": sample_weight, "groups": groups, "order": order}
        X, y, memberships, rows = _validation.present_rows(X, y, memberships, **beside)
        work = self._search(X, y, memberships, rows, self._pace())
        self._choose(decide(self, work, X, y, memberships))
        self._settle(work)
        self._describe(work)
        self._compare(work.columns, work.pace)
        self._end(work.progress, work.pace)
        return self

    def _search(self, X, y, memberships, rows, pace, *, part=None) -> Work:
        columns = self._read(X, rows, ensure_min_samples=2, dtype=_validation.number_types(X))
        n_selected, required = self._wanted(columns.groups)
        _validation.check_choice("direction", self.direction, ("backward", "forward"))
        step = _validation.check_step(self.step)
        n_threads = _validation.check_threads(self.n_jobs)
        raw, at_scale = columns.coordinates(), columns.coordinates(self.scale)
        labels = self._fitted_labels(raw.X, y, memberships, rows)
        criterion = self._criterion_for(labels, part)
        of_all = copy(labels)  # a search may estimate them anew at each step
        first = self._sieved(columns, labels, required, rows)
        self.sieved_ = sum(len(columns.groups[g]) for g in first)
        passes: tuple[int, ...] = ()
        if self.direction == "backward":
            passes = batch_sizes(step, len(columns.groups), len(required), len(first))
        how = {"n_threads": n_threads, "rows": rows} | self._queries(criterion, at_scale, passes, required)
        if labels.refit == "each-step":
            scorer = RefittingScorer(criterion, labels, raw, at_scale, **how)
        else:
            scorer = scorer_of(criterion, labels, at_scale.X, groups=at_scale.groups, **how)
        scored, known_as, _ = scored_rows(criterion, at_scale.X, labels, rows)
        saved = self._checkpoint(
            self.direction, scored, known_as, columns.groups, required, rows, part=part, passes=passes
        )
        from_all, n_groups = self.direction == "backward", len(columns.groups)
        n_searched = n_groups - len(first)
        n_steps = n_groups - max(from_all, len(required)) + bool(required or from_all)
        progress = self._progress(n_steps, part, pace, len(at_scale.X))
        wanted = n_selected or self._n_to_search(sum(len(columns.groups[g]) for g in required))
        self._begin(pace, self._plan(columns, required, len(first), wanted, len(scored)), raw, labels, rows, n_searched)
        steps = self._steps(scorer, criterion, columns, wanted, required, first, saved, pace)
        seen = self._follow(steps, columns, labels, required, saved, progress, pace)
        return Work(
            columns, of_all, n_selected, required, saved, progress, pace, rows, (scorer, seen, labels), n_searched
        )

    def _plan(self, columns, required, n_first, wanted, n_rows):
        groups = columns.groups
        if self.direction == "backward":
            most = most_values(n_rows) / n_rows if self._samples(n_rows) else np.inf
            return backward_plan(_validation.check_step(self.step), len(groups), len(required), n_first, most)
        to_add = max(0, wanted - sum(len(groups[g]) for g in required))
        return forward_plan(len(groups), to_add, n_in_group=max(1, columns.n_features // len(groups)))

    def _queries(self, criterion, coordinates, passes, required) -> dict:
        """What a scorer is told of query rows; nothing if all rows are."""
        asked = _validation.check_n_queries(self.n_queries)
        if asked is None or not criterion.samples_queries or not self._samples(coordinates.X.shape[0]):
            return {}
        n_left = len(coordinates.groups) - np.cumsum([0, *passes])
        leaving = dict(zip(n_left.tolist(), passes, strict=False))
        return {"queries": Queries(asked, leaving, len(passes) or len(coordinates.groups), required)}

    def _samples(self, n_rows) -> bool:
        """Whether steps are decided on some of so many rows."""
        enough = _validation.MANY_ROWS if isinstance(self.n_queries, str) else self.n_queries
        return enough is not None and n_rows > enough

    def _sieved(self, columns, labels, required, rows) -> list[int]:
        """Groups that leave before all others."""
        searches_all = self.direction == "forward" or self.step != "auto" or not self._uses_labels()
        return [] if searches_all else first_to_leave(columns, labels, required, rows)

    def _steps(self, scorer, criterion, columns, wanted, required, first, saved, pace):
        done = [Step.of(record) for record in saved.records]
        n_groups = len(columns.groups)
        idle = columns.idle(gaps_are_levels=criterion.gaps_are_levels)
        moves = {"required": required, "idle": idle, "done": done, "pace": pace}
        if self.direction == "backward":
            return backward(scorer, n_groups, step=_validation.check_step(self.step), first=first, **moves)
        sizes = [len(group) for group in columns.groups]
        return forward(scorer, n_groups, n_features_to_select=wanted, sizes=sizes, **moves)

    def _n_to_search(self, n_required):
        if self.direction == "backward":
            return super()._n_to_search(n_required)
        return min(self.n_features_in_, max(_MOST_FORWARD, n_required))

    def _most_to_judge(self):
        return super()._most_to_judge() if self.direction == "backward" else self._n_to_search(0)

    def _search_seconds(self, n_rows, n_groups, classes_a_row):
        if self.direction == "forward":
            n_passes = min(n_groups, _MOST_FORWARD)
            n_values = n_groups * n_passes
        else:
            n_passes, few = len(batch_sizes("auto", n_groups)), min(n_groups, _FEW)
            n_values = min(10 * n_groups, n_groups**2 / 2) + few**2 / 2
        each = n_rows * n_values
        if self._samples(n_rows):
            each = min(each, n_passes * most_values(n_rows))
        if self.criterion_.uses_label_sets:  # a ball of everybody, or a search for each label
            each *= len(self.classes_) if isinstance(self.criterion_, MutualInformation) else 1
        elif classes_a_row > 1:  # balls of several classes, which hold more samples: see benchmarks/costs.py
            each *= _OF_EACH_CLASS * classes_a_row
        return n_rows * each / _PAIRS_A_SECOND

    def _follow(self, steps, columns, labels, required, saved, progress, pace) -> list:
        """Take the steps; the labels as each was judged with, None for those taken before an interruption."""
        from_all, n_groups = self.direction == "backward", len(columns.groups)
        start = tuple(range(n_groups)) if from_all else tuple(sorted(required))
        groups = None if single(columns.groups) else columns.groups
        taken: list[Step] = []
        seen: list = [None] * len(saved.records)
        try:
            for step in progress.through(steps):
                if len(taken) >= len(seen):
                    step = step._replace(noise_rates=labels.rates(), adds=step.adds if progress.tells else None)
                    if not pace.hurries:  # with more time the search would have gone on otherwise
                        saved.add(step.record())
                    seen.append(copy(labels))
                taken.append(step)
        finally:  # Ctrl-C loses nothing
            self.path_ = Path(self.direction, columns.n_features, start, tuple(taken), groups)
            saved.save()
        return seen

    def _settle(self, work):
        """The labels of the step that led to the selected subset, once more if that was before an interruption."""
        scorer, seen, labels = work.rest
        if self.direction == "forward" and labels.refit != "each-step":  # an estimate for each size would cost too much
            if work.pace.is_over:
                work.pace.cut["adds"] = "it is not known what each feature adds to the others"
            else:
                self.path_ = explained(self.path_, scorer, self.n_features_)
        self.sampling_ = scorer.sampling
        if self.sampling_ is not None and (work.pace.hurries or None in seen):  # not as planned, or not all seen here
            self.sampling_ = self.sampling_._replace(margin=np.inf)
        place = int(np.argmax(self.path_.sizes == self.n_features_))
        if seen[place] is None and labels.refit == "each-step":
            earlier = self.path_.steps[:place]
            while earlier and np.isnan(earlier[-1].score):  # of the same pass
                earlier = earlier[:-1]
            before = [step.feature for step in earlier if step.feature is not None]
            scorer.fit_labels(sorted(set(self.path_.start) ^ set(before)))
        self.labels_ = seen[place] or labels
        self.memberships_ = self.labels_.memberships_
