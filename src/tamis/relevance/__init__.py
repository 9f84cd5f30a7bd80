"""A criterion: one number per candidate subset of features, higher is better."""

from .base import Criterion, Scorer, resolve_criterion
from .functions import bayes_risk, entropy, mutual_information
from .information import MutualInformation
from .risk import BayesRisk

__all__ = [
    "BayesRisk",
    "Criterion",
    "MutualInformation",
    "Scorer",
    "bayes_risk",
    "entropy",
    "mutual_information",
    "resolve_criterion",
]
