"""CPU seconds of a search in data with gaps, and of filling them before the same search; by turns in one run.

python -m experiments.missing.times DATA [--repetitions 3]

The half of a first repetition is searched again and again; the tables have the smallest of the times of each method.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

from experiments.missing.gaps import CELLS
from experiments.missing.halves import CONFIRMED, TUNED, Halves
from experiments.missing.methods import COMPLETE, METHODS, as_they_are
from experiments.missing.selections import cell, read
from experiments.runs import Runs

RESULTS = Path(__file__).parent / "results" / "times.jsonl"


def fill(results, sets, repetitions):
    done = results.done()
    halves = {name: Halves.draw(data, name, 0) for name, data in sets.items()}
    for repetition in range(repetitions):
        for name, one in halves.items():
            for gaps in CELLS:
                X = one.with_gaps(*gaps)
                for method, select in {COMPLETE: as_they_are, **METHODS}.items():
                    where = cell(name, *gaps)
                    if (where, method, repetition) not in done:
                        _, seconds = select(one.X if method == COMPLETE else X, one.y, one.seed)
                        cpu = [round(part, 4) for part in seconds]
                        results.add(data=where, method=method, repetition=repetition, cpu=cpu)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of the data sets")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--out", type=Path, default=RESULTS)
    asked = parser.parse_args()
    warnings.simplefilter("ignore")  # of imputers that have not converged, of classes with few rows
    fill(Runs(asked.out), {name: read(asked.data, name) for name in TUNED + CONFIRMED}, asked.repetitions)


if __name__ == "__main__":
    main()
