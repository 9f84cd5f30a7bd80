"""Files appear whole or not at all, nothing of others is touched, and spreadsheets run nothing."""

import csv
import os
import sys
from pathlib import Path

import pandas as pd
import pytest

from tamis.cli.errors import WrongUse
from tamis.cli.writing import harmless, whole_folder, write_json, write_table


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "found"


def names(path):
    return sorted(os.listdir(path))


def write(folder, text="new", *, force=False, more=(), then=lambda: None):
    """A folder of files, and what happens before it is complete."""
    with whole_folder(folder, force=force) as new:
        write_json(new / "selection.json", {"text": text})
        for name in more:
            write_json(new / name, {})
        then()


def fail(error):
    def then():
        raise error

    return then


def test_a_folder_appears_when_it_is_complete(folder):
    seen = []
    write(folder, then=lambda: seen.append(folder.exists()))
    assert seen == [False]
    assert names(folder) == ["selection.json"]
    assert names(folder.parent) == ["found"]


def test_nothing_is_left_of_work_that_fails(folder):
    with pytest.raises(RuntimeError):
        write(folder, then=fail(RuntimeError()))
    assert names(folder.parent) == []


def test_a_full_disk_is_one_sentence(folder):
    with pytest.raises(WrongUse, match=r"must be writable.*No space left"):
        write(folder, then=fail(OSError(28, "No space left on device")))
    assert names(folder.parent) == []


def test_an_existing_folder_is_kept(folder):
    write(folder, "old")
    with pytest.raises(WrongUse, match=r"exists already. Replace it with --force"):
        write(folder, then=lambda: pytest.fail("the work began"))
    assert "old" in (folder / "selection.json").read_text()


def test_force_replaces_it_only_when_the_new_one_is_complete(folder):
    write(folder, "old", more=["audit.json"])
    with pytest.raises(RuntimeError):
        write(folder, force=True, then=fail(RuntimeError()))
    assert names(folder) == ["audit.json", "selection.json"]
    write(folder, force=True)
    assert names(folder) == ["selection.json"]
    assert "new" in (folder / "selection.json").read_text()
    assert names(folder.parent) == ["found"]


def test_folders_of_others_are_never_replaced(folder):
    folder.mkdir()
    (folder / "thesis.tex").write_text("years of work")
    with pytest.raises(WrongUse, match=r"also holds 'thesis.tex'"):
        write(folder, force=True, then=lambda: pytest.fail("the work began"))
    assert names(folder) == ["thesis.tex"]


def test_what_others_put_there_during_the_work_is_kept(folder):
    write(folder)
    with pytest.raises(WrongUse, match="also holds"):
        write(folder, force=True, then=lambda: (folder / "notes.txt").write_text("mine"))
    assert (folder / "notes.txt").read_text() == "mine"
    assert names(folder.parent) == ["found"]


def test_links_and_folders_nowhere_are_refused(folder, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    folder.symlink_to(other)
    with pytest.raises(WrongUse, match="is a file or a link"):
        write(folder, force=True)
    with pytest.raises(WrongUse, match="in a folder that exists"):
        write(tmp_path / "no" / "x")


# Spreadsheets


@pytest.mark.parametrize("evil", ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1"])
def test_text_that_a_spreadsheet_would_run_is_quoted(tmp_path, evil):
    table = pd.DataFrame({evil: [evil, "fine"], "kind": pd.Categorical([evil, "a"]), "n": [-1.5, 2]})
    write_table(tmp_path / "selected.csv", table)
    with open(tmp_path / "selected.csv", newline="") as file:
        rows = list(csv.reader(file))
    assert rows == [["'" + evil, "kind", "n"], ["'" + evil, "'" + evil, "-1.5"], ["fine", "a", "2.0"]]


def test_columns_that_become_alike_are_all_kept():
    assert list(harmless(pd.DataFrame([[1, 2]], columns=["=a", "'=a"])).columns) == ["'=a", "'=a"]


def test_formulas_of_a_file_do_not_get_through(run, put, plants):
    table = plants.rename(columns={"x": "=x"}).assign(kind=plants["kind"].map("=cmd|{}".format))
    ran = run("select", put(table), "-t", "kind", "--features", "2", "--labels", "noisy")
    assert ran.code == 0
    for name in ("selected.csv", "suspects.csv"):
        with open(Path("table-tamis", name), newline="") as file:
            cells = [cell for row in csv.reader(file) for cell in row]
        assert not any(cell.startswith(("=", "@", "+")) for cell in cells)


@pytest.mark.parametrize("command", ["select", "audit", "demo"])
def test_without_jinja2_no_work_begins(run, put, plants, monkeypatch, command):
    put(plants)
    monkeypatch.setitem(sys.modules, "jinja2", None)
    ran = run(command, *(() if command == "demo" else ("table.csv", "-t", "kind")))
    assert (ran.code, ran.err) == (2, "tamis: a report needs jinja2: pip install jinja2, or 'tamis[report]'.\n")
    assert names(Path()) == ["table.csv"]


def test_names_that_are_no_text_do_not_spoil_files(run, put, plants):
    ran = run("select", put(plants), "-t", "kind", "--search", "ranking", "--group-prefix", "\udcff", "--features", "2")
    assert ran.code == 0
    for name in ("selection.json", "report.html"):
        Path("table-tamis", name).read_text(encoding="utf-8")
