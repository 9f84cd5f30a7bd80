"""The code in a report, to be run as a reader would."""

import html
import re
from pathlib import Path


def code_in(file):
    """The text of the code on a page."""
    shown = re.search(r'<pre id="code">(.*?)</pre>', Path(file).read_text(encoding="utf-8"), flags=re.DOTALL)[1]
    return html.unescape(re.sub(r"<[^>]*>", "", shown))


def again(folder, capsys):
    """What there is after the code of the report was run, and what it printed."""
    names = {}
    exec(compile(code_in(Path(folder, "report.html")), "report", "exec"), names)
    return names, capsys.readouterr().out
