"""In the browser every feature, chart and sentence of a report is what its data say, at any size of the path."""

import re

import pytest
from browser import SHOWN_TABLES
from report_cases import AUDITS, CASES

from tamis.views._words import nearest, p_value, percent, replacements, shown, with_interval

STATE = """const main = document.querySelector("main");
return [main.innerText, [...main.querySelectorAll("[data-v]")].map(cell => cell.dataset.v && Number(cell.dataset.v)),
[...main.querySelectorAll(".bar i")].map(bar => Math.round(bar.getBoundingClientRect().width)),
document.querySelector("#control").innerText]"""
CHARTS = """return [...document.querySelectorAll("figure svg")].map(svg => {
const of = (css, name) => svg.querySelector(css).getAttribute(name), n = Number;
return {marker: [n(of(".marker", "x1")), n(of(".marker", "x2"))], here: [n(of(".here", "cx")), n(of(".here", "cy"))],
points: [...svg.querySelectorAll(".point")].map(p => [p.textContent, n(p.getAttribute("cx")), n(p.getAttribute("cy"))]),
kept: [n(of(".kept", "cx")), n(of(".kept", "cy"))], level: svg.querySelectorAll(".level").length,
band: svg.querySelectorAll(".band").length, all: svg.dataset.x.split(" ").map(n)} })"""


SELECTIONS = [case for case in (*CASES, "wide") if case not in (*AUDITS, "many_classes")]
SLIDING = ["backward", "forward", "ranking", "hierarchy", "groups", "each_step", "copies", "hostile", "wide"]


def sizes_of(summary):
    return sorted(step["size"] for step in summary["path"])


def members(summary, size):
    """Places of the features in the subset of this size, by what the search moved."""
    adding = summary["search"]["direction"] in ("forward", "ranking")
    kept = set(summary["search"]["start"])
    for step in summary["path"]:
        kept = kept | set(step["moved"]) if adding else kept - set(step["moved"])
        if step["size"] == size:
            return [place for place, f in enumerate(summary["features"]) if f["name"] in kept]
    raise AssertionError(size)


def feature_rows(page, summary, size):
    """The table of the features as it has to be, by name: (value, text) for numbers, text for names."""
    after, powers = page.run(
        "const { after, powers } = document.querySelector('#features').dataset; return [after, powers]"
    )
    assert powers == "no"

    def written(value, text=f"{{:.{after}f}}"):
        said = "–" if value is None else text.format(value)
        return [value, said.removeprefix("-") if not said.strip("-0.") else said]

    features, inside = summary["features"], members(summary, size)
    judged, instead = summary["evidence"] is not None, replacements(summary)
    step = next(step for step in summary["path"] if step["size"] == size)
    direction = summary["search"]["direction"]
    ranked = {place: f["score"] for place, f in enumerate(features)}
    adds = ranked if direction == "ranking" else dict(zip(inside, step["adds"] or [None] * len(inside), strict=True))
    expected = {}
    for place, f in enumerate(features):
        value = adds.get(place)
        cells = []
        if judged:
            names = [(features[other]["name"], cost) for other, cost in instead.get(place, ())]
            names = names or [(features[s["place"]]["name"], s["cost"]) for s in f["swaps"]]
            swaps = [names[0][1], shown(names[0][0])] if names else [None, "–"]
            cells += [f["role"], [f["frequency"], percent(f["frequency"])], swaps]
        cells.append(written(value))
        if direction in ("forward", "backward") and not judged:
            cells.append(written(None if value is None or step["score"] is None else step["score"] - value))
        if judged:
            cells.append([f["p_value"], "–" if f["p_value"] is None else p_value(f["p_value"])])
        if f["missing"] is not None:
            mark = " predicts" if place in {g["place"] for g in summary["missing"]["predictive"]} else ""
            cells.append([f["missing"], percent(f["missing"]) + mark])
        if any(g["like"] is not None for g in features):
            near = next((other for other in f["like"] or () if other["place"] in inside), None)
            cells.append(shown(features[near["place"]]["name"]) if near else "–")
            cells.append(written(near and near["correlation"], "{:.2f}"))
        cells.append([f["from_size"], str(f["from_size"] or "never")])
        expected[shown(f["name"])] = cells
    return expected


def same_rows(rows, expected):
    """Rows of a table, which may not have all of them, against what they have to be."""
    assert len({name for name, *_ in rows}) == len(rows) == min(500, len(expected))
    for name, *cells in rows:
        assert cells == expected[name], name


@pytest.mark.parametrize("case", SELECTIONS)
def test_every_feature_is_as_the_data_say(page, show, case):
    summary = show(case)
    size = summary["search"]["n_selected"]
    same_rows(page.run(SHOWN_TABLES)["feature-table"], feature_rows(page, summary, size))


@pytest.mark.parametrize("case", SLIDING)
def test_everything_follows_the_slider(page, show, case):
    summary = show(case)
    before, sizes, chosen = page.run(STATE), sizes_of(summary), summary["search"]["n_selected"]
    while page.run("return document.activeElement.tagName") in ("BODY", "SUMMARY"):  # warnings that are folded
        page.press("TAB")
    assert page.run("return document.activeElement.id") == "size"
    other = sizes[(sizes.index(chosen) + len(sizes) // 3 + 1) % len(sizes)]
    for size in (sizes[0], other, sizes[-1]):
        page.slide("#size", sizes.index(size))
        inside = {shown(summary["features"][place]["name"]) for place in members(summary, size)}
        rows = page.run(SHOWN_TABLES)["feature-table"]
        same_rows(rows, feature_rows(page, summary, size))
        names = "return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)"
        kept = page.run(names, "#feature-table tr:not(.out) th[scope=row] .name")
        assert set(kept) == inside & {row[0] for row in rows}
        assert page.run(names, "#chips li") == kept[:60]
        assert page.text("#chips-more") == (f"and {size - 60} more" if size > 60 else "")
        assert page.texts("#size-shown, #code-size") == [str(size)] * 2
        follow_in_words(page.text("#step"), size, summary["evidence"])
        assert page.run("return document.querySelector('#back').hidden") is (size == chosen)
        follow_in_charts(page.run(CHARTS), size, sizes, summary)
        step = next(step for step in summary["path"] if step["size"] == size)
        if step["noise_rates"]:
            rates = [row[-1] for row in page.run(SHOWN_TABLES)["class-table"]]
            assert rates == [[rate, percent(rate)] for rate in step["noise_rates"]]
    if sizes[-1] == chosen:
        page.slide("#size", 0)
    page.click("#back")
    assert page.run(STATE) == before
    assert page.console() == []


def follow_in_words(said, size, evidence):
    assert said.startswith(f"{size} feature{'s' if size > 1 else ''}: ")
    if not evidence:
        assert "error" not in said
        return
    near = nearest(evidence["sizes"], size)
    assert f"error on rows left out {with_interval(near['error'], near['error_interval'])}" in said
    assert ("the nearest size" in said) == (near["size"] != size)
    assert near["size"] == size or f"(judged at {near['size']}, the nearest size)" in said


def follow_in_charts(charts, size, sizes, summary):
    """Errors first, if there are any, then the criterion; each for a wide and for a narrow window."""
    evidence = summary["evidence"]
    assert len(charts) == (4 if evidence else 2)
    for place, chart in enumerate(charts):
        is_of_errors = bool(evidence) and place < 2
        x = chart["all"][sizes.index(size)]
        assert sorted(chart["all"]) == chart["all"]
        assert chart["marker"] == [x, x]
        assert (chart["band"], chart["level"]) == ((1, 1) if is_of_errors else (0, 0))
        drawn = nearest(evidence["sizes"], size)["size"] if is_of_errors else size
        assert chart["here"][0] == chart["all"][sizes.index(drawn)]
        point = [place for told, *place in chart["points"] if re.match(f"{drawn} features?:", told)]
        assert point in ([], [chart["here"]])
        assert chart["kept"][0] == chart["all"][sizes.index(summary["search"]["n_selected"])]
        if is_of_errors:
            assert len(chart["points"]) == len(evidence["sizes"])


@pytest.mark.parametrize(("figure", "width"), [("wide", 1440), ("narrow", 390)])
def test_a_click_on_the_chart_goes_to_the_nearest_size(page, show, figure, width):
    sizes = sizes_of(show("backward", width=width))
    for across in (0.01, 0.3, 0.52, 0.99):
        page.click(f"figure.{figure} svg", across=across)
        chart = page.run(CHARTS)[figure == "narrow"]
        at = across * page.run("return document.querySelector(arguments[0]).viewBox.baseVal.width", f".{figure} svg")
        nearest = min(range(len(sizes)), key=lambda i: abs(chart["all"][i] - at))
        assert page.text("#size-shown") == str(sizes[nearest])
        assert page.run("return document.querySelector('#size').value") == str(nearest)


def test_search_finds_what_the_slider_brought(page, show):
    summary = show("backward")
    page.slide("#size", 0)
    (only,) = members(summary, 1)
    page.type("#features input", summary["features"][only]["name"])
    assert len(page.run(SHOWN_TABLES)["feature-table"]) == len(summary["features"])
