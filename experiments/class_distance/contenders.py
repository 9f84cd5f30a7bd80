"""What is compared in these experiments."""

from __future__ import annotations

import numpy as np

from experiments import literal
from tamis import BlanketSelector

PRINTED = {"W": "wasserstein", "KL": "kl"}
"""The paper, and what it is compared with (Koller and Sahami), as printed."""

OURS = {
    "W-null": dict(divergence="wasserstein", correction="null"),
    "KL-null": dict(divergence="kl", correction="null"),
    "univariate MI": dict(divergence="kl", correction=None, n_conditioning=0),
    "univariate W-null": dict(divergence="wasserstein", correction="null", n_conditioning=0),
}
"""-null: with the correction for chance. Three conditioning features where there are any, of at most ten levels."""

LIKE_PRINTED = dict(n_conditioning=3, n_bins=10)
"""The library chooses among fewer conditioning features and levels: see tails.py."""

CONTENDERS = ("W", "W-null", "KL", "KL-null", "univariate MI", "univariate W-null")


def path_of(name, X, y, distance, **options):
    """Every subset on the way of one elimination; the distance may know more classes than y has."""
    known = distance.for_classes(np.unique(y), extra="drop")
    if name in PRINTED:
        selector = literal.wasserstein(known, PRINTED[name], **options)
    else:
        how = LIKE_PRINTED | OURS[name] | options
        selector = BlanketSelector(class_distance=known, n_features_to_select=1, **how)
    return selector.fit(X, y).path_
