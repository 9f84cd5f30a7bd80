"""`tamis demo`: an audit and a selection of data with label noise."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from . import options as o


def demo(
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for the files.")] = Path("tamis-demo"),
    force: o.Force = False,
    jobs: o.Jobs = -1,
):
    """Corrupt a fifth of the labels of 178 wines, add columns of noise, and find both."""
    from ..views._screen import Screen
    from ..views.console import show_audit, show_selection
    from .auditing import audited, write_audit_files
    from .demonstration import corrupted_wines, outcome
    from .preparing import prepare
    from .selecting import fit, selector_for, write_selection_files
    from .speaking import Voice
    from .tables import Table
    from .writing import check_place, whole_folder, write_table

    check_place(out, force=force)
    screen, wines = Screen(), corrupted_wines()
    screen.say(wines.story)
    with whole_folder(out, force=force) as new:
        write_table(new / "wine.csv", wines.frame)
        prepared = prepare(Table(wines.frame, (), ()), target=["cultivar"])
        screen.say("\n--- tamis audit wine.csv --target cultivar\n")
        audit = audited(prepared, "wine.csv", jobs=jobs)
        write_audit_files(new, audit, prepared, "audit.html")
        show_audit(audit.summary, screen)
        screen.say("\n--- tamis select wine.csv --target cultivar\n")
        selector = selector_for(prepared, random_state=0, n_jobs=jobs)
        summary = fit(selector, prepared, "wine.csv", Voice())
        write_selection_files(new, summary, selector, prepared)
        show_selection(summary, screen)
    screen.say("\n--- What was corrupted, and what was found of it\n")
    for line in outcome(wines, audit.model, summary):
        screen.say(line)
    files = ", ".join(sorted(file.name for file in out.iterdir() if file.suffix != ".html"))
    screen.say(f"\nThe files are in {out}: {files}.")
    screen.say(f"The report to look at is {out / 'report.html'}; of the audit alone, {out / 'audit.html'}.", "bold")
