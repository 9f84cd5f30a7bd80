"""What is compared in these experiments."""

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


def path_of(name, X, y, distance, **options):
    """Every subset on the way of one elimination; the distance may know more classes than y has."""
    known = distance.for_classes(np.unique(y), extra="drop")
    settings = CONTENDERS[name] | options
    return BlanketSelector(class_distance=known, n_features_to_select=1, **settings).fit(X, y).path_
