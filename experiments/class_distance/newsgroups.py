"""20 newsgroups with the paper's distances: top-1 cost by number of words.

The 20000 most frequent words of the training part, tf-idf cut evenly into ten levels; newsgroups of one theme are 0.2
apart, others 1. Ten nearest neighbours vote: by the levels, as in the paper, or by the tf-idf they were cut from. The
selector cuts words of more than ten values and takes the others as they are. Costs are in hundredths.
"""

from __future__ import annotations

import json
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.sparse import csc_array, csr_array, load_npz
from sklearn.feature_extraction.text import TfidfTransformer

from experiments.class_distance.contenders import path_of
from experiments.class_distance.losses import METHODS, seed_of
from experiments.class_distance.votes import Votes
from experiments.reproduction import Experiment, Task
from tamis import ClassDistance

SIZES = (10, 20, 50, 100, 200, 500)
N_WORDS, N_LEVELS, N_BLOCKS = 20000, 10, 100
JUDGES = (("levels", "euclidean"), ("levels", "cosine"), ("tf-idf", "cosine"))
"""What neighbours are looked for in, and how; the first is the paper's, as far as it says."""

SHARE_TEST = 0.4
OVERLAP = SHARE_TEST / (1 - SHARE_TEST)
SPLITS = 4


class Documents(NamedTuple):
    """Tf-idf and newsgroup of training and test documents, distances between the newsgroups."""

    X: csr_array
    X_test: csr_array
    y: np.ndarray
    y_test: np.ndarray
    distance: ClassDistance


def themes(folder) -> dict[str, str]:
    """The cell of the paper's Table III that each newsgroup is in, as our copy has them."""
    return json.loads((folder / "20newsgroups_full.json").read_text())["label_groups_by_theme"]


def distance_of(cells) -> ClassDistance:
    """0.2 within a cell, 1 between cells."""
    return ClassDistance.from_paths({group: f"{cell}/{group}" for group, cell in cells.items()}, weights=(0.4, 0.1))


@lru_cache(maxsize=1)
def read(folder, repetition, seed) -> Documents:
    """Repetition 0 is the split by date, others are drawn; words and weights come from the training part."""
    counts = csr_array(load_npz(folder / "20newsgroups_full.npz"))
    labels = pd.read_csv(folder / "20newsgroups_labels.csv.gz", keep_default_na=False)
    train = (labels["split"] == "train").to_numpy()
    if repetition:
        train = np.random.default_rng(seed).random(len(train)) >= SHARE_TEST
    total = np.asarray(counts[train].sum(axis=0)).ravel()
    counts = counts[:, np.sort(np.argsort(-total, kind="stable")[:N_WORDS])]
    weigh = TfidfTransformer().fit(counts[train])
    y = labels["label"].to_numpy(dtype=str)
    X = [csr_array(weigh.transform(counts[rows])) for rows in (train, ~train)]
    return Documents(*X, y[train], y[~train], distance_of(themes(folder)))


def levels(X, X_test):
    """Ten even parts from 0 to the largest value of each word in training, as the selector cuts them."""
    largest = np.maximum(X.max(axis=0).toarray().ravel(), 1e-300)

    def cut(part):
        part = csc_array(part)
        word = np.repeat(np.arange(part.shape[1]), np.diff(part.indptr))
        part.data = np.minimum(np.floor(N_LEVELS * part.data / largest[word]), N_LEVELS - 1)
        part.eliminate_zeros()
        return csr_array(part)

    return cut(X), cut(X_test)


def costs(documents, path, on, metric) -> np.ndarray:
    """Cost of every test document: (n_sizes, n_documents)."""
    X, X_test = documents.X, documents.X_test
    if on == "levels":
        X, X_test = levels(X, X_test)
    classes = np.unique(documents.y)
    one_hot = [np.equal.outer(part, classes) for part in (documents.y, documents.y_test)]
    judge = Votes(X, one_hot[0], X_test, one_hot[1], documents.distance.for_classes(classes).matrix, metric=metric)
    return 100 * np.array([judge.losses(path.subset(n))[0] for n in SIZES])


def in_blocks(paid) -> np.ndarray:
    """Means over a hundred parts of the documents, the same for every method: their spread is that over documents."""
    parts = np.array_split(np.random.default_rng(0).permutation(paid.shape[1]), N_BLOCKS)
    return np.array([paid[:, part].mean(axis=1) for part in parts]).T


def tasks(quick):
    """The split by date, then random ones, on which the paper's two methods come first."""
    asked = [(0, method) for method in (METHODS[:2] if quick else METHODS)]
    if not quick:
        for methods in (METHODS[:2], METHODS[2:]):
            asked += product(range(1, SPLITS + 1), methods)
    for repetition, method in asked:
        yield Task({"method": method, "repetition": repetition}, seed_of("newsgroups", repetition), 70.0)


def run(data, key, seed):
    documents = read(data, key["repetition"], seed)
    path = path_of(key["method"], documents.X, documents.y, documents.distance, bins="uniform")
    paid = [costs(documents, path, *judge) for judge in JUDGES]
    return {
        "losses": np.round([each.mean(axis=1) for each in paid], 3).tolist(),  # (judge, size)
        "blocks": np.round(in_blocks(paid[0]), 2).tolist(),  # (size, block), first judge
    }


NEWSGROUPS = Experiment("class_distance/newsgroups", tasks, run)
