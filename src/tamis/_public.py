"""Where the public names live; `tamis` imports this when the first of them is asked for."""

# ruff: noqa: F401

from .distances.classes import ClassDistance
from .estimates.loss import top_k_loss
from .estimates.mlknn import MLkNNClassifier
from .estimates.transport import noise_bound, wasserstein
from .labels import (
    CrowdLabels,
    HardLabels,
    LabelModel,
    MultiLabels,
    NoisyLabels,
    SoftLabels,
    answers_of,
    memberships_of,
)
from .relevance import (
    AdditiveCriterion,
    BayesRisk,
    ChiSquare,
    ClassPosterior,
    Criterion,
    LaplacianScore,
    MutualInformation,
    NeighborCost,
    SubsetDivergence,
    WeightedLaplacian,
    bayes_risk,
    class_posterior,
    entropy,
    mutual_information,
    subset_divergence,
    weighted_laplacian_score,
)
from .search import Path
from .selectors import BlanketSelector, RankingSelector, SequentialSelector
from .views.figures import ClassTreeDisplay, NoiseDisplay, PathDisplay, RolesDisplay, SuspectsDisplay
from .views.report import report
