"""How subsets are visited: a search turns a scorer into a path."""

from .blanket import Removal, eliminate, judge_eliminations
from .chance import ChanceTest, judge_additions, judge_ranks, judge_removals, significant_size, weigh
from .checkpoint import Checkpoint, hidden_beside, replace_file
from .greedy import backward, batch_sizes, forward
from .path import Path, Step, Verdict
from .ranking import ranking

__all__ = [
    "ChanceTest",
    "Checkpoint",
    "Path",
    "Removal",
    "Step",
    "Verdict",
    "backward",
    "batch_sizes",
    "eliminate",
    "forward",
    "hidden_beside",
    "judge_additions",
    "judge_eliminations",
    "judge_ranks",
    "judge_removals",
    "ranking",
    "replace_file",
    "significant_size",
    "weigh",
]
