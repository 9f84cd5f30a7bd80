"""How should a pair of rows with a gap be counted? Candidates in a slow search, on the four tuned sets only.

python -m experiments.missing.candidates DATA [--repetitions 10] [--data-sets "wine,glass"]

Every selection is appended to results/candidates.jsonl; what is there already is not done again. Tables:
python -m experiments.missing.tables
"""

from __future__ import annotations

import argparse
import warnings
from functools import partial
from pathlib import Path
from time import process_time

from experiments.missing.halves import TUNED
from experiments.missing.rules import RULES, backward
from experiments.missing.selections import fill, read
from experiments.runs import Runs

RESULTS = Path(__file__).parent / "results" / "candidates.jsonl"


def search(rule, X, y, seed):
    begin = process_time()
    order = backward(rule, X, y)
    return order, (0.0, process_time() - begin)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of the data sets")
    parser.add_argument("--repetitions", type=int, default=10)
    parser.add_argument("--data-sets", default=",".join(TUNED), help="separated by commas")
    parser.add_argument("--out", type=Path, default=RESULTS)
    asked = parser.parse_args()
    warnings.simplefilter("ignore")  # of linear models that have not converged, of classes with few rows
    sets = {name: read(asked.data, name) for name in asked.data_sets.split(",")}
    methods = {name: partial(search, rule) for name, rule in RULES.items()}
    # On complete data all rules are the same.
    fill(Runs(asked.out), sets, methods, asked.repetitions, complete=next(iter(methods.values())))


if __name__ == "__main__":
    main()
