"""What is known about the target, turned into memberships."""

from .base import LabelModel, resolve_labels
from .hard import HardLabels
from .soft import SoftLabels

__all__ = ["HardLabels", "LabelModel", "SoftLabels", "resolve_labels"]
