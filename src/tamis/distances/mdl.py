"""Bins that tell the class: recursive cuts by entropy, stopped by description length (Fayyad and Irani, 1993)."""

from __future__ import annotations

import numpy as np

_NOTHING = 1e-12


def mdl_levels(x, memberships) -> np.ndarray:
    """Level of each sample: 0, 1, ... from the lowest values to the highest; all 0 if no cut pays.

    Missing values (NaN) have the last level if the values are cut, or if a cut between them and all values pays. Rows
    of the memberships need not sum to one: the number of samples in the description length is their total.
    """
    missing = np.isnan(x)
    if missing.any():
        return _with_gaps(x, memberships, missing)
    order = np.argsort(x, kind="stable")
    values, weights = x[order], memberships[order]
    counts = np.vstack([np.zeros(weights.shape[1]), np.cumsum(weights, axis=0)])
    # Cuts are between different values only.
    places = np.flatnonzero(values[1:] > values[:-1]) + 1
    cuts = sorted(_cuts(counts, places, 0, len(x)))
    levels = np.empty(len(x), dtype=np.intp)
    levels[order] = np.searchsorted(cuts, np.arange(len(x)), side="right")
    return levels


def _with_gaps(x, memberships, missing):
    levels = np.zeros(len(x), dtype=np.intp)
    there = ~missing
    if there.any():
        levels[there] = mdl_levels(x[there], memberships[there])
        values, gaps = memberships[there].sum(axis=0), memberships[missing].sum(axis=0)
        if levels.any() or _cuts(np.array([0.0 * values, values, values + gaps]), np.array([1]), 0, 2):
            levels[missing] = levels.max() + 1
    return levels


def _cuts(counts, places, begin, end):
    """Accepted cuts of the samples begin ... end - 1."""
    stack, found = [(begin, end)], []
    while stack:
        low, high = stack.pop()
        inside = places[np.searchsorted(places, low + 1) : np.searchsorted(places, high)]
        if not len(inside):
            continue
        left, right = counts[inside] - counts[low], counts[high] - counts[inside]
        n_left, n_right = left.sum(axis=1), right.sum(axis=1)
        whole = counts[high] - counts[low]
        n = whole.sum()
        after = (n_left * _entropy(left) + n_right * _entropy(right)) / n
        best = int(np.argmin(after))
        k, k_left, k_right = (int((part > 0).sum()) for part in (whole, left[best], right[best]))
        before = _entropy(whole[None])[0]
        parts = k * before - k_left * _entropy(left[[best]])[0] - k_right * _entropy(right[[best]])[0]
        # log2(3^k - 2), for any k.
        choices = k * np.log2(3.0) + np.log1p(-2.0 * 3.0**-k) / np.log(2.0)
        price = (np.log2(max(n - 1, 1)) + choices - parts) / n
        if before - after[best] > price + _NOTHING:
            found.append(int(inside[best]))
            stack += [(low, int(inside[best])), (int(inside[best]), high)]
    return found


def _entropy(counts):
    """In bits, of each row."""
    total = counts.sum(axis=1, keepdims=True)
    p = counts / np.where(total > 0, total, 1.0)
    return -(p * np.log2(np.where(p > 0, p, 1.0))).sum(axis=1)
