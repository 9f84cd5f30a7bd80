"""Subsets of features, scored on rows that the search has not seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._kernels.blas import one_blas_thread
from .._validation import Rows
from ..distances.gaps import gap_constants
from ..distances.scaling import has_gaps, tamed
from .spaces import PlainSpace
from .units import means_of

MOST_ROWS = 4000
"""That judges learn from, and are asked about, in one fold."""
_MOST_VALUES = 20_000_000
_GROWTH, _FAST_GROWTH, _MANY = 1.25, 1.5, 100
_ALIKE = Rows()


def sizes_between(least, most) -> list[int]:
    """Sizes to be judged: every small one, then each a quarter above the one before, beyond 100 a half."""
    sizes = [least]
    while sizes[-1] < most:
        growth = _GROWTH if sizes[-1] < _MANY else _FAST_GROWTH
        sizes.append(min(most, max(sizes[-1] + 1, round(growth * sizes[-1]))))
    return sizes


def spread_out(n: int) -> list[int]:
    """The numbers below n in an order whose first ones are far apart: first, middle, quarters, last, and so on."""
    found, gaps = [0], [(0, n - 1)]
    for low, high in gaps:
        middle = (low + high) // 2
        if middle > low:
            found.append(middle)
            gaps += [(low, middle), (middle, high)]
    return [*found[:4], *([n - 1] if n > 1 else []), *found[4:]]  # the last size takes longest


@dataclass(frozen=True)
class Known:
    """What a fold knows of the target.

    Attributes
    ----------
    train, test : ndarray of int
        Rows that judges learn from, and rows that they are asked about.
    learned, judged : ndarray of shape (n_rows, n_classes)
        What they learn, and what their answers are compared with.
    one_class : bool
        Whether every row has one class, and not a set of labels.
    seed : int
    space : PlainSpace, ClassSpace or LabelSpace, default=None
        Where the classes are; None if there are no distances between them.
    """

    train: np.ndarray
    learned: np.ndarray
    test: np.ndarray
    judged: np.ndarray
    one_class: bool
    seed: int
    space: Any = None


@dataclass(frozen=True)
class HeldOut:
    """What judges predict for the rows that one search has not seen.

    Attributes
    ----------
    rows : ndarray of shape (n_rows,)
    targets : ndarray of shape (n_rows, n_classes)
        What is believed of each row.
    shares : ndarray of shape (n_coordinates,)
        Mean place of the rows that were seen: the prediction of those who know nothing else. Without distances between
        classes the shares of the classes.
    predicted : ndarray of float32, shape (n_judges, n_subsets, n_rows, n_coordinates)
        Places; without distances between classes memberships.
    about : Rows
        Weights and groups of these rows.
    space : PlainSpace, ClassSpace or LabelSpace, default=None
    """

    rows: np.ndarray
    targets: np.ndarray
    shares: np.ndarray
    predicted: np.ndarray
    about: Rows = _ALIKE
    space: Any = None


def judge_subsets(coordinates, subsets, judges, known: Known, *, rows=_ALIKE, most_rows=MOST_ROWS) -> HeldOut:
    """Fit judges to the rows that a search has seen, for each subset, and ask them about the others.

    Parameters
    ----------
    coordinates : Coordinates
        Columns of all rows, and which each group has; NaN where a value is missing.
    subsets : sequence of sequences of int
        Groups; without any, the shares of the classes are the prediction.
    judges : list of judges
    known : Known
    rows : Rows
        Of all rows: judges learn with weights.
    most_rows : int
        To learn from, and as many to be asked about; of more, some are drawn.
    """
    random = np.random.default_rng([known.seed, 1])
    train, T = _at_most(most_rows, known.train, known.learned, random)
    test, G = _at_most(most_rows, known.test, known.judged, random)
    weight = rows.of(train).weight
    space = known.space or PlainSpace(known.one_class)
    shares, asked = means_of(space.place(T), weight), coordinates.rows(np.concatenate([train, test]))
    how = {"seed": known.seed, "one_class": known.one_class}
    found = np.empty((len(judges), len(subsets), len(G), len(shares)), dtype=np.float32)
    with one_blas_thread():
        for place, subset in enumerate(subsets):
            found[:, place] = shares
            if len(subset):
                seen, unseen = _standardised(asked.of(subset), len(train), weight)
                for judge, line in zip(judges, found, strict=True):
                    if seen.any():
                        line[place] = judge.predict(seen, T, unseen, space=space, weight=weight, **how)
    return HeldOut(test, G, shares, found, rows.of(test), space)


def most_groups(coordinates, n_rows) -> int:
    """The largest number of groups whose columns are few enough to be judged."""
    widths = np.cumsum(np.sort([len(group) for group in coordinates.groups])[::-1])
    return max(1, int(np.searchsorted(widths * min(n_rows, 2 * MOST_ROWS), _MOST_VALUES, side="right")))


def _at_most(most, rows, targets, random):
    if len(rows) <= most:
        return rows, targets
    some = np.sort(random.choice(len(rows), most, replace=False))
    return rows[some], targets[some]


def _standardised(columns, n_seen, weight):
    """The first rows and the others, by means and deviations of the first; sums are of float64.

    Means and deviations are of the values that are there. What is missing stays so, but in columns that say nothing
    because they have fewer than two values among the first rows.
    """
    columns = tamed(columns).astype(float)
    seen, unseen = columns[:n_seen], columns[n_seen:]
    if not has_gaps(columns) and weight is None:
        middle, spread = seen.mean(axis=0), seen.std(axis=0)
        varies = (seen.max(axis=0) > seen.min(axis=0)) & (spread > 0)
        spread = np.where(varies, spread, np.inf)  # constant columns say nothing
        return (seen - middle) / spread, (unseen - middle) / spread
    weight = np.ones(n_seen) if weight is None else weight
    spread = np.sqrt(gap_constants(seen, weight) / 2)  # zero for constant columns
    there = ~np.isnan(seen)
    middle = weight @ np.where(there, seen, 0.0) / np.where(spread > 0, weight @ there, 1.0)
    found = [(rows - middle) / np.where(spread > 0, spread, np.inf) for rows in (seen, unseen)]
    for rows in found:
        rows[:, spread == 0] = 0.0
    return found
