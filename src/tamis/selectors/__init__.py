"""scikit-learn estimators; thin."""

from .sequential import SequentialSelector

__all__ = ["SequentialSelector"]
