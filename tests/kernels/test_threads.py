"""Threads and memory that the system does not give: the same bits, or MemoryError; never an abort."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

resource = pytest.importorskip("resource")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")
HERE = Path(__file__).parent
STACK = 2**28


def child(what, cwd=None):
    """A child with stacks of 256 MiB for new threads, which gives memory back to the system at once."""
    alone = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "1"}
    eager = {"MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_TRIM_THRESHOLD_": "65536"}
    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    if hard != resource.RLIM_INFINITY and hard < STACK:
        pytest.skip("the limit of the stack cannot be raised here")
    return subprocess.run(
        [sys.executable, HERE / "children.py", what],
        env=os.environ | alone | eager | {"PYTHONPATH": str(HERE.parent)},
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=600,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_STACK, (STACK, hard)),
    )


def answer(what):
    ran = child(what)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


@pytest.fixture(scope="module")
def bits():
    """Of all kernels, with 1, 2, 8 and a million threads asked for: as many as there are tasks are started."""
    found = answer("no_limits")
    assert len(set(found)) == 1
    return found[0]


@pytest.mark.parametrize("limit", ["no_threads", "few_threads"])
def test_threads_that_cannot_start_are_done_without(bits, limit):
    found = answer(limit)
    if found == "not limited":
        pytest.skip("this system does not keep the limit")
    assert found == [bits] * 3


def test_memory_that_runs_out_in_a_worker_is_an_error_of_python():
    assert answer("little_memory") == [[t, end] for t in (1, 2, 8) for end in ("MemoryError", "same")]


def test_the_command_line_has_a_sentence_for_it(tmp_path):
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(2000, 30))).add_prefix("x")
    table.assign(kind=rng.integers(0, 2, 2000)).to_csv(tmp_path / "table.csv", index=False)
    ran = child("command", cwd=tmp_path)
    assert ran.returncode == 3
    assert ran.stderr.endswith("tamis: the work must fit into memory; it does not. Keep fewer rows or columns.\n")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["table.csv"]
