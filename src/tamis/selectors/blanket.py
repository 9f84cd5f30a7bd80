"""Markov-blanket elimination that knows which mistakes are worse."""

from __future__ import annotations

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .. import _validation
from ..distances.classes import resolve_class_distance
from ..distances.columns import single
from ..distances.correlates import Correlates
from ..distances.levels import BINS, level_columns
from ..estimates.blanket import CORRECTIONS, DIVERGENCES, BlanketJudge
from ..estimates.transport import noise_bound
from ..labels import accept_sparse
from ..relevance import known_rows
from ..search import Path, Removal, Step, eliminate
from ..search.blanket import elimination_plan
from ._base import BaseSelector
from ._conditioning import MOST_CONDITIONING, choose_conditioning, usual_conditioning
from ._dask import gathered
from ._how_many import Procedure, Work, decide, with_rows
from ._progress import with_callbacks


class BlanketSelector(BaseSelector):
    r"""Remove features that tell nothing about the class beyond those most correlated with them.

    At each step the feature leaves whose :math:`\delta(X_i) = E\,W[p(Y|G_i, X_i), p(Y|G_i)]` is smallest,
    :math:`G_i` being its companions: the features left that are most correlated with it (Li, Table I). The Wasserstein
    distance W between class distributions knows which confusions are worse from the distances between classes.

    Parameters
    ----------
    divergence : {"wasserstein", "kl"}, default="wasserstein"
        "kl" is the method of Koller and Sahami (1996), for which all classes are equally far apart.
    labels : {"hard", "noisy", "soft", "crowd", "multilabel"} or label model, default="hard"
        A noise model is estimated once, on all features. Sets of labels are classes; with a `class_distance`, and with
        ``MultiLabels(transform="copy")``, each label counts as a copy of the row.
    class_distance : None, array-like of shape (n_classes, n_classes) or ClassDistance, default=None
        Distances between the classes, in sorted order if they have no names; None: 1 between any two.
    n_conditioning : "auto" or int, default="auto"
        Number of conditioning features of each feature; 0 judges each by itself. "auto" is 1, 2 or 3, see Notes.
    n_features_to_select : "auto", int or float, default="auto"
        A number of features, or a fraction of them. "auto" repeats the whole procedure on folds, and keeps the smallest
        subset that predicts the rows left out about as well as the best one: see the notes of `SequentialSelector`.
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
    bins : {"auto", "quantile", "uniform", None}, default="auto"
        How features of more than `n_bins` values become levels: at their quantiles ("auto", "quantile"), evenly, or
        not at all: with None every value is a level. The zeros of a sparse matrix are a level of their own.
    n_bins : "auto" or int, default="auto"
        "auto" is 10 or 5, see Notes.
    correction : {"null", None}, default="null"
        Subtract from each :math:`\delta` what chance alone would give, and let companions have so few levels that a
        cell holds ten samples: else features of many levels seem to tell most. None is the paper.
    n_permutations : int, default=20
        For the mean by chance where it has no closed form: fractional memberships, and distances that no tree has.
    required_features : array-like of int, str or bool, default=None
        Features that are never removed.
    feature_groups : list of lists, array-like of shape (n_features,), str or None, default=None
        Features that enter and leave together, such as the columns that encode one category: lists of their indices
        or names, a label for each column, or a separator ("_") such that columns whose names agree up to it belong
        together.
    categorical_features : "from_dtype", array-like of int, str or bool, or None, default="from_dtype"
        Features that are categories and not numbers, and may be text: by default the columns of a table whose type says
        so. Their categories have no order.
    n_jobs : int, default=None
        Threads; the result does not depend on it.
    random_state : int, RandomState instance or None, default=None
        For permutations, and for label models that draw random numbers and have no seed of their own.
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
        What each feature told beyond its companions when it left (corrected, if asked for); the last one by itself.
    path_ : Path
        Every subset down to one feature, with the delta of each removal. Another size needs no second fit.
        `path_.adds(n)` has the deltas of all features of a subset.
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
        With "auto": of a test whether each feature is related to the target by itself. Not corrected for their number;
        NaN for constant features.
    correlated_ : list of lists of (int, float)
        For each feature, those whose values (not levels) are most correlated with it (absolutely), and how much: the
        first of them that is in a subset of the path is the most correlated in it. None if there are too many values to
        compare.
    n_compared_ : int
        The largest subsets for which that holds: 300 features, fewer if there are very many values.
    categories_ : dict of int to ndarray
        Of categorical features, if there are any.
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
    classes_ : ndarray of shape (n_classes,)
    class_distance_ : ClassDistance
        In the order of `classes_`; its `is_tree` tells whether transport has a closed form.
    n_conditioning_, n_bins_ : int
        As given or chosen.
    labels_ : label model
        As fitted.
    memberships_ : ndarray of shape (n_samples, n_classes)
        Those of `labels_`.
    noise_bound_ : float
        With noisy labels only: the estimate of :math:`\sum_{ij} p(Y=i, \tilde Y=j) D_{ij}`, a bound on
        :math:`\epsilon_1`. Of every subset the loss with noisy labels differs from that with clean ones by at most
        twice as much, and the best subset of noisy labels loses at most four times as much (Theorems 1-2). It is an
        estimate, since the noise is; and a greedy search does not find the best subset.
    n_features_ : int
        Number of selected features.

    Notes
    -----
    "auto" of `n_conditioning` and `n_bins`: more conditioning features, and of more levels, see finer redundancy, but
    leave fewer rows of each class in a cell. Each setting is searched with on one half of the rows (at most 5000, and
    20 million values), and subsets of a few sizes predict the other by nearest neighbours; the loss is in units of the
    class distance. Unless one is better by more than a standard error, there are two conditioning features, of ten
    levels. Those are up to twelve searches on half of the rows and their predictions, on folds again: a second at
    2000 x 80, where a search takes a tenth of one. Of more than 2000 features three searches on one half are compared,
    as levels stay ten. With `max_time` nothing is chosen.

    A missing value is a level of its own. Rows are counted: `groups` change nothing in the search, only folds.

    Correlations are of levels where features are binned, of values elsewhere, of zeros and ones for each category. Of
    equal deltas (within 1e-10 of the largest distance) the first column leaves. A step costs O(samples that are not at
    level 0 in the feature or its companions) for each feature that has lost a companion, about as many as there are
    companions; correlations cost one product of each feature with all others, and are not held.

    A group is judged by the combinations of its features' levels that occur; where these are more than `n_bins` and the
    root of the number of samples, its features are given fewer levels. Its companions are groups, those first of which
    a column is most correlated with one of its own.

    With `max_time`, what does not fit is left out as in the notes of `SequentialSelector`; where several features leave
    at once, deltas are computed again after the last of them.

    A ranking by mutual information is often as good in text, where features hardly repeat each other.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from tamis import BlanketSelector
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> BlanketSelector(n_features_to_select=3, random_state=0).fit(X, y).get_feature_names_out().tolist()
    ['alcohol', 'flavanoids', 'color_intensity']
    """

    def __init__(
        self,
        divergence="wasserstein",
        *,
        labels="hard",
        class_distance=None,
        n_conditioning="auto",
        n_features_to_select="auto",
        judge="auto",
        tolerance=0.02,
        cv=5,
        n_repeats="auto",
        alpha=0.05,
        bins="auto",
        n_bins="auto",
        correction="null",
        n_permutations=20,
        required_features=None,
        feature_groups=None,
        categorical_features="from_dtype",
        n_jobs=None,
        random_state=None,
        checkpoint=None,
        max_time=None,
        verbose=0,
    ):
        self.divergence = divergence
        self.labels = labels
        self.class_distance = class_distance
        self.n_conditioning = n_conditioning
        self.n_features_to_select = n_features_to_select
        self.judge = judge
        self.tolerance = tolerance
        self.cv = cv
        self.n_repeats = n_repeats
        self.alpha = alpha
        self.bins = bins
        self.n_bins = n_bins
        self.correction = correction
        self.n_permutations = n_permutations
        self.required_features = required_features
        self.feature_groups = feature_groups
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.checkpoint = checkpoint
        self.max_time = max_time
        self.verbose = verbose

    @with_callbacks
    def fit(self, X, y=None, *, memberships=None, sample_weight=None, groups=None, order=None):
        """Remove features one by one.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            A sparse matrix must not be negative. A dask array is gathered.
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
        self._describe(work)
        self._score_the_last(work.rest, work.columns.groups)
        self._bound(work.labels)
        self._compare(work.columns, work.pace)
        self._end(work.progress, work.pace)
        return self

    def _search(self, X, y, memberships, rows, pace, *, part=None) -> Work:
        given = X, y, memberships
        table = self._read(X, rows, accept_sparse="csr", ensure_min_samples=2)
        self._check()
        _validation.check_not_negative(table.values)
        n_selected, required = self._wanted(table.groups)
        raw = table.coordinates()
        labels = self._fitted_labels(raw.X, y, memberships, rows)
        self.labels_, self.memberships_ = labels, labels.memberships_
        extra = "error" if part is None else "drop"  # folds in time may lack classes
        self.class_distance_ = resolve_class_distance(self.class_distance, self.classes_, extra=extra)
        X, P, known = known_rows(table.values, labels, rows, counts=True)
        P = known.weighted(P)
        _validation.check_class_weights(P.sum(axis=0), self.classes_)
        saved = self._checkpoint("blanket", X, P, table.groups, required, rows, part=part)
        self._set_conditioning(table, labels, given, rows, pace, saved)
        how = {"n_categories": table.n_categories, "groups": table.groups, "weight": known.weight}
        columns = level_columns(X, bins=self.bins, n_bins=self.n_bins_, **how)
        if self.bins is None:
            names = self._names()
            _validation.check_levels(columns.n_levels[0], columns.n_samples, [names[g[0]] for g in table.groups])
        judge = BlanketJudge(
            columns,
            P,
            divergence=self.divergence,
            distance=self.class_distance_,
            correction=self.correction,
            n_permutations=self.n_permutations,
            seed=saved.seed,
            n_threads=_validation.check_threads(self.n_jobs),
            weight=known.weight,
        )
        done = [Removal.of(record) for record in saved.records]
        correlates, n_units, least = self._correlates(columns, known.weight), columns.n_units, max(1, len(required))
        removals = eliminate(correlates, judge, n_units, required=required, done=done, pace=pace)
        progress = self._progress(n_units - least + 1, part, pace, len(labels.memberships_))
        self._begin(pace, elimination_plan(n_units, least, self.n_conditioning_), raw, labels, rows)
        self._follow(removals, table.groups, saved, progress, pace)
        return Work(table, labels, n_selected, required, saved, progress, pace, rows, judge)

    def _search_seconds(self, n_rows, n_groups, classes_a_row):
        each = 3e-7 * n_rows * n_groups
        if not self._asks_for_conditioning():
            return each * self.n_conditioning
        return each * (MOST_CONDITIONING + 6 * min(1.0, 5000 / n_rows)) + 5e-4 * min(n_rows, 5000)

    def _asks_for_conditioning(self) -> bool:
        return isinstance(self.n_conditioning, str) or isinstance(self.n_bins, str)

    def _set_conditioning(self, table, labels, data, rows, pace, saved):
        """How many conditioning features and levels: as asked, or by the loss on half of the rows."""
        self.n_conditioning_, self.n_bins_ = self.n_conditioning, self.n_bins
        if not self._asks_for_conditioning():
            return
        if pace.max_time is None or saved.records:  # saved steps are of a search for which there was time to choose

            def search(selector, fold):
                one = selector.set_params(n_features_to_select=1, required_features=None, checkpoint=None, verbose=0)
                return Procedure(one, [with_rows(values) for values in data], rows)(fold)

            chosen = choose_conditioning(self, search, table, labels, self.class_distance_, rows, saved.seed)
        else:
            chosen = usual_conditioning(self, table)
            pace.hurries = True
            pace.cut["conditioning"] = "n_conditioning and n_bins were not chosen by the loss on rows left out"
        for name, value in chosen._asdict().items():
            if isinstance(getattr(self, name), str):
                setattr(self, f"{name}_", value)

    def blanket(self, feature):
        """The companions that a feature was judged against when it left; of the last one there are none.

        Of a group, those of the whole group; and of groups among them, all features.

        Parameters
        ----------
        feature : int or str
            Index, or name if X was a table.

        Returns
        -------
        ndarray of int or str, the most correlated first
        """
        check_is_fitted(self, "support_")
        names = getattr(self, "feature_names_in_", None)
        place = int(_validation.check_features("feature", [feature], self.n_features_in_, names)[0])
        companions = np.array(self._companions.get(place, ()), dtype=np.intp)
        return np.asarray(names)[companions] if isinstance(feature, str) else companions

    def _correlates(self, columns, weight):
        n_others = columns.n_units - 1
        n_companions = min(self.n_conditioning_, n_others)
        return Correlates(columns.values, n_companions, columns.value_first, weight=weight)

    def _follow(self, removals, groups, saved, progress, pace):
        """Take the steps."""
        n_groups, several, n_known = len(groups), None if single(groups) else groups, len(saved.records)
        taken: list[Step] = []
        self._companions: dict[int, tuple[int, ...]] = {}
        try:
            for removal in progress.through(removals):
                if len(taken) >= n_known and not pace.hurries:  # with more time it would have gone on otherwise
                    saved.add(removal.record())
                taken.append(removal.step)
                companions = tuple(f for g in removal.against for f in groups[g])
                left = () if removal.step.feature is None else groups[removal.step.feature]
                self._companions |= dict.fromkeys(left, companions)
        finally:  # Ctrl-C loses nothing
            self.path_ = Path("blanket", self.n_features_in_, tuple(range(n_groups)), tuple(taken), several)
            saved.save()

    def _score_the_last(self, judge, groups):
        left = self.path_.subset(self.path_.sizes[-1])
        group = next(g for g, members in enumerate(groups) if members[0] == left[0])
        if len(left) == len(groups[group]):
            alone = judge.deltas([group], [()])
            self.scores_[left] = alone.raw - alone.null

    def _bound(self, labels):
        self.__dict__.pop("noise_bound_", None)
        if hasattr(labels, "transition_") and hasattr(labels, "class_priors_"):
            joint = labels.class_priors_[:, None] * labels.transition_
            self.noise_bound_ = noise_bound(self.class_distance_, joint)

    def _check(self):
        _validation.check_choice("divergence", self.divergence, DIVERGENCES)
        _validation.check_choice("bins", self.bins, BINS)
        _validation.check_choice("correction", self.correction, CORRECTIONS)
        for name, least in (("n_bins", 2), ("n_conditioning", 0)):
            value = getattr(self, name)
            if not (isinstance(value, str) and value == "auto"):
                _validation.check_count(name, value, least=least)
        _validation.check_count("n_permutations", self.n_permutations)

    def _uses_labels(self):
        return True

    def _use_of_labels(self):
        return "classes" if self.class_distance is None else "counts"  # distances are between labels

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = accept_sparse(self.labels)
        tags.input_tags.positive_only = False
        return tags
