"""What is said about annotators, with the numbers of the summary."""

import io
import re

import pytest
from report_cases import html_of, summary_of

from tamis.views._crowd_words import annotators_first, asking_words, crowd_words, expected_words
from tamis.views._screen import Screen
from tamis.views._words import ends_of
from tamis.views.console import show_audit


def told(**labels):
    """As much of a summary as sentences need."""
    known = {
        "kind": "crowd",
        "predicted_from": "features",
        "expected_right": 0.914,
        "rows_gold": 0,
        "rows_unanswered": 0,
        "unanswered_predicted": True,
        "annotators": [],
        "converged": True,
        "n_ask_next": 3,
    }
    return {"labels": known | labels}


def noted(*notes):
    return [{"note": note} for note in notes]


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ({}, "are estimated from the answers and what classifiers predict from the features"),
        ({"predicted_from": "probabilities"}, "are estimated from the answers and the given probabilities"),
        ({"predicted_from": None}, "are estimated from the answers alone: no feature is used"),
        ({}, "The most probable class is expected by the model to be right in 91 % of the rows"),
        ({"rows_gold": 1}, "The true class of 1 row was given"),
        ({"rows_unanswered": 2}, "2 rows have no answer; the most probable class is what the features predict"),
        ({"rows_unanswered": 1, "unanswered_predicted": False}, "1 row has no answer and is left out"),
        ({"annotators": noted(None, "no better than chance")}, "1 annotator is no better than chance"),
        ({"annotators": noted("always answers no better than chance")}, "1 annotator always gives one answer"),
        (
            {"annotators": noted(*2 * ["always answers cat"], *2 * ["no better than chance"])},
            "2 annotators are no better than chance, 2 annotators always give one answer",
        ),
        ({"converged": False}, "The estimate did not converge; raise max_iter of CrowdLabels"),
    ],
)
def test_what_true_classes_rest_on(labels, said):
    assert [sentence for sentence in crowd_words(told(**labels)) if sentence.endswith(said)]


def test_nothing_is_said_that_is_not_so():
    assert len(crowd_words(told())) == 2
    assert crowd_words(told(expected_right=None)) == crowd_words(told())[:1]
    for case in ("audit", "unlabelled", "multilabel"):
        assert (crowd_words(summary_of(case)), asking_words(summary_of(case))) == ([], "")
        assert expected_words(summary_of(case)) == ""


def test_where_an_answer_is_worth_most():
    assert "can change the most probable class of 3 rows; gain: by how much" in asking_words(told())
    assert asking_words(told(n_ask_next=0)).endswith("would change the most probable class of no row")


def test_annotators_with_a_note_come_first():
    labels = summary_of("large_crowd")["labels"]
    found = annotators_first(labels)
    odd = [a for a in labels["annotators"] if a["note"]]
    assert "always answers Barolo" in [a["note"] for a in odd]
    assert found[: len(odd)] == odd
    assert found[len(odd) :] == [a for a in labels["annotators"] if not a["note"]]


@pytest.mark.parametrize("case", ["crowd_audit", "large_crowd", "crowd"])
def test_the_page_says_all_of_it(case):
    summary, page = summary_of(case), html_of(case)
    text = re.sub(r"<[^>]+>", "", page.split("</header>")[1]).replace("\N{NO-BREAK SPACE}", " ")
    for sentence in (*crowd_words(summary), asking_words(summary)):
        assert sentence in text
    for a in summary["labels"]["annotators"]:
        assert ends_of(a["reliability"], (a["low"], a["high"])) in text
        assert f"left:{100 * a['low']:.1f}%;width:{100 * (a['high'] - a['low']):.1f}%" in page


def test_the_console_says_all_of_it():
    summary, out = summary_of("large_crowd"), io.StringIO()
    show_audit(summary, Screen(out))
    said, labels = out.getvalue(), summary["labels"]
    for sentence in (*crowd_words(summary), asking_words(summary)):
        assert f"{sentence}\n" in said
    worst = labels["annotators"][0]
    assert ends_of(worst["reliability"], (worst["low"], worst["high"])) in said
    assert "... and 40 more" in said
    first = labels["ask_next"][0]
    assert re.search(rf"^ *{first['row']}  {first['likely']} +{first['p_likely']:.2f} ", said, re.MULTILINE)
