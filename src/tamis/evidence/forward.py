"""Folds that go forward in time, and rows that have others to be compared with."""

from __future__ import annotations

import numpy as np

from .._validation import SUM_TOLERANCE, Rows, lonely_classes


def forward_folds(memberships, held, n_folds, rows: Rows, *, least=2) -> list[tuple[np.ndarray, np.ndarray]]:
    """Rows seen and rows left out, of folds that see only what was before the rows they leave out.

    Rows are sorted by time and cut into `n_folds + 1` blocks of about equal weight, rows of equal time being in the
    same one. Each fold leaves out a block and sees all earlier ones, without rows of groups that it leaves out, and
    without classes of one row (or group). There is no fold where fewer than two classes of `least` rows (or groups)
    would be seen, or nothing judged. Rows of classes that were not there before are judged like others: nobody could
    have predicted them.

    Parameters
    ----------
    memberships : ndarray of shape (n_samples, n_classes)
    held : ndarray of shape (n_samples, n_columns)
        These, or more: none of the columns may be seen in one row alone.
    n_folds : int
    rows : Rows
        With times.
    least : int
    """
    block, found = blocks_of(rows, n_folds + 1), []
    known = memberships.any(axis=1)
    for last in range(1, int(block.max()) + 1):
        test = np.flatnonzero(block == last)
        seen = block < last
        if rows.group is not None:
            seen &= ~np.isin(rows.group, rows.group[test])
        train = with_company(held, np.flatnonzero(seen), rows)
        if known[test].any() and np.count_nonzero(_sizes(memberships, train[known[train]], rows) >= least) >= 2:
            found.append((train, test))
    return found


def _sizes(memberships, some, rows):
    """How many rows, or groups, each class is the most probable one of."""
    codes = memberships[some].argmax(axis=1)
    if rows.group is not None:
        codes = np.unique(np.column_stack([codes, rows.group[some]]), axis=0)[:, 0]
    return np.bincount(codes, minlength=2)


def blocks_of(rows: Rows, n_blocks) -> np.ndarray:
    """The consecutive block of time that each row is in, 0, 1, ...: about equally heavy, none empty."""
    assert rows.time is not None
    times, place = np.unique(rows.time, return_inverse=True)
    weight = np.bincount(place, weights=rows.weight, minlength=len(times)).astype(float)
    middle = (np.cumsum(weight) - weight / 2) / weight.sum()
    block = np.minimum((middle * n_blocks).astype(int), n_blocks - 1)
    return np.unique(block, return_inverse=True)[1][place]


def with_company(memberships, some, rows: Rows) -> np.ndarray:
    """Those of some rows whose classes are in two of them at least; with groups, in two groups.

    A class that is in one row, or group, alone has nothing to be compared with, and criteria leave it out.
    """
    while True:
        held = memberships[some]
        has = (held[:, lonely_classes(held, rows.of(some))] > SUM_TOLERANCE).any(axis=1)
        if not has.any():
            return some
        some = some[~has]
