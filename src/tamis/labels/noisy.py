"""A class per row, some of them wrong."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .. import _validation
from ..distances.scaling import scaled
from ..estimates.densities import ClassDensities
from . import _em
from ._evidence import FOLDS, ClassifierEvidence, NeighbourEvidence, probabilities_of
from .base import LabelModel

_FEW_ITERATIONS = 3
_MANY_ITERATIONS = 1000
_A_FEW_PARAMETERS = 3.0
_LEAST_SINGULAR = 0.3


class NoisyLabels(LabelModel, name="noisy"):
    r"""One class per row of which an unknown share is wrong: find it, and doubt the right rows.

    The recorded label y is a noisy copy of a hidden true class s, :math:`p(y|s)` being the transition matrix. EM
    alternates between the memberships :math:`\gamma(s|i) \propto p(x_i, s)\, p(y_i|s)` and the matrix (Frenay et al.,
    2014, eqs. 20 and 24-29).

    Parameters
    ----------
    estimator : {"auto"}, None, classifier or list of classifiers, default="auto"
        What tells the true class from the features. Classifiers give probabilities for samples they have not seen,
        combined with fitted exponents; "auto" is a random forest and a logistic regression. None is the paper:
        densities from nearest neighbours, whose rate of wrong labels is a guess where classes overlap.
    transition : {"auto", "common", "per-class", "full"}, default="auto"
        One rate of wrong labels, one per true class (the paper), or a probability for each pair of classes. "auto" is
        one rate unless the labels are so much likelier with one per class that these earn their place.
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
        Most iterations of EM. None: 3 for neighbour densities, since running on hurts there; 1000 otherwise.
    tol : float, default=1e-5
        EM ends when no entry of the transition matrix moves by more.
    n_jobs : int, default=None
        Threads; the result does not depend on it.
    random_state : int, RandomState instance or None, default=None
        For the classifiers and for random starts.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    memberships_ : ndarray of shape (n_samples, n_classes)
        Probability of each true class given the features and the recorded label.
    noise_rates_ : ndarray of shape (n_classes,)
        Share of wrong labels among the samples of each true class.
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
    A class that others swallow is named in a warning: if at once, its recorded labels are trusted; if later, the
    estimate before that is kept. Neighbours are searched once per fit, O(n_samples^2 n_features); an iteration costs
    O(n_samples n_classes) walks over short lists.

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
        tol=1e-5,
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
        self.n_jobs = n_jobs
        self.random_state = random_state

    one_class_a_row = True

    def why_not_in_blocks(self):
        return "a noise model compares each row with all others"

    @classmethod
    def literal(cls, **parameters):
        """The paper word for word: self included, k = 3, a rate per class, ten random starts, to convergence."""
        paper = {
            "estimator": None,
            "transition": "per-class",
            "refit": "each-step",
            "soft": True,
            "n_neighbors": 3,
            "include_self": True,
            "dimension": "ambient",
            "initial_rate": "random",
            "n_init": 10,
            "max_iter": 100,
            "tol": 1e-4,
        }
        return cls(**(paper | parameters))

    def fit(self, X, y=None, *, memberships=None):
        """Estimate which labels are wrong.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Recorded classes.
        """
        _validation.check_no_memberships(memberships, "noisy")
        _validation.check_dense(X, "labels='noisy'", "a noise model compares each row with its neighbours")
        X = _validation.check_numbers("X", X, estimator=self, order="C", ensure_min_samples=2)
        self.classes_, codes = _validation.check_classes(y)
        _validation.check_rows_match(X, codes)
        return self._fit(X, codes)

    def fit_again(self, X):
        """Estimate anew from other features of the same samples: a step of a search."""
        return self._fit(X, self._codes)

    def _fit(self, X, codes):
        self._check()
        wanted = int(self.n_neighbors) + 1 if self.estimator is None else FOLDS
        _validation.check_class_counts(codes, self.classes_, "a noise model", wanted)
        self._codes = codes
        random = _validation.check_seed(self.random_state)
        best = self._best_run(scaled(X, self.scale), codes, random)
        blind = self.estimator is not None and not _tells_something(best, codes)
        self._warn(best, blind)
        if blind:
            identity = np.eye(len(self.classes_))
            best = replace(best, memberships=identity[codes], transition=identity)
        self.memberships_, self.transition_ = best.memberships, best.transition
        self.noise_rates_ = 1.0 - np.diag(best.transition)
        self.class_priors_ = best.memberships.mean(axis=0)
        self.log_likelihood_, self.n_iter_ = best.log_likelihood, len(best.log_likelihood)
        self.converged_ = best.converged
        return self

    def _warn(self, run, blind):
        """Say what went wrong, with the class named and the way out."""
        names = self.classes_.tolist()
        said = []
        if len(run.trusted):
            who = ", ".join(repr(names[s]) for s in run.trusted)
            said.append(
                f"class {who} would be swallowed by others, so its recorded labels are trusted. Merge it with another "
                "class to have them judged."
            )
        if len(run.lost):
            kept = "the estimate before that is" if len(run.log_likelihood) else "the recorded labels are"
            said.append(
                f"class {names[run.lost[0]]!r} was swallowed by others in iteration {len(run.log_likelihood) + 1} of "
                f"the noise model; {kept} kept. Merge the class with another, use fewer iterations, or labels='hard'."
            )
        elif blind:
            said.append(
                "the features tell nothing about the recorded labels, so wrong ones cannot be found: all labels are "
                "kept. Use other features, or labels='hard'."
            )
        for sentence in said:
            warnings.warn(sentence, UserWarning, stacklevel=4)

    def suspects(self, n=None):
        """Rows sorted by the probability that their label is wrong, as a pandas table.

        Parameters
        ----------
        n : int, default=None
            Number of rows; all by default.

        Returns
        -------
        DataFrame with columns
            row : position in X
            label : the recorded class
            p_wrong : probability that it is not the true one
            likely : the most probable other class
            p_likely : its probability
        """
        check_is_fitted(self, "memberships_")
        if n is not None:
            _validation.check_count("n", n, least=0)
        pd = _validation.import_pandas("NoisyLabels.suspects")
        rows = np.arange(len(self._codes))
        others = self.memberships_.copy()
        others[rows, self._codes] = -1.0
        likely = others.argmax(axis=1)
        wrong = np.clip(others, 0.0, None).sum(axis=1)
        order = np.argsort(-wrong, kind="stable")[:n]
        table = {
            "row": rows,
            "label": self.classes_[self._codes],
            "p_wrong": wrong,
            "likely": self.classes_[likely],
            "p_likely": others[rows, likely],
        }
        return pd.DataFrame({name: column[order] for name, column in table.items()})

    def search_memberships(self):
        """The memberships if `soft`, else the most probable class of each row.

        In doubt the recorded class, and the memberships after all if a class would be left without two samples or half
        of its weight.
        """
        if self.soft:
            return self.memberships_
        recorded = np.eye(len(self.classes_))[self._codes]
        classes = np.eye(len(self.classes_))[(self.memberships_ + 1e-9 * recorded).argmax(axis=1)]
        enough = np.maximum(2.0, self.memberships_.sum(axis=0) / 2)
        return classes if (classes.sum(axis=0) >= enough).all() else self.memberships_

    def recorded(self):
        """The recorded classes, one-hot: unlike the memberships they owe nothing to the features."""
        return np.eye(len(self.classes_))[self._codes]

    def learned(self, whole, rows):
        """The recorded classes, which is what people train classifiers with, and safer where rows are few."""
        return rows, whole.recorded()[rows]

    def judged(self, whole, rows):
        """The recorded classes of other rows, corrected for the noise of the rows that this model was fitted to.

        A line t of the inverse of the transition matrix for each recorded class: in the mean over the noise it is the
        true class, so that a loss compared with it is that of the true classes (Natarajan et al., 2013). Nothing that
        the features say about these rows is used, hence no prediction can agree with itself.
        """
        return rows, unmixing(self.transition_)[whole._codes[rows]]

    def _check(self):
        _validation.check_choice("transition", self.transition, ("auto", *_em.TRANSITIONS))
        _validation.check_choice("refit", self.refit, ("once", "each-step"))
        _validation.check_choice("dimension", self.dimension, ("intrinsic", "ambient"))
        _validation.check_count("n_neighbors", self.n_neighbors)
        _validation.check_count("n_init", self.n_init)
        _validation.check_flag("soft", self.soft)
        _validation.check_flag("include_self", self.include_self)
        if self.max_iter is not None:
            _validation.check_count("max_iter", self.max_iter)
        _validation.check_share("tol", self.tol)
        if not isinstance(self.initial_rate, str) or self.initial_rate != "random":
            _validation.check_share("initial_rate", self.initial_rate)

    def _starts(self, random):
        """Transition matrices to start from."""
        n_classes = len(self.classes_)
        for run in range(self.n_init):
            if self.initial_rate == "random":
                yield _em.transition_of(random.uniform(size=n_classes))
            elif run == 0:
                yield _em.transition_of(np.full(n_classes, self.initial_rate))
            else:  # below one half, or two classes could change places
                yield _em.transition_of(random.uniform(0, 0.5, size=n_classes))

    def _best_run(self, X, codes, random):
        n_threads = _validation.check_threads(self.n_jobs)
        if self.estimator is None:
            densities = ClassDensities(
                X,
                codes,
                n_neighbors=int(self.n_neighbors),
                include_self=bool(self.include_self),
                dimension=self.dimension,
                n_threads=n_threads,
            )
            # Its likelihood cannot tell one kind of noise from another.
            kind = "common" if self.transition == "auto" else self.transition
            return self._run(NeighbourEvidence(densities), codes, kind, random)
        seed = random.randint(np.iinfo(np.int32).max)
        probabilities = probabilities_of(self.estimator, X, codes, seed=seed, n_jobs=n_threads)
        kinds = ("common", "per-class") if self.transition == "auto" else (self.transition,)
        runs = [
            self._run(ClassifierEvidence(probabilities, shifts=kind != "common"), codes, kind, random) for kind in kinds
        ]
        # A rate and a shift more for each class but one are to earn their place (Akaike, 1974).
        price = 2 * (len(self.classes_) - 1)
        return runs[-1] if len(runs) == 1 or runs[1].highest > runs[0].highest + price else runs[0]

    def _run(self, evidence, codes, kind, random):
        most = self.max_iter or (_FEW_ITERATIONS if self.estimator is None else _MANY_ITERATIONS)
        settings = {"kind": kind, "max_iter": most, "tol": self.tol}
        starts = list(self._starts(random))
        best = max((_em.run(evidence, codes, start, **settings) for start in starts), key=lambda run: run.highest)
        if len(best.log_likelihood):
            return best
        # A class was swallowed at once, whatever the start: its labels cannot be questioned, those of others can.
        return _em.run(evidence, codes, starts[0], trusted=best.lost, **settings)


def unmixing(transition) -> np.ndarray:
    """The inverse of a transition matrix, moved towards the identity where it would multiply the noise too much."""
    identity = np.eye(len(transition))
    for doubt in np.linspace(1.0, 0.0, 21):
        mixed = doubt * transition + (1 - doubt) * identity
        if np.linalg.svd(mixed, compute_uv=False)[-1] >= _LEAST_SINGULAR:
            return np.linalg.inv(mixed)
    return identity


def _tells_something(run, codes):
    """Whether the labels are likelier given the features than by their shares, by more than a few parameters gain."""
    size = np.bincount(codes)
    by_shares = (size * np.log(size / len(codes))).sum()
    return run.highest > by_shares + _A_FEW_PARAMETERS
