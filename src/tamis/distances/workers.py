"""Tasks for the workers of a joblib backend: processes of this machine, or of a cluster.

Whatever backend `joblib.parallel_config` names runs the tasks; loky and dask are tested. Data that all tasks share are
sent with the first tasks and kept by the workers; a worker that has none, because it is new, says so, and its tasks are
repeated with the data.
"""

from __future__ import annotations

import pickle
from collections import OrderedDict
from concurrent.futures import CancelledError
from concurrent.futures.process import BrokenProcessPool
from typing import Any
from uuid import uuid4

import cloudpickle
import numpy as np
from joblib import Parallel, delayed, parallel_config
from joblib.parallel import get_active_backend

_MOST_KEPT = 4
"""Shared objects that a worker keeps: those of a search and of the folds, of two fits."""
_ATTEMPTS = 3

_kept: OrderedDict[str, Any] = OrderedDict()


class _Missing:
    """The answer of a worker that does not have the data."""


def n_workers() -> int:
    """How many workers share the work; 0 unless `joblib.parallel_config` names a backend of processes."""
    backend, n_jobs = get_active_backend(prefer="threads")
    return 0 if getattr(backend, "supports_sharedmem", False) else max(1, backend.effective_n_jobs(n_jobs))


class Shared:
    """An object that all tasks read, and the workers that do them.

    Parameters
    ----------
    thing : object
        Can be pickled; must not change any more.
    """

    def __init__(self, thing):
        self._thing, self._name, self._sent = thing, uuid4().hex, False

    def each(self, function, tasks) -> list:
        """`function(thing, *task)` of every task, done by the workers, in the order of the tasks."""
        tasks = list(tasks)
        found = self._try(function, tasks, with_data=not self._sent)
        self._sent = True
        lost = [place for place, answer in enumerate(found) if isinstance(answer, _Missing)]
        if lost:
            again = self._try(function, [tasks[place] for place in lost], with_data=True)
            for place, answer in zip(lost, again, strict=True):
                found[place] = answer
        return found

    def _try(self, function, tasks, *, with_data) -> list:
        # Bytes of an array: every backend sends a large array once per worker, whatever is in it.
        data = np.frombuffer(cloudpickle.dumps(self._thing), dtype=np.uint8) if with_data else None
        for attempt in range(_ATTEMPTS):
            calls = (delayed(_do)(function, self._name, data, task) for task in tasks)
            try:
                return list(Parallel(batch_size=1, pre_dispatch="all", prefer="threads")(calls))
            except (BrokenProcessPool, CancelledError):  # loky starts others; dask may forget what died with one
                if attempt == _ATTEMPTS - 1:
                    raise
                if data is None:
                    data = np.frombuffer(cloudpickle.dumps(self._thing), dtype=np.uint8)
        raise AssertionError


def _do(function, name, data, task):
    """In a worker: one task."""
    if name in _kept:
        thing = _kept[name]
    elif data is None:
        return _Missing()
    else:
        thing = _kept[name] = pickle.loads(data)
        while len(_kept) > _MOST_KEPT:
            _kept.popitem(last=False)
    with parallel_config(backend="sequential"):  # a task is the smallest piece of work
        return function(thing, *task)
