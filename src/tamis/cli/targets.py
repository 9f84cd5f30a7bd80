"""Columns of a target: what kind of labels they are, and the y of that kind."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd

from .._validation import LongAnswers
from .errors import WrongUse
from .partial import KINDS as PARTIAL
from .partial import from_confidence, from_texts, from_votes
from .tables import Doubt, Numbers, Refused, holds_dates, numbers_of
from .tables.refused import shown

_MOST_NUMBERS = 50
_FEW_NUMBERS = 10
_MOST_DATES = 20
_MOST_CLASSES = 1000
_ROWS_TO_DOUBT = 10
_SUM_TOLERANCE = 0.02
_EXACT = 2**53


class Target(NamedTuple):
    """What `fit` takes, its kind and why it is of that kind."""

    y: pd.Series | pd.DataFrame | LongAnswers
    kind: str
    notes: list[str]


def kind_of_columns(values: pd.DataFrame, asked: str, *, declared: bool = False) -> tuple[str, str]:
    """The kind of labels that columns hold, with the reason; of one column it is decided when its classes are known."""
    several = values.shape[1] > 1
    if asked != "auto":
        if several != (asked in ("soft", "crowd", "multilabel", "votes")):
            needs = "one --target column" if several else "several --target columns"
            raise WrongUse(
                f"--labels {asked} needs {needs}; got {values.shape[1]}. Leave --labels out to let it be found."
            )
        return asked, ""
    if not several:
        return "auto", ""
    if declared:
        return "multilabel", "the file's list of labels names them"
    values = values.dropna(how="all")  # rows without a label
    numeric = all(pd.api.types.is_numeric_dtype(t) for t in values.dtypes)
    answers = [set(values[c].dropna().unique().tolist()) for c in values.columns]
    there = set().union(*answers)
    if numeric and there <= {0, 1} and not values.isna().to_numpy().any():
        return "multilabel", "several columns of 0 and 1"
    sums = values.dropna().sum(axis=1) if numeric else pd.Series(dtype=float)
    if len(sums) and values.min().min() >= 0 and (abs(sums - 1) <= _SUM_TOLERANCE).all():
        return "soft", "several columns of numbers that sum to one"
    shared = [set().union(*answers[:a], *answers[a + 1 :]) for a in range(len(answers))]
    alike = all(len(own & others) >= len(own) / 2 for own, others in zip(answers, shared, strict=True))
    if alike and len(there) <= min(_MOST_NUMBERS, len(values)):
        return "crowd", f"several columns with the same {len(there)} answers"
    raise WrongUse(
        "several --target columns must be labels of 0 and 1, probabilities that sum to one, or answers from the same "
        f"few classes; {', '.join(map(shown, values.columns[:4]))} are none of these. Name one of them, or say which "
        "with --labels."
    )


def target_of(values: pd.DataFrame, kind: str, why: str) -> Target:
    """The y of a kind of labels, checked; "auto" is a column of classes, doubted if each has enough rows."""
    if kind == "crowd":
        return Target(_answers(values), kind, _note(kind, why))
    if kind == "soft":
        y, notes = _probabilities(values)
        return Target(y, kind, [*_note(kind, why), *notes])
    if kind == "multilabel":
        return Target(_without_parts(values), kind, _note(kind, why))
    if kind in PARTIAL:
        said = from_votes(values) if kind == "votes" else from_texts(values.iloc[:, 0], kind)
        return Target(said.y, kind, said.notes)
    y, notes = _labelled_classes(values.iloc[:, 0])
    if kind == "confidence":
        said = from_confidence(y, values.iloc[:, 1])
        return Target(said.y, "soft", [*notes, *said.notes])
    if kind == "auto":
        counts = y.value_counts()
        enough = counts.min() >= _ROWS_TO_DOUBT and len(counts) > 1
        kind = "noisy" if enough else "hard"
        others = "them" if counts.min() > 1 else "those of larger classes"
        why = f"class {shown(counts.index[-1])} has only {counts.min()}; --labels noisy would doubt {others}"
        if enough:
            why = f"every class has at least {_ROWS_TO_DOUBT} rows; --labels hard would trust all of them"
        elif len(counts) == 1 or counts.max() == 1:
            why = "there is only one class" if len(counts) == 1 else "every class has only one row"
    return Target(y, kind, [*notes, *_note(kind, why)])


def _note(kind, why):
    """What was decided; nothing if there was nothing to decide."""
    return [f"labels are taken as {kind}: {why}"] if why else []


def _labelled_classes(values) -> tuple[pd.Series, list[str]]:
    """The same of a column that may have gaps."""
    there = values.notna()
    if there.all():
        return _classes(values)
    y, notes = _classes(values[there])
    return y.astype(object).reindex(values.index), notes


def _without_parts(values) -> pd.DataFrame:
    """Rows that lack some of their columns have no label."""
    gaps = values.isna().any(axis=1)
    return values[~gaps].reindex(values.index) if gaps.any() else values


def _classes(values) -> tuple[pd.Series, list[str]]:
    """A column of classes, and a note if it may be none; numbered rows, measurements and dates are refused."""
    name, counts = shown(values.name), values.value_counts()
    there = len(counts)
    numeric = pd.api.types.is_numeric_dtype(values.dtype)
    texts = [] if numeric else counts.index.astype(str).tolist()
    is_number = numeric or isinstance(numbers_of(texts), Numbers | Doubt)
    if is_number and (there > _MOST_NUMBERS or (there > _FEW_NUMBERS and counts.median() < 2)):
        raise Refused(
            f"the target must have classes; {name} has {there:,} different numbers in {len(values):,} rows, like a "
            "measurement. Cut it into classes such as low, middle and high, or name another --target."
        )
    if there > _MOST_DATES and holds_dates(texts, counts.tolist()):
        raise Refused(
            f"the target must have classes; {name} has {there:,} different dates. Turn them into classes such as "
            "before and after, or name another --target."
        )
    if there > _MOST_CLASSES:
        raise Refused(
            f"the target must have at most {_MOST_CLASSES:,} classes; {name} has {there:,}. Merge some of them, or "
            "name another --target."
        )
    if not numeric:
        return values.astype(str).astype(object), []
    whole = (values == np.floor(values)).all() and values.abs().max() < _EXACT
    note = f"{there} different numbers of {name} are taken for classes; cut them into fewer if they are a measurement"
    named = values.astype(np.int64) if whole else values.map("{:g}".format).astype(object)
    return named, [note] if there > _FEW_NUMBERS else []


def _answers(values) -> pd.DataFrame:
    """Answers, all as whole numbers or all as text; None where there is none."""
    given = of_one_type([values[name].dropna() for name in values.columns])
    check_few_answers(pd.concat(given), "Name other --target columns")
    columns = [g.astype(object).reindex(values.index, fill_value=None) for g in given]
    return pd.DataFrame(dict(zip(values.columns, columns, strict=True)), index=values.index)


def of_one_type(given: list[pd.Series]) -> list[pd.Series]:
    """Columns of answers without gaps as whole numbers if all are, else as text."""
    if all(pd.api.types.is_numeric_dtype(g.dtype) and (g == np.floor(g)).all() for g in given):
        return [g.astype(np.int64) for g in given]
    return [g.map("{:g}".format if pd.api.types.is_numeric_dtype(g.dtype) else str) for g in given]


def classes_said(y: pd.Series | pd.DataFrame | LongAnswers) -> list:
    """The different classes, or answers, of a y; in the order in which they come."""
    if isinstance(y, LongAnswers):
        return y.coded(None)[-1]
    values = np.ravel(y.to_numpy(object)).tolist()
    return [value for value in dict.fromkeys(values) if value is not None and value == value]


def check_few_answers(answers: pd.Series, otherwise: str):
    """Answers are classes, of which there are few."""
    there = answers.nunique()
    if there > _MOST_CLASSES or there == len(answers) > 2:
        raise Refused(f"answers must be from few classes; there are {there:,} different ones. {otherwise}.")


def _probabilities(values) -> tuple[pd.DataFrame, list[str]]:
    """Probabilities, divided by their sums where rounding has moved these from one."""
    if not all(pd.api.types.is_numeric_dtype(t) for t in values.dtypes):
        text = next(c for c in values.columns if not pd.api.types.is_numeric_dtype(values[c].dtype))
        raise Refused(
            f"--labels soft needs columns of probabilities; {shown(text)} is text. Write numbers such as 0.25."
        )
    y = _without_parts(values).astype(float)
    sums = y.sum(axis=1).where(y.notna().any(axis=1), 1.0).to_numpy(dtype=float)
    off = np.abs(sums - 1)
    if off.max() > _SUM_TOLERANCE:
        row = int(off.argmax())
        raise Refused(
            f"probabilities must sum to one in every row; row {y.index[row] + 1:,} sums to {sums[row]:g}. Name the "
            "columns of all classes with --target."
        )
    if off.max() <= 1e-9:
        return y, []
    return y.div(sums, axis=0), [f"probabilities were divided by their sums, {sums.min():.4g} to {sums.max():.4g}"]
