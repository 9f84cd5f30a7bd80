"""Targets that say less than a class: with a confidence, as candidates, rankings or votes; as probabilities."""

from __future__ import annotations

from typing import Any, NamedTuple

import pandas as pd

from ..labels import memberships_of
from .errors import WrongUse
from .row_columns import numbers_in
from .speaking import heard
from .tables import Refused
from .tables.refused import shown

KINDS = ("candidates", "ranking", "votes")
_SEPARATORS = {"candidates": "|;", "ranking": ">|;"}


class Said(NamedTuple):
    """Probabilities, indexed as the table, and what was done."""

    y: pd.DataFrame
    notes: list[str]


def check_confidence_of(labels: str, n_targets: int) -> str:
    """The kind of labels of classes with a confidence."""
    if labels not in ("auto", "soft") or n_targets != 1:
        raise WrongUse(
            f"--confidence needs one --target, a column of classes, and --labels soft or none; got {n_targets} targets "
            f"and --labels {labels}. Leave --confidence out, or the others."
        )
    return "confidence"


def from_confidence(classes: pd.Series, confidence: pd.Series) -> Said:
    """Classes, missing where there is none, and how sure each is."""
    name = shown(confidence.name)
    if confidence.isna().all():
        raise Refused(f"--confidence must have numbers in some rows; {name} has none. Name another column.")
    numbers, how = numbers_in(confidence.dropna(), "--confidence")
    wrong = ((numbers < 0) | (numbers > 1)).to_numpy()
    if wrong.any():
        row, worst = numbers.index[wrong.argmax()] + 1, numbers.iloc[wrong.argmax()]
        way_out = "Divide percent by 100" if worst > 1 else "Write the probability that the class is right"
        raise Refused(
            f"--confidence must be from 0 to 1; row {row:,} of {name} has {worst:g} ({wrong.sum():,} such "
            f"rows). {way_out}."
        )
    found = _memberships(y=classes, confidence=numbers.reindex(classes.index))
    what = f"labels are taken as soft: classes with the confidence in {name}"
    return Said(found.y, ["; ".join([what, *how]), *found.notes])


def from_texts(values: pd.Series, kind: str) -> Said:
    """Texts that name several classes, between separators."""
    name, texts = shown(values.name), values.dropna().astype(str)
    there = [sign for sign in _SEPARATORS[kind] if texts.str.contains(sign, regex=False).any()]
    known = " or ".join(_SEPARATORS[kind])
    if len(there) != 1:
        raise Refused(
            f"--labels {kind} needs texts of classes with one separator between them, {known}; {name} has "
            f"{' and '.join(there) or 'none of them'}. Use one throughout{'' if there else ', or --labels hard'}."
        )
    rows = texts.str.split(there[0], regex=False).map(lambda parts: [part.strip() for part in parts])
    for row, parts in rows.items():
        odd = "" if "" in parts else next((p for p in parts if parts.count(p) > 1), None)
        if odd == "" or (odd is not None and kind == "ranking"):
            problem = "there is nothing beside a separator" if odd == "" else f"{shown(odd)} comes twice"
            raise Refused(
                f"--labels {kind} must name classes, each once; row {row + 1:,} of {name}: {problem}. Correct it."
            )
    if rows.map(tuple).explode().nunique() < 2:
        raise Refused(f"the target must have at least two classes; {name} has one. Name another --target.")
    found = _memberships(**{kind: rows.reindex(values.index)})
    how = "all equally likely" if kind == "candidates" else "the first the most likely"
    note = f"labels are taken as {kind}: classes between {there[0]!r} in {name}, {how}"
    return Said(found.y, [note, *found.notes])


def from_votes(values: pd.DataFrame) -> Said:
    """Columns of counts, one per class; a missing one is no vote."""
    for c in values.columns:
        if not pd.api.types.is_numeric_dtype(values[c].dtype):
            raise Refused(f"--labels votes needs columns of numbers; {shown(c)} is text. Name other --target columns.")
        negative = (values[c] < 0).to_numpy()
        if negative.any():
            row = values.index[negative.argmax()] + 1
            raise Refused(f"votes must not be negative; row {row:,} of {shown(c)} has {values[c].min():g}. Correct it.")
    if not values.fillna(0).to_numpy().any():
        raise Refused("votes must be there in some row; all are 0 or missing. Name other --target columns.")
    found = _memberships(votes=values)
    return Said(found.y, [f"labels are taken as votes: shares of {len(values.columns)} columns", *found.notes])


def _memberships(**given: Any) -> Said:
    with heard() as said:
        y = memberships_of(**given)
    return Said(y, said)
