"""Entries go to samples of their own cell, in every way equally often."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from tamis.distances.shuffles import CellShuffles


@pytest.mark.parametrize("share", [0.02, 0.4, 0.6, 1.0, 0.0])
def test_entries_stay_in_their_cell_and_apart(share):
    rng = np.random.default_rng(0)
    cells = np.unique(rng.choice(9, 500, p=[0.6, *[0.05] * 8]), return_inverse=True)[1]
    rows = np.flatnonzero(rng.random(500) < share)
    shuffles = CellShuffles(cells, rows)
    assert sorted(shuffles.entries.tolist()) == list(range(len(rows)))
    for places in shuffles.draw(rng, 20):
        np.testing.assert_array_equal(cells[places], cells[rows[shuffles.entries]])
        assert len(set(places.tolist())) == len(rows)


@pytest.mark.parametrize("n_samples", [4, 5])
def test_all_ways_are_equally_likely(n_samples):
    """Two entries among four samples are sorted, among five they are placed; a cell of its own stands between."""
    cells = np.array([0, 1, 0, 0, 0, 0][: n_samples + 1])
    shuffles = CellShuffles(cells, np.array([0, 1, 3]))
    drawn = shuffles.draw(np.random.default_rng(1), 20_000)
    of_one = cells[np.array([0, 1, 3])[shuffles.entries]] == 1
    assert (drawn[:, of_one] == 1).all()
    counts = Counter(map(tuple, drawn[:, ~of_one].tolist()))
    ways = list(permutations(np.flatnonzero(cells == 0).tolist(), 2))
    assert set(counts) == set(ways)
    expected = 20_000 / len(ways)
    assert sum((counts[way] - expected) ** 2 / expected for way in ways) < 40
