"""Which rows are left out when."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from sklearn.model_selection import StratifiedKFold

MOST_SEEN = 20_000
"""Rows that the search of a fold sees."""
_LEAST = 2
"""Rows of a class that criteria and noise models need."""


class Fold(NamedTuple):
    """Rows that a search sees, rows that it does not, and the seed of whatever is random in it."""

    train: np.ndarray
    test: np.ndarray
    seed: int


class Folds:
    """Repeated stratified folds in which no class is missing from what a search sees.

    Of every class a search sees two rows at least. Rows of classes that are smaller than the number of folds, or too
    small for that, are always seen and never judged.

    Parameters
    ----------
    memberships : ndarray of shape (n_samples, n_classes)
        Rows are stratified by their most probable class; those of no class are one of their own.
    n_folds : int
        Lowered to what the second largest class allows.
    seed : int

    Notes
    -----
    Of more than 20,000 rows a search sees so many: all rows of classes that are smaller than a share of that, and a
    sample of the others. Judges learn from fewer still, and with more rows the search would do no worse.
    """

    def __init__(self, memberships, n_folds, seed):
        known = memberships.any(axis=1)
        self._codes = np.where(known, memberships.argmax(axis=1), -1)
        names, self._codes = np.unique(self._codes, return_inverse=True)
        sizes = np.bincount(self._codes)
        of_classes = np.sort(sizes[names >= 0])
        self.n_folds = int(min(n_folds, of_classes[-2] if len(of_classes) > 1 else 0))
        self.are_possible = self.n_folds >= 2 and _seen(of_classes[-2], self.n_folds) >= _LEAST
        enough = (sizes >= self.n_folds) & (_seen(sizes, max(1, self.n_folds)) >= _LEAST)
        self._judged = enough[self._codes]
        self._seed = seed

    def of(self, repeat) -> list[Fold]:
        """The folds of one repetition."""
        random = np.random.default_rng([self._seed, repeat])
        rows = np.flatnonzero(self._judged)
        split = StratifiedKFold(self.n_folds, shuffle=True, random_state=int(random.integers(2**31)))
        every, found = np.arange(len(self._codes)), []
        for _, test in split.split(rows, self._codes[rows]):
            out = rows[test]
            seed = int(random.integers(2**31))
            found.append(Fold(self._some(np.setdiff1d(every, out), seed), out, seed))
        return found

    def _some(self, rows, seed):
        if len(rows) <= MOST_SEEN:
            return rows
        codes = self._codes[rows]
        sizes = np.bincount(codes)
        small = sizes[codes] <= MOST_SEEN // len(sizes)
        large = np.flatnonzero(~small)
        kept = np.random.default_rng(seed).choice(large, MOST_SEEN - int(small.sum()), replace=False)
        return np.sort(np.concatenate([rows[small], rows[kept]]))


def _seen(size, n_folds):
    """How many rows of a class of this size are left to a search when the largest part of it is left out."""
    return size + -size // n_folds
