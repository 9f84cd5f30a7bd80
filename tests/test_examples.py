"""Examples run and print what they promise."""

import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_a_search_on_a_cluster_has_the_bits_of_threads(capsys):
    pytest.importorskip("distributed")
    runpy.run_path(str(EXAMPLES / "cluster.py"))["main"]()
    printed = capsys.readouterr().out
    assert "of 10 features" in printed
    assert "the same bits with threads: True" in printed
