"""Public names are fetched when they are first used, and all of them are there."""

import subprocess
import sys

import pytest

import tamis


def test_every_public_name_is_there():
    assert all(getattr(tamis, name) is not None for name in tamis.__all__)
    assert set(tamis.__all__) <= set(dir(tamis))
    assert set(tamis.__all__) == {
        n for n in vars(tamis._public) if n[0] != "_" and hasattr(vars(tamis._public)[n], "__module__")
    }


def test_other_names_are_not():
    with pytest.raises(AttributeError, match="has no attribute 'Selector'"):
        tamis.Selector  # noqa: B018


def test_importing_tamis_imports_nothing_heavy():
    code = "import sys, tamis; print({'numpy', 'sklearn'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "set()\n"
