"""Distances between classes, estimated from confusions or from features."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist

from .._kernels.blas import one_blas_thread
from .._validation import Rows
from .scaling import scaled

LEAST = 1e-3
"""Smallest distance between two classes, as a share of the largest possible (confusions) or the largest (features)."""
_MOST_COLUMNS = 1000
"""Of a within-class covariance that is estimated from all rows."""
_MOST_ROWS = 500
"""From which that of more columns is estimated."""
_LEAST_VARIANCE = 1e-10
"""Of a direction beside the largest: less is rounding."""


def between_confusions(counts) -> np.ndarray:
    """Total variation distances between rows of confusions: shares of the predictions, given the true class.

    Each class gets one more right prediction, unless the rows are rates. A class without any is not confused.
    """
    exponents = np.frexp(counts.max(axis=1))[1].clip(0)  # sums of huge counts do not overflow
    shares = np.ldexp(counts, -exponents[:, None])
    shares[np.diag_indices(len(counts))] += 0.0 if are_rates(counts) else np.ldexp(1.0, -exponents)
    empty = np.flatnonzero(~shares.any(axis=1))
    shares[empty, empty] = 1.0
    shares /= shares.max(axis=1, keepdims=True)  # sums of tiny rates are exact
    shares /= shares.sum(axis=1, keepdims=True)
    return floored(np.minimum(cdist(shares, shares, "cityblock") / 2, 1.0), 1.0)


def are_rates(counts) -> bool:
    """Whether rows sum to one at most, in fractions."""
    with np.errstate(over="ignore"):
        return bool((counts.sum(axis=1) <= 1 + 1e-6).all() and (counts != np.floor(counts)).any())


def floored(distances, largest) -> np.ndarray:
    """Distances between different classes that are at least `LEAST` of the largest: a metric stays one."""
    found = np.maximum(distances, LEAST * largest)
    np.fill_diagonal(found, 0.0)
    return found


def between_means(X, memberships, rows: Rows) -> np.ndarray:
    r"""Distances between class means in units of the within-class standard deviation, as far as they are known.

    With within-class covariance :math:`\Sigma`, the mean of a class of n rows is its true mean plus noise of variance
    1/n in each direction of the whitened space. In each principal direction of the means, the true ones have variance B
    (a moment estimator), and the posterior of a true mean is normal: the mean times B / (B + 1/n), with variance
    B / (1 + nB). The distance is the root of the expected squared distance of two true means.
    """
    n_classes = memberships.shape[1]
    with one_blas_thread():
        Z = np.nan_to_num(scaled(X, "standard", rows.weight))
        Z = Z[:, Z.any(axis=0)]
        found = np.zeros((n_classes, n_classes))
        if Z.shape[1]:
            found = _expected(*_whitened(Z, rows.weighted(memberships), rows.weights(len(Z))))
    return floored(found, found.max()) if found.any() else 1.0 - np.eye(n_classes)


def _whitened(Z, weights, row_weights) -> tuple[np.ndarray, np.ndarray, float]:
    """Class means where the within-class covariance is the identity, rows in each class, and the noise of a mean.

    The last one is that of a class of one row, summed over all directions. The covariance of all rows counts as one row
    more: with one row per class nothing else is known.
    """
    n, n_columns = weights.sum(axis=0), Z.shape[1]
    means = weights.T @ Z / np.maximum(n, np.finfo(float).tiny)[:, None]
    freedom = max(n.sum() - np.minimum(n, 1.0).sum(), 0.0) + 1.0
    squares = _squares(Z, means)
    fourth = (weights * squares**2).sum() + row_weights @ (Z**2).sum(axis=1) ** 2 / n.sum()
    if n_columns <= _MOST_COLUMNS:
        every = (Z * row_weights[:, None]).T @ Z
        within = every * (1.0 + 1.0 / n.sum()) - (means * n[:, None]).T @ means
        variances, axes = np.linalg.eigh(within / freedom)
        n_used = freedom
    else:
        rows, classes, shares = _typical(squares, weights)
        deviations = (Z[rows] - means[classes]) * np.sqrt(shares * n.sum() / freedom)[:, None]
        every = Z[rows] * np.sqrt(shares / freedom)[:, None]
        variances, axes = _principal(np.vstack([deviations, every]))
        n_used = min(freedom, _MOST_ROWS)
    variances = np.maximum(variances, 0.0)
    mean = variances.sum() / n_columns
    part = shrinkage((variances**2).sum(), mean, fourth * (n.sum() + 1.0) / freedom**2, n_used, n_columns)
    shrunk = (1.0 - part) * variances + part * mean
    least = _LEAST_VARIANCE * shrunk.max()
    shrunk = np.maximum(shrunk, least)
    along = means @ axes
    white = along / np.sqrt(shrunk)
    if axes.shape[1] < n_columns:  # the other directions
        white = np.hstack([white, (means - along @ axes.T) / np.sqrt(max(part * mean, least))])
    return white, n, float((variances / shrunk).sum())


def _principal(rows) -> tuple[np.ndarray, np.ndarray]:
    """Sums of squares along the principal directions of few long rows, and these directions."""
    values, vectors = np.linalg.eigh(rows @ rows.T)
    kept = values > _LEAST_VARIANCE * values[-1]
    return values[kept], rows.T @ (vectors[:, kept] / np.sqrt(values[kept]))


def _squares(Z, means) -> np.ndarray:
    """Squared distances of each row from each class mean."""
    products = Z @ means.T
    products *= -2.0
    products += (Z**2).sum(axis=1)[:, None]
    products += (means**2).sum(axis=1)
    return np.maximum(products, 0.0, out=products)


def _typical(squares, weights) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows and their classes at quantiles of the distances from class means, and the share of the weight of each.

    They depend neither on the order of the rows nor on the names of the classes.
    """
    rows, classes = np.nonzero(weights)
    digits = np.round(squares / max(squares.max(), np.finfo(float).tiny), 9)
    order = np.lexsort([*np.sort(digits[rows], axis=1).T, digits[rows, classes]])
    ends = np.cumsum(weights[rows, classes][order])
    if ends[-1] <= _MOST_ROWS and len(rows) == len(np.unique(rows)):
        return rows[order], classes[order], weights[rows, classes][order] / ends[-1]
    at = (np.arange(_MOST_ROWS) + 0.5) / _MOST_ROWS * ends[-1]
    places, times = np.unique(np.searchsorted(ends, at), return_counts=True)
    return rows[order[places]], classes[order[places]], times / _MOST_ROWS


def shrinkage(squared, mean, fourth, n, n_dimensions) -> float:
    """How far a covariance of n rows is shrunk towards its mean variance in all directions (Ledoit and Wolf, 2004).

    `squared` is the sum of its squared entries, `fourth` the mean of the fourth powers of the lengths of the rows.
    """
    apart = squared / n_dimensions - mean**2
    error = (fourth - squared) / (n * n_dimensions)
    return float(np.clip(error / apart, 0.0, 1.0)) if apart > 0 else 0.0


def _expected(means, n, noise) -> np.ndarray:
    """Roots of the expected squared distances between the true means of classes of n rows.

    Where there are more directions than classes, those of the means have the noise of all.
    """
    noise = max(1.0, noise / (len(n) - 1))
    weight = n / (n + noise)  # of a class in averages: as if its true mean had variance one
    total = weight.sum()
    centred = means - weight @ means / total
    root = np.sqrt(weight)[:, None]
    squared, axes = np.linalg.eigh((root * centred) @ (root * centred).T)
    at = axes * np.sqrt(np.maximum(squared, 0.0)) / np.where(root > 0, root, np.inf)
    by_chance = np.where(n > 0, noise / (n + noise), 0.0)
    rows = total - (weight**2).sum() / total
    excess = weight @ at**2 - (by_chance.sum() - weight @ by_chance / total)
    between = np.maximum(excess, 0.0) / rows if rows > 1e-9 * total else np.zeros(len(excess))
    reliability = n[:, None] * between / (n[:, None] * between + noise)
    unknown = (between * (1.0 - reliability)).sum(axis=1)
    posterior = at * reliability
    found = np.sqrt(cdist(posterior, posterior, "sqeuclidean") + (unknown[:, None] + unknown))
    np.fill_diagonal(found, 0.0)
    return found
