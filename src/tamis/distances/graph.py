"""The graph of nearest neighbours."""

import numpy as np
from sklearn.neighbors import NearestNeighbors

from .. import _validation
from .balls import centred, log2_scale


def neighbour_graph(X, *, n_neighbors, width, squared, n_threads=1):
    """Weights exp(-d/width) between rows of which one is among the nearest neighbours of the other, as a CSR matrix.

    `width=None` is the mean of these distances; with `squared`, both are of squared distances.
    """
    near = NearestNeighbors(n_neighbors=min(n_neighbors, len(X) - 1), n_jobs=n_threads).fit(centred(X))
    graph = near.kneighbors_graph(mode="distance")  # of the rows themselves: each left out by its index
    power = 2 if squared else 1
    apart = graph.data**power
    if width is None:
        width, exponent = apart.mean(), 0
    else:
        exponent = power * log2_scale(X)
    with np.errstate(over="ignore"):  # far beyond the width: no weight
        graph.data = np.exp(-np.ldexp(apart / width, exponent)) if width > 0 else np.ones_like(apart)
    _validation.check_graph(graph)
    return graph.maximum(graph.T)
