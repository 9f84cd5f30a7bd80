"""Section 4 and Figures 4-5: which label sets are pruned, how sure that choice is, and whether it matters.

Usage: python -m experiments.multilabel.pruning DATA [--show]

First the permutation test with other folds and permutations for each seed (20 folds, K = 4, sizes 5 to 20). Then the
forward search with every size from 5 to 15: the size that the paper chose, the size that the mean of our tests chooses,
and the mean of all others. Sizes that prune the same sets are one experiment, and count as often as there are of them,
as in the paper.
"""

import argparse
import json
from pathlib import Path

import numpy as np
from experiments.multilabel.mulan import CRITERIA, DATASETS, HIGHER_IS_BETTER, forward_order, official
from experiments.runs import Runs

from tamis import MultiLabels

RESULTS = Path(__file__).parent / "results"
CURVES = Runs(RESULTS / "pruning_curves.jsonl")
CHOICES = RESULTS / "pruning_choices.jsonl"
SEEDS = {"emotions": 20, "scene": 4, "yeast": 4}
FIGURES = (("emotions", "raw"), ("emotions", "scaled"), ("yeast", "raw"))
SIZES, MOST = range(5, 16), 50
SHOWN = (5, 10, 20, 30, 50)


def choices() -> list[dict]:
    return [json.loads(line) for line in CHOICES.read_text().splitlines()] if CHOICES.exists() else []


def choose(folder, name):
    """One line per seed: the interval of sizes chosen, and t for each size."""
    split = official(folder, name)
    done = {run["seed"] for run in choices() if run["data"] == name}
    for seed in sorted(set(range(SEEDS[name])) - done):
        model = MultiLabels(n_repeats=1, random_state=seed).fit(split.X, split.Y)
        t = {size: round(value, 3) for (size, _), value in model.t_statistics_.items()}
        chosen = [max(5, model.min_class_size_range_[0]), min(20, model.min_class_size_range_[1])]
        with CHOICES.open("a") as out:
            out.write(json.dumps({"data": name, "seed": seed, "chosen": chosen, "t": t}) + "\n")


def show_choices(name):
    runs = [run for run in choices() if run["data"] == name]
    if not runs:
        return
    t = np.array([list(run["t"].values()) for run in runs])
    print(f"{name}, {len(runs)} seeds; the paper chose {DATASETS[name].min_class_size}")
    print("size          " + "".join(f"{size:>6}" for size in runs[0]["t"]))
    print("t, mean       " + "".join(f"{value:6.1f}" for value in t.mean(axis=0)))
    print("between seeds " + "".join(f"{value:6.1f}" for value in t.std(axis=0, ddof=1)))
    told = [f"{low}" if low == high else f"{low}-{high}" for low, high in (run["chosen"] for run in runs)]
    counts = sorted(((told.count(c), c) for c in set(told)), reverse=True)
    print("chosen        " + ", ".join(f"{c} ({n} times)" for n, c in counts))
    print(f"by the mean   {_by_the_mean(name)}\n")


def _by_the_mean(name) -> int:
    """The smallest size of largest mean t."""
    runs = [run for run in choices() if run["data"] == name]
    mean = np.mean([list(run["t"].values()) for run in runs], axis=0)
    return int(list(runs[0]["t"])[int(mean.argmax())])


def run_curves(folder, name, scale):
    split = official(folder, name).at_scale(scale)
    done = CURVES.done()
    for size in sorted(set(_same(split.Y).values())):
        if (f"{name} {scale}", f"from {size}", 0) not in done:
            curve = split.curve(forward_order(split.X, split.Y, size, MOST, scale), MOST)
            CURVES.add(data=f"{name} {scale}", method=f"from {size}", repetition=0, errors=curve)


def _same(Y) -> dict[int, int]:
    """For every size the smallest one that prunes the same sets."""
    return {size: max(5, MultiLabels(size).fit(None, Y).min_class_size_) for size in SIZES}


def show_curves(folder, name, scale):
    runs, same = CURVES.curves(f"{name} {scale}"), _same(official(folder, name).Y)
    curves = {size: runs[f"from {first}"][0] for size, first in same.items()}
    paper, ours = DATASETS[name].min_class_size, _by_the_mean(name)
    for title, size in (("the paper's", paper), ("ours", ours)):
        if size not in curves:
            print(f"{name} {scale}: size {size} ({title}) is above {SIZES[-1]}, not in the figure\n")
            continue
        each = [curve for other, curve in curves.items() if other != size]
        others = np.mean(each, axis=0)
        distinct = len({same[other] for other in curves if same[other] != same[size]})
        print(f"{name} {scale}: size {size} ({title}) against the mean of the others ({distinct} other prunings)")
        print(" " * 24 + "".join(f"{n:>14}" for n in SHOWN) + f"{'best':>14}{'best of each':>14}{'mean 1-50':>14}")
        for c in (1, 0):
            pick = np.max if HIGHER_IS_BETTER[c] else np.min
            summaries = [(a[n - 1, c], b[n - 1, c]) for n in SHOWN for a, b in [(curves[size], others)]]
            best = pick(curves[size][:, c])
            # The best of a mean curve is worse than the mean of the best ones: a chosen curve beats it by being one.
            summaries += [(best, pick(others[:, c])), (best, np.mean([pick(curve[:, c]) for curve in each]))]
            summaries.append((curves[size][:, c].mean(), others[:, c].mean()))
            print(f"{CRITERIA[c]:<24}" + "".join(f"{f'{a:.3f} {b:.3f}':>14}" for a, b in summaries))
        print()
    print(f"{name} {scale}: best accuracy and Hamming loss by size")
    for size, curve in curves.items():
        print(f"{size:>4}{curve[:, 1].max():8.3f}{curve[:, 0].min():8.3f}")
    print(flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of the data sets")
    parser.add_argument("--show", action="store_true", help="print the tables only")
    asked = parser.parse_args()
    for name in SEEDS:
        if not asked.show:
            choose(asked.data, name)
        show_choices(name)
    for name, scale in FIGURES:
        if not asked.show:
            run_curves(asked.data, name, scale)
        show_curves(asked.data, name, scale)


if __name__ == "__main__":
    main()
