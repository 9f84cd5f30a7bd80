"""What every feature is to a selection: needed, interchangeable with a needed one, or without evidence."""

from __future__ import annotations

import warnings
from typing import NamedTuple

import numpy as np

from .._validation import Rows, lonely_classes
from ..distances.columns import Coordinates
from ..relevance import MutualInformation
from .curves import Curves

NEEDED, INTERCHANGEABLE, NO_EVIDENCE = ROLES = ("needed", "interchangeable", "no evidence")
NOT_KNOWN = "not known"
"""Of features that there was no time to look at."""
_MOST_ROWS, _MOST_NEEDED, _MOST_PAIRS, _MOST_SWAPS = 2000, 30, 120, 3
_MOST_WORK = 5e10  # pairs of rows times groups
_ENOUGH = 0.5
"""Share of what a needed feature adds that another must add in its place."""


class Swap(NamedTuple):
    """A needed feature (or group of them) that another can replace, and what that costs.

    `cost` is the increase of the balanced error on held-out rows; below zero the swap did better there.
    """

    needed: int
    cost: float


def exchange(
    trial, coordinates, memberships, selected, others, p_values, *, alpha, seed, n_threads=1, rows: Rows | None = None
):
    """Groups that are interchangeable with a selected one, and their swaps, the cheapest first.

    Such a group is related to the target by itself, or adds to the selection without one of its members on held-out
    rows, and at least half of what that member adds by joint information. Where there are very many groups, those most
    related to the target by themselves are tried.

    Parameters
    ----------
    trial : Trial
        Judges subsets on held-out rows.
    coordinates : Coordinates
        Standardised columns, and which each group has.
    memberships : ndarray of shape (n_samples, n_classes)
    selected, others : lists of int
        Groups; the first ones of those selected are tried if these are many.
    p_values : ndarray of shape (n_groups,)
        Of a test of each group by itself.
    alpha : float
        Level of the tests, corrected for their number.
    rows : Rows
        Of the samples.

    Returns
    -------
    dict of int to list of Swap
    """
    n_rows, n_asked = min(len(memberships), _MOST_ROWS), min(len(selected), _MOST_NEEDED)
    most = max(1, int(_MOST_WORK / (n_rows**2 * n_asked)))
    others = sorted(sorted(others, key=lambda g: (p_values[g], g))[:most])
    if not others:
        return {}
    related = {g for g in others if p_values[g] * len(p_values) <= alpha}
    how = {"seed": seed, "n_threads": n_threads, "rows": rows}
    shares = replaced_shares(coordinates, memberships, selected, others, **how)
    return swaps_of(shares, related, selected, others, trial.judge, alpha=alpha)


def replaced_shares(
    coordinates, memberships, selected, others, *, seed, n_threads=1, rows: Rows | None = None
) -> np.ndarray:
    """How much of what each selected group adds each other group adds in its place: (n_selected, n_others).

    By joint information, on at most 2000 rows. Of more than 30 selected groups the first ones are asked about.

    Parameters
    ----------
    coordinates : Coordinates
        Standardised columns, and which each group has.
    memberships : ndarray of shape (n_samples, n_classes)
    selected, others : lists of int
        Groups.
    rows : Rows
        Of the samples: those of one group are not compared with each other.
    """
    about = Rows() if rows is None else rows
    some, memberships = _some_rows(memberships, np.random.default_rng([seed, 2]), about)
    asked = Coordinates(coordinates.X[some], tuple(coordinates.groups[g] for g in [*selected, *others]))
    X = asked.of(range(len(asked.groups)))
    groups: list[tuple[int, ...]] = []
    for group in asked.groups:
        begin = groups[-1][-1] + 1 if groups else 0
        groups.append(tuple(range(begin, begin + len(group))))
    how = {} if about.are_alike else {"rows": about.of(some)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of small classes: said of all rows already
        scorer = MutualInformation().scorer(
            np.ascontiguousarray(X), memberships, groups=groups, n_threads=n_threads, **how
        )
    n, found = len(selected), np.zeros((len(selected), len(others)))
    whole = scorer.of(range(n))[0]
    for place in range(min(n, _MOST_NEEDED)):
        rest = [g for g in range(n) if g != place]
        without = scorer.of(rest)[0] if rest else 0.0
        if whole > without:
            found[place] = (scorer.with_each(rest, range(n, len(groups)))[:, 0] - without) / (whole - without)
    return np.nan_to_num(found, nan=0.0, posinf=1.0, neginf=0.0)


def swaps_of(shares, related, selected, others, judge, *, alpha) -> dict[int, list[Swap]]:
    """Which of the others are interchangeable with a selected group, see `exchange`.

    Parameters
    ----------
    shares : ndarray of shape (n_selected, n_others)
        See `replaced_shares`.
    related : set of int
        Groups that are related to the target by themselves.
    judge : callable
        From subsets (lists of groups) to `Curves`, with a place for each of them.
    alpha : float
        Level of the tests, corrected for their number.
    """
    pairs = _pairs(shares, [other in related for other in others])
    if not pairs:
        return {}
    without = {g: [other for other in selected if other != g] for g in {selected[p] for p, _ in pairs}}
    subsets = [selected, *without.values(), *([*without[selected[p]], others[q]] for p, q in pairs)]
    curves: Curves = judge(subsets)
    gain, error = curves.gains(), [value for value, _ in curves.errors()]
    at = {g: 1 + place for place, g in enumerate(without)}
    found: dict[int, list[Swap]] = {}
    for number, (p, q) in enumerate(pairs, start=1 + len(without)):
        g, other = selected[p], others[q]
        adds = gain[number] - gain[at[g]]
        certain = shares[p, q] >= _ENOUGH and curves.p_value(adds) * len(pairs) <= alpha
        if certain or other in related:
            found.setdefault(other, []).append(Swap(g, error[number] - error[0]))
    return {other: sorted(swaps, key=lambda swap: swap.cost) for other, swaps in found.items()}


def _some_rows(memberships, random, about):
    """Rows of known classes, and classes of at least two rows, or groups; memberships sum to one."""
    rows = np.flatnonzero(memberships.any(axis=1))
    if len(rows) > _MOST_ROWS:
        rows = np.sort(random.choice(rows, _MOST_ROWS, replace=False))
    memberships = memberships[rows]
    if about.are_alike:
        memberships = memberships[:, memberships.sum(axis=0) >= 2]
    else:
        memberships = memberships[:, ~lonely_classes(memberships, about.of(rows))]
    some = memberships.sum(axis=1) > 0
    return rows[some], memberships[some] / memberships[some].sum(axis=1, keepdims=True)


def _pairs(shares, related) -> list[tuple[int, int]]:
    """Which selected group to try each other one for: up to three, those first that are most alike.

    One at least for those that are related to the target.
    """
    found = []
    for q, column in enumerate(shares.T):
        best = np.argsort(-column, kind="stable")[:_MOST_SWAPS]
        close = [p for p in best if column[p] >= _ENOUGH] or ([best[0]] if related[q] else [])
        found += [(not (related[q] and place == 0), -column[p], int(p), q) for place, p in enumerate(close)]
    return [(p, q) for *_, p, q in sorted(found)[:_MOST_PAIRS]]
