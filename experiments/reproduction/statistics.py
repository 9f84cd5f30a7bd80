"""Means, their intervals, and tests: what the checks decide by."""

from __future__ import annotations

import numpy as np
from scipy import stats


def interval(runs, level=0.95) -> np.ndarray:
    """Half the width of the interval of the mean over the first axis (Student); NaN for one run."""
    runs = np.asarray(runs, dtype=float)
    n = len(runs)
    if n < 2:
        return np.full(runs.shape[1:], np.nan)
    return stats.t.ppf((1 + level) / 2, n - 1) * runs.std(axis=0, ddof=1) / np.sqrt(n)


def paired_p(one, other) -> float:
    """Two-sided p of a difference between runs on the same data; 1 if they are equal or there is one run."""
    apart = np.asarray(one, dtype=float) - np.asarray(other, dtype=float)
    if len(apart) < 2 or not apart.any():
        return 1.0
    if apart.std(ddof=1) == 0:
        return 0.0
    return float(stats.ttest_1samp(apart, 0.0).pvalue)


def lower(one, other, level=0.05) -> bool:
    """Whether the first is lower in the mean, beyond chance (paired t, two-sided)."""
    return bool(np.mean(one) < np.mean(other) and paired_p(one, other) < level)


def two_sample_p(one, other) -> float:
    """Two-sided p of a difference of means of two samples of their own variances (Welch)."""
    one, other = np.asarray(one, dtype=float), np.asarray(other, dtype=float)
    if min(len(one), len(other)) < 2 or (one.std() == 0 and other.std() == 0):
        return 1.0 if one.mean() == other.mean() else 0.0
    return float(stats.ttest_ind(one, other, equal_var=False).pvalue)


def split_error(apart, test_to_train) -> float:
    """Standard error of a mean over splits of the same rows (Nadeau and Bengio, 2003)."""
    apart = np.asarray(apart, dtype=float)
    return float(apart.std(ddof=1) * np.sqrt(1 / len(apart) + test_to_train))
