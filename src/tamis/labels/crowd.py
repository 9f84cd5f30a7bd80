"""Several annotators' answers for each row."""

from __future__ import annotations

import warnings

import numpy as np
from scipy.sparse import csr_array
from scipy.special import logsumexp
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from .. import _validation
from ._asking import Asking
from ._weights import ALIKE
from .base import LabelModel

_LEAST = 1e-12


class CrowdLabels(Asking, LabelModel, name="crowd"):
    r"""Answers of several annotators who disagree, and who are not equally good.

    y has a row per sample and a column per annotator, with NaN, None or an empty text where there is no answer.
    A table names its annotators by its columns; `answers_of` makes such a table from a long one. A plain column of
    classes is a single annotator.

    Parameters
    ----------
    method : {"dawid-skene", "share"}, default="dawid-skene"
        The posterior of the true class from a confusion matrix per annotator, both estimated by EM (Dawid and Skene,
        1979), or simply the share of the answers.
    smoothing : float, default=1.0
        How many answers of the average annotator are added to those of each, in each class: people who gave few answers
        are not believed to be always right or always wrong. 0 is the original method.
    unanswered : {"drop", "error"}, default="drop"
        Whether rows without an answer are left out of the estimates (their memberships are zero), with a warning that
        counts them, or refused.
    missing_value : scalar, default=None
        One more value that stands for no answer, -1 say.
    max_iter : int, default=500
    tol : float, default=1e-6
        EM ends when no membership moves by more.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    memberships_ : ndarray of shape (n_samples, n_classes)
    annotators_ : ndarray of shape (n_annotators,)
        Their names, or numbers.
    confusion_ : ndarray of shape (n_annotators, n_classes, n_classes)
        Entry (a, s, t): probability that annotator a answers t when the true class is s.
    reliabilities_ : ndarray of shape (n_annotators,)
        Probability that an annotator's answer is right, over the classes as they occur.
    n_answers_ : ndarray of int, shape (n_annotators,)
        Rows that each annotator answered, whatever their weights.
    class_priors_ : ndarray of shape (n_classes,)
    n_unanswered_ : int
        Number of rows without an answer.
    log_likelihood_ : ndarray of shape (n_iter_,)
        Of the answers, at each iteration.
    n_iter_ : int
    converged_ : bool

    Notes
    -----
    An iteration costs O(n_answers n_classes); X is not used.

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

    uses_samples = False

    def __init__(
        self,
        method="dawid-skene",
        *,
        smoothing=1.0,
        unanswered="drop",
        missing_value=None,
        max_iter=500,
        tol=1e-6,
    ):
        self.method = method
        self.smoothing = smoothing
        self.unanswered = unanswered
        self.missing_value = missing_value
        self.max_iter = max_iter
        self.tol = tol

    def why_not_in_blocks(self):
        if self.method == "share":
            return None
        return (
            "how far each annotator is to be believed depends on all answers. Fit CrowdLabels on all of them first and "
            "pass its memberships_ with labels='soft', or use CrowdLabels('share')"
        )

    def fit(self, X, y=None, *, memberships=None, sample_weight=None, groups=None, classes=None):
        """Estimate the true classes and the annotators; X is not used.

        Annotators and priors are estimated with `sample_weight`, a row of weight w counting as w rows and one of weight
        zero being left out; groups change nothing, since no row is compared with another. `classes` are all classes
        there are, when y is a block that may lack some.
        """
        _validation.check_no_memberships(memberships, "crowd")
        _, y, _ = self._present(None, y, None, sample_weight, groups)
        self._check()
        answers = _validation.check_answers(y, self.missing_value, classes)
        self.classes_, self.annotators_ = answers.classes, answers.annotators
        self._leave_out(~(answers.codes >= 0).any(axis=1))
        given = _indicators(answers.codes, len(self.classes_))
        shares = _shares(given, len(self.classes_))
        self.n_answers_ = (answers.codes >= 0).sum(axis=0)
        if self.method == "share":
            self.memberships_, self.log_likelihood_, self.converged_ = shares, np.empty(0), True
            self._judge_annotators(given, shares)
        else:
            self._expectation_maximisation(given, shares)
        self.n_iter_ = len(self.log_likelihood_)
        self.reliabilities_ = np.einsum("s,ass->a", self.class_priors_, self.confusion_)
        return self

    def posterior(self, y):
        """Memberships of other rows, from the answers of the same annotators.

        Tables are matched by the names of their columns, in any order; annotators may be missing, but not new.
        """
        check_is_fitted(self, "confusion_")
        answers = _validation.check_answers(y, self.missing_value, self.classes_)
        place = _validation.check_annotators(answers.annotators, self.annotators_)
        codes = np.full((len(answers.codes), len(self.annotators_)), -1)
        codes[:, place] = answers.codes
        return self._posterior(_indicators(codes, len(self.classes_)))[0]

    def annotators(self):
        """A pandas table of the annotators, the least reliable first: annotator, n_answers, reliability."""
        check_is_fitted(self, "confusion_")
        pd = _validation.import_pandas("CrowdLabels.annotators")
        table = {"annotator": self.annotators_, "n_answers": self.n_answers_, "reliability": self.reliabilities_}
        return pd.DataFrame(table).sort_values("reliability", kind="stable", ignore_index=True)

    def _check(self):
        _validation.check_choice("method", self.method, ("dawid-skene", "share"))
        _validation.check_choice("unanswered", self.unanswered, ("drop", "error"))
        _validation.check_positive("smoothing", self.smoothing, or_zero=True)
        _validation.check_count("max_iter", self.max_iter)
        _validation.check_share("tol", self.tol)

    def _leave_out(self, silent):
        self.n_unanswered_ = int(silent.sum())
        if self.n_unanswered_ and self.unanswered == "error":
            first = int(np.flatnonzero(silent)[0])
            raise ValueError(
                f"{self.n_unanswered_} of {len(silent)} rows have no answer (the first is row {first}). Drop them, or "
                "use unanswered='drop'."
            )
        _validation.warn_of_rows_left_out(silent, "answer")

    def _expectation_maximisation(self, given, memberships):
        trace: list[float] = []
        self.converged_ = False
        while len(trace) < self.max_iter and not self.converged_:
            self._judge_annotators(given, memberships)
            before, (memberships, log_likelihood) = memberships, self._posterior(given, self._rows)
            trace.append(log_likelihood)
            self.converged_ = bool(np.abs(memberships - before).max() <= self.tol)
        self.memberships_, self.log_likelihood_ = memberships, np.array(trace)
        if not self.converged_:
            warnings.warn(
                f"the EM over annotators did not converge in max_iter = {self.max_iter} iterations. Raise max_iter, "
                "tol or smoothing.",
                ConvergenceWarning,
                stacklevel=3,
            )

    def _judge_annotators(self, given, memberships):
        """Confusion matrices and priors, given how probable each class is."""
        n_classes = len(self.classes_)
        memberships = self._rows.weighted(memberships)
        counts = (given.T @ memberships).reshape(-1, n_classes, n_classes).transpose(0, 2, 1)
        together = counts.sum(axis=0)
        seen = together.sum(axis=1, keepdims=True)
        average = np.where(seen > 0, together / np.where(seen > 0, seen, 1.0), np.eye(n_classes))
        # Even without smoothing somebody who never met a class is taken for the average annotator there.
        counts = counts + max(self.smoothing, _LEAST) * average
        self.confusion_ = counts / counts.sum(axis=2, keepdims=True)
        self.class_priors_ = memberships.sum(axis=0) / memberships.sum()

    def _posterior(self, given, rows=ALIKE):
        """Memberships given the annotators, and the log-likelihood of the answers; zero without an answer."""
        by_answer = np.log(np.maximum(self.confusion_, _LEAST)).transpose(0, 2, 1).reshape(given.shape[1], -1)
        log_joint = np.log(np.maximum(self.class_priors_, _LEAST)) + given @ by_answer
        evidence = logsumexp(log_joint, axis=1, keepdims=True)
        answered = given.sum(axis=1) > 0
        return np.exp(log_joint - evidence) * answered[:, None], float(rows.weighted(evidence)[answered].sum())


def answers_of(row, annotator, label, *, n_rows=None, annotators=None):
    """A table with a row per sample and a column per annotator, from one answer per line.

    Parameters
    ----------
    row, annotator, label : array-like of shape (n_answers,)
        The sample (counted from 0), who answered, and what.
    n_rows : int, default=None
        Number of samples; the last one that has an answer is the last one by default.
    annotators : array-like of shape (n_annotators,), default=None
        Columns of the table, in this order; those who occur, sorted, by default.

    Returns
    -------
    pandas.DataFrame
        None where an annotator gave no answer. It is the y of `labels="crowd"`, and can be split by rows.

    Examples
    --------
    >>> from tamis import answers_of
    >>> answers_of([0, 0, 2], ["ann", "bob", "bob"], ["cat", "dog", "dog"])
        ann   bob
    0   cat   dog
    1  None  None
    2  None   dog
    """
    pd = _validation.import_pandas("answers_of")
    rows, names, labels, n_rows = _validation.check_long_answers(row, annotator, label, n_rows)
    if annotators is not None:
        _validation.check_list("annotators", annotators, "names")
    known = np.unique(names) if annotators is None else np.asarray(annotators)
    place = _validation.check_annotators(names, known)
    table = np.full((n_rows, len(known)), None, dtype=object)
    _validation.check_one_answer_each(rows, names, labels)
    table[rows, place] = labels
    return pd.DataFrame(table, columns=known, dtype=object)


def _indicators(codes, n_classes) -> csr_array:
    """A column for each answer of each annotator: one where it was given."""
    rows, who = np.nonzero(codes >= 0)
    columns = who * n_classes + codes[rows, who]
    return csr_array((np.ones(len(rows)), (rows, columns)), shape=(len(codes), codes.shape[1] * n_classes))


def _shares(given, n_classes):
    votes = given @ np.tile(np.eye(n_classes), (given.shape[1] // n_classes, 1))
    return votes / np.maximum(votes.sum(axis=1, keepdims=True), 1.0)
