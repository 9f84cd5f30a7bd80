"""Densities of the classes from nearest neighbours."""

import numpy as np
import pytest
import reference
from samples import gaussians, mixed, one_hot
from scipy.special import digamma, gammaln

from tamis._validation import Rows
from tamis.distances.orders import NeighbourOrders
from tamis.estimates.densities import ClassDensities
from tamis.estimates.posterior import posterior_of


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


def ugly_rows(labels, missing):
    """Rows with gaps (one without any value), weights and groups."""
    X, codes = gaussians(50, 3, 2, seed=3)
    X[:, 2] = np.round(X[:, 2])
    rng = np.random.default_rng(1)
    if missing:
        X[rng.random(X.shape) < 0.2] = np.nan
        X[9] = np.nan
    return X, codes, labels(codes), rng.integers(1, 4, 50)


@pytest.mark.parametrize("labels", [one_hot, mixed])
@pytest.mark.parametrize("include_self", [False, True])
@pytest.mark.parametrize("missing", [False, True])
def test_gaps_groups_and_weights_are_those_of_the_slow_twin(labels, include_self, missing):
    X, codes, P, _ = ugly_rows(labels, missing)
    rows = Rows(weight=np.random.default_rng(2).uniform(0.3, 3, 50), group=np.random.default_rng(3).integers(0, 15, 50))
    expected = reference.class_log_densities(X, P, 4, include_self, rows=rows)
    how = {"n_neighbors": 4, "include_self": include_self, "rows": rows}
    found = posterior_of(X, P, **how)
    finite = np.isfinite(expected) & np.isfinite(found.log_density)
    np.testing.assert_allclose(found.log_density[finite], expected[finite], rtol=1e-9)
    assert finite.mean() > 0.9
    score = found.log_density + np.log(rows.weighted(P).sum(axis=0))
    plain = np.isfinite(found.log_density).all(axis=1)
    shares = np.exp(score[plain] - score[plain].max(axis=1, keepdims=True))
    np.testing.assert_allclose(found.posterior[plain], shares / shares.sum(axis=1, keepdims=True), rtol=1e-9)
    densities = ClassDensities(X, codes, dimension="ambient", **how)
    scale = 3 * np.log(2.0 ** np.ceil(np.log2(np.nanmax(np.abs(X)) * (1 + 1e-12))))
    logs = densities.log(P, np.zeros((50, 2))) - scale
    known = np.isfinite(logs) & finite
    np.testing.assert_allclose(logs[known], expected[known], rtol=1e-6)
    assert known.mean() > 0.5


@pytest.mark.parametrize("labels", [one_hot, mixed])
@pytest.mark.parametrize("include_self", [False, True])
@pytest.mark.parametrize("missing", [False, True])
def test_a_weight_is_the_row_repeated_in_a_group(labels, include_self, missing):
    X, codes, P, times = ugly_rows(labels, missing)
    copies = np.repeat(np.arange(50), times)
    first = np.cumsum(times) - times
    how = {"n_neighbors": 4, "include_self": include_self}
    weighted, repeated = {"rows": Rows(weight=times.astype(float))}, {"rows": Rows(group=copies)}
    one, other = posterior_of(X, P, **weighted, **how), posterior_of(X[copies], P[copies], **repeated, **how)
    for a, b in zip(one, other, strict=True):
        np.testing.assert_allclose(a, b[first], rtol=1e-9, atol=1e-12)
    one = ClassDensities(X, codes, **weighted, **how)
    other = ClassDensities(X[copies], codes[copies], **repeated, **how)
    assert one.dimension == pytest.approx(other.dimension, rel=1e-9)
    found, expected = (d.log(Q, np.zeros(Q.shape)) for d, Q in ((one, P), (other, P[copies])))
    np.testing.assert_allclose(found, expected[first], rtol=1e-9)
