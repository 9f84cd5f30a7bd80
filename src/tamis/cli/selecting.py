"""The work of `tamis select`: a selector, its fit and the files."""

from __future__ import annotations

import os
from pathlib import Path

from ..labels import CrowdLabels
from ..relevance import ChiSquare
from ..selectors import BlanketSelector, RankingSelector, SequentialSelector
from ..views import summarise
from ..views.labels import tables_of
from . import signals
from .confusing import class_distance_of
from .errors import Interrupted, WrongUse
from .preparing import Prepared
from .speaking import Voice, heard
from .tables import Refused
from .writing import whole_folder, write_json, write_report, write_table

_CRITERIA = {"chi2": ChiSquare("mdl")}  # those that are not complete by their name
_LONG = 1e11
"""Square of the number of cells; a joint search of more takes minutes."""


def size_of(text: str) -> int | float | str:
    """auto, a whole number, or a share."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    if text != "auto":
        raise WrongUse(f"--features must be auto, a whole number or a share such as 0.5; got {text!r}.")
    return text


def selector_for(
    prepared: Prepared, *, search="backward", criterion=None, class_distance=None, missing="use", **settings
):
    """A selector for a prepared table, with the parameters of its class."""
    if missing == "indicator" and search == "blanket":
        raise WrongUse(
            "--missing indicator needs --search backward, forward or ranking; a blanket takes missing values as a "
            "level of their own always. Use --missing use."
        )
    if missing == "indicator":
        settings["missing"] = "indicator"
    if not prepared.X.shape[1]:
        raise Refused(
            "the table must have features beside the answers; none is left. Add columns of measurements or categories, "
            "or name fewer in --drop."
        )
    settings |= {"labels": _labels(prepared), "required_features": prepared.required or None}
    given = () if criterion is None else (_CRITERIA.get(criterion, criterion),)
    if class_distance is not None:
        seed = {"seed": settings.get("random_state", 0), "n_jobs": settings.get("n_jobs")}
        settings["class_distance"], note = class_distance_of(class_distance, prepared, **seed)
        prepared.notes.extend([note] if note else [])
    if search == "ranking":
        by_distance = ("neighbor_cost",) if class_distance is not None and criterion is None else given
        return RankingSelector(*by_distance, **settings)
    if search != "blanket":
        return SequentialSelector(*given, direction=str(search), **settings)
    return BlanketSelector(*given, **settings)


def _labels(prepared: Prepared) -> str | CrowdLabels:
    """What a selector is told of the labels."""
    gold = prepared.reading.get("gold")
    return prepared.kind if gold is None else CrowdLabels(expert=gold)


def fit(selector, prepared: Prepared, file: str, voice: Voice, checkpoint: Path | None = None) -> dict:
    """Fit, and summarise what was found."""
    selector.set_params(checkpoint=checkpoint)
    n_rows, n_features = prepared.X.shape
    again = ", and --features auto repeats it on folds" if selector.n_features_to_select == "auto" else ""
    # A progress bar says how long.
    is_long = isinstance(selector, SequentialSelector) and (n_rows * n_features) ** 2 > _LONG
    if is_long and selector.max_time is None and not voice.shows_progress:
        voice.note(
            f"A joint search compares all {n_rows:,} rows for all {n_features:,} features and may take long"
            f"{again}; --max-time 10m ends it in time, --search ranking and --search blanket are faster."
        )
    with heard() as said:
        try:
            selector.fit(prepared.X, prepared.y, **prepared.known)
        except KeyboardInterrupt as error:
            raise Interrupted(f"{_how_far(error, selector)}: {_kept(selector, checkpoint)}.") from error
    return summarise(selector, data=about_data(prepared, file), rows=prepared.rows, warnings=said)


def _how_far(error: KeyboardInterrupt, selector) -> str:
    """What the selector noted; it notes nothing outside its steps and folds."""
    outside = "after the last step" if hasattr(selector, "path_") else "before the first step"
    noted = next(iter(getattr(error, "__notes__", ())), f"interrupted {outside}")
    return noted.replace("interrupted", signals.interrupted(), 1)


def _kept(selector, checkpoint: Path | None) -> str:
    if checkpoint is None or not checkpoint.exists():
        return "nothing was written; --checkpoint FILE keeps the steps and folds that are done"
    if not selector.path_.steps:
        return "no step is done yet; start again with --resume"
    return f"the work so far is in {checkpoint}; go on with --resume"


def about_data(prepared: Prepared, file: str) -> dict:
    """What a summary says of a table."""
    name = "standard input" if file == "-" else os.path.basename(file)
    about = {"file": name, "rows": len(prepared.X), "targets": prepared.targets, "notes": prepared.notes}
    about["columns"] = prepared.columns
    return about | {"reading": {"file": file if file == "-" else name, **prepared.reading}}


def write_selection(folder: Path, summary, selector, prepared: Prepared, *, force: bool) -> None:
    """report.html, selection.json, selected.csv, and tables of noisy labels or of annotators' answers."""
    with whole_folder(folder, force=force) as new:
        write_selection_files(new, summary, selector, prepared)


def _of_rows(prepared: Prepared) -> list[str]:
    """Columns of true classes, confidences, weights, groups and times, each once."""
    named = [prepared.reading.get(option) for option in ("gold", "confidence", "weight", "rows_by", "time")]
    return list(dict.fromkeys(name for name in named if name is not None))


def write_selection_files(folder: Path, summary, selector, prepared: Prepared) -> None:
    write_json(folder / "selection.json", summary)
    write_report(folder / "report.html", summary)
    write_table(folder / "selected.csv", prepared.frame[[*summary["selected"], *prepared.targets, *_of_rows(prepared)]])
    write_label_tables(folder, getattr(selector, "labels_", None), prepared)


def write_label_tables(folder: Path, model, prepared: Prepared) -> None:
    """What a label model says of rows and annotators; rows that have names in a file of answers have them here too."""
    named = [column["name"] for column in prepared.columns if column["read_as"] == "row id"]
    for name, table in tables_of(model, prepared.rows).items():
        for by in named if "row" in table else []:
            names = prepared.frame[by].set_axis(prepared.rows)
            table.insert(1, by, names[table["row"]].to_numpy(), allow_duplicates=True)
        write_table(folder / name, table)
