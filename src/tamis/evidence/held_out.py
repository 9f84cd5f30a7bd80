"""Subsets of features, scored on rows that the search has not seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .._kernels.blas import one_blas_thread
from ..distances.scaling import tamed

MOST_ROWS = 4000
"""That judges learn from, and are asked about, in one fold."""
_MOST_VALUES = 20_000_000
_GROWTH = 1.25


def sizes_between(least, most) -> list[int]:
    """Sizes to be judged: every small one, then each a quarter above the one before."""
    sizes = [least]
    while sizes[-1] < most:
        sizes.append(min(most, max(sizes[-1] + 1, round(_GROWTH * sizes[-1]))))
    return sizes


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
    """

    train: np.ndarray
    learned: np.ndarray
    test: np.ndarray
    judged: np.ndarray
    one_class: bool
    seed: int


@dataclass(frozen=True)
class HeldOut:
    r"""What judges predict, in the mean, for the rows that one search has not seen.

    With targets g, shares s of the classes in the rows it has seen and predictions p, the squared loss of a prediction
    that is pulled towards the shares, :math:`|g - s - a (p - s)|^2`, is
    :math:`|g - s|^2 - 2a (g - s)(p - s) + a^2 |p - s|^2` for any factor a.

    Attributes
    ----------
    rows : ndarray of shape (n_rows,)
    targets : ndarray of shape (n_rows, n_classes)
        What is believed of each row.
    alone : ndarray of shape (n_rows,)
        The loss of the shares.
    along, beyond : ndarray of shape (n_subsets, n_rows)
        The two other sums above.
    decided : ndarray of bool, shape (n_subsets, n_rows, n_classes)
        The most probable class; of label sets, every label that is more probable than not.
    """

    rows: np.ndarray
    targets: np.ndarray
    alone: np.ndarray
    along: np.ndarray
    beyond: np.ndarray
    decided: np.ndarray


def judge_subsets(coordinates, subsets, judges, known: Known) -> HeldOut:
    """Fit judges to the rows that a search has seen, for each subset, and ask them about the others.

    Parameters
    ----------
    coordinates : Coordinates
        Columns of all rows, and which each group has.
    subsets : sequence of sequences of int
        Groups; without any, the shares of the classes are the prediction.
    judges : list of judges
    known : Known
    """
    random, one_class = np.random.default_rng([known.seed, 1]), known.one_class
    train, T = _at_most(known.train, known.learned, random)
    test, G = _at_most(known.test, known.judged, random)
    shares = T.mean(axis=0)
    found = np.empty((len(subsets), *G.shape))
    with one_blas_thread():
        for line, subset in zip(found, subsets, strict=True):
            line[:] = shares
            if len(subset):
                data = _standardised(coordinates.of(subset), train, test)
                if data[0].any():
                    line[:] = np.mean([_predicted(judge, *data, T, known) for judge in judges], axis=0)
    decided = found == found.max(axis=-1, keepdims=True) if one_class else found > 0.5
    if one_class:  # of equally probable classes the first
        decided &= decided.cumsum(axis=-1) == 1
    off, apart = G - shares, found - shares
    return HeldOut(test, G, (off**2).sum(axis=-1), (off * apart).sum(axis=-1), (apart**2).sum(axis=-1), decided)


def most_groups(coordinates, n_rows) -> int:
    """The largest number of groups whose columns are few enough to be judged."""
    widths = np.cumsum(np.sort([len(group) for group in coordinates.groups])[::-1])
    return max(1, int(np.searchsorted(widths * min(n_rows, 2 * MOST_ROWS), _MOST_VALUES, side="right")))


def _predicted(judge, seen, unseen, T, known):
    return judge.predict(seen, T, unseen, seed=known.seed, one_class=known.one_class)


def _at_most(rows, targets, random):
    if len(rows) <= MOST_ROWS:
        return rows, targets
    some = np.sort(random.choice(len(rows), MOST_ROWS, replace=False))
    return rows[some], targets[some]


def _standardised(columns, train, test):
    columns = tamed(columns)
    seen, unseen = columns[train], columns[test]
    middle, spread = seen.mean(axis=0), seen.std(axis=0)
    varies = (seen.max(axis=0) > seen.min(axis=0)) & (spread > 0)
    spread = np.where(varies, spread, np.inf)  # constant columns say nothing
    return (seen - middle) / spread, (unseen - middle) / spread
