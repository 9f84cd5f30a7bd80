"""The graph of nearest neighbours."""

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.neighbors import NearestNeighbors

from .. import _validation
from .balls import centred, log2_scale
from .gaps import gap_constants, nearest
from .scaling import ends_of, has_gaps


def neighbour_graph(X, *, n_neighbors, width, squared, n_threads=1):
    """Weights exp(-d/width) between rows of which one is among the nearest neighbours of the other, as a CSR matrix.

    `width=None` is the mean of these distances; with `squared`, both are of squared distances. Missing values count as
    in `gaps`; a row without any value has no neighbours and is none.
    """
    if has_gaps(X):
        graph, scale = _with_gaps(X, n_neighbors)
        if not graph.nnz:
            return graph
    else:
        near = NearestNeighbors(n_neighbors=min(n_neighbors, len(X) - 1), n_jobs=n_threads).fit(centred(X))
        graph = near.kneighbors_graph(mode="distance")  # of the rows themselves: each left out by its index
        scale = log2_scale(X)
    power = 2 if squared else 1
    apart = graph.data**power
    if width is None:
        width, exponent = apart.mean(), 0
    else:
        exponent = power * scale
    with np.errstate(over="ignore"):  # far beyond the width: no weight
        graph.data = np.exp(-np.ldexp(apart / width, exponent)) if width > 0 else np.ones_like(apart)
    _validation.check_graph(graph)
    return graph.maximum(graph.T)


def _with_gaps(X, n_neighbors):
    """Distances of each row to its neighbours, in units of a power of two, and its exponent."""
    low, high = ends_of(X)
    scale = int(np.frexp(max(high.max(initial=0), -low.min(initial=0)))[1])
    (rows,) = np.nonzero(~np.isnan(X).all(axis=1))
    if len(rows) < 2:
        return csr_matrix((len(X), len(X))), scale
    Z, everyone = np.ldexp(X[rows], -scale), np.arange(len(rows))
    near, apart = nearest(Z, Z, min(n_neighbors, len(rows) - 1), gap_constants(Z), groups=(everyone, everyone))
    at = np.repeat(rows, near.shape[1]), rows[near].ravel()
    return csr_matrix((np.sqrt(apart).ravel(), at), shape=(len(X), len(X))), scale
