"""What a command says when the data will not do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


class Refused(ValueError):  # noqa: N818
    """One clear sentence about the data; the command prints it and ends with `exit_code`."""

    exit_code = 3


def check_names(names: Sequence[str], name: str) -> None:
    """Each column is named once."""
    twice = [column for column, times in Counter(names).items() if times > 1]
    if twice:
        places = [str(place) for place, column in enumerate(names, 1) if column == twice[0]]
        raise Refused(
            f"{name} must name each column once; {shown(twice[0])} is the name of columns {_listed(places)}. Rename "
            "them."
        )


def shown(text: object, most: int = 60) -> str:
    """Text of a file as one line of a message, cut where it is long."""
    text = str(text)
    return repr(text if len(text) <= most else text[:most] + "…")


def named(columns: Sequence[str], most: int = 5) -> str:
    """Names of columns, as many as a sentence can take."""
    return ", ".join(map(shown, columns[:most])) + (f" and {len(columns) - most:,} more" if len(columns) > most else "")


def _listed(words, most=5):
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) <= most else f"{', '.join(words[:most])}, ..."
