"""One selection: what was kept, how good it is, what it took. Lines of it go to a file as they come."""

from __future__ import annotations

import warnings
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import balanced_accuracy_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from experiments.how_many.known_truths import Task, count
from experiments.runs import Runs

NOTHING = "no feature predicts"
TREES = 300


def cell(name, rate) -> str:
    """How a data set at a rate of flips is called in the results."""
    return f"{name}, {100 * rate:.0f} %"


def results_in(path: Path) -> Runs:
    path.parent.mkdir(parents=True, exist_ok=True)
    return Runs(path)


def fill(results: Runs, tasks, contenders, repetitions):
    """All that is not yet there; `tasks` are functions of the repetition. A repetition is finished before the next."""
    done = results.done()
    for number in range(repetitions):
        for data, draw in tasks.items():
            todo = [name for name in contenders if (data, name, number) not in done]
            task = draw(number) if todo else None
            for name in todo:
                results.add(data=data, method=name, repetition=number, **measured(task, contenders[name]))


def measured(task: Task, select) -> dict:
    mask, nothing, wall, cpu = _selected(task, select)
    kept = np.flatnonzero(mask).tolist()
    found, more = (None, None) if task.needed is None else count(kept, task.needed)
    neighbours = make_pipeline(StandardScaler(), KNeighborsClassifier(5))
    forest = RandomForestClassifier(TREES, random_state=task.seed)
    return {
        "n_kept": len(kept),
        "kept": kept,
        "needed": found,
        "not_needed": more,
        "nothing": nothing,
        "knn_error": error(neighbours, task, kept),
        "forest_error": error(forest, task, kept),
        "wall": round(wall, 3),
        "cpu": round(cpu, 3),
    }


def _selected(task, select):
    """Mask, whether it is said that nothing tells (or nothing is kept), and the seconds of clock and processor."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        wall, cpu = perf_counter(), process_time()
        mask = np.asarray(select(task.X, task.y, task.seed))
        wall, cpu = perf_counter() - wall, process_time() - cpu
    nothing = not mask.any() or any(str(warning.message).startswith(NOTHING) for warning in said)
    return mask, nothing, wall, cpu


def error(classifier, task, kept) -> float:
    """Balanced, per cent: trained on labels as recorded, tested on right ones; a constant answer without features."""
    if not kept:
        classifier, kept = DummyClassifier(), [0]
    said = classifier.fit(task.X[:, kept], task.y).predict(task.X_test[:, kept])
    return round(100 * (1 - balanced_accuracy_score(task.y_test, said)), 3)
