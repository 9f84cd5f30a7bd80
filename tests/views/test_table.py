"""What is said of the table itself: missing values, weights, groups and times of the rows, how columns were read."""

import io
import re
from html.parser import HTMLParser
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from report_cases import EVIL, gappy, html_of, summary_of

from tamis import BlanketSelector, ChiSquare, HardLabels, RankingSelector, SequentialSelector, SoftLabels
from tamis._validation import Rows
from tamis.views import summarise
from tamis.views._screen import Screen
from tamis.views._table_words import table_words
from tamis.views._words import basis_of_errors, counted, shown
from tamis.views.code import python_code
from tamis.views.console import show_selection
from tamis.views.html import page
from tamis.views.labels import describe_classes, describe_confusions
from tamis.views.table import describe_drift, describe_gaps, describe_missing, describe_rows

NAMES = list("abcdef")
P_VALUES = np.array([np.nan, 0.01, 0.5, 0.0099, np.nan, 1e-12])
NO_VALUE = "no value in any of the selected features"
PREDICTIVE = "Whether a value is missing predicts the target: ash (p < 0.001)"


def selector(p_values=P_VALUES, **others):
    missing = SimpleNamespace(share=np.linspace(0, 0.5, 6), pvalues=p_values, n_empty_rows=3)
    return SimpleNamespace(missing_=missing, drift_=p_values, **others)


def named(found):
    return [f["name"] for f in found]


@pytest.mark.parametrize(
    ("others", "names"),
    [({}, "fdb"), ({"alpha": 0.05}, "fdb"), ({"alpha": 0.0399}, "fd"), ({"alpha": 0.01}, "f"), ({"alpha": 1e-13}, "")],
    ids=str,
)
def test_features_are_named_where_p_times_the_number_of_tests_is_at_most_alpha(others, names):
    found = describe_missing(selector(**others), NAMES)["predictive"]
    assert named(found) == list(names)
    assert [f["p_value"] for f in found] == [P_VALUES[NAMES.index(name)] for name in names]
    assert [f["place"] for f in found] == [NAMES.index(name) for name in names]
    assert describe_drift(selector(**others), NAMES) == found


def test_features_that_were_not_tested_do_not_count():
    p_values = np.array([0.05, np.nan, np.nan, np.nan, np.nan, np.nan])
    assert named(describe_drift(selector(p_values), NAMES)) == ["a"]
    assert describe_drift(selector(np.full(6, np.nan)), NAMES) == []


def test_gaps_of_each_feature():
    found = [describe_gaps(selector(), f) for f in range(6)]
    assert [f["missing"] for f in found] == np.linspace(0, 0.5, 6).tolist()
    np.testing.assert_array_equal([f["missing_p_value"] for f in found], P_VALUES)
    assert describe_missing(selector(), NAMES)["share"] == pytest.approx(0.25)
    assert describe_missing(selector(), NAMES)["n_empty_rows"] == 3


@pytest.mark.parametrize("known", [{}, {"missing_": None, "drift_": None, "weighted_": False, "n_groups_": None}])
def test_of_complete_rows_that_are_alike_nothing_is_known(known):
    one = SimpleNamespace(**known)
    assert describe_missing(one, NAMES) is describe_drift(one, NAMES) is None
    assert set(describe_gaps(one, 0).values()) == {None}
    assert describe_rows(one, HardLabels()) == describe_rows(one, None) == {"weights": None, "n_groups": None}


@pytest.mark.parametrize("case", ["forward", "unlabelled", "single_step", "crowd_audit"])
def test_of_complete_rows_that_are_alike_nothing_is_said(case):
    assert table_words(summary_of(case)) == []
    assert 'id="table"' not in html_of(case)
    assert ">Missing<" not in html_of(case)


def with_rows(labels, **known):
    labels._rows = Rows(**known)
    return labels


def test_weights_and_groups():
    labels = with_rows(HardLabels(), weight=np.array([0.5, 2.0, 3.0]), group=np.array([1, 1, 0]))
    told = describe_rows(SimpleNamespace(), labels)
    assert told == {"weights": {"total": 5.5, "least": 0.5, "most": 3.0}, "n_groups": 2}
    unknown = dict.fromkeys(("total", "least", "most"))
    alone = SimpleNamespace(weighted_=True, n_groups_=7)
    assert describe_rows(alone, None) == {"weights": unknown, "n_groups": 7}


def test_a_weight_counts_as_repeated_rows():
    P = np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4], [0.3, 0.7]])
    weight = np.array([1, 3, 2, 5])
    weighted = with_rows(SoftLabels().fit(None, P), weight=weight.astype(float))
    repeated = SoftLabels().fit(None, np.repeat(P, weight, axis=0))
    for describe in (describe_classes, describe_confusions):
        for one, other in zip(describe(weighted), describe(repeated), strict=True):
            assert one == pytest.approx(other)


def changed(**parts):
    """The summary of the case, with some of its parts changed."""
    summary = summary_of("as_it_is")
    return summary | {name: summary[name] | values for name, values in parts.items()}


def test_what_is_said():
    (X, _, _), summary = gappy(), summary_of("as_it_is")
    summary = changed(asked={"parameters": summary["asked"]["parameters"] | {"missing": "use"}})
    weights, groups, gaps, empty, predictive, drift = table_words(summary)
    n_missing, share = X.isna().sum().sum(), 100 * X.isna().mean()
    assert weights == "Rows are weighted: weights from 0.5 to 2.5, 267 in all"
    assert groups.startswith("Rows belong to 60 groups: ")
    most = ", ".join(f"{name} ({share[name]:.0f} %)" for name in sorted(share.index, key=lambda name: -share[name])[:3])
    assert gaps == (
        f"Missing: {n_missing} of 2,670 cells ({100 * n_missing / 2670:.0f} %), in 15 of 15 features, most in {most}; "
        "missing values are used as missing, nothing is filled in"
    )
    n_empty = X[summary["selected"]].isna().all(axis=1).sum()
    assert empty == f"{counted(n_empty, 'row')} {'has' if n_empty == 1 else 'have'} {NO_VALUE}"
    advice = "Set missing='indicator' (--missing indicator) to make that a part of the feature"
    assert predictive == f"{PREDICTIVE}. {advice}"
    assert drift == "Features that changed over time (early against late rows): magnesium (p < 0.001)"


@pytest.mark.parametrize(
    "selector",
    [BlanketSelector(n_bins=3, n_conditioning=3), RankingSelector(ChiSquare("mdl")), SequentialSelector(), "category"],
    ids=["blanket", "chi2", "plain", "category"],
)
def test_an_indicator_is_advised_where_it_adds_something(selector):
    """Not where gaps are a level already, nor where there is no such parameter."""
    codes = np.arange(60) % 2
    z = np.where((codes == 1) & (np.arange(60) < 50), np.nan, np.arange(60) // 2 % 3)
    X = pd.DataFrame({"x": np.random.default_rng(0).normal(size=60), "z": z})
    if selector == "category":
        selector, X["z"] = SequentialSelector(), X["z"].astype("category")
    said = table_words(summarise(selector.set_params(n_features_to_select=1).fit(X, codes)))
    (predictive,) = (sentence for sentence in said if sentence.startswith("Whether"))
    is_useful = isinstance(selector, SequentialSelector) and X["z"].dtype == float
    assert ("--missing indicator" in predictive) is is_useful


def test_an_indicator_needs_no_advice():
    said = table_words(summary_of("as_it_is"))
    assert said[2].endswith("; missing values are used as missing, whether a value is missing is part of its feature")
    assert said[4] == PREDICTIVE


def test_what_is_not_known_is_not_said():
    data = {"weights": dict.fromkeys(("total", "least", "most")), "n_groups": None, "rows": None}
    said = table_words(changed(data=data, missing={"n_empty_rows": 0, "predictive": []}) | {"drift": []})
    assert said[0] == "Rows are weighted"
    assert said[1].startswith("Missing: 12 % of all cells, in 15 of 15 features, ")
    assert len(said) == 2
    assert f"1 row has {NO_VALUE}" in table_words(changed(missing={"n_empty_rows": 1}))
    assert f"2 rows have {NO_VALUE}" in table_words(changed(missing={"n_empty_rows": 2}))


def test_few_features_with_gaps_are_all_named_and_many_are_counted():
    summary = summary_of("as_it_is")
    features = [f | {"missing": 0.25 if f["name"] == "ash" else 0.0} for f in summary["features"]]
    assert "in 1 of 15 features: ash (25 %); " in table_words(summary | {"features": features})[2]
    many = [{"place": 0, "name": f"f{i}", "p_value": 0.0} for i in range(12)]
    assert table_words(summary | {"drift": many})[-1].endswith("f9 (p < 0.001), and 2 more")


def test_folds_in_time():
    evidence = {"forward": True, "n_repeats": 1, "n_runs": 4, "n_folds": 5, "judges": ["GaussianNB"]}
    assert basis_of_errors(changed(evidence=evidence)) == (
        "errors: 4 folds forward in time, the whole search on earlier rows and predictions of later rows; judged by "
        "GaussianNB"
    )


def test_the_console_and_the_page_say_it():
    summary, stream = summary_of("as_it_is"), io.StringIO()
    show_selection(summary, Screen(stream))
    lines, text = stream.getvalue().splitlines(), html_of("as_it_is").replace("\N{NO-BREAK SPACE}", " ")
    for sentence in table_words(summary):
        assert sentence in lines
        assert sentence.replace("'", "&#39;").replace("<", "&lt;") + "." in text
    assert text.count('<small class="tag">predicts</small>') == len(summary["missing"]["predictive"]) == 1
    assert text.count('<small class="tag">changed over time</small>') == 1


class Cells(HTMLParser):
    """Cells of the table of columns, and how they are set."""

    def __init__(self, text):
        super().__init__()
        self.rows, self.inside = [], False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.inside = dict(attrs).get("id") == "column-table" if tag == "table" else self.inside
        if self.inside and tag == "tr":
            self.rows.append([])
        if self.inside and tag in ("th", "td"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        self.inside = self.inside and tag != "table"

    def handle_data(self, data):
        if self.inside and self.rows and self.rows[-1]:
            self.rows[-1][-1] += data.strip()


@pytest.mark.parametrize("case", ["as_it_is", "hostile"])
def test_how_the_columns_were_read(case):
    summary = summary_of(case)
    head, *rows = Cells(html_of(case)).rows
    assert head == ["Column", "Read as", "Note"]
    assert len(rows) == len(summary["data"]["columns"])
    for row, column in zip(rows, summary["data"]["columns"], strict=True):
        note = "" if column["note"] is None else shown(column["note"], 200)
        assert row == [text.strip() for text in (shown(column["name"]), shown(column["read_as"], 80), note)]
    unread = page(changed(data={"columns": None}))
    assert "column-table" not in unread


def test_names_of_gaps_are_text():
    said = table_words(summary_of("hostile"))
    assert any(shown(EVIL[0]) in sentence for sentence in said)
    assert all(re.search(r"[\x00-\x1f\u2028\u202e]", sentence) is None for sentence in said)


def test_code_gives_fit_what_was_known_of_the_rows():
    code = "".join(python_code(summary_of("as_it_is")))
    assert "\n# sample_weight, groups, order: as in this run\n" in code
    assert "\nselector.fit(X, y, sample_weight=sample_weight, groups=groups, order=order)\n" in code
    reading = {"file": "t.csv", "target": ["y"], "missing": "indicator", "dates": "drop", "time": "day", "weight": None}
    code = "".join(python_code(changed(data={"reading": reading})))
    assert "\nX, y, rows = read_table('t.csv', target=['y'], missing='indicator', time='day')\n" in code
    assert "\nselector.fit(X, y, **rows)\n" in code
    plain = {"file": "t.csv", "target": ["y"], "missing": "use", "dates": "drop"}
    code = "".join(python_code(changed(data={"reading": plain})))
    assert "\nX, y, _ = read_table('t.csv', target=['y'])\n" in code
    assert "\nselector.fit(X, y)\n" in code
