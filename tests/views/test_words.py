"""The sentences of an answer, for each case, with the numbers of the summary."""

from copy import deepcopy

import pytest
from report_cases import summary_of

from tamis.views._words import (
    answer,
    basis_of_errors,
    counted,
    listed,
    meaning_of_errors,
    nearest,
    p_value,
    percent,
    points,
    replacements,
    roles_of,
    shown,
    stability_of,
    with_interval,
)

UNASKED = {"n_features_to_select": "auto", "alpha": 0.05, "required_features": None}


def told(size=5, n_features=500, *, asked=None, roles=(), kind="hard", **evidence):
    """As much of a summary as sentences need; the example of the documentation."""
    known = {
        "expected_error": 0.14,
        "expected_error_interval": [0.12, 0.16],
        "error_of_all": 0.39,
        "error_of_nothing": 0.5,
        "found": True,
        "stability": 0.83,
        "stability_interval": [0.75, 0.91],
        "n_folds": 5,
        "n_repeats": 4,
        "judges": ["nearest neighbours", "random forest", "logistic regression"],
    }
    return {
        "asked": {"parameters": UNASKED | (asked or {})},
        "search": {"n_selected": size},
        "data": {"n_features": n_features},
        "features": [{"role": role} for role in roles],
        "labels": {"kind": kind},
        "evidence": known | evidence,
    }


def test_how_many_and_which_error_to_expect():
    assert answer(told()) == (
        "5 of 500 features; expected error 14 % (12-16 %), 39 % with all features, 50 % without any"
    )


def test_all_features_are_not_compared_with_themselves_nor_where_they_were_not_judged():
    assert answer(told(500)) == "500 of 500 features; expected error 14 % (12-16 %), 50 % without any"
    assert "with all" not in answer(told(error_of_all=None))


def test_a_number_that_was_asked_for():
    assert answer(told(asked={"n_features_to_select": 5}) | {"evidence": None}) == "5 of 500 features kept, as asked"
    assert answer(summary_of("groups")) == "3 of 15 features kept, as asked"


def test_nothing_was_found():
    said = "No feature of 20 predicts the target better than knowing nothing (level 5 %); "
    assert answer(told(1, 20, found=False)) == said + "1 is kept all the same"
    assert answer(told(3, 20, found=False)) == said + "3 are kept all the same"
    required = {"required_features": ["a", "b"]}
    assert answer(told(2, 20, found=False, asked=required)) == said + "the 2 required are kept"
    assert answer(told(1, 20, found=False, asked={"required_features": [3]})) == said + "the 1 required is kept"
    assert "(level 0.5 %)" in answer(told(1, 20, found=False, asked={"alpha": 0.005}))
    assert answer(told(1, 1, found=False)) == (
        "The only feature does not predict the target better than knowing nothing (level 5 %); it is kept all the same"
    )
    assert answer(summary_of("nothing")).startswith("No feature of 6 predicts")


def test_nothing_could_be_judged():
    assert answer(summary_of("too_few_rows")) == (
        "3 of 3 features kept; it is not known how many are needed, as no subset was judged on rows left out"
    )


def test_roles_in_one_sentence():
    needed, more, rest = ["needed"] * 5, ["interchangeable"] * 15, ["no evidence"] * 480
    assert roles_of(told(roles=needed + more + rest)) == (
        "5 needed, 15 more carry the same information, no evidence for the other 480"
    )
    assert roles_of(told(roles=needed + more[:1])) == "5 needed, 1 more carries the same information"
    assert roles_of(told(roles=needed + rest)) == roles_of(summary_of("crowd")) == ""


@pytest.mark.parametrize(
    ("value", "words"),
    [(1.0, "much the same"), (0.75, "much the same"), (0.74, "partly the same"), (0.4, "partly the same"),
     (0.39, "mostly other"), (-0.1, "mostly other")],
)  # fmt: skip
def test_stability_in_one_sentence(value, words):
    said = stability_of(told(stability=value, stability_interval=[value - 0.08, value + 0.08]))
    assert said.startswith(f"Another sample would select {words} features: stability {value:.2f} (")


def test_stability_has_its_interval_and_is_not_told_of_nothing_or_everything():
    assert stability_of(told()).endswith("stability 0.83 (0.75-0.91)")
    assert stability_of(told(stability=0.1, stability_interval=[-0.1, 0.3])).endswith("0.10 (-0.10 to 0.30)")
    assert stability_of(told(500)) == stability_of(told(found=False)) == stability_of(summary_of("crowd")) == ""


def test_what_errors_are_and_rest_on():
    assert basis_of_errors(told()) == (
        "errors: 5-fold cross-validation of the whole search, repeated 4 times; mixture of nearest neighbours, "
        "random forest, logistic regression"
    )
    assert basis_of_errors(told(n_repeats=1, judges=["GaussianNB"])) == (
        "errors: 5-fold cross-validation of the whole search; judged by GaussianNB"
    )
    assert "balanced error, the mean over the classes of" in meaning_of_errors(told())
    assert "the presence and the absence of each label" in meaning_of_errors(told(kind="multilabel"))
    assert meaning_of_errors(told(kind="noisy")).endswith("; corrected for the estimated label noise")
    for kind in ("soft", "crowd"):
        assert meaning_of_errors(told(kind=kind)).endswith("; expected under the probabilities of the classes")
    assert meaning_of_errors(summary_of("crowd")) == basis_of_errors(summary_of("crowd")) == ""


def test_replacements_are_the_swaps_the_other_way_round():
    summary = summary_of("copies")
    features = summary["features"]
    given = {(s["place"], other, s["cost"]) for other, f in enumerate(features) for s in f["swaps"]}
    found = replacements(summary)
    assert given == {(place, other, cost) for place, swaps in found.items() for other, cost in swaps}
    assert given
    assert all([cost for _, cost in swaps] == sorted(cost for _, cost in swaps) for swaps in found.values())
    assert all(features[place]["role"] == "needed" for place in found)
    assert replacements(summary_of("crowd")) == {}


def test_a_whole_group_is_replaced():
    summary = deepcopy(summary_of("copied_groups"))
    needed = [place for place, f in enumerate(summary["features"]) if f["role"] == "needed"]
    found = replacements(summary)
    assert sorted(found) == needed
    assert len(needed) == 2
    assert found[needed[0]] == found[needed[1]]


def test_the_nearest_size_the_smaller_of_two():
    sizes = [{"size": size} for size in (1, 3, 8)]
    assert [nearest(sizes, size)["size"] for size in (1, 2, 4, 5, 6, 100)] == [1, 1, 3, 3, 8, 8]


def test_names_and_numbers():
    assert counted(1, "row") == "1 row"
    assert counted(2500, "class") == "2,500 classes"
    assert counted(12_345_678, "row") == "12,345,678 rows"
    assert listed(list("abcd"), 2) == "a, b, and 2 more"
    assert shown("a\tb") == "a\\tb"
    assert (percent(0), percent(0.004), percent(0.25)) == ("0 %", "0.4 %", "25 %")
    assert (p_value(None), p_value(1e-9), p_value(0.04)) == ("-", "<0.001", "0.040")
    assert (with_interval(0.042, [0.029, 0.0604]), with_interval(0.14, [0.06, 0.2])) == (
        "4.2 % (2.9-6.0 %)",
        "14 % (6-20 %)",
    )
    assert [points(v) for v in (0.003, -0.0121, 0.0, 0.0001, -0.0001)] == ["+0.3", "-1.2", "0.0", "0.0", "0.0"]
