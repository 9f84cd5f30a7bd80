"""A report in the browser: silent, readable at any width, the same without scripts, on paper, and light when large."""

import re
from html.parser import HTMLParser
from itertools import product

import numpy as np
import pytest
from matplotlib.image import imread
from report_cases import CASES, EVIL, html_of, summary_of

from tamis.views._words import shown

DATA = re.compile(r'<script type="application/json" id="summary">(.*?)</script>', re.DOTALL)
ABROAD = ("http:", "https:", "//", "preconnect", "@import", "url(", "srcset", "<base", "http-equiv=refresh")

# Text below this many pixels is not read; in a drawing the size is that on the screen.
SMALLEST = """const sizes = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walk.nextNode()) { const text = walk.currentNode, e = text.parentElement;
if (!text.data.trim() || !e.checkVisibility({visibilityProperty: true}) || e.closest("title")) continue;
sizes.push(parseFloat(getComputedStyle(e).fontSize) * (e.getScreenCTM ? e.getScreenCTM().a : 1)) }
return Math.min(...sizes)"""
# The least contrast between a text and what is behind it, as WCAG 2 has it; a mixed colour is not looked at.
CONTRAST = """const shade = css => css.match(/^rgba?\\((.*)\\)$/)?.[1].split(",").map(Number);
const light = rgb => rgb.slice(0, 3).map(v => v / 255).map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
.reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
let least = 21;
for (const e of document.querySelectorAll("h1, h2, h3, p, span, li, th, td, small, output, label, button, pre")) {
if (!e.checkVisibility() || !e.textContent.trim()) continue;
let under = e, behind = null;
while (under && !behind) { const back = shade(getComputedStyle(under).backgroundColor);
if (!back) break; if (back[3] !== 0) behind = back; under = under.parentElement }
const ink = shade(getComputedStyle(e).color);
if (!behind || !ink) continue;
const [a, b] = [light(ink), light(behind)].sort((x, y) => y - x);
least = Math.min(least, (a + .05) / (b + .05)) }
return least"""
HEAD = "const b = document.querySelector('h1').getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]"
STRANGE = "img, iframe, object, embed, form, base, audio, video, svg[onload], [onerror], [onload], [onclick], [src]"
UNFOLD = "document.querySelectorAll('details').forEach(details => { details.open = true })"
# How many changes of the document follow a move.
MOVE = """const slider = document.querySelector("#size"), watch = new MutationObserver(() => 0);
slider.value = arguments[0];
watch.observe(document.body, {subtree: true, childList: true, attributes: true, characterData: true});
slider.dispatchEvent(new Event("input", {bubbles: true})); document.body.getBoundingClientRect();
const n = watch.takeRecords().length; watch.disconnect(); return n"""


@pytest.mark.parametrize(("case", "width"), [*product(CASES, [390, 1440]), ("as_it_is", 390)])
def test_a_report_is_silent_and_readable(page, show, case, width):
    show(case, width=width, height=844)
    page.run(UNFOLD)
    left, top, right, bottom = page.run(HEAD)
    assert 0 <= left < right <= width
    assert 0 <= top < bottom <= 844
    assert page.run("return [document.scripts.length, document.querySelectorAll('h1').length]") == [2, 1]
    assert page.run("return document.querySelectorAll(arguments[0]).length", STRANGE) == 0
    assert page.run(SMALLEST) >= 11
    for dark in (False, True):
        page.set_dark(dark)
        assert page.width_overflow() == 0
        assert page.run(CONTRAST) >= 4.5
    assert page.requests() == []
    assert page.console() == []


class Tags(HTMLParser):
    """Every tag of a page and every attribute with its values."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.attributes = set(), {}
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        for name, value in attrs:
            self.attributes.setdefault(name, set()).add(value)


@pytest.mark.parametrize("case", CASES)
def test_a_report_names_nothing_outside_itself(case):
    html = html_of(case)
    (data,) = DATA.findall(html)
    assert not set("<>&") & set(data)
    assert data.isascii()
    rest = DATA.sub("", html).lower()
    assert [words for words in ABROAD if words in rest.replace("</", "<").replace(" // ", " ")] == []
    found = Tags(html)
    assert not found.tags & {"img", "iframe", "object", "embed", "form", "base", "a", "audio", "video"}
    assert found.attributes["href"] == {"data:,"}
    assert not [name for name in found.attributes if name.startswith("on") or name in ("src", "action", "xlink:href")]


def test_hostile_names_add_no_element_and_are_there_as_text(page, show):
    harmless, hostile = Tags(html_of("backward")), Tags(html_of("hostile"))
    assert hostile.tags - harmless.tags == {"strong"}  # of a warning
    assert set(hostile.attributes) <= {*harmless.attributes, "title"}
    show("hostile")
    page.slide("#size", len(EVIL) - 1)
    chips = page.run("return [...document.querySelectorAll('#chips li')].map(chip => chip.textContent)")
    assert sorted(chips) == sorted(shown(name) for name in EVIL)
    warnings = page.run("return [...document.querySelectorAll('.warning')].map(told => told.textContent)")
    assert warnings == [f"Warning. {shown(said, 1000)}" for said in EVIL]
    assert page.run("return document.title") == f"tamis: {shown(EVIL[0], 80)}"
    assert page.console() == []


@pytest.mark.parametrize("case", ["backward", "audit", "own_probabilities", "not_known", "crowd_audit"])
def test_a_report_without_scripts(page, show, case):
    summary = show(case, scripts=False)
    assert page.text("h1")
    assert page.run("return document.querySelectorAll('thead button').length") == 0
    assert "Without JavaScript" in page.text(".noscript")
    assert all(page.texts("#class-table tbody tr"))
    if case == "backward":
        assert sorted(page.texts("#chips li")) == sorted(summary["selected"])
        assert len(page.texts("#feature-table tbody tr")) == len(summary["features"])
        assert page.run("return document.querySelector('figure.wide .score').getBoundingClientRect().width") > 300
    assert page.console() == []
    assert page.requests() == []


@pytest.mark.parametrize("case", ["backward", "many_classes"])
def test_a_report_on_paper(page, show, case, tmp_path):
    show(case, dark=True)
    pdf = page.print_to_pdf(tmp_path / "report.pdf").read_bytes()
    assert 1 < len(re.findall(rb"/Type\s*/Page\b", pdf)) < 40
    page.emulate_print()
    assert page.run("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.run(CONTRAST) >= 4.5
    hidden = "#size, #back, input[type=search]"
    assert (
        page.run("return [...document.querySelectorAll(arguments[0])].some(e => e.checkVisibility())", hidden) is False
    )


@pytest.mark.parametrize("width", [390, 1440])
def test_a_picture_of_a_report(page, show, width, tmp_path):
    show("backward", width=width)
    picture = imread(page.screenshot(tmp_path / "report.png"))
    assert abs(picture.shape[1] - width) <= 20  # a scroll bar
    assert picture.shape[0] > 1500
    colours = np.unique((picture[..., :3].reshape(-1, 3) * 255).astype(int) @ [1, 256, 65536])
    assert len(colours) > 50


def test_a_large_report_does_little_at_a_move(page, tmp_path):
    summary = summary_of("large")
    assert (len(summary["features"]), len(summary["labels"]["suspects"])) == (300, 1000)
    html = html_of("large")
    assert len(html.encode()) < 3e6
    file = tmp_path / "large.html"
    file.write_text(html, encoding="utf-8")
    page.open(file)
    before = page.counts()
    changes = [page.run(MOVE, index) for index in (0, 40, 150, 299)]
    after = page.counts()
    assert max(changes) < 15 * 300  # a few in each row of the table of features
    assert after["LayoutCount"] - before["LayoutCount"] <= 2 * len(changes)
    assert page.run("return document.querySelectorAll('*').length") < 50_000
    assert page.text("#size-shown") == "300"
    assert page.width_overflow() == 0
    assert page.console() == []
