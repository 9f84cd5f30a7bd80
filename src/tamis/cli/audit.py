"""`tamis audit`: label quality."""

from __future__ import annotations

from . import options as o
from .errors import in_own_words
from .speaking import Voice


def audit(
    file: o.File,
    target: o.Target = None,
    answers: o.Answers = None,
    gold: o.Gold = None,
    probabilities: o.Probabilities = None,
    drop: o.Drop = None,
    categorical: o.Categorical = None,
    missing: o.MissingValues = o.Missing.use,
    dates: o.DateColumns = o.Dates.drop,
    weight: o.Weight = None,
    rows_by: o.RowsBy = None,
    seed: o.Seed = 0,
    jobs: o.Jobs = -1,
    out: o.Out = None,
    force: o.Force = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
):
    """Tell how many labels are wrong, which ones, and which classes are confused.

    Labels are compared with what classifiers predict from the other columns, or with probabilities of your own.
    Several targets, or a file of answers, are those of several annotators: what is the true class of each row, how
    reliable is each annotator, and which rows need another answer? The answer is printed, and written to a folder:
    report.html, a page to show to others, audit.json, suspects.csv and relabelled.csv, or annotators.csv, consensus.csv
    and ask_next.csv.
    """
    from ..views.console import show_audit
    from .asked import columns_named
    from .auditing import audited, write_audit
    from .preparing import prepare
    from .tables import read
    from .writing import check_place

    voice, folder = Voice(json, quiet), out or o.folder_for(file)
    check_place(folder, force=force)
    table, given = read(file), target or ()
    several = answers is not None or len(columns_named("--target", given, list(table.frame.columns))) > 1
    prepared = prepare(
        table,
        target=given,
        labels="crowd" if several else "noisy",
        drop=drop or (),
        categorical=categorical or (),
        missing=missing,
        dates=dates,
        weight=weight,
        rows_by=rows_by,
        probabilities=probabilities or (),
        answers=answers,
        gold=gold,
    )
    with in_own_words():
        found = audited(prepared, file, seed=seed, jobs=jobs)
    write_audit(folder, found, prepared, force=force)
    voice.answer(found.summary, show_audit, folder)
