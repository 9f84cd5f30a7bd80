"""The graph of neighbours where values are missing."""

import numpy as np
import pytest

from tamis.distances.gaps import gap_constants, squared_distances
from tamis.distances.graph import neighbour_graph

RNG = np.random.default_rng(3)
X = RNG.normal(size=(40, 7))  # so many that any two rows have some in common: no ties


@pytest.mark.parametrize("squared", [False, True])
@pytest.mark.parametrize("width", [None, 0.7])
def test_edges_are_between_the_nearest_by_distances_with_gaps(width, squared):
    holed = np.where(RNG.random(X.shape) < 0.2, np.nan, X)
    holed[5] = np.nan
    holed[0] = X[0]
    graph = neighbour_graph(holed, n_neighbors=3, width=width, squared=squared).toarray()
    apart = squared_distances(holed, holed, gap_constants(holed)) ** (1 if squared else 0.5)
    np.fill_diagonal(apart, np.inf)
    apart[5], apart[:, 5] = np.inf, np.inf
    near = np.zeros_like(apart, dtype=bool)
    rows = np.delete(np.arange(40), 5)
    near[rows[:, None], np.argsort(apart[rows], axis=1)[:, :3]] = True
    mean = apart[near].mean() if width is None else width
    expected = np.where(near | near.T, np.exp(-apart / mean), 0.0)
    np.testing.assert_allclose(graph, expected, atol=1e-12)


@pytest.mark.parametrize("scale", [1e-150, 1.0, 1e150])
def test_complete_rows_have_the_graph_of_a_table_without_gaps(scale):
    more = np.vstack([scale * X, np.full((1, 7), np.nan)])  # a row without any value has no neighbours
    for width in (None, 2.0 * scale):
        plain = neighbour_graph(scale * X, n_neighbors=4, width=width, squared=False).toarray()
        found = neighbour_graph(more, n_neighbors=4, width=width, squared=False).toarray()
        np.testing.assert_allclose(found[:-1, :-1], plain, rtol=1e-9)
        assert not found[-1].any()


def test_one_row_with_values_has_no_neighbours():
    few = np.full((5, 2), np.nan)
    few[2] = 1.0
    assert neighbour_graph(few, n_neighbors=3, width=None, squared=False).nnz == 0
