"""A summary on a terminal and as plain text: the answer first, few lines, the numbers of the summary, no tricks."""

import io
import json
import re

import pytest
from report_cases import html_of, summary_of

from tamis.views._screen import Screen
from tamis.views._words import (
    answer,
    basis_of_errors,
    costs_of,
    limits_of,
    meaning_of_errors,
    number,
    percent,
    replacements,
    roles_of,
    stability_of,
    with_interval,
)
from tamis.views.console import show_selection

JUDGED = [
    *("backward", "forward", "ranking", "hierarchy", "copies", "copied_groups", "nothing", "too_many_features"),
    *("limited", "as_it_is"),
]
OTHERS = ["crowd", "multilabel", "groups", "unlabelled", "too_few_rows", "cut_short"]


def printed(summary, **how):
    stream = io.StringIO()
    show_selection(summary, Screen(stream, **how))
    return stream.getvalue()


def table(text, header):
    """Cells of a plain table, by its header."""
    lines = text.splitlines()
    begin = next(i for i, line in enumerate(lines) if re.split("  +", line.strip())[: len(header)] == header)
    rows = []
    for line in lines[begin + 1 :]:
        if "  " not in line.strip() or line.startswith("..."):
            break
        rows.append(re.split("  +", line.strip()))
    return rows


@pytest.mark.parametrize("case", [*JUDGED, *OTHERS])
def test_the_answer_comes_first_then_roles_and_stability(case):
    summary = summary_of(case)
    words = (answer, costs_of, roles_of, stability_of, limits_of)
    sentences = [said for told in words if (said := told(summary))]
    assert printed(summary).splitlines()[: len(sentences)] == sentences


def test_what_was_left_out_is_said():
    summary = summary_of("limited")
    left_out = (
        "Stopped by max_time=250 s: 2 of 5 folds were judged; it is not known which features can replace which; "
        "it is not known which features are correlated"
    )
    assert limits_of(summary) == left_out
    assert left_out in html_of("limited")
    assert "errors: 2 folds of a 5-fold cross-validation of the whole search; judged by SlowJudge" in printed(summary)
    assert {f["role"] for f in summary["features"]} == {"needed", "not known"}
    assert limits_of(summary_of("backward")) == ""


def test_fewer_features_than_asked():
    summary = summary_of("cut_short")
    assert answer(summary) == "1 of 15 features kept, fewer than asked"
    assert limits_of(summary).startswith("Stopped by max_time=1e-09 s: the search ended with 2 features still to add; ")
    assert answer(summary_of("crowd")) == "3 of 15 features kept, as asked"


@pytest.mark.parametrize("case", JUDGED)
def test_features_with_how_often_they_are_selected_and_what_can_replace_them(case):
    summary = summary_of(case)
    instead, features = replacements(summary), summary["features"]
    gaps = summary["missing"] is not None
    header = ["feature", "score", "selected in", *["missing"] * gaps, *["can be replaced by"] * bool(instead)]
    rows = {row[0]: row[1:] for row in table(printed(summary), header)}
    assert sorted(rows) == sorted(summary["selected"])
    for place, f in enumerate(features):
        if f["selected"]:
            names = [features[other]["name"] for other, _ in instead.get(place, ())]
            more = f", and {len(names) - 3} more" if len(names) > 3 else ""
            expected = [number(f["score"]), percent(f["frequency"]), *([percent(f["missing"])] if gaps else [])]
            assert rows[f["name"]] == expected + ([", ".join(names[:3]) + more] if names else [])


@pytest.mark.parametrize("case", JUDGED)
def test_errors_at_the_sizes_near_the_chosen_one(case):
    summary = summary_of(case)
    evidence, text, size = summary["evidence"], printed(summary), summary["search"]["n_selected"]
    rows = {row[0]: row[1:] for row in table(text, ["size", "error", "95 % interval"])}
    assert rows.pop("0") == [percent(evidence["error_of_nothing"])]

    def cells(error, interval):
        return with_interval(error, interval).removesuffix(")").split(" (")

    last = f"{summary['data']['n_features']} (all)"
    if last in rows:
        assert rows.pop(last) == cells(evidence["error_of_all"], evidence["error_of_all_interval"])
    judged = {str(at["size"]): at for at in evidence["sizes"]}
    assert len(rows) == min(10, len(judged))
    for at, row in rows.items():
        kept = ["<- kept"] if at == str(size) else []
        assert row == cells(judged[at]["error"], judged[at]["error_interval"]) + kept
    assert str(size) in rows
    assert meaning_of_errors(summary) in text.splitlines()
    assert basis_of_errors(summary) in text.splitlines()
    assert "(all)" not in text or evidence["error_of_all"] is not None


@pytest.mark.parametrize("case", OTHERS)
def test_without_evidence_the_path_is_shown(case):
    summary = summary_of(case)
    text, path = printed(summary), summary["path"]
    assert f"The {summary['search']['direction']} path" in text
    (kept,) = re.findall(r"^ *(\d+) .*<- kept$", text, flags=re.MULTILINE)
    assert int(kept) == summary["search"]["n_selected"]
    assert "error" not in text
    assert "selected in" not in text
    assert len(path) <= 10 or "sizes near" in text


@pytest.mark.parametrize("case", sorted({*JUDGED, *OTHERS} - {"as_it_is"}))
def test_no_p_values(case):
    text = printed(summary_of(case))
    assert not re.search(r"\bp\b|(?<!no better than )chance", text)  # which is a note on annotators


def test_plain_text_has_no_colour_no_boxes_and_no_blanks_at_the_end():
    text = printed(summary_of("copies"))
    assert text.isascii()
    assert "\x1b" not in text
    assert not any(line.endswith(" ") for line in text.splitlines())
    assert len(text.splitlines()) < 40


@pytest.mark.parametrize("width", [40, 80])
@pytest.mark.parametrize("case", ["copies", "crowd"])
def test_a_terminal_has_colour_and_its_width(case, width):
    text = printed(summary_of(case), force_terminal=True, width=width)
    assert "\x1b[1m" in text
    assert "█" in text
    bare = text.replace("\x1b[1m", "").replace("\x1b[0m", "")
    assert max(map(len, bare.splitlines())) <= width


def test_no_color_is_respected(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    warned = {**summary_of("crowd"), "warnings": ["careful"]}
    assert "\x1b[33m" not in printed(warned, force_terminal=True, width=80)


def test_names_play_no_tricks():
    evil = json.loads(json.dumps(summary_of("copies")).replace("first", "[red]\\u001b[31m\\n" + "long" * 3000))
    for how in ({}, {"force_terminal": True, "width": 80}):
        text = printed(evil, **how)
        assert "[red]\\x1b[31m\\nlong" in text.replace("\n", "").replace(" ", "")
        assert "\x1b[31m" not in text
        assert len(text) < 6000
