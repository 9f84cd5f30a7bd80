"""The graph of nearest neighbours."""

import numpy as np
from sklearn.neighbors import NearestNeighbors

from .balls import centred, log2_scale


def neighbour_graph(X, *, n_neighbors, width, squared, n_threads=1):
    """Weights exp(-d/width) between rows of which one is among the nearest neighbours of the other, as a CSR matrix.

    `width=None` is the mean of these distances; with `squared`, both are of squared distances.
    """
    near = NearestNeighbors(n_neighbors=min(n_neighbors, len(X) - 1), n_jobs=n_threads).fit(centred(X))
    graph = near.kneighbors_graph(mode="distance")  # of the rows themselves: each left out by its index
    power = 2 if squared else 1
    apart = graph.data**power
    width = apart.mean() if width is None else np.ldexp(width, -power * log2_scale(X))
    graph.data = np.exp(-apart / width) if width > 0 else np.ones_like(apart)
    return graph.maximum(graph.T)
