"""Does the noise model help selection? The protocol of section 6, on real data with wrong labels.

python -m experiments.label_noise.selection DATA [--noise "uniform 20 %"] [--repetitions 40] [--datasets iris,wine]
    [--only "METHOD;METHOD"]
python -m experiments.label_noise.selection --show [--noise "next class 25 %"]

Every curve is appended to results/selection.jsonl as it is found; what is there already is not done again, so a run can
be stopped and resumed. `--show` prints a table of results/selection.txt from it. The paper itself, with all its data
sets and its own method, is in curves.py.
"""

from __future__ import annotations

import argparse
import json
import warnings
from pathlib import Path

from experiments.label_noise.kinds import KINDS
from experiments.label_noise.protocol import Repetition, generator, standardised
from experiments.label_noise.selection_table import show
from tamis import MutualInformation, NoisyLabels, SequentialSelector

CHOSEN_ON = ("wine", "vertebral_3c", "ecoli", "glass")
CONFIRMED_ON = ("iris", "seeds", "vehicle", "segment")
PAPER = "uniform 20 %"
RESULTS = Path(__file__).parent / "results" / "selection.jsonl"

DISTANCE = MutualInformation(estimator="distance")
COUNT = MutualInformation()


def search(X, y, criterion, labels="hard", seed=None):
    how = {"n_features_to_select": 1, "step": 1, "scale": None, "random_state": seed}
    return SequentialSelector(criterion, labels=labels, **how).fit(X, y).path_


METHODS = {
    # the plain search of the paper, on clean and on noisy labels
    "distance, clean": lambda r: search(r.jittered, r.clean, DISTANCE),
    "distance, noisy": lambda r: search(r.jittered, r.noisy, DISTANCE),
    # the count form, without a noise model and with the default one
    "count, clean": lambda r: search(r.X, r.clean, COUNT),
    "count, noisy": lambda r: search(r.X, r.noisy, COUNT),
    "tamis": lambda r: search(r.X, r.noisy, COUNT, NoisyLabels(), r.seed),
    # what else was tried
    "tamis, soft": lambda r: search(r.X, r.noisy, COUNT, NoisyLabels(soft=True), r.seed),
    "tamis, each step": lambda r: search(r.X, r.noisy, COUNT, NoisyLabels(refit="each-step"), r.seed),
    "neighbours, once": lambda r: search(r.X, r.noisy, COUNT, NoisyLabels(None), r.seed),
    "neighbours, each step": lambda r: search(r.X, r.noisy, COUNT, NoisyLabels(None, refit="each-step"), r.seed),
}
MAIN = ("distance, clean", "distance, noisy", "count, clean", "count, noisy", "tamis")


def run(folder, datasets, noise, n_repetitions, methods):
    done = {(r["data"], r["repetition"], r["method"]) for r in read(noise)}
    data = {name: standardised(folder, name) for name in datasets}
    for number in range(n_repetitions):
        for name in datasets:
            todo = [m for m in methods if (name, number, m) not in done]
            repetition = Repetition.draw(data[name], generator(name, number), KINDS[noise]) if todo else None
            for method in todo:
                curve = [round(error, 4) for error in repetition.curve(METHODS[method](repetition))[1:-1]]
                with RESULTS.open("a") as out:
                    line = {"noise": noise, "data": name, "repetition": number, "method": method, "errors": curve}
                    out.write(json.dumps(line) + "\n")


def read(noise):
    lines = map(json.loads, RESULTS.open()) if RESULTS.exists() else ()
    return [line for line in lines if line.get("noise", PAPER) == noise]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, help="folder of the data sets")
    parser.add_argument("--noise", default=PAPER, choices=tuple(KINDS), metavar="KIND")
    parser.add_argument("--repetitions", type=int, default=40)
    parser.add_argument("--datasets", default=",".join(CHOSEN_ON + CONFIRMED_ON))
    parser.add_argument("--only", default=";".join(MAIN), help="methods, separated by semicolons")
    parser.add_argument("--show", action="store_true", help="print the table only")
    asked = parser.parse_args()
    if not asked.show:
        warnings.simplefilter("ignore", UserWarning)  # small classes, said once for every subset
        run(asked.data, asked.datasets.split(","), asked.noise, asked.repetitions, asked.only.split(";"))
    print(show(read(asked.noise), {"chosen on": CHOSEN_ON, "confirmed on": CONFIRMED_ON}))


if __name__ == "__main__":
    main()
