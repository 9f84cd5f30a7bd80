"""How far the class distributions of a subset of the features are from those of all of them, cell by cell."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array
from scipy.special import rel_entr

from ..distances.classes import ClassDistance
from .transport import wasserstein_of

_MOST_REPEATED = 2**24


class CellDivergence:
    """Expected divergences between class distributions, empirical and exact.

    Weights of rows are factors of the memberships.

    Parameters
    ----------
    divergence : {"wasserstein", "kl"}
    distance : ClassDistance
        In the order of the classes; not used for "kl".
    """

    def __init__(self, divergence, distance: ClassDistance):
        self._kl, self._distance = divergence == "kl", distance

    def lost(self, cells, kept, P) -> float:
        """E W[p(Y|cell), p(Y|kept cell)], `kept` being unions of the cells; rows of P need not sum to one."""
        fine, coarse = _masses(cells, P), _masses(kept, P)
        inside = np.zeros(len(fine), dtype=np.intp)
        inside[cells] = kept
        return self._mean(fine, coarse[inside], fine.sum(axis=1))

    def noise(self, cells, P, Q) -> float:
        """E W[p(Y|cell), p(Y'|cell)] between two labelings P and Q of the same rows."""
        fine = _masses(cells, P)
        return self._mean(fine, _masses(cells, Q), fine.sum(axis=1))

    def by_chance(self, cells, kept, P, n_permutations, rng, *, weight=None) -> float:
        """Mean of `lost` if the cells within each kept cell are given to its rows at random.

        P already has the weights as factors. Rows move whole, but those of whole `weight`, if there are not too many,
        are first repeated: the same draws as of repeated rows.
        """
        if weight is not None and weight.sum() <= max(_MOST_REPEATED, len(weight)) and (weight % 1 == 0).all():
            repeats = weight.astype(np.intp)
            cells, kept, P = (np.repeat(values, repeats, axis=0) for values in (cells, kept, P / weight[:, None]))
        order = np.argsort(kept, kind="stable")
        mean = 0.0
        for _ in range(n_permutations):
            shuffled = np.lexsort([rng.uniform(size=len(kept)), kept])
            drawn = np.empty_like(cells)
            drawn[order] = cells[shuffled]
            mean += self.lost(drawn, kept, P) / n_permutations
        return mean

    def _mean(self, p, q, weights) -> float:
        used = weights > 0
        p, q, weights = p[used], q[used], weights[used]
        p, q = p / p.sum(axis=1, keepdims=True), q / q.sum(axis=1, keepdims=True)
        apart = rel_entr(p, q).sum(axis=1) if self._kl else wasserstein_of(p, q, self._distance)
        # Rounding of equal distributions must not look like a loss below zero.
        return max(0.0, float(apart @ (weights / weights.sum())))


def _masses(cells, P) -> np.ndarray:
    """Memberships of each class in each cell."""
    rows = np.arange(len(cells))
    return csr_array((np.ones(len(cells)), (cells, rows)), shape=(cells.max() + 1, len(cells))) @ P
