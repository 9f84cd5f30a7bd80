"""Real label distributions: features selected from them, or from one class per row made of them.

Usage: python -m experiments.soft_labels.distributions DATA [--repetitions 30] [--datasets ldl_sjaffe,...] [--show]

Every repetition draws at most 700 rows to select on and at most 1000 others to judge on. There is no gold class: the
judge predicts the distribution of a row as the mean of those of its k nearest neighbours, and errs by total variation
(half the sum of absolute differences). Labels of one class are the most probable one, or one drawn from the
distribution, which is what a single annotator would have said.
"""

import argparse
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.feature_selection import mutual_info_classif

from experiments.judge import FOLDS, DistributionJudge
from experiments.runs import Runs, table
from tamis import RankingSelector, SequentialSelector

DATASETS = ("ldl_emotion6", "ldl_sjaffe", "ldl_sbu3dfe", "ldl_movie", "ldl_yeast_alpha", "ldl_yeast_spoem")
SIZES = (1, 2, 3, 4, 5, 7, 10, 15, 20)
MANY = 300
RESULTS = Runs(Path(__file__).parent / "results" / "distributions.jsonl")


def joint(kind):
    """Forward, since few of many features are wanted; among the hundred best by WLS if there are very many."""

    def select(r):
        labels, y = r.labels(kind)
        few = np.arange(r.X.shape[1])
        if len(few) > MANY:
            few = RankingSelector(labels=labels).fit(r.X, y).path_.subset(100)
        search = SequentialSelector(labels=labels, direction="forward", n_features_to_select=SIZES[-1])
        path = search.fit(r.X[:, few], y).path_
        return lambda n: few[path.subset(n)]

    return select


def scored(criterion, kind):
    def select(r):
        labels, y = r.labels(kind)
        return RankingSelector(criterion, labels=labels).fit(r.X, y).path_.subset

    return select


def select_k_best(r):
    score = mutual_info_classif(r.X, r.labels("most probable")[1], random_state=r.seed)
    order = np.argsort(-score, kind="stable")
    return lambda n: np.sort(order[:n])


METHODS = {
    "most probable class, information": joint("most probable"),
    "one answer, information": joint("one answer"),
    "distributions, information": joint("distribution"),
    "distributions, WLS": scored("weighted_laplacian", "distribution"),
    "most probable class, WLS": scored("weighted_laplacian", "most probable"),
    "most probable class, SelectKBest": select_k_best,
    "all features": lambda r: lambda n: np.arange(r.X.shape[1]),
}


class Repetition:
    def __init__(self, X, P, number):
        rng = np.random.default_rng(number)
        rows = rng.permutation(len(X))
        cut = min(700, round(0.7 * len(X)))
        train, test = rows[:cut], rows[cut : cut + 1000]
        self.X, self.P, self.seed = X[train], P[train], number
        self._drawn = (P[train].cumsum(axis=1) > rng.uniform(size=(cut, 1))).argmax(axis=1)
        self.judge = DistributionJudge(self.X, self.P, X[test], P[test], rng.permutation(cut) % FOLDS)

    def labels(self, kind):
        """Name of the label model, and its target; classes of fewer than two rows join the largest one."""
        if kind == "distribution":
            return "soft", self.P
        y = self._drawn if kind == "one answer" else self.P.argmax(axis=1)
        counts = np.bincount(y, minlength=self.P.shape[1])
        return "hard", np.where(counts[y] < 2, counts.argmax(), y)


def read(folder, name):
    """Features with mean zero and variance one, and distributions."""
    if (folder / f"{name}.npz").exists():
        X = sparse.load_npz(folder / f"{name}.npz").toarray().astype(float)
        P = pd.read_csv(folder / f"{name}_labels.csv.gz").to_numpy(float)
    else:
        rows = pd.read_csv(folder / f"{name}.csv.gz")
        shares = [column for column in rows if column.startswith("p:")]
        X, P = rows.drop(columns=shares).to_numpy(float), rows[shares].to_numpy(float)
    deviation = X.std(axis=0)
    return (X - X.mean(axis=0)) / np.where(deviation > 0, deviation, 1.0), P / P.sum(axis=1, keepdims=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, help="folder of the data sets")
    parser.add_argument("--repetitions", type=int, default=30)
    parser.add_argument("--datasets", default=",".join(DATASETS))
    parser.add_argument("--show", action="store_true", help="print the tables only")
    asked = parser.parse_args()
    names = asked.datasets.split(",")
    if not asked.show:
        warnings.simplefilter("ignore", UserWarning)  # small classes
        data, done = {name: read(asked.data, name) for name in names}, RESULTS.done()
        for number in range(asked.repetitions):
            for name in names:
                repetition = Repetition(*data[name], number)
                for method, select in METHODS.items():
                    if (name, method, number) not in done:
                        subset = select(repetition)
                        errors = [round(repetition.judge.error(subset(n)), 4) for n in SIZES]
                        RESULTS.add(data=name, method=method, repetition=number, errors=errors)
    for name in names:
        curves = {method: RESULTS.curves(name)[method] for method in METHODS if method in RESULTS.curves(name)}
        if curves:
            print(f"\n{name}\n" + table(curves, SIZES, "most probable class, information", "total variation, %"))


if __name__ == "__main__":
    main()
