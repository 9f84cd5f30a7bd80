"""Progress of a long fit: scikit-learn's callbacks where they exist, a plain bar otherwise."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator

try:  # scikit-learn >= 1.9
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Nothing to support."""

    def with_callbacks(method):
        return method


class Progress:
    """Tells the callbacks and, if `verbose`, the standard error stream how far a fit is.

    A fit has one of them for all that it does one after the other. A callback that answers that it has seen enough ends
    what is under way and all that would follow. Ctrl-C gets a note of how far it came.

    Parameters
    ----------
    estimator : selector
    n_steps : int
        Most steps of the search that comes first.
    n_more : int
        Most steps of what comes after it.
    verbose : int
    """

    tells = True

    def __init__(self, estimator, n_steps, n_more=0, *, verbose=0):
        self._estimator, self._n_steps, self._verbose, self.stopped = estimator, n_steps, verbose, False
        self._root = (
            estimator._init_callback_context(max_subtasks=n_steps + n_more)
            if hasattr(estimator, "_init_callback_context")
            else None
        )
        if self._root is not None:
            self._root.call_on_fit_task_begin(estimator=estimator)

    def through(self, steps: Iterable, total: int | None = None, name="step") -> Iterator:
        """Pass some steps on, at most `total`: those of the search by default."""
        total = self._n_steps if total is None else total
        bar = _Bar(f"{type(self._estimator).__name__}, {name}s", total) if self._verbose and not self.stopped else None
        try:
            for number, step in enumerate(self._each(iter(steps), total, name), start=1):
                yield step
                if bar is not None:
                    bar.show(number)
        finally:
            if bar is not None:
                bar.close()

    def _each(self, steps, total, name):
        for number in range(1, total + 1):
            if self.stopped:
                return
            task = None
            if self._root is not None:
                task = self._root.subcontext(task_name=name).call_on_fit_task_begin(estimator=self._estimator)
            try:
                step = next(steps, None)
            except KeyboardInterrupt as error:
                error.add_note(f"interrupted in {name} {number} of {total}")
                raise
            if step is None:
                return
            yield step
            if task is not None and task.call_on_fit_task_end(estimator=self._estimator):
                self.stopped = True

    def close(self):
        if self._root is not None:
            self._root.call_on_fit_task_end(estimator=self._estimator)


class Silence:
    """No progress to tell: of a search that is part of another one, of which only the order counts."""

    stopped = tells = False

    def through(self, steps: Iterable, total: int | None = None, name="step") -> Iterator:
        return iter(steps)

    def close(self):
        """Nothing to end."""


class _Bar:
    """[#########...........] 9/20, 12 s left"""

    width = 20

    def __init__(self, title, total):
        self._title, self._total, self._begin = title, max(total, 1), time.monotonic()
        self.show(0)

    def close(self):
        print(file=sys.stderr)

    def show(self, done):
        filled = self.width * done // self._total
        spent = time.monotonic() - self._begin
        left = f", {spent / done * (self._total - done):.0f} s left" if done else ""
        line = f"{self._title} [{'#' * filled}{'.' * (self.width - filled)}] {done}/{self._total}{left}"
        print(f"\r{line:<79}", end="", file=sys.stderr, flush=True)
