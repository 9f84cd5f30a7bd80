"""A page in a real browser, for tests: Chromium without a window, driven through chromedriver.

What the page complains of (`console`) and asks for (`requests`) is kept since the last `open`.
Not seen: a `preconnect` hint, an image in a `data:` URL, and what a worker fetches (its script and its errors are).
"""

import base64
import json
import os
import shutil
import tempfile
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from selenium.common.exceptions import SessionNotCreatedException
from selenium.webdriver import ActionChains, Chrome, ChromeOptions, Keys
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--no-proxy-server",
]
MISSING = "needs Chromium and chromedriver (on Debian: apt-get install chromium chromium-driver)"
NARROW = 600  # below this many pixels the browser behaves as on a phone
FEW_STEPS = 25

TWO_FRAMES = "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))"
RANGE = """const e = arguments[0]; e.focus();
return [e.min || 0, e.max || 100, e.step || 1, e.value].map(value => Number(value) || 0)"""
SET_RANGE = """const [e, value] = arguments; e.value = value;
for (const name of ["input", "change"]) e.dispatchEvent(new Event(name, {bubbles: true}))"""

SHOWN_TABLES = """return Object.fromEntries([...document.querySelectorAll("table.sortable")].map(table => [table.id,
[...table.tBodies[0].rows].filter(row => row.checkVisibility()).map(row => [...row.cells].map(cell => {
const name = cell.querySelector(".name"), text = (name || cell).textContent.trim();
return cell.dataset.v === undefined ? text : [cell.dataset.v === "" ? null : Number(cell.dataset.v), text] }))]))"""


def find_browser() -> list[str] | None:
    """The paths of Chromium and chromedriver: those of TAMIS_BROWSER, else those on PATH; None if there are none."""
    if (named := os.environ.get("TAMIS_BROWSER")) is not None:
        return named.split() or None
    chromium, driver = next(filter(None, map(shutil.which, BROWSERS)), None), shutil.which("chromedriver")
    return [chromium, driver] if chromium and driver else None


@contextmanager
def started():
    """A `Page`, or a skipped test where no browser is installed. A browser that does not start is an error."""
    paths = find_browser()
    if paths is None:
        pytest.skip(MISSING)
    chromium, driver = paths
    page = Page(chromium, driver)
    try:
        yield page
    finally:
        page.close()


class Page:
    """One browser window. Elements are named by CSS selectors; the first match is meant."""

    def __init__(self, chromium: str, chromedriver: str):
        with ExitStack() as stack:
            # A browser on its way out may still write while its folder is removed.
            self.folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="tamis-", ignore_cleanup_errors=True))
            patch = stack.enter_context(pytest.MonkeyPatch.context())
            for name in ("no_proxy", "NO_PROXY"):  # chromedriver is on this machine, whatever the proxy
                patch.setenv(name, "localhost,127.0.0.1", prepend=",")
            self.driver = _start(chromium, chromedriver, self.folder)
            stack.callback(self.driver.quit)
            self._stack = stack.pop_all()
        self._url = ""
        self._console: list[str] = []
        self._requests: list[str] = []

    def close(self):
        self._stack.close()

    def open(self, file, *, width=1440, height=900, dark=False, scripts=True):
        """Load a file into a viewport of exactly this size, with no memory of pages before it.

        Without `scripts` those of the page do not run; `run` still does.
        """
        self._let_run(True)
        self.driver.get("about:blank")
        self._listen()
        self._console, self._requests = [], []
        self._command("Storage.clearDataForOrigin", origin="file://", storageTypes="all")
        self._media = {"media": "", "dark": dark}
        self._emulate()
        self._command(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < NARROW
        )
        self._let_run(scripts)
        self._url = Path(file).resolve().as_uri()
        self.driver.get(self._url)

    def set_dark(self, dark=True):
        self._emulate(dark=dark)

    def emulate_print(self, on=True):
        self._emulate(media="print" if on else "")

    def console(self) -> list[str]:
        """Warnings and errors since `open`: logged, thrown and not caught, not loaded, or against the policy."""
        self._listen()
        return list(self._console)

    def requests(self) -> list[str]:
        """Every URL asked for since `open`, blobs and sockets too, except the page itself."""
        self._listen()
        return list(self._requests)

    def run(self, js, *args):
        """The value that a function body returns."""
        return self.driver.execute_script(js, *args)

    def counts(self) -> dict[str, float]:
        """What the browser counts, such as `LayoutCount`; of all pages that it still holds."""
        self._command("Performance.enable")
        return {count["name"]: count["value"] for count in self._command("Performance.getMetrics")["metrics"]}

    def text(self, css) -> str:
        return self._find(css).text

    def texts(self, css) -> list[str]:
        return [element.text for element in self.driver.find_elements(By.CSS_SELECTOR, css)]

    def click(self, css, *, across=0.5):
        """Click in the middle, or this far across, as a share of the width."""
        element = self._find(css)
        self.run("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", element)
        aside = round((across - 0.5) * element.rect["width"])
        if aside:
            ActionChains(self.driver, duration=0).move_to_element_with_offset(element, aside, 0).click().perform()
        else:
            element.click()

    def press(self, *keys):
        """Send keys, each a character or a name as "TAB", to whatever has the focus."""
        ActionChains(self.driver).send_keys(*(getattr(Keys, key, key) for key in keys)).perform()

    def type(self, css, text):
        """Replace what a field holds, key by key."""
        self.click(css)
        ActionChains(self.driver).key_down(Keys.CONTROL).send_keys("a").key_up(Keys.CONTROL).perform()
        self.press("DELETE", *text)

    def slide(self, css, value):
        """Move a slider: with the keyboard, or at once where that would take many keys."""
        element = self._find(css)
        low, high, step, now = self.run(RANGE, element)
        n_steps = round((value - now) / step) if step else FEW_STEPS + 1  # step="any" counts none
        if value in (low, high):
            self.press("HOME" if value == low else "END")
        elif abs(n_steps) <= FEW_STEPS:
            self.press(*["ARROW_RIGHT" if n_steps > 0 else "ARROW_LEFT"] * abs(n_steps))
        else:
            self.run(SET_RANGE, element, value)
        reached = float(element.get_property("value"))
        if abs(reached - value) > 1e-9 * max(1, abs(value)):
            raise ValueError(
                f"the slider {css} went to {reached:g}, not to {value:g}: it goes from {low:g} to {high:g} by {step:g}"
            )

    def width_overflow(self) -> int:
        """By how many pixels the page is wider than the window; a phone that zooms out may add one."""
        return self.run("const e = document.documentElement; return e.scrollWidth - e.clientWidth")

    def screenshot(self, path, *, full=True) -> Path:
        """Write a PNG file of the whole page, or of what the window shows."""
        return _write(path, self._command("Page.captureScreenshot", captureBeyondViewport=full))

    def print_to_pdf(self, path) -> Path:
        return _write(path, self._command("Page.printToPDF", printBackground=True, preferCSSPageSize=True))

    def _find(self, css):
        return self.driver.find_element(By.CSS_SELECTOR, css)

    def _command(self, name, **arguments):
        return self.driver.execute_cdp_cmd(name, arguments)

    def _emulate(self, **changes):
        self._media |= changes
        scheme = {"name": "prefers-color-scheme", "value": "dark" if self._media["dark"] else "light"}
        self._command("Emulation.setEmulatedMedia", media=self._media["media"], features=[scheme])

    def _let_run(self, scripts):
        self._scripts = scripts
        self._command("Emulation.setScriptExecutionDisabled", value=not scripts)

    def _listen(self):
        """Take over the logs, which chromedriver gives once only, after what the page had to do next."""
        if self._scripts:
            self.driver.execute_async_script(TWO_FRAMES)
        self._console += [e["message"] for e in self.driver.get_log("browser") if e["level"] in ("WARNING", "SEVERE")]
        for entry in self.driver.get_log("performance"):
            event = json.loads(entry["message"])["message"]
            if event["method"] == "Network.webSocketCreated":
                self._requests.append(event["params"]["url"])
            elif event["method"] == "Network.requestWillBeSent":
                url = event["params"]["request"]["url"]
                if (event["params"].get("type"), url) != ("Document", self._url):
                    self._requests.append(url)


def _start(chromium, chromedriver, folder):
    # A home of its own: no settings of the user are read, and none are written.
    places = dict.fromkeys(("HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"), folder)
    for headless in ("--headless=new", "--headless"):
        options = ChromeOptions()
        options.binary_location = chromium
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        for flag in (headless, f"--user-data-dir={tempfile.mkdtemp(dir=folder)}", *FLAGS):
            options.add_argument(flag)
        service = Service(executable_path=chromedriver, env={**os.environ, **places, "LANGUAGE": "en_US"})
        try:
            return Chrome(options=options, service=service)
        except SessionNotCreatedException as error:
            failure = error
    raise failure


def _write(path, answer):
    path = Path(path)
    path.write_bytes(base64.b64decode(answer["data"]))
    return path
