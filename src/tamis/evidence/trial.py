"""A whole procedure, repeated on folds: the subsets it finds, judged on the rows it has not seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .._validation import Rows
from ..distances.classes import ClassDistance
from ..distances.columns import Coordinates
from ..distances.workers import Shared, n_workers
from ..search import AS_PLANNED, LEAST_FOLDS, Pace, Unhurried
from .curves import Curves
from .evidence import Evidence
from .folds import Fold, Folds
from .held_out import HeldOut, Known, judge_subsets, most_groups, sizes_between, spread_out
from .judges import MANY_TARGETS, names_of
from .spaces import space_of
from .stability import stability_of

_SECONDS, _MOST_REPEATS = 12.0, 10
LEAST_REPEATS = 3
"""Repetitions after which folds can end because the answer depends on none of them."""
_ROWS_OF_SWAPS = 1000
_LEAST_SIZES = 3


@dataclass(frozen=True)
class Searched:
    """What one search found: groups of features, those first that stay longest, and its label model."""

    order: np.ndarray
    labels: Any


class Trial:
    """Searches on folds, and what judges make of their subsets.

    Parameters
    ----------
    search : callable
        From a `Fold` and its number to what the procedure finds on its rows, `Searched`.
    search_elsewhere : callable or None
        From a `Fold` to the same, by a worker of a joblib backend, if there are any; None if folds have to be searched
        here.
    coordinates : Coordinates
        Columns of all rows, and which each group of features has.
    labels : label model
        As fitted to all rows.
    judges : list of judges
    least, most : int
        Smallest and largest number of groups that can be chosen.
    searched : int or None
        How many of them the search began with, if not with all.
    n_folds : int
    n_repeats : int or None
        None: as many as fit into about 12 seconds, at most ten, and no more than the choice needs to be steady. Folds
        that go forward in time are not repeated.
    seconds : float
        What one search takes, roughly; it must not be measured, or the answer would depend on the machine.
    tolerance : float
    seed : int
    rows : Rows
        Weights, groups and times of the rows. Folds keep groups whole, and go forward in time.
    distance : ClassDistance or None
        Between the classes, or the labels of sets: what losses are in units of. Rows of rare classes are judged then,
        too, since it is known how far predictions are from them.

    Attributes
    ----------
    total : int
        Most folds that there will be.
    cut : list of str
        What there was no time for.
    why_not, way_out : str
        What is missing if no folds are possible, and what could be done without.
    """

    def __init__(
        self,
        search: Callable[[Fold, int], Searched],
        coordinates: Coordinates,
        labels,
        *,
        judges,
        least,
        most,
        n_folds,
        n_repeats,
        seconds,
        tolerance,
        seed,
        rows: Rows | None = None,
        searched: int | None = None,
        search_elsewhere: Callable[[Fold], Searched] | None = None,
        distance: ClassDistance | None = None,
    ):
        self._search, self._coordinates, self._labels = search, coordinates, labels
        self._elsewhere = search_elsewhere
        self._judges, self._tolerance = judges, tolerance
        self._one_class = not labels.has_label_sets
        self._rows = Rows() if rows is None else rows
        recorded = labels.recorded() if self._one_class else None
        memberships = np.where(labels.has_record()[:, None], labels.memberships_, 0.0)
        self._space = space_of(distance, memberships, one_class=self._one_class)
        if self._space.has_distance and self._one_class:
            memberships, recorded = _pooled(memberships, recorded, n_folds)
        least_rows = getattr(labels, "min_class_size_", 0)  # of label sets, or they are pruned
        how = {"recorded": recorded, "least": least_rows}
        self._folds = Folds(memberships, n_folds, seed, self._rows, **how)
        self.why_not, self.way_out = self._folds.why_not, self._folds.way_out
        n_repeats = 1 if self._folds.are_forward else n_repeats
        self.sizes = judged_sizes(coordinates, least, most, searched)
        self._steady = n_repeats is None
        if n_repeats is None:
            judging = judge_seconds(coordinates, self.sizes, len(labels.classes_))
            n_repeats = repeats_for(self._folds.n_folds, seconds + judging)
        self._n_repeats = n_repeats
        self.total = self._folds.n_folds * n_repeats if self._folds.are_possible else 0
        self.cut: list[str] = []
        self._orders: list[np.ndarray] = []
        self._known: list[list[Known]] = []
        self._repeats: list[list[HeldOut]] = []

    def run(self, pace: Pace | Unhurried = AS_PLANNED) -> Iterator[Fold]:
        """One fold after the other, as long as there is time."""
        if not self._folds.are_possible:
            return
        what = self._coordinates, self._labels, self._rows
        work = _FoldWork(self._elsewhere, *what, self._judges, self.sizes, self._one_class, self._space)
        workers = Shared(work) if self._elsewhere is not None and n_workers() else None
        for repeat in range(self._n_repeats):
            known: list[Known] = []
            held: list[HeldOut] = []
            folds = self._folds.of(repeat)
            if not pace.allows_folds(len(folds) if repeat or workers is not None else LEAST_FOLDS):
                self._end_early(known, held)
                return
            done = None if workers is None else workers.each(_FoldWork.whole, [(fold,) for fold in folds])
            for place, fold in enumerate(folds):
                if place and done is None and not pace.allows_folds(len(folds) - place if repeat else 1):
                    self._end_early(known, held)
                    return
                if done is not None:
                    order, its_known, its_held = done[place]
                else:
                    found = self._search(fold, repeat * self._folds.n_folds + place)
                    if pace.max_time is None or self._orders:
                        order, its_known, its_held = work.judged(fold, found)
                    else:
                        work, (order, its_known, its_held) = self._first_in_time(work, fold, found, pace)
                known.append(its_known)
                held.append(its_held)
                self._orders.append(order)
                if len(held) == self._folds.n_folds:  # before anybody can say that it is enough
                    self._known.append(known)
                    self._repeats.append(held)
                yield fold
            if self._steady and self._is_steady():
                return

    def _first_in_time(self, work, fold, found, pace):
        """The first fold, judged at as many sizes as leave time for a second one; others are judged at these, too."""
        pace.begin_judging()
        at: dict[int, HeldOut] = {}
        cost = [judge_seconds(self._coordinates, [size]) for size in self.sizes]
        for place in spread_out(len(self.sizes)):
            if len(at) >= _LEAST_SIZES and not pace.allows_size(cost[place] / sum(cost[p] for p in at)):
                break
            order, known, at[place] = replace(work, sizes=[self.sizes[place]]).judged(fold, found)
        places = sorted(at)
        if len(places) < len(self.sizes):
            self.cut.append(f"{len(places)} of {len(self.sizes)} sizes were judged")
            self.sizes = [self.sizes[place] for place in places]
        predicted = np.concatenate([at[place].predicted for place in places], axis=1)
        return replace(work, sizes=self.sizes), (order, known, replace(at[places[0]], predicted=predicted))

    def _end_early(self, known, held):
        """With whole repetitions or, if there is none, the folds of the first one, if these are enough."""
        if self._repeats:
            most = f"up to {self._n_repeats}" if self._steady else f"{self._n_repeats}"
            self.cut.append(f"the folds were repeated {len(self._repeats)} of {most} times")
        elif len(held) >= LEAST_FOLDS:
            self._known.append(known)
            self._repeats.append(held)
            self.cut.append(f"{len(held)} of {self._folds.n_folds} folds were judged")
        else:
            self.cut = ["no folds were judged"]

    @property
    def is_done(self) -> bool:
        """Whether there is at least one whole repetition to judge by, or as much of it as there was time for."""
        return bool(self._repeats)

    def curves(self) -> Curves:
        return self._curves(self._repeats)

    def judge(self, subsets) -> Curves:
        """Other subsets, by the first judge, on the folds of the first repetition."""
        how = {"most_rows": _ROWS_OF_SWAPS, "rows": self._rows}
        held = [judge_subsets(self._coordinates, subsets, self._judges[:1], k, **how) for k in self._known[0]]
        return self._curves([held])

    def evidence(self, groups, n_features_of, p_values, *, alpha) -> Evidence:
        """What is known now.

        Parameters
        ----------
        groups : sequence of sequences of int
            Features that move together.
        n_features_of : dict of int to int
            How many features so many groups have, in the search on all rows.
        p_values : ndarray of shape (n_features,)
            Of tests of each feature by itself.
        alpha : float
            Level of the test whether features are better than knowing nothing.
        """
        curves, orders = self.curves(), self._orders[: len(self._repeats) * self._folds.n_folds]
        # Half of the level for each of two ways to be better; for rows left out half of that, as folds share rows.
        p_value = min(1.0, 2 * np.nanmin([1.0, *p_values]) * len(p_values), 4 * curves.p_value_of_nothing())
        found = p_value <= alpha
        place = curves.choice if found else 0
        kept = np.zeros((len(orders), len(self.sizes), len(p_values)), dtype=bool)
        for selections, order in zip(kept, orders, strict=True):
            for line, size in zip(selections, self.sizes, strict=True):
                line[[f for g in order[:size] for f in groups[g]]] = True
        loss, loss_se = curves.losses()
        error, interval = zip(*curves.errors(), strict=True)
        cost, cost_of_nothing = curves.costs() or (None, None)
        expected, expected_interval = curves.expected_error()
        stability, stability_interval = stability_of(kept[:, place])
        return Evidence(
            sizes=np.array([n_features_of[size] for size in self.sizes]),
            loss=loss,
            loss_se=loss_se,
            behind_se=curves.behind_se(),
            error=np.array(error),
            error_interval=np.array(interval),
            cost=cost,
            loss_of_nothing=curves.loss_of_nothing(),
            error_of_nothing=curves.error_of_nothing(),
            cost_of_nothing=cost_of_nothing,
            n_chosen=n_features_of[self.sizes[place]],
            expected_error=expected,
            expected_error_interval=expected_interval,
            p_value=float(p_value),
            found=bool(found),
            frequency=kept[:, place].mean(axis=0),
            frequency_over_sizes=kept.mean(axis=(0, 1)),
            stability=stability,
            stability_interval=stability_interval,
            n_folds=self._folds.n_folds,
            n_runs=len(orders),
            n_repeats=len(self._repeats),
            judges=names_of(self._judges, self._space, len(self._labels.classes_)),
            reaches_all=self.sizes[-1] == len(groups),
            n_units=curves.n_units,
            forward=self._folds.are_forward,
        )

    def _curves(self, repeats):
        return Curves(repeats, self._tolerance, one_class=self._one_class)

    def _is_steady(self) -> bool:
        """Whether the choice would be the same without any one of the repetitions."""
        if len(self._repeats) < LEAST_REPEATS:
            return False
        chosen = self.curves().choice
        others = ([r for r in self._repeats if r is not left_out] for left_out in self._repeats)
        return all(self._curves(repeats).choice == chosen for repeats in others)


def judged_sizes(coordinates: Coordinates, least: int, most: int, searched: int | None = None) -> list[int]:
    """Numbers of groups that are judged, of those that can be chosen.

    If a search began with fewer groups than there are, the others are judged only together, as all of them.
    """
    most = max(least, min(most, most_groups(coordinates, coordinates.X.shape[0])))
    if searched is None or searched >= most:
        return sizes_between(least, most)
    return [*sizes_between(least, max(least, searched)), most]


def judge_seconds(coordinates: Coordinates, sizes: list[int], n_targets: int = 1) -> float:
    """What the judges of one fold take, roughly, for so many classes or labels."""
    widest = sum(len(group) for group in coordinates.groups[: sizes[-1]])
    each = 0.02 + 6e-6 * min(coordinates.X.shape[0], 4000) * np.sqrt(widest)
    return len(sizes) * each * max(1.0, n_targets / MANY_TARGETS)


def repeats_for(n_folds: int, seconds: float) -> int:
    """How many repetitions of folds that take so long there are at most, unless somebody says how many."""
    return int(np.clip(_SECONDS / (max(1, n_folds) * seconds), 1, _MOST_REPEATS))


def _pooled(memberships, recorded, n_folds):
    """Both with the classes of fewer rows than folds as one class, and the next larger one if these are too few."""
    sizes = memberships.sum(axis=0)
    rare = sizes < n_folds
    if 0 < sizes[rare].sum() < n_folds and np.count_nonzero(~rare) > 1:
        rare[np.where(rare, np.inf, sizes).argmin()] = True
    return [
        None if P is None else np.column_stack([P[:, ~rare], P[:, rare].sum(axis=1)]) for P in (memberships, recorded)
    ]


@dataclass(frozen=True)
class _FoldWork:
    """All that one fold needs, here or in a worker."""

    search: Callable[[Fold], Searched] | None
    coordinates: Coordinates
    labels: Any
    rows: Rows
    judges: list
    sizes: list[int]
    one_class: bool
    space: Any

    def whole(self, fold):
        assert self.search is not None
        return self.judged(fold, self.search(fold))

    def judged(self, fold, found: Searched) -> tuple[np.ndarray, Known, HeldOut]:
        """The order that a search has found, what the fold knows of the target, and what judges predict."""
        train, learned = found.labels.learned(self.labels, fold.train)
        test, target = found.labels.judged(self.labels, fold.test)
        known = Known(train, learned, test, target, self.one_class, fold.seed, self.space)
        subsets = [found.order[:size] for size in self.sizes]
        return found.order, known, judge_subsets(self.coordinates, subsets, self.judges, known, rows=self.rows)
