"""What a command says when it cannot go on, and with which exit code."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from . import signals
from .tables.refused import Refused, shown

EXIT_CODES = {
    0: "done",
    1: "an error of tamis itself, with a traceback",
    2: "wrong use",
    3: "data refused",
    4: "standard output cannot be written",
    129: "hang-up (SIGHUP)",
    130: "interrupted (Ctrl-C)",
    141: "the reader of the output has gone",
    143: "terminated (SIGTERM)",
}
"""Each but 0 with one sentence on standard error."""

OPTIONS = {
    "n_features_to_select": "--features",
    "required_features": "--require",
    "categorical_features": "--categorical",
    "feature_groups": "--group-prefix",
    "class_distance": "--class-distance",
    "random_state": "--seed",
    "n_jobs": "--jobs",
    "checkpoint": "--checkpoint",
    "max_time": "--max-time",
    "criterion": "--criterion",
    "divergence": "--criterion",
    "labels": "--labels",
    "alpha": "--alpha",
    "tolerance": "--tolerance",
    "missing": "--missing",
    "sample_weight": "--weight",
    "groups": "--rows-by",
    "order": "--time",
    "expert": "--gold",
}
"""Parameters of the selectors and the options that set them."""


class WrongUse(ValueError):  # noqa: N818
    """One clear sentence about an option."""

    exit_code = 2


class Interrupted(Exception):  # noqa: N818
    """A signal such as Ctrl-C, and what is left of the work."""

    @property
    def exit_code(self) -> int:
        return signals.exit_code()


class Unprinted(Exception):  # noqa: N818
    """Standard output is full, closed or without a reader."""

    no_reader = 141

    def __init__(self, sentence: str, exit_code: int = 4):
        super().__init__(sentence)
        self.exit_code = exit_code


def unknown_column(option: str, name: str, columns: Sequence[str], what: str = "a column of the table") -> WrongUse:
    """A column that is not there, with the nearest that is."""
    by_lower = {column.lower(): column for column in columns}
    near = difflib.get_close_matches(name.lower(), by_lower, n=1)
    few = ", ".join(map(shown, columns[:8])) + (", ..." if len(columns) > 8 else "")
    hint = f"did you mean {shown(by_lower[near[0]])}?" if near else f"there are {few}."
    return WrongUse(f"{option} must name {what}; {shown(name)} is none: {hint}")


def about(error: ValueError) -> WrongUse | Refused:
    """What a selector raised, in the words of the command line; about an option if it begins with one."""
    said = " ".join(str(error).split())
    is_option = next((name for name in OPTIONS if re.match(rf"{name}\b", said)), None)
    names = "|".join(OPTIONS)
    said = re.sub(rf"\b({names})=(?:'([^']*)'|([\w.]+))", lambda m: f"{OPTIONS[m[1]]} {m[2] or m[3]}", said)
    said = with_options(said)
    if is_option:
        said = re.sub(rf"^{is_option}\b", OPTIONS[is_option], said)
        return WrongUse(said)
    return Refused(said)


def with_options(said: str) -> str:
    """A sentence of a selector with options in place of its parameters; groups and order are also other things."""
    said = re.sub(r"\b(takes no|Leave|without) (groups|order)\b", lambda m: f"{m[1]} {OPTIONS[m[2]]}", said)
    long = "|".join(name for name in OPTIONS if "_" in name)
    return re.sub(rf"\b({long})\b", lambda m: OPTIONS[m[1]], said)


@contextmanager
def in_own_words() -> Iterator[None]:
    """What selectors raise about their parameters and data, as `WrongUse` and `Refused`; not what others raise."""
    try:
        yield
    except (WrongUse, Refused):
        raise
    except ValueError as error:
        if not _home(error).startswith(("tamis.", "sklearn.")):
            raise
        raise about(error) from error
    except MemoryError as error:
        raise Refused("the work must fit into memory; it does not. Keep fewer rows or columns.") from error


def _home(error) -> str:
    """The module that raised an error."""
    trace = error.__traceback__
    while trace.tb_next is not None:
        trace = trace.tb_next
    return trace.tb_frame.f_globals.get("__name__", "")
