"""`--max-time`: the best answer that fits, and what it left out."""

from itertools import count

import pytest

from tamis.cli.options import _seconds
from tamis.cli.speaking import Voice

FAST = ("-t", "kind", "--labels", "hard", "--features", 2)


@pytest.mark.parametrize(
    ("text", "seconds"), [("90", 90), ("90s", 90), ("10m", 600), ("1.5h", 5400), (" 2 M ", 120), (".5", 0.5), ("3.", 3)]
)
def test_times_as_people_write_them(text, seconds):
    assert _seconds(text) == seconds


@pytest.mark.parametrize(
    "text", ["0", "0s", "-1", "", "m", "1d", "10 minutes", "1h30m", "nan", "inf", "1e3", "9" * 400]
)
def test_other_times_are_refused(run, put, plants, text):
    ran = run("select", put(plants), *FAST, f"--max-time={text}")
    assert ran.code == 2
    assert ran.err.startswith("tamis: --max-time must be a time above 0 such as 90, 90s, 10m or 1.5h; got '")


@pytest.fixture
def clock(monkeypatch):
    """A second passes whenever somebody looks."""
    monkeypatch.setattr("tamis.search.pace.now", count().__next__)


def test_enough_time_is_not_mentioned(run, put, plants):
    ran = run("select", put(plants), *FAST, "--max-time", "100h", "--json")
    assert ran.json["search"]["limited"] is None
    assert ran.json["asked"]["parameters"]["max_time"] == 360_000


def test_what_was_left_out_is_said_and_in_every_file(run, put, plants, clock):
    put(plants)
    ran = run("select", "table.csv", *FAST, "--max-time", "3s", "--json")
    assert ran.json["search"]["limited"]["max_time"] == 3
    sentence = f"Stopped by max_time=3 s: {'; '.join(ran.json['search']['limited']['cut'])}"
    said = run("select", "table.csv", *FAST, "--max-time", "3s", "--force").out
    assert said.splitlines()[1] == sentence
    with open("table-tamis/report.html", encoding="utf-8") as page:
        assert sentence in page.read().replace("\N{NO-BREAK SPACE}%", " %")


def test_a_run_that_was_cut_goes_on_with_more_time(run, put, plants, monkeypatch):
    how = ("select", put(plants), *FAST, "--json", "--force", "--checkpoint", "work", "--resume")
    with monkeypatch.context() as patched:
        patched.setattr("tamis.search.pace.now", count().__next__)
        cut = run(*how, "--max-time", "3s").json
    whole = run("select", "table.csv", *FAST, "--json", "--out", "other").json
    again = run(*how, "--max-time", "100h").json
    assert cut["search"]["limited"] is not None
    assert again["search"]["limited"] is None
    assert again["path"] == whole["path"]


def test_a_terminal_is_told_how_long_it_takes(run, put, plants, clock, monkeypatch):
    monkeypatch.setattr(Voice, "shows_progress", True)
    ran = run("select", put(plants), *FAST, "--jobs", 1)
    assert "60 rows, 3 features, 1 thread: about " in ran.err
    assert "SequentialSelector [####################] " in ran.err
    quiet = run("select", "table.csv", *FAST, "--force", "--quiet", "--jobs", 1)
    assert quiet.code == 0
