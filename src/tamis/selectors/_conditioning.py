"""How many conditioning features, and of how many levels: by the loss on rows that a search has not seen."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from sklearn.base import clone

from .._validation import Rows
from ..evidence import Fold
from ..evidence.held_out import Known, judge_subsets
from ..evidence.judges import NeighbourJudge
from ..evidence.spaces import ClassSpace, space_of
from ..evidence.units import error_of, mean_of
from ._how_many import distance_of_losses

N_BINS = 10
MOST_CONDITIONING = 3
_SIZES, _LARGEST, _SMALLEST = 4, 80, 5
_MOST_ROWS, _MOST_VALUES = 5000, 20_000_000
"""Of a half: with more rows the choice would hardly be another, and every search takes longer."""
_LEAST_ROWS, _WIDE = 20, 2000
"""Groups beyond which a search takes as long on few rows: only numbers of conditioning features are compared then, one
way round."""


class Conditioning(NamedTuple):
    """How many features each is judged against, and how many levels features have at most."""

    n_conditioning: int
    n_bins: int


def choose_conditioning(selector, procedure, columns, labels, distance, rows: Rows, seed) -> Conditioning:
    """The setting whose subsets predict best.

    Rows are halved at random, groups staying whole; or in time, where there are times. Every setting is searched with
    on each half, and the subsets of a few sizes predict the other half by nearest neighbours. The squared loss is in
    units of the class distance, a mean over sizes and rows; a setting other than the default must be better by more
    than one standard error. More conditioning features, and of more levels, see finer redundancy, and leave fewer rows
    for each class in a cell: which of the two costs more depends on the data. (A forest as a second judge chose no
    better on eighteen tables.)

    Parameters
    ----------
    selector : BlanketSelector
        Those settings that are "auto" are chosen.
    procedure : callable
        From a selector and a fold to what a search finds on its rows.
    columns : Columns
    labels : label model
        As fitted to all rows.
    distance : ClassDistance
    rows : Rows
    seed : int
    """
    grid = _grid(selector, columns)
    usual = _usual(grid)
    if len(grid) == 1:
        return usual
    coordinates = columns.coordinates()
    most_rows = min(_MOST_ROWS, max(_LEAST_ROWS, _MOST_VALUES // columns.n_features))
    halves = _halves(labels.has_record(), rows, seed, most_rows)
    sizes = _sizes(len(coordinates.groups))
    if not halves:
        return usual
    one_class = not labels.has_label_sets
    space = space_of(distance_of_losses(distance, labels), labels.memberships_, one_class=one_class)
    if isinstance(space, ClassSpace) and not space.varies:
        return usual
    if len(coordinates.groups) > _WIDE:
        halves = halves[:1]
    losses: list[list[np.ndarray]] = [[] for _ in grid]
    about = []
    for train, test in halves:
        for found_losses, setting in zip(losses, grid, strict=True):
            how = {**setting._asdict(), "labels": labels.for_part(), "class_distance": distance}
            one = clone(selector).set_params(**how)
            found = procedure(one, Fold(train, test, seed))
            seen, learned = found.labels.learned(labels, train)
            unseen, target = found.labels.judged(labels, test)
            known = Known(seen, learned, unseen, target, one_class, seed, space)
            subsets = [found.order[:size] for size in sizes]
            held = judge_subsets(coordinates, subsets, [NeighbourJudge()], known, rows=rows)
            wrong = (held.predicted - space.place(held.targets))[..., : space.n_scored]
            found_losses.append((wrong**2).sum(axis=-1).mean(axis=(0, 1)))
        about.append(held.about)
    found = [np.concatenate(parts) for parts in losses]
    return grid[_better(found, grid.index(usual), _together(about))]


def _better(losses, usual, about) -> int:
    """The place of the smallest mean loss, if it is significantly below that of the default."""
    best = int(np.argmin([mean_of(loss, about) for loss in losses]))
    behind = losses[usual] - losses[best]
    return best if mean_of(behind, about) > error_of(behind, about) else usual


def usual_conditioning(selector, columns) -> Conditioning:
    """The setting where rows are too few for a choice, or there is no time for it."""
    return _usual(_grid(selector, columns))


def _usual(grid) -> Conditioning:
    """Two conditioning features of ten levels, or what is nearest to that."""
    return min(grid, key=lambda one: (abs(one.n_conditioning - 2), abs(one.n_bins - N_BINS)))


def _together(about) -> Rows:
    parts = zip(*(rows.parts() for rows in about), strict=True)
    return Rows(*(None if part[0] is None else np.concatenate(part) for part in parts))


def _grid(selector, columns) -> list[Conditioning]:
    """Settings to choose from, those with few conditioning features first; different ones only."""
    asked, bins = selector.n_conditioning, selector.n_bins
    most = max(0, len(columns.groups) - 1)
    numbers = range(1, MOST_CONDITIONING + 1) if isinstance(asked, str) else [asked]
    levels = [N_BINS, N_BINS // 2] if isinstance(bins, str) else [bins]
    if selector.bins is None or len(columns.groups) > _WIDE or not columns.has_many_values(levels[-1]):
        levels = levels[:1]
    return list(dict.fromkeys(Conditioning(min(n, most), b) for n in numbers for b in levels))


def _sizes(n_groups) -> list[int]:
    """Numbers of groups: from a few to most of them, but no more than people look at."""
    most = min(_LARGEST, max(1, round(0.8 * n_groups)))
    return np.unique(np.geomspace(min(_SMALLEST, most), most, _SIZES).round().astype(int)).tolist()


def _halves(known, rows: Rows, seed, most_rows) -> list[tuple[np.ndarray, np.ndarray]]:
    """Rows to search on and rows to predict, each way round; in time only the later ones are predicted."""
    places = np.flatnonzero(known)
    if len(places) < _LEAST_ROWS:
        return []
    random = np.random.default_rng([seed, 2])
    if rows.time is not None:
        late = rows.time[places] > np.median(rows.time[places])
    elif rows.group is not None:
        group = np.unique(rows.group[places], return_inverse=True)[1]
        late = (random.permutation(group.max() + 1) % 2 == 1)[group]
    else:
        late = random.permutation(len(places)) % 2 == 1
    if late.all() or not late.any():
        return []
    one, other = (_some(places[side], random, most_rows) for side in (~late, late))
    if rows.group is not None and any((rows.group[half] == rows.group[half[0]]).all() for half in (one, other)):
        return []  # a search needs rows of two groups
    return [(one, other)] if rows.time is not None else [(one, other), (other, one)]


def _some(places, random, most):
    return places if len(places) <= most else np.sort(random.choice(places, most, replace=False))
