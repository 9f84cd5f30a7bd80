"""A summary on a terminal and as plain text: the answer first, few lines, no tricks by names."""

import io
import json

import numpy as np
import pytest

from tamis import RankingSelector, SequentialSelector
from tamis.views import summarise
from tamis.views._screen import Screen
from tamis.views._words import answer, counted, listed, p_value, percent, shown
from tamis.views.console import show_selection


@pytest.fixture(scope="module")
def summary():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 60)), np.repeat([0, 1], 40)
    X[:, 7] += 6 * y
    return summarise(SequentialSelector(random_state=0).fit(X, y), data={"notes": ["delimiter ';'"]})


def printed(summary, **how):
    stream = io.StringIO()
    show_selection(summary, Screen(stream, **how))
    return stream.getvalue()


def test_the_answer_comes_first(summary):
    assert printed(summary).splitlines()[:2] == ["1 of 60 features is better than chance", "x7"]


def test_plain_text_has_no_colour_no_boxes_and_no_blanks_at_the_end(summary):
    text = printed(summary)
    assert text.isascii()
    assert "\x1b" not in text
    assert not any(line.endswith(" ") for line in text.splitlines())


def test_a_long_path_is_shown_around_the_chosen_size(summary):
    text = printed(summary)
    assert len(text.splitlines()) < 40
    assert "sizes near 1 of 60" in text
    assert "<- kept" in text


@pytest.mark.parametrize("width", [40, 80])
def test_a_terminal_has_colour_and_its_width(summary, width):
    text = printed(summary, force_terminal=True, width=width)
    assert "\x1b[1m" in text
    assert "█" in text
    bare = text.replace("\x1b[1m", "").replace("\x1b[0m", "")
    assert max(map(len, bare.splitlines())) <= width


def test_no_color_is_respected(summary, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    warned = {**summary, "warnings": ["careful"]}
    assert "\x1b[33m" not in printed(warned, force_terminal=True, width=80)


def test_names_play_no_tricks(summary):
    evil = json.loads(json.dumps(summary).replace("x7", "[red]\\u001b[31m\\n" + "long" * 3000))
    for how in ({}, {"force_terminal": True, "width": 80}):
        text = printed(evil, **how)
        assert "[red]\\x1b[31m\\nlong" in text.replace("\n", "").replace(" ", "")
        assert "\x1b[31m" not in text
        assert len(text) < 6000


def test_as_asked_and_not_better_than_chance(summary):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(50, 4)), np.repeat([0, 1], 25)
    assert answer(summarise(RankingSelector(n_features_to_select=3).fit(X, y))) == "3 of 4 features kept, as asked"
    with pytest.warns(UserWarning, match="no feature tells more"):
        nothing = SequentialSelector(random_state=0).fit(X, y)
    assert answer(summarise(nothing)) == "None of 4 features is better than chance; 1 is kept all the same"


def test_words():
    assert counted(1, "row") == "1 row"
    assert counted(2500, "class") == "2,500 classes"
    assert counted(12_345_678, "row") == "12,345,678 rows"
    assert listed(list("abcd"), 2) == "a, b, and 2 more"
    assert shown("a\tb") == "a\\tb"
    assert (percent(0), percent(0.004), percent(0.25)) == ("0 %", "0.4 %", "25 %")
    assert (p_value(None), p_value(1e-9), p_value(0.04)) == ("-", "<0.001", "0.040")
