"""Many classes of few rows: what confusions cost after a selection, on Enron mail and on generated hierarchies.

python -m experiments.class_distance.tails DATA [--datasets "enron;gen 100"] [--repetitions 10] [--only "METHOD;METHOD"]
python -m experiments.class_distance.tails --show

Cost: the distance between the class that is predicted and the true one (of mail, the nearest true one), in hundredths;
mean of ten nearest neighbors (standardised columns) and of a random forest, at 5, 10, 20, 40 and 80 features. Every
selection is appended to results/tails.jsonl; what is there already is not done again.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path
from time import process_time

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.neighbors import NearestNeighbors

from experiments.class_distance.enron import read
from experiments.class_distance.long_tails import GENERATED, Table
from experiments.runs import Runs, table
from tamis import BlanketSelector, SequentialSelector

RESULTS = Path(__file__).parent / "results" / "tails.jsonl"
SIZES = (5, 10, 20, 40, 80)
N_NEIGHBORS, N_TREES = 10, 40
DEFAULT = "default"
BLANKETS = {
    DEFAULT: {},
    "uncorrected": dict(correction=None, n_conditioning=3, n_bins=10),
    "KL": dict(correction=None, divergence="kl", n_conditioning=3, n_bins=10),
    "univariate information": dict(correction=None, divergence="kl", n_conditioning=0, n_bins=10),
    "three conditioning": dict(n_conditioning=3, n_bins=10),
    "one conditioning": dict(n_conditioning=1, n_bins=10),
    "two conditioning": dict(n_conditioning=2, n_bins=10),
}
RIVALS = ("uncorrected", "KL", "univariate information", "forest importance", "random")
JOINT = "joint search"
"""By the cost of neighbors. Not on mail, where messages are copied for each of their labels."""
METHODS = (*BLANKETS, JOINT, "forest importance", "random")


def mail(folder, repetition) -> Table:
    """A split of the messages, with a copy of a training message for each of its labels."""
    found = read(folder)
    train, test = found.split(repetition, [repetition, 23])
    X, y = found.copies(train)
    truth = found.labels.to_numpy()[test].astype(bool)
    return Table(X, y, found.X[test], truth, found.distance.for_classes(found.labels.columns.to_numpy(dtype=str)))


def order_of(method, data: Table, seed) -> np.ndarray:
    """Features, the best first."""
    if method == "random":
        return np.random.default_rng(seed).permutation(data.X.shape[1])
    if method == "forest importance":
        forest = RandomForestClassifier(100, random_state=seed).fit(data.X, data.y)
        return np.argsort(-forest.feature_importances_, kind="stable")
    distance = data.distance.for_classes(np.unique(data.y), extra="drop")
    if method == JOINT:
        search = SequentialSelector(class_distance=distance, n_features_to_select=1, random_state=seed)
        return search.fit(data.X, data.y).path_.lasting()
    how = dict(class_distance=distance, n_features_to_select=1, random_state=seed) | BLANKETS[method]
    return BlanketSelector(**how).fit(data.X, data.y).path_.lasting()


def cost(data: Table, subset, seed) -> float:
    """Of both classifiers, in hundredths."""
    classes, codes = np.unique(data.y, return_inverse=True)
    places = np.searchsorted(data.distance.classes, classes)
    spread = data.X[:, subset].std(axis=0)
    seen, unseen = (Z[:, subset] / np.where(spread > 0, spread, 1.0) for Z in (data.X, data.X_test))
    near = codes[NearestNeighbors(n_neighbors=N_NEIGHBORS).fit(seen).kneighbors(unseen, return_distance=False)]
    votes = np.zeros((len(unseen), len(classes)))
    for nth in range(N_NEIGHBORS):  # of equal numbers of votes the class of the nearest
        np.add.at(votes, (np.arange(len(unseen)), near[:, nth]), 1 - nth / 1000)
    forest = RandomForestClassifier(N_TREES, random_state=seed).fit(seen, codes).predict(unseen)
    to_true = [np.where(data.truth, data.distance.matrix[places[p]], np.inf) for p in (votes.argmax(axis=1), forest)]
    return float(100 * np.mean([far.min(axis=1).mean() for far in to_true]))


def fill(results, folder, names, methods, repetitions):
    done = results.done()
    for repetition in range(1, repetitions + 1):
        for name in names:
            missing = [method for method in methods if (name, method, repetition) not in done]
            missing = [method for method in missing if name != "enron" or method != JOINT]
            data = (mail(folder, repetition) if name == "enron" else GENERATED[name](repetition)) if missing else None
            for method in missing:
                begin = process_time()
                order = order_of(method, data, repetition)
                seconds = round(process_time() - begin, 2)
                errors = [round(cost(data, order[:size], repetition), 3) for size in SIZES]
                results.add(data=name, method=method, repetition=repetition, cpu=seconds, errors=errors)


def show(results, names):
    ratios = {}
    for name in names:
        curves = results.curves(name)
        if DEFAULT not in curves:
            continue
        print(f"\n{name}\n" + table({m: curves[m] for m in METHODS if m in curves}, SIZES, DEFAULT, "cost"))
        means = {method: np.mean(list(runs.values())) for method, runs in curves.items()}
        best = min((method for method in RIVALS if method in means), key=means.__getitem__)
        ratios[name] = {method: mean / means[best] for method, mean in means.items()}
        print(f"default / best of the others ({best}): {ratios[name][DEFAULT]:.3f}")
    print("\nmean over the sets of cost / that of the best of the others")
    for method in METHODS:
        known = [by_method[method] for by_method in ratios.values() if method in by_method]
        print(f"{method:<26}{np.mean(known):.3f}   ({len(known)} sets)")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, help="folder of the data sets")
    parser.add_argument("--datasets", default=";".join(["enron", *GENERATED]))
    parser.add_argument("--repetitions", type=int, default=10)
    parser.add_argument("--only", default=";".join(METHODS), help="methods, separated by semicolons")
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--show", action="store_true", help="print the tables only")
    asked = parser.parse_args()
    results, names = Runs(asked.out), asked.datasets.split(";")
    if not asked.show:
        warnings.simplefilter("ignore")  # of classes with few rows
        fill(results, asked.data, names, asked.only.split(";"), asked.repetitions)
    show(results, names)


if __name__ == "__main__":
    main()
