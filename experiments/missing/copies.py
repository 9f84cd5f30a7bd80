"""Rows that belong together: what copies of rows do to information and to the expected error, and what groups mend.

python -m experiments.missing.copies DATA [--repetitions 3]

Every row of one half is there three times, exactly or with a little noise in its features. The truth is the error on
the other half. With shuffled labels there is nothing to find. Also weights against repeated rows. Records are appended
to results/copies.jsonl and results/weights.jsonl; what is there already is not done again. Tables:
python -m experiments.missing.tables
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import numpy as np
from sklearn.ensemble import RandomForestClassifier, VotingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score
from sklearn.neighbors import KNeighborsClassifier

from experiments.missing.halves import Halves, generator
from experiments.missing.selections import read
from experiments.runs import Runs
from tamis import SequentialSelector, bayes_risk, mutual_information

RESULTS = Path(__file__).parent / "results"
SETS = ("wine", "glass", "ecoli")
LABELS = ("as they are", "shuffled")
COPIES, NOISE = 3, 0.05
KINDS = {"exact": 0.0, "with noise": NOISE}
"""Standard deviation of what is added to the features of a copy; those of the data have 1."""


def copied(X, y, noise, rng):
    """Three times each row, copies next to each other, and which row each of them is of."""
    rows = np.repeat(np.arange(len(y)), COPIES)
    return X[rows] + noise * rng.standard_normal((len(rows), X.shape[1])), y[rows], rows


def measured(halves, y, X, labels, rows) -> dict:
    """What is said of the data that a selection is made from, and the error of that selection on the other half."""
    groups = {} if rows is None else {"groups": rows}
    selector = SequentialSelector(n_repeats=1, random_state=halves.seed, n_jobs=1).fit(X, labels, **groups)
    evidence, kept = selector.evidence_, selector.support_
    judge = VotingClassifier(
        [
            ("nearest neighbours", KNeighborsClassifier(10)),
            ("forest", RandomForestClassifier(50, min_samples_leaf=2, random_state=halves.seed)),
            ("logistic", LogisticRegression(max_iter=500)),
        ],
        voting="soft",
    ).fit(halves.X[:, kept], y)
    error = 1 - balanced_accuracy_score(halves.y_test, judge.predict(halves.X_test[:, kept]))
    return {
        "information": round(float(mutual_information(X, labels, **groups)), 4),
        "expected": round(100 * evidence.expected_error, 3),
        "error": round(100 * error, 3),
        "found": bool(evidence.found),
        "n_kept": int(selector.n_features_),
    }


def fill(results, sets, repetitions):
    done = results.done()
    for repetition in range(repetitions):
        for name, data in sets.items():
            halves = Halves.draw(data, name, repetition)
            for labelled in LABELS:
                rng = generator(name, repetition, labelled)
                y = halves.y if labelled == LABELS[0] else rng.permutation(halves.y)
                cases = {"each row once": (halves.X, y, None)}
                for kind, noise in KINDS.items():
                    X, labels, rows = copied(halves.X, y, noise, rng)
                    cases |= {f"copies {kind}": (X, labels, None), f"copies {kind}, groups": (X, labels, rows)}
                for case, given in cases.items():
                    where = f"{name}, labels {labelled}"
                    if (where, case, repetition) not in done:
                        results.add(data=where, method=case, repetition=repetition, **measured(halves, y, *given))


def fill_weights(results, sets, repetitions):
    """Weights of 1 to 4 against as many copies of a row as a group: equal values, and equal orders of a search."""
    done = results.done()
    for repetition in range(repetitions):
        for name, data in sets.items():
            if (name, "weights", repetition) in done:
                continue
            halves = Halves.draw(data, name, repetition)
            weight = generator(name, repetition, "weights").integers(1, 5, size=len(halves.y))
            rows = np.repeat(np.arange(len(weight)), weight)
            weighted = (halves.X, halves.y, {"sample_weight": weight.astype(float)})
            repeated = (halves.X[rows], halves.y[rows], {"groups": rows})
            found = {}
            for quantity in (mutual_information, bayes_risk):
                one, other = (float(quantity(X, y, **how)) for X, y, how in (weighted, repeated))
                found[quantity.__name__] = [one, other]
            one, other = (_order(*given) for given in (weighted, repeated))
            results.add(data=name, method="weights", repetition=repetition, **found, same_order=one == other)


def _order(X, y, how):
    selector = SequentialSelector(n_features_to_select=1, step=1, n_jobs=1)
    return selector.fit(X, y, **how).path_.lasting().tolist()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of the data sets")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--out", type=Path, default=RESULTS)
    asked = parser.parse_args()
    warnings.simplefilter("ignore")  # nothing found, rows that are equal
    sets = {name: read(asked.data, name) for name in SETS}
    fill_weights(Runs(asked.out / "weights.jsonl"), sets, asked.repetitions)
    fill(Runs(asked.out / "copies.jsonl"), sets, asked.repetitions)


if __name__ == "__main__":
    main()
