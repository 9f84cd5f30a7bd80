"""Enron with labels flipped to near ones: features selected on wrong labels, a classifier trained on right ones.

Usage: python -m experiments.class_distance.flips DATA [--within 0.2] [--repetitions 10] [--show]

As the paper's second experiment: a share of the training labels becomes another label at most 0.2 away, for selection
only. With edges of 0.5, 0.2 and 0.05 only topics (1/1 and below) have another label that near; within 0.4 all siblings
are, and nearly every label can be flipped. Each repetition has its own split (the first is the official one) and flips.
Top-5 losses in hundredths.
"""

import argparse
from pathlib import Path

import numpy as np
from experiments.class_distance.contenders import PAIRS, differences, path_of
from experiments.class_distance.enron import N_TRAIN, RESULTS, Mail
from experiments.runs import Runs, table

from tamis.datasets import flip_within

SIZES = (10, 20, 40, 60, 80, 100, 120, 150, 200, 300, 500)
RATES = (0.0, 0.1, 0.2, 0.3, 0.4)
METHODS = ("W", "W-null", "KL", "KL-null", "univariate MI")
K = 5


def run(mail, within, repetitions, results):
    done = results.done()
    for number in range(repetitions):
        train, test = mail.split(number)
        judge = mail.judge(train, test)
        X, y = mail.copies(train)
        here = mail.distance.for_classes(np.unique(y), extra="drop")
        for rate in RATES:
            spoiled = flip_within(y, rate, here, within, random_state=number)
            if number == 0:
                print(f"official split, rate {rate}: {100 * len(spoiled.changed) / len(y):.1f} % of all labels flipped")
            for name in METHODS:
                if (f"rate {rate}", name, number) not in done:
                    path = path_of(name, X, spoiled.y, mail.distance)
                    curve = [round(100 * float(judge.losses(path.subset(n), (K,)).mean()), 3) for n in SIZES]
                    results.add(data=f"rate {rate}", method=name, repetition=number, errors=curve)


def show(results, overlap):
    by_rate = [results.curves(f"rate {rate}") for rate in RATES]
    for rate, curves in zip(RATES, by_rate, strict=True):
        print(f"\nrate {rate}\n" + table({m: curves[m] for m in METHODS}, SIZES, "KL", "loss, hundredths"))
    pooled = {m: {r: np.mean([curves[m][r] for curves in by_rate], axis=0) for r in by_rate[0][m]} for m in METHODS}
    print("\nmean over the rates\n" + table(pooled, SIZES, "KL", "loss, hundredths"))
    print("standard errors that allow for splits of the same messages\n" + differences(pooled, SIZES, PAIRS, overlap))
    print("\nwhat flips cost: mean over the sizes, less that without flips (s.e.)")
    for m in METHODS:
        line = f"{m:<20}"
        for rate, curves in zip(RATES[1:], by_rate[1:], strict=True):
            cost = np.array([(curve - by_rate[0][m][r]).mean() for r, curve in curves[m].items()])
            line += f"   {rate}: {cost.mean():+.2f} ({cost.std(ddof=1) * np.sqrt(1 / len(cost) + overlap):.2f})"
        print(line)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of the data sets")
    parser.add_argument("--within", type=float, default=0.2)
    parser.add_argument("--repetitions", type=int, default=10)
    parser.add_argument("--show", action="store_true", help="print the tables only")
    asked = parser.parse_args()
    mail, results = Mail(asked.data), Runs(RESULTS / f"flips_{asked.within}.jsonl")
    print(f"flips within {asked.within}")
    run(mail, asked.within, 1 if asked.show else asked.repetitions, results)
    show(results, (len(mail.X) - N_TRAIN) / N_TRAIN)


if __name__ == "__main__":
    main()
