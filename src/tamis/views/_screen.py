"""A terminal to write on, or a file: then without colour, bars and boxes, and as wide as it takes."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

_AS_WIDE_AS_IT_TAKES = 100_000
_BAR = 12


class Screen:
    """Sentences and tables.

    Names are hostile: nothing in them is markup or moves the cursor, and long ones are cut.

    Parameters
    ----------
    file : text stream, default=None
        The standard output by default.
    width : int, default=None
        That of the terminal by default.
    """

    def __init__(self, file=None, *, width: int | None = None, force_terminal: bool | None = None):
        self._console = Console(
            file=file, width=width, force_terminal=force_terminal, markup=False, highlight=False, emoji=False
        )
        self.is_terminal = self._console.is_terminal
        if not self.is_terminal and width is None:
            self._console.width = _AS_WIDE_AS_IT_TAKES

    def say(self, text: str = "", style: str = "") -> None:
        self._console.print(Text(text, style=style if self.is_terminal else ""))

    def table(self, header: Sequence[str], rows: Sequence[Sequence[str]], *, strong: int | None = None) -> None:
        """Columns of numbers to the right; a row may be `strong`."""
        is_text = [any(_is_text(row[place]) for row in rows) for place in range(len(header))]
        if not self.is_terminal:
            self._plain_table([header, *rows], is_text)
            return
        table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
        for name, text in zip(header, is_text, strict=True):
            table.add_column(name, justify="left" if text else "right", overflow="fold", no_wrap=not text)
        for place, row in enumerate(rows):
            table.add_row(*map(Text, row), style="bold" if place == strong else "")
        self._console.print(table)

    def first_rows(self, header: Sequence[str], rows: Sequence[Sequence[str]], total: int) -> None:
        """The first rows of a table that has so many, and how many are left."""
        self.table(header, rows)
        if total > len(rows):
            self.say(f"... and {total - len(rows):,} more")

    def _plain_table(self, lines, is_text):
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        for line in lines:
            cells = zip(line, widths, is_text, strict=True)
            aligned = (cell.ljust(width) if text else cell.rjust(width) for cell, width, text in cells)
            self.say("  ".join(aligned).rstrip())

    def bar(self, share: float | None) -> str:
        """A share of one as a bar, on a terminal only."""
        return "█" * round(_BAR * share) if self.is_terminal and share is not None and share > 0 else ""


def _is_text(cell: str) -> bool:
    return bool(cell) and cell[0] not in "-<.0123456789"
