"""The option --class-distance: which mistakes are worse."""

from __future__ import annotations

import os

import pandas as pd

from ..distances.classes import ClassDistance
from .errors import WrongUse
from .preparing import Prepared
from .tables import Refused, read
from .tables.refused import shown
from .targets import classes_said


def class_distance_of(option: str, prepared: Prepared) -> ClassDistance:
    """From class names that are paths, or from a file with a square table."""
    classes = class_names(prepared)
    if option.lower() != "paths" or os.path.exists(option):
        return _from_table(option, classes)
    if not all(isinstance(name, str) for name in classes):
        raise WrongUse("--class-distance paths needs class names such as a/b/c; they are numbers. Name a file instead.")
    return ClassDistance.from_paths(classes)


def class_names(prepared: Prepared) -> list:
    """The classes of a prepared target, sorted."""
    if prepared.kind in ("soft", "multilabel") and isinstance(prepared.y, pd.DataFrame):
        return sorted(prepared.y.columns)
    return sorted(classes_said(prepared.y))


def _from_table(path, classes):
    """Names of classes in the header and in the first column, in the same order."""
    frame = read(path).frame
    header, rows = list(frame.columns[1:]), frame.iloc[:, 0].astype(str).tolist()
    if header != rows:
        odd = next((name for name in [*header, *rows] if name not in header or name not in rows), "their order")
        raise Refused(
            f"{path} must have the same classes in its header and in its first column, in the same order; they differ "
            f"in {shown(odd)}."
        )
    by_text = {str(name): name for name in classes}
    return ClassDistance(frame.iloc[:, 1:].to_numpy(float), [by_text.get(name, name) for name in header]).for_classes(
        classes, extra="drop"
    )
