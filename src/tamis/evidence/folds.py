"""Which rows are left out when."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

from .._validation import Rows
from .forward import forward_folds, with_company

MOST_SEEN = 20_000
"""Rows that the search of a fold sees."""
_LEAST = 2
"""Rows of a class that criteria and noise models need, or groups of rows."""


class Fold(NamedTuple):
    """Rows that a search sees, rows that it does not, and the seed of whatever is random in it."""

    train: np.ndarray
    test: np.ndarray
    seed: int


class Folds:
    """Repeated stratified folds in which no class is missing from what a search sees.

    Of every class a search sees two rows at least. Rows of classes that are smaller than the number of folds, or too
    small for that, are always seen and never judged.

    Where rows are in groups, a fold leaves out whole groups, and the sizes of classes are numbers of groups. Groups
    with a row of a class in too few groups are always seen. Where rows have times, folds go forward in time, see
    `forward_folds`: there is one repetition only, and a class may be missing from what a search sees.

    Parameters
    ----------
    memberships : ndarray of shape (n_samples, n_classes)
        Rows are stratified by their most probable class; those of no class, or without a record, are one of their own.
    n_folds : int
        Lowered to what the second largest class allows.
    seed : int
    rows : Rows
        Groups, times and weights of the rows; an integer weight is as many copies of a row that are in one group.
    recorded : ndarray of shape (n_samples, n_classes) or None
        The target as it was given, if it has classes that a search must not see alone either.
    least : int
        Rows that a search needs of each of two classes, for folds that go forward in time.

    Attributes
    ----------
    n_folds : int
    are_possible, are_forward : bool
    why_not : str
        What is missing if they are not possible.
    way_out : str
        What could be done without to have some; empty if nothing.

    Notes
    -----
    Of more than 20,000 rows a search sees so many: all rows of classes that are smaller than a share of that, and a
    sample of the others. Judges learn from fewer still, and with more rows the search would do no worse.
    """

    def __init__(self, memberships, n_folds, seed, rows: Rows | None = None, *, recorded=None, least=_LEAST):
        self._about, self._seed = Rows() if rows is None else rows, seed
        self._held = memberships if recorded is None else np.hstack([memberships, recorded])
        self._names, self._codes = np.unique(_codes_of(memberships), return_inverse=True)
        self.are_forward = self._about.time is not None
        what = "rows" if self._about.group is None else "groups of rows"
        when = "early enough" if self.are_forward else "to leave some out"
        self.why_not, self.way_out = f"too few {what} of a second class {when}", ""
        if self.are_forward:
            self._in_time = forward_folds(memberships, self._held, n_folds, self._about, least=max(least, _LEAST))
            self.n_folds = len(self._in_time)
            self.are_possible = self.n_folds >= 2
            self._explain(memberships, n_folds)
        else:
            self._set_units()
            self._set_sizes(n_folds)

    def _explain(self, memberships, n_folds):
        """Why there are no folds forward in time, if it is for the times or the groups."""
        assert self._about.time is not None
        self.way_out = "fit without order"
        alone = Rows(self._about.weight, None, self._about.time)
        if self._about.time.max(initial=0) < 2:
            self.why_not = "folds that go forward in time need three different times"
        elif self._about.group is not None and len(forward_folds(memberships, self._held, n_folds, alone)) >= 2:
            self.why_not = "groups are spread over time, and too few earlier rows are of other groups"
            self.way_out = "fit without groups or without order"

    def _set_units(self):
        """Units are rows or groups; in each there are classes, as pairs of a unit and a class."""
        group = self._about.group
        if group is None:
            self._unit = np.arange(len(self._codes))
            self._pairs = np.column_stack([self._unit, self._codes])
            return
        self._unit = np.unique(group, return_inverse=True)[1]
        pairs = np.unique(np.column_stack([self._unit, self._codes]), axis=0)
        known = self._names[pairs[:, 1]] >= 0
        alone = ~np.isin(pairs[:, 0], pairs[known, 0])  # no class is one of its own where nothing else is in the group
        self._pairs = pairs[known | alone]

    def _set_sizes(self, n_folds):
        """The number of folds, and the units that can be left out."""
        units, codes = self._pairs.T
        left_out = np.ones(units.max() + 1, dtype=bool)
        while True:
            sizes = np.bincount(codes[left_out[units]], minlength=len(self._names))
            of_classes = np.sort(sizes[self._names >= 0])
            self.n_folds = int(min(n_folds, of_classes[-2] if len(of_classes) > 1 else 0))
            self.are_possible = self.n_folds >= 2 and _seen(of_classes[-2], self.n_folds) >= _LEAST
            self._judged = (sizes >= self.n_folds) & (_seen(sizes, max(1, self.n_folds)) >= _LEAST)
            small = left_out & (np.bincount(units[~self._judged[codes]], minlength=len(left_out)) > 0)
            if not small.any() or not self.are_possible:
                break
            left_out &= ~small
        self._left_out = left_out

    def of(self, repeat) -> list[Fold]:
        """The folds of one repetition."""
        random = np.random.default_rng([self._seed, repeat])
        found = []
        for train, out in self._in_time if self.are_forward else self._split(int(random.integers(2**31))):
            seed = int(random.integers(2**31))
            seen = self._some(train, seed)
            found.append(
                Fold(seen if self._about.is_nothing else with_company(self._held, seen, self._about), out, seed)
            )
        return found

    def _split(self, seed):
        pairs = self._pairs[self._left_out[self._pairs[:, 0]]]
        units, codes = pairs.T
        if len(np.unique(units)) == len(units):  # one class in each
            split = StratifiedKFold(self.n_folds, shuffle=True, random_state=seed).split(units, codes)
        else:
            how = StratifiedGroupKFold(self.n_folds, shuffle=True, random_state=seed)
            split = how.split(units, codes, units)
        for _, test in split:
            out = np.zeros(len(self._left_out), dtype=bool)
            out[units[test]] = True
            rows = out[self._unit] if self._about.group is None else self._spared(out)[self._unit]
            yield np.flatnonzero(~rows), np.flatnonzero(rows)

    def _spared(self, out):
        """Groups to be left out, without those that a search has to see, for two of each class that is judged."""
        units, codes = self._pairs.T
        for code in np.flatnonzero(self._judged):
            has = units[codes == code]
            n_seen = np.count_nonzero(~out[has])
            out[has[out[has]][: max(0, _LEAST - n_seen)]] = False
        return out

    def _some(self, rows, seed):
        if len(rows) <= MOST_SEEN:
            return rows
        codes = self._codes[rows]
        sizes = np.bincount(codes)
        small = sizes[codes] <= MOST_SEEN // len(sizes)
        if self._about.group is not None:
            small |= _of_two_groups(codes, self._about.group[rows])
        large = np.flatnonzero(~small)
        kept = np.random.default_rng(seed).choice(large, MOST_SEEN - int(small.sum()), replace=False)
        return np.sort(np.concatenate([rows[small], rows[kept]]))


def _codes_of(memberships):
    return np.where(memberships.any(axis=1), memberships.argmax(axis=1), -1)


def _of_two_groups(codes, group) -> np.ndarray:
    """One row in each of two groups of every class: no sample of rows may lack them."""
    pairs, first = np.unique(np.column_stack([codes, group]), axis=0, return_index=True)
    place = np.arange(len(pairs)) - np.searchsorted(pairs[:, 0], pairs[:, 0])
    found = np.zeros(len(codes), dtype=bool)
    found[first[place < _LEAST]] = True
    return found


def _seen(size, n_folds):
    """How many rows of a class of this size are left to a search when the largest part of it is left out."""
    return size + -size // n_folds
