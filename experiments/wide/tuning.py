"""Which features should leave before a search of more features than rows? Compared on the three tuned sets only.

python -m experiments.wide.tuning DATA [--repetitions 7] [--only "200, k = 8;p .05, k = 8"]
python -m experiments.wide.tuning --show

A sieve keeps the features of smallest p-values: so many, a multiple of the rows, those below a level, or those that
Benjamini and Hochberg's procedure keeps, 40 at least. k is the number of neighbours of the criterion. Every selection
is appended to results/tuning.jsonl; what is there already is not done again.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import numpy as np

from experiments.runs import Runs
from experiments.wide.halves import RATES, TUNED_ON, Halves, read
from experiments.wide.selections import RESULTS as PEERS
from experiments.wide.selections import cell
from experiments.wide.wide_contenders import ours
from experiments.wide.wide_tables import DEFAULT, OURS, mean_errors, mean_ranks
from tamis import MutualInformation, SequentialSelector
from tamis.estimates.association import p_values_of

RESULTS = Path(__file__).parent / "results" / "tuning.jsonl"
LEAST = 40


def discovered(p, level):
    """How many the procedure of Benjamini and Hochberg keeps."""
    places = np.flatnonzero(np.sort(p) <= level * np.arange(1, len(p) + 1) / len(p))
    return int(places[-1]) + 1 if len(places) else 0


RULES = {
    "all": lambda p, n: len(p),
    "n": lambda p, n: n,
    "2 n": lambda p, n: 2 * n,
    "4 n": lambda p, n: 4 * n,
    "100": lambda p, n: 100,
    "200": lambda p, n: 200,
    "500": lambda p, n: 500,
    "p .01": lambda p, n: (p <= 0.01).sum(),
    "p .05": lambda p, n: (p <= 0.05).sum(),
    "p .20": lambda p, n: (p <= 0.2).sum(),
    "p .05, at most 200": lambda p, n: min(200, (p <= 0.05).sum()),
    "p .05, at most 400": lambda p, n: min(400, (p <= 0.05).sum()),
    "false discoveries .1": lambda p, n: discovered(p, 0.1),
    "false discoveries .5": lambda p, n: discovered(p, 0.5),
}


def sieved_by(rule, *, cleaned=False):
    class Sieved(SequentialSelector):
        def _sieved(self, columns, labels, required, rows):
            n, d = columns.values.shape
            target = labels.search_memberships() if cleaned else labels.recorded()
            p = np.nan_to_num(p_values_of(columns.values, columns.n_categories, target), nan=1.0)
            return np.lexsort([-np.arange(d), -p])[: max(0, d - max(LEAST, rule(p, n)))].tolist() if d > n else []

    return Sieved


VARIANTS = {
    f"{name}, k = {k}": (sieved_by(rule), k)
    for name, rule in RULES.items()
    for k in ((3, 5, 8, 12) if name in ("all", "200", "p .05") else (8,))
} | {"200 by cleaned labels, k = 8": (sieved_by(RULES["200"], cleaned=True), 8)}


def fill(results, folder, variants, repetitions):
    done, sets = results.done(), {name: read(folder, name) for name in TUNED_ON}
    for repetition in range(repetitions):
        for name, data in sets.items():
            for rate, labels in ((0.0, "hard"), (0.2, "hard"), (0.2, "noisy")):
                halves = Halves.draw(data, name, rate, repetition)
                for variant in variants:
                    method, (kind, k) = f"{labels}: {variant}", VARIANTS[variant]
                    if (cell(name, rate), method, repetition) not in done:
                        select = ours(labels, kind, criterion=MutualInformation(k))
                        errors = halves.errors(select(halves.X, halves.recorded, halves.seed))
                        results.add(data=cell(name, rate), method=method, repetition=repetition, errors=errors)


def show(lines, peers) -> str:
    """The mean rank of each variant among the others, on its own repetitions, and that of the best of them."""
    told, others = [], [line for line in peers if line["method"] not in OURS]
    for rate in RATES:
        for method in sorted({line["method"] for line in lines}):
            mine = [x for x in lines if x["method"] == method and x["data"] in {cell(n, rate) for n in TUNED_ON}]
            cells = {(x["data"], x["repetition"]) for x in mine}
            if not mine:
                continue
            same = [x for x in others if (x["data"], x["repetition"]) in cells]
            means = mean_errors([*same, *({**x, "method": DEFAULT[rate]} for x in mine)], rate)
            ranks = mean_ranks(means, rate)
            rank = ranks.pop(DEFAULT[rate])
            errors = "".join(f"{one[DEFAULT[rate]].mean():8.1f}" for one in means.values())
            told.append(
                (rate, rank, f"{rate:>4.0%}  {method:<34}{len(mine):>4}{rank:8.2f}{min(ranks.values()):8.2f}{errors}")
            )
    head = f"{'':<4}  {'':<34}runs    rank  others" + "".join(f"{name[:7]:>8}" for name in TUNED_ON)
    return "\n".join([head, *(line for *_, line in sorted(told))])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, help="folder of the data sets")
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--only", default=";".join(VARIANTS), help="variants, separated by semicolons")
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--show", action="store_true", help="print the table only")
    asked = parser.parse_args()
    results = Runs(asked.out)
    if not asked.show:
        warnings.simplefilter("ignore")  # of classes with few rows
        fill(results, asked.data, asked.only.split(";"), asked.repetitions)
    print(show(results.read(), Runs(PEERS).read()))


if __name__ == "__main__":
    main()
