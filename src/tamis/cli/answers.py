"""The option --answers: a long table with one answer of an annotator in each line."""

from __future__ import annotations

import os
from typing import NamedTuple

import numpy as np
import pandas as pd

from .._validation import LongAnswers, check_long_answers
from .errors import WrongUse
from .tables import Refused, read
from .tables.refused import shown
from .targets import check_few_answers, of_one_type

_OPTION = "--answers"


class Given(NamedTuple):
    """Answers about the rows of a table.

    name : of the file, without folders
    by : column of the table whose values name its rows; None if they are numbered from 1
    lines : row (a number from 1), annotator and label of each answer
    """

    name: str
    by: str | None
    lines: pd.DataFrame

    def about(self, rows: np.ndarray, gold: pd.Series | None) -> tuple[LongAnswers, list[str]]:
        """The answers for some rows of the table, given by their numbers, and what was done; true classes beside them.

        `gold` is a column of true classes at these rows; it is one more annotator, of the name of the column.
        """
        lines, notes = self.lines, []
        last = max(int(rows[-1]), int(lines["row"].max()))
        if gold is not None:
            known = gold.notna().to_numpy()
            truths = pd.DataFrame({"row": rows[known], "annotator": gold.name, "label": gold[known]})
            if gold.name in set(lines["annotator"].unique()):
                raise WrongUse(
                    f"--gold must not have the name of an annotator; {self.name} has answers of {shown(gold.name)}. "
                    "Rename the column."
                )
            labels = of_one_type([lines["label"], truths["label"]])
            lines = pd.concat([lines, truths], ignore_index=True).assign(label=pd.concat(labels, ignore_index=True))
        else:
            lines = lines.assign(label=of_one_type([lines["label"]])[0])
        check_few_answers(lines["label"], f"Correct {self.name}")
        row, annotator, label = (lines[name].to_numpy() for name in ("row", "annotator", "label"))
        try:  # rows are numbered as in the table: row 0 has no answer
            every = check_long_answers(row, annotator, label, last + 1, None)
        except ValueError as error:
            raise Refused(f"{self.name}: {error}") from error
        n_answers = len(every.coded(None)[0])
        found = every[rows]
        n_left = len(found.coded(None)[0])
        if n_answers < len(lines):
            notes.append(f"answers that were given twice count once: {len(lines) - n_answers:,} of {len(lines):,}")
        if n_left < n_answers:
            notes.append(f"answers for rows that are left out: {n_answers - n_left:,} of {n_answers:,}")
        return found, notes

    def note(self) -> str:
        """How the file was read."""
        n_annotators = self.lines["annotator"].nunique()
        by = f"rows named by {shown(self.by)}" if self.by else "rows numbered from 1"
        return f"answers: {len(self.lines):,} of {n_annotators:,} annotators in {self.name}, {by}"


def answers_in(path: str, frame: pd.DataFrame) -> Given:
    """Read a file of answers about the rows of a table; those about other rows are refused."""
    table, name = read(path).frame, os.path.basename(path)
    row, annotator, label = _roles(table, name, frame.columns)
    lines = table[[row, annotator, label]].set_axis(["row", "annotator", "label"], axis=1)
    lines = lines[lines["label"].notna()]
    for role, column in (("row", row), ("annotator", annotator)):
        gaps = lines[role].isna()
        if gaps.any():
            raise Refused(
                f"{name} must name a row and an annotator with each label; {gaps.sum():,} have no {shown(column)} (the "
                f"first is number {lines.index[gaps.argmax()] + 1:,}). Leave these out."
            )
    if lines.empty:
        raise Refused(f"{name} must have answers; there is none in {shown(label)}.")
    by = row if row in frame.columns else None
    places = _by_number(lines["row"], len(frame), name) if by is None else _by_value(lines["row"], frame[by])
    unknown = places < 0
    if unknown.any():
        first = lines["row"].iloc[int(unknown.argmax())]
        what = f"in {shown(by)} of the table" if by else f"one of the {len(frame):,} rows of the table"
        hint = " Rows are counted from 1." if by is None and first == 0 else ""
        raise Refused(
            f"{name} must have answers about rows of the table only; {unknown.sum():,} of {len(lines):,} are about "
            f"others (the first is about {shown(first)}, which is not {what}).{hint}"
        )
    return Given(name, by, lines.assign(row=places + 1, annotator=_texts(lines["annotator"])))


def _roles(table, name, columns) -> list[str]:
    """Columns of the row, the annotator and the label: by these names, else in this order.

    That of the row may also be called as a column of the table of features.
    """
    if table.shape[1] < 3:
        raise Refused(
            f"{name} must have the columns row, annotator and label; it has {table.shape[1]}: "
            f"{', '.join(map(shown, table.columns))}."
        )
    by_name = {str(column).lower(): column for column in reversed(table.columns)}
    found = {role: by_name.get(role) for role in ("row", "annotator", "label")}
    rest = [column for column in table.columns if column not in found.values()]
    found["row"] = found["row"] or next((column for column in rest if column in columns), None)
    rest = [column for column in rest if column != found["row"]]
    return [found[role] or rest.pop(0) for role in found]


def _by_number(numbers, n_rows, name) -> np.ndarray:
    """Places of rows that are numbered from 1, -1 for those that there are not."""
    numeric = pd.api.types.is_numeric_dtype(numbers.dtype)
    values = numbers.to_numpy(dtype=float) if numeric else np.zeros(0)
    if not numeric or (values % 1 != 0).any():
        odd = numbers.iloc[int((values % 1 != 0).argmax())] if numeric else numbers.iloc[0]
        raise WrongUse(
            f"{_OPTION} must have numbers of rows, or a column of the table that names them; {name} has "
            f"{shown(numbers.name)} with {shown(odd)}. Give the column the name that it has in the table."
        )
    return np.where((values >= 1) & (values <= n_rows), values - 1, -1).astype(np.intp)


def _by_value(values, names) -> np.ndarray:
    """Places of rows that are named by a column of the table, -1 for those that there are not."""
    texts = _texts(names)
    twice = (texts.duplicated() & names.notna()).to_numpy()
    if twice.any():
        again = int(twice.argmax())
        first = int((texts == texts.iloc[again]).to_numpy().argmax())
        raise Refused(
            f"{_OPTION} needs a name of its own for each row of the table; {shown(names.name)} has "
            f"{shown(texts.iloc[again])} in rows {first + 1:,} and {again + 1:,}. Name rows by another column, or by "
            "their number."
        )
    places = pd.Index(texts.where(names.notna(), None)).get_indexer(pd.Index(_texts(values)))
    return places.astype(np.intp)


def _texts(values: pd.Series) -> pd.Series:
    """Names as text: whole numbers without a point."""
    if pd.api.types.is_numeric_dtype(values.dtype):
        there = values.dropna()
        if (there % 1 == 0).all():
            values = values.astype("Int64")
    return values.astype(str)
