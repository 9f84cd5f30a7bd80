"""Real annotators: features selected from the crowd's answers alone, judged on gold labels.

Usage: python -m experiments.soft_labels.crowd DATA [--repetitions 30] [--show]

Music genres (Rodrigues, Pereira and Ribeiro, 2013): 700 songs with 2945 answers of 44 people, 56 % of them right, and
300 songs without answers. Every repetition selects on 490 of the 700 songs; a k-nearest-neighbour classifier is trained
on the gold labels of the same songs and tested on the gold labels of the 510 others.
"""

import argparse
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.feature_selection import mutual_info_classif

from experiments.judge import FOLDS, Judge
from experiments.runs import Runs, table
from tamis import CrowdLabels, RankingSelector, SequentialSelector, answers_of

NAME = "music_genre_crowd"
SIZES = (1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 40, 60, 80, 100)
RESULTS = Runs(Path(__file__).parent / "results" / "crowd.jsonl")
SHARE, ALONE = CrowdLabels("share"), CrowdLabels(estimator=None, soft=True)
TOGETHER = {soft: CrowdLabels(soft=soft, random_state=0) for soft in (True, False)}


def joint(labels):
    return lambda r: SequentialSelector(labels=labels).fit(r.X, r.target(labels)).path_.subset


def scored(labels):
    return lambda r: RankingSelector(labels=labels).fit(r.X, r.target(labels)).path_.subset


def select_k_best(r):
    order = np.argsort(-mutual_info_classif(r.X, r.majority, random_state=r.seed), kind="stable")
    return lambda n: np.sort(order[:n])


METHODS = {
    "majority vote, information": joint("hard"),
    "answers and features, most probable class, information": joint(TOGETHER[False]),
    "answers and features, memberships, information": joint(TOGETHER[True]),
    "Dawid-Skene memberships, information": joint(ALONE),
    "Dawid-Skene memberships, WLS": scored(ALONE),
    "gold labels, information": lambda r: SequentialSelector().fit(r.X, r.judge.y).path_.subset,
    "majority vote, SelectKBest": select_k_best,
    # what else was tried
    "Dawid-Skene, most probable class, information": joint(CrowdLabels(estimator=None, soft=False)),
    "shares of votes, information": joint(SHARE),
    "shares of votes, WLS": scored(SHARE),
    "majority vote, WLS": scored("hard"),
    "gold labels, WLS": lambda r: RankingSelector().fit(r.X, r.judge.y).path_.subset,
}


class Repetition:
    """One draw of songs: features, answers, the majority of these, and the judge who knows the truth."""

    def __init__(self, X, gold, answers, number):
        rng = np.random.default_rng(number)
        rows = rng.permutation(len(answers))
        train, test = rows[:490], np.concatenate([rows[490:], np.arange(len(answers), len(X))])
        self.X, self.answers, self.seed = X[train], answers.iloc[train], number
        votes = CrowdLabels("share").fit(None, self.answers).memberships_
        self.majority = (votes + 1e-6 * rng.uniform(size=votes.shape)).argmax(axis=1)  # ties are drawn
        self.judge = Judge(self.X, gold[train], X[test], gold[test], rng.permutation(len(train)) % FOLDS)

    def target(self, labels):
        return self.majority if labels == "hard" else self.answers


def read(folder):
    songs = pd.read_csv(folder / f"{NAME}.csv.gz", keep_default_na=False)
    said = pd.read_csv(folder / f"{NAME}_annotations.csv.gz", keep_default_na=False)
    answers = answers_of(said["row"], said["annotator"], said["label"])
    gold = np.unique(songs["label"], return_inverse=True)[1]
    X = songs.drop(columns=["label", "split"]).to_numpy(float)
    return (X - X.mean(axis=0)) / X.std(axis=0), gold, answers


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, help="folder of the data sets")
    parser.add_argument("--repetitions", type=int, default=30)
    parser.add_argument("--show", action="store_true", help="print the table only")
    asked = parser.parse_args()
    if not asked.show:
        warnings.simplefilter("ignore", UserWarning)  # small classes
        data, done = read(asked.data), RESULTS.done()
        for number in range(asked.repetitions):
            repetition = Repetition(*data, number)
            for method, select in METHODS.items():
                if (NAME, method, number) not in done:
                    subset = select(repetition)
                    errors = [round(repetition.judge.error(subset(n)), 3) for n in SIZES]
                    RESULTS.add(data=NAME, method=method, repetition=number, errors=errors)
    title = "balanced error, %, by number of features"
    curves = {method: RESULTS.curves(NAME)[method] for method in METHODS if method in RESULTS.curves(NAME)}
    print(table(curves, SIZES, "majority vote, information", title))


if __name__ == "__main__":
    main()
