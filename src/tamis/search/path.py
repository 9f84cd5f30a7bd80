"""The way a search went."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .. import _validation


class Step(NamedTuple):
    """One move of a search: the feature that left or entered, and the score of the subset after it.

    The first step of a search moves nothing (`feature` is None) if its first subset is not empty. With noisy labels a
    step carries the rate of wrong labels in each class, by the model it was judged with.
    """

    feature: int | None
    score: float
    noise_rates: tuple[float, ...] | None = None


@dataclass(frozen=True, repr=False)
class Path:
    """Every subset that a search went through.

    Attributes
    ----------
    direction : {"backward", "forward", "ranking", "blanket"}
    n_features : int
        Number of features there were to choose from.
    start : tuple of int
        The first subset: all features (backward, blanket), the required ones (forward) or none (ranking).
    order : ndarray of int
        Features in the order they left or entered.
    sizes : ndarray of int
        Sizes of the subsets visited, none of them empty.
    scores : ndarray of float
        Criterion of each of these subsets, higher is better; of a ranking, of the feature that joined it; of a
        blanket elimination, what the feature that left told beyond its companions (delta).
    noise_rates : ndarray of shape (n_subsets, n_classes) or None
        With noisy labels: the rate of wrong labels in each class, by the model that each step was judged with.
    """

    direction: str
    n_features: int
    start: tuple[int, ...]
    steps: tuple[Step, ...]

    def __repr__(self):
        return f"Path({self.direction!r}, {self.n_features} features, order={self.order.tolist()})"

    @property
    def _shrinks(self) -> bool:
        return self.direction in ("backward", "blanket")

    @property
    def order(self) -> np.ndarray:
        return np.array([s.feature for s in self.steps if s.feature is not None], dtype=np.intp)

    @property
    def sizes(self) -> np.ndarray:
        moved = np.cumsum([s.feature is not None for s in self.steps], dtype=np.intp)
        return len(self.start) + (-moved if self._shrinks else moved)

    @property
    def scores(self) -> np.ndarray:
        return np.array([s.score for s in self.steps])

    @property
    def noise_rates(self) -> np.ndarray | None:
        rates = [s.noise_rates for s in self.steps]
        return np.array(rates) if rates and rates[0] is not None else None

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

        The last feature of a backward path counts with the whole score of its subset; in a ranking or a blanket
        elimination each has its own.
        """
        gains = np.full(self.n_features, np.nan)
        if self.direction in ("ranking", "blanket"):
            for step in self.steps:
                if step.feature is not None:
                    gains[step.feature] = step.score
            return gains
        scores, sign = self.scores, 1 if self.direction == "forward" else -1
        for before, step in enumerate(self.steps, start=-1):
            if step.feature is not None:
                was = scores[before] if before >= 0 else 0.0
                gains[step.feature] = sign * (step.score - was) if step.score != was else 0.0  # infinite ones too
        left = self.subset(self.sizes[-1])
        if self.direction == "backward" and len(left) == 1:
            gains[left] = scores[-1]
        return gains

    def to_frame(self, feature_names=None):
        """A pandas table with a row per subset: size, the feature that moved, the score, noise rates by class."""
        pd = _validation.import_pandas("Path.to_frame")

        def named(feature):
            if feature is None:
                return None
            return feature if feature_names is None else feature_names[feature]

        moved = "removed" if self._shrinks else "added"
        table = {"size": self.sizes, moved: [named(s.feature) for s in self.steps], "score": self.scores}
        if self.noise_rates is not None:
            table |= {f"noise_rate_{s}": rates for s, rates in enumerate(self.noise_rates.T)}
        return pd.DataFrame(table)
