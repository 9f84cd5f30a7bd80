"""20 newsgroups with the paper's distances: top-1 cost by number of words, and what the elimination costs.

Usage: python -m experiments.class_distance.newsgroups DATA [--neighbors 10] [--before]

By-date split, the 20000 most frequent words of the training part, tf-idf cut evenly into ten levels; newsgroups of one
theme are 0.2 apart, others 1. Ten nearest neighbours vote: by the levels, as in the paper, or by the tf-idf they were
cut from. The selector cuts words of more than ten values and takes the others as they are; with --before all words are
cut evenly before it sees them. Every elimination runs down to one word in a process of its own, so that its peak of
memory (with Python and the data) can be told. Costs are in hundredths.
"""

import argparse
import json
import multiprocessing
import resource
import time
from pathlib import Path

import numpy as np
import pandas as pd
from experiments.class_distance.contenders import CONTENDERS, PAIRS, interval, path_of
from experiments.class_distance.votes import Votes
from scipy.sparse import csc_array, csr_array, load_npz
from sklearn.feature_extraction.text import TfidfTransformer

from tamis import ClassDistance

SIZES = (10, 20, 50, 100, 200, 500)
N_WORDS, N_LEVELS = 20000, 10
JUDGES = (("levels", "cosine"), ("levels", "euclidean"), ("tf-idf", "cosine"))


def read(folder):
    """Tf-idf and newsgroup of training and test documents, distances between the newsgroups."""
    counts = csr_array(load_npz(folder / "20newsgroups_full.npz"))
    labels = pd.read_csv(folder / "20newsgroups_labels.csv.gz", keep_default_na=False)
    train = (labels["split"] == "train").to_numpy()
    total = np.asarray(counts[train].sum(axis=0)).ravel()
    counts = counts[:, np.sort(np.argsort(-total, kind="stable")[:N_WORDS])]
    weigh = TfidfTransformer().fit(counts[train])
    themes = json.loads((folder / "20newsgroups_full.json").read_text())["label_groups_by_theme"]
    distance = ClassDistance.from_paths({g: f"{theme}/{g}" for g, theme in themes.items()}, weights=(0.4, 0.1))
    y = labels["label"].to_numpy(dtype=str)
    X = [csr_array(weigh.transform(counts[rows])) for rows in (train, ~train)]
    return *X, y[train], y[~train], distance


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


def eliminate(folder, name, before, out):
    X, X_test, y, _, distance = read(folder)
    if before:
        X, _ = levels(X, X_test)
    start = time.process_time()
    path = path_of(name, X, y, distance, bins=None if before else "uniform")
    spent = time.process_time() - start
    out.send((path, spent, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024))


def in_own_process(folder, name, before):
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=eliminate, args=(folder, name, before, there))
    process.start()
    answer = here.recv()
    process.join()
    return answer


def judged(paths, folder, n_neighbors, on, metric):
    """Cost of every test document by method: (n_sizes, n_documents)."""
    X, X_test, y, y_test, distance = read(folder)
    if on == "levels":
        X, X_test = levels(X, X_test)
    classes = np.unique(y)
    one_hot = [np.equal.outer(part, classes) for part in (y, y_test)]
    D = distance.for_classes(classes).matrix
    judge = Votes(X, one_hot[0], X_test, one_hot[1], D, n_neighbors=n_neighbors, metric=metric)
    return {name: np.array([judge.losses(path.subset(n))[0] for n in SIZES]) for name, path in paths.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of the data sets")
    parser.add_argument("--neighbors", type=int, default=10)
    parser.add_argument("--before", action="store_true", help="cut the words before the selector sees them")
    asked = parser.parse_args()
    paths = {}
    print(f"{'elimination':<20}{'CPU seconds':>12}{'peak MB':>9}")
    for name in CONTENDERS:
        paths[name], spent, peak = in_own_process(asked.data, name, asked.before)
        print(f"{name:<20}{spent:>12.1f}{peak:>9.0f}", flush=True)
    rng = np.random.default_rng(0)
    for on, metric in JUDGES:
        costs = judged(paths, asked.data, asked.neighbors, on, metric)
        print(f"\n{asked.neighbors} neighbours, {metric} on {on}: cost by number of words")
        print(f"{'':<28}" + "".join(f"{n:>22}" for n in SIZES))
        for name, cost in costs.items():
            print(f"{name:<28}" + "".join(f"{100 * c:>22.1f}" for c in cost.mean(axis=1)))
        print("differences, 95 % intervals over test documents")
        for one, other in PAIRS:
            line = f"{one + ' - ' + other:<28}"
            for apart in 100 * (costs[one] - costs[other]):
                low, high = interval(apart, rng)
                line += f"{f'{apart.mean():+.1f} [{low:+.1f}, {high:+.1f}]':>22}"
            print(line, flush=True)


if __name__ == "__main__":
    main()
