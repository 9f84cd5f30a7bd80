"""Feature selection for imperfect labels."""

# ruff: noqa: F403, F405

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._public import *

__version__ = "0.1.0"

__all__ = [
    "AdditiveCriterion",
    "BayesRisk",
    "BlanketSelector",
    "ChiSquare",
    "ClassDistance",
    "ClassPosterior",
    "ClassTreeDisplay",
    "Criterion",
    "CrowdLabels",
    "HardLabels",
    "LabelModel",
    "LaplacianScore",
    "MLkNNClassifier",
    "MultiLabels",
    "MutualInformation",
    "NeighborCost",
    "NoiseDisplay",
    "NoisyLabels",
    "Path",
    "PathDisplay",
    "RankingSelector",
    "RolesDisplay",
    "SequentialSelector",
    "SoftLabels",
    "SubsetDivergence",
    "SuspectsDisplay",
    "WeightedLaplacian",
    "answers_of",
    "bayes_risk",
    "class_posterior",
    "entropy",
    "memberships_of",
    "mutual_information",
    "noise_bound",
    "report",
    "subset_divergence",
    "top_k_loss",
    "wasserstein",
    "weighted_laplacian_score",
]


def __getattr__(name: str):
    """Public names are fetched when first used, so that `tamis --help` need not wait for numpy and scikit-learn."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module("._public", __name__), name)
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
