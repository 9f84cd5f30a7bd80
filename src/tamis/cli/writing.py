"""Files of a command: a folder that appears whole or not at all, and tables that are safe to open in a spreadsheet."""

from __future__ import annotations

import contextlib
import csv
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .._validation import import_jinja2
from ..search.checkpoint import replace_file
from ..views._plain import json_text
from .errors import WrongUse

OURS = frozenset(
    {
        "report.html",
        "selection.json",
        "selected.csv",
        "suspects.csv",
        "audit.html",
        "audit.json",
        "annotators.csv",
        "wine.csv",
    }
)
"""Files that commands write; a folder is replaced only if it holds nothing else."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def check_place(folder: Path, *, force: bool) -> None:
    """Nothing is in the way of an output folder, and pages can be made; asked before the work begins."""
    import_jinja2()
    if not os.path.lexists(folder):
        if not folder.absolute().parent.is_dir():
            raise WrongUse(f"--out must be in a folder that exists; {folder.parent} does not. Make it first.")
        return
    if not folder.is_dir() or folder.is_symlink():
        raise WrongUse(f"--out must be a folder; {folder} is a file or a link. Choose another name.")
    if not force:
        raise WrongUse(f"{folder} exists already. Replace it with --force, or choose another folder with --out.")
    foreign = sorted(set(os.listdir(folder)) - OURS)
    if foreign:
        raise WrongUse(
            f"--force replaces only folders that tamis wrote; {folder} also holds {foreign[0]!r}. Choose another "
            "folder with --out."
        )


@contextmanager
def whole_folder(folder: Path, *, force: bool) -> Iterator[Path]:
    """A new folder to write into; it takes the place of `folder` when all is written, else nothing is left of it."""
    check_place(folder, force=force)
    folder = folder.absolute()
    mark = secrets.token_hex(4)
    new, old = (folder.with_name(f".{folder.name}.{what}-{mark}") for what in ("new", "old"))
    try:
        new.mkdir()
        yield new
        check_place(folder, force=force)
        if folder.exists():
            folder.rename(old)
        new.rename(folder)
    except OSError as error:
        if old.exists() and not folder.exists():
            old.rename(folder)
        raise WrongUse(f"--out must be writable; {folder} is not ({error.strerror or error}).") from error
    finally:
        _remove(new)
        _remove(old)


def write_json(path: Path, summary: Mapping[str, Any]) -> None:
    _write(path, json_text(summary, ascii_only=False) + "\n")


def write_report(path: Path, summary: Mapping[str, Any]) -> None:
    from ..views.html import page

    _write(path, page(summary))


def write_table(path: Path, table) -> None:
    """A CSV file. Text that a spreadsheet would take for a formula gets a ' in front; numbers are left alone."""
    safe = harmless(table)
    text = safe.to_csv(index=False, lineterminator="\n")
    if "\r" in text:  # which begins a row for some readers, and is not quoted by itself
        text = safe.to_csv(index=False, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    _write(path, text)


def harmless(table):
    """The same table with nothing that looks like a formula in its text or in its header."""
    import pandas as pd

    columns = [
        values if pd.api.types.is_numeric_dtype(values.dtype) else values.astype(object).map(_guarded)
        for _, values in table.items()
    ]
    safe = pd.DataFrame(dict(enumerate(columns)), index=table.index)
    safe.columns = [_guarded(name) for name in table.columns]
    return safe


def _guarded(cell):
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell


def _write(path: Path, text: str) -> None:
    replace_file(path, text.encode("utf-8", "surrogateescape"))


def _remove(folder: Path) -> None:
    """A folder of ours, if it is there; anything else in it is left, and then the folder too."""
    if folder.is_dir():
        for file in folder.iterdir():
            if file.name in OURS:
                file.unlink()
        with contextlib.suppress(OSError):
            folder.rmdir()
