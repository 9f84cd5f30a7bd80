"""Long work that survives: whatever interrupts a search, it goes on to the identical result."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from samples import CHEAP, gaussians
from scipy import sparse
from sklearn.base import clone
from sklearn.naive_bayes import GaussianNB

from tamis import BlanketSelector, NoisyLabels, RankingSelector, SequentialSelector, _validation
from tamis.search import checkpoint

X, CODES = gaussians(150, 7, 3, seed=6, informative=3)
SELECTORS = {
    "backward": SequentialSelector(random_state=0, **CHEAP),
    "forward": SequentialSelector(direction="forward", random_state=0, **CHEAP),
    "a number": SequentialSelector(n_features_to_select=3),
    "groups": SequentialSelector(feature_groups=[[0, 1], [2], [3, 4], [5], [6]], random_state=0, **CHEAP),
    "required": SequentialSelector(direction="forward", required_features=[5], n_features_to_select=4),
    "noisy": SequentialSelector(labels=NoisyLabels(GaussianNB(), random_state=0), random_state=0, **CHEAP),
    "noisy, each step": SequentialSelector(labels=NoisyLabels(None, refit="each-step"), random_state=0, **CHEAP),
    "ranking": RankingSelector("mutual_information", n_features_to_select="auto", random_state=0, **CHEAP),
    "blanket": BlanketSelector(random_state=0, n_conditioning=3, n_bins=10, **CHEAP),
    "blanket, a number": BlanketSelector(n_features_to_select=2, correction=None, n_conditioning=3, n_bins=10),
}
OLD = b'{"format": "tamis.checkpoint/2", "settings": {}, "data": "", "seed": 0, "records": []}'
NO_FEATURE = pytest.mark.filterwarnings("ignore:no feature predicts")


def same(one, other):
    assert one.path_.order.tolist() == other.path_.order.tolist()
    assert one.path_.scores.tobytes() == other.path_.scores.tobytes()
    for n in one.path_.sizes:
        np.testing.assert_array_equal(one.path_.adds(n), other.path_.adds(n))
    for name in ("pvalues_", "roles_", "support_", "memberships_", "scores_"):
        np.testing.assert_array_equal(getattr(one, name, None), getattr(other, name, None))


def rewrite(file, **changes):
    """The same file with other content and the checksum of that."""
    content = json.loads(file.read_text())
    del content["sha256"]
    content |= changes
    file.write_text(json.dumps({**content, "sha256": _validation.digest(content)}))


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
        rewrite(file, records=content["records"][:n], parts={})
        same(whole, clone(SELECTORS[kind]).set_params(checkpoint=file).fit(X, CODES))
        assert len(json.loads(file.read_text())["records"]) == len(content["records"])
    if kind == "blanket":
        assert written.blanket(int(whole.path_.order[0])).tolist() == whole.blanket(int(whole.path_.order[0])).tolist()


def test_what_is_done_is_not_done_again(tmp_path):
    file = tmp_path / "search.json"
    selector = SequentialSelector(checkpoint=file, random_state=0, n_features_to_select=3).fit(X, CODES)
    before = file.read_bytes()

    again = SequentialSelector(checkpoint=file, random_state=0, n_features_to_select=3, n_jobs=2).fit(X, CODES)
    same(selector, again)
    assert file.read_bytes() == before
    assert [f.name for f in tmp_path.iterdir()] == ["search.json"]


def test_without_a_seed_the_one_of_the_file_is_used(tmp_path):
    file = tmp_path / "search.json"
    first = SequentialSelector(checkpoint=file, n_features_to_select=3).fit(X, CODES)
    rewrite(file, records=json.loads(file.read_text())["records"][:2])
    same(first, SequentialSelector(checkpoint=file, n_features_to_select=3).fit(X, CODES))


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
            SequentialSelector(checkpoint=file, random_state=0, n_features_to_select=3).fit(X, CODES)
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
    selector = SequentialSelector(checkpoint=file, random_state=0, n_features_to_select=3).fit(X, CODES)
    with pytest.raises(ValueError, match=said):
        selector.set_params(**change).fit(X, CODES)


def test_other_data_are_refused(tmp_path):
    file = tmp_path / "search.json"
    selector = SequentialSelector(checkpoint=file, random_state=0, n_features_to_select=3).fit(X, CODES)
    changed = X.copy()
    changed[3, 3] += 1e-9
    for Z, y in ((changed, CODES), (X, np.roll(CODES, 1)), (X[:-1], CODES[:-1])):
        with pytest.raises(ValueError, match="must have been written for the same data"):
            selector.fit(Z, y)


@pytest.mark.parametrize("cut", [0, 1, 40, -1, "other", "list", "null", "number", "brackets", "objects", "digits"])
def test_a_broken_file_is_refused(cut, tmp_path):
    file = tmp_path / "search.json"
    selector = SequentialSelector(checkpoint=file, random_state=0, n_features_to_select=3).fit(X, CODES)
    content = file.read_bytes()
    others = {
        "other": b'{"format": "something"}',
        "list": b"[]",
        "null": b"null",
        "number": b"5",
        "brackets": b"[" * 200_000,
        "objects": b'{"format":' * 200_000,
        "digits": b"9" * 10_000,
    }
    file.write_bytes(others[cut] if cut in others else content[:cut])
    with pytest.raises(ValueError, match=r"must be a whole file of this version of tamis; .* Remove it to start anew"):
        selector.fit(X, CODES)


def test_an_older_format_is_refused_by_its_name(tmp_path):
    file = tmp_path / "search.json"
    file.write_bytes(OLD)
    with pytest.raises(ValueError, match=r"is of tamis.checkpoint/2, not of tamis.checkpoint/4. Remove it"):
        SequentialSelector(checkpoint=file, random_state=0, n_features_to_select=3).fit(X, CODES)


STEP = [3, 0.5, None, None, None]
WRONG_STEPS = {
    "null": None,
    "a number": 5,
    "short": STEP[:4],
    "long": [*STEP, None],
    "out of range": [99, *STEP[1:]],
    "negative": [-1, *STEP[1:]],
    "true": [True, *STEP[1:]],
    "a score of text": [3, "0.5", *STEP[2:]],
    "a whole score": [3, 10**400, *STEP[2:]],
    "rates": [3, 0.5, [0.5], *STEP[3:]],
    "adds": [*STEP[:3], [0.5], None],
    "a price of its own": [*STEP[:4], 0.5],
}


@pytest.mark.parametrize("wrong", WRONG_STEPS)
@pytest.mark.parametrize("kind", ["backward", "forward", "blanket", "ranking"])
def test_records_of_no_such_search_are_refused(wrong, kind, tmp_path):
    """Even with a good checksum, as a program of somebody else could write them."""
    file, bad = tmp_path / "search.json", WRONG_STEPS[wrong]
    clone(SELECTORS[kind]).set_params(checkpoint=file).fit(X, CODES)
    records = json.loads(file.read_text())["records"]
    first = records[:1] if kind != "forward" else []
    rewrite(file, records=[*first, [bad, [], 0.5] if kind == "blanket" else bad])
    with pytest.raises(ValueError, match=r"must hold the steps of this search; record [12] of .* is none of them"):
        clone(SELECTORS[kind]).set_params(checkpoint=file).fit(X, CODES)


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("backward", lambda r: r[1:]),
        ("backward", lambda r: [*r[:2], r[1]]),
        ("backward", lambda r: [*r, STEP]),
        ("required", lambda r: [*r[:1], [5, *r[1][1:]]]),
        ("blanket", lambda r: [r[0], [r[1][0], [99], r[1][2]]]),
        ("blanket", lambda r: [r[0], [r[1][0], [r[1][0][0]], r[1][2]]]),
        ("blanket", lambda r: [r[0], [r[1][0], [6, 6], r[1][2]]]),
        ("blanket", lambda r: [r[0], [r[1][0], r[1][1], None]]),
        ("ranking", lambda r: [r[0][:-1]]),
        ("ranking", lambda r: [[[float("nan"), 0.0], *r[0][1:]]]),
        ("ranking", lambda r: [r[0], r[0]]),
        ("noisy", lambda r: [r[0], [*r[1][:2], None, *r[1][3:]]]),
        ("a number", lambda r: {"a": 1}),
    ],
)
@NO_FEATURE
def test_steps_that_cannot_follow_each_other(kind, change, tmp_path):
    file = tmp_path / "search.json"
    clone(SELECTORS[kind]).set_params(checkpoint=file).fit(X, CODES)
    rewrite(file, records=change(json.loads(file.read_text())["records"]))
    with pytest.raises(ValueError, match="must hold the steps of this search"):
        clone(SELECTORS[kind]).set_params(checkpoint=file).fit(X, CODES)


@pytest.mark.parametrize("change", [{"seed": None}, {"seed": -1}, {"seed": 2**40}, {"seed": 5}, {"settings": []}])
def test_a_seed_or_settings_of_others(change, tmp_path):
    file = tmp_path / "search.json"
    selector = SequentialSelector(checkpoint=file, random_state=0, n_features_to_select=3).fit(X, CODES)
    rewrite(file, **change)
    with pytest.raises(ValueError, match="checkpoint must"):
        selector.fit(X, CODES)


def test_a_change_that_nobody_would_see_is_refused(tmp_path):
    file = tmp_path / "search.json"
    selector = SequentialSelector(checkpoint=file, random_state=0, n_features_to_select=3).fit(X, CODES)
    content = json.loads(file.read_text())
    content["records"][2][1] += 1e-9
    file.write_text(json.dumps(content))
    with pytest.raises(ValueError, match=r"is not, or was changed\. Remove it to start anew"):
        selector.fit(X, CODES)


@pytest.mark.parametrize("name", ["n" * 250, "ä" * 125])
def test_a_long_name(name, tmp_path):
    file = tmp_path / name
    same(
        SequentialSelector(random_state=0, n_features_to_select=3).fit(X, CODES),
        SequentialSelector(checkpoint=file, random_state=0, n_features_to_select=3).fit(X, CODES),
    )
    assert [f.name for f in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("n" * 256, "a file in a folder.*name too long"),
        ("/dev/full", "a file in a folder.*it is no file"),
        ("a\0b", "a path"),
        (5, "a path"),
    ],
)
def test_names_that_no_file_can_have(name, why, tmp_path):
    file = tmp_path / name if isinstance(name, str) else name
    with pytest.raises(ValueError, match=f"checkpoint must be {why}"):
        SequentialSelector(checkpoint=file, random_state=0, n_features_to_select=3).fit(X, CODES)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_is_read_only(tmp_path):
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(ValueError, match="its folder is read-only"):
            SequentialSelector(checkpoint=tmp_path / "search.json", random_state=0, n_features_to_select=3).fit(
                X, CODES
            )
    finally:
        tmp_path.chmod(0o700)


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
        found = SequentialSelector(checkpoint=file, random_state=0, n_features_to_select=3).fit(X, CODES)
    monkeypatch.undo()
    same(SequentialSelector(random_state=0, n_features_to_select=3).fit(X, CODES), found)
    assert len(json.loads(file.read_text())["records"]) == 2
    assert [f.name for f in tmp_path.iterdir()] == ["search.json"]
    same(found, SequentialSelector(checkpoint=file, random_state=0, n_features_to_select=3).fit(X, CODES))


def test_sparse_data_are_told_apart(tmp_path):
    thin = sparse.csr_array(np.where(X > 1, X, 0))
    selector = BlanketSelector(
        n_features_to_select=2, correction=None, checkpoint=tmp_path / "search.json", n_conditioning=3, n_bins=10
    )
    same(selector.fit(thin, CODES), clone(selector).fit(thin, CODES))
    other = thin.copy()
    other.data[0] += 1
    with pytest.raises(ValueError, match="must have been written for the same data"):
        clone(selector).fit(other, CODES)


def test_a_folder_that_is_not_there(tmp_path):
    for file in (tmp_path / "nowhere" / "search.json", tmp_path):
        with pytest.raises(ValueError, match="must be a file in a folder that is there"):
            SequentialSelector(checkpoint=file, random_state=0, n_features_to_select=3).fit(X, CODES)


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
