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

    def _plain_table(self, lines, is_text):
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        for line in lines:
            cells = zip(line, widths, is_text, strict=True)
            aligned = (cell.ljust(width) if text else cell.rjust(width) for cell, width, text in cells)
            self.say("  ".join(aligned).rstrip())

    def bar(self, share: float | None) -> str:
        """A share of one as a bar, on a terminal only."""
        return "█" * round(_BAR * share) if self.is_terminal and share is not None and share > 0 else ""


def shown(name: object, most: int = 40) -> str:
    """A name as part of a line: control characters are written out, and long ones are cut."""
    text = str(name)
    text = text if len(text) <= most else text[: most - 3] + "..."
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)


def listed(names: Sequence[object], most: int = 20) -> str:
    more = f", and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(shown(name) for name in names[:most]) + more


def number(value: float | None, digits: int = 3) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def p_value(value: float | None) -> str:
    return "-" if value is None else "<0.001" if value < 0.001 else f"{value:.3f}"


def percent(value: float) -> str:
    return f"{100 * value:.0f} %" if value >= 0.1 or value == 0 else f"{100 * value:.1f} %"


def counted(n: float, what: str) -> str:
    """'1 row', '2 rows', '3 classes'."""
    plural = f"{what}es" if what.endswith("s") else f"{what}s"
    return f"{n:,g} {what if n == 1 else plural}"


def _is_text(cell: str) -> bool:
    return bool(cell) and cell[0] not in "-<.0123456789"
