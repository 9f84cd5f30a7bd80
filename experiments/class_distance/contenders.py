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
"""-null: with the correction for chance (W-null: the defaults). Three conditioning features where there are any."""

CONTENDERS = ("W", "W-null", "KL", "KL-null", "univariate MI", "univariate W-null")


def path_of(name, X, y, distance, **options):
    """Every subset on the way of one elimination; the distance may know more classes than y has."""
    known = distance.for_classes(np.unique(y), extra="drop")
    if name in PRINTED:
        selector = literal.wasserstein(known, PRINTED[name], **options)
    else:
        selector = BlanketSelector(class_distance=known, n_features_to_select=1, **OURS[name] | options)
    return selector.fit(X, y).path_
