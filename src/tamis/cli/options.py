"""Options that commands share."""

from __future__ import annotations

import os
import re
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Optional

import typer

from .errors import WrongUse
from .tables.refused import shown

_NAME = 240


class Labels(StrEnum):
    auto = "auto"
    hard = "hard"
    noisy = "noisy"
    soft = "soft"
    crowd = "crowd"
    multilabel = "multilabel"
    candidates = "candidates"
    ranking = "ranking"
    votes = "votes"


class Search(StrEnum):
    backward = "backward"
    forward = "forward"
    ranking = "ranking"
    blanket = "blanket"


class Missing(StrEnum):
    use = "use"
    error = "error"
    drop_rows = "drop-rows"
    drop_columns = "drop-columns"
    median = "median"


class MissingOrIndicator(StrEnum):
    """Of a selection, whose features can also say whether a value is missing."""

    use = "use"
    indicator = "indicator"
    error = "error"
    drop_rows = "drop-rows"
    drop_columns = "drop-columns"
    median = "median"


class Dates(StrEnum):
    drop = "drop"
    days = "days"
    parts = "parts"


def _seed(seed: int) -> int:
    if not 0 <= seed < 2**32:
        raise WrongUse(f"--seed must be a whole number from 0 to {2**32 - 1}; got {shown(seed)}.")
    return seed


def _threads(jobs: int) -> int:
    if jobs == 0:  # before a file is read
        raise WrongUse("--jobs must not be 0; give a number of threads, or -1 for all cores.")
    return jobs


_TIME = re.compile(r"(\d+\.?\d*|\.\d+)\s*([smh]?)")
_SECONDS = {"": 1, "s": 1, "m": 60, "h": 3600}


def _seconds(text: str | None) -> float | None:
    """Seconds, from text such as 90, 90s, 10m or 1.5h."""
    found = None if text is None else _TIME.fullmatch(text.strip().lower())
    if text is None or (found and 0 < float(found[1]) < float("inf")):
        return found and float(found[1]) * _SECONDS[found[2]]
    raise WrongUse(f"--max-time must be a time above 0 such as 90, 90s, 10m or 1.5h; got {shown(text)}.")


Columns = Optional[list[str]]  # noqa: UP045  (older typer knows no other way)

File = Annotated[
    str,
    typer.Argument(metavar="FILE", help="CSV (any delimiter), TSV, Parquet or ARFF, also .gz; - for standard input."),
]
Target = Annotated[
    Columns,
    typer.Option("--target", "-t", metavar="COL", help="Column of labels; repeatable. * stands for anything."),
]
Answers = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        metavar="FILE",
        help="Answers of annotators instead of --target: a table with the columns row, annotator and label. Rows are "
        "numbered from 1, or named as in the column of FILE that has the same name.",
    ),
]
Gold = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        metavar="COL",
        help="With answers of annotators: column of true classes, empty where they are not known. It is no feature.",
    ),
]
Confidence = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        metavar="COL", help="Column that says how sure each class of --target is, from 0 to 1. It is no feature."
    ),
]
Drop = Annotated[Columns, typer.Option(metavar="COL", help="Exclude a column; repeatable.")]
Categorical = Annotated[
    Columns, typer.Option(metavar="COL", help="Column of categories that looks like numbers; repeatable.")
]
Probabilities = Annotated[
    Columns,
    typer.Option(
        metavar="COL|FILE",
        help="Out-of-sample probabilities of the classes, instead of features: columns such as 'p_*', or an .npy, "
        "Parquet or CSV file; repeatable, for several models.",
    ),
]
_MISSING = "What to do with missing values: use them as such, refuse them, leave out rows or columns, fill in medians"
MissingValues = Annotated[Missing, typer.Option(help=f"{_MISSING}.")]
MissingValuesToSelect = Annotated[
    MissingOrIndicator,
    typer.Option(help=f"{_MISSING}; indicator: use them, and whether a value is missing as part of its feature."),
]
DateColumns = Annotated[
    Dates,
    typer.Option(help="Columns of dates: left out, as days since the first, or as year, month, day, weekday, hour."),
]
Weight = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        metavar="COL", help="Column that says how much each row counts; 0 leaves a row out. It is no feature."
    ),
]
RowsBy = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        metavar="COL",
        help="Column that says which rows belong together, such as a patient: they are not compared with each other. "
        "It is no feature.",
    ),
]
Time = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        metavar="COL", help="Column of dates or numbers: later rows are predicted from earlier ones. It is no feature."
    ),
]
Seed = Annotated[
    int,
    typer.Option(metavar="N", callback=_seed, help="The same seed gives the same answer; 0 to 4294967295."),
]
Jobs = Annotated[
    int,
    typer.Option(metavar="N", callback=_threads, help="Threads; -1 for all cores, of which no more are used."),
]
MaxTime = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(metavar="TIME", callback=_seconds, help="The best answer within 90s, 10m or 1.5h."),
]
Out = Annotated[Optional[Path], typer.Option(metavar="DIR", help="Folder for the files; by default FILE-tamis.")]  # noqa: UP045
Force = Annotated[
    bool, typer.Option("--force", help="Replace the folder if it is there, once the new one is complete.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON to standard output, and nothing else.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")]


def folder_for(file: str) -> Path:
    """The folder for what is found in a file, in the current one."""
    name = "stdin" if file == "-" else Path(file).name
    stem = Path(name.removesuffix(".gz")).stem or name
    return Path(f"{_cut(stem)}-tamis")


def _cut(name: str) -> str:
    """A name that leaves room for more within the 255 bytes that most systems allow."""
    encoded = os.fsencode(name)
    return name if len(encoded) <= _NAME else encoded[:_NAME].decode(errors="ignore")
