"""Where a command speaks: the answer to standard output, the rest to standard error."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from .errors import Unprinted, with_options


class Voice(NamedTuple):
    """How much a command says: JSON and nothing else, nothing at all, or a text for people."""

    json: bool = False
    quiet: bool = False

    def note(self, text: str) -> None:
        if not self.quiet:
            print(text, file=sys.stderr, flush=True)

    @property
    def shows_progress(self) -> bool:
        return not self.quiet and sys.stderr.isatty()

    def answer(self, summary: Mapping[str, Any], show, folder: Path) -> None:
        """The summary, by `show(summary, screen)` if it is for people, and where the files are."""
        try:
            self._say(summary, show, folder)
            sys.stdout.flush()
        except Unprinted as error:
            raise Unprinted(f"{error} The files are in {folder}.", error.exit_code) from error

    def _say(self, summary, show, folder):
        if self.json:
            from ..views._plain import json_text

            print(json_text(summary))
        elif not self.quiet:
            from ..views._screen import Screen

            show(summary, Screen())
            print(f"\nFiles in {folder}: {', '.join(sorted(file.name for file in folder.iterdir()))}")
            print(f"The report to look at is {folder / 'report.html'}")


@contextmanager
def heard() -> Iterator[list[str]]:
    """Warnings of a fit, each once, in the words of the command line; those for programmers are left out."""
    said: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield said
    said += dict.fromkeys(with_options(str(w.message)) for w in caught if issubclass(w.category, UserWarning))
