"""What is said about label quality, with the numbers of the summary."""

import re

import pytest
from report_cases import html_of, summary_of
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB

from tamis import NoisyLabels
from tamis.views import summarise_audit
from tamis.views._label_words import actions_of, basis_of_share, budget_words, label_quality, one_rate


def told(share, low, high, *, estimator="auto", **labels):
    """As much of a summary as sentences need."""
    known = {"kind": "noisy", "share_wrong": share, "share_wrong_interval": [low, high], "identified": True}
    return {"asked": {"parameters": {"estimator": estimator}}, "labels": known | labels}


@pytest.mark.parametrize(
    ("share", "low", "high", "said"),
    [
        (0.38, 0.15, 0.42, "Between 15 % and 42 % of the labels are wrong, most likely 38 %"),
        (0.04, 0.0, 0.17, "At most 17 % of the labels are wrong, most likely 4 %"),
        (0.04, 0.0049, 0.17, "At most 17 % of the labels are wrong, most likely 4 %"),
        (0.004, 0.0, 0.012, "At most 1 % of the labels are wrong, most likely 0.4 %"),
        (0.0, 0.0, 0.012, "At most 1 % of the labels are wrong, most likely none"),
        (1e-6, 0.0, 1e-5, "At most 0.1 % of the labels are wrong, most likely 0.1 %"),
        (0.02, 0.006, 0.3, "Between 0.6 % and 30 % of the labels are wrong, most likely 2 %"),
        (0.381, 0.379, 0.384, "About 38 % of the labels are wrong"),
        (None, 0.0, 0.67, "How many labels are wrong is not known: the features do not predict them"),
    ],
)
def test_how_many_labels_are_wrong(share, low, high, said):
    assert label_quality(told(share, low, high)) == said


def test_probabilities_are_named_where_they_are_what_does_not_predict():
    said = label_quality(told(None, 0.0, 0.5, estimator="precomputed"))
    assert said == "How many labels are wrong is not known: the given probabilities do not predict them"


def test_a_figure_that_the_labels_do_not_support_is_said_with_less_certainty():
    summary = told(0.13, 0.0, 0.3, identified=False)
    assert label_quality(summary) == "At most 30 % of the labels are wrong, perhaps 13 %"
    assert any("do not show that any are wrong" in sentence for sentence in basis_of_share(summary))
    assert not any("do not show" in sentence for sentence in basis_of_share(told(0.13, 0.0, 0.3)))


def test_densities_do_not_claim_what_classifiers_do():
    """They have no clusters, and add no half."""
    summary = told(0.13, 0.0, 0.3, identified=None)
    assert label_quality(summary) == "At most 30 % of the labels are wrong, perhaps 13 %"
    assert not any("cluster" in sentence for sentence in basis_of_share(summary))
    X, y = load_iris(return_X_y=True)
    assert summarise_audit(NoisyLabels(None).fit(X, y))["labels"]["identified"] is None
    assert summarise_audit(NoisyLabels(GaussianNB(), random_state=0).fit(X, y))["labels"]["identified"] is not None


def test_what_the_ends_rest_on():
    low, high, _, last = basis_of_share(told(0.38, 0.15, 0.42))
    assert low.startswith("The lower end is the share of labels that predictions contradict in the fifth of the rows")
    assert high.startswith("The upper end is the share of all labels that predictions contradict, plus the error")
    assert last.endswith("Mistakes made only where classes overlap are underestimated.")
    assert basis_of_share(told(0.04, 0.0, 0.17))[0].startswith("No label is certain to be wrong")
    assert basis_of_share(told(0.38, 0.15, 0.42), short=True)[0].startswith("lower end: ")
    assert basis_of_share(told(0.04, 0.0, 0.17), short=True)[0].startswith("at most: ")
    assert basis_of_share(told(None, 0.0, 0.5)) == []


@pytest.mark.parametrize(
    ("budget", "said"),
    [
        ([], ""),
        ([(1, 0.8)], "Look at the most doubtful row: its label is wrong with probability 0.80"),
        ([(10, 0.6)], "Look at the 10 most doubtful rows: about 1 mistake is among them"),
        ([(10, 0.4)], "Look at the 10 most doubtful rows: less than 1 mistake is among them"),
        (
            [(100, 95.0), (200, 170.2), (500, 240.0)],
            "Look at the 200 most doubtful rows: about 170 mistakes are among them",
        ),
        ([(1000, 900.0), (2000, 1500.0)], "Look at the 2,000 most doubtful rows: about 1,500 mistakes are among them"),
    ],
)
def test_the_largest_budget_that_finds_a_mistake_in_every_other_row(budget, said):
    assert budget_words(told(0.2, 0.1, 0.3, budget=[{"rows": n, "mistakes": m} for n, m in budget])) == said


def test_actions_say_what_they_promise():
    summary = summary_of("audit")
    actions = {action: (n, meaning) for action, n, meaning in actions_of(summary)}
    assert {action: n for action, (n, _) in actions.items()} == summary["labels"]["actions"]
    assert sum(n for n, _ in actions.values()) == summary["data"]["rows"]
    assert actions["correct"][1] == "at least 95 % of the suggested classes are expected to be right"
    assert actions_of(summary_of("not_known")) == []


def test_one_rate_for_all_classes_is_said():
    rates = [{"rate": 0.2}, {"rate": 0.2}]
    assert one_rate(told(0.2, 0.1, 0.3, rates=rates)).startswith("One rate of wrong labels")
    assert one_rate(told(0.2, 0.1, 0.3, rates=[{"rate": 0.2}, {"rate": 0.3}])) == ""
    assert one_rate(told(None, 0.0, 0.5, rates=[{"rate": None}, {"rate": None}])) == ""
    assert one_rate(summary_of("crowd_audit")) == ""


@pytest.mark.parametrize("case", ["audit", "own_probabilities", "backward", "each_step", "not_known"])
def test_the_page_says_all_of_it(case):
    text = re.sub(r"<[^>]+>", "", html_of(case).split("</header>")[1]).replace("\N{NO-BREAK SPACE}", " ")
    summary = summary_of(case)
    for sentence in (*basis_of_share(summary), budget_words(summary), *(m for *_, m in actions_of(summary))):
        assert sentence in text
    assert ("What to do" in text) == (case != "not_known")


def test_no_features_are_spoken_of_where_there_are_none():
    text = re.sub(r"<script.*", "", html_of("own_probabilities"), flags=re.DOTALL)
    assert "estimated from the given probabilities" in text
    assert "feature" not in text.split("<main>")[1].split('id="run"')[0]
    assert "feature" not in text.split('<p class="facts">')[1].split("</p>")[0]
