"""What is compared in these experiments, and how differences are shown."""

from __future__ import annotations

import numpy as np

from tamis import BlanketSelector

CONTENDERS = {
    "W": dict(divergence="wasserstein", correction=None),
    "W-null": dict(divergence="wasserstein", correction="null"),
    "KL": dict(divergence="kl", correction=None),
    "KL-null": dict(divergence="kl", correction="null"),
    "univariate MI": dict(divergence="kl", correction=None, n_conditioning=0),
    "univariate W-null": dict(divergence="wasserstein", correction="null", n_conditioning=0),
}
"""W is the paper, KL is Koller and Sahami, -null the correction for chance (W-null: the defaults). Three companions."""

PAIRS = (("W", "KL"), ("W-null", "KL-null"), ("W-null", "W"), ("W-null", "univariate MI"))


def path_of(name, X, y, distance, **options):
    """Every subset on the way of one elimination; the distance may know more classes than y has."""
    known = distance.for_classes(np.unique(y), extra="drop")
    settings = CONTENDERS[name] | options
    return BlanketSelector(class_distance=known, n_features_to_select=1, **settings).fit(X, y).path_


def differences(curves, sizes, pairs=PAIRS, overlap=0.0) -> str:
    """Paired differences of curves by size with standard errors, and of their means over the sizes.

    `overlap` is test rows / training rows if repetitions are splits of the same rows: it widens the standard errors
    (Nadeau and Bengio, 2003).
    """
    lines = [f"{'difference (s.e.)':<26}" + "".join(f"{size:>13}" for size in sizes) + f"{'mean':>14}"]
    for one, other in pairs:
        both = sorted(set(curves.get(one, ())) & set(curves.get(other, ())))
        if len(both) < 2:
            continue
        apart = np.array([curves[one][r] - curves[other][r] for r in both])
        apart = np.column_stack([apart, apart.mean(axis=1)])
        error = apart.std(axis=0, ddof=1) * np.sqrt(1 / len(both) + overlap)
        cells = [f"{a:+7.2f} ({e:.2f})" for a, e in zip(apart.mean(axis=0), error, strict=True)]
        lines.append(f"{one + ' - ' + other:<26}" + "".join(f"{cell:>13}" for cell in cells[:-1]) + f"{cells[-1]:>14}")
    return "\n".join(lines)


def interval(apart, rng, draws=2000) -> np.ndarray:
    """95 % bootstrap interval of a mean over test rows."""
    rows = rng.integers(0, len(apart), (draws, len(apart)))
    return np.quantile(apart[rows].mean(axis=1), [0.025, 0.975])
