"""The way a search went."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from typing import NamedTuple

import numpy as np

from .. import _validation

MOST_EXPLAINED = 300
"""Of subsets of more features (or groups) it is not kept what each of them adds: paths and checkpoints stay small."""


class Step(NamedTuple):
    """One move of a search: the feature (or group) that left or entered, and the score of the subset after it.

    The first step of a search moves nothing (`feature` is None) if its first subset is not empty. With noisy labels a
    step carries the rate of wrong labels in each class, by the model it was scored with. `adds` is how much each
    feature (or group) of the subset that it left or, growing, led to adds to the others, in the order of the columns.

    Of several features that leave in one pass, each has a step. The subsets between them are not scored: all but the
    last of these steps have the score NaN. All of them have `alone`: how much the criterion would have lost if only
    this feature had left the subset that the pass started from. None for steps of one feature at a time.
    """

    feature: int | None
    score: float
    noise_rates: tuple[float, ...] | None = None
    adds: tuple[float, ...] | None = None
    alone: float | None = None

    def record(self) -> list:
        """As JSON has it."""
        return [
            self.feature,
            self.score,
            self.noise_rates,
            self.adds,
            self.alone,
        ]

    @classmethod
    def of(cls, record) -> Step:
        feature, score, rates, adds, alone = record
        rates, adds = (None if values is None else tuple(values) for values in (rates, adds))
        return cls(feature, score, rates, adds, alone)


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
    groups : tuple of tuples of int or None
        The features that move together, if some do: steps, and `start`, then count groups.
    order : ndarray of int
        Features in the order they left or entered.
    sizes : ndarray of int
        Sizes of the subsets visited, none of them empty.
    scores : ndarray of float
        Criterion of each of these subsets, higher is better; NaN for those within a pass in which several features
        left, which are not scored; of a ranking, of the feature that joined it; of a
        blanket elimination, what the feature that left told beyond its companions (delta).
    noise_rates : ndarray of shape (n_subsets, n_classes) or None
        With noisy labels: the rate of wrong labels in each class, by the model that each step was judged with.
    """

    direction: str
    n_features: int
    start: tuple[int, ...]
    steps: tuple[Step, ...]
    groups: tuple[tuple[int, ...], ...] | None = None

    def __repr__(self):
        return f"Path({self.direction!r}, {self.n_features} features, order={self.order.tolist()})"

    @property
    def shrinks(self) -> bool:
        """Whether features leave it."""
        return self.direction in ("backward", "blanket")

    @property
    def order(self) -> np.ndarray:
        return np.array([f for s in self.steps for f in self.members(s.feature)], dtype=np.intp)

    @cached_property
    def sizes(self) -> np.ndarray:
        moved = np.cumsum([len(self.members(s.feature)) for s in self.steps], dtype=np.intp)
        start = sum(len(self.members(g)) for g in self.start)
        sizes = start + (-moved if self.shrinks else moved)
        sizes.flags.writeable = False
        return sizes

    def members(self, moved: int | None) -> tuple[int, ...]:
        """The features that a step moves."""
        if moved is None:
            return ()
        return (moved,) if self.groups is None else self.groups[moved]

    @property
    def scores(self) -> np.ndarray:
        return np.array([s.score for s in self.steps])

    @property
    def noise_rates(self) -> np.ndarray | None:
        rates = [s.noise_rates for s in self.steps]
        return np.array(rates) if rates and rates[0] is not None else None

    def subset(self, n: int) -> np.ndarray:
        """Sorted indices of the subset of size n."""
        self._place(n)
        start = [f for g in self.start for f in self.members(g)]
        moved = self.order[: abs(n - len(start))]
        return np.array(sorted(set(start) ^ set(moved.tolist())), dtype=np.intp)

    def lasting(self) -> np.ndarray:
        """Features that are in some subset, those first that are in most: each subset has the first of them."""
        moves = [self.members(step.feature) for step in self.steps]
        if self.shrinks:
            moves = [tuple(self.subset(self.sizes[-1]).tolist()), *moves[::-1]]
        else:
            moves = [tuple(sorted(f for g in self.start for f in self.members(g))), *moves]
        return np.array([f for members in moves for f in sorted(members)], dtype=np.intp)

    def group_order(self) -> np.ndarray:
        """Groups (or features) that are in some subset, those first that are in most of them."""
        moved = [step.feature for step in self.steps if step.feature is not None]
        left = sorted(set(self.start).difference(moved)) if self.shrinks else sorted(self.start)
        return np.array([*left, *(moved[::-1] if self.shrinks else moved)], dtype=np.intp)

    def n_groups(self) -> np.ndarray:
        """How many groups (or features) each subset has."""
        moved = np.cumsum([step.feature is not None for step in self.steps], dtype=np.intp)
        return len(self.start) + (-moved if self.shrinks else moved)

    def gains(self) -> np.ndarray:
        """How much the criterion changed as each feature left or entered; NaN for those that never moved.

        Of several features that left in one pass, each has what the criterion would have lost without it alone. The
        last feature of a backward path counts with the whole score of its subset; in a ranking or a blanket
        elimination each has its own.
        """
        gains = np.full(self.n_features, np.nan)
        if self.direction in ("ranking", "blanket"):
            for step in self.steps:
                gains[list(self.members(step.feature))] = step.score
            return gains
        scores, sign = self.scores, 1 if self.direction == "forward" else -1
        for before, step in enumerate(self.steps, start=-1):
            was = scores[before] if before >= 0 else 0.0
            gain = sign * (step.score - was) if step.score != was else 0.0  # infinite ones too
            gains[list(self.members(step.feature))] = gain if step.alone is None else step.alone
        moved = sum(step.feature is not None for step in self.steps)
        if self.direction == "backward" and len(self.start) == moved + 1:
            gains[self.subset(self.sizes[-1])] = scores[-1]
        return gains

    def adds(self, n: int) -> np.ndarray | None:
        """How much each feature of the subset of size n adds to the others, in the order of `subset(n)`.

        What the criterion would lose with it, by the labels that the search judged the subset with; one feature alone
        adds the whole score. In a blanket elimination, what it tells beyond its companions. Each feature of a group has
        the value of its group; NaN is the difference of two infinite scores.

        None where the search has not asked: rankings, more than 300 features (growing: more than 50, unless they are
        those selected), a growing search with labels that are estimated at each step, subsets within a pass in which
        several features left, the last subset of a shrinking
        path unless a criterion scored one feature (or group) there.
        """
        place = self._place(n)
        adds: tuple[float, ...] | None
        if self.shrinks and place + 1 == len(self.steps):
            n_left = len(self.start) - sum(step.feature is not None for step in self.steps)
            adds = (self.steps[place].score,) if self.direction == "backward" and n_left == 1 else None
        else:
            adds = self.steps[place + self.shrinks].adds
        if adds is None:
            return None
        moved = {step.feature for step in self.steps[: place + 1] if step.feature is not None}
        left = sorted(set(self.start) ^ moved)
        of_feature = {f: value for g, value in zip(left, adds, strict=True) for f in self.members(g)}
        return np.array([of_feature[f] for f in self.subset(n).tolist()])

    def _place(self, n) -> int:
        """Which of the subsets has this size."""
        sizes = self.sizes
        if not len(sizes):
            raise ValueError(
                "the path must have a subset; it has none, as its search was interrupted in the first step. Fit again."
            )
        if not isinstance(n, Integral) or isinstance(n, (bool, np.bool_)) or n not in sizes:
            raise ValueError(
                f"n must be the size of a subset on the path, from {sizes.min()} to {sizes.max()}; got {n!r}."
            )
        return int(np.argmax(sizes == n))

    def to_frame(self, feature_names=None):
        """A pandas table with a row per subset: size, the feature that moved, score, noise rates by class."""
        pd = _validation.import_pandas("Path.to_frame")

        def named(moved):
            names = [f if feature_names is None else feature_names[f] for f in self.members(moved)]
            return names if len(names) > 1 else next(iter(names), None)

        moved = "removed" if self.shrinks else "added"
        table = {"size": self.sizes, moved: [named(s.feature) for s in self.steps], "score": self.scores}
        if self.noise_rates is not None:
            table |= {f"noise_rate_{s}": rates for s, rates in enumerate(self.noise_rates.T)}
        return pd.DataFrame(table)
