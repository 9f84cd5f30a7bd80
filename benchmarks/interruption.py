"""How long a search goes on after Ctrl-C: wall time from the signal to the exception, in the first step of a search."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator

from tamis import SequentialSelector

from .data import Shape, mixture
from .plan import Plan
from .report import Row

_SHAPES = (Shape(100_000, 20, 3), Shape(2600, 500, 3))
_AFTER = (0.5, 1.0, 2.0)


def rows(plan: Plan) -> Iterator[Row]:
    for shape in _SHAPES:
        X, y = mixture(shape)
        for n_jobs in (1, 2):
            longest = max(_seconds(X, y, after, n_jobs) for after in _AFTER)
            title = f"Ctrl-C, {n_jobs} thread{'s' if n_jobs > 1 else ''}: longest wait of {len(_AFTER)}"
            yield Row(shape, title, value=longest, unit="s", bar=plan.bar("<", 1))


def _seconds(X, y, after, n_jobs) -> float:
    def stop(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    try:
        sent = time.monotonic() + after
        signal.setitimer(signal.ITIMER_REAL, after)
        SequentialSelector(n_jobs=n_jobs).fit(X, y)
        return float("nan")  # it was done before
    except KeyboardInterrupt:
        return time.monotonic() - sent
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
