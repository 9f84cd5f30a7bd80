"""Features one by one, the best first."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np

from .greedy import TIE
from .path import Step


def ranking(scores: np.ndarray, *, required: Collection[int] = (), idle: Collection[int] = ()) -> Iterator[Step]:
    """Features in the order of their own (score, tie_break): required ones first, idle ones last.

    Of equal ones the first column comes first. The scores told are those of the features, not of the subsets.
    """
    for f in sorted(_order(scores), key=lambda f: (f not in required, f in idle)):
        yield Step(int(f), float(scores[f, 0]))


def _order(scores) -> list[int]:
    """From the highest to the lowest; scores that differ by rounding only are equal."""
    level, tie_break = (_levels(column) for column in scores.T)
    return np.lexsort((np.arange(len(scores)), tie_break, level)).tolist()


def _levels(values) -> np.ndarray:
    """0 for the highest value and all that equal it, then 1, ..."""
    order = np.argsort(-values, kind="stable")
    ordered = values[order]
    levels = np.zeros(len(values), dtype=np.intp)
    top, level = ordered[0], 0
    for place, value in zip(order.tolist(), ordered.tolist(), strict=True):
        if value < top - TIE * max(1.0, abs(top)):
            top, level = value, level + 1
        levels[place] = level
    return levels
