"""scikit-learn estimators; thin."""

from .blanket import BlanketSelector
from .ranking import RankingSelector
from .sequential import SequentialSelector

__all__ = ["BlanketSelector", "RankingSelector", "SequentialSelector"]
