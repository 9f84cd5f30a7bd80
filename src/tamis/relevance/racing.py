"""Scores from as many query rows as a decision needs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

import numpy as np
from scipy.stats import t

from .._kernels import ROWS_PER_SUM

LEVEL = 0.05
"""Probability that any step of a search loses more than the margin."""
MOST_VALUES = 2**19
"""Values that a step compares with each row, at most: query rows times columns. So every step costs about the same, and
the last ones, which decide small subsets, are decided on the most rows."""
ALWAYS_AFFORDED = 8e10
"""Values compared with all rows together that no step is denied: about three seconds of a core."""
_FIRST = 64 * ROWS_PER_SUM


class Queries(NamedTuple):
    """How many query rows a search takes, and what it decides with them.

    Attributes
    ----------
    asked : "auto" or int
    leaving : mapping of int to int
        How many features leave at once, by the number that there are; one where nothing is said.
    n_steps : int
        Most decisions of the search.
    required : collection of int
        Features that never leave.
    """

    asked: str | int
    leaving: Mapping[int, int] = {}
    n_steps: int = 1
    required: Collection[int] = ()


class Sampling(NamedTuple):
    """How many rows the steps of a search were decided on.

    Attributes
    ----------
    n_rows : int
        Rows of the table; all of them are neighbours.
    n_queries : tuple of (int, int)
        The fewest and the most query rows of a step.
    margin : float
        In units of the score. With probability 95 % no step loses more than this against the best step that it could
        have taken, as far as the estimate from all rows goes. Infinite if there were too few queries to tell.
    """

    n_rows: int
    n_queries: tuple[int, int]
    margin: float

    @staticmethod
    def of_all(parts: Iterable[Sampling | None]) -> Sampling | None:
        """Of several parts of a search; None if none of them had a sample."""
        known = [part for part in parts if part is not None]
        if not known:
            return None
        few, most = zip(*(part.n_queries for part in known), strict=True)
        return Sampling(known[0].n_rows, (min(few), max(most)), max(part.margin for part in known))


class RacingScorer:
    """Variations of a subset, scored on growing samples of the rows until those to be taken are known.

    Candidates are compared on the same rows. The sample doubles until the best ones are significantly better than all
    others, at a level that is corrected for candidates, steps and looks, or until the step has cost enough. Neighbours
    are always looked for among all rows.

    Parameters
    ----------
    scan : BallScan
        Of all rows.
    weights : array-like of shape (2, 2)
        How its two columns become (score, tie_break).
    queries : Queries
    """

    def __init__(self, scan, weights, queries: Queries):
        self._scan, self._weights, self._queries = scan, np.asarray(weights, dtype=float), queries
        self._n = scan.n_rows
        # The same rows for all searches of a table of this size: a result does not depend on the seed of anything else.
        order = np.random.default_rng(self._n).permutation(self._n)
        self._ends = _doublings(self._n) if isinstance(queries.asked, str) else [min(self._n, queries.asked)]
        self._heats = [scan.around(order[a:b]) for a, b in zip([0, *self._ends[:-1]], self._ends, strict=True)]
        self._value: tuple[tuple[int, ...], np.ndarray] | None = None
        self._asked: list[int] = []
        self._margin = 0.0

    @property
    def sampling(self) -> Sampling | None:
        """Of the steps so far; None if there was none that needs a sample."""
        return Sampling(self._n, (min(self._asked), max(self._asked)), self._margin) if self._asked else None

    def of(self, subset):
        if self._value is not None and self._value[0] == tuple(subset):
            return self._value[1]
        return self._heats[0].of(subset) @ self._weights

    def without_each(self, subset):
        if len(subset) <= 2:  # columns alone are sorted: fast, and of all rows
            return self._heats[0].without_each(subset) @ self._weights
        can_leave = np.array([feature not in self._queries.required for feature in subset])
        n_leaving = self._queries.leaving.get(len(subset), 1)
        return self._race(subset, can_leave, n_leaving, lambda heat: heat.without_each(subset))

    def with_each(self, subset, candidates):
        if not len(subset):
            return self._heats[0].with_each(subset, candidates) @ self._weights
        can_enter = np.ones(len(candidates), dtype=bool)
        return self._race(subset, can_enter, 1, lambda heat: heat.with_each(subset, candidates))

    def _race(self, subset, movable, n_taken, run):
        means, total, sums = 0.0, 0, []
        most = most_values(self._n) / self._scan.width(subset)
        for heat, end, next_end in zip(self._heats, self._ends, [*self._ends[1:], np.inf], strict=True):
            found = run(heat)
            means, total = means + (end - total) * found, end
            sums.append(heat.sums)
            margin = self._loss(np.concatenate(sums)[:, :-1][:, movable], n_taken, total)
            if margin == 0 or next_end > most:
                break
        self._asked.append(total)
        self._margin = max(self._margin, margin)
        self._value = tuple(subset), np.concatenate(sums)[:, -1].sum(axis=0) @ self._weights / total
        return means @ self._weights / total

    def _loss(self, sums, n_taken, n_asked) -> float:
        """By how much the best candidates can be behind any other in the estimate from all rows, at most."""
        if n_asked == self._n or n_taken >= sums.shape[1]:
            return 0.0
        scores = (sums[: n_asked // ROWS_PER_SUM] @ self._weights)[..., 0] / ROWS_PER_SUM  # of whole blocks of rows
        if len(scores) < 2:
            return np.inf
        order = np.argsort(-scores.mean(axis=0), kind="stable")
        behind = scores[:, order[n_taken:]] - scores[:, order[[n_taken - 1]]]
        spread = behind.std(axis=0, ddof=1) / np.sqrt(len(behind)) * np.sqrt(1 - n_asked / self._n)
        level = LEVEL / (self._queries.n_steps * len(self._ends) * sums.shape[1])
        return max(0.0, float((behind.mean(axis=0) + t.isf(level, len(behind) - 1) * spread).max()))


def most_values(n_rows) -> float:
    """Query rows times columns of a step in a table of so many rows, at most."""
    return max(MOST_VALUES, ALWAYS_AFFORDED / n_rows)


def _doublings(n) -> list[int]:
    """Numbers of queries: 2048, 4096, ... and all rows."""
    ends = [_FIRST]
    while ends[-1] < n:
        ends.append(2 * ends[-1])
    return [*ends[:-1], n]
