"""A table as coordinates: numbers, categories, and the columns that move together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse

from .scaling import ends_of, has_gaps, scaled

Groups = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Columns:
    """The features of a table and what they are made of.

    Attributes
    ----------
    values : ndarray or CSR matrix of shape (n_samples, n_features)
        Numbers, NaN where one is missing; categories as 0, 1, ...
    n_categories : tuple of int
        Of each feature; 0 for a number.
    groups : tuple of tuples of int
        The features that enter and leave together.
    indicators : tuple of int
        Features whose being missing is a column of theirs.
    weight : ndarray of shape (n_samples,) or None
        Of the rows, in means and deviations.
    """

    values: Any
    n_categories: tuple[int, ...]
    groups: Groups
    indicators: tuple[int, ...] = ()
    weight: np.ndarray | None = None

    @property
    def n_features(self) -> int:
        return len(self.n_categories)

    def coordinates(self, scale=None) -> Coordinates:
        """What distances are of: numbers scaled, each category as a column of its own divided by the root of two.

        Two samples of different categories are then one apart, as are a value and a missing one by its indicator.
        """
        numbers = scaled(self.values, scale, self.weight)
        if not any(self.n_categories) and not self.indicators:
            return Coordinates(numbers, self.groups)
        blocks = [
            (self.values[:, [f]] == np.arange(n)) / np.sqrt(2) if n else self._number(numbers, f)
            for f, n in enumerate(self.n_categories)
        ]
        ends = np.cumsum([block.shape[1] for block in blocks])
        columns = [tuple(range(end - block.shape[1], end)) for end, block in zip(ends, blocks, strict=True)]
        groups = tuple(tuple(c for f in group for c in columns[f]) for group in self.groups)
        return Coordinates(np.ascontiguousarray(np.hstack(blocks)), groups)

    def _number(self, numbers, f):
        column = numbers[:, [f]]
        return np.hstack([column, np.isnan(column)]) if f in self.indicators else column

    def has_many_values(self, n) -> bool:
        """Whether some number has more than so many different values."""
        for f, n_categories in enumerate(self.n_categories):
            column = self.values[:, [f]].data if issparse(self.values) else self.values[:, f]
            if not n_categories and len(np.unique(column)) > n:
                return True
        return False

    def idle(self, *, gaps_are_levels=False) -> frozenset[int]:
        """The groups of constant columns only, which cannot tell anything whatever a criterion makes of them.

        A column of one value and gaps is constant, unless gaps are levels to the criterion or the column has an
        indicator.
        """
        if issparse(self.values):
            low, high = (end.toarray().ravel() for end in (self.values.min(axis=0), self.values.max(axis=0)))
        elif has_gaps(self.values):
            low, high = ends_of(self.values)
        else:
            low, high = self.values.min(axis=0), self.values.max(axis=0)
        constant = high == low
        constant[list(self.indicators)] = False
        if gaps_are_levels and has_gaps(self.values):
            missing = np.isnan(self.values)
            constant &= missing.all(axis=0) | ~missing.any(axis=0)
        return frozenset(g for g, group in enumerate(self.groups) if constant[list(group)].all())


@dataclass(frozen=True)
class Coordinates:
    """Columns that distances are taken of, and which of them each group has."""

    X: Any
    groups: Groups

    def rows(self, rows) -> Coordinates:
        """The same of some rows."""
        return Coordinates(self.X[rows], self.groups)

    def of(self, subset) -> np.ndarray:
        """The columns of some groups."""
        found = self.X[:, [c for g in subset for c in self.groups[g]]]
        return found.toarray() if issparse(found) else found


def single(groups: Groups | None) -> bool:
    """Whether every column moves alone."""
    return groups is None or all(len(group) == 1 for group in groups)
