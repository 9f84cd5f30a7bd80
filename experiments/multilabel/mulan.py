"""What the multi-label experiments share: three data sets of the Mulan project, the selections, and ML-kNN as judge."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from sklearn.metrics import coverage_error, hamming_loss, jaccard_score, label_ranking_loss

from experiments.literal import multilabel, plain
from tamis import ChiSquare, MLkNNClassifier, MultiLabels, MutualInformation, RankingSelector

CRITERIA = ("Hamming loss", "accuracy", "ranking loss", "coverage")
HIGHER_IS_BETTER = np.array([False, True, False, False])
SCALES = ("raw", "scaled")


class Origin(NamedTuple):
    """File, number of labels, and the size below which the paper prunes label sets."""

    file: str
    n_labels: int
    min_class_size: int


DATASETS = {
    "emotions": Origin("emotions", 6, 9),
    "yeast": Origin("yeast_multilabel", 14, 8),
    "scene": Origin("scene", 6, 12),
}


@dataclass
class Split:
    """Rows to select and train on, and rows to test on."""

    X: np.ndarray
    Y: np.ndarray
    X_test: np.ndarray
    Y_test: np.ndarray

    def at_scale(self, scale):
        """The same; if scaled, by the means and standard deviations of the training rows."""
        if scale == "raw":
            return self
        spread = self.X.std(axis=0)
        mean, spread = self.X.mean(axis=0), np.where(spread > 0, spread, 1.0)
        return Split((self.X - mean) / spread, self.Y, (self.X_test - mean) / spread, self.Y_test)

    def criteria(self, subset) -> np.ndarray:
        """The four criteria of the paper, of ML-kNN trained on these features; coverage as in eq. (14)."""
        classifier = MLkNNClassifier(10).fit(self.X[:, subset], self.Y)
        P = classifier.predict_proba(self.X_test[:, subset])
        found, truth = (P > 0.5).astype(int), self.Y_test
        accuracy = jaccard_score(truth, found, average="samples", zero_division=1.0)
        return np.array(
            [hamming_loss(truth, found), accuracy, label_ranking_loss(truth, P), coverage_error(truth, P) - 1]
        )

    def curve(self, order, most) -> list[list[float]]:
        """Criteria of the first 1, 2, ... features."""
        return [self.criteria(np.sort(order[:n])).round(5).tolist() for n in range(1, most + 1)]


def read(folder: Path, name):
    """Features, labels, and which rows are for training by the official split."""
    file, n_labels, _ = DATASETS[name]
    table = pd.read_csv(folder / f"{file}.csv.gz")
    values = table.drop(columns="split").to_numpy(float)
    return values[:, :-n_labels], values[:, -n_labels:].astype(int), (table["split"] == "train").to_numpy()


@lru_cache(maxsize=3)
def official(folder: Path, name) -> Split:
    X, Y, train = read(folder, name)
    return Split(X[train], Y[train], X[~train], Y[~train])


def forward_order(X, Y, size, most, scale, *, estimator="count"):
    """Features in the order of a forward search; scale is "raw" or "scaled". By distances it is the paper's."""
    if estimator == "distance":
        search = multilabel(size, n_features_to_select=most)
    else:
        search = plain(MutualInformation(4), "forward", labels=MultiLabels(size), n_features_to_select=most)
    return search.set_params(scale="standard" if scale == "scaled" else None).fit(X, Y).path_.order


def ranked_order(criterion):
    """Rankings do not depend on scale, and give the order of all features."""
    return lambda X, Y, size, most, scale: RankingSelector(criterion, labels=MultiLabels(size)).fit(X, Y).path_.order


def unpruned_order(criterion):
    """A ranking that counts every label set, however rare."""

    def order(X, Y, size, most, scale):
        _, codes = np.unique(Y, axis=0, return_inverse=True)
        return RankingSelector(criterion).fit(X, codes.ravel()).path_.order

    return order


METHODS = {
    "MI forward": forward_order,
    "MI": ranked_order(MutualInformation(4)),
    "chi2, MDL": ranked_order(ChiSquare("mdl")),
    "chi2, quantiles": ranked_order(ChiSquare("quantile")),
}
