"""Densities of the classes from nearest neighbours."""

import numpy as np
import pytest
import reference
from samples import gaussians, mixed, one_hot
from scipy.special import digamma, gammaln

from tamis.distances.orders import NeighbourOrders
from tamis.estimates.densities import ClassDensities


@pytest.mark.parametrize("labels", [one_hot, mixed])
@pytest.mark.parametrize("include_self", [False, True])
@pytest.mark.parametrize("dimension", ["intrinsic", "ambient"])
@pytest.mark.parametrize("unit", [1e-3, 1.0, 1e3])
def test_densities_are_those_of_the_formula(labels, include_self, dimension, unit):
    X, codes = gaussians(50, 3, 2, seed=3)
    X, P = np.column_stack([X, X[:, 0]]) * unit, labels(codes)  # a surface in more dimensions than it has
    densities = ClassDensities(X, codes, n_neighbors=4, include_self=include_self, dimension=dimension)
    d = densities.dimension
    intrinsic = NeighbourOrders(X, 48).dimension(10)
    assert d == (4.0 if dimension == "ambient" else pytest.approx(intrinsic))
    found = densities.log(P, np.zeros((50, 2)))
    scale = 2.0 ** np.ceil(np.log2(np.abs(X).max() * (1 + 1e-12)))
    for i in range(0, 50, 7):
        for s in range(2):
            r2, weight, *_ = reference.balls(X / scale, i, P[:, s], 4, include_self)
            size = P[:, s].sum() + (0 if include_self else 1 - P[i, s])
            volume = d / 2 * np.log(np.pi) - gammaln(d / 2 + 1) + d / 2 * np.log(r2)
            expected = digamma(weight) - digamma(size) - volume
            # A class that can have no weight at a place is left out there.
            assert found[i, s] == pytest.approx(expected, rel=1e-6) or np.isneginf(found[i, s])
    assert np.isfinite(found).mean() > 0.5
