"""How many features does each method keep, which, and what are they worth? Generated and real data, wrong labels.

python -m experiments.how_many.peers DATA [--repetitions 20] [--out results/peers.jsonl] [--only "tamis, auto;Boruta"]
python -m experiments.how_many.peers --show

Every selection is appended to the file as it is found; what is there already is not done again, so a run can be stopped
and resumed. `--data-sets "wine, 20 %;noise, 0 %"` takes some of the data only.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

from experiments.how_many.keeping import cell, fill, results_in
from experiments.how_many.keeping_tables import seconds, table
from experiments.how_many.known_truths import REAL, TRUTHS, generated, real
from experiments.how_many.size_contenders import CONTENDERS, TAMIS

RATES = (0.0, 0.2)
REAL_RATE = 0.2
RESULTS = Path(__file__).parent / "results" / "peers.jsonl"


def tasks(folder):
    known = {cell(name, rate): partial(generated, name, rate) for name in TRUTHS for rate in RATES}
    return known | {cell(name, REAL_RATE): partial(real, folder, name, REAL_RATE) for name in REAL}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, help="folder of the data sets")
    parser.add_argument("--repetitions", type=int, default=20)
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--only", help="contenders, separated by semicolons")
    parser.add_argument("--data-sets", help="data sets, separated by semicolons")
    parser.add_argument("--show", action="store_true", help="print the tables only")
    asked = parser.parse_args()
    results = results_in(asked.out)
    if not asked.show:
        if asked.data is None:
            parser.error("a folder of data sets is needed, or --show")
        fill(results, some(tasks(asked.data), asked.data_sets), some(CONTENDERS, asked.only), asked.repetitions)
    show(results.read())


def some(all_of_them, names):
    """All, or those named."""
    return {name: all_of_them[name] for name in names.split(";")} if names else all_of_them


def show(lines):
    for data in tasks(None):
        here = [line for line in lines if line["data"] == data]
        if here:
            print(f"{data}\n{table(here, CONTENDERS, TAMIS)}\n")
    print(f"seconds of a selection\n{seconds(lines, tasks(None), CONTENDERS)}")


if __name__ == "__main__":
    main()
