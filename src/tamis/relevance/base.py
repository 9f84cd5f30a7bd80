"""What a search asks of a criterion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from sklearn.base import BaseEstimator, clone

from .. import _validation
from .racing import Queries, RacingScorer, Sampling

_BY_NAME: dict[str, type[Criterion]] = {}
MOST_LABELS = 16
"""Labels for which "auto" takes the information of each: the cost is that of so many searches. With more labels the
mean cost of neighbors, one search, selected about as well (20 and 52 labels)."""
NO_ROWS = _validation.Rows()
"""Every row counts once, and is compared with every other."""


class Scorer(Protocol):
    """Scores subsets of the features of one data set, or of its groups of columns that move together.

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
    any_units = False
    """Whether a column alone scores the same in all units, so that huge or tiny ones may be brought to one."""
    samples_queries = False
    """Whether its scorer takes `queries`: scores are means over rows, and some of them are enough to compare."""
    allows_missing = False
    """Whether values may be missing (NaN)."""
    gaps_are_levels = False
    """Whether missing values are a level of their own: a column of one value and gaps is not constant then."""
    takes_rows = False
    """Whether its scorer takes `rows`, a `Rows`: how much each row counts, and which are not compared."""
    takes_class_distance = False
    """Whether it has a parameter `class_distance`, which a selector may set."""
    adds_up = False
    """Whether scores are of sums over rows: memberships then come multiplied by the weights of the rows, and groups of
    rows change nothing, as no row is compared with another."""

    @property
    def uses_label_sets(self) -> bool:
        """Whether its scorer takes the labels of each row, zeros and ones in any number, where labels are sets."""
        return False

    def __init_subclass__(cls, name: str | None = None, **kwargs: Any):
        super().__init_subclass__(**kwargs)
        if name is not None:
            _BY_NAME[name] = cls

    def score(self, X, memberships) -> float:
        """Value of all columns of X together, a number: higher is better, minus infinity is worst."""
        raise NotImplementedError(f"the criterion {type(self).__name__} must have a method score(X, memberships).")

    def scorer(self, X, memberships, *, classes=None, groups=None, n_threads=1) -> Scorer:
        """The same for many subsets of the columns, or of groups of them."""
        return PlainScorer(lambda columns: _validation.check_score(self, self.score(columns, memberships)), X, groups)


class AdditiveCriterion(Criterion):
    """A criterion that needs sums over rows only: X may be sparse, and may come in blocks.

    A subclass gives `sums`, whose results for two blocks are added by `+`, and `scorer_of` them.
    """

    adds_up = True

    def sums(self, X, memberships, *, n_threads=1):
        """What these rows add."""
        raise NotImplementedError(f"the criterion {type(self).__name__} must have a method sums(X, memberships).")

    def scorer_of(self, sums, *, classes=None, groups=None) -> Scorer:
        """Scores of subsets of the columns, or of groups of them."""
        raise NotImplementedError(f"the criterion {type(self).__name__} must have a method scorer_of(sums).")

    def score(self, X, memberships):
        checked = _validation.check_scored(X, memberships, sparse=True, missing=self.allows_missing)
        return score_of_all(self, *checked)

    def scorer(self, X, memberships, *, classes=None, groups=None, n_threads=1, sums=None):
        """Scores of subsets; `sums` are those of X, if they are known."""
        sums = self.sums(X, memberships, n_threads=n_threads) if sums is None else sums
        return self.scorer_of(sums, classes=classes, groups=groups)


def score_of_all(criterion, X, memberships) -> float:
    """The score of all columns together, of samples and memberships that were checked."""
    return float(criterion.scorer(X, memberships).of(range(X.shape[1]))[0])


class PlainScorer:
    """One subset after the other."""

    def __init__(self, score, X, groups=None):
        self._score, self._X = score, X
        self._groups = [(f,) for f in range(X.shape[1])] if groups is None else groups

    def of(self, subset):
        return np.array([self._score(self._columns(subset)), 0.0])

    def without_each(self, subset):
        return np.array([self.of([g for g in subset if g != f]) for f in subset])

    def with_each(self, subset, candidates):
        return np.array([self.of([*subset, f]) for f in candidates])

    def _columns(self, subset):
        return self._X[:, [c for g in subset for c in self._groups[g]]]


class CheckedScorer:
    """The scores of a scorer, which may be one's own, checked."""

    def __init__(self, criterion, scorer: Scorer):
        self._criterion, self._scorer = criterion, scorer

    @property
    def rescores(self) -> bool:
        """Whether a subset may get another score in the next step."""
        return isinstance(self._scorer, RacingScorer)

    @property
    def sampling(self) -> Sampling | None:
        """How many rows the scores are means over; None if all."""
        return self._scorer.sampling if isinstance(self._scorer, RacingScorer) else None

    def of(self, subset):
        return _validation.check_score_rows(self._criterion, self._scorer.of(subset), (2,))

    def without_each(self, subset):
        return _validation.check_score_rows(self._criterion, self._scorer.without_each(subset), (len(subset), 2))

    def with_each(self, subset, candidates):
        scores = self._scorer.with_each(subset, candidates)
        return _validation.check_score_rows(self._criterion, scores, (len(candidates), 2))


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


def ball_scorer(scan, weights, queries: Queries | None) -> Scorer:
    """Scores from all rows, or from as many of them as decisions need."""
    return BallScorer(scan, weights) if queries is None else RacingScorer(scan, weights, queries)


def criterion_for(criterion, *, n_labels=0, class_distance=None, n_neighbors=None) -> Criterion:
    """A criterion from a name or an object, or for "auto" the one that suits the labels.

    Parameters
    ----------
    n_labels : int or None
        How many labels the sets of a row are of; 0 if it has a class, None if they are not known yet.
    class_distance : None, array-like or ClassDistance
        Given to the criterion unless it has its own; an error if it takes none.
    n_neighbors : int or None
        Of a criterion given by name, or chosen; None for its default.
    """
    named, per_label = isinstance(criterion, str), {}
    if named and criterion == "auto":
        by_information = class_distance is None and n_labels is not None and n_labels <= MOST_LABELS
        criterion = "mutual_information" if by_information else "neighbor_cost"
        per_label = {"per_label": "mean"} if by_information and n_labels else {}
    found = resolve_criterion(criterion)
    if per_label:
        found.set_params(**per_label)
    if named and n_neighbors is not None and "n_neighbors" in found.get_params():
        found.set_params(n_neighbors=n_neighbors)
    if class_distance is None:
        return found
    if not found.takes_class_distance:
        raise ValueError(
            f"class_distance must be None with the criterion {type(found).__name__}, which takes none; got "
            f"{type(class_distance).__name__}. Use criterion='neighbor_cost', or leave class_distance out."
        )
    own = found.get_params(deep=False)["class_distance"]
    return found if own is not None else clone(found).set_params(class_distance=class_distance)


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
