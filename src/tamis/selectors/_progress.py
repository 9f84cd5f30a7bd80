"""Progress of a long fit: scikit-learn's callbacks where they exist, a plain bar otherwise."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

try:  # scikit-learn >= 1.9
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Nothing to support."""

    def with_callbacks(method):
        return method


_SOON = 1.0
"""Seconds after which a fit says how long it takes: what is over by then needs no saying."""


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
    pace : Pace
        What all of that takes.
    about : str or None
        What to say of the work before how long it takes; None to show nothing.
    """

    tells = True

    def __init__(self, estimator, n_steps, n_more=0, *, pace, about=None):
        self._estimator, self._n_steps, self.stopped = estimator, n_steps, False
        self._bar = None if about is None else _Bar(type(estimator).__name__, about, pace)
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
        try:
            for number, step in enumerate(self._each(iter(steps), total, name), start=1):
                yield step
                if self._bar is not None:
                    self._bar.show(f"{name} {number:,} of {total:,}")
        except BaseException:  # the next line is somebody else's
            if self._bar is not None:
                self._bar.leave()
            raise

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
        if self._bar is not None:
            self._bar.close()
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
    """SequentialSelector [#########...........] step 9 of 20, about 12 s left

    As much of it is filled as has passed of the time that the whole fit will take. That is said once, on a line of its
    own, when a second has passed.
    """

    width = 20

    def __init__(self, title, about, pace):
        self._title, self._about, self._pace = title, about, pace
        self._fill(0.0, "")

    def show(self, where):
        spent, left = self._pace.spent, self._pace.to_go()
        if left is None:
            self._fill(0.0, where)
            return
        if self._about and spent >= _SOON:
            most = "at most " if self._pace.is_most else ""
            print(f"\r{f'{self._about}: {most}about {in_words(spent + left)}':<79}", file=sys.stderr)
            self._about = ""
        self._fill(spent / (spent + left) if spent > 0 else 0.0, f"{where}, about {in_words(left)} left")

    def close(self):
        self._fill(1.0, in_words(self._pace.spent))
        self.leave()

    def leave(self):
        print(file=sys.stderr)

    def _fill(self, share, said):
        filled = int(self.width * share)
        line = f"{self._title} [{'#' * filled}{'.' * (self.width - filled)}] {said}"
        print(f"\r{line:<79}", end="", file=sys.stderr, flush=True)


def in_words(seconds: float) -> str:
    """A duration of two digits: "0.5 s", "12 s", "3 min", "1.5 h"."""
    for unit, length in (("h", 3600.0), ("min", 60.0)):
        if seconds >= 2 * length:
            return f"{seconds / length:.{0 if seconds >= 10 * length or unit == 'min' else 1}f} {unit}"
    return f"{seconds:.{0 if seconds >= 1 else 1}f} s"
