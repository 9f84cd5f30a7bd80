"""Label sets by what they have in common, or by equality? Joint search and rankings, by number of features.

python -m experiments.multilabel.parts DATA [--datasets emotions,enron] [--repetitions 10] [--only "METHOD;METHOD"]
python -m experiments.multilabel.parts --show

Random halves of the rows, of at most 1200; columns standardised. "by parts" is the default of the library: the mean
information of up to 16 labels, with more the mean cost of neighbors. "generated" has 40 labels that are random sums of
three of ten features, 20 noisy copies and 40 columns of noise: hardly any label set occurs twice. Every selection is
appended to results/parts.jsonl; what is there already is not done again.
"""

from __future__ import annotations

import argparse
import json
import warnings
from pathlib import Path
from time import process_time

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import label_ranking_loss

from experiments.runs import Runs
from tamis import ChiSquare, MLkNNClassifier, MultiLabels, MutualInformation, RankingSelector, SequentialSelector

RESULTS = Path(__file__).parent / "results" / "parts.jsonl"
SETS = ("emotions", "yeast_multilabel", "scene", "enron", "generated")
SMALL, ON_SMALL = SETS[:3], "neighbor cost"
"""Sets of at most 16 labels; with more the search by parts is that by the cost of neighbors."""
SIZES = (5, 10, 20, 40, 80)
MOST_ROWS, N_TREES, LEAST = 1200, 60, 5
CRITERIA = ("Hamming loss", "1 - accuracy", "ranking loss")
LOSSES = [f"{judge}, {criterion}" for judge in ("ML-kNN", "forest") for criterion in CRITERIA]
POWERSET = MultiLabels(LEAST, "powerset", n_neighbors=LEAST - 1)


class Halves:
    """Rows to select and train on, rows to test on; standardised by the first."""

    def __init__(self, X, Y, rng):
        order = rng.permutation(len(X))
        half = min(len(X) // 2, MOST_ROWS)
        train, test = order[:half], order[half : half + MOST_ROWS]
        met = Y[train].any(axis=0)
        spread = X[train].std(axis=0)
        X = (X - X[train].mean(axis=0)) / np.where(spread > 0, spread, 1.0)
        self.X, self.Y, self.X_test, self.Y_test = X[train], Y[train][:, met], X[test], Y[test][:, met]

    def losses(self, subset, seed) -> list[float]:
        """In the order of `LOSSES`."""
        seen, unseen = self.X[:, subset], self.X_test[:, subset]
        near = MLkNNClassifier().fit(seen, self.Y).predict_proba(unseen)
        varies = ~self.Y.all(axis=0)
        forest = RandomForestClassifier(N_TREES, random_state=seed).fit(seen, self.Y[:, varies])
        voted = np.ones(self.Y_test.shape)
        voted[:, varies] = np.column_stack([p[:, -1] for p in forest.predict_proba(unseen)])
        return [round(loss, 5) for P in (near, voted) for loss in self._losses(P)]

    def _losses(self, P):
        truth, found = self.Y_test.astype(bool), P > 0.5
        either = (truth | found).sum(axis=1)
        accuracy = np.where(either > 0, (truth & found).sum(axis=1) / np.maximum(either, 1), 1.0).mean()
        return float((truth != found).mean()), float(1 - accuracy), float(label_ranking_loss(self.Y_test, P))


def read(folder, name) -> tuple[np.ndarray, np.ndarray]:
    about = json.loads((folder / f"{name}.json").read_text())
    values = pd.read_csv(folder / f"{name}.csv.gz").drop(columns="split").to_numpy(float)
    return values[:, : about["n_features"]], values[:, about["n_features"] :].astype(int)


def generated(seed, n=1200, n_labels=40) -> tuple[np.ndarray, np.ndarray]:
    """Features, ten of which decide, and labels."""
    rng = np.random.default_rng([seed, 3])
    true = rng.normal(size=(n, 10))
    mixing = rng.normal(size=(10, n_labels)) * (rng.random((10, n_labels)) < 0.3)
    mixing[rng.integers(0, 10, n_labels), np.arange(n_labels)] += 1
    sums = true @ mixing + 0.3 * rng.normal(size=(n, n_labels))
    copies = true[:, rng.integers(0, 10, 20)] + 0.5 * rng.normal(size=(n, 20))
    X = np.hstack([true, copies, rng.normal(size=(n, 40))])
    return X[:, shuffled(seed)], (sums > np.quantile(sums, 0.7, axis=0)).astype(int)


def shuffled(seed, n_columns=70) -> np.ndarray:
    """The order of the columns: where a criterion sees nothing the first ones are kept."""
    return np.random.default_rng([seed, 4]).permutation(n_columns)


def searched(labels, direction, criterion="auto"):
    def order(X, Y, seed):
        size = 1 if direction == "backward" else min(max(SIZES), X.shape[1])
        how = dict(labels=labels, direction=direction, n_features_to_select=size, random_state=seed)
        if labels is POWERSET and (np.unique(Y, axis=0, return_counts=True)[1] >= LEAST).sum() < 2:
            return METHODS["random"](X, Y, seed)  # no two label sets occur often enough
        return SequentialSelector(criterion, **how).fit(X, Y).path_.lasting()

    return order


def score_alone(criterion):
    return lambda X, y: RankingSelector(criterion, n_features_to_select=1).fit(X, y).scores_


def binary_relevance(criterion):
    """The mean over the labels of what each feature scores alone."""
    score = score_alone(criterion)

    def order(X, Y, seed):
        labels = [y for y in Y.T if LEAST <= y.sum() <= len(y) - LEAST]
        return np.argsort(-np.mean([score(X, y) for y in labels], axis=0), kind="stable")

    return order


def powerset_ranking(criterion, least):
    def order(X, Y, seed):
        codes = np.unique(Y, axis=0, return_inverse=True)[1].ravel()
        kept = np.bincount(codes)[codes] >= least
        if len(np.unique(codes[kept])) < 2:  # nothing to rank by
            return METHODS["random"](X, Y, seed)
        return np.argsort(-score_alone(criterion)(X[kept], codes[kept]), kind="stable")

    return order


def forest_order(X, Y, seed):
    forest = RandomForestClassifier(100, random_state=seed).fit(X, Y)
    return np.argsort(-forest.feature_importances_, kind="stable")


METHODS = {
    "by parts, forward": searched("multilabel", "forward"),
    "by parts, backward": searched("multilabel", "backward"),
    "neighbor cost, forward": searched("multilabel", "forward", "neighbor_cost"),
    "neighbor cost, backward": searched("multilabel", "backward", "neighbor_cost"),
    "powerset, forward": searched(POWERSET, "forward", "mutual_information"),
    "powerset, backward": searched(POWERSET, "backward", "mutual_information"),
    "chi2 per label": binary_relevance(ChiSquare("quantile")),
    "information per label": binary_relevance(MutualInformation(3)),
    "chi2 of sets": powerset_ranking(ChiSquare("quantile"), 1),
    "information of sets": powerset_ranking(MutualInformation(3), LEAST),
    "forest importance": forest_order,
    "random": lambda X, Y, seed: np.random.default_rng(seed).permutation(X.shape[1]),
}


def fill(results, folder, names, methods, repetitions):
    done, known = results.done(), {}
    for repetition in range(repetitions):
        for name in names:
            some = [method for method in methods if name in SMALL or not method.startswith(ON_SMALL)]
            missing = [method for method in some if (name, method, repetition) not in done]
            if not missing:
                continue
            if name != "generated" and name not in known:
                known[name] = read(folder, name)
            halves = Halves(*(known.get(name) or generated(repetition)), np.random.default_rng([repetition, 5]))
            for method in missing:
                begin = process_time()
                order = METHODS[method](halves.X, halves.Y, repetition)
                seconds = round(process_time() - begin, 2)
                errors = [halves.losses(order[:size], repetition) for size in SIZES if size <= len(order)]
                line = {"data": name, "method": method, "repetition": repetition, "cpu": seconds}
                if name == "generated":
                    line["found"] = int((shuffled(repetition)[order[:10]] < 10).sum())
                results.add(**line, errors=errors)


def show(results, names):
    """Mean losses over sizes and repetitions, and the mean rank of each method over sets, classifiers and criteria.

    Without the methods that were run on some sets only.
    """
    runs = [run for run in results.read() if run["data"] in names]
    rows = [
        (run["data"], loss, run["method"], value)
        for run in runs
        for loss, value in zip(LOSSES, np.mean(run["errors"], axis=0), strict=True)
    ]
    frame = pd.DataFrame(rows, columns=["data", "loss", "method", "value"])
    means = frame.groupby(["data", "loss", "method"])["value"].mean().unstack()[[*dict.fromkeys(frame["method"])]]
    ranks = means[[method for method in means if not method.startswith(ON_SMALL)]].rank(axis=1)
    for name in dict.fromkeys(frame["data"]):
        n = len({run["repetition"] for run in runs if run["data"] == name})
        print(f"\n{name}, {n} repetitions\n" + means.loc[name].T[LOSSES].dropna().round(4).to_string())
        print("mean rank\n" + ranks.loc[name].mean().round(1).to_string())
    print("\nmean rank over sets and losses\n" + ranks.mean().sort_values().round(2).to_string())
    found = pd.DataFrame([(run["method"], run["found"]) for run in runs if "found" in run], columns=["method", "found"])
    if len(found):
        print("\ngenerated: of the ten needed features, among the first ten")
        print(found.groupby("method")["found"].agg(["mean", "min"]).sort_values("mean").round(1).to_string())
    seconds = pd.DataFrame(runs).groupby(["data", "method"])["cpu"].mean().unstack("data")
    print("\nCPU seconds of a selection\n" + seconds.round(1).to_string())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, help="folder of the data sets")
    parser.add_argument("--datasets", default=",".join(SETS))
    parser.add_argument("--repetitions", type=int, default=10)
    parser.add_argument("--only", default=";".join(METHODS), help="methods, separated by semicolons")
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--show", action="store_true", help="print the tables only")
    asked = parser.parse_args()
    results, names = Runs(asked.out), asked.datasets.split(",")
    if not asked.show:
        warnings.simplefilter("ignore")  # of rare labels
        fill(results, asked.data, names, asked.only.split(";"), asked.repetitions)
    show(results, names)


if __name__ == "__main__":
    main()
