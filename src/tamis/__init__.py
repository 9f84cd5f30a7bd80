"""Feature selection for imperfect labels."""

from .distances.classes import ClassDistance
from .estimates.loss import top_k_loss
from .estimates.mlknn import MLkNNClassifier
from .estimates.transport import noise_bound, wasserstein
from .labels import CrowdLabels, HardLabels, LabelModel, MultiLabels, NoisyLabels, SoftLabels, answers_of
from .relevance import (
    AdditiveCriterion,
    BayesRisk,
    ChiSquare,
    Criterion,
    LaplacianScore,
    MutualInformation,
    WeightedLaplacian,
    bayes_risk,
    entropy,
    mutual_information,
    weighted_laplacian_score,
)
from .search import Path
from .selectors import BlanketSelector, RankingSelector, SequentialSelector

__version__ = "0.1.0"

__all__ = [
    "AdditiveCriterion",
    "BayesRisk",
    "BlanketSelector",
    "ChiSquare",
    "ClassDistance",
    "Criterion",
    "CrowdLabels",
    "HardLabels",
    "LabelModel",
    "LaplacianScore",
    "MLkNNClassifier",
    "MultiLabels",
    "MutualInformation",
    "NoisyLabels",
    "Path",
    "RankingSelector",
    "SequentialSelector",
    "SoftLabels",
    "WeightedLaplacian",
    "answers_of",
    "bayes_risk",
    "entropy",
    "mutual_information",
    "noise_bound",
    "top_k_loss",
    "wasserstein",
    "weighted_laplacian_score",
]
