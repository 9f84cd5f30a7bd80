"""Long work that survives: whatever interrupts a search, it goes on to the identical result."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from samples import gaussians
from scipy import sparse
from sklearn.base import clone
from sklearn.naive_bayes import GaussianNB

from tamis import BlanketSelector, NoisyLabels, RankingSelector, SequentialSelector
from tamis.search import checkpoint

X, CODES = gaussians(150, 7, 3, seed=6, informative=3)
SELECTORS = {
    "backward": SequentialSelector(random_state=0),
    "forward": SequentialSelector(direction="forward", random_state=0),
    "a number": SequentialSelector(n_features_to_select=3),
    "groups": SequentialSelector(feature_groups=[[0, 1], [2], [3, 4], [5], [6]], random_state=0),
    "required": SequentialSelector(direction="forward", required_features=[5], n_features_to_select=4),
    "noisy": SequentialSelector(labels=NoisyLabels(GaussianNB(), random_state=0), random_state=0),
    "noisy, each step": SequentialSelector(labels=NoisyLabels(None, refit="each-step"), random_state=0),
    "ranking": RankingSelector("mutual_information", n_features_to_select="auto", random_state=0),
    "blanket": BlanketSelector(random_state=0),
    "blanket, a number": BlanketSelector(n_features_to_select=2, correction=None),
}
NO_FEATURE = pytest.mark.filterwarnings("ignore:no feature tells more")


def same(one, other):
    assert one.path_.order.tolist() == other.path_.order.tolist()
    assert one.path_.scores.tobytes() == other.path_.scores.tobytes()
    for n in one.path_.sizes:
        np.testing.assert_array_equal(one.path_.adds(n), other.path_.adds(n))
    for name in ("p_values_", "null_quantiles_", "support_", "memberships_", "scores_"):
        np.testing.assert_array_equal(getattr(one, name, None), getattr(other, name, None))


@NO_FEATURE
@pytest.mark.parametrize("kind", SELECTORS)
def test_a_search_goes_on_from_any_record(kind, tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoint, "_SECONDS", 0.0)
    whole = clone(SELECTORS[kind]).fit(X, CODES)
    file = tmp_path / "search.json"
    written = clone(SELECTORS[kind]).set_params(checkpoint=file).fit(X, CODES)
    same(whole, written)
    content = json.loads(file.read_text())
    for n in range(len(content["records"]) + 1):
        file.write_text(json.dumps({**content, "records": content["records"][:n]}))
        same(whole, clone(SELECTORS[kind]).set_params(checkpoint=file).fit(X, CODES))
        assert len(json.loads(file.read_text())["records"]) == len(content["records"])
    if kind == "blanket":
        assert written.blanket(int(whole.path_.order[0])).tolist() == whole.blanket(int(whole.path_.order[0])).tolist()


def test_what_is_done_is_not_done_again(tmp_path):
    file = tmp_path / "search.json"
    selector = SequentialSelector(checkpoint=file, random_state=0).fit(X, CODES)
    before = file.read_bytes()

    again = SequentialSelector(checkpoint=file, random_state=0, n_jobs=2, verbose=0).fit(X, CODES)
    same(selector, again)
    assert file.read_bytes() == before
    assert [f.name for f in tmp_path.iterdir()] == ["search.json"]


def test_without_a_seed_the_one_of_the_file_is_used(tmp_path):
    file = tmp_path / "search.json"
    first = SequentialSelector(checkpoint=file).fit(X, CODES)
    content = json.loads(file.read_text())
    file.write_text(json.dumps({**content, "records": content["records"][:2]}))
    same(first, SequentialSelector(checkpoint=file).fit(X, CODES))


def test_an_interrupted_search_has_written_what_it_did(tmp_path, monkeypatch):
    file = tmp_path / "search.json"
    taken = []

    def rates(labels):
        taken.append(labels)
        if len(taken) == 4:
            raise KeyboardInterrupt
        return (0.0, 0.0, 0.0)

    with monkeypatch.context() as patched:
        patched.setattr("tamis.labels.HardLabels.rates", rates)
        with pytest.raises(KeyboardInterrupt):
            SequentialSelector(checkpoint=file, random_state=0).fit(X, CODES)
    assert len(json.loads(file.read_text())["records"]) == 3


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"alpha": 0.01}, r"was with alpha=0\.05, now it is 0\.01"),
        ({"direction": "forward"}, "was with direction='backward'"),
        ({"random_state": 1}, "was with random_state=0, now it is 1"),
        ({"labels": "noisy"}, "was with labels="),
    ],
)
def test_other_settings_are_refused(change, said, tmp_path):
    file = tmp_path / "search.json"
    selector = SequentialSelector(checkpoint=file, random_state=0).fit(X, CODES)
    with pytest.raises(ValueError, match=said):
        selector.set_params(**change).fit(X, CODES)


def test_other_data_are_refused(tmp_path):
    file = tmp_path / "search.json"
    selector = SequentialSelector(checkpoint=file, random_state=0).fit(X, CODES)
    changed = X.copy()
    changed[3, 3] += 1e-9
    for Z, y in ((changed, CODES), (X, np.roll(CODES, 1)), (X[:-1], CODES[:-1])):
        with pytest.raises(ValueError, match="must have been written for the same data"):
            selector.fit(Z, y)


@pytest.mark.parametrize("cut", [0, 1, 40, -1, "other", "list"])
def test_a_broken_file_is_refused(cut, tmp_path):
    file = tmp_path / "search.json"
    selector = SequentialSelector(checkpoint=file, random_state=0).fit(X, CODES)
    content = file.read_bytes()
    file.write_bytes({"other": b'{"format": "something"}', "list": b"[]"}.get(cut) or content[:cut])
    with pytest.raises(ValueError, match=r"must be a whole file of this version of tamis; .* Remove it to start anew"):
        selector.fit(X, CODES)


def test_a_full_disk_ends_the_writing_and_not_the_search(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoint, "_SECONDS", 0.0)
    file = tmp_path / "search.json"
    synced, fsync = [], os.fsync

    def full(descriptor):
        synced.append(descriptor)
        if len(synced) > 2:
            raise OSError(errno.ENOSPC, "No space left on device")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.warns(UserWarning, match="cannot be written \\(No space left on device\\); the search goes on"):
        found = SequentialSelector(checkpoint=file, random_state=0).fit(X, CODES)
    monkeypatch.undo()
    same(SequentialSelector(random_state=0).fit(X, CODES), found)
    assert len(json.loads(file.read_text())["records"]) == 2
    assert [f.name for f in tmp_path.iterdir()] == ["search.json"]
    same(found, SequentialSelector(checkpoint=file, random_state=0).fit(X, CODES))


def test_sparse_data_are_told_apart(tmp_path):
    thin = sparse.csr_array(np.where(X > 1, X, 0))
    selector = BlanketSelector(n_features_to_select=2, correction=None, checkpoint=tmp_path / "search.json")
    same(selector.fit(thin, CODES), clone(selector).fit(thin, CODES))
    other = thin.copy()
    other.data[0] += 1
    with pytest.raises(ValueError, match="must have been written for the same data"):
        clone(selector).fit(other, CODES)


def test_a_folder_that_is_not_there(tmp_path):
    for file in (tmp_path / "nowhere" / "search.json", tmp_path):
        with pytest.raises(ValueError, match="must be a file in a folder that is there"):
            SequentialSelector(checkpoint=file, random_state=0).fit(X, CODES)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills need processes that fork")
def test_fifty_kills():
    here = Path(__file__).resolve().parent
    environment = {**os.environ, "PYTHONPATH": str(here.parent), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, str(here / "kills.py")],
        env=environment,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("50 kills")
