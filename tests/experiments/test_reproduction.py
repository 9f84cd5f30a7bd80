"""The driver of the five papers: what it runs, what it remembers, and how it decides."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from browser import started
from scipy import stats

from experiments import __main__ as command
from experiments.papers import PAPERS
from experiments.reproduction import Check, Experiment, Finding, Item, Paper, Records, Task, statistics
from experiments.reproduction.drawing import curve, panels, save
from experiments.reproduction.page import draw_all, page
from experiments.reproduction.running import Store, missing, run
from experiments.reproduction.verdicts import judged, markdown

HERE = Path(command.HERE)
NUMBERED = {
    "label_noise": [f"Fig. {n}" for n in range(1, 7)] + ["Table 1"],
    "risk": ["Fig. 1"],
    "soft_labels": [f"Table {n}" for n in range(1, 6)] + [f"Fig. {n}" for n in range(1, 5)],
    "class_distance": [f"Fig. {n}" for n in range(1, 9)] + ["Table I", "Table II", "Table III"],
    "multilabel": ["Table 1", "Table 2"] + [f"Fig. {n}" for n in range(1, 6)],
}


def squared(data, key, seed):
    if key["data"] == "bad":
        raise ValueError("no such data")
    return {"errors": [seed, key["repetition"] ** 2]}


def tasks(quick, names=("one", "two")):
    for repetition in range(2 if quick else 4):
        for name in names:
            yield Task({"data": name, "repetition": repetition}, seed=repetition)


def spoiled(quick):
    return tasks(quick, ("one", "bad"))


TOY = Experiment("toy/squares", tasks, squared, needs_data=False)


def told(*held):
    def check(records):
        if not len(records):
            return None
        checks = [Check(f"statement {i}", holds, "2", "3") for i, holds in enumerate(held)]
        return Finding(f"{len(records)} records", "2", "3 | 4", checks)

    return check


def drawn(records):
    figure, axes = panels(1, 1)
    curve(axes[0, 0], [1, 2], list(records.values("errors", data="one").values()), "errors", "#0072b2")
    return figure


def item(*held, **others):
    return Item("Fig. 1", "errors are squares", "checks hold if told", (TOY,), told(*held), drawn, **others)


def of(paper, store):
    return {e.name: store.records(e) for e in paper.experiments()}


def drawn_and_judged(paper, store):
    run([TOY], store, data=None, quick=True, n_jobs=1)
    records = of(paper, store)
    found = judged([paper], records)
    draw_all(found, records, store.root)
    return records, found


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_what_is_there_is_not_run_again(tmp_path, n_jobs):
    store = Store(tmp_path)
    assert run([TOY], store, data=None, quick=True, n_jobs=n_jobs) == 0
    first = sorted((tmp_path / "toy/results/squares.jsonl").read_text().splitlines())
    assert len(first) == 4
    assert len(missing(TOY, store.records(TOY), quick=False)) == 4
    run([TOY], store, data=None, quick=False, n_jobs=n_jobs)
    lines = (tmp_path / "toy/results/squares.jsonl").read_text().splitlines()
    assert len(lines) == 8
    assert sorted(lines[:4]) == first
    record = json.loads(lines[0])
    assert {"data", "repetition", "seed", "version", "seconds", "errors"} == set(record)
    np.testing.assert_array_equal(store.records(TOY).values("errors", data="two")[3], [3, 9])


def test_a_line_cut_by_a_kill_is_run_again(tmp_path):
    store = Store(tmp_path)
    run([TOY], store, data=None, quick=True, n_jobs=1)
    file = tmp_path / "toy/results/squares.jsonl"
    file.write_text(file.read_text()[:-9])
    assert len(missing(TOY, store.records(TOY), quick=True)) == 1
    run([TOY], store, data=None, quick=True, n_jobs=1)
    assert missing(TOY, Records(file), quick=True) == []
    assert len(Records(file)) == 4


def test_a_failure_is_counted_and_the_rest_goes_on(tmp_path, capsys):
    store, bad = Store(tmp_path), Experiment("toy/bad", spoiled, squared, needs_data=False)
    assert run([bad], store, data=None, quick=True, n_jobs=1) == 2
    assert "ValueError: no such data" in capsys.readouterr().err
    assert len(store.records(bad)) == 2


def test_what_needs_data_is_left_out_without_them(tmp_path, capsys):
    needs = Experiment("toy/needs", tasks, squared)
    assert run([needs], Store(tmp_path), data=None, quick=True, n_jobs=1) == 0
    assert "needs the folder of data sets" in capsys.readouterr().err
    assert not (tmp_path / "toy").exists()


def test_no_time_no_task(tmp_path):
    store = Store(tmp_path)
    run([TOY], store, data=None, quick=False, n_jobs=1, max_seconds=-1)
    assert len(store.records(TOY)) == 0


def test_verdicts_follow_from_the_checks(tmp_path):
    store = Store(tmp_path)
    run([TOY], store, data=None, quick=True, n_jobs=1)
    cases = {(True, True): "reproduced", (True, False): "in part", (False, False): "not"}
    for held, verdict in cases.items():
        paper = Paper("toy", "A toy", (item(*held),))
        ((_, [(_, _, found)]),) = judged([paper], of(paper, store))
        assert found == verdict
    paper = Paper("toy", "A toy", (item(True, cannot="the data are gone"),))
    ((_, [(_, _, found)]),) = judged([paper], of(paper, store))
    assert found == "cannot be: the data are gone"
    ((_, [(_, _, found)]),) = judged([paper], {"toy/squares": Records(tmp_path / "nothing")})
    assert found == "cannot be: the data are gone"
    paper = Paper("toy", "A toy", (item(True),))
    assert judged([paper], {"toy/squares": Records(tmp_path / "nothing")})[0][1][0][2] == "not run"


def test_the_page_and_the_file_have_everything(tmp_path):
    store, paper = Store(tmp_path), Paper("toy", "A <b>toy</b> *story*", (item(True, False),), readings=("k is 8",))
    records, found = drawn_and_judged(paper, store)
    text = markdown(found)
    assert "| [Fig. 1](toy/figures/fig_1.svg) | errors are squares | 4 records | 3 \\| 4 | 2 | **in part** |" in text
    assert "| statement 1 | 3 | 2 | no |" in text
    assert "- k is 8" in text
    html = page(found, tmp_path, "a test", committed=judged([paper], records))
    assert "A &lt;b&gt;toy&lt;/b&gt; <em>story</em>" in html
    assert "data:image/svg+xml;base64," in html
    assert "statement 1" in html


def test_the_page_opens_in_a_browser(tmp_path):
    store, paper = Store(tmp_path), Paper("toy", "A toy", (item(True, False),), readings=("k is 8",))
    _, found = drawn_and_judged(paper, store)
    (tmp_path / "page.html").write_text(page(found, tmp_path, "a test"))
    with started() as browser:
        for width, dark in ((1280, False), (390, True)):
            browser.open(tmp_path / "page.html", width=width, dark=dark)
            assert browser.console() == []
            assert [asked for asked in browser.requests() if not asked.startswith("data:")] == []
            assert browser.width_overflow() == 0
        assert browser.run("return document.querySelector('figure img').naturalWidth") > 100
        browser.click(".contents a")
        assert browser.run("return location.hash") == "#toy-1"


def test_the_same_numbers_give_the_same_drawing(tmp_path):
    records = Records(tmp_path / "r.jsonl")
    for repetition in range(3):
        records.add({"data": "one", "repetition": repetition, "errors": [1.0, repetition]})
    for name in ("a", "b"):
        save(drawn(records), tmp_path / f"{name}.svg")
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_statistics_are_those_of_the_textbook():
    random = np.random.default_rng(0)
    one, other = random.normal(size=(2, 12, 3))
    half = statistics.interval(one)
    low, high = stats.t.interval(0.95, 11, one.mean(axis=0), stats.sem(one, axis=0))
    np.testing.assert_allclose([one.mean(axis=0) - half, one.mean(axis=0) + half], [low, high])
    assert np.isnan(statistics.interval(one[:1])).all()
    a, b = one[:, 0], other[:, 0]
    assert statistics.paired_p(a, b) == pytest.approx(stats.ttest_rel(a, b).pvalue)
    assert statistics.two_sample_p(a, b) == pytest.approx(stats.ttest_ind(a, b, equal_var=False).pvalue)
    assert (statistics.paired_p(a, a), statistics.paired_p(a + 1, a), statistics.paired_p(a[:1], b[:1])) == (1, 0, 1)
    assert statistics.lower(a, a + 1)
    assert not statistics.lower(a + 1, a)
    expected = (a - b).std(ddof=1) * np.sqrt(1 / 12 + 0.5)
    assert statistics.split_error(a - b, 0.5) == pytest.approx(expected)


def test_parts_can_be_asked_for():
    papers = (Paper("toy", "A toy", (item(True),)), Paper("other", "Another", ()))
    assert [p.name for p in command.chosen(papers, command.parsed(["--figure", "figure 1"]))] == ["toy"]
    assert [p.name for p in command.chosen(papers, command.parsed(["--paper", "other"]))] == ["other"]
    with pytest.raises(SystemExit, match="--paper must be one of toy, other; got odd"):
        command.chosen(papers, command.parsed(["--paper", "odd"]))
    with pytest.raises(SystemExit, match=r"--figure must be one of Fig\. 1; got Fig\. 9"):
        command.chosen(papers, command.parsed(["--figure", "Fig. 9"]))


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.name)
def test_every_table_and_figure_has_an_item(paper):
    numbers = [item.number for item in paper.items]
    assert set(NUMBERED[paper.name]) <= set(numbers)
    assert len(set(numbers)) == len(numbers)
    for item in paper.items:
        assert item.claim
        assert item.rule


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.name)
def test_quick_tasks_are_among_the_others(paper):
    for experiment in paper.experiments():
        every = {tuple(task.key.items()): task.seed for task in experiment.tasks(False)}
        quick = {tuple(task.key.items()): task.seed for task in experiment.tasks(True)}
        assert quick
        assert quick.items() <= every.items()
        assert len(every) == len(list(experiment.tasks(False)))
        assert len({tuple(task.key) for task in experiment.tasks(False)}) == 1


def test_the_verdicts_are_those_of_the_records():
    """VERDICTS.md is what the committed records say, and has no gap."""
    records = {e.name: Store(HERE).records(e) for paper in PAPERS for e in paper.experiments()}
    text = markdown(judged(PAPERS, records))
    assert (HERE / "VERDICTS.md").read_text() == text
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert not any(re.search(r"\|\s*\|", row.replace("| | claim", "")) for row in rows)
    assert "not run" not in text
    for paper in PAPERS:
        for number in NUMBERED[paper.name]:
            assert re.search(rf"^\| (\[{re.escape(number)}\]\(\S+\)|{re.escape(number)}) \|", text, re.MULTILINE)
