"""How annotators confuse classes, and what their answers say about the true ones."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.sparse import csr_array
from scipy.special import logsumexp
from sklearn.utils import gen_batches

from ._weights import ALIKE

ALIKE_PEOPLE = 4.0
"""Answers of the average annotator, beside an annotator's own, in the estimate of how often the latter is right.

The rates of people are then expected to differ by some .2 (standard deviation).
"""
_STRENGTHS = np.geomspace(2.0, 256.0, 8)
"""Of the belief about an annotator, in answers for each class, of which the best is taken."""
_CELLS = 2_000_000
"""Of the tables of answers by classes that are held at once."""
_MOST_ANSWERS = 20_000
"""By which strength and trust are judged."""


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


def mostly_gold(memberships, gold, rows=ALIKE) -> np.ndarray:
    """Memberships to begin with: those of gold rows, and of all others as much as one row of each class.

    What most people say does not outvote what is known; without any gold the memberships are as they were.
    """
    known = gold >= 0
    rest = rows.weighted(memberships)[~known].sum()
    if not known.any() or rest <= memberships.shape[1]:
        return memberships
    return np.where(known[:, None], memberships, memberships * memberships.shape[1] / rest)


class Confusions(NamedTuple):
    """Counts of answers, and what is believed of an annotator before any: a matrix, worth some answers in each class.

    It is that of the average annotator, made better or worse by how often this one has been right in all.

    Attributes
    ----------
    counts : ndarray of shape (n_annotators, n_classes, n_classes)
        By annotator, true class and answer.
    average : ndarray of shape (n_classes, n_classes)
        Probability of each answer (columns) given the true class.
    strength : float
        Answers, in each class, that the matrix is worth.
    alike : float
        Answers of the average annotator that are added where it is found how often this one is right; infinity if
        everybody is taken for the average one.
    """

    counts: np.ndarray
    average: np.ndarray
    strength: float
    alike: float = np.inf

    @property
    def concentration(self) -> np.ndarray:
        """Of the Dirichlet distributions of the lines of the matrices."""
        seen, right = self.counts.sum(axis=2), np.trace(self.counts, axis1=1, axis2=2)
        skill = self.skill(right, seen @ np.diag(self.average), seen.sum(axis=1))[:, None, None]
        same = np.eye(len(self.average), dtype=bool)
        believed = _by_skill(self.average, np.diag(self.average)[:, None], same, skill)
        return self.counts + self.strength * believed

    @property
    def matrices(self) -> np.ndarray:
        alpha = self.concentration
        return alpha / alpha.sum(axis=2, keepdims=True)

    def skill(self, right, expected, n):
        """How often somebody was right beside what is expected of the average one: from -1, never, over 0 to 1, always.

        Given is how often, by whom it is expected, and of how many answers.
        """
        share = np.clip(expected / np.maximum(n, 1e-9), 1e-6, 1.0 - 1e-6)
        more = (right - expected) / (n + self.alike)
        return np.clip(np.where(more >= 0, more / (1.0 - share), more / share), -1.0, 1.0)


def _by_skill(entry, right, same, skill):
    """Probabilities of answers by somebody of this skill; `entry` are those of the average annotator.

    `right` is the probability that the average one is right, `same` where the answer is the true class.
    """
    better = entry + skill * (same - entry)
    rate = right * (1.0 + skill)
    worse = np.where(same, rate, entry * (1.0 - rate) / np.maximum(1.0 - right, 1e-9))
    return np.where(skill >= 0, better, worse)


def average_of(counts) -> np.ndarray:
    """The average annotator, shrunk towards one rate of right answers by as many answers as there are classes."""
    n_classes, together = len(counts[0]), counts.sum(axis=0)
    right = np.trace(together) / max(together.sum(), 1e-300)
    one_rate = np.full((n_classes, n_classes), (1.0 - right) / (n_classes - 1))
    np.fill_diagonal(one_rate, right)
    average = together + n_classes * np.maximum(one_rate, 1e-6)
    return average / average.sum(axis=1, keepdims=True)


class Others:
    """What the answers say about each row, by confusions that are estimated from the *other* rows.

    A row in its own estimate would be believed for the sake of its answers: the more so, the fewer an annotator gave.
    Where annotators are `drawn`, that is the weight of the answers of each.
    """

    def __init__(self, answers, rows=ALIKE):
        self._answers, self._rows, self._starts = answers, rows, starts(answers)
        self._most = max(1, _CELLS // len(answers.classes))
        # Of many answers, those of rows at equal intervals.
        self._some = np.flatnonzero(answers.row % -(-len(answers.row) // _MOST_ANSWERS) == 0)

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

    def strongest(self, confusions, memberships, log_prior) -> Confusions:
        """The confusions with the strength by which the answers predict each other best.

        Each answer is predicted from the other evidence of its row. The likelihood of the counts would not do: counts
        of rows whose class is not sure make annotators look alike, and then they are taken to be.
        """

        def surprise(strength):
            one = confusions._replace(strength=strength)
            alone, others = self._apart(one, memberships)
            return self._surprise(alone, others, log_prior, 1.0)

        return confusions._replace(strength=float(min(_STRENGTHS, key=surprise)))

    def trust(self, confusions, memberships, log_prior) -> float:
        """The power, at most one, to which the answers of a row predict each of them best from the others.

        Rows that are hard are hard for everybody, and answers that repeat each other's mistakes count for less.
        """
        alone, others = self._apart(confusions, memberships)
        if not others.any():
            return 1.0

        def surprise(power):
            return self._surprise(alone, others, log_prior, power)

        found = minimize_scalar(surprise, bounds=(0.0, 1.0), method="bounded", options={"xatol": 0.02})
        return 1.0 if surprise(1.0) <= found.fun else float(found.x)

    def _apart(self, confusions, memberships):
        """What some of the answers say of their rows, and what the others of these rows say."""
        row = self._answers.row[self._some]
        alone = self._of_each(self._some, confusions, memberships)
        together = np.zeros((self._answers.n_rows, alone.shape[1]))
        np.add.at(together, row, alone)
        return alone, together[row] - alone

    def _surprise(self, alone, others, log_prior, power):
        """Mean of minus the logarithm of the probability of an answer given what is known without it."""
        row = self._answers.row[self._some]
        believed = power * others + log_prior[row]
        weight = None if self._rows.weight is None else self._rows.weight[row]
        return -np.average(logsumexp(believed + alone, axis=1) - logsumexp(believed, axis=1), weights=weight)

    def _of_each(self, chosen, confusions, memberships, drawn=None):
        """For each of the answers, its log-probability given each true class of its row."""
        answers, counts, average = self._answers, confusions.counts, confusions.average
        who, said = answers.annotator[chosen], answers.label[chosen]
        own = memberships[answers.row[chosen]]
        if drawn is not None:
            own = own * drawn[who, None]
        rates, by_class = np.diag(average), counts.sum(axis=2)
        right = np.trace(counts, axis1=1, axis2=2)[who] - own[np.arange(len(who)), said]
        rest = np.maximum(by_class[who] - own, 0.0)
        skill = confusions.skill(np.maximum(right, 0.0), rest @ rates, rest.sum(axis=1))[:, None]
        same = said[:, None] == np.arange(len(rates))
        believed = confusions.strength * _by_skill(average[:, said].T, rates, same, skill)
        given = np.maximum(counts[who, :, said] - own, 0.0) + believed
        return np.log(np.maximum(given, 1e-300) / (rest + confusions.strength))
