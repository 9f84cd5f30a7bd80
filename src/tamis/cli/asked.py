"""Columns that the options of a command name."""

from __future__ import annotations

import fnmatch
from collections.abc import Sequence
from typing import NamedTuple

from .errors import WrongUse, unknown_column
from .tables import Table
from .tables.refused import shown


class Asked(NamedTuple):
    """Columns of a table by what options name them for; `about` has those of weight, rows_by and time, or None.

    There are no targets if answers are in a file of their own.
    """

    targets: list[str]
    left_out: list[str]
    required: list[str]
    categories: list[str]
    about: dict[str, str | None]
    gold: str | None
    confidence: str | None


def asked_columns(
    table: Table, *, target, drop, require, categorical, weight, rows_by, time, gold=None, confidence=None, answers=None
) -> Asked:
    """The columns that options name: all are there, and none is asked to be two things."""
    every = list(table.frame.columns)
    targets = columns_named("--target", target, every) or ([] if answers else list(table.labels))
    if targets and answers:
        raise WrongUse("--answers takes the place of --target; got both. Leave one of them out.")
    if not targets and not answers:
        names = ", ".join(map(shown, every[-8:]))
        raise WrongUse(
            f"--target must name the column of labels; the {'last ' if len(every) > 8 else ''}columns are {names}."
        )
    left_out = columns_named("--drop", drop, every)
    required = columns_named("--require", require, every)
    categories = columns_named("--categorical", categorical, every)
    for option, given in (("--drop", left_out), ("--require", required), ("--categorical", categories)):
        _check_apart(option, given, "--target", targets)
    _check_apart("--require", required, "--drop", left_out)
    about = {"weight": weight, "rows_by": rows_by, "time": time}
    of_labels = [("--gold", gold), ("--confidence", confidence)]
    for option, name in [("--weight", weight), ("--rows-by", rows_by), ("--time", time), *of_labels]:
        if name is None:
            continue
        if name not in every:
            raise unknown_column(option, name, every)
        _check_apart(option, [name], "--target", targets)
        _check_apart(option, [name], "--require", required)
        if option != "--weight":  # groups may be times
            _check_apart(option, [name], "--weight", [weight])
    return Asked(targets, left_out, required, categories, about, gold, confidence)


def columns_named(option: str, given: Sequence[str], columns: Sequence[str]) -> list[str]:
    """Columns, each once, in the order given; * stands for anything."""
    found: list[str] = []
    for name in given:
        here = [name] if name in columns else fnmatch.filter(columns, name) if "*" in name else []
        if not here:
            raise unknown_column(option, name, columns)
        found += [c for c in here if c not in found]
    return found


def _check_apart(option, given, other, columns):
    both = [c for c in given if c in columns]
    if both:
        raise WrongUse(f"{option} must not name what {other} names; {shown(both[0])} is in both. Take it out of one.")
