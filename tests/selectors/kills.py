"""Fifty searches killed at random moments, each resumed until it is done: run as a program by test_checkpoint.py."""

import os
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from samples import CHEAP, gaussians

from tamis import SequentialSelector
from tamis.search import checkpoint

N_KILLS = 50


def selector(**how):
    return SequentialSelector(random_state=0, **CHEAP, **how)


def lives(file, X, y, longest):
    """A search in a process that is killed unless it is done before; how it ended."""
    child = os.fork()
    if child == 0:
        selector(checkpoint=file).fit(X, y)
        os._exit(0)
    time.sleep(random.uniform(0, longest))
    os.kill(child, signal.SIGKILL)
    return os.waitpid(child, 0)[1]


def n_records(file):
    """Steps that are saved, of all searches."""
    content = checkpoint.json.loads(file.read_bytes())
    return len(content["records"]) + sum(map(len, content["parts"].values()))


def main():
    random.seed(0)
    checkpoint._SECONDS = 0.0  # every step is written: kills are to meet the writing, too
    X, y = gaussians(300, 14, 3, seed=1, informative=5)
    whole = selector().fit(X, y)
    kills, finished, longest = 0, 0, 0.05
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "search.json"
        while kills < N_KILLS:
            killed = lives(file, X, y, longest) != 0
            kills += killed
            longest *= 1.2 if killed else 0.5  # as long as it takes here and now
            if file.exists() and n_records(file) >= 3 * X.shape[1]:  # of all rows and of two folds
                check_same(whole, selector(checkpoint=file).fit(X, y))
                file.unlink()
                finished += 1
        check_same(whole, selector(checkpoint=file).fit(X, y))
        left = [f.name for f in Path(folder).iterdir() if not f.name.endswith(".part")]
    assert left == ["search.json"], left
    print(f"{kills} kills, {finished + 1} searches resumed to the identical result")


def check_same(one, other):
    assert one.path_.order.tolist() == other.path_.order.tolist()
    assert one.path_.scores.tobytes() == other.path_.scores.tobytes()
    assert one.evidence_.loss.tobytes() == other.evidence_.loss.tobytes()
    np.testing.assert_array_equal(one.roles_, other.roles_)
    np.testing.assert_array_equal(one.support_, other.support_)


if __name__ == "__main__":
    sys.exit(main())
