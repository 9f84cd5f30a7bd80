"""CPU and wall time."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

SHORTEST = 0.1
"""A call that takes less is repeated for so many seconds, whoever makes it: else it is timed with cold caches."""


class Seconds(NamedTuple):
    """What a call took."""

    cpu: float
    wall: float


class Stopwatch:
    """The best of the timings under each name.

    The best, since everything else that a machine does can only make a call slower. Callers go round all contestants in
    turn and then start again, so that a slow minute of the machine is shared by all.
    """

    def __init__(self):
        self.best: dict[Hashable, Seconds] = {}

    def time(self, name: Hashable, call: Callable, *args: Any, **kwargs: Any) -> Any:
        begin = time.perf_counter()
        while True:
            cpu, wall = time.process_time(), time.perf_counter()
            result = call(*args, **kwargs)
            taken = Seconds(time.process_time() - cpu, time.perf_counter() - wall)
            best = self.best.get(name, taken)
            self.best[name] = Seconds(min(best.cpu, taken.cpu), min(best.wall, taken.wall))
            if time.perf_counter() - begin > SHORTEST:
                return result
