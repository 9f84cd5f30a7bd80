"""How subsets are visited: a search turns a scorer into a path."""

from .greedy import backward, forward
from .path import Path, Step
from .ranking import ranking

__all__ = ["Path", "Step", "backward", "forward", "ranking"]
