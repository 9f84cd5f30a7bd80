"""No test reads a clock: under load, and on any machine, the result is the same. Times are in `benchmarks/`."""

import ast
import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
MAY_WAIT = {"cli/test_interrupted.py": {"sleep"}, "selectors/kills.py": {"sleep"}}
"""Programs that wait for another one; nothing depends on for how long."""


def clocks_in(tree):
    """Names of modules of time, and of what is taken from them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name == "timeit")
        elif isinstance(node, ast.ImportFrom) and node.module in ("time", "timeit"):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "time":
            yield node.attr


@pytest.mark.parametrize("code", ["import timeit", "from time import perf_counter", "import time\ntime.process_time()"])
def test_clocks_are_found(code):
    assert list(clocks_in(ast.parse(code)))


SCRIPTS = re.compile(r"performance\.now|performance\.getEntries|Date\.now|new Date")
"""Clocks of a browser, in strings."""


def test_no_test_reads_a_clock():
    found = {}
    for file in sorted(HERE.rglob("*.py")):
        name = file.relative_to(HERE).as_posix()
        text = file.read_text(encoding="utf-8")
        used = set(clocks_in(ast.parse(text))) - MAY_WAIT.get(name, set())
        if file != Path(__file__):
            used.update(SCRIPTS.findall(text))
        if used:
            found[name] = used
    assert not found
