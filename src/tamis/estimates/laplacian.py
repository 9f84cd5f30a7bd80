"""The two sides of a Laplacian score: how much a feature varies where it should not, and where it may."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..distances.scaling import ends_of, has_gaps
from .moments import ClassMoments

_ROUNDING = (4 * np.finfo(float).eps) ** 2


class Ratio(NamedTuple):
    """Numerator and denominator of a score for each feature, in units of 4**exponents; both zero for a constant."""

    similar: np.ndarray
    different: np.ndarray
    exponents: np.ndarray


def weighted_laplacian_of(moments: ClassMoments) -> Ratio:
    r"""Both sides of eq. (5) of Doquire and Verleysen (2012), divided by the square of the number of rows.

    With :math:`N_k` the weight of class k and :math:`Q_k` its weighted sum of squares about its mean,
    :math:`f^T L^{sim} f = \sum_k N_k Q_k`, and with :math:`L^{dis}` what is left of n times the total sum of
    squares: no matrix of pairs is needed, and nothing is subtracted. Of a feature with missing values all of this is of
    the rows where it is there; one without any value is as a constant.
    """
    n, shares = moments.totals()
    spread = moments.squares / n
    between = (shares * (moments.means - (shares * moments.means).sum(axis=0)) ** 2).sum(axis=0)
    similar, different = (shares * spread).sum(axis=0), ((1.0 - shares) * spread).sum(axis=0) + between
    constant = similar + different <= _ROUNDING
    return Ratio(np.where(constant, 0.0, similar), np.where(constant, 0.0, different), moments.exponents)


def laplacian_of(X, weights) -> Ratio:
    """Both sides of eq. (2) for a graph with these weights between rows (sparse, symmetric).

    Of a feature with missing values, for the rows where it is there and the edges between them.
    """
    if has_gaps(X):
        return _with_gaps(X, weights.tocoo())
    degrees = np.asarray(weights.sum(axis=1)).ravel()
    exponents = np.frexp(np.abs(X).max(axis=0))[1]
    Z = np.ldexp(X, -exponents)
    Z = Z - Z[0]
    Z = Z - degrees @ Z / degrees.sum()
    total = degrees @ Z**2
    # Sums over the edges of squared differences cannot cancel: f'Lf is half of that over both directions.
    edges = weights.tocoo()
    varied = np.array([0.5 * edges.data @ (column[edges.row] - column[edges.col]) ** 2 for column in Z.T])
    constant = total <= _ROUNDING * degrees.sum()
    return Ratio(np.where(constant, 0.0, varied), np.where(constant, 0.0, total), exponents)


def _with_gaps(X, edges) -> Ratio:
    low, high = ends_of(X)
    exponents = np.frexp(np.maximum(high, -low))[1]
    similar, different = np.zeros((2, X.shape[1]))
    for f, column in enumerate(np.ldexp(X, -exponents).T):
        apart = 0.5 * (column[edges.row] - column[edges.col]) ** 2
        used = ~np.isnan(apart)
        degrees = np.bincount(edges.row[used], weights=edges.data[used], minlength=len(X))
        if not degrees.any():  # no two neighbours have it
            continue
        column = np.where(degrees > 0, column - column[np.argmax(degrees > 0)], 0.0)
        column -= degrees @ column / degrees.sum()
        total = degrees @ column**2
        if total > _ROUNDING * degrees.sum():
            similar[f], different[f] = edges.data[used] @ apart[used], total
    return Ratio(similar, different, exponents)
