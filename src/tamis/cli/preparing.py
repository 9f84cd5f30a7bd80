"""A table that was read, as what `fit` takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from .._validation import LongAnswers
from .answers import Given, answers_in
from .asked import asked_columns
from .belonging import hints
from .errors import WrongUse
from .features import Features, features_of
from .partial import KINDS as PARTIAL
from .partial import check_confidence_of
from .probabilities import Predicted, predicted
from .row_columns import row_columns
from .tables import Refused, Table, read
from .tables.refused import named, shown
from .targets import Target, classes_said, kind_of_columns, target_of


class Prepared(NamedTuple):
    """Features, labels, and what is known of the rows.

    X : features as numbers and categories, of which some may be missing
    y : what the label model of this `kind` takes; with --gold the true classes are one more annotator
    known : what `fit` takes beside: sample_weight, groups and order, those that were asked for
    kind : of the labels
    targets : names of the columns of y
    required : features that are always kept
    frame : the rows that are used, as they were read, and features made of dates
    rows : their numbers in the file, from 1
    notes : what was done, in plain words
    columns : what each column of the file was read as: name, read_as, note
    reading : arguments of `read_table` that do it again
    predicted : probabilities that take the place of the features, if there are any
    """

    X: pd.DataFrame
    y: pd.Series | pd.DataFrame | LongAnswers
    known: dict[str, np.ndarray]
    kind: str
    targets: list[str]
    required: list[str]
    frame: pd.DataFrame
    rows: np.ndarray
    notes: list[str]
    columns: list[dict[str, str | None]]
    reading: dict[str, Any]
    predicted: Predicted | None = None


def read_table(file, **how) -> tuple[Any, pd.Series | pd.DataFrame | LongAnswers, dict[str, np.ndarray]]:
    """The features, or the probabilities, the labels, and what `fit` takes beside: as commands take them from a file.

    `how` is that of `prepare`. The last one is empty unless weight, rows_by or time name columns.
    """
    prepared = prepare(read(str(file)), **how)
    return (prepared.X if prepared.predicted is None else prepared.predicted.tables), prepared.y, prepared.known


def prepare(
    table: Table,
    *,
    target: Sequence[str] = (),
    labels: str = "auto",
    drop: Sequence[str] = (),
    require: Sequence[str] = (),
    categorical: Sequence[str] = (),
    missing: str = "use",
    dates: str = "drop",
    weight: str | None = None,
    rows_by: str | None = None,
    time: str | None = None,
    probabilities: Sequence[str] = (),
    answers: str | None = None,
    gold: str | None = None,
    confidence: str | None = None,
) -> Prepared:
    """Sort the columns into features, labels and what is known of the rows; probabilities replace all features.

    A table of annotators' answers needs no features.
    """
    frame, every, missing = table.frame, list(table.frame.columns), str(missing)
    given = {"target": target, "drop": drop, "require": require, "categorical": categorical}
    about_rows = {"weight": weight, "rows_by": rows_by, "time": time, "gold": gold, "confidence": confidence}
    asked = asked_columns(table, answers=answers, **about_rows, **given)
    told = None if answers is None else answers_in(answers, frame)
    kind, why = _kind(frame[asked.targets], str(labels), told, asked, declared=not target)
    rows, notes = _labelled(frame, asked.targets, kind, missing)
    of_rows = row_columns(frame[rows], **asked.about)
    rows[rows] = of_rows.present
    of_labels = {} if gold is None else {gold: ("gold", ["true classes"])}
    if told is not None and told.by is not None:
        of_labels[told.by] = ("row id", [f"as in {told.name}"])
    if confidence is not None:
        of_labels[confidence] = ("confidence", [f"of {shown(asked.targets[0])}"])
    others = {*asked.targets, *of_rows.read, *of_labels}
    if probabilities:
        features = Features(frame.loc[rows, []], np.ones(rows.sum(), dtype=bool), [], {}, {})
    else:
        columns = [c for c in every if c not in {*others, *asked.left_out}]
        how: dict[str, Any] = {"missing": missing, "dates": str(dates), "written": table.written}
        how["or_none"] = kind == "crowd"
        features = features_of(frame[rows], columns, require=asked.required, categorical=asked.categories, **how)
    rows[rows] = features.kept
    _check_rows(rows)
    found = _labels(frame[rows], asked, told, kind, why)
    _check_required(asked.required, features.made)
    models, no_models = None, [*asked.targets, *of_labels]
    if probabilities:
        models = predicted(probabilities, frame, no_models, classes_said(found.y), frame.index[rows])
    notes = [*table.notes, *notes, *of_rows.notes, *features.notes, *found.notes, *(models.notes if models else ())]
    if rows_by is None and not probabilities:
        notes += hints(frame[rows], [c for c in every if c not in others], features.X)
    reading: dict[str, Any] = {"target": asked.targets, "labels": found.kind, "drop": asked.left_out}
    reading |= {"require": asked.required, "categorical": asked.categories, "missing": missing, "dates": str(dates)}
    reading |= {} if confidence is None else {"confidence": confidence, "labels": "soft"}
    reading |= asked.about | ({"probabilities": models.given} if models else {})
    reading |= ({"answers": told.name} if told else {}) | ({"gold": gold} if gold is not None else {})
    read = {**{c: ("target", list[str]()) for c in asked.targets}, **features.read, **of_rows.read, **of_labels}
    return Prepared(
        X=features.X.reset_index(drop=True),
        y=found.y if isinstance(found.y, LongAnswers) else found.y.reset_index(drop=True),
        known={name: values[frame.index[rows]].to_numpy() for name, values in of_rows.known.items()},
        kind="soft" if found.kind in PARTIAL else found.kind,
        targets=asked.targets,
        required=[name for c in asked.required for name in features.made[c]],
        frame=_with_new(frame[rows], features.X),
        rows=np.flatnonzero(rows) + 1,
        notes=notes,
        columns=[_column(c, read, asked.left_out, models) for c in every],
        reading=reading,
        predicted=models,
    )


def _kind(values, labels, told: Given | None, asked, *, declared) -> tuple[str, str]:
    """The kind of labels, with the reason."""
    gold = asked.gold
    if asked.confidence is not None:
        if told is not None or gold is not None:
            raise WrongUse("--confidence is of classes; got answers of annotators. Leave --confidence out.")
        return check_confidence_of(labels, values.shape[1]), ""
    if told is not None:
        if labels not in ("auto", "crowd"):
            raise WrongUse(f"--answers needs --labels crowd, or none; got {labels}. Leave --labels out.")
        return "crowd", ""
    if gold is not None and (values.shape[1] < 2 or labels not in ("auto", "crowd")):
        raise WrongUse(
            "--gold needs answers of annotators: several --target columns, or --answers FILE; got labels of another "
            "kind. Leave --gold out."
        )
    return kind_of_columns(values, labels if gold is None else "crowd", declared=declared)


def _labels(frame, asked, told: Given | None, kind, why) -> Target:
    """The y of a table; true classes are one more annotator."""
    gold, notes, columns = None, list[str](), asked.targets
    if asked.confidence is not None:
        columns = [*columns, asked.confidence]
    if asked.gold is not None:
        gold, columns, name = frame[asked.gold], [*columns, asked.gold], shown(asked.gold)
        if gold.isna().all():
            raise Refused(f"--gold must have the class of some row; {name} has none. Leave it out.")
        notes = [f"true classes in {name}: {gold.notna().sum():,} of {len(gold):,} rows"]
    if told is None:
        found = target_of(frame[columns], kind, why)
        return found._replace(notes=[*found.notes, *notes])
    y, done = told.about(frame.index.to_numpy() + 1, gold)
    return Target(y, kind, [told.note(), *done, *notes])


def _labelled(frame, targets, kind, missing) -> tuple[np.ndarray, list[str]]:
    """Rows that are used, with or without a label; annotators need not answer, and who does not vote has no votes."""
    every, gaps = np.ones(len(frame), dtype=bool), frame[targets].isna().any(axis=1).to_numpy()
    if not gaps.any() or kind in ("crowd", "votes"):
        return every, []
    if missing == "error":
        raise Refused(
            f"labels must be there in every row with --missing error; {named(targets, 3)} is missing in "
            f"{gaps.sum():,} of {len(frame):,} (the first is row {gaps.argmax() + 1:,}). Use these rows without a "
            "label with --missing use, or leave them out with drop-rows."
        )
    if gaps.all():
        raise Refused(
            f"labels must be there in some rows; {named(targets, 3)} is missing in all {len(frame):,}. Name another "
            "--target."
        )
    if missing == "drop-rows":
        return ~gaps, [f"rows left out for missing labels: {gaps.sum():,} of {len(frame):,}"]
    return every, [f"rows without a label: {gaps.sum():,} of {len(frame):,} (the first is row {gaps.argmax() + 1:,})"]


def _column(name, read_as, left_out, models) -> dict[str, str | None]:
    """What a column was read as."""
    if name in read_as:
        what, notes = read_as[name]
    elif name in left_out:
        what, notes = "left out", ["by --drop"]
    elif models is not None and name in models.columns:
        what, notes = "probabilities", []
    else:
        what, notes = "left out", ["probabilities take the place of features"]
    return {"name": name, "read_as": what, "note": "; ".join(notes) or None}


def _with_new(frame, X) -> pd.DataFrame:
    """A table, and the features that are made of its dates."""
    new = [name for name in X.columns if name not in frame.columns]
    return pd.concat([frame, X[new]], axis=1) if new else frame


def _check_rows(rows):
    if rows.sum() < 2:
        raise Refused(f"the table must have at least two rows; it has {rows.sum()}.")


def _check_required(required, made):
    gone = [c for c in required if not made.get(c)]
    if gone:
        raise WrongUse(
            f"--require must name features that are left; {shown(gone[0])} was left out, as its values are missing or "
            "its dates are all the same."
        )
