"""Does tamis keep what is needed and nothing else? Generated data, 0, 10 and 20 % of the labels flipped.

python -m experiments.how_many.truths [--repetitions 50] [--out results/truths.jsonl]
python -m experiments.how_many.truths --show

Every selection is appended to the file as it is found; what is there already is not done again, so a run can be stopped
and resumed.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

import numpy as np

from experiments.how_many.keeping import cell, fill, results_in
from experiments.how_many.known_truths import TRUTHS, generated
from experiments.how_many.size_contenders import TAMIS, tamis

RATES = (0.0, 0.1, 0.2)
RESULTS = Path(__file__).parent / "results" / "truths.jsonl"
MOST_NOT_NEEDED, LEAST_NEEDED, LEAST_NOTHING = 1.0, 0.95, 0.9


def tasks(rates=RATES):
    return {cell(name, rate): partial(generated, name, rate) for name in TRUTHS for rate in rates}


def table(lines) -> str:
    """Means over the data sets, and whether each bar is kept."""
    rows = [f"{'data, flips':<18}{'sets':>5}{'kept':>7}{'needed':>16}{'not needed':>16}{'nothing':>16}{'seconds':>9}"]
    for name in TRUTHS:
        for rate in RATES:
            here = [line for line in lines if line["data"] == cell(name, rate)]
            if here:
                rows.append(f"{cell(name, rate):<18}{len(here):>5}" + _row(here, name, rate))
    return "\n".join(rows)


def _row(here, name, rate):
    kept, more, nothing, wall = (np.mean([x[k] for x in here]) for k in ("n_kept", "not_needed", "nothing", "wall"))
    there, n_needed = np.mean([x["needed"] for x in here]), len(TRUTHS[name][1])
    asked = name.startswith("problem") and rate <= 0.1
    cells = [
        _judged(f"{100 * there / n_needed:.1f} %", there / n_needed >= LEAST_NEEDED, asked) if n_needed else "-",
        _judged(f"{more:.2f}", more <= MOST_NOT_NEEDED, n_needed > 0),  # of pure noise one feature is always kept
        _judged(f"{100 * nothing:.0f} %", nothing >= LEAST_NOTHING, n_needed == 0),
    ]
    return f"{kept:>7.2f}" + "".join(f"{text:>16}" for text in cells) + f"{wall:>9.2f}"


def _judged(text, good, asked):
    return f"{text} {'ok' if good else 'MISSED'}" if asked else text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=50)
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--show", action="store_true", help="print the table only")
    asked = parser.parse_args()
    results = results_in(asked.out)
    if not asked.show:
        fill(results, tasks(), {TAMIS: tamis}, asked.repetitions)
    print(table([line for line in results.read() if line["method"] == TAMIS]))


if __name__ == "__main__":
    main()
