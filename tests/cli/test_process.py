"""What a shell, a full disk or a signal can do to a command: a sentence, a documented exit code, nothing left behind.

Each in a process of its own, with real limits and real signals.
"""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from child_signals import heed_signals

from tamis.cli.errors import EXIT_CODES

pytestmark = pytest.mark.skipif(os.name != "posix", reason="shells and signals")

SELECT = "select t.csv -t kind --labels hard --search ranking --features 2 --jobs 1"
FILES = ["report.html", "selected.csv", "selection.json"]
FULL = "standard output must be writable; it is not (No space left on device)"


@pytest.fixture
def shell(tmp_path, plants):
    """Run a line of the shell in a folder with a table; whatever goes wrong is at most one sentence."""
    plants.to_csv(tmp_path / "t.csv", index=False)

    def shell(line, *, before=""):
        command = f"{before}\n{line.replace('tamis', f'{sys.executable} -m tamis', 1)}"
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
        ran = subprocess.run(
            ["bash", "-c", command], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120
        )
        assert ran.returncode in EXIT_CODES
        assert "Traceback" not in ran.stderr
        assert "Exception ignored" not in ran.stderr
        assert ran.stderr.count("\n") <= 1
        return ran

    return shell


def in_folder(tmp_path):
    return sorted(os.listdir(tmp_path))


@pytest.mark.parametrize("args", ["--version", "--help", ""])
def test_a_full_output(shell, args):
    ran = shell(f"tamis {args} >/dev/full")
    assert (ran.returncode, ran.stderr[:7], FULL in ran.stderr) == (4, "tamis: ", True)


def test_a_full_output_without_a_buffer(shell):
    assert shell("tamis --version >/dev/full", before="export PYTHONUNBUFFERED=1").returncode == 4


@pytest.mark.parametrize("how", ["", "--json"])
def test_a_full_output_loses_no_work(shell, tmp_path, how):
    ran = shell(f"tamis {SELECT} {how} >/dev/full")
    assert (ran.returncode, FULL in ran.stderr, "The files are in t-tamis." in ran.stderr) == (4, True, True)
    assert in_folder(tmp_path / "t-tamis") == FILES
    assert in_folder(tmp_path) == ["t-tamis", "t.csv"]


def test_a_closed_output(shell, tmp_path):
    ran = shell(f"tamis {SELECT} >&-")
    assert (ran.returncode, "standard output must be writable; it is closed" in ran.stderr) == (4, True)
    assert in_folder(tmp_path / "t-tamis") == FILES
    assert shell(f"tamis {SELECT} --quiet --force <&- >&- 2>&-").returncode == 0
    assert "<!doctype html>" in (tmp_path / "t-tamis" / "report.html").read_text().lower()


def test_errors_that_nobody_can_hear(shell):
    for to in ("2>&-", "2>/dev/full"):
        ran = shell(f"tamis select nothing.csv -t kind {to}")
        assert (ran.returncode, ran.stdout) == (3, "")
    done = shell(f"tamis {SELECT} --json 2>&-")
    assert (done.returncode, json.loads(done.stdout)["search"]["n_selected"]) == (0, 2)


def test_a_closed_input(shell):
    ran = shell("tamis select - -t kind <&-")
    assert (ran.returncode, ran.stderr) == (
        3,
        "tamis: standard input must be open; it is closed. Name a file instead of -.\n",
    )


def test_a_reader_that_has_gone(tmp_path, plants):
    plants.to_csv(tmp_path / "t.csv", index=False)
    code = "import os, sys; r, w = os.pipe(); os.close(r); os.dup2(w, 1); from tamis.cli.main import main; main()"
    command = [sys.executable, "-c", code, *SELECT.split()]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 141
    assert ran.stderr == "tamis: the output has ended early, as its reader has gone. The files are in t-tamis.\n"
    assert in_folder(tmp_path / "t-tamis") == FILES


# Places to write to


@pytest.mark.parametrize("name", ["o" * 250, "ö" * 127])
def test_a_long_name_of_a_folder(shell, tmp_path, name):
    (tmp_path / name).mkdir()
    assert shell(f"tamis {SELECT} --out {name} --force").returncode == 0
    assert in_folder(tmp_path) == sorted([name, "t.csv"])
    assert in_folder(tmp_path / name) == FILES


def test_a_name_that_is_too_long(shell, tmp_path):
    ran = shell(f"tamis {SELECT} --out {'o' * 256}")
    assert (ran.returncode, "(File name too long). Choose another folder." in ran.stderr) == (2, True)
    ran = shell(f"tamis {SELECT} --checkpoint {'c' * 256}")
    assert (ran.returncode, "--checkpoint must be a file in a folder" in ran.stderr) == (2, True)
    assert in_folder(tmp_path) == ["t.csv"]


def test_a_folder_named_after_a_long_file(shell, tmp_path):
    long = "t" * 251 + ".csv"
    (tmp_path / long).write_bytes((tmp_path / "t.csv").read_bytes())
    assert shell(f"tamis {SELECT.replace('t.csv', long)}").returncode == 0
    assert "t" * 240 + "-tamis" in in_folder(tmp_path)


def test_a_folder_where_a_file_of_ours_would_be(shell, tmp_path):
    mine = tmp_path / "t-tamis" / "report.html"
    mine.mkdir(parents=True)
    (mine / "thesis.tex").write_text("years of work")
    ran = shell(f"tamis {SELECT} --force")
    assert (ran.returncode, "also holds 'report.html', which is no file" in ran.stderr) == (2, True)
    assert (mine / "thesis.tex").read_text() == "years of work"
    assert in_folder(tmp_path) == ["t-tamis", "t.csv"]


def test_a_disk_that_is_full(shell, tmp_path):
    """No file may have more than two blocks of a KiB: Python ignores the signal, so that writing fails."""
    (tmp_path / "t-tamis").mkdir()
    (tmp_path / "t-tamis" / "selection.json").write_text("old")
    ran = shell(f"tamis {SELECT} --force", before="ulimit -f 2")
    assert (ran.returncode, "--out must be writable" in ran.stderr, "File too large" in ran.stderr) == (2, True, True)
    assert (tmp_path / "t-tamis" / "selection.json").read_text() == "old"
    assert in_folder(tmp_path) == ["t-tamis", "t.csv"]


def test_a_checkpoint_that_is_no_file(shell, tmp_path):
    ran = shell(f"tamis {SELECT} --checkpoint /dev/full --resume")
    assert (ran.returncode, "--checkpoint must be a file in a folder" in ran.stderr) == (2, True)
    assert in_folder(tmp_path) == ["t.csv"]


@pytest.mark.skipif(os.name == "posix" and os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder(shell, tmp_path):
    (tmp_path / "kept").mkdir(mode=0o500)
    ran = shell(f"tamis {SELECT} --out kept/out")
    assert (ran.returncode, "kept is read-only" in ran.stderr) == (2, True)


# Numbers


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        ("--seed 4294967296", 2, "--seed must be a whole number from 0 to 4294967295; got '4294967296'"),
        ("--seed -1", 2, "--seed must be"),
        (f"--seed {'9' * 400}", 2, "--seed must be"),
        ("--jobs 0", 2, "--jobs must not be 0"),
        ("--jobs 1.5", 2, "'--jobs'"),
        ("--jobs 2x", 2, "'--jobs'"),
    ],
)
def test_numbers_that_no_option_takes(run, put, plants, args, code, says):
    ran = run("select", put(plants), "-t", "kind", *args.split())
    assert (ran.code, says in ran.err) == (code, True)


@pytest.mark.parametrize("args", ["--jobs 99999999999", "--jobs -5", "--jobs -99999999999", "--seed 4294967295"])
def test_numbers_that_are_as_good_as_others(run, put, plants, args):
    plain = "select", put(plants), "-t", "kind", "--labels", "hard", "--search", "ranking", "--json"
    expected = run(*plain, "--out", "a").json
    found = run(*plain, "--out", "b", *args.split()).json
    assert found["selected"] == expected["selected"]


# Signals

_DRIVER = """
import os, signal, sys
from pathlib import Path
from tamis.cli import selecting, writing
from tamis.cli.main import main
moment, number = sys.argv[1], int(sys.argv[2])
def kick():
    for _ in range(2):
        os.kill(os.getpid(), number)
if moment == "report":
    write = selecting.write_report
    selecting.write_report = lambda *a: (write(*a), kick())
elif moment == "part":
    fsync = os.fsync
    os.fsync = lambda fd: (fsync(fd), kick())
else:
    rename = Path.rename
    Path.rename = lambda self, to: (rename(self, to), kick())[0]
main(sys.argv[3:])
"""


def kicked(tmp_path, moment, number, *more):
    """A command that gets a signal, twice, at a moment of its writing."""
    command = [sys.executable, "-c", _DRIVER, moment, str(int(number)), *SELECT.split(), *more]
    how = {"capture_output": True, "text": True, "timeout": 120, "preexec_fn": heed_signals}
    return subprocess.run(command, cwd=tmp_path, **how)


@pytest.mark.parametrize(
    ("moment", "number"),
    [("report", "SIGHUP"), ("part", "SIGTERM"), ("rename", "SIGHUP"), ("rename", "SIGINT")],
)
def test_signals_while_writing(tmp_path, plants, moment, number):
    plants.to_csv(tmp_path / "t.csv", index=False)
    old = tmp_path / "t-tamis"
    old.mkdir()
    (old / "selection.json").write_text("old")
    number = getattr(signal, number)
    ran = kicked(tmp_path, moment, number, "--force")
    assert ran.returncode == 128 + number
    assert re.fullmatch(r"tamis: interrupted( by SIG\w+)?\.\n", ran.stderr)
    assert ran.stdout == ""
    assert in_folder(tmp_path) == ["t-tamis", "t.csv"]
    if moment == "rename":  # the new folder is there, whole
        assert in_folder(old) == FILES
    else:
        assert in_folder(old) == ["selection.json"]
        assert (old / "selection.json").read_text() == "old"


def test_a_hang_up_that_is_ignored_stays_so(tmp_path, plants):
    plants.to_csv(tmp_path / "t.csv", index=False)
    command = [sys.executable, "-c", _DRIVER, "report", str(int(signal.SIGHUP)), *SELECT.split()]
    ignore = "import os, signal, sys; signal.signal(signal.SIGHUP, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])"
    ran = subprocess.run(
        [sys.executable, "-c", ignore, *command], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert ran.returncode == 0
    assert in_folder(tmp_path / "t-tamis") == FILES


def test_exit_codes_are_documented(shell):
    said = " ".join(shell("tamis --help").stdout.split())
    page = (Path(__file__).resolve().parents[2] / "docs" / "commands.md").read_text()
    for code, meaning in EXIT_CODES.items():
        assert f"{code} {meaning}" in said
        assert f"| {code} | {meaning} |" in page
