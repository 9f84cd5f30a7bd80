"""The experiment on risk: its classifier is scikit-learn's, and its checks notice what they are about."""

import json

import numpy as np
import pytest
from samples import gaussians
from sklearn.metrics import balanced_accuracy_score
from sklearn.neighbors import KNeighborsClassifier

from experiments.reproduction import Records
from experiments.risk import figure
from experiments.risk.curves import CURVES, NAMES, OURS, PRINTED, rates, run_shuffle


def test_rates_are_those_of_a_plain_classifier():
    X, y = gaussians(90, 4, 3, seed=2)
    order = [2, 0, 3, 1]
    found = rates(X[:60], y[:60], X[60:], y[60:], order)
    for size in range(1, 5):
        some = order[:size]
        decided = KNeighborsClassifier(1).fit(X[:60][:, some], y[:60]).predict(X[60:][:, some])
        assert found[size - 1] == pytest.approx(100 * balanced_accuracy_score(y[60:], decided))


def test_quick_tasks_are_among_the_others():
    every = {json.dumps(dict(task.key)): task.seed for task in CURVES.tasks(False)}
    assert len(set(every.values())) == len(every)
    assert all(every[json.dumps(dict(task.key))] == task.seed for task in CURVES.tasks(True))


def test_a_shuffle_has_ten_folds_of_every_criterion(monkeypatch):
    data = gaussians(150, 3, 2, seed=1)
    monkeypatch.setattr("experiments.risk.curves._data", lambda folder, name: data)
    found = run_shuffle(None, {"data": "any"}, 3)
    assert all(np.shape(found[name]) == (10, 3) for name in PRINTED)
    assert all(np.shape(found[name]) == (3,) for name in OURS)
    ends = {round(float(np.mean(found[name], axis=0)[-1]), 1) for name in PRINTED}
    assert len(ends) == 1  # all features
    assert found == run_shuffle(None, {"data": "any"}, 3)


def written(path, levels, n=4):
    """Made-up rates: the level of each criterion in each data set, the same at every size."""
    records, rng = Records(path), np.random.default_rng(0)
    for name in NAMES:
        for r in range(n):
            curves = {c: (level + rng.normal(size=(10, 5))).tolist() for c, level in levels(name).items()}
            records.add({"data": name, "repetition": r, **curves, **{o: [80.0] * 5 for o in OURS}})
    return records


def holds(records):
    return {check.says: check.holds for check in figure.check(records).checks}


def test_checks_notice_who_is_better(tmp_path):
    same = holds(written(tmp_path / "same.jsonl", lambda name: dict.fromkeys(PRINTED, 80.0)))
    assert same["Wine: equivalent"]
    assert same["no other significant difference with 3 or more features"]
    assert not same["Ecoli: mutual information and error count better"]
    worse = written(tmp_path / "worse.jsonl", lambda name: {"information": 80.0, "count": 80.0, "expected": 70.0})
    found = holds(worse)
    assert found["Ecoli: mutual information and error count better"]
    assert found["Ecoli: mutual information significantly better than expected risk with 1, 2 and 3 features"]
    assert not found["Wine: equivalent"]
    assert not found["no other significant difference with 3 or more features"]
    assert found["error counting is sufficient"]
    few = holds(written(tmp_path / "few.jsonl", lambda name: {"information": 80.0, "count": 70.0, "expected": 80.0}))
    assert not few["error counting is sufficient"]
    figure.draw(worse)


def test_nothing_is_said_without_records(tmp_path):
    assert figure.check(Records(tmp_path / "nothing.jsonl")) is None
