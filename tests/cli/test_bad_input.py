"""Whatever is wrong: one sentence, the exit code, no traceback, no file. (`run` checks that it is one line.)"""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tamis.cli import selecting
from tamis.distances.balls import BallScan
from tamis.evidence import trial


def select(run, *args):
    ran = run("select", *args)
    assert sorted(p for p in os.listdir() if "tamis" in p) == []
    return ran


def table(n=12, **columns):
    return pd.DataFrame({"x": np.arange(n) / 3, "kind": ["a", "b"] * (n // 2)} | columns)


# The file: 3


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "it is empty"),
        ("x,kind\n", "rows"),
        ("x,x,kind\n1,2,a\n3,4,b\n", "must name each column once; 'x'"),
        (b"\xff\xfex\x00,\x00k\x00i\x00n\x00d\x00\n\x00\xd8", "must be utf-16 text"),
        (b"x,kind\n1,a\n\x00\x01\x02,b\n", "bytes that no text has"),
        (b"PK\x03\x04rest", "an Excel workbook"),
        (",".join(f"c{i}" for i in range(100_000)) + "\n" + ",".join("1" * 100_000) + "\n", "at most 20,000 columns"),
    ],
    ids=["empty", "header only", "duplicate names", "broken utf-16", "binary", "excel", "100,000 columns"],
)
def test_files_that_are_no_table(run, put, content, says):
    ran = select(run, put(content), "--target", "kind")
    assert ran.code == 3
    assert says in ran.err


def test_a_missing_file_and_the_nearest(run, put):
    put(table(), "wines.csv")
    ran = select(run, "wine.csv", "--target", "kind")
    assert ran.code == 3
    assert "there is no file wine.csv; did you mean 'wines.csv'?" in ran.err


def test_a_wrong_delimiter_leaves_one_column(run, put):
    ran = select(run, put("x#kind\n1#a\n2#b\n3#a\n"), "--target", "kind")
    assert ran.code == 2
    assert "'kind' is none: did you mean 'x#kind'?" in ran.err or "there are 'x#kind'" in ran.err


# Columns


def test_an_unknown_column_and_the_nearest(run, put):
    ran = select(run, put(table()), "--target", "Kinds")
    assert (ran.code, "'Kinds' is none: did you mean 'kind'?" in ran.err) == (2, True)
    for option in ("--drop", "--require", "--categorical", "--weight", "--rows-by", "--time"):
        ran = select(run, "table.csv", "-t", "kind", option, "sepal")
        assert (ran.code, f"{option} must name a column of the table" in ran.err) == (2, True)


def test_no_target(run, put):
    ran = select(run, put(table()))
    assert (ran.code, "the columns are 'x', 'kind'" in ran.err) == (2, True)


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("--drop", "kind"), "--drop must not name what --target names; 'kind'"),
        (("--require", "x", "--drop", "x"), "--require must not name what --drop names"),
        (("--drop", "x"), "none is left"),
    ],
)
def test_columns_in_two_places(run, put, args, says):
    ran = select(run, put(table()), "-t", "kind", *args)
    assert ran.code == (3 if "none" in says else 2)
    assert says in ran.err


def test_mixed_types_are_shown(run, put):
    mixed = [str(i) for i in range(11)] + ["n.d."]
    ran = select(run, put(table(z=mixed)), "-t", "kind")
    assert ran.code == 3
    assert "11 of its 12 cells are numbers, but row 12 says 'n.d.'" in ran.err


def test_text_of_too_many_values(run, put):
    ran = select(run, put(table(30, name=[f"somebody {i}" for i in range(30)])), "-t", "kind")
    assert ran.code == 3
    assert "at most 20 different values" in ran.err
    assert "--drop 'name'" in ran.err
    insists = run("select", "table.csv", "-t", "kind", "--categorical", "name")
    assert (insists.code, "must have fewer categories than rows" in insists.err) == (3, True)


def test_infinity_is_shown(run, put):
    ran = select(run, put(table(z=[1.0] * 11 + [np.inf])), "-t", "kind")
    assert (ran.code, "row 12 has infinity" in ran.err) == (3, True)


def test_missing_values_are_refused_when_asked(run, put):
    ran = select(run, put(table(z=[1.0] * 6 + [np.nan] * 6)), "-t", "kind", "--missing", "error")
    assert ran.code == 3
    assert "6 cells of 'z' missing (the first in row 7). Choose --missing use, drop-rows, drop-columns or" in ran.err


@pytest.mark.parametrize(
    ("missing", "says"),
    [
        ("drop-rows", "--missing drop-rows must leave rows; 0 of 12"),
        ("drop-columns", "every one has a gap"),
    ],
)
def test_nothing_is_left_without_gaps(run, put, missing, says):
    gaps = table(z=[np.nan] * 11 + [1])
    gaps.loc[11, "x"] = np.nan
    ran = select(run, put(gaps), "-t", "kind", "--missing", missing)
    assert (ran.code, says in ran.err) == (3, True)


# Targets: 3 if the data will not do, 2 if the option is wrong


@pytest.mark.parametrize(
    ("values", "says"),
    [
        (np.linspace(0, 1, 60), "like a measurement"),
        (np.arange(60), "like a measurement"),
    ],
    ids=["measurement", "counter"],
)
def test_targets_that_are_no_classes(run, put, values, says):
    ran = select(run, put(table(60).assign(kind=values)), "-t", "kind")
    assert (ran.code, says in ran.err) == (3, True)


def test_a_class_with_a_page_for_a_name(run, put):
    ran = run("select", put(table().assign(kind=["a"] * 11 + ["b" * 70_000])), "-t", "kind")
    assert (ran.code, len(ran.out) < 3000, "bbb...' has 1 sample" in ran.out) == (0, True, True)


def test_too_many_classes(run, put):
    ran = select(run, put(table(2100).assign(kind=[f"k{i // 2}" for i in range(2100)])), "-t", "kind")
    assert (ran.code, "at most 1,000 classes; 'kind' has 1,050" in ran.err) == (3, True)


@pytest.mark.parametrize(
    ("kinds", "says"),
    [
        (["a"] * 11 + ["b"], "class 'b' has 1 sample"),
        (["a"] * 12, "y has only one class, 'a': no feature can predict it"),
        ([f"row {i}" for i in range(12)], "y has 12 classes in 12 rows"),
    ],
)
def test_classes_of_few_rows_are_told(run, put, kinds, says):
    for command in (("select",), ("select", "--labels", "noisy"), ("audit",)):
        ran = run(*command[:1], put(table().assign(kind=kinds)), "-t", "kind", *command[1:], "--force")
        assert (ran.code, says in " ".join(ran.out.split())) == (0, True)


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("-t", "kind", "--labels", "crowd"), "--labels crowd needs several --target columns; got 1"),
        (("-t", "kind", "-t", "x", "--labels", "hard"), "--labels hard needs one --target"),
        (("-t", "kind", "-t", "x"), "several --target columns must be"),
        (("-t", "kind", "-t", "y"), "several --target columns must be"),
        (("-t", "kind", "--labels", "vague"), "--labels"),
        (("-t", "kind", "--features", "many"), "--features must be auto, a whole number or a share"),
        (
            ("-t", "kind", "--features", "20", "--labels", "hard"),
            "--features must be 'auto', a whole number from 1 to 2",
        ),
        (("-t", "kind", "--alpha", "2", "--labels", "hard"), "--alpha must be a number between 0 and 0.5"),
        (("-t", "kind", "--criterion", "magic", "--labels", "hard"), "--criterion must be"),
        (("-t", "kind", "--search", "blanket", "--criterion", "magic"), "--criterion must be"),
        (("-t", "kind", "--jobs", "0", "--labels", "hard"), "--jobs must not be 0"),
        (("-t", "kind", "--missing", "guess"), "--missing"),
        (("-t", "kind", "--dates", "weeks"), "--dates"),
        (("-t", "kind", "--weight", "y", "--time", "y"), "--time must not name what --weight names; 'y'"),
        (("-t", "kind", "--resume"), "--resume needs the file to go on from"),
        (("-t", "kind", "--checkpoint", "table.csv"), "table.csv exists already. Go on from it with --resume"),
        (("-t", "kind", "--out", "table.csv", "--force"), "is a file or a link"),
        (("-t", "kind", "--colour"), "--colour"),
        (("--target",), "--target"),
    ],
)
def test_wrong_use(run, put, args, says):
    ran = select(run, put(table(60, y=np.arange(60) % 7)), *args)
    assert ran.code == 2
    assert says in ran.err


def test_no_such_command(run):
    assert run("selekt").code == 2


def test_ctrl_c_says_what_is_left(run, put, plants, monkeypatch):
    def stop(self, X, y):
        raise KeyboardInterrupt

    monkeypatch.setattr(selecting.SequentialSelector, "fit", stop)
    ran = select(run, put(plants), "-t", "kind")
    assert (ran.code, "interrupted before the first step: nothing was written" in ran.err) == (130, True)


def test_ctrl_c_in_the_first_step_says_so_and_how_to_start_again(run, put, plants, monkeypatch):
    def stop(self, subset):
        raise KeyboardInterrupt

    file = put(plants)
    with monkeypatch.context() as patched:
        patched.setattr(BallScan, "without_each", stop)
        ran = select(run, file, "-t", "kind")
        assert ran.code == 130
        assert re.search(r"tamis: interrupted in step 1 of \d+: nothing was written; --checkpoint FILE keeps", ran.err)
        ran = select(run, file, "-t", "kind", "--checkpoint", "work")
        assert re.search(r"interrupted in step 1 of \d+: no step is done yet; start again with --resume\.", ran.err)
    assert run("select", file, "-t", "kind", "--checkpoint", "work", "--resume").code == 0


def test_ctrl_c_in_a_fold_loses_nothing(run, put, plants, monkeypatch):
    how = ("select", put(plants), "-t", "kind", "--labels", "hard", "--json")
    with monkeypatch.context() as patched:
        patched.setattr(trial, "judge_subsets", lambda *args, **how: (_ for _ in ()).throw(KeyboardInterrupt))
        ran = run(*how)
        assert ran.code == 130
        said = r"tamis: interrupted in fold 1 of \d+: nothing was written; --checkpoint FILE keeps the steps and folds"
        assert re.match(said, ran.err)
        ran = run(*how, "--checkpoint", "work")
        assert re.match(r"tamis: interrupted in fold 1 of \d+: the work so far is in work; go on with --re", ran.err)
    resumed = run(*how, "--checkpoint", "work", "--resume")
    assert resumed.json == run(*how, "--force").json


def test_errors_that_nobody_foresaw_are_not_hidden(run, put, plants, monkeypatch):
    def fail(self, X, y):
        raise RuntimeError("a bug")

    monkeypatch.setattr(selecting.SequentialSelector, "fit", fail)
    with pytest.raises(RuntimeError, match="a bug"):
        run("select", put(plants), "-t", "kind")
    assert not Path("table-tamis").exists()


# As a program of its own


def program(*args, **how):
    return subprocess.run([sys.executable, "-m", "tamis", *args], capture_output=True, text=True, timeout=120, **how)


def test_a_refusal_of_the_program(tmp_path):
    ran = program("select", "nothing.csv", "--target", "kind", cwd=tmp_path)
    assert (ran.returncode, ran.stdout) == (3, "")
    assert ran.stderr == "tamis: there is no file nothing.csv. Check the path.\n"


def test_help_imports_nothing_heavy():
    code = (
        "import sys\nfrom tamis.cli.main import main\n"
        "try: main(['select', '--help'])\nexcept SystemExit: pass\n"
        "print(*sorted({'numpy', 'pandas', 'sklearn', 'scipy', 'pyarrow'} & set(sys.modules)), file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert "--target" in ran.stdout
    assert ran.stderr.strip() == ""
    assert program("--help").returncode == 0


def test_version():
    import tamis

    assert program("--version").stdout.strip() == tamis.__version__
