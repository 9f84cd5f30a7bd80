"""What is known about the target, turned into memberships."""

from .base import LabelModel, resolve_labels
from .hard import HardLabels
from .noisy import NoisyLabels
from .soft import SoftLabels

__all__ = ["HardLabels", "LabelModel", "NoisyLabels", "SoftLabels", "resolve_labels"]
