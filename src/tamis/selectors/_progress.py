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


def track(estimator, steps: Iterable, total: int, *, verbose=0) -> Iterator:
    """Pass the steps on, telling the callbacks and, if `verbose`, the standard error stream how far it is.

    A callback that answers that it has seen enough ends the steps. Ctrl-C gets a note of how far they came.
    """
    root = (
        estimator._init_callback_context(max_subtasks=total) if hasattr(estimator, "_init_callback_context") else None
    )
    if root is not None:
        root.call_on_fit_task_begin(estimator=estimator)
    bar = _Bar(type(estimator).__name__, total) if verbose else None
    steps = iter(steps)
    for number in range(1, total + 1):
        task = None if root is None else root.subcontext(task_name="step").call_on_fit_task_begin(estimator=estimator)
        try:
            step = next(steps, None)
        except KeyboardInterrupt as error:
            error.add_note(f"interrupted in step {number} of {total}")
            raise
        if step is None:
            break
        yield step
        if bar is not None:
            bar.advance()
        if task is not None and task.call_on_fit_task_end(estimator=estimator):
            break
    if bar is not None:
        bar.close()
    if root is not None:
        root.call_on_fit_task_end(estimator=estimator)


class _Bar:
    """[#########...........] 9/20, 12 s left"""

    width = 20

    def __init__(self, title, total):
        self._title, self._total, self._done, self._begin = title, max(total, 1), 0, time.monotonic()
        self._show()

    def advance(self):
        self._done += 1
        self._show()

    def close(self):
        print(file=sys.stderr)

    def _show(self):
        filled = self.width * self._done // self._total
        spent = time.monotonic() - self._begin
        left = f", {spent / self._done * (self._total - self._done):.0f} s left" if self._done else ""
        line = f"{self._title} [{'#' * filled}{'.' * (self.width - filled)}] {self._done}/{self._total}{left}"
        print(f"\r{line:<79}", end="", file=sys.stderr, flush=True)
