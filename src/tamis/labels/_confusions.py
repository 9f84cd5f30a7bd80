"""How annotators confuse classes, and what their answers say about the true ones."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.sparse import csr_array
from scipy.special import gammaln, logsumexp
from sklearn.utils import gen_batches

from ._weights import ALIKE

_STRENGTHS = np.geomspace(0.5, 256.0, 10)
_CELLS = 2_000_000


def indicators(answers) -> csr_array:
    """A column for each answer of each annotator: one where it was given."""
    n_classes = len(answers.classes)
    columns = answers.annotator * n_classes + answers.label
    shape = (answers.n_rows, len(answers.annotators) * n_classes)
    return csr_array((np.ones(len(columns)), columns, starts(answers)), shape=shape)


def starts(answers) -> np.ndarray:
    """The place of the first answer of each row, and one more at the end."""
    return np.searchsorted(answers.row, np.arange(answers.n_rows + 1))


def counted(given, memberships) -> np.ndarray:
    """How often each annotator (first axis) answered each class (last) for rows of each true class."""
    n_classes = memberships.shape[1]
    return np.ascontiguousarray((given.T @ memberships).reshape(-1, n_classes, n_classes).transpose(0, 2, 1))


class Confusions(NamedTuple):
    """Counts of answers, and what is believed of an annotator before any: the average one, worth some answers a class.

    Attributes
    ----------
    counts : ndarray of shape (n_annotators, n_classes, n_classes)
        By annotator, true class and answer.
    average : ndarray of shape (n_classes, n_classes)
        Probability of each answer (columns) given the true class.
    strength : float
        Answers, in each class, that it is worth.
    """

    counts: np.ndarray
    average: np.ndarray
    strength: float

    @property
    def concentration(self) -> np.ndarray:
        """Of the Dirichlet distributions of the lines of the matrices."""
        return self.counts + self.strength * self.average

    @property
    def matrices(self) -> np.ndarray:
        alpha = self.concentration
        return alpha / alpha.sum(axis=2, keepdims=True)


def shrunk(counts) -> Confusions:
    """The average annotator and how alike annotators are, from their counts (empirical Bayes).

    The average itself is shrunk towards one rate of right answers, by as many answers as there are classes. The
    strength is that under which the counts are likeliest.
    """
    n_classes, together = len(counts[0]), counts.sum(axis=0)
    right = np.trace(together) / max(together.sum(), 1e-300)
    one_rate = np.full((n_classes, n_classes), (1.0 - right) / (n_classes - 1))
    np.fill_diagonal(one_rate, right)
    average = together + n_classes * np.maximum(one_rate, 1e-6)
    average /= average.sum(axis=1, keepdims=True)
    seen = counts.sum(axis=2)
    likelihoods = [
        (gammaln(k) - gammaln(k + seen)).sum() + (gammaln(counts + k * average) - gammaln(k * average)).sum()
        for k in _STRENGTHS
    ]
    return Confusions(counts, average, float(_STRENGTHS[int(np.argmax(likelihoods))]))


class Others:
    """What the answers say about each row, by confusions that are estimated from the *other* rows.

    A row in its own estimate would be believed for the sake of its answers: the more so, the fewer an annotator gave.
    Where annotators are `drawn`, that is the weight of the answers of each.
    """

    def __init__(self, answers, rows=ALIKE):
        self._answers, self._rows, self._starts = answers, rows, starts(answers)
        self._most = max(1, _CELLS // len(answers.classes))

    def log_likelihoods(self, confusions, memberships, drawn=None) -> np.ndarray:
        """Logarithms of the probability of each row's answers given each true class."""
        n_rows, first = self._answers.n_rows, self._starts
        found = np.empty((n_rows, len(self._answers.classes)))
        for rows in gen_batches(n_rows, max(1, n_rows * self._most // len(self._answers.row))):
            chosen = slice(first[rows.start], first[rows.stop])
            logs = self._of_each(chosen, confusions, memberships, drawn)
            weight = np.ones(len(logs)) if drawn is None else drawn[self._answers.annotator[chosen]]
            pointers = first[rows.start : rows.stop + 1] - chosen.start
            sums = csr_array((weight, np.arange(len(logs)), pointers), shape=(len(pointers) - 1, len(logs)))
            found[rows] = sums @ logs
        return found

    def trust(self, confusions, memberships, log_prior) -> float:
        """The power, at most one, to which the answers of a row predict each of them best from the others.

        Rows that are hard are hard for everybody, and answers that repeat each other's mistakes count for less. Of many
        answers, those of rows at equal intervals are looked at.
        """
        answers = self._answers
        chosen = np.flatnonzero(answers.row % -(-len(answers.row) // self._most) == 0)
        row = answers.row[chosen]
        alone = self._of_each(chosen, confusions, memberships)
        together = np.zeros((answers.n_rows, alone.shape[1]))
        np.add.at(together, row, alone)
        others, prior = together[row] - alone, log_prior[row]
        weight = None if self._rows.weight is None else self._rows.weight[row]
        several = others.any(axis=1)
        if not several.any():
            return 1.0

        def surprise(power):
            believed = power * others[several] + prior[several]
            predicted = logsumexp(believed + alone[several], axis=1) - logsumexp(believed, axis=1)
            return -np.average(predicted, weights=None if weight is None else weight[several])

        found = minimize_scalar(surprise, bounds=(0.0, 1.0), method="bounded", options={"xatol": 0.02})
        return 1.0 if surprise(1.0) <= found.fun else float(found.x)

    def _of_each(self, chosen, confusions, memberships, drawn=None):
        """For each of the answers, its log-probability given each true class of its row."""
        answers, counts = self._answers, confusions.counts
        who, said = answers.annotator[chosen], answers.label[chosen]
        own = memberships[answers.row[chosen]]
        if drawn is not None:
            own = own * drawn[who, None]
        given = np.maximum(counts[who, :, said] - own, 0.0) + confusions.strength * confusions.average[:, said].T
        seen = np.maximum(counts.sum(axis=2)[who] - own, 0.0) + confusions.strength
        return np.log(given / seen)
