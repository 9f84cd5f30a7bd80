"""A criterion: one number per candidate subset of features, higher is better."""

from .base import Criterion, Scorer, resolve_criterion
from .functions import bayes_risk, entropy, mutual_information
from .information import MutualInformation
from .refitting import RefittingScorer, scorer_of
from .risk import BayesRisk

__all__ = [
    "BayesRisk",
    "Criterion",
    "MutualInformation",
    "RefittingScorer",
    "Scorer",
    "bayes_risk",
    "entropy",
    "mutual_information",
    "resolve_criterion",
    "scorer_of",
]
