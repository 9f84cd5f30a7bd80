"""`tamis select`: which columns predict the target."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Optional

import typer

from . import options as o
from .errors import WrongUse, in_own_words
from .speaking import Voice


def select(
    file: o.File,
    target: o.Target = None,
    answers: o.Answers = None,
    gold: o.Gold = None,
    confidence: o.Confidence = None,
    labels: Annotated[o.Labels, typer.Option(help="What is known about the labels.")] = o.Labels.auto,
    search: Annotated[o.Search, typer.Option(help="How subsets are visited.")] = o.Search.backward,
    criterion: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(
            metavar="NAME",
            help="mutual_information, neighbor_cost, bayes_risk, weighted_laplacian, laplacian, chi2; of a blanket "
            "wasserstein, kl.",
        ),
    ] = None,
    features: Annotated[
        str,
        typer.Option(
            metavar="N|auto", help="auto: as many as predict best on rows left out; a number; a share such as 0.5."
        ),
    ] = "auto",
    tolerance: Annotated[
        float,
        typer.Option(metavar="SHARE", help="Of auto: share of the achievable gain given up for fewer features."),
    ] = 0.02,
    alpha: Annotated[
        float,
        typer.Option(metavar="P", help="Of auto: level at which it is said that no feature predicts the target."),
    ] = 0.05,
    require: Annotated[o.Columns, typer.Option(metavar="COL", help="Feature that is always kept; repeatable.")] = None,
    drop: o.Drop = None,
    categorical: o.Categorical = None,
    group_prefix: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(metavar="SEP", help="Separator: columns whose names agree up to it stay together."),
    ] = None,
    class_distance: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(
            metavar="paths|confusions|data|FILE",
            help="How much worse some mistakes are: 'paths' if classes are named a/b/c; estimated from 'confusions' of "
            "out-of-sample predictions or annotators, or from the 'data' (class means); or a CSV file, a square table.",
        ),
    ] = None,
    missing: o.MissingValuesToSelect = o.MissingOrIndicator.use,
    dates: o.DateColumns = o.Dates.drop,
    weight: o.Weight = None,
    rows_by: o.RowsBy = None,
    time: o.Time = None,
    seed: o.Seed = 0,
    jobs: o.Jobs = -1,
    out: o.Out = None,
    force: o.Force = False,
    checkpoint: Annotated[
        Optional[Path],  # noqa: UP045
        typer.Option(metavar="FILE", help="File that keeps the work done so far."),
    ] = None,
    max_time: o.MaxTime = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the checkpoint.")] = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
):
    """Select the columns of a table that predict its target.

    The answer is printed, and written to a folder: report.html, a page to show to others, selection.json, selected.csv,
    of noisy labels suspects.csv and relabelled.csv, of annotators' answers annotators.csv, consensus.csv and
    ask_next.csv.
    """
    from ..views.console import show_selection
    from .preparing import prepare
    from .selecting import fit, selector_for, size_of, write_selection
    from .tables import read
    from .writing import check_place

    voice, folder = Voice(json, quiet), out or o.folder_for(file)
    check_place(folder, force=force)
    _check_checkpoint(checkpoint, resume, voice)
    size = size_of(features)
    columns = {"target": target, "drop": drop, "require": require, "categorical": categorical}
    prepared = prepare(
        read(file),
        labels=labels,
        missing=missing,
        dates=dates,
        weight=weight,
        rows_by=rows_by,
        time=time,
        answers=answers,
        gold=gold,
        confidence=confidence,
        **{name: c or () for name, c in columns.items()},
    )
    with in_own_words():
        selector = selector_for(
            prepared,
            search=search,
            criterion=criterion,
            missing=missing,
            class_distance=class_distance,
            n_features_to_select=size,
            tolerance=tolerance,
            alpha=alpha,
            feature_groups=group_prefix,
            random_state=seed,
            n_jobs=jobs,
            max_time=max_time,
            verbose=int(voice.shows_progress),
        )
        summary = fit(selector, prepared, file, voice, checkpoint)
    write_selection(folder, summary, selector, prepared, force=force)
    voice.answer(summary, show_selection, folder)


def _check_checkpoint(checkpoint, resume, voice):
    if resume and checkpoint is None:
        raise WrongUse("--resume needs the file to go on from. Name it with --checkpoint.")
    if checkpoint is None:
        return
    if os.path.exists(checkpoint) and not resume:
        raise WrongUse(f"{checkpoint} exists already. Go on from it with --resume, or name another --checkpoint.")
    if resume and not os.path.exists(checkpoint):
        voice.note(f"There is no {checkpoint} yet: starting from the beginning.")
