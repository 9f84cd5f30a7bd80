"""How subsets are visited: a search turns a scorer into a path."""

from .blanket import Removal, eliminate
from .checkpoint import Checkpoint, Unsaved, hidden_beside, replace_file
from .greedy import backward, batch_sizes, forward
from .pace import AS_PLANNED, LEAST_FOLDS, FoldTimes, Limited, Pace, Plan, Unhurried
from .path import Path, Step
from .ranking import ranking

__all__ = [
    "AS_PLANNED",
    "LEAST_FOLDS",
    "Checkpoint",
    "FoldTimes",
    "Limited",
    "Pace",
    "Path",
    "Plan",
    "Removal",
    "Step",
    "Unhurried",
    "Unsaved",
    "backward",
    "batch_sizes",
    "eliminate",
    "forward",
    "hidden_beside",
    "ranking",
    "replace_file",
]
