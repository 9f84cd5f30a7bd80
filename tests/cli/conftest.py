"""Commands run as a user would, in a folder of their own."""

import io
import json
import sys
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest

from tamis.cli.main import main


class Ran(NamedTuple):
    """What a command gave back."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        return json.loads(self.out)


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run a command in an empty folder; whatever goes wrong is one sentence."""
    monkeypatch.chdir(tmp_path)

    def run(*args, stdin=None):
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as ended:
            main([str(arg) for arg in args])
        said = capsys.readouterr()
        ran = Ran(ended.value.code or 0, said.out, said.err)
        if ran.code:
            assert ran.out == ""
            assert ran.err.startswith("tamis: ")
            assert ran.err.count("\n") == 1
        return ran

    return run


@pytest.fixture
def put(tmp_path):
    """Write a file, from a table or from text."""

    def put(content, name="table.csv"):
        path = tmp_path / name
        if isinstance(content, pd.DataFrame):
            content.to_csv(path, index=False)
        elif isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content)
        return name

    return put


def some_plants(n):
    """x and y tell the kind, together; z does not."""
    rng = np.random.default_rng(0)
    kind = np.repeat(["rose", "tulip", "daisy"], n // 3)
    centres = {"rose": (0, 0), "tulip": (4, 0), "daisy": (0, 4)}
    at = np.array([centres[k] for k in kind]) + rng.normal(size=(n, 2))
    return pd.DataFrame({"x": at[:, 0], "y": at[:, 1], "z": rng.normal(size=n), "kind": kind}).round(4)


@pytest.fixture
def plants():
    return some_plants(60)


@pytest.fixture
def many_plants():
    return some_plants(240)
