"""True classes from annotators' answers alone."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import logsumexp

from ._confusions import Confusions, counted, indicators, mostly_gold
from ._weights import ALIKE, mean_of, sum_of

_LEAST = 1e-12
_PLAIN = 10
"""Iterations after which EM is accelerated: before, it may not yet be near the answer that it leads to."""


class Annotated(NamedTuple):
    """Where the EM of Dawid and Skene came to: the memberships are those by these confusions and shares of classes."""

    memberships: np.ndarray
    confusions: Confusions
    priors: np.ndarray
    log_likelihood: np.ndarray
    converged: bool


class DawidSkene:
    """Confusion matrices of the annotators and the classes of the rows, in turns.

    Plain EM needs hundreds of iterations where rows have few answers. Two of its steps tell where it is heading, and
    the memberships are moved along that line (Varadhan and Roland, 2008, scheme S3).

    `gold` are true classes, -1 where they are not known.
    """

    def __init__(self, answers, gold, smoothing, rows=ALIKE):
        self._given, self._rows = indicators(answers), rows
        self._smoothing = max(smoothing, _LEAST)
        self._gold, self._known, self._true = gold, gold >= 0, np.eye(len(answers.classes))[gold[gold >= 0]]
        self._log_likelihood: list[float] = []

    def shares(self) -> Annotated:
        """Of the answers of each row, how many are for each class."""
        n_classes = self._true.shape[1]
        votes = self._given @ np.tile(np.eye(n_classes), (self._given.shape[1] // n_classes, 1))
        memberships = self._pinned(votes / np.maximum(votes.sum(axis=1, keepdims=True), 1.0))
        confusions, priors = self._annotators(memberships)
        return Annotated(memberships, confusions, priors, np.array([]), True)

    def run(self, max_iter, tol) -> Annotated:
        """From the gold rows and the shares of the answers, until memberships move by `tol` or less, on average."""
        first, converged = mostly_gold(self.shares().memberships, self._gold, self._rows), False
        while not converged and self._iterations < max_iter:
            second, converged = self._step(first, tol)
            if converged or self._iterations < _PLAIN or self._iterations == max_iter:
                first = second
                continue
            third, converged = self._step(second, tol)
            ahead = self._iterations < max_iter and not converged
            first = self._further(first, second, third) if ahead else third
        confusions, priors = self._by
        return Annotated(first, confusions, priors, np.array(self._log_likelihood), converged)

    @property
    def _iterations(self):
        return len(self._log_likelihood)

    def _step(self, memberships, tol):
        """The memberships after one iteration, and whether they are nearly the same (by their mean total variation)."""
        self._by = confusions, priors = self._annotators(memberships)
        moved, log_likelihood = posterior(self._given, confusions.matrices, priors, rows=self._rows)
        moved = self._pinned(moved)
        self._log_likelihood.append(log_likelihood)
        distance = np.abs(moved - memberships).sum(axis=1) / 2.0
        return moved, bool(mean_of(distance, self._rows) <= tol)

    def _further(self, first, second, third):
        change = second - first
        bend = third - second - change
        length, bent = (sum_of((d**2).sum(axis=1), self._rows) for d in (change, bend))
        step = max(1.0, np.sqrt(length / max(bent, _LEAST)))
        moved = np.maximum(first + 2.0 * step * change + step**2 * bend, 0.0)
        return moved / np.maximum(moved.sum(axis=1, keepdims=True), _LEAST)

    def _annotators(self, memberships):
        """Confusion matrices and shares of the classes, given how probable each class is in each row."""
        weighted = self._rows.weighted(memberships)
        counts = counted(self._given, weighted)
        together = counts.sum(axis=0)
        seen = together.sum(axis=1, keepdims=True)
        average = np.where(seen > 0, together / np.where(seen > 0, seen, 1.0), np.eye(len(together)))
        # Even without smoothing somebody who never met a class is taken for the average annotator there.
        return Confusions(counts, average, self._smoothing), weighted.sum(axis=0) / weighted.sum()

    def _pinned(self, memberships):
        memberships[self._known] = self._true
        return memberships


def posterior(given, confusion, priors, trust=1.0, rows=ALIKE):
    """Memberships given the annotators, and the log-likelihood of the answers; zero without an answer."""
    by_answer = np.log(np.maximum(confusion, _LEAST)).transpose(0, 2, 1).reshape(given.shape[1], -1)
    log_joint = np.log(np.maximum(priors, _LEAST)) + trust * (given @ by_answer)
    evidence = logsumexp(log_joint, axis=1, keepdims=True)
    answered = np.diff(given.indptr) > 0
    memberships = np.exp(log_joint - evidence) * answered[:, None]
    return memberships, float(rows.weighted(evidence)[answered].sum())
