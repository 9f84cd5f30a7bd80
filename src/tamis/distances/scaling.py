"""Columns made comparable before distances are taken."""

import numpy as np
from scipy.linalg import solve_triangular
from scipy.sparse import csc_array, issparse
from sklearn.preprocessing import StandardScaler

from .. import _validation

_FAR = 200
_LEAST_STRENGTH = 1e-12


def tamed(X, far=_FAR):
    """Columns of huge or tiny values, beyond 2**far or 2**-far, brought to one by a power of two; others as they are.

    Up to 2**200 products of four values then neither overflow nor vanish. A column may also come alone; a sparse
    matrix stays so.
    """
    largest = abs(X).max(axis=0).toarray().ravel() if issparse(X) else np.abs(X).max(axis=0, initial=0.0)
    exponents = np.frexp(largest)[1]
    exponents = np.where((np.abs(exponents) > far) & (largest > 0), exponents, 0)
    if not exponents.any():
        return X
    if not issparse(X):
        return np.ldexp(X, -exponents)
    columns = csc_array(X, copy=True)
    columns.data = np.ldexp(columns.data, -np.repeat(exponents, np.diff(columns.indptr)))
    return columns.asformat(X.format)


def scaled(X, scale):
    """X divided by the standard deviation of each column ("standard"), or as it is (None).

    Constant columns become zero. Huge values cannot overflow: each column is first brought to one by a power of two.
    A sparse matrix stays so: its columns are not centred. Numbers of float32 stay so; sums are of float64.
    """
    if _validation.check_choice("scale", scale, ("standard", None)) is None:
        return X
    if issparse(X):
        X = tamed(X)
        deviation = StandardScaler(with_mean=False).fit(X).scale_
        return X.multiply(1 / deviation).tocsr()
    most, least = X.max(axis=0), X.min(axis=0)
    unit = np.ldexp(X, -np.frexp(np.maximum(most, -least))[1])
    unit -= unit.mean(axis=0, dtype=float)
    constant = most == least
    deviation = np.where(constant, 1.0, unit.std(axis=0, dtype=float))
    unit[:, constant] = 0.0
    unit /= deviation
    return unit


def turned(X, *others) -> list[np.ndarray]:
    """X, and other rows of its columns, in as many directions as there are rows of X, in which all of these lie.

    For X with more columns than rows. Products with rows of X, and linear models whose penalty is the length of the
    coefficients, are the same in these directions, but for a relative 1e-12 that keeps repeated rows from failing.
    """
    products = X @ X.T
    products[np.diag_indices(len(X))] += max(_LEAST_STRENGTH * np.trace(products), np.finfo(float).tiny)
    few = np.linalg.cholesky(products)  # rotations of the rows all serve; this one costs least
    return [few, *(solve_triangular(few, X @ other.T, lower=True).T for other in others)]
