"""How subsets are visited: a search turns a scorer into a path."""

from .blanket import Removal, eliminate
from .greedy import backward, forward
from .path import Path, Step
from .ranking import ranking

__all__ = ["Path", "Removal", "Step", "backward", "eliminate", "forward", "ranking"]
