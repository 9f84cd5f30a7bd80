"""Feature selection for imperfect labels."""

from .labels import HardLabels, LabelModel, NoisyLabels, SoftLabels
from .relevance import BayesRisk, Criterion, MutualInformation, bayes_risk, entropy, mutual_information
from .search import Path
from .selectors import SequentialSelector

__version__ = "0.1.0"

__all__ = [
    "BayesRisk",
    "Criterion",
    "HardLabels",
    "LabelModel",
    "MutualInformation",
    "NoisyLabels",
    "Path",
    "SequentialSelector",
    "SoftLabels",
    "bayes_risk",
    "entropy",
    "mutual_information",
]
