"""Run what is missing, write every record as it comes."""

from __future__ import annotations

import sys
import time
import warnings
from pathlib import Path

from joblib import Parallel, delayed, parallel_config

from .declaring import Experiment, Task
from .records import Records


class Store:
    """The files of all experiments below one folder."""

    def __init__(self, root: Path):
        self.root = root

    def records(self, experiment: Experiment) -> Records:
        folder, name = experiment.name.split("/")
        return Records(self.root / folder / "results" / f"{name}.jsonl")


def missing(experiment: Experiment, records: Records, quick: bool) -> list[Task]:
    """Tasks without a record."""
    tasks = list(experiment.tasks(quick))
    if not tasks:
        return []
    fields = tuple(tasks[0].key)
    done = records.done(fields)
    return [task for task in tasks if tuple(task.key[f] for f in fields) not in done]


def run(
    experiments, store: Store, *, data: Path | None, quick: bool, n_jobs: int, max_seconds: float | None = None
) -> int:
    """Run all missing tasks; the number of those that failed.

    Stopping loses only the tasks under way: records are written one by one.
    """
    todo = []
    for experiment in experiments:
        if experiment.needs_data and data is None:
            _say(f"{experiment.name}: left out, it needs the folder of data sets (--data)")
            continue
        records = store.records(experiment)
        tasks = missing(experiment, records, quick)
        _say(f"{experiment.name}: {len(records)} records, {len(tasks)} tasks to run")
        todo += [(experiment, task, records) for task in tasks]
    if not todo:
        return 0
    return _run_all(todo, data, n_jobs, max_seconds)


def _run_all(todo, data, n_jobs, max_seconds):
    clock, failed = _Clock(todo), 0
    limit = None if max_seconds is None else time.monotonic() + max_seconds
    with parallel_config("loky" if n_jobs > 1 else "sequential", inner_max_num_threads=1 if n_jobs > 1 else None):
        jobs = (delayed(_one)(i, experiment, task, data, limit) for i, (experiment, task, _) in enumerate(todo))
        for i, record, problem in Parallel(n_jobs, return_as="generator_unordered", batch_size=1)(jobs):
            experiment, task, records = todo[i]
            if problem:
                failed += 1
                _say(f"{experiment.name} {dict(task.key)} failed: {problem}")
            elif record is not None:
                records.add(record)
            clock.finished(task, experiment.name)
    return failed


def _one(number, experiment, task, data, limit):
    """A record, or None if the time is over, or what went wrong."""
    from tamis import __version__

    if limit is not None and time.monotonic() > limit:
        return number, None, None
    began = time.perf_counter()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # small classes, the same for every subset
            found = experiment.run(data, task.key, task.seed)
    except Exception as error:
        return number, None, f"{type(error).__name__}: {error}"
    seconds = round(time.perf_counter() - began, 2)
    return number, {**task.key, "seed": task.seed, "version": __version__, "seconds": seconds, **found}, None


class _Clock:
    """Progress on one line of the terminal, a line each two minutes elsewhere."""

    def __init__(self, todo):
        self._left = sum(task.seconds for _, task, _ in todo)
        self._n, self._done, self._spent = len(todo), 0, 0.0
        self._began = self._shown = time.monotonic()

    def finished(self, task, name):
        self._done += 1
        self._spent += task.seconds
        now = time.monotonic()
        terminal = sys.stderr.isatty()
        if self._done < self._n and now - self._shown < (0.2 if terminal else 120):
            return
        self._shown = now
        left = (now - self._began) * max(0.0, self._left - self._spent) / max(self._spent, 1e-9)
        text = f"{self._done} of {self._n} tasks, about {_words(left)} left ({name})"
        if terminal:
            end = "\n" if self._done == self._n else ""
            print(f"\r\x1b[K{text}", end=end, file=sys.stderr, flush=True)
        else:
            _say(text)


def _words(seconds):
    return (
        f"{seconds:.0f} s"
        if seconds < 100
        else f"{seconds / 60:.0f} min"
        if seconds < 6000
        else f"{seconds / 3600:.1f} h"
    )


def _say(text):
    print(text, file=sys.stderr, flush=True)
