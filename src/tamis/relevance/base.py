"""What a search asks of a criterion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from sklearn.base import BaseEstimator

_BY_NAME: dict[str, type[Criterion]] = {}


class Scorer(Protocol):
    """Scores subsets of the features of one data set.

    Scores are rows (score, tie_break), higher is better, compared in that order.
    """

    def of(self, subset: Sequence[int]) -> np.ndarray: ...

    def without_each(self, subset: Sequence[int]) -> np.ndarray: ...

    def with_each(self, subset: Sequence[int], candidates: Sequence[int]) -> np.ndarray: ...


class Criterion(BaseEstimator):
    """Scores a subset of features given memberships.

    A criterion of one's own needs a `score` only; the search then calls it for every subset it visits.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from tamis import Criterion, SequentialSelector
    >>> class Spread(Criterion):
    ...     def score(self, X, memberships):
    ...         return (memberships.T @ X).var()
    >>> SequentialSelector(Spread(), n_features_to_select=1).fit(*load_iris(return_X_y=True)).path_.order.tolist()
    [1, 0, 3]
    """

    uses_labels = True
    """Whether there is a use for a target at all."""

    def __init_subclass__(cls, name: str | None = None, **kwargs: Any):
        super().__init_subclass__(**kwargs)
        if name is not None:
            _BY_NAME[name] = cls

    def score(self, X, memberships) -> float:
        """Value of all columns of X together, higher is better."""
        raise NotImplementedError

    def scorer(self, X, memberships, *, classes=None, n_threads=1) -> Scorer:
        """The same for many subsets of the columns."""
        return PlainScorer(lambda subset: self.score(X[:, list(subset)], memberships))


class AdditiveCriterion(Criterion):
    """A criterion that needs sums over rows only: X may be sparse, and may come in blocks.

    A subclass gives `sums`, whose results for two blocks are added by `+`, and `scorer_of` them.
    """

    def sums(self, X, memberships, *, n_threads=1):
        """What these rows add."""
        raise NotImplementedError

    def scorer_of(self, sums, *, classes=None) -> Scorer:
        """Scores of subsets of the columns."""
        raise NotImplementedError

    def score(self, X, memberships):
        return float(self.scorer(X, memberships).of(range(X.shape[1]))[0])

    def scorer(self, X, memberships, *, classes=None, n_threads=1):
        return self.scorer_of(self.sums(X, memberships, n_threads=n_threads), classes=classes)


class PlainScorer:
    """One subset after the other."""

    def __init__(self, score):
        self._score = score

    def of(self, subset):
        return np.array([self._score(subset), 0.0])

    def without_each(self, subset):
        return np.array([self.of([g for g in subset if g != f]) for f in subset])

    def with_each(self, subset, candidates):
        return np.array([self.of([*subset, f]) for f in candidates])


class BallScorer:
    """Scores from a scan of balls; `weights` say how its two columns become (score, tie_break)."""

    def __init__(self, scan, weights):
        self._scan = scan
        self._weights = np.asarray(weights, dtype=float)

    def of(self, subset):
        return self._scan.of(subset) @ self._weights

    def without_each(self, subset):
        return self._scan.without_each(subset) @ self._weights

    def with_each(self, subset, candidates):
        return self._scan.with_each(subset, candidates) @ self._weights


def criterion_kind(criterion) -> type | None:
    """Its class, for a name or an object; None if it is neither."""
    return _BY_NAME.get(criterion) if isinstance(criterion, str) else type(criterion)


def resolve_criterion(criterion) -> Criterion:
    """A criterion from a name or an object."""
    if isinstance(criterion, Criterion):
        return criterion
    if isinstance(criterion, str) and criterion in _BY_NAME:
        return _BY_NAME[criterion]()
    raise ValueError(f"criterion must be one of {sorted(_BY_NAME)} or a criterion; got {criterion!r}.")
