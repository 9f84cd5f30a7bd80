"""Labels that people got wrong, with probabilities of networks that have not seen them."""

import os
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

from tamis import NoisyLabels

DATA = Path(os.environ.get("TAMIS_DATA", "../shared/data"))
FILES = ("aggregate_efficientnet", "aggregate_resnet18", "synthetic_resnet50d", "worst_resnet18", "worst_swin")


@pytest.mark.data
@pytest.mark.parametrize("name", FILES)
@pytest.mark.skipif(not DATA.is_dir(), reason="no folder of data sets")
def test_the_share_and_the_rows_are_found(name):
    """Within three points of the truth; rows better than by the probability of the label, or of the next best class."""
    held = np.load(DATA / f"cifar10_{name}.npz")
    P, recorded = held["probabilities"].astype(float), held["recorded"]
    wrong = recorded != held["true"]
    model = NoisyLabels("precomputed").fit(P, recorded)
    assert model.noise_rate_ == pytest.approx(wrong.mean(), abs=0.03)
    low, high = model.noise_rate_interval_
    assert low <= wrong.mean() <= high
    doubts = 1 - model.sample_weight()
    if (doubts > 0.95).sum() >= 20:
        assert wrong[doubts > 0.95].mean() >= 0.9
    own = P[np.arange(len(P)), recorded]
    others = P.copy()
    others[np.arange(len(P)), recorded] = -1
    for simple in (-own, others.max(axis=1) - own):
        assert roc_auc_score(wrong, doubts) > roc_auc_score(wrong, simple)
        assert average_precision_score(wrong, doubts) > average_precision_score(wrong, simple)
