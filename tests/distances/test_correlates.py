"""Most correlated features, against a matrix of all correlations."""

import numpy as np
import pytest
from scipy import sparse

from tamis.distances import correlates as module
from tamis.distances.correlates import Correlates

RNG = np.random.default_rng(1)
X = RNG.integers(0, 4, size=(60, 50)).astype(float)
X[:, 7] = X[:, 3]  # a copy
X[:, 9] = 3 - X[:, 3]  # upside down
X[:, 11] = 1.0  # a constant


def plain(feature, alive, n):
    with np.errstate(invalid="ignore", divide="ignore"):
        rho = np.nan_to_num(np.abs(np.corrcoef(X.T)[feature]))
    others = [j for j in alive if j != feature]
    return sorted(others, key=lambda j: (-round(rho[j], 12), j))[:n]


@pytest.mark.parametrize("make", [np.asarray, sparse.csc_array])
@pytest.mark.parametrize("n", [1, 3, 60])
def test_as_the_whole_matrix_says_while_features_leave(monkeypatch, make, n):
    monkeypatch.setattr(module, "_SPARE", 2)
    monkeypatch.setattr(module, "_BLOCK_VALUES", 400)
    found, alive = Correlates(make(X), n), list(range(50))
    for leaves in RNG.permutation(50)[:49]:
        for f in alive[::7]:
            assert found.of(f).tolist() == plain(f, alive, n)
        found.remove(leaves)
        alive.remove(leaves)


def test_copies_are_equal_and_the_first_is_larger():
    found = Correlates(X, 2)
    assert found.of(3).tolist() == [7, 9]
    assert found.of(9).tolist() == [3, 7]


def test_nobody_is_asked_for():
    assert len(Correlates(X, 0).of(4)) == 0


@pytest.mark.parametrize("make", [np.asarray, sparse.csc_array])
def test_units_are_as_close_as_their_closest_columns(monkeypatch, make):
    monkeypatch.setattr(module, "_SPARE", 2)
    monkeypatch.setattr(module, "_BLOCK_VALUES", 400)
    first = np.array([0, 3, 4, 10, 11, 14, 20, 30, 31, 49])
    parts = np.split(np.arange(50), first[1:])
    with np.errstate(invalid="ignore", divide="ignore"):
        squared = np.nan_to_num(np.corrcoef(X.T) ** 2)
    found, alive = Correlates(make(X), 4, first), list(range(10))
    for leaves in (3, 0, 9, 5, 1, 2):
        for u in alive:
            closeness = {j: squared[np.ix_(parts[u], parts[j])].max() for j in alive if j != u}
            assert found.of(u).tolist() == sorted(closeness, key=lambda j: (-round(closeness[j], 12), j))[:4]
        found.remove(leaves)
        alive.remove(leaves)


@pytest.mark.parametrize("make", [np.asarray, sparse.csc_array])
def test_whole_weights_are_repeated_rows(make):
    weight = RNG.integers(1, 6, len(X))
    weighted = Correlates(make(X), 5, weight=weight.astype(float))
    repeated = Correlates(make(np.repeat(X, weight, axis=0)), 5)
    plain = Correlates(make(X), 5)
    for f in range(50):
        assert weighted.of(f).tolist() == repeated.of(f).tolist()
    assert any(weighted.of(f).tolist() != plain.of(f).tolist() for f in range(50))
