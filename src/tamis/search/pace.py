"""How long a fit takes, and how to end it in time.

A search is a sequence of passes. What a pass costs, in units of its own, is known from the number of features that are
left; what a unit takes is measured as passes are done. Only `max_time` makes a result depend on that.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

now = time.monotonic

LEAST_FOLDS = 2
"""Folds that are enough to judge by."""
_AFTER = 0.25
"""What follows the folds (roles, correlations) takes a quarter of a fold: 0.12 to 0.22 of one at 1000 x 100 and
2600 x 300."""
_LARGER = (0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.65, 0.8, 1.0)
"""Shares of the features left that move in a pass when time is short."""


@dataclass(frozen=True)
class Limited:
    """What was left out to end in time.

    Attributes
    ----------
    max_time : float
        Seconds.
    cut : tuple of str
        What was left out, in the order in which it would have been done.
    """

    max_time: float
    cut: tuple[str, ...]

    def __str__(self):
        return f"stopped by max_time={self.max_time:g} s: {'; '.join(self.cut)}"


class FoldTimes(NamedTuple):
    """What is expected of the folds: how many, and the seconds of each.

    `share` is the cost of its search and label model, as a share of those of all rows; `judges`, `few_judged` and
    `search` are seconds, roughly: of its judges, of judges at few sizes, where time is short, and of a search on all
    rows, for as long as none was measured. `may_be_fewer` if folds end where the answer is steady.
    """

    total: int
    may_be_fewer: bool
    share: float
    judges: float
    few_judged: float
    search: float


class Plan:
    """The passes of a search by a rule, and what they cost, by the number of features left.

    Parameters
    ----------
    size : callable
        From the number of features left to how many of them move in a pass.
    cost : callable
        Of a pass, from the number of features left and how many moved in the pass before.
    most, least : int
        Features left where the search begins and where it ends.
    after : float
        Cost of what is done when the size is chosen.
    """

    def __init__(
        self, size: Callable[[int], int], cost: Callable[[int, int], float], most: int, least: int, after: float = 0.0
    ):
        self.cost, self.after, self._size, self._least = cost, after, size, least
        self._rest = [0.0] * (most + 1)
        for left in range(least + 1, most + 1):
            then = left - self.size(left)
            if then > least:
                self._rest[left] = self._rest[then] + cost(then, left - then)
        self.total = self._rest[most] + cost(most, 0)

    def size(self, left: int) -> int:
        return max(1, min(self._size(left), left - self._least))

    def sizes(self, left: int) -> list[int]:
        """Numbers of features that there are passes over before there are so many left."""
        found, at = [], len(self._rest) - 1
        while at > left:
            found.append(at)
            at -= self.size(at)
        return found

    def rest(self, left: int) -> float:
        """Cost of the passes that follow the one over so many features."""
        return self._rest[left]


class Unhurried:
    """The pace of a search that is part of another one: passes as planned, or where that one had them in its hurry.

    Parameters
    ----------
    sizes : sequence of int
        Numbers of features that the other search has had a pass over, if it was in a hurry.
    """

    hurries = is_over = False
    max_time = None

    def __init__(self, sizes: Sequence[int] = ()):
        self._sizes = sizes

    def scored(self, left: int, planned: int) -> int:
        below = [size for size in self._sizes if size < left]
        return max(planned, left - max(below)) if below else planned

    def goes_on(self, left: int) -> bool:
        return True

    def allows_folds(self, needed: int) -> bool:
        return True


AS_PLANNED = Unhurried()


class Pace:
    """The time that a fit has taken, that it will take, and that it may take.

    Parameters
    ----------
    max_time : float or None
        Seconds that the fit may take.
    is_shown : bool
        Whether anybody asks how long the rest will take.

    Attributes
    ----------
    hurries : bool
        Whether the search is another one than with more time: some pass was larger than planned, say.
    sizes : list of int
        Numbers of features that there was a pass over.
    cut : dict of str to str
        What was left out, by the part of the fit.
    """

    def __init__(self, max_time: float | None = None, *, is_shown: bool = False):
        self.max_time, self._is_asked, self._begin = max_time, is_shown or max_time is not None, now()
        self.hurries, self.sizes = False, list[int]()
        self.cut: dict[str, str] = {}
        self._plans: dict[float, Plan] = {}
        self._folds: FoldTimes | None = None
        self._cost = self._measured = self._rest = 0.0
        self._largest, self._n_done = 0.0, 0

    @property
    def spent(self) -> float:
        return now() - self._begin

    @property
    def is_over(self) -> bool:
        return self.max_time is not None and self.spent >= self.max_time

    def limited(self) -> Limited | None:
        return Limited(self.max_time, tuple(self.cut.values())) if self.cut and self.max_time is not None else None

    @property
    def is_most(self) -> bool:
        """Whether the rest may be over sooner."""
        return self._folds is not None and self._folds.may_be_fewer

    def to_go(self) -> float | None:
        """Seconds that the rest takes; None if nothing is known yet."""
        if not self._measured and not self._n_done:
            return None
        seconds = self._search_seconds(self._rest + self._plans[0.0].after)
        if self._folds is not None:
            seconds += (self._folds.total - self._n_done + _AFTER) * self._fold_seconds(self._rest)
        return seconds if self.max_time is None else max(0.0, min(seconds, self.max_time - self.spent))

    def begin_search(self, plan: Callable[[float], Plan], folds: FoldTimes | None = None):
        """From here on passes are measured.

        `plan` gives the passes of a rule: a share of the features left moves, if that is more than planned. `folds` are
        those to follow, if any.
        """
        if self._is_asked:
            self._plan, self._folds, self._plans[0.0] = plan, folds, plan(0.0)
        self._labels, self._search_begin = self.spent, now()

    def scored(self, left: int, planned: int) -> int:
        """How many features move in a pass over so many, once these are scored."""
        if not self._plans:
            return planned
        self._count(left)
        if self.max_time is None or self._in_time(self._rest):
            return planned
        for share in _LARGER:
            if share not in self._plans:
                self._plans[share] = self._plan(share)
            self._rest = self._plans[share].rest(left)
            if self._in_time(self._rest):
                break
        size = self._plans[share].size(left)
        if size > planned:
            self.hurries = True
            self._largest = max(size / left, self._largest)
            self.cut["search"] = f"up to {100 * self._largest:.0f} % of the features left moved in one pass"
        return max(size, planned)

    def goes_on(self, left: int) -> bool:
        """Whether a growing search has time for another pass, after one with so many features to add."""
        if not self._plans:
            return True
        self._count(left)
        after = left - self._plans[0.0].size(left)
        if self.max_time is None or after <= 0 or self._in_time(self._rest - self._plans[0.0].rest(after)):
            return True
        self._rest = 0.0
        self.cut["search"] = f"the search ended with {after} features still to add"
        return False

    def begin_folds(self, total: int):
        self._folds_begin, self._rest = now(), 0.0
        if self._folds is not None:
            self._folds = self._folds._replace(total=total)

    def allows_folds(self, needed: int) -> bool:
        """Whether there is time for so many more folds."""
        if self.max_time is None:
            return True
        return self.spent + (needed + _AFTER) * self._fold_seconds(at_least=True) <= self.max_time

    def begin_judging(self):
        """The first fold is searched."""
        self._judging_begin = now()

    def allows_size(self, cost: float) -> bool:
        """Whether the first fold may be judged at another size, if as much time is to be left for a second one.

        `cost` is what that takes, as a share of what all sizes so far have taken.
        """
        assert self.max_time is not None
        another = cost * (now() - self._judging_begin)
        available = self.max_time - (self._folds_begin - self._begin)
        return (LEAST_FOLDS + _AFTER) * (now() - self._folds_begin + another) <= available

    def fold_done(self):
        self._n_done += 1

    def _count(self, left):
        """A pass over so many features is done."""
        planned = self._plans[0.0]
        if not self._measured:  # those before it are from a checkpoint
            self.sizes = planned.sizes(left)
            self._cost = planned.total - planned.rest(left) - planned.cost(left, 0)
        cost = planned.cost(left, self.sizes[-1] - left if self._measured else 0)
        self.sizes.append(left)
        self._cost, self._measured = self._cost + cost, self._measured + cost
        self._rate = (now() - self._search_begin) / self._measured
        self._rest = planned.rest(left)

    def _in_time(self, cost) -> bool:
        """Whether a search that goes on for so much ends in time, before the least folds if that is possible."""
        return self._ends(cost, LEAST_FOLDS) or (not self._ends(0.0, LEAST_FOLDS) and self._ends(cost, 0))

    def _ends(self, cost, n_folds) -> bool:
        assert self.max_time is not None
        folds = (
            (n_folds + _AFTER) * self._fold_seconds(cost, at_least=True) if n_folds and self._folds is not None else 0.0
        )
        return self.spent + self._search_seconds(cost) + folds <= self.max_time

    def _search_seconds(self, cost) -> float:
        return self._rate * cost if self._measured else 0.0

    def _fold_seconds(self, cost=0.0, *, at_least=False) -> float:
        """Of one fold, if the search on all rows goes on for so much; at least, if few sizes are judged."""
        if self._n_done:
            return (now() - self._folds_begin) / self._n_done
        assert self._folds is not None
        search = self._rate * (self._cost + cost) if self._measured else self._folds.search
        judges = self._folds.few_judged if at_least else self._folds.judges
        return self._folds.share * (self._labels + search) + judges
