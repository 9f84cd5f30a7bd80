"""What do gaps cost a search? Eight sets, 10 and 30 % of the cells missing, against filling them before the search.

python -m experiments.missing.selections DATA [--repetitions 20] [--data-sets "wine,glass"] [--only "complete,ours"]

Every selection is appended to results/selections.jsonl; what is there already is not done again. Tables:
python -m experiments.missing.tables
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import numpy as np

from experiments.missing.gaps import CELLS
from experiments.missing.halves import CONFIRMED, TUNED, Halves
from experiments.missing.methods import COMPLETE, METHODS, as_they_are
from experiments.runs import Runs
from tamis.datasets import read_table

RESULTS = Path(__file__).parent / "results" / "selections.jsonl"


def cell(name, mechanism, share):
    return f"{name}, {share:.0%} {mechanism}"


def read(folder, name):
    """Features and codes of classes."""
    table = read_table(folder, name)
    return table.X, np.unique(table.y, return_inverse=True)[1]


def fill(results, sets, methods, repetitions, with_complete=True, complete=as_they_are):
    """Run what is missing; repetition by repetition, so that an interrupted run has some of everything."""
    done = results.done()
    for repetition in range(repetitions):
        for name, data in sets.items():
            todo = [(cell(name, *gaps), method, gaps) for gaps in CELLS for method in methods]
            todo = [(f"{name}, complete", COMPLETE, None)] * with_complete + todo
            todo = [one for one in todo if (*one[:2], repetition) not in done]
            halves = Halves.draw(data, name, repetition) if todo else None
            for where, method, gaps in todo:
                X = halves.X if gaps is None else halves.with_gaps(*gaps)
                order, seconds = (complete if gaps is None else methods[method])(X, halves.y, halves.seed)
                line = {"data": where, "method": method, "repetition": repetition}
                cpu = [round(part, 4) for part in seconds]
                results.add(**line, cpu=cpu, errors=halves.errors(order), order=np.asarray(order).tolist())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of the data sets")
    parser.add_argument("--repetitions", type=int, default=20)
    parser.add_argument("--data-sets", default=",".join(TUNED + CONFIRMED), help="separated by commas")
    parser.add_argument("--only", default=",".join([COMPLETE, *METHODS]), help="methods, separated by commas")
    parser.add_argument("--out", type=Path, default=RESULTS)
    asked = parser.parse_args()
    warnings.simplefilter("ignore")  # of imputers and linear models that have not converged, of classes with few rows
    sets = {name: read(asked.data, name) for name in asked.data_sets.split(",")}
    wanted = asked.only.split(",")
    methods = {name: method for name, method in METHODS.items() if name in wanted}
    fill(Runs(asked.out), sets, methods, asked.repetitions, COMPLETE in wanted)


if __name__ == "__main__":
    main()
