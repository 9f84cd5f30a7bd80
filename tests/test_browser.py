"""The browser of the tests sees what a page does wrong, and nothing where a page does nothing wrong."""

import os
import shutil
import struct
import subprocess
from pathlib import Path

import pytest
from browser import Page, find_browser, started
from selenium.common.exceptions import WebDriverException

NOWHERE = "http://127.0.0.1:9"
PHONE = "<meta name=viewport content='width=device-width, initial-scale=1'>"
POLICY = "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; script-src 'unsafe-inline'\">"
LOG = "<script>window.seen = []; const log = e => seen.push(e.type + ' ' + e.target.value)</script>"
TWO_EVENTS = "oninput='log(event)' onchange='log(event)'"


@pytest.fixture(scope="module")
def page():
    with started() as page:
        yield page


@pytest.fixture
def show(page, tmp_path):
    """Open a page of this body."""

    def show(body, **how):
        file = tmp_path / "page.html"
        file.write_text(f"<!doctype html><meta charset=utf-8><title>page</title>{body}", encoding="utf-8")
        page.open(file, **how)
        return page

    return show


def test_a_clean_page_is_silent(show):
    page = show(f"{POLICY}<h1>one</h1><p>two</p><p>three</p><script>console.log('fine')</script>")
    assert page.console() == []
    assert page.requests() == []
    assert page.text("h1") == "one"
    assert page.texts("p") == ["two", "three"]
    assert page.texts("table") == []


COMPLAINTS = {
    "in the page": {
        "<script>console.error('oh')</script>": "oh",
        "<script>console.warn('hm')</script>": "hm",
        "<script>throw new Error('not caught')</script>": "not caught",
        "<script>setTimeout(() => { throw new Error('late') })</script>": "late",
        "<script>Promise.reject(new Error('refused'))</script>": "refused",
        "<script>new Worker(URL.createObjectURL(new Blob(['throw 4'])))</script>": "Uncaught 4",
    },
    "against the policy": {
        f"{POLICY}<style>p {{ color: red }}</style>": "style",
        f"<script>fetch('{NOWHERE}/y').catch(() => 0)</script>": "Content Security Policy",
    },
}


@pytest.mark.parametrize("name", COMPLAINTS)
def test_a_complaint_is_heard(show, name):
    page = show("".join(COMPLAINTS[name]))
    for _ in range(500):  # a worker takes its time to start
        if len(messages := page.console()) >= len(COMPLAINTS[name]):
            break
    for body, words in COMPLAINTS[name].items():
        assert any(words in message for message in messages), (body, messages)
    assert page.console() == messages


FONT = f"<style>@font-face {{ font-family: f; src: url({NOWHERE}/font) }} p {{ font-family: f }}</style><p>x</p>"
REQUESTS = {
    "in the page": {
        f"<img src='{NOWHERE}/image'>": f"{NOWHERE}/image",
        f"<link rel=stylesheet href='{NOWHERE}/sheet'>": f"{NOWHERE}/sheet",
        FONT: f"{NOWHERE}/font",
        f"<iframe src='{NOWHERE}/frame'></iframe>": f"{NOWHERE}/frame",
        f"<script>fetch('{NOWHERE}/fetch').catch(() => 0)</script>": f"{NOWHERE}/fetch",
        f"<script>navigator.sendBeacon('{NOWHERE}/beacon')</script>": f"{NOWHERE}/beacon",
        "<script>new WebSocket('ws://127.0.0.1:9/socket')</script>": "ws://127.0.0.1:9/socket",
        "<script src='beside.js'></script>": "file://",
        "<script>new Image().src = URL.createObjectURL(new Blob(['x']))</script>": "blob:",
        "<script>fetch('data:text/plain,x')</script>": "data:text/plain,x",
    },
    "against the policy": {f"{POLICY}<img src='{NOWHERE}/x'>": f"{NOWHERE}/x"},
}


@pytest.mark.parametrize("name", REQUESTS)
def test_a_request_is_listed(show, name):
    page = show("".join(REQUESTS[name]))
    for _ in range(500):
        if len(asked := page.requests()) >= len(REQUESTS[name]):
            break
    for body, url in REQUESTS[name].items():
        assert sum(seen.startswith(url) for seen in asked) == 1, (body, asked)
    assert len(asked) == len(REQUESTS[name])
    assert page.requests() == asked


def test_a_page_may_be_opened_without_its_scripts(show):
    body = "<p>x</p><noscript><b>no</b></noscript><script>document.querySelector('p').append('y')</script>"
    page = show(body, scripts=False)
    assert page.texts("p, b") == ["x", "no"]
    assert page.console() == []
    assert page.requests() == []
    page = show(body)
    assert page.texts("p, b") == ["xy"]


def test_a_page_opened_next_starts_afresh(show):
    page = show(f"<img src='{NOWHERE}/x.png'><script>console.error('oh'); localStorage.seen = 1</script>", dark=True)
    assert page.console()
    assert page.requests()
    page.emulate_print()
    page = show("<p>clean</p>")
    assert page.console() == []
    assert page.requests() == []
    assert page.run("return localStorage.seen === undefined")
    assert page.run("return matchMedia('screen and (prefers-color-scheme: light)').matches")


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1440, 900)])
def test_the_viewport_is_exact(show, width, height):
    page = show(f"{PHONE}<p>x</p>", width=width, height=height)
    assert page.run("return [innerWidth, innerHeight, devicePixelRatio]") == [width, height, 1]
    assert page.run("return document.documentElement.clientWidth") == width
    if width == 390:  # a phone takes a page that does not speak of the viewport for a wide one
        assert show("<p>x</p>", width=width).run("return document.documentElement.clientWidth") == 980


@pytest.mark.parametrize(("width", "content"), [(390, 390), (390, 391), (390, 1000), (1440, 1000)])
def test_overflow_is_what_sticks_out(show, width, content):
    body = f"{PHONE}<style>body {{ margin: 0 }} div {{ width: {content}px; height: 9px }}</style><div></div>"
    overflow, expected = show(body, width=width).width_overflow(), max(0, content - width)
    assert (overflow > 0) == (expected > 0)
    assert overflow in (expected, expected + (expected > 100))  # zooming out rounds


def test_the_scheme_and_the_medium(show):
    sheet = """<style>p { color: rgb(1, 1, 1) }
    @media (prefers-color-scheme: dark) { p { color: rgb(2, 2, 2) } }
    @media print { p { color: rgb(3, 3, 3) } }</style>"""
    page = show(f"{sheet}<p>x</p>", dark=True)

    def shade():
        return page.run("return getComputedStyle(document.querySelector('p')).color")

    assert shade() == "rgb(2, 2, 2)"
    page.set_dark(False)
    assert shade() == "rgb(1, 1, 1)"
    page.emulate_print(True)
    assert shade() == "rgb(3, 3, 3)"
    page.emulate_print(False)
    page.set_dark(True)
    assert shade() == "rgb(2, 2, 2)"


def test_a_slider_moves_and_says_so(show):
    page = show(f"{LOG}<input type=range value=50 {TWO_EVENTS}>")
    page.slide("input", 50)
    assert page.run("return seen") == []
    for value in (0, 1, 48, 53, 100):
        page.slide("input", value)
        assert page.run("return document.querySelector('input').value") == str(value)
        assert page.run("return seen.slice(-2)") == [f"input {value}", f"change {value}"]


def test_a_slider_of_fractions(show):
    cases = {"0.05": 0.3, "0.001": 0.7, "any": 0.123}
    bodies = (f"<input type=range min=0 max=1 value=0.2 step={step} {TWO_EVENTS}>" for step in cases)
    page = show(LOG + "".join(bodies))
    for step, value in cases.items():
        page.slide(f"input[step='{step}']", value)
        assert page.run("return seen.at(-1)") == f"change {value}"


def test_a_slider_that_cannot_go_there(show):
    page = show("<input type=range min=0 max=10 step=2>")
    with pytest.raises(ValueError, match="not to 3: it goes from 0 to 10 by 2"):
        page.slide("input", 3)


def test_clicks_and_keys(show):
    page = show(f"""{LOG}<button onclick="this.textContent = 'clicked'">wait</button><div style="height: 3000px"></div>
    <input type=search value=old {TWO_EVENTS}><button id=last>last</button>""")
    page.click("button")
    assert page.text("button") == "clicked"
    page.type("input", "new")
    assert page.run("return seen") == ["input ", "input n", "input ne", "input new"]
    page.press("TAB")
    assert page.run("return [seen.at(-1), document.activeElement.id]") == ["change new", "last"]
    page.type("input", "")
    assert page.run("return document.querySelector('input').value") == ""
    page = show("<div style='width: 200px; height: 9px' onclick='at = event.offsetX'></div>")
    for across in (0, 0.25, 0.5, 0.995):
        page.click("div", across=across)
        assert page.run("return at") == 200 * across


def test_pictures_of_the_page(show, tmp_path):
    page = show("<style>body { margin: 0 } div { height: 2500px }</style><div></div>", width=390, height=700)
    for full, height in ((True, 2500), (False, 700)):
        png = page.screenshot(tmp_path / "page.png", full=full).read_bytes()
        assert struct.unpack(">II", png[16:24])[1] == height
    assert page.print_to_pdf(tmp_path / "page.pdf").read_bytes().startswith(b"%PDF-")


def test_nothing_is_left_behind(page):
    with started() as other:
        folder = Path(other.folder)
        assert any(folder.iterdir())
        chromedriver = other.driver.service.process
    assert not folder.exists()
    assert chromedriver.poll() is not None


def test_a_browser_that_does_not_start_is_an_error(page):
    with pytest.raises(WebDriverException):
        Page(shutil.which("false"), find_browser()[1])


@pytest.mark.parametrize(("named", "paths"), [("", None), ("/a/chromium /a/driver", ["/a/chromium", "/a/driver"])])
def test_the_browser_named_is_the_one_used(monkeypatch, named, paths):
    monkeypatch.setenv("TAMIS_BROWSER", named)
    assert find_browser() == paths


def test_without_a_browser_the_tests_are_skipped(monkeypatch, tmp_path):
    monkeypatch.delenv("TAMIS_BROWSER", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(pytest.skip.Exception, match="apt-get install chromium chromium-driver"), started():
        pass


@pytest.mark.skipif(os.name != "posix", reason="a shell script")
@pytest.mark.parametrize("programs", [["chromium", "chromedriver"], ["google-chrome", "chromedriver"], []])
def test_the_script_finds_a_browser_or_says_what_to_install(tmp_path, programs):
    for name in programs:
        (tmp_path / name).write_text("")
        (tmp_path / name).chmod(0o755)
    # With nothing else on PATH the script cannot install anything.
    run = subprocess.run(
        [shutil.which("sh"), Path(__file__).with_name("browser.sh")],
        env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert run.stdout.split() == [str(tmp_path / name) for name in programs]
    assert ("apt-get install" in run.stderr) is not bool(programs)
