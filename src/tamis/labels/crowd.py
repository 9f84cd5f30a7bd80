"""Several annotators' answers for each row."""

from __future__ import annotations

import warnings

import numpy as np
from scipy.sparse import issparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _num_samples, check_is_fitted

from .. import _validation
from .._kernels.blas import one_blas_thread
from .._validation.precomputed import rows_of_tables
from ..distances.scaling import scaled
from ._annotators import Annotators
from ._confusions import indicators
from ._dawid_skene import DawidSkene, posterior
from ._joint import MOST_ROUNDS, JointEM
from ._out_of_sample import opinions_of
from .base import LabelModel


class CrowdLabels(Annotators, LabelModel, name="crowd"):
    r"""Answers of several annotators who disagree, and who are not equally good.

    y has a row per sample and a column per annotator, with NaN, None or an empty text where there is no answer.
    A table names its annotators by its columns; `answers_of` makes y from a long table. A plain column of classes is a
    single annotator.

    Parameters
    ----------
    method : {"dawid-skene", "share"}, default="dawid-skene"
        The posterior of the true class from a confusion matrix per annotator, both estimated by EM (Dawid and Skene,
        1979), or simply the share of the answers.
    estimator : {"auto", "precomputed"}, None, classifier or list of classifiers, default="auto"
        What else predicts the true class, from the features: classifiers, as in `NoisyLabels`, that are trained on the
        most probable classes and asked about rows they have not seen, again after each EM. With "precomputed" the X of
        `fit` are such probabilities. None, or no X: the answers alone.
    expert : str or int, default=None
        The annotator, by name or number, whose answers are the truth; see `gold` of `fit`.
    smoothing : float, default=1.0
        Without features: how many answers of the average annotator are added to those of each, in each class: people
        who gave few answers are not believed to be always right or always wrong. 0 is the original method. With
        features the number is estimated from how alike the annotators are.
    unanswered : {"predict", "drop", "error"}, default="predict"
        What becomes of rows without an answer: they get what the features say, or are left out of the estimates (their
        memberships are zero), with a warning that counts them, or are refused. Without features "predict" is "drop".
    soft : bool or None, default=None
        Whether a search sees the memberships rather than the most probable class of each row. It then takes some ten
        times longer, and was not better where that was measured. None: only if they are shares.
    missing_value : scalar, default=None
        One more value that stands for no answer, -1 say.
    max_iter : int, default=500
    tol : float, default=1e-6
        Without features, EM ends when memberships move by less, on average over the rows (total variation); with
        features when the share of answers that are wrong moves by less than its standard error.
    n_jobs : int, default=None
        Threads of the classifiers; the result does not depend on it.
    random_state : int, RandomState instance or None, default=None
        For classifiers, ties of votes and drawn annotators.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    memberships_ : ndarray of shape (n_samples, n_classes)
    annotators_ : ndarray of shape (n_annotators,)
        Their names, or numbers, without the expert.
    confusion_ : ndarray of shape (n_annotators, n_classes, n_classes)
        Entry (a, s, t): probability that annotator a answers t when the true class is s.
    reliabilities_ : ndarray of shape (n_annotators,)
        Probability that an annotator's answer is right, over the classes as they occur.
    reliability_intervals_ : ndarray of shape (n_annotators, 2)
        That hold the reliability with 95 % probability; from 0 to 1 if all answers are of one class.
    n_answers_ : ndarray of int, shape (n_annotators,)
        Rows that each annotator answered, whatever their weights.
    class_priors_ : ndarray of shape (n_classes,)
    n_unanswered_ : int
        Number of rows without an answer whose true class is not known either.
    log_likelihood_ : ndarray of shape (n_iter_,)
        Of the answers, at each iteration.
    n_iter_ : int
    converged_ : bool

    Notes
    -----
    An iteration costs O(n_answers n_classes). EM takes the confusions it has found as known, and is too sure. With
    features the memberships are therefore those of EM in part only; the rest is the mean of what EM finds with
    annotators drawn at random, and of what the features say alone. The most probable class is always that of EM.

    Examples
    --------
    >>> from tamis import CrowdLabels
    >>> answers = [["cat", "cat", "dog"], ["dog", "dog", "cat"], ["cat", "cat", None], ["dog", "dog", "cat"]]
    >>> crowd = CrowdLabels().fit(None, answers)
    >>> crowd.classes_[crowd.memberships_.argmax(axis=1)].tolist()
    ['cat', 'dog', 'cat', 'dog']
    >>> crowd.reliabilities_.argmin()  # the third annotator contradicts the others
    np.int64(2)
    """

    takes_sparse = True

    def __init__(
        self,
        method="dawid-skene",
        *,
        estimator="auto",
        expert=None,
        smoothing=1.0,
        unanswered="predict",
        soft=None,
        missing_value=None,
        max_iter=500,
        tol=1e-6,
        n_jobs=None,
        random_state=None,
    ):
        self.method = method
        self.estimator = estimator
        self.expert = expert
        self.smoothing = smoothing
        self.unanswered = unanswered
        self.soft = soft
        self.missing_value = missing_value
        self.max_iter = max_iter
        self.tol = tol
        self.n_jobs = n_jobs
        self.random_state = random_state

    @property
    def uses_samples(self):  # type: ignore[override]
        return self.method == "dawid-skene" and self.estimator is not None

    def why_not_in_blocks(self):
        if self.method == "share":
            return None
        return (
            "how far each annotator is to be believed depends on all answers. Fit CrowdLabels on all of them first and "
            "pass its memberships_ with labels='soft', or use CrowdLabels('share'), or with a dask array "
            "CrowdLabels(estimator=None), which gathers the answers only"
        )

    def why_not_in_a_search(self):
        if self._precomputed:
            return (
                "labels=CrowdLabels(estimator='precomputed') takes probabilities in place of features. Fit it on them, "
                "and pass its memberships_ to a selector with labels='soft': fit(X, memberships=model.memberships_)."
            )
        return None

    def fit(self, X, y=None, *, memberships=None, sample_weight=None, groups=None, classes=None, gold=None):
        """Estimate the true classes and the annotators.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features), or None
            Features; None if there are none, or if they are not to be looked at. NaN where a value is missing.
        y : table of answers
        sample_weight : array-like of shape (n_samples,), default=None
            A row of weight w counts as w rows, and one of weight zero is left out.
        groups : array-like of shape (n_samples,), default=None
            No classifier is asked about a row of a group that it was trained on.
        classes : array-like, default=None
            All classes there are, if there may be some that nobody answers with.
        gold : array-like of shape (n_samples,), default=None
            True classes, None where they are not known: these rows are certain, and show how annotators confuse them.
        """
        _validation.check_no_memberships(memberships, "crowd")
        self._check()
        X, y, gold = self._present_with_gold(X, y, gold, sample_weight, groups)
        answers = _validation.check_answers(y, self.missing_value, classes)
        answers, gold = self._gold(answers, gold)
        X = X if self.uses_samples and len(answers.classes) > 1 else None
        self._looked_at_samples = X is not None
        self.classes_, self.annotators_ = answers.classes, answers.annotators
        self.n_answers_ = np.bincount(answers.annotator, minlength=len(self.annotators_))
        self._answers, self._codes_of_gold = answers, gold
        self._leave_out(answers, predicted=X is not None and self.unanswered == "predict")
        if X is None:
            self._from_answers(answers, gold)
        else:
            self._from_both(X, answers, gold)
        self.n_iter_ = len(self.log_likelihood_)
        if not self.converged_:
            warnings.warn(
                f"the EM over annotators did not converge in max_iter = {self.max_iter} iterations. Raise max_iter"
                f"{', tol or smoothing' if X is None else ''}.",
                ConvergenceWarning,
                stacklevel=2,
            )
        self._rate_annotators()
        return self

    def posterior(self, y):
        """Memberships of other rows, from the answers of the same annotators alone.

        Tables are matched by the names of their columns, in any order; annotators may be missing, but not new.
        """
        check_is_fitted(self, "confusion_")
        answers = _validation.check_answers(y, self.missing_value, self.classes_)
        place = _validation.check_annotators(answers.annotators, self.annotators_)
        answers = answers._replace(annotator=place[answers.annotator], annotators=self.annotators_)
        return posterior(indicators(answers), self.confusion_, self.class_priors_, self._trust)[0]

    def search_memberships(self):
        """The memberships if `soft`, else the most probable class of each row."""
        if self.method == "share" if self.soft is None else self.soft:
            return self.memberships_
        known = self.memberships_.any(axis=1, keepdims=True)
        return np.eye(len(self.classes_))[self.memberships_.argmax(axis=1)] * known

    def recorded(self):
        """What the answers say, annotators being as they were found; it owes nothing to the features of the row."""
        return self._by_answers

    def judged(self, whole, rows):
        """What the answers of other rows say."""
        found = whole.recorded()[rows]
        known = found.any(axis=1)
        return rows[known], found[known]

    @property
    def _precomputed(self):
        return isinstance(self.estimator, str) and self.estimator == "precomputed"

    def _check(self):
        _validation.check_choice("method", self.method, ("dawid-skene", "share"))
        _validation.check_choice("unanswered", self.unanswered, ("predict", "drop", "error"))
        _validation.check_positive("smoothing", self.smoothing, or_zero=True)
        if self.soft is not None:
            _validation.check_flag("soft", self.soft)
        _validation.check_count("max_iter", self.max_iter)
        _validation.check_share("tol", self.tol)

    def _present_with_gold(self, X, y, gold, sample_weight, groups):
        """X, y and gold without the rows of weight zero."""
        self._rows = _validation.Rows()
        if y is None or (sample_weight is None and groups is None):
            return X, y, gold
        places = np.arange(_num_samples(y))
        _, y, present = self._present(None, y, places, sample_weight, groups)
        if present is not places:
            X = X if X is None else rows_of_tables(X, present, len(places))
            gold = gold if gold is None else _safe_indexing(gold, present)
        return X, y, gold

    def _gold(self, answers, gold):
        """The answers without those of the expert, and the true class of each row, -1 where it is not known."""
        found = np.full(answers.n_rows, -1)
        if gold is not None:
            found = _validation.check_gold(gold, answers.n_rows, answers.classes)
        if self.expert is None:
            return answers, found
        place = _validation.check_annotators([self.expert], answers.annotators)[0]
        by_expert = answers.annotator == place
        rows, labels = answers.row[by_expert], answers.label[by_expert]
        other = (found[rows] >= 0) & (found[rows] != labels)
        if other.any():
            row, label = rows[other][0], labels[other][0]
            raise ValueError(
                f"gold must not contradict expert={self.expert!r}; for row {row} they say "
                f"{answers.classes.tolist()[found[row]]!r} and {answers.classes.tolist()[label]!r}. Keep one of them."
            )
        found[rows] = labels
        if by_expert.all():
            raise ValueError(
                f"y must have answers of others beside those of expert={self.expert!r}; there are none. With true "
                "classes only, use labels='hard'."
            )
        names = np.delete(answers.annotators, place)
        answers = answers.part(~by_expert, annotators=names)
        return answers._replace(annotator=answers.annotator - (answers.annotator > place)), found

    def _leave_out(self, answers, *, predicted):
        silent = self._codes_of_gold < 0
        silent[answers.row] = False
        self.n_unanswered_ = int(silent.sum())
        if self.n_unanswered_ and self.unanswered == "error":
            first = int(np.flatnonzero(silent)[0])
            raise ValueError(
                f"{self.n_unanswered_} of {len(silent)} rows have no answer (the first is row {first}). Drop them, or "
                "use unanswered='drop'."
            )
        if not predicted:
            _validation.warn_of_rows_left_out(silent, "answer")

    def _from_both(self, X, answers, gold):
        """EM with the features."""
        random = _validation.check_seed(self.random_state)
        how = {"seed": random.randint(np.iinfo(np.int32).max), "n_jobs": _validation.check_threads(self.n_jobs)}
        if self._precomputed:
            given = _validation.check_precomputed(X, self.classes_, _majority(answers, gold), estimator=self)
        else:
            X = self._checked_samples(X, answers)

        def classify(codes):
            if self._precomputed:
                return given
            return opinions_of(self.estimator, X, codes, len(self.classes_), rows=self._rows, **how)

        rounds = 1 if self._precomputed else MOST_ROUNDS
        em = JointEM(answers, gold, classify, self._rows, rounds=rounds)
        with one_blas_thread():
            found = em.run(max_iter=self.max_iter, random=random)
        self.memberships_, self._by_answers = found.memberships, found.by_answers
        if self.unanswered == "drop":
            self.memberships_[~found.by_answers.any(axis=1)] = 0.0
        weighted = self._rows.weighted(found.memberships)
        self._learn_confusions(found.confusions, weighted.sum(axis=0) / weighted.sum())
        self._trust = found.trust
        self.log_likelihood_, self.converged_ = found.log_likelihood, found.converged

    def _checked_samples(self, X, answers):
        how = {"accept_sparse": "csr", "order": "C", "missing": True, "dtype": _validation.number_types(X)}
        X = _validation.check_numbers("X", X, estimator=self, **how)
        if X.shape[0] != answers.n_rows:
            raise ValueError(f"X and y must have as many rows; got {X.shape[0]} and {answers.n_rows}.")
        return X if issparse(X) else scaled(X, "standard", self._rows.weight)

    def _from_answers(self, answers, gold):
        """The answers alone: shares, or the EM of Dawid and Skene."""
        alone = DawidSkene(answers, gold, self.smoothing, self._rows)
        found = alone.shares() if self.method == "share" else alone.run(self.max_iter, self.tol)
        self._trust, self.memberships_, self._by_answers = 1.0, found.memberships, found.memberships
        self._learn_confusions(found.confusions, found.priors)
        self.log_likelihood_, self.converged_ = found.log_likelihood, found.converged

    def _learn_confusions(self, confusions, priors):
        self._confusions, self.confusion_, self.class_priors_ = confusions, confusions.matrices, priors


def _majority(answers, gold) -> np.ndarray:
    """The most frequent answer for each row, its true class if that is known, -1 if there is neither."""
    votes = np.zeros((answers.n_rows, len(answers.classes)))
    np.add.at(votes, (answers.row, answers.label), 1.0)
    return np.where(gold >= 0, gold, np.where(votes.any(axis=1), votes.argmax(axis=1), -1))


def answers_of(row, annotator, label, *, n_rows=None, annotators=None):
    """A table with a row per sample and a column per annotator, from one answer per line.

    Parameters
    ----------
    row, annotator, label : array-like of shape (n_answers,)
        The sample (counted from 0), who answered, and what. An answer that is repeated counts once.
    n_rows : int, default=None
        Number of samples; the last one that has an answer is the last one by default.
    annotators : array-like of shape (n_annotators,), default=None
        Columns of the table, in this order; those who occur, sorted, by default.

    Returns
    -------
    LongAnswers
        The y of `labels="crowd"`, in which only the answers take memory. Rows are taken from it as from an array, and
        `to_frame()` is a pandas table with None where an annotator gave no answer.

    Examples
    --------
    >>> from tamis import answers_of
    >>> answers = answers_of([0, 0, 2], ["ann", "bob", "bob"], ["cat", "dog", "dog"])
    >>> answers
    <3 answers of 2 annotators for 3 rows>
    >>> answers[[0, 2]].to_frame()
        ann  bob
    0   cat  dog
    1  None  dog
    """
    return _validation.check_long_answers(row, annotator, label, n_rows, annotators)
