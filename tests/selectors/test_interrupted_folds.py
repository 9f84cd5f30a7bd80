"""Whatever interrupts a search on some fold, what is done is not done again, and the result is the same."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import fields
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from interrupting import CODES, Counted, X, selector

from tamis import BlanketSelector, RankingSelector, SequentialSelector, _validation
from tamis.evidence import Evidence

N_PASSES = 6
"""Of a search from seven features to one."""


def same(one, other):
    for field in fields(Evidence):
        np.testing.assert_array_equal(getattr(one.evidence_, field.name), getattr(other.evidence_, field.name))
    for name in ("support_", "roles_", "pvalues_", "scores_"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    assert one.swaps_ == other.swaps_


def interrupt():
    raise KeyboardInterrupt


@pytest.fixture
def whole():
    Counted.start()
    found = selector().fit(X, CODES)
    assert (Counted.searches, Counted.passes) == (5, 5 * N_PASSES)
    return found


def test_ctrl_c_in_the_third_fold(whole, tmp_path):
    file = tmp_path / "search.json"
    Counted.start(3, interrupt)
    stopped = selector(file)
    with pytest.raises(KeyboardInterrupt) as said:
        stopped.fit(X, CODES)
    assert "interrupted in fold 3 of 4" in said.value.__notes__
    assert stopped.path_.sizes.tolist() == [7, 6, 5, 4, 3, 2, 1]
    assert not hasattr(stopped, "support_")
    assert not hasattr(stopped, "evidence_")
    content = json.loads(file.read_text())
    assert [len(content["parts"][str(fold)]) for fold in range(3)] == [7, 7, 3]
    Counted.start()
    same(whole, selector(file).fit(X, CODES))
    assert Counted.passes == 4 + N_PASSES  # what was left of the third fold, and the fourth


@pytest.mark.skipif(os.name != "posix", reason="kills are signals")
@pytest.mark.parametrize("fold", [1, 3])
def test_a_kill_in_a_fold(fold, whole, tmp_path):
    file, tests = tmp_path / "search.json", Path(__file__).parents[1]
    environment = {**os.environ, "PYTHONPATH": str(tests), "OMP_NUM_THREADS": "1"}
    program = [sys.executable, str(tests / "interrupting.py"), str(file), str(fold)]
    assert subprocess.run(program, env=environment, timeout=120, check=False).returncode == -signal.SIGKILL
    Counted.start()
    same(whole, selector(file).fit(X, CODES))
    assert Counted.passes == N_PASSES * (5 - fold) - 2
    Counted.start()
    same(whole, selector(file).fit(X, CODES))
    assert Counted.passes == 0


@pytest.mark.parametrize("kept", [["0"], ["0", "1", "2"], ["2"]])
@pytest.mark.parametrize(
    "make",
    [
        SequentialSelector,
        partial(RankingSelector, "mutual_information"),
        partial(BlanketSelector, n_conditioning=3, n_bins=10),
    ],
    ids=["sequential", "ranking", "blanket"],
)
def test_some_folds_are_there(make, kept, tmp_path):
    file = tmp_path / "search.json"
    asked = selector(file).get_params(deep=False)
    how = {name: asked[name] for name in ("judge", "cv", "n_repeats", "random_state", "n_features_to_select")}
    found = make(checkpoint=file, **how).fit(X, CODES)
    content = json.loads(file.read_text())
    del content["sha256"]
    assert sorted(content["parts"]) == ["0", "1", "2", "3"]
    complete = content["parts"]
    content["parts"] = {fold: complete[fold] for fold in kept}
    file.write_text(json.dumps({**content, "sha256": _validation.digest(content)}))
    same(found, make(checkpoint=file, **how).fit(X, CODES))
    assert json.loads(file.read_text())["parts"] == complete


@pytest.mark.parametrize("parts", [[], None, {"0": 5}, {"0": [None]}, {"0": [[None, 0.5, None, None, None]] * 2}])
def test_parts_of_no_such_search_are_refused(parts, tmp_path):
    file = tmp_path / "search.json"
    Counted.start()
    selector(file).fit(X, CODES)
    content = json.loads(file.read_text()) | {"parts": parts}
    del content["sha256"]
    file.write_text(json.dumps({**content, "sha256": _validation.digest(content)}))
    with pytest.raises(ValueError, match=r"checkpoint must .* Remove it to start anew"):
        selector(file).fit(X, CODES)


def test_callbacks_see_folds_and_can_stop_in_them():
    pytest.importorskip("sklearn.callback")

    class Watch:
        def __init__(self, most=None):
            self.most, self.begun, self.ended = most, [], []

        def setup(self, estimator, context):
            pass

        def on_fit_task_begin(self, estimator, context):
            self.begun.append(context.task_name)

        def on_fit_task_end(self, estimator, context):
            self.ended.append(context.task_name)
            return self.ended.count("fold") == self.most

        def teardown(self, estimator, context):
            pass

    Counted.start()
    watch = Watch()
    whole = selector(n_repeats=2).set_callbacks(watch).fit(X, CODES)
    assert (watch.ended.count("step"), watch.ended.count("fold")) == (7, 8)
    assert watch.begun.count("fold") == 8
    assert whole.evidence_.n_repeats == 2

    early = selector(n_repeats=2).set_callbacks(Watch(most=2)).fit(X, CODES)  # no repetition is whole
    assert not hasattr(early, "evidence_")
    assert early.n_features_ == 1
    late = selector(n_repeats=2).set_callbacks(Watch(most=6)).fit(X, CODES)
    assert late.evidence_.n_repeats == 1
    once = selector(n_repeats=1).fit(X, CODES)
    same(late, once)


def test_one_bar_for_the_steps_and_the_folds(capsys):
    Counted.start()
    selector(verbose=1).fit(X, CODES)
    said = capsys.readouterr().err
    assert "] step 7 of 7, " in said
    assert "] fold 4 of 4, " in said
    assert said.count("\n") == 1
