"""What is known about the target, turned into memberships."""

from .base import LabelModel, NoLabels, accept_sparse, fit_labels, fresh_labels, label_kind, resolve_labels
from .crowd import CrowdLabels, answers_of
from .hard import HardLabels
from .multi import MultiLabels
from .noisy import NoisyLabels
from .partial import memberships_of
from .soft import SoftLabels

__all__ = [
    "CrowdLabels",
    "HardLabels",
    "LabelModel",
    "MultiLabels",
    "NoLabels",
    "NoisyLabels",
    "SoftLabels",
    "accept_sparse",
    "answers_of",
    "fit_labels",
    "fresh_labels",
    "label_kind",
    "memberships_of",
    "resolve_labels",
]
