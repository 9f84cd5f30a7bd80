"""Run the five papers again.

python -m experiments --data ../shared/data --quick        10 minutes on two cores: begin here
python -m experiments --data ../shared/data --jobs 2       what is missing of the whole, many hours; stop it at any time
python -m experiments --show                               verdicts, figures and page from the records, nothing is run

Records of a quick run are kept apart, in experiments/quick/, so that it runs on a fresh clone; those of the whole are
in experiments/*/results/, and a run goes on where they end.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent


def parsed(arguments=None):
    parser = argparse.ArgumentParser(
        "experiments", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, help="folder of the data sets")
    parser.add_argument("--paper", action="append", metavar="NAME", help="only this one (repeatable)")
    parser.add_argument(
        "--figure", action="append", metavar="NUMBER", help='only this one, such as "Fig. 4" (repeatable)'
    )
    parser.add_argument("--quick", action="store_true", help="few repetitions, apart from the others")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes; default: one for each core")
    parser.add_argument("--minutes", type=float, help="begin no task after so long")
    parser.add_argument("--show", action="store_true", help="run nothing")
    return parser.parse_args(arguments)


def chosen(papers, asked):
    """The papers and items that were asked for."""
    names = [paper.name for paper in papers]
    if wrong := set(asked.paper or ()) - set(names):
        sys.exit(f"--paper must be one of {', '.join(names)}; got {', '.join(sorted(wrong))}")
    papers = [paper for paper in papers if not asked.paper or paper.name in asked.paper]
    if not asked.figure:
        return papers
    wanted = {_plain(number) for number in asked.figure}
    found = [
        dataclasses.replace(paper, items=tuple(item for item in paper.items if _plain(item.number) in wanted))
        for paper in papers
    ]
    if not any(paper.items for paper in found):
        numbers = ", ".join(item.number for paper in papers for item in paper.items)
        sys.exit(f"--figure must be one of {numbers}; got {', '.join(asked.figure)}")
    return [paper for paper in found if paper.items]


def _plain(number):
    return "".join(number.lower().replace("figure", "fig").replace(".", "").split())


def main(arguments=None):
    asked = parsed(arguments)
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    # after the line above: libraries read it when they are imported
    from experiments.papers import PAPERS
    from experiments.reproduction.page import draw_all, page
    from experiments.reproduction.running import Store, run
    from experiments.reproduction.verdicts import counts, judged, markdown

    if asked.data is not None and not asked.data.is_dir():
        sys.exit(f"--data must be a folder of data sets; {asked.data} is not there")
    papers = chosen(PAPERS, asked)
    store = Store(HERE / "quick" if asked.quick else HERE)
    failed, began = 0, time.monotonic()
    if not asked.show:
        experiments = {e.name: e for paper in papers for e in paper.experiments()}.values()
        seconds = None if asked.minutes is None else 60 * asked.minutes
        try:
            failed = run(experiments, store, data=asked.data, quick=asked.quick, n_jobs=asked.jobs, max_seconds=seconds)
        except KeyboardInterrupt:
            print("\nstopped; all that was finished is saved, and the same command goes on from there", file=sys.stderr)
            return 130
        print(f"run in {(time.monotonic() - began) / 60:.0f} min", file=sys.stderr)
    # every paper, so that a part that was run leaves no gaps
    found = _found(PAPERS, store)
    committed = judged(PAPERS, _found(PAPERS, Store(HERE))) if asked.quick else None
    told = judged(PAPERS, found)
    draw_all(told, found, store.root)
    (store.root / "VERDICTS.md").write_text(markdown(told))
    what = "quick run: few repetitions" if asked.quick else "all records"
    (HERE / "reproduction.html").write_text(page(told, store.root, what, committed))
    for paper, items in told:
        for item, _, verdict in items:
            print(f"{paper.name:<18} {item.number:<10} {verdict}")
    print(f"\n{counts(told)}\n{store.root / 'VERDICTS.md'}\n{HERE / 'reproduction.html'}")
    return 1 if failed else 0


def _found(papers, store):
    return {e.name: store.records(e) for paper in papers for e in paper.experiments()}


if __name__ == "__main__":
    sys.exit(main())
