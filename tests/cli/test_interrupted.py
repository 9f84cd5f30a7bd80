"""A command that is killed or interrupted, and goes on."""

import os
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest
from child_signals import heed_signals


@pytest.fixture
def long_work(tmp_path):
    """A table whose search takes some seconds, and the command for it."""
    rng = np.random.default_rng(0)
    kind = rng.integers(0, 3, 1000)
    columns = {f"x{j}": rng.normal(size=1000) + (kind if j < 3 else 0) for j in range(20)}
    pd.DataFrame({**columns, "kind": kind}).round(4).to_csv(tmp_path / "long.csv", index=False)
    how = "select long.csv -t kind --labels hard --jobs 1 --out out --checkpoint work"
    return [sys.executable, "-m", "tamis", *how.split()]


def end(command, folder, sent):
    """Start a command, send it a signal when its checkpoint is there, and wait."""
    how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "preexec_fn": heed_signals}
    started = subprocess.Popen(command, cwd=folder, **how)
    while not (folder / "work").exists() and started.poll() is None:
        time.sleep(0.05)
    time.sleep(0.7)  # libraries that look for other libraries on first use lose a Ctrl-C in their callbacks
    started.send_signal(sent)
    _, said = started.communicate(timeout=60)
    return started.returncode, said


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_killed_command_goes_on_to_the_identical_result(long_work, tmp_path):
    whole = [*long_work[:-2], "--checkpoint", "whole", "--out", "whole-out"]
    subprocess.run(whole, cwd=tmp_path, check=True, capture_output=True)
    assert end(long_work, tmp_path, signal.SIGKILL)[0] == -signal.SIGKILL
    assert not (tmp_path / "out").exists()
    subprocess.run([*long_work, "--resume"], cwd=tmp_path, check=True, capture_output=True)
    for file in ("report.html", "selection.json", "selected.csv"):
        assert (tmp_path / "out" / file).read_bytes() == (tmp_path / "whole-out" / file).read_bytes()


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_says_how_to_go_on(long_work, tmp_path):
    code, said = end(long_work, tmp_path, signal.SIGINT)
    assert code == 130
    assert re.search(
        r"tamis: interrupted in (step \d+ of 20|fold \d+ of \d+): the work so far is in work; go on with --resume\.\n$",
        said,
    )
    assert "Traceback" not in said
