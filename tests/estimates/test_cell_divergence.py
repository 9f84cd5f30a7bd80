"""Divergences by cells, with weighted rows and missing levels."""

import numpy as np
import pytest
from samples import mixed

from tamis.distances.classes import ClassDistance
from tamis.distances.levels import level_columns
from tamis.estimates.subset import CellDivergence

RNG = np.random.default_rng(0)
X = np.where(RNG.random((150, 3)) < 0.2, np.nan, RNG.integers(0, 3, (150, 3)).astype(float))
CODES = RNG.integers(0, 3, 150)
WEIGHT = RNG.integers(1, 4, 150)


@pytest.mark.parametrize("divergence", ["wasserstein", "kl"])
def test_whole_weights_are_repeated_rows(divergence):
    P, Q = mixed(CODES), mixed(CODES, seed=1)
    between = CellDivergence(divergence, ClassDistance.zero_one(range(3)))
    columns = level_columns(X)
    cells, kept = columns.cells(range(3)), columns.cells([0])
    assert cells.max() > 40  # missing is a level
    rows = WEIGHT[:, None]
    repeated = [np.repeat(values, WEIGHT, axis=0) for values in (cells, kept, P, Q)]
    assert between.lost(cells, kept, P * rows) == pytest.approx(between.lost(*repeated[:3]), rel=1e-9)
    expected = between.noise(repeated[0], *repeated[2:])
    assert between.noise(cells, P * rows, Q * rows) == pytest.approx(expected, rel=1e-9)
    found = between.by_chance(cells, kept, P * rows, 3, np.random.RandomState(0), weight=WEIGHT.astype(float))
    assert found == pytest.approx(between.by_chance(*repeated[:3], 3, np.random.RandomState(0)), rel=1e-9)


def test_rows_of_other_weights_move_whole():
    between, P = CellDivergence("kl", None), mixed(CODES)
    weight = RNG.lognormal(size=150)
    cells, kept = level_columns(X).cells(range(3)), np.zeros(150, dtype=int)
    given = [
        between.by_chance(cells, kept, P * weight[:, None], 4, np.random.RandomState(0), weight=known)
        for known in (weight, None)
    ]
    assert given[0] == given[1] > 0
