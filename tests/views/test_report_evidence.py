"""What a report says about the number of features and their roles is what its data say."""

import html
import re
from copy import deepcopy

import pytest
from report_cases import AUDITS, CASES, html_of, summary_of

from tamis.views._label_words import label_quality
from tamis.views._words import (
    answer,
    costs_of,
    limits_of,
    p_value,
    percent,
    points,
    replacements,
    roles_of,
    stability_of,
    with_interval,
)
from tamis.views.html import page

SELECTIONS = [case for case in CASES if case not in (*AUDITS, "hostile", "many_classes")]
JUDGED = ["backward", "forward", "ranking", "hierarchy", "copies", "copied_groups", "nothing", "too_many_features"]
ASKED = ["crowd", "groups", "unlabelled", "vectors"]


def text_of(part):
    """What is read, with single blanks."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", "", part)).replace("\N{NO-BREAK SPACE}", " ").split())


def section(case_or_text, name):
    """The source of a section; nothing if it is not there."""
    text = html_of(case_or_text) if case_or_text in CASES else case_or_text
    found = re.search(rf'<section id="{name}".*?</section>', text, flags=re.DOTALL)
    return found[0] if found else ""


@pytest.mark.parametrize("case", SELECTIONS)
def test_the_answer_is_the_headline_and_roles_stability_and_labels_follow(case):
    summary, text = summary_of(case), html_of(case)
    assert text_of(re.search("<h1>.*?</h1>", text, flags=re.DOTALL)[0]) == answer(summary)
    below = [text_of(p) for p in re.findall('<p class="below">.*?</p>', text, flags=re.DOTALL)]
    words = (costs_of, roles_of, stability_of, limits_of, label_quality)
    assert below == [f"{said}." for told in words if (said := told(summary))]


def test_numbers_stay_with_their_unit():
    headline = re.search("<h1>(.*?)</h1>", html_of("copies"), flags=re.DOTALL)[1]
    assert " %" not in headline
    assert headline.count("\N{NO-BREAK SPACE}%") == 4


@pytest.mark.parametrize("case", JUDGED)
def test_why_so_many(case):
    summary = summary_of(case)
    evidence, size, said = summary["evidence"], summary["search"]["n_selected"], text_of(section(case, "path"))
    assert "The whole search is repeated on folds" in said
    if not evidence["found"]:
        assert "None is better than knowing nothing at the level 5 %, so the smallest size is kept." in said
        return
    gain = {at["size"]: evidence["loss_of_nothing"] - at["loss"] for at in evidence["sizes"]}
    best = max(gain, key=gain.get)
    assert "gives up at most 2 % of the best gain over knowing nothing, or up to 10 % if that is within one" in said
    if best == size:
        assert f"the size with the best gain, {best}." in said
    else:
        assert f"The best gain is at {best}; {size} keep" in said
        assert f"{100 * gain[size] / gain[best]:.1f} % of it" in said
    noise = {at["size"]: at["behind_se"] for at in evidence["sizes"]}
    enough = {s: gain[best] - max(0.02 * gain[best], min(noise[s], 0.1 * gain[best])) for s in gain}
    assert min(s for s, g in gain.items() if g >= enough[s] - 1e-12) == size
    chosen = next(at for at in evidence["sizes"] if at["size"] == size)
    assert f"error on rows left out {with_interval(chosen['error'], chosen['error_interval'])};" in said
    assert f"without any feature, {percent(evidence['error_of_nothing'])}" in said
    assert "2-fold cross-validation of the whole search" in said
    assert "judged by GaussianNB" in said
    assert "Error: balanced error, the mean over the classes" in said


def test_features_that_are_related_although_no_size_predicts():
    summary = deepcopy(summary_of("copies"))
    for at in summary["evidence"]["sizes"]:
        at["loss"] = summary["evidence"]["loss_of_nothing"] + 0.1
    said = text_of(section(page(summary), "path"))
    assert "No size is better than knowing nothing there, but single features are related to the target" in said


@pytest.mark.parametrize("case", ASKED)
def test_a_number_that_was_asked_for_is_drawn_by_the_criterion(case):
    source = section(case, "path")
    assert "That many were asked for." in text_of(source)
    assert source.count("<figure") == 2
    assert "error" not in text_of(source)
    assert 'class="band"' not in source
    assert section(case, "roles") == ""


def test_too_few_rows_to_judge():
    source = section("too_few_rows", "path")
    assert "No subset was judged on rows left out." in text_of(source)
    assert source.count("<figure") == 2


@pytest.mark.parametrize("case", JUDGED)
def test_which_can_replace_which(case):
    summary, source = summary_of(case), section(case, "roles")
    features, instead = summary["features"], replacements(summary)
    assert bool(source) == bool(instead)
    if not source:
        return
    found = {}
    for row in re.findall("<tr>.*?</tr>", source, flags=re.DOTALL):
        chips = [text_of(chip) for chip in re.findall("<li>.*?</li>", row, flags=re.DOTALL)]
        found[text_of(re.search("<th.*?</th>", row)[0])] = chips
        assert chips or "no replacement found" in row
    assert found == {
        f["name"]: [f"{features[other]['name']} {points(cost)}" for other, cost in instead.get(place, ())]
        for place, f in enumerate(features)
        if f["role"] == "needed"
    }
    rest = sum(f["role"] == "no evidence" for f in features)
    assert (f"No evidence for the other {rest}." in text_of(source)) == bool(rest)


@pytest.mark.parametrize("case", JUDGED)
def test_every_feature_with_its_role_frequency_replacements_and_p_value(case):
    summary, source = summary_of(case), section(case, "features")
    features, instead = summary["features"], replacements(summary)
    heads = [text_of(head) for head in re.findall('<th scope="col".*?</th>', source, flags=re.DOTALL)]
    assert heads[:4] == ["Feature", "Role", "Selected in", "Replacements"]
    assert {"p by itself", "Most correlated with"} <= set(heads)
    assert "not corrected for the number of features" in text_of(source)
    rows = re.findall(r'<tr data-place="(\d+)".*?</tr>', source, flags=re.DOTALL)
    cells_of = {
        int(place): [text_of(cell) for cell in re.findall("<td.*?</td>", row, flags=re.DOTALL)]
        for place, row in re.findall(r'<tr data-place="(\d+)"(.*?)</tr>', source, flags=re.DOTALL)
    }
    assert len(rows) == len(cells_of) == len(features)
    for place, cells in cells_of.items():
        f = features[place]
        assert cells[:2] == [f["role"], percent(f["frequency"])]
        words, swaps = "by", instead.get(place)
        if swaps is None:
            words, swaps = "replaces", [(swap["place"], swap["cost"]) for swap in f["swaps"]]
        told = [f"{features[other]['name']} {points(cost)}" for other, cost in swaps]
        more = [f"and {len(told) - 3} more"] if len(told) > 3 else []
        assert cells[2] == (f"{words} {', '.join(told[:3] + more)}" if told else "–")
        assert cells[heads.index("p by itself") - 1] == ("–" if f["p_value"] is None else p_value(f["p_value"]))


@pytest.mark.parametrize("case", ASKED)
def test_without_evidence_there_are_no_roles_and_no_p_values(case):
    said = text_of(section(case, "features"))
    assert not re.search(r"\bRole\b|Selected in|Replacements|p by itself", said)


def test_many_needed_features_and_many_replacements_are_cut():
    summary = deepcopy(summary_of("copies"))
    template = summary["features"][0]
    needed = [template | {"name": f"n{i}", "role": "needed", "swaps": [], "from_size": 1} for i in range(70)]
    swaps = [{"place": 0, "cost": 0.01}]
    others = [template | {"name": f"o{i}", "role": "interchangeable", "swaps": swaps} for i in range(20)]
    summary["features"] = [f | {"like": []} for f in needed + others]
    source = section(page(summary), "roles")
    assert source.count("<tr>") == 60
    assert "and 10 more needed features" in text_of(source)
    assert "and 8 more" in text_of(source)
    assert "No evidence" not in source
