"""A criterion: one number per candidate subset of features, higher is better."""

from .base import (
    NO_ROWS,
    AdditiveCriterion,
    CheckedScorer,
    Criterion,
    Scorer,
    criterion_for,
    criterion_kind,
    resolve_criterion,
)
from .chi_square import ChiSquare
from .functions import bayes_risk, entropy, mutual_information, weighted_laplacian_score
from .information import MutualInformation
from .laplacian import LaplacianScore, WeightedLaplacian
from .neighbor_cost import NeighborCost
from .posterior import ClassPosterior, class_posterior
from .refitting import RefittingScorer, known_rows, rows_of, scored_rows, scorer_of
from .risk import BayesRisk
from .subset import SubsetDivergence, subset_divergence

__all__ = [
    "NO_ROWS",
    "AdditiveCriterion",
    "BayesRisk",
    "CheckedScorer",
    "ChiSquare",
    "ClassPosterior",
    "Criterion",
    "LaplacianScore",
    "MutualInformation",
    "NeighborCost",
    "RefittingScorer",
    "Scorer",
    "SubsetDivergence",
    "WeightedLaplacian",
    "bayes_risk",
    "class_posterior",
    "criterion_for",
    "criterion_kind",
    "entropy",
    "known_rows",
    "mutual_information",
    "resolve_criterion",
    "rows_of",
    "scored_rows",
    "scorer_of",
    "subset_divergence",
    "weighted_laplacian_score",
]
