"""The way a search went."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


class Step(NamedTuple):
    """One move of a search: the feature that left or entered, and the score of the subset after it.

    The first step of a search moves nothing (`feature` is None) if its first subset is not empty.
    """

    feature: int | None
    score: float


@dataclass(frozen=True, repr=False)
class Path:
    """Every subset that a greedy search went through.

    Attributes
    ----------
    direction : {"backward", "forward"}
    n_features : int
        Number of features there were to choose from.
    start : tuple of int
        The first subset: all features (backward) or the required ones (forward).
    order : ndarray of int
        Features in the order they left or entered.
    sizes : ndarray of int
        Sizes of the subsets visited, none of them empty.
    scores : ndarray of float
        Criterion of each of these subsets, higher is better.
    """

    direction: str
    n_features: int
    start: tuple[int, ...]
    steps: tuple[Step, ...]

    def __repr__(self):
        return f"Path({self.direction!r}, {self.n_features} features, order={self.order.tolist()})"

    @property
    def order(self) -> np.ndarray:
        return np.array([s.feature for s in self.steps if s.feature is not None], dtype=np.intp)

    @property
    def sizes(self) -> np.ndarray:
        moved = np.cumsum([s.feature is not None for s in self.steps], dtype=np.intp)
        return len(self.start) + (moved if self.direction == "forward" else -moved)

    @property
    def scores(self) -> np.ndarray:
        return np.array([s.score for s in self.steps])

    def subset(self, n: int) -> np.ndarray:
        """Sorted indices of the subset of size n."""
        sizes = self.sizes
        if n not in sizes:
            raise ValueError(
                f"n must be the size of a subset on the path, from {sizes.min()} to {sizes.max()}; got {n!r}."
            )
        moved = self.order[: abs(n - len(self.start))]
        kept = set(self.start) ^ set(moved.tolist())
        return np.array(sorted(kept), dtype=np.intp)

    def gains(self) -> np.ndarray:
        """How much the criterion changed as each feature left or entered; NaN for those that never moved.

        The last feature of a backward path counts with the whole score of its subset.
        """
        gains = np.full(self.n_features, np.nan)
        scores, sign = self.scores, 1 if self.direction == "forward" else -1
        for before, step in enumerate(self.steps, start=-1):
            if step.feature is not None:
                gains[step.feature] = sign * (step.score - (scores[before] if before >= 0 else 0.0))
        left = self.subset(self.sizes[-1])
        if self.direction == "backward" and len(left) == 1:
            gains[left] = scores[-1]
        return gains

    def to_frame(self, feature_names=None):
        """A pandas table with a row per subset: size, the feature that moved, the score."""
        try:
            import pandas as pd
        except ImportError as error:
            raise ImportError("Path.to_frame needs pandas: pip install pandas.") from error

        def named(feature):
            if feature is None:
                return None
            return feature if feature_names is None else feature_names[feature]

        moved = "removed" if self.direction == "backward" else "added"
        return pd.DataFrame({"size": self.sizes, moved: [named(s.feature) for s in self.steps], "score": self.scores})
