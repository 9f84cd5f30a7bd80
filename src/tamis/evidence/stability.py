"""How much the same features are selected when the rows change."""

from __future__ import annotations

import numpy as np
from scipy.stats import t


def stability_of(selections, *, level=0.95) -> tuple[float, tuple[float, float]]:
    """Stability of some selections, and its confidence interval (Nogueira, Sechidis and Brown, 2018).

    1 if all are equal, 0 in the mean if they are drawn at random. The quantile is Student's, as selections are few; two
    of them say nothing about how much others would vary. The interval always contains the stability with one selection
    more that differs from the last in one feature: equal ones do not prove that all would be.

    Parameters
    ----------
    selections : ndarray of bool, shape (n_selections, n_features)
    level : float, default=0.95

    Examples
    --------
    >>> import numpy as np
    >>> from tamis.evidence import stability_of
    >>> round(stability_of(np.array([[1, 1, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0]], dtype=bool))[0], 2)
    0.33
    """
    Z = np.asarray(selections, dtype=float)
    n, d = Z.shape
    share, kept = Z.mean(axis=0), Z.sum(axis=1) / d
    mean = kept.mean()
    spread = mean * (1 - mean)
    if n < 2 or spread <= 0:  # everything or nothing, always
        return 1.0, (1.0 if spread <= 0 and n > 2 else -1.0, 1.0)
    value = _stability(Z)
    each = (Z @ share / d - kept * mean + value / 2 * (2 * mean * kept - kept - mean + 1)) / spread
    error = 2 / n * np.sqrt(((each - each.mean()) ** 2).sum())
    far = t.ppf(0.5 + level / 2, n - 1) * error if n > 2 else np.inf
    low, high = max(-1.0, value - far), min(1.0, value + far)
    return value, (float(min(low, _with_one_more(Z))), float(high))


def _stability(Z) -> float:
    n, mean = len(Z), Z.mean()
    variance = Z.var(axis=0, ddof=1)
    return float(1 - variance.mean() / (mean * (1 - mean))) if n > 1 and 0 < mean < 1 else 1.0


def _with_one_more(Z) -> float:
    """The stability if the last selection were followed by one that has another feature in place of one of its own."""
    other, rate = Z[-1].copy(), Z.mean(axis=0)
    kept, left = np.flatnonzero(other > 0), np.flatnonzero(other == 0)
    if len(kept) and len(left):
        other[kept[rate[kept].argmin()]], other[left[rate[left].argmax()]] = 0.0, 1.0
    return _stability(np.vstack([Z, other]))
