"""Searches by worker processes: of loky, and of a real dask scheduler."""

import os
import signal
import threading

import joblib
import numpy as np
import pytest
from samples import gaussians
from sklearn.neighbors import KNeighborsClassifier

from tamis import NoisyLabels, SequentialSelector
from tamis.distances import samples as samples_to_scan
from tamis.distances import workers

distributed = pytest.importorskip("distributed")

X, CODES = gaussians(400, 8, 3, seed=3)


def fitted(**parameters):
    return SequentialSelector(random_state=0, n_repeats=1, cv=3, judge=KNeighborsClassifier(), **parameters).fit(
        X, CODES
    )


def bits(selector):
    evidence = getattr(selector, "evidence_", None)
    losses = b"" if evidence is None else evidence.loss.tobytes() + evidence.frequency.tobytes()
    return selector.path_.scores.tobytes() + selector.support_.tobytes() + losses


SETTINGS = {
    "auto": {},
    "forward": dict(direction="forward", n_features_to_select=4),
    "sampled": dict(n_queries=320, n_features_to_select=2),
    "groups": dict(feature_groups=[0, 0, 1, 1, 1, 2, 3, 3], n_features_to_select=2),
    "each step": dict(labels=NoisyLabels(None, refit="each-step", random_state=0), n_features_to_select=5),
}


@pytest.fixture(autouse=True)
def small_tasks(monkeypatch):
    """Several for each scan of these few rows."""
    monkeypatch.setattr(samples_to_scan, "_LEAST_ROWS", 32)


@pytest.fixture(scope="module")
def expected():
    return {name: bits(fitted(**how)) for name, how in SETTINGS.items()}


@pytest.fixture(scope="module", params=[1, 2, 4])
def client(request):
    how = {"n_workers": request.param, "threads_per_worker": 1, "processes": True, "dashboard_address": ":0"}
    with distributed.LocalCluster(**how) as cluster, distributed.Client(cluster) as client:
        yield client


@pytest.mark.parametrize("name", ["auto", "sampled"])
def test_dask_workers_give_the_bits_of_threads(client, expected, name):
    with joblib.parallel_config(backend="dask"):
        assert bits(fitted(**SETTINGS[name])) == expected[name]


@pytest.mark.parametrize("name", SETTINGS)
def test_loky_gives_the_bits_of_threads(expected, name):
    with joblib.parallel_config(backend="loky", n_jobs=2):
        assert workers.n_workers() == 2
        assert bits(fitted(**SETTINGS[name])) == expected[name]
    assert bits(fitted(**SETTINGS[name] | {"n_jobs": 2})) == expected[name]


def test_the_work_is_done_by_the_workers(client):
    with joblib.parallel_config(backend="dask"):
        pids = workers.Shared(0).each(_pid, [()] * 20)
    n = len(client.scheduler_info()["workers"])
    assert len(set(pids)) <= n
    assert (os.getpid() in pids) == (n == 1)  # joblib does not send work to a single worker


def test_threads_and_nested_work_need_no_workers():
    assert workers.n_workers() == 0
    with joblib.parallel_config(n_jobs=2):  # no backend: threads will do
        assert workers.n_workers() == 0
    with joblib.parallel_config(backend="threading", n_jobs=2):
        assert workers.n_workers() == 0


def test_shared_data_are_sent_once_and_again_to_a_new_worker():
    sent = []

    class Thing:
        def __reduce__(self):
            sent.append(1)
            return str, ("thing",)

    shared = workers.Shared(Thing())
    with joblib.parallel_config(backend="loky", n_jobs=2):
        assert shared.each(_with_number, [(1,), (2,)]) == ["thing1", "thing2"]
        assert shared.each(_with_number, [(3,)]) == ["thing3"]
        once = len(sent)
        shared.each(_forget, [()] * 8)
        assert shared.each(_with_number, [(place,) for place in range(8)]) == [f"thing{place}" for place in range(8)]
    assert once == 1
    assert len(sent) > once


def test_a_worker_killed_in_mid_search_costs_no_answer(expected):
    """The scheduler gives its blocks to others, and a nanny starts a new worker, which asks for the data."""
    how = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": ":0"}
    with distributed.LocalCluster(**how) as cluster, distributed.Client(cluster) as client:
        victim = next(iter(client.run(os.getpid).values()))
        timer = threading.Timer(0.5, os.kill, (victim, signal.SIGKILL))
        with joblib.parallel_config(backend="dask"):
            timer.start()
            found = [bits(fitted(**SETTINGS["sampled"])) for _ in range(3)]
        timer.join()
    assert set(found) == {expected["sampled"]}


def test_a_worker_of_loky_that_is_killed_is_replaced(tmp_path):
    shared = workers.Shared(str(tmp_path / "met"))
    with joblib.parallel_config(backend="loky", n_jobs=2):
        assert shared.each(_dies_once, [(place,) for place in range(4)]) == [0, 1, 2, 3]


def _pid(thing):
    return os.getpid()


def _with_number(thing, number):
    return f"{thing}{number}"


def _forget(thing):
    workers._kept.clear()


def _dies_once(file, place):
    if place == 2 and not os.path.exists(file):
        with open(file, "w"):
            pass
        os.kill(os.getpid(), signal.SIGKILL)
    return place


def test_values_of_blocks_do_not_depend_on_who_does_them():
    """Sums of blocks come in the order of the rows, however they are cut into tasks."""
    from tamis.distances.balls import BallScan

    scan = BallScan(X, np.eye(3)[CODES], "count")
    here = scan.without_each(range(8)).tobytes()
    with joblib.parallel_config(backend="loky", n_jobs=3):
        assert BallScan(X, np.eye(3)[CODES], "count").without_each(range(8)).tobytes() == here
