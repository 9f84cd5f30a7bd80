"""Every public name with ugly samples, targets and parameters: an answer that comes again, or a sentence."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from fuzz import counts

TESTS = Path(__file__).parents[1]
AT_ONCE = 150
CASES = counts.cases(300)


def outcomes(first, last, file):
    """(case, outcome, what was drawn, what happened) of some cases; a case that ends its process is bad."""
    found = []
    while first < last:
        file.unlink(missing_ok=True)
        command = [sys.executable, "-m", "fuzz.estimators", str(first), str(last), str(file)]
        env = os.environ | {"PYTHONPATH": str(TESTS), "OMP_NUM_THREADS": "1"}
        try:
            done = subprocess.run(command, cwd=TESTS, env=env, capture_output=True, text=True, timeout=300)
            ended = f"the process ended with {done.returncode}: {done.stderr[-300:]}"
        except subprocess.TimeoutExpired:
            ended = "no end within 5 minutes"
        lines = file.read_text().splitlines() if file.exists() else []
        found += [tuple(json.loads(line)) for line in lines]
        first += len(lines)
        if first < last:
            found.append((first, "bad", "", ended))
            first += 1
    return found


@pytest.mark.parametrize("first", range(0, CASES, AT_ONCE))
def test_an_answer_that_comes_again_or_a_sentence(first, tmp_path):
    found = outcomes(first, min(first + AT_ONCE, CASES), tmp_path / "outcomes")
    for _, outcome, _, _ in found:
        counts.add("estimators", outcome)
    bad = [f"case {case}: {said}\n    {happened}" for case, outcome, said, happened in found if outcome == "bad"]
    assert not bad, f"{len(bad)} bad cases; python -m fuzz.estimators CASE in tests shows one\n" + "\n".join(bad)
