"""In the browser every table of a report has the numbers of its data, in any order and after any search."""

import json
import re

import pytest
from browser import SHOWN_TABLES
from report_cases import CASES, EVIL

from tamis.views._words import ends_of, percent, shown

SORTED = ["backward", "crowd", "hierarchy", "groups", "audit", "hostile", "many_classes"]

PRESSED = (
    "const [id, i] = arguments; document.getElementById(id).tHead.rows[0].cells[i].querySelector('button').click()"
)
HEADS = """return [...document.querySelectorAll(`#${arguments[0]} thead th`)].map(th => th.getAttribute("aria-sort"))"""
HEAT = """return [...document.querySelectorAll("table.heat tbody tr")].map(row =>
[...row.querySelectorAll("td")].map(cell => cell.textContent))"""


def other_rows(summary):
    """Every other table as it has to be, in the order of the summary."""
    labels = summary["labels"] or {}
    share, count = (
        (lambda v: [v, "–" if v is None else percent(v)]),
        (lambda v: [v, f"{v:,.{0 if abs(v - round(v)) < 1e-6 else 1}f}"]),
    )
    short, digits = (lambda v: [v, f"{v:.3g}"]), (lambda v: [v, f"{v:.2f}"])
    tables = {}
    if summary["labels"] and summary["classes"]:
        tables["class-table"] = [[shown(c["name"]), count(c["rows"])] for c in summary["classes"]]
    if labels.get("rates"):
        for row, c in zip(tables["class-table"], labels["rates"], strict=True):
            row += [share(c["share"]), share(c["rate"])]
    if labels.get("annotators"):
        tables["annotator-table"] = [
            [
                shown(a["name"]),
                count(a["answers"]),
                share(a["reliability"]),
                [a["low"], ends_of(a["reliability"], (a["low"], a["high"]))],
                shown(a["note"]) if a["note"] else "",
            ]
            for a in sorted(labels["annotators"], key=lambda a: a["note"] is None)
        ]
    if labels.get("n_ask_next"):
        tables["ask-table"] = [
            [
                [r["row"], str(r["row"])],
                shown(r["likely"]),
                digits(r["p_likely"]),
                shown(r["second"]),
                digits(r["p_second"]),
                short(r["gain"]),
            ]
            for r in labels["ask_next"]
            if r["gain"] > 0
        ]
    if labels.get("suspects"):
        tables["suspect-table"] = [
            [
                [r["row"], str(r["row"])],
                shown(r["recorded"]),
                shown(r["likely"]),
                digits(r["p_wrong"]),
                digits(r["p_likely"]),
            ]
            for r in labels["suspects"]
        ]
    for name, confusions in {
        "confusion-table": labels.get("confusions"),
        "cost-table": (summary.get("class_distance") or {}).get("confusions"),
    }.items():
        if confusions:
            last = {"confusion-table": lambda c: [*ends(c), [c["rows"], f"{c['rows']:.0f}"]]}
            numbers = last.get(name, lambda c: [short(c["distance"]), short(c["cost"])])
            tables[name] = [[shown(c["true"]), shown(c["recorded"]), share(c["rate"]), *numbers(c)] for c in confusions]
    return tables


def ends(confusion):
    """A cell with the interval, of noisy labels."""
    low, high = confusion["low"], confusion["high"]
    return [] if low is None else [[low, ends_of(confusion["rate"], (low, high))]]


@pytest.mark.parametrize("case", CASES)
def test_every_number_is_that_of_the_data(page, show, case):
    summary = show(case)
    assert json.loads(page.run("return document.getElementById('summary').textContent")) == summary
    tables, heat = page.run(SHOWN_TABLES), page.run(HEAT)
    tables.pop("feature-table", None)
    expected = other_rows(summary)
    assert tables == expected
    names = [shown(c["name"]) for c in summary["classes"] or ()]
    rates = {(true, recorded): text for true, recorded, (_, text), *_ in expected.get("confusion-table", ())}
    assert heat in ([], [["" if s == t else rates.get((s, t), "·") for t in names] for s in names])
    assert bool(heat) == bool(rates and len(names) <= 20)


def natural(text):
    """Words as people sort them: numbers in them by their size."""
    return [(part.isdigit(), int(part) if part.isdigit() else part.lower()) for part in re.split(r"(\d+)", text)]


@pytest.mark.parametrize("case", SORTED)
def test_tables_sort_by_every_column(page, show, case):
    show(case)
    tables = page.run(SHOWN_TABLES)
    for table, rows in tables.items():
        for column in range(len(rows[0])):
            seen = {}
            for _ in range(2):
                page.run(PRESSED, table, column)
                told = page.run(HEADS, table)
                assert [i for i, direction in enumerate(told) if direction] == [column]
                after = page.run(SHOWN_TABLES)[table]
                assert sorted(map(str, after)) == sorted(map(str, rows))
                seen[told[column]] = [row[column] for row in after]
            up, down = seen["ascending"], seen["descending"]
            if isinstance(up[0], list):
                known = sorted(cell[0] for cell in up if cell[0] is not None)
                unknown = [None] * (len(up) - len(known))
                assert [cell[0] for cell in up] == known + unknown
                assert [cell[0] for cell in down] == known[::-1] + unknown
            else:
                assert down == up[::-1]
                assert case == "hostile" or up == sorted(up, key=natural)


def test_tables_sort_by_keyboard(page, show):
    show("backward")
    page.run("document.querySelector('#class-table thead button').focus()")
    page.press("ENTER")
    assert [row[0] for row in page.run(SHOWN_TABLES)["class-table"]] == ["Barbera", "Barolo", "Grignolino"]
    page.press("ENTER")
    assert [row[0] for row in page.run(SHOWN_TABLES)["class-table"]] == ["Grignolino", "Barolo", "Barbera"]
    page.press("TAB", " ")
    assert [row[1][0] for row in page.run(SHOWN_TABLES)["class-table"]] == [65, 60, 53]


def test_search(page, show):
    suspects = other_rows(show("backward"))["suspect-table"]
    box, found = "#suspects input", "#suspects .found"
    texts = ["\n".join(cell if isinstance(cell, str) else cell[1] for cell in row).lower() for row in suspects]
    row = str(suspects[3][0][0])
    for query in ("Barolo", row, f"  {row} ", "barolo GRIG", "nobody", "barolo nobody", ""):
        page.type(box, query)
        fits = [r for r, text in zip(suspects, texts, strict=True) if all(w in text for w in query.lower().split())]
        assert page.run(SHOWN_TABLES)["suspect-table"] == fits
        assert page.text(found) == (f"{len(fits)} of {len(suspects)}" if query else "")
    page.type("#features input", "cellar")
    assert [cells[0] for cells in page.run(SHOWN_TABLES)["feature-table"]] == ["cellar"]


def test_search_for_a_part_of_a_hostile_name(page, show):
    show("hostile")
    for part, place in {"src=x": 1, "7 * 7": 3, "<!--": 6, "&lt;b": 6, "\\x1b[31m": 4, "quoted' \\n": 7}.items():
        page.type("#features input", part)
        names = [cells[0] for cells in page.run(SHOWN_TABLES)["feature-table"]]
        assert shown(EVIL[place]) in names
        assert len(names) < len(EVIL)
