"""The command line on mutated files and arguments, and searches on mutated checkpoints.

An outcome is an answer with whole files, or one sentence and nothing left behind. A case is its number: a failure names
the first that is bad, and `tests/fuzz/tables.py` makes it again.
"""

import io
import json
import os
import random
import shutil
import sys
import traceback
import warnings
from contextlib import redirect_stderr, redirect_stdout

import numpy as np
import pytest
from fuzz import counts, tables
from samples import CHEAP

from tamis import BlanketSelector, RankingSelector, SequentialSelector, _validation
from tamis.cli.main import _run

MAKERS = (tables.csv_file, tables.csv_file, tables.csv_file, tables.arff_file, tables.parquet_file)
WAYS = (
    ["select", "--search", "ranking", "--features", "1"],
    ["select", "--search", "ranking", "--missing", "median"],
    ["select", "--search", "blanket", "--features", "2", "--missing", "drop-rows"],
    ["select", "--labels", "hard", "--features", "1", "--missing", "drop-columns"],
    ["select", "--search", "ranking", "--weight", "y"],
    ["select", "--features", "1", "--missing", "indicator", "--rows-by", "z"],
    ["select", "--search", "ranking", "--features", "1", "--time", "when"],
    ["select", "--search", "blanket", "--features", "1", "--weight", "y", "--rows-by", "y", "--dates", "parts"],
    ["audit"],
    ["audit", "--weight", "y", "--rows-by", "z"],
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def outcome(args) -> tuple[str, str]:
    """Run a command: how it ended, and what was wrong with that."""
    before, out, err = set(os.listdir()), io.StringIO(), io.StringIO()
    try:
        with (
            redirect_stdout(out),
            redirect_stderr(err),
            warnings.catch_warnings(record=True) as leaks,
        ):
            warnings.simplefilter("always")
            code = _run(args)
    except BaseException:
        return "bad", traceback.format_exc()
    new = set(os.listdir()) - before
    if leaks:
        return "bad", f"leaked {leaks[0].category.__name__}: {leaks[0].message}"
    if code == 0:
        try:
            return answered(args, new, out.getvalue())
        except ValueError:
            return "bad", traceback.format_exc()
    said = err.getvalue()
    if code not in (2, 3) or out.getvalue() or new - set(args):
        return "bad", f"code {code}, printed {out.getvalue()[:80]!r}, left {new}, said {said!r}"
    lines = [line for line in said.splitlines() if line.startswith("tamis: ")]
    if len(lines) != 1 or not said.endswith((".\n", "?\n")) or "Traceback" in said or len(said) > 1500:
        return "bad", f"said {said[:2000]!r}"
    return "refused", said


def answered(args, new, printed) -> tuple[str, str]:
    """An answer is whole: pages, tables and JSON that every reader takes."""
    if "--help" in args or "--version" in args or not {"select", "audit"} & set(args):
        return "answered", ""
    folders = [name for name in new if os.path.isdir(name)]
    if len(folders) != 1 or any(name.startswith(".") for name in new):
        return "bad", f"left {new}"
    files = set(os.listdir(folders[0]))
    main = {"selection.json", "audit.json"} & files
    if len(main) != 1 or not {"report.html", *main} < files:
        return "bad", f"wrote {files}"
    with open(os.path.join(folders[0], *main), encoding="utf-8") as file:
        tables.strict_json(file.read())
    with open(os.path.join(folders[0], "report.html"), encoding="utf-8") as file:
        if not file.read().rstrip().endswith("</html>"):
            return "bad", "report.html is cut"
    if "--json" in args:
        tables.strict_json(printed)
    return "answered", ""


def tidy():
    for name in os.listdir():
        (shutil.rmtree if os.path.isdir(name) else os.remove)(name)


def settle(name, found):
    """Count the outcomes; none may be bad."""
    for _, (how, _) in found:
        counts.add(name, how)
    bad = [(case, why) for case, (how, why) in found if how == "bad"]
    assert not bad, f"{len(bad)} bad {name}; the first is case {bad[0][0]}: {bad[0][1]}"


def test_mutated_files(folder):
    found = []
    for case in range(counts.cases(200, 0.2)):
        rng = random.Random(case)
        name, data = rng.choice(MAKERS)(rng)
        tidy()
        (folder / name).write_bytes(data)
        if name == "t.arff" and rng.random() < 0.3:
            (folder / "t.xml").write_bytes(tables.labels_file(rng))
        command, *more = rng.choice(WAYS)
        target = [] if (folder / "t.xml").exists() and rng.random() < 0.7 else ["-t", "kind"]
        found.append((case, outcome([command, name, *target, *more, "--json", "--jobs", "1"])))
    settle("mutated files", found)


def test_mutated_arguments(folder, monkeypatch):
    found = []
    for case in range(counts.cases(100, 0.1)):
        rng = random.Random(case)
        args = tables.arguments(rng)
        tidy()
        content = tables.good_table(rng).to_csv(index=False).encode()
        (folder / "t.csv").write_bytes(content)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        found.append((case, outcome(args)))
    settle("mutated arguments", found)


SEARCHES = {
    "backward": SequentialSelector(random_state=0, **CHEAP),
    "forward": SequentialSelector(direction="forward", required_features=[1], n_features_to_select=3),
    "ranking": RankingSelector("mutual_information", random_state=0),
    "blanket": BlanketSelector(random_state=0, n_conditioning=3, n_bins=10, **CHEAP),
}


@pytest.mark.filterwarnings("ignore:no feature predicts")
@pytest.mark.parametrize("signed", [False, True], ids=["bytes", "with a checksum"])
def test_mutated_checkpoints(tmp_path, signed):
    """What is not as it was written is refused; with a checksum of its own, whatever is there never ends in a crash."""
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 15)
    X, file, found = rng.normal(size=(30, 4)) + y[:, None] * [2, 1, 0, 0], tmp_path / "work", []
    for place, (name, selector) in enumerate(SEARCHES.items()):
        file.unlink(missing_ok=True)
        selector.set_params(checkpoint=file).fit(X, y)
        good, expected = file.read_bytes(), selector.support_
        for case in range(place, counts.cases(200, 0.05), len(SEARCHES)):
            mutated = _changed(good, random.Random(case), signed=signed)
            file.write_bytes(mutated)
            found.append((f"{name} {case}", _resumed(selector, X, y, None if signed else expected)))
    settle(f"mutated checkpoints{', with a checksum' if signed else ''}", found)


def _changed(good, rng, *, signed):
    if not signed:
        return tables.damaged(good, rng)
    content = json.loads(good)
    del content["sha256"]
    content = {**content, "records": tables.other_value(content["records"], rng)}
    return json.dumps({**content, "sha256": _validation.digest(content)}).encode()


def _resumed(selector, X, y, expected) -> tuple[str, str]:
    try:
        selector.fit(X, y)
    except ValueError as error:
        return ("refused" if str(error).startswith("checkpoint must") else "bad"), str(error)
    except BaseException:
        return "bad", traceback.format_exc()
    same = expected is None or np.array_equal(selector.support_, expected)
    return ("answered" if same else "bad"), "another answer"
