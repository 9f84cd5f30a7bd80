"""How much the same features are selected when the rows change."""

from __future__ import annotations

import numpy as np
from scipy.stats import t


def stability_of(selections, *, level=0.95) -> tuple[float, tuple[float, float]]:
    """Stability of some selections, and its confidence interval (Nogueira, Sechidis and Brown, 2018).

    1 if all are equal, 0 in the mean if they are drawn at random. The quantile is Student's, as selections are few.

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
        return 1.0, (1.0, 1.0)
    value = 1 - (n / (n - 1) * share * (1 - share)).mean() / spread
    each = (Z @ share / d - kept * mean + value / 2 * (2 * mean * kept - kept - mean + 1)) / spread
    error = 2 / n * np.sqrt(((each - each.mean()) ** 2).sum())
    far = t.ppf(0.5 + level / 2, n - 1) * error
    return float(value), (float(max(-1.0, value - far)), float(min(1.0, value + far)))
