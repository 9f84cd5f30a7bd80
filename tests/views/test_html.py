"""The page is one harmless file: the same for the same summary, whatever the names in it, and without any request."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import pytest
from counting import growth
from report_cases import APART, CASES, EVIL, html_of, summary_of

from tamis.views import explaining
from tamis.views.explaining import MOST_ROWS
from tamis.views.html import page

TAGS = {
    *("html", "head", "meta", "title", "link", "style", "body", "header", "main", "section", "footer", "noscript"),
    *("h1", "h2", "h3", "p", "div", "span", "strong", "small", "code", "pre", "ul", "li", "details", "summary", "i"),
    *("label", "input", "output", "button", "figure", "script"),
    *("table", "thead", "tbody", "tr", "th", "td"),
    *("svg", "path", "line", "circle", "polygon", "text"),
}
ATTRIBUTES = {
    *("id", "class", "lang", "charset", "name", "content", "http-equiv", "rel", "for", "title", "role"),
    *("placeholder", "autocomplete"),
    *("type", "min", "max", "value", "step", "disabled", "hidden", "scope", "style", "aria-label", "aria-live"),
    *("aria-describedby", "aria-hidden", "tabindex", "viewbox", "width", "height", "d", "points", "stroke-width"),
    *("x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "text-anchor"),
}
PLACES = {"href": {"data:,"}}
"""What leads somewhere, and where it may lead."""


class Read(HTMLParser):
    """Tags with their attributes, and the text between them."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.said, self.scripts = [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data):
        if self.tags and self.tags[-1][0] == "script" and self.cdata_elem == "script":
            self.scripts[-1] += data
        else:
            self.said.append(data)

    def handle_comment(self, data):
        pytest.fail(f"a comment: {data[:40]!r}")


@pytest.mark.parametrize("kind", [*CASES, *APART])
def test_the_same_summary_gives_the_same_page(kind):
    summary, text = summary_of(kind), html_of(kind)
    assert page(json.loads(json.dumps(summary))) == text
    assert text.encode().decode() == text


@pytest.mark.parametrize("kind", [*CASES, *APART])
def test_only_the_tags_and_attributes_of_the_page_are_there(kind):
    read = Read(html_of(kind))
    for tag, attributes in read.tags:
        assert tag in TAGS
        for name, value in attributes.items():
            assert name in ATTRIBUTES or name.startswith("data-") or value in PLACES[name]
            assert not re.search(r"url\(|expression", value or "") or name.startswith(("data-", "title"))
    assert len(read.scripts) == 2


@pytest.mark.parametrize("kind", [*CASES, *APART])
def test_nothing_but_its_own_script_may_run_and_nothing_is_asked_for(kind):
    read = Read(html_of(kind))
    policy = next(a["content"] for t, a in read.tags if t == "meta" and "http-equiv" in a)
    script = read.scripts[1].encode()
    assert f"script-src 'sha256-{base64.b64encode(hashlib.sha256(script).digest()).decode()}'" in policy
    assert "default-src 'none'" in policy
    assert "unsafe-eval" not in policy
    assert not [a for _, a in read.tags if "src" in a]


@pytest.mark.parametrize("kind", [*CASES, *APART])
def test_the_data_are_the_summary(kind):
    summary, text = summary_of(kind), html_of(kind)
    data = Read(text).scripts[0]
    assert json.loads(data) == summary
    assert data.isascii()
    assert not set(data) & set("<>&")


def test_names_are_text_and_nothing_else():
    """As they are in the summary, cut and written out; no part of them has become anything else."""
    text = html_of("hostile")
    body = re.sub(r"<(script|style).*?</\1>", "", text, flags=re.DOTALL)
    for evil in EVIL[:3]:
        assert evil not in body
    read = Read(text)
    said = " ".join(read.said)
    assert EVIL[0] in said
    assert EVIL[1] in said
    assert "{{ 7 * 7 }}" in said
    assert not re.search("[\x00\x1b\u2028\u202e\udc80]", text)
    assert "x" * 1000 not in said
    assert not [a for _, a in read.tags if any(name.startswith("on") for name in a)]


def test_hostile_tables_have_as_many_cells_as_others():
    read = Read(html_of("hostile"))
    rows = [a for t, a in read.tags if t == "tr" and "data-place" in a]
    assert [int(a["data-place"]) for a in rows][:1] == [0]
    assert len(rows) == len(EVIL)


def large_summary(n):
    """Of a selection from n features, as far as the page needs it."""
    names = [f"gene {f}" for f in range(n)]
    step = {"score": 0.1, "adds": None, "noise_rates": None}
    path = [{"size": n, "moved": [], **step}]
    path += [{"size": size, "moved": [names[size]], **step} for size in range(n - 1, 0, -1)]
    keys = ("role", "frequency", "frequency_over_sizes", "swaps", "p_value", "missing", "group", "n_categories")
    unknown = dict.fromkeys(keys)
    feature = {**unknown, "score": 0.1}
    features = [
        {"name": names[f], "selected": f < 10, "rank": max(1, f - 8), "from_size": f + 1, "like": [], **feature}
        for f in range(n)
    ]
    small = summary_of("backward")
    parameters = {"divergence": "wasserstein", "n_features_to_select": 10, "required_features": None, "alpha": 0.05}
    return small | {
        "asked": {"selector": "BlanketSelector", "parameters": parameters, "imports": []},
        "data": small["data"] | {"n_features": n},
        "selected": names[:10],
        "search": {"direction": "blanket", "start": names, "n_selected": 10, "n_compared": 300},
        "evidence": None,
        "features": features,
        "path": path,
    }


def test_of_thousands_of_features_the_best_are_listed():
    n = 4000
    text = page(large_summary(n))
    rows = [int(a["data-place"]) for t, a in Read(text).tags if t == "tr" and "data-place" in a]
    assert sorted(rows) == list(range(MOST_ROWS))
    assert f"{n - MOST_ROWS} more are in selection.json" in " ".join(text.split()).replace(",", "")


def test_work_on_a_page_grows_as_the_number_of_features(monkeypatch):
    monkeypatch.setattr(explaining, "MOST_ROWS", 10)
    summaries = {n: large_summary(n) for n in (100, 400)}
    page(summaries[100])  # templates are compiled once
    assert growth(lambda n: lambda: page(summaries[n]), *summaries) < 1.1
