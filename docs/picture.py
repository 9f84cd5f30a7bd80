"""Draw docs/report.png, the report of `tamis demo` in a browser: make picture."""

from pathlib import Path
from tempfile import TemporaryDirectory

from browser import started

from tamis.cli.demo import demo

WIDTH, HEIGHT = 1120, 1500

if __name__ == "__main__":
    with TemporaryDirectory() as folder, started() as page:
        demo(Path(folder) / "demo")
        page.open(Path(folder) / "demo" / "report.html", width=WIDTH, height=HEIGHT)
        page.run("document.documentElement.style.scrollbarWidth = 'none'")
        page.screenshot(Path(__file__).with_name("report.png"), full=False)
