"""Permutations of a column among samples that are alike in others."""

from __future__ import annotations

import numpy as np


class CellShuffles:
    """Where the entries of a column go when samples of the same cell are exchanged, all ways being equally likely.

    A few entries in a large cell are placed anywhere in it, and again as long as two are in the same place; where they
    fill half of a cell or more, the samples of the cell are sorted by random numbers. What is drawn depends on the
    order of the samples and of the cells, and on nothing else.

    Parameters
    ----------
    cells : ndarray of int of shape (n_samples,)
        0, 1, ...
    rows : ndarray of int
        Samples that have an entry, in increasing order.

    Attributes
    ----------
    entries : ndarray of int
        The entries in the order in which places are drawn for them.
    """

    def __init__(self, cells, rows):
        sizes, filled = np.bincount(cells), np.bincount(cells[rows], minlength=cells.max() + 1)
        crowded = 2 * filled >= sizes
        self._sorted = np.flatnonzero(crowded[cells]).astype(np.int32)
        self._keys = cells[self._sorted]
        # Samples of these cells one cell after the other; those with an entry hand it over.
        by_cell = self._sorted[np.argsort(self._keys, kind="stable")]
        holder = np.zeros(len(cells), dtype=bool)
        holder[rows] = True
        self._given = holder[by_cell]
        free = np.flatnonzero(~crowded[cells[rows]])
        free = free[np.argsort(cells[rows[free]], kind="stable")]
        self.entries = np.concatenate([np.searchsorted(rows, by_cell[self._given]), free])
        self._free_cells = cells[rows[free]]
        self._samples = np.argsort(cells, kind="stable").astype(np.int32) if len(free) else np.empty(0, np.int32)
        self._first, self._sizes = np.cumsum(sizes) - sizes, sizes

    def draw(self, random, n: int) -> np.ndarray:
        """The sample that each entry goes to, in n permutations: (n, n_entries)."""
        keys = random.random((n, len(self._keys)))
        keys += self._keys
        placed = self._sorted[np.argsort(keys, axis=1)][:, self._given]
        return np.hstack([placed, self._anywhere(random, n)]) if len(self._free_cells) else placed

    def _anywhere(self, random, n):
        sizes, first = self._sizes[self._free_cells], self._first[self._free_cells]
        places = np.empty((n, len(sizes)), dtype=np.intp)
        copies, entries = np.divmod(np.arange(places.size), max(1, len(sizes)))
        taken = np.zeros((n, len(self._samples)), dtype=bool)
        while len(copies):
            tried = first[entries] + (random.random(len(copies)) * sizes[entries]).astype(np.intp)
            # Of several at a free place the first has it; the others try again.
            flat = copies * len(self._samples) + tried
            got = np.zeros(len(flat), dtype=bool)
            got[np.unique(flat, return_index=True)[1]] = True
            got &= ~taken[copies, tried]
            places[copies[got], entries[got]] = tried[got]
            taken[copies[got], tried[got]] = True
            copies, entries = copies[~got], entries[~got]
        return self._samples[places]
