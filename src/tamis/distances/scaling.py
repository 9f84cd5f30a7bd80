"""Columns made comparable before distances are taken."""

import numpy as np
from scipy.sparse import issparse
from sklearn.preprocessing import StandardScaler

from .. import _validation


def scaled(X, scale):
    """X divided by the standard deviation of each column ("standard"), or as it is (None).

    Constant columns become zero. Huge values cannot overflow: each column is first brought to one by a power of two.
    A sparse matrix stays so: its columns are not centred.
    """
    if _validation.check_choice("scale", scale, ("standard", None)) is None:
        return X
    if issparse(X):
        deviation = StandardScaler(with_mean=False).fit(X).scale_
        return X.multiply(1 / deviation).tocsr()
    unit = np.ldexp(X, -np.frexp(np.abs(X).max(axis=0))[1])
    unit -= unit.mean(axis=0)
    deviation = unit.std(axis=0)
    constant = X.max(axis=0) == X.min(axis=0)
    unit[:, constant] = 0.0
    return unit / np.where(constant, 1.0, deviation)
