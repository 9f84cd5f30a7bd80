"""Columns made comparable before distances are taken."""

import numpy as np
from scipy.linalg import solve_triangular
from scipy.sparse import csc_array, issparse
from sklearn.preprocessing import StandardScaler

from .. import _validation

_FAR = 200
_LEAST_STRENGTH = 1e-12


def has_gaps(X) -> bool:
    """Whether values are missing; a sparse matrix has none."""
    return not issparse(X) and bool(np.isnan(X.min(initial=0.0)))


def ends_of(X) -> tuple[np.ndarray, np.ndarray]:
    """The smallest and the largest value of each column, missing ones apart; zero for a column without values."""
    low, high = np.fmin.reduce(X, axis=0), np.fmax.reduce(X, axis=0)
    return np.nan_to_num(low, nan=0.0), np.nan_to_num(high, nan=0.0)


def tamed(X, far=_FAR):
    """Columns of huge or tiny values, beyond 2**far or 2**-far, brought to one by a power of two; others as they are.

    Up to 2**200 products of four values then neither overflow nor vanish. A column may also come alone; a sparse
    matrix stays so, and missing values do.
    """
    size = abs(X)
    largest = size.max(axis=0).toarray().ravel() if issparse(X) else np.fmax.reduce(size, axis=0, initial=0.0)
    exponents = np.frexp(largest)[1]
    exponents = np.where((np.abs(exponents) > far) & (largest > 0), exponents, 0)
    if not exponents.any():
        return X
    if not issparse(X):
        return np.ldexp(X, -exponents)
    columns = csc_array(X, copy=True)
    columns.data = np.ldexp(columns.data, -np.repeat(exponents, np.diff(columns.indptr)))
    return columns.asformat(X.format)


def scaled(X, scale, weight=None):
    """X divided by the standard deviation of each column ("standard"), or as it is (None).

    Constant columns become zero. Huge values cannot overflow: each column is first brought to one by a power of two.
    A sparse matrix stays so: its columns are not centred. Numbers of float32 stay so; sums are of float64. Missing
    values stay missing, and means and deviations are of the others; with a weight for each row, of so many rows each.
    """
    if _validation.check_choice("scale", scale, ("standard", None)) is None:
        return X
    if issparse(X):
        X = tamed(X)
        deviation = StandardScaler(with_mean=False).fit(X, sample_weight=weight).scale_
        return X.multiply(1 / deviation).tocsr()
    gaps = has_gaps(X)
    least, most = ends_of(X) if gaps else (X.min(axis=0), X.max(axis=0))
    unit = np.ldexp(X, -np.frexp(np.maximum(most, -least))[1])
    constant = most == least
    if gaps or weight is not None:
        mean, deviation = _weighted_moments(unit, np.ones(len(X)) if weight is None else weight)
        unit -= mean
        deviation = np.where(constant, 1.0, deviation)
        unit[:, constant] *= 0.0  # what is missing stays so
    else:
        unit -= unit.mean(axis=0, dtype=float)
        deviation = np.where(constant, 1.0, unit.std(axis=0, dtype=float))
        unit[:, constant] = 0.0
    unit /= deviation
    return unit


def _weighted_moments(X, weight) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation of each column, of the values that are there."""
    there = ~np.isnan(X)
    total = weight @ there
    total = np.where(total > 0, total, 1.0)
    filled = np.where(there, X, X.dtype.type(0))
    mean = weight @ filled / total
    apart = np.where(there, filled - mean, 0.0)
    return mean, np.sqrt(weight @ (apart * apart) / total)


def turned(X, *others) -> list[np.ndarray]:
    """X, and other rows of its columns, in as many directions as there are rows of X, in which all of these lie.

    For X with more columns than rows. Products with rows of X, and linear models whose penalty is the length of the
    coefficients, are the same in these directions, but for a relative 1e-12 that keeps repeated rows from failing.
    """
    products = X @ X.T
    products[np.diag_indices(len(X))] += max(_LEAST_STRENGTH * np.trace(products), np.finfo(float).tiny)
    few = np.linalg.cholesky(products)  # rotations of the rows all serve; this one costs least
    return [few, *(solve_triangular(few, X @ other.T, lower=True).T for other in others)]
