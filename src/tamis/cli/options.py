"""Options that commands share."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Optional

import typer


class Labels(StrEnum):
    auto = "auto"
    hard = "hard"
    noisy = "noisy"
    soft = "soft"
    crowd = "crowd"
    multilabel = "multilabel"


class Search(StrEnum):
    backward = "backward"
    forward = "forward"
    ranking = "ranking"
    blanket = "blanket"


class Missing(StrEnum):
    error = "error"
    drop_rows = "drop-rows"
    drop_columns = "drop-columns"
    median = "median"


Columns = Optional[list[str]]  # noqa: UP045  (older typer knows no other way)

File = Annotated[
    str,
    typer.Argument(metavar="FILE", help="CSV (any delimiter), TSV, Parquet or ARFF, also .gz; - for standard input."),
]
Target = Annotated[
    Columns,
    typer.Option(
        "--target", "-t", metavar="COL", help="Column of labels; again for each of several. * stands for anything."
    ),
]
Drop = Annotated[Columns, typer.Option(metavar="COL", help="Column that is no feature; again for more.")]
Categorical = Annotated[
    Columns, typer.Option(metavar="COL", help="Column of categories that looks like numbers; again for more.")
]
MissingValues = Annotated[Missing, typer.Option(help="What to do with missing values.")]
Seed = Annotated[int, typer.Option(min=0, metavar="N", help="The same seed gives the same answer.")]
Jobs = Annotated[int, typer.Option(metavar="N", help="Threads; -1 for all cores.")]
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
    return Path(f"{stem}-tamis")
