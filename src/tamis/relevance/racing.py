"""Scores from as many query rows as a decision needs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.stats import norm

from .._kernels import ROWS_PER_SUM

EXACT_ROWS = 10_000
"""Tables of no more rows are searched with all of them as queries."""
LEVEL = 0.05
"""Probability that any step of a search loses more than the margin."""
MARGIN = 0.01
"""What a step may lose against the best one, as a share of the entropy of the classes."""
_FIRST = 64 * ROWS_PER_SUM


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
        have taken, as far as the estimate from all rows goes; NaN if a number of queries was asked for.
    """

    n_rows: int
    n_queries: tuple[int, int]
    margin: float


class RacingScorer:
    """Variations of a subset, scored on growing samples of the rows until the best of them is known well enough.

    Candidates are compared on the same rows. After each doubling of the sample the best one so far is accepted if none
    of the others is better by more than a margin, at a level that is corrected for candidates, steps and looks; at the
    latest when all rows have been asked. Neighbours are always looked for among all rows.

    Parameters
    ----------
    scan : BallScan
        Of all rows.
    weights : array-like of shape (2, 2)
        How its two columns become (score, tie_break).
    n_queries : "auto" or int
    margin : float
        In units of the score.
    n_steps : int
        Most decisions of the search.
    """

    def __init__(self, scan, weights, n_queries, *, n_rows, margin, n_steps):
        self._weights, self._n, self._margin = np.asarray(weights, dtype=float), n_rows, margin
        # The same rows for all searches of a table of this size: a result does not depend on the seed of anything else.
        order = np.random.default_rng(n_rows).permutation(n_rows)
        self._fixed = n_queries != "auto"
        ends = [min(n_rows, n_queries)] if self._fixed else _doublings(n_rows)
        self._heats = [scan.around(order[a:b]) for a, b in zip([0, *ends[:-1]], ends, strict=True)]
        self._ends, self._n_steps = ends, n_steps
        self._value: tuple[tuple[int, ...], np.ndarray] | None = None
        self._asked: list[int] = []

    @property
    def sampling(self) -> Sampling:
        asked = self._asked or [self._n]
        return Sampling(self._n, (min(asked), max(asked)), np.nan if self._fixed else self._margin)

    def of(self, subset):
        if self._value is not None and self._value[0] == tuple(subset):
            return self._value[1]
        return self._heats[0].of(subset) @ self._weights

    def without_each(self, subset):
        if len(subset) <= 2:  # columns alone are sorted: fast, and of all rows
            return self._heats[0].without_each(subset) @ self._weights
        return self._race(subset, lambda heat: heat.without_each(subset))

    def with_each(self, subset, candidates):
        if not len(subset):
            return self._heats[0].with_each(subset, candidates) @ self._weights
        return self._race(subset, lambda heat: heat.with_each(subset, candidates))

    def _race(self, subset, run):
        sums, means, total = [], 0.0, 0
        for heat, end in zip(self._heats, self._ends, strict=True):
            found = run(heat)
            means, total = means + (end - total) * found, end
            sums.append(heat.sums)
            if end == self._ends[-1] or self._is_decided(np.concatenate(sums), means / end, end):
                break
        self._asked.append(total)
        every = np.concatenate(sums).sum(axis=0) / total
        self._value = tuple(subset), every[-1] @ self._weights
        return means @ self._weights / total

    def _is_decided(self, sums, means, n_asked) -> bool:
        """Whether no candidate is likely to be better than the best by more than the margin."""
        scores, blocks = (means @ self._weights)[:, 0], (sums @ self._weights)[:, :-1, 0] / ROWS_PER_SUM
        best = int(blocks.mean(axis=0).argmax())
        behind = blocks[:, [best]] - blocks
        spread = behind.std(axis=0, ddof=1) / np.sqrt(len(behind)) * np.sqrt(1 - n_asked / self._n)
        tests = len(scores) * self._n_steps * len(self._ends)
        return bool((norm.isf(LEVEL / tests) * spread - behind.mean(axis=0)).max() <= self._margin)


def _doublings(n) -> list[int]:
    """Numbers of queries: 2048, 4096, ... and all rows."""
    ends = [_FIRST]
    while ends[-1] < n:
        ends.append(2 * ends[-1])
    return [*ends[:-1], n]


def margin_of(memberships) -> float:
    """A share of the entropy of the classes: what there is to know."""
    shares = memberships.sum(axis=0) / memberships.sum()
    shares = shares[shares > 0]
    return max(1e-12, MARGIN * float(-(shares * np.log(shares)).sum()))
