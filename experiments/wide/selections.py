"""Are selections from many features and few rows good? Six sets of 325 to 5966 features, against what others select.

python -m experiments.wide.selections DATA [--datasets colon,glioma] [--repetitions 10] [--only "METHOD;METHOD"]
python -m experiments.wide.selections --show

Every selection is appended to results/errors.jsonl; what is there already is not done again.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path
from time import process_time

from experiments.runs import Runs
from experiments.wide.halves import CONFIRMED_ON, RATES, TUNED_ON, Halves, read
from experiments.wide.wide_contenders import CONTENDERS, VARIANTS
from experiments.wide.wide_tables import show

RESULTS = Path(__file__).parent / "results" / "errors.jsonl"
FEWER = {("basehock", method): 2 for method in ("ReliefF", "hard, no sieve", "noisy, no sieve")}
"""Repetitions, where one selection takes minutes."""


def cell(name, rate):
    return f"{name}, {rate:.0%}"


def fill(results, sets, methods, repetitions):
    """Run what is missing; repetition by repetition, so that an interrupted run has some of everything."""
    done = results.done()
    for repetition in range(repetitions):
        for name, data in sets.items():
            for rate in RATES:
                halves = Halves.draw(data, name, rate, repetition)
                for method, select in methods.items():
                    if (cell(name, rate), method, repetition) in done or repetition >= FEWER.get((name, method), 10**9):
                        continue
                    begin = process_time()
                    order = select(halves.X, halves.recorded, halves.seed)
                    seconds = round(process_time() - begin, 2)
                    line = {"data": cell(name, rate), "method": method, "repetition": repetition, "cpu": seconds}
                    results.add(**line, errors=halves.errors(order))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, help="folder of the data sets")
    parser.add_argument("--repetitions", type=int, default=10)
    parser.add_argument("--datasets", default=",".join(TUNED_ON + CONFIRMED_ON))
    parser.add_argument("--only", default=";".join([*CONTENDERS, *VARIANTS]), help="methods, separated by semicolons")
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--show", action="store_true", help="print the tables only")
    asked = parser.parse_args()
    results = Runs(asked.out)
    if not asked.show:
        warnings.simplefilter("ignore")  # of classes with few rows, and of an SVM that has not converged
        everyone = CONTENDERS | VARIANTS
        sets = {name: read(asked.data, name) for name in asked.datasets.split(",")}
        fill(results, sets, {method: everyone[method] for method in asked.only.split(";")}, asked.repetitions)
    print(show(results.read()))


if __name__ == "__main__":
    main()
