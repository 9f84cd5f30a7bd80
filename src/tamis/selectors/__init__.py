"""scikit-learn estimators; thin."""

from .ranking import RankingSelector
from .sequential import SequentialSelector

__all__ = ["RankingSelector", "SequentialSelector"]
