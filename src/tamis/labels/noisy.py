"""A class per row, some of them wrong."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
from sklearn.utils.validation import _num_samples

from .. import _validation
from .._validation.precomputed import rows_of_tables
from ..distances.scaling import scaled
from ..estimates.densities import ClassDensities
from . import _em
from ._asking import Asking
from ._evidence import ClassifierEvidence, NeighbourEvidence, opinions_from
from ._out_of_sample import FOLDS, probabilities_of
from ._review import Review
from ._statement import as_estimated, stated, unknown
from ._troubles import troubles
from ._weights import mean_of
from .base import LabelModel, one_hot

_FEW_ITERATIONS = 3
_MANY_ITERATIONS = 100
_FINE = 1e-5
_TOO_FEW = (
    "fewer than two classes have rows to be compared, so wrong labels cannot be found: all labels are kept, and how "
    "many are wrong is not known. Use labels='hard', or merge small classes."
)


class NoisyLabels(Review, Asking, LabelModel, name="noisy"):
    r"""One class per row of which an unknown share is wrong: estimate the share, and which rows are wrong.

    The recorded label y is a noisy copy of a hidden true class s, :math:`p(y|s)` being the transition matrix. EM
    alternates between the memberships :math:`\gamma(s|i) \propto p(x_i, s)\, p(y_i|s)` and the matrix (Frenay et al.,
    2014, eqs. 20 and 24-29).

    Parameters
    ----------
    estimator : {"auto", "precomputed"}, None, classifier or list of classifiers, default="auto"
        What predicts the true class from the features. Classifiers give probabilities for samples they have not seen;
        "auto" is a random forest and a logistic regression. They are used as they are with gaps in the features and
        weights of rows if they take them (scikit-learn's tag `allow_nan`, a parameter `sample_weight` of `fit`); if
        not, gaps are filled with means, and every row counts once. With "precomputed" the X of `fit` are such
        probabilities, of a model of your own. None is the paper: densities from nearest neighbours, whose rate of wrong
        labels is a guess where classes overlap.
    transition : {"auto", "common", "per-class", "full"}, default="auto"
        One rate of wrong labels, one per true class (the paper), or a probability for each pair of classes. "auto"
        estimates the share of wrong labels with the last, shrunk towards the first where classes have few rows, and
        reports one rate unless BIC prefers the pairs.
    refit : {"once", "each-step"}, default="once"
        In a search: estimate on all features, or again on the features left at every step (Algorithm 2 of the paper).
    scale : {"standard", None}, default="standard"
        Whether columns are divided by their standard deviation.
    soft : bool, default=False
        Whether a search sees the memberships (the paper) rather than the most probable class of each row, which served
        as well in our measurements and makes a search several times faster. `memberships_` is soft either way.
    n_neighbors : int, default=5
        Weight of a complete ball (`estimator=None` only, as the next two).
    include_self : bool, default=False
        Whether a sample takes part in the densities at its own place.
    dimension : {"intrinsic", "ambient"}, default="intrinsic"
        The exponent of distances in a density; the number of features makes it far too sure.
    initial_rate : float or "random", default=0.2
        Rate that EM starts from, or drawn from U(0, 1) for each class (the paper).
    n_init : int, default=1
        Runs of EM; those after the first start from random rates. The one of highest likelihood counts.
    max_iter : int, default=None
        Most iterations of EM. None: 3 for neighbour densities, since running on hurts there; 100 otherwise.
    tol : float, default=None
        EM ends when no entry of the transition matrix moves by more. None: 1e-5 for neighbour densities; otherwise EM
        ends when the rate of wrong labels moves by less than its standard error, after five iterations at the earliest.
    guarded : bool, default=True
        Whether the iterate of highest likelihood counts, and a run ends before a class loses nearly all its weight or
        changes places with another (`estimator=None` only). False is the paper: EM goes wherever it goes.
    n_jobs : int, default=None
        Threads; the result does not depend on it.
    random_state : int, RandomState instance or None, default=None
        For the classifiers and for random starts.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    memberships_ : ndarray of shape (n_samples, n_classes)
        Probability of each true class given the features and the recorded label. With classifiers they are no surer
        than these expect to be right, and the doubts about the recorded labels add up to `noise_rate_` if that is
        `identified_`; otherwise to less, as some mistakes cannot be told from overlap. Rows of weight zero have none.
        Those of rows without a label are the tempered probabilities of the classifiers, or zero if `estimator` is None
        or the features do not predict the recorded labels.
    n_unlabelled_ : int
        Rows without a label (None, NaN or an empty text). Rates, priors and all tests are of the other rows.
    trusted_classes_ : ndarray of bool, shape (n_classes,)
        Classes of one row (or group), which nothing can be compared with: their labels are taken as right, their rows
        are left out of all estimates but `class_priors_`, and a warning names them.
    noise_rate_ : float
        Estimated share of wrong labels; NaN if the features do not predict the recorded labels, or if fewer than two
        classes have rows that can be compared.
    noise_rate_interval_ : tuple of float
        From the share that is certain to the largest that is possible, see Notes. It is not a confidence interval:
        even with many rows it stays wide where classes overlap. Rows of a group count as one where that matters.
    identified_ : bool
        Whether the labels show that some are wrong: one rate of wrong labels, or one for each pair of classes, explains
        them better than classes that overlap. False for neighbour densities, which cannot tell.
    noise_rates_ : ndarray of shape (n_classes,)
        Share of wrong labels among the samples of each true class, according to the memberships; 0 for a class whose
        labels are trusted.
    class_priors_ : ndarray of shape (n_classes,)
        Shares of the true classes.
    transition_ : ndarray of shape (n_classes, n_classes)
        Entry (s, y): probability that true class s is recorded as y.
    log_likelihood_ : ndarray of shape (n_iter_,)
        Incomplete log-likelihood at each iteration, up to a constant.
    n_iter_ : int
    converged_ : bool
        Whether EM ended by itself. With neighbour densities it is not meant to.

    Notes
    -----
    Classes that overlap and labels that are wrong look alike: the rate is only partly identified. Classifiers that
    contradict the labels of a share D of the rows, and are themselves wrong about a share e, leave rates between D - e
    and D + e. The upper end of the interval is the latter. The lower end is the share of contradicted labels in that
    fifth of the rows, sorted by how sure the classifiers are, where it is lowest, less e. The estimate is in between:
    it takes labels that contradict a dense cluster of similar predictions for mistakes, and labels in sparse regions
    between two clusters for overlap; where the labels do not show that some are wrong, half of the latter are counted
    as mistakes too. Mistakes made only where classes overlap are still underestimated, and where classes overlap and
    all labels are right, some are called wrong.

    A class that loses nearly all its weight is named in a warning: if at once, its recorded labels are trusted; if
    later, the estimate before that is kept. Neighbours are searched once per fit, O(n_samples^2 n_features). With
    classifiers an iteration costs O(n_samples n_classes^2) and holds a few arrays of the size of the memberships.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from tamis import NoisyLabels
    >>> from tamis.datasets import flip_uniform
    >>> X, y = load_iris(return_X_y=True)
    >>> y, changed = flip_uniform(y, 0.2, random_state=0)
    >>> model = NoisyLabels(random_state=0).fit(X, y)
    >>> suspects = model.suspects(len(changed))
    >>> round(float(suspects["row"].isin(changed).mean()), 1)
    0.9
    >>> low, high = model.noise_rate_interval_
    >>> low < 0.2 < high
    True
    """

    def __init__(
        self,
        estimator="auto",
        *,
        transition="auto",
        refit="once",
        scale="standard",
        soft=False,
        n_neighbors=5,
        include_self=False,
        dimension="intrinsic",
        initial_rate=0.2,
        n_init=1,
        max_iter=None,
        tol=None,
        guarded=True,
        n_jobs=None,
        random_state=None,
    ):
        self.estimator = estimator
        self.transition = transition
        self.refit = refit
        self.scale = scale
        self.soft = soft
        self.n_neighbors = n_neighbors
        self.include_self = include_self
        self.dimension = dimension
        self.initial_rate = initial_rate
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.guarded = guarded
        self.n_jobs = n_jobs
        self.random_state = random_state

    one_class_a_row = True

    def why_not_in_blocks(self):
        return "a noise model compares each row with all others"

    @classmethod
    def literal(cls, **parameters):
        """The noise model as printed in the paper: self included, k = 3, a rate per class, EM without guards.

        Random rates to start from, five times (the paper: "several"); the run of highest likelihood counts. The paper's
        search uses it with `MutualInformation(8, estimator="distance", include_self=True)`.
        """
        paper = {
            "estimator": None,
            "transition": "per-class",
            "refit": "each-step",
            "soft": True,
            "n_neighbors": 3,
            "include_self": True,
            "dimension": "ambient",
            "initial_rate": "random",
            "n_init": 5,
            "max_iter": 100,
            "tol": 1e-4,
            "guarded": False,
        }
        return cls(**(paper | parameters))

    def fit(self, X, y=None, *, memberships=None, sample_weight=None, groups=None):
        """Estimate which labels are wrong.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            NaN where a value is missing. With `estimator="precomputed"` probabilities of the classes for samples that
            the model has not seen, a column per class in the order of `classes_` or a table whose columns are named by
            the classes; or a list of these, of several models.
        y : array-like of shape (n_samples,)
            Recorded classes; None, NaN or an empty text where there is none.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights, not negative: a row of weight w counts as w rows, one of weight zero is left out.
        groups : array-like of shape (n_samples,), default=None
            No classifier was fitted to rows of the group of the row that it is asked about, and no row is a neighbour
            of one of its group. Without it, the copies of a row whose label is wrong speak for that label.
        """
        _validation.check_no_memberships(memberships, "noisy")
        if self._precomputed:
            X, y = self._present_probabilities(X, y, sample_weight, groups)
        else:
            X, y, _ = self._present(X, y, None, sample_weight, groups)
            _validation.check_dense(X, "labels='noisy'", "a noise model compares each row with its neighbours")
            X = _validation.check_numbers(
                "X", X, estimator=self, order="C", ensure_min_samples=2, missing=True, dtype=_validation.number_types(X)
            )
        self.classes_, codes = _validation.check_labelled(y, least=1)
        if self._precomputed:
            X = _validation.check_precomputed(X, self.classes_, codes, estimator=self)
        else:
            _validation.check_rows_match(X, codes)
        self.n_unlabelled_ = int((codes < 0).sum())
        left_out = self.estimator is None
        instead = () if left_out else ("their classes are predicted",)
        _validation.warn_of_rows_left_out(codes < 0, "label", *instead)
        self.trusted_classes_ = self._small_classes(codes)
        return self._fit(X, codes)

    def _small_classes(self, codes):
        """Which classes nothing can be said of, since rows are not compared with themselves."""
        if self._precomputed or len(self.classes_) < 2:
            return np.zeros(len(self.classes_), dtype=bool)
        labelled = codes >= 0
        rows = self._rows if labelled.all() else self._rows.of(labelled)
        wanted = FOLDS
        if self.estimator is None:
            wanted = _validation.check_count("n_neighbors", self.n_neighbors) + 1
        return _validation.check_class_counts(codes[labelled], self.classes_, "a noise model", wanted, rows)

    def fit_again(self, X):
        """Estimate anew from other features of the same samples: a step of a search."""
        return self._fit(X, self._codes)

    def why_not_in_a_search(self):
        if self._precomputed:
            return (
                "labels=NoisyLabels('precomputed') takes probabilities in place of features. Fit it on them, and pass "
                "its memberships_ to a selector with labels='soft': fit(X, memberships=model.memberships_)."
            )
        return None

    @property
    def _precomputed(self):
        return isinstance(self.estimator, str) and self.estimator == "precomputed"

    def _present_probabilities(self, P, y, sample_weight, groups):
        """Tables of probabilities, of one model or of several, and y without the rows of weight zero."""
        if y is None or (sample_weight is None and groups is None):
            self._rows = _validation.Rows()
            return P, y
        places = np.arange(_num_samples(y))
        _, y, present = self._present(None, y, places, sample_weight, groups)
        return P if present is places else rows_of_tables(P, present, len(places)), y

    def _fit(self, X, codes):
        self._check()
        random = _validation.check_seed(self.random_state)
        labelled, n_classes = codes >= 0, len(self.classes_)
        trusted = labelled & self.trusted_classes_[codes]
        part, examined = self._rows, np.flatnonzero(~self.trusted_classes_)
        self._codes, self.transition_ = codes, np.eye(n_classes)
        if trusted.any():
            places = np.where(self.trusted_classes_, -1, np.cumsum(~self.trusted_classes_) - 1)
            X, codes, part = X[~trusted], np.where(labelled, places[codes], -1)[~trusted], _of(part, ~trusted)
        if len(examined) < 2:
            run, found, P = None, unknown(codes[codes >= 0], len(examined)), one_hot(codes, len(examined))
        else:
            run, found, P = self._estimated(X, codes, part, random)
        self.memberships_ = P
        if trusted.any():
            self.memberships_ = one_hot(np.where(trusted, self._codes, -1), n_classes)
            self.memberships_[np.ix_(~trusted, examined)] = P
        self.transition_[np.ix_(examined, examined)] = found.transition
        self.noise_rate_, self.noise_rate_interval_, self.identified_ = found.rate, found.interval, found.identified
        self.noise_rates_ = 1.0 - np.diag(self.transition_)
        rows = self._rows if labelled.all() else self._rows.of(labelled)
        self.class_priors_ = mean_of(self.memberships_[labelled], rows)
        self.log_likelihood_ = np.empty(0) if run is None else run.log_likelihood
        self.n_iter_, self.converged_ = len(self.log_likelihood_), run is None or run.converged
        self._warn(run, examined, blind=np.isnan(found.rate))
        return self

    def _estimated(self, X, codes, part, random):
        """Of rows whose class is examined or not known: the run of EM, what is said of those known, and memberships."""
        labelled, n_classes = codes >= 0, int(codes.max()) + 1
        rows, P = part if labelled.all() else part.of(labelled), np.zeros((len(codes), n_classes))
        if self.estimator is None:
            X = scaled(X, self.scale, part.weight)
            best, found = self._from_densities(X[labelled], codes[labelled], rows, random)
        else:
            predicted = self._probabilities(X, codes, part, random)
            known = predicted if labelled.all() else [p[labelled] for p in predicted]
            best, found = self._from_probabilities(known, codes[labelled], rows, random)
            if not (labelled.all() or np.isnan(found.rate)):
                P[~labelled] = opinions_from(predicted, labelled, found.memberships, rows)
        P[labelled] = found.memberships
        return best, found, P

    def _warn(self, run, examined, blind):
        what = "probabilities" if self._precomputed else "features"
        said = [_TOO_FEW] if run is None else troubles(run, self.classes_[examined].tolist(), what, blind=blind)
        for sentence in said:
            warnings.warn(sentence, UserWarning, stacklevel=4)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = not self._precomputed
        return tags

    def search_memberships(self):
        """The memberships if `soft`, else the most probable class of each row.

        In doubt the recorded class, and the memberships after all if a class would be left without two samples or half
        of its weight.
        """
        if self.soft:
            return self.memberships_
        likeliest = (self.memberships_ + 1e-9 * self.recorded()).argmax(axis=1)
        classes = one_hot(np.where(self.memberships_.any(axis=1), likeliest, -1), len(self.classes_))
        enough = np.maximum(2.0, self._rows.weighted(self.memberships_).sum(axis=0) / 2)
        enough[self.trusted_classes_] = 0.0
        return classes if (self._rows.weighted(classes).sum(axis=0) >= enough).all() else self.memberships_

    def recorded(self):
        """The recorded classes, one-hot: unlike the memberships they owe nothing to the features."""
        return one_hot(self._codes, len(self.classes_))

    def learned(self, whole, rows):
        """The recorded classes, which is what people train classifiers with, and safer where rows are few."""
        rows = rows[whole._codes[rows] >= 0]
        return rows, whole.recorded()[rows]

    def judged(self, whole, rows):
        """The recorded classes of other rows, corrected for the noise of the rows that this model was fitted to.

        A line t of the inverse of the transition matrix for each recorded class: in the mean over the noise it is the
        true class, so that a loss compared with it is that of the true classes (Natarajan et al., 2013). Nothing that
        the features say about these rows is used, hence no prediction can agree with itself. A class that this model
        has not seen is taken as recorded.
        """
        known, lines = np.searchsorted(whole.classes_, self.classes_), np.eye(len(whole.classes_))
        lines[np.ix_(known, known)] = _em.unmixing(self.transition_)
        rows = rows[whole._codes[rows] >= 0]
        return rows, lines[whole._codes[rows]]

    def _check(self):
        _validation.check_choice("transition", self.transition, ("auto", *_em.TRANSITIONS))
        _validation.check_choice("refit", self.refit, ("once", "each-step"))
        _validation.check_choice("dimension", self.dimension, ("intrinsic", "ambient"))
        _validation.check_count("n_neighbors", self.n_neighbors)
        _validation.check_count("n_init", self.n_init)
        _validation.check_flag("soft", self.soft)
        _validation.check_flag("include_self", self.include_self)
        _validation.check_flag("guarded", self.guarded)
        if self.max_iter is not None:
            _validation.check_count("max_iter", self.max_iter)
        if self.tol is not None:
            _validation.check_share("tol", self.tol)
        if not isinstance(self.initial_rate, str) or self.initial_rate != "random":
            _validation.check_share("initial_rate", self.initial_rate)

    def _starts(self, n_classes, random):
        """Transition matrices to start from."""
        for run in range(self.n_init):
            if self.initial_rate == "random":
                yield _em.transition_of(random.uniform(size=n_classes))
            elif run == 0:
                yield _em.transition_of(np.full(n_classes, self.initial_rate))
            else:  # below one half, or two classes could change places
                yield _em.transition_of(random.uniform(0, 0.5, size=n_classes))

    def _from_densities(self, X, codes, rows, random):
        densities = ClassDensities(
            X,
            codes,
            n_neighbors=int(self.n_neighbors),
            rows=rows,
            include_self=bool(self.include_self),
            dimension=self.dimension,
            n_threads=_validation.check_threads(self.n_jobs),
        )
        # Its likelihood cannot tell one kind of noise from another.
        kind = "common" if self.transition == "auto" else self.transition
        evidence = NeighbourEvidence(densities, bool(self.guarded), rows)
        best = self._run(evidence, codes, kind, rows, random, max_iter=_FEW_ITERATIONS, tol=_FINE)
        return best, as_estimated(best, codes, rows)

    def _probabilities(self, X, codes, rows, random):
        """Of each classifier, for samples that it has not seen."""
        if self._precomputed:
            return X
        how = {"seed": random.randint(np.iinfo(np.int32).max), "n_jobs": _validation.check_threads(self.n_jobs)}
        return probabilities_of(self.estimator, scaled(X, self.scale, rows.weight), codes, rows=rows, **how)

    def _from_probabilities(self, probabilities, codes, rows, random):
        evidence = ClassifierEvidence(probabilities, rows)
        probabilities.clear()  # they may be large, and are not needed any more
        predicts = evidence.predicts(codes)
        kind = "full" if self.transition == "auto" else self.transition
        best = self._run(evidence, codes, kind, rows, random, max_iter=_MANY_ITERATIONS, tol=None)
        if not predicts:
            return best, unknown(codes, int(codes.max()) + 1)
        return best, stated(best, codes, self.transition, lambda: evidence.shows_mistakes(codes), rows)

    def _run(self, evidence, codes, kind, rows, random, *, max_iter, tol):
        tol = tol if self.tol is None else self.tol
        settings = {"kind": kind, "max_iter": self.max_iter or max_iter, "tol": tol, "rows": rows}
        starts = list(self._starts(int(codes.max()) + 1, random))
        best = max((_em.run(evidence, codes, start, **settings) for start in starts), key=lambda run: run.reached)
        if len(best.log_likelihood):
            return best
        # A class lost its weight at once, whatever the start: its labels cannot be questioned, those of others can.
        return _em.run(evidence, codes, starts[0], trusted=best.lost, **settings)


def _of(rows, some):
    """What is known of some rows, as if there were no others: groups are numbered anew, unless each is a single row."""
    rows = rows.of(some)
    if rows.group is None:
        return rows
    groups, group = np.unique(rows.group, return_inverse=True)
    return replace(rows, group=None if len(groups) == len(group) else group.ravel())
