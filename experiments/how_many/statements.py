"""Are the statements of "auto" true? Generated data, where the truth is known, and real rows with ten seeds.

python -m experiments.how_many.statements [--only NAME ...] [--repetitions N] [--data DATA]
python -m experiments.how_many.statements --show

    hypercube   2600 x 500: 5 informative features, 15 combinations of them, 480 probes; also with wrong labels
    nothing     pure noise: is "nothing" said?
    related     one feature of AUC 0.65 among 20, 500 rows: is "nothing" never said?
    coverage    does the interval of the expected error contain the error of a large test part?
    stability   does its interval contain the stability of many more subsamples?
    seeds       the same rows with ten seeds: how much does the size vary? (needs DATA)

Every run is appended to results/statements.jsonl; what is there already is not done again.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
from sklearn.base import clone
from sklearn.datasets import make_classification

from experiments.how_many.statement_tables import table
from experiments.runs import Runs
from tamis import SequentialSelector
from tamis.datasets import flip_uniform, read_table
from tamis.evidence import resolve_judges, stability_of

RESULTS = Path(__file__).parent / "results" / "statements.jsonl"
SEED_SETS = ("wine", "sonar", "ionosphere", "vehicle", "segment", "vertebral_3c")


def hypercube(rate):
    def run(seed):
        X, y = make_classification(2600, 500, n_informative=5, n_redundant=15, shuffle=False, random_state=seed)
        order = np.random.default_rng(seed).permutation(500)
        real = order < 20
        y = flip_uniform(y, rate, random_state=seed).y
        found = _fit(SequentialSelector(labels="noisy" if rate else "hard", n_jobs=2), X[:, order], y, seed)
        needed, other = found.roles_ == "needed", found.roles_ == "interchangeable"
        return {
            "needed": int(needed.sum()),
            "needed_real": int((needed & real).sum()),
            "interchangeable_real": int((other & real).sum()),
            "others_real": int((real & ~needed).sum()),
            "interchangeable_probes": int((other & ~real).sum()),
        }

    return run


def nothing(n, d):
    def run(seed):
        rng = np.random.default_rng([seed, n, d])
        found = _fit(SequentialSelector(), rng.standard_normal((n, d)), rng.integers(2, size=n), seed)
        return {"nothing": not found.evidence_.found}

    return run


def related(seed):
    rng = np.random.default_rng([seed, 7])
    X, y = rng.standard_normal((500, 20)), rng.integers(2, size=500)
    X[:, 3] += 0.545 * y  # two normal distributions this far apart have an AUC of 0.65
    return {"nothing": not _fit(SequentialSelector(), X, y, seed).evidence_.found}


def coverage(n, d, classes):
    """The error that the interval is about: of the same judges, fitted to all rows of the selection."""

    def run(seed):
        X, y = make_classification(
            n + 4000, d, n_informative=min(5, d), n_redundant=min(5, d - 5), n_classes=classes, random_state=seed
        )
        found = _fit(SequentialSelector(), X[:n], y[:n], seed)
        kept = np.flatnonzero(found.support_)
        low, high = found.evidence_.expected_error_interval
        truth = _balanced_error(X[:n][:, kept], y[:n], X[n:][:, kept], y[n:])
        return {"truth": truth, "expected": found.evidence_.expected_error, "low": low, "high": high}

    return run


def stability(seed):
    X, y = make_classification(300, 20, n_informative=5, n_redundant=5, random_state=seed)
    found = _fit(SequentialSelector(), X, y, seed)
    low, high = found.evidence_.stability_interval
    rng, selections = np.random.default_rng([seed, 3]), []
    for _ in range(100):
        rows = np.sort(rng.choice(300, 240, replace=False))
        part = clone(found).set_params(n_features_to_select=found.n_features_)
        selections.append(part.fit(X[rows], y[rows]).support_)
    return {"truth": stability_of(np.array(selections))[0], "low": low, "high": high}


def seeds(folder, name):
    X, y, _ = read_table(folder, name)
    rows = np.random.default_rng(0).permutation(len(y))[:700]

    def run(seed):
        return {
            "kept": _fit(SequentialSelector(), np.asarray(X, dtype=float)[rows], np.asarray(y)[rows], seed).n_features_
        }

    return run


def _fit(selector, X, y, seed):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return selector.set_params(random_state=seed).fit(X, y)


def _balanced_error(X, y, X_test, y_test):
    """Of the mixture of judges with the weights that held-out rows give them, fitted to all rows."""
    from tamis.distances.columns import Coordinates
    from tamis.evidence.curves import _weights
    from tamis.evidence.held_out import Known, judge_subsets

    rows, eye = np.arange(len(X) + len(X_test)), np.eye(y.max() + 1)
    both = Coordinates(np.vstack([X, X_test]), tuple((f,) for f in range(X.shape[1])))
    subsets, parts = [list(range(X.shape[1]))], np.array_split(np.random.default_rng(0).permutation(len(X)), 5)
    known = [
        Known(np.setdiff1d(rows[: len(X)], p), eye[y[np.setdiff1d(rows[: len(X)], p)]], p, eye[y[p]], True, 0)
        for p in parts
    ]
    judges = resolve_judges("auto")
    weights = _weights([judge_subsets(both, subsets, judges, k) for k in known])
    last = Known(rows[: len(X)], eye[y], rows[len(X) :], eye[y_test], True, 0)
    decided = np.tensordot(weights, judge_subsets(both, subsets, judges, last).predicted, 1)[0].argmax(axis=1)
    return float(np.mean([(decided[y_test == s] != s).mean() for s in np.unique(y_test)]))


def experiments(folder):
    found = {f"hypercube, {rate:.0%} flipped": (hypercube(rate), 10) for rate in (0.0, 0.2)}
    found |= {f"seeds, {name}": (seeds(folder, name), 10) for name in SEED_SETS if folder}
    found |= {
        f"nothing, {n} x {d}": (nothing(n, d), 25)
        for n, d in ((100, 10), (100, 500), (300, 50), (1000, 20), (1000, 100))
    }
    found |= {"related": (related, 25)}
    found |= {
        f"coverage, {n} x {d}, {c} classes": (coverage(n, d, c), 25)
        for n, d, c in ((150, 10, 2), (300, 20, 3), (600, 40, 2))
    }
    return found | {"stability": (stability, 20)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=[""])
    parser.add_argument("--repetitions", type=int, help="fewer than the experiment has")
    parser.add_argument("--data")
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--show", action="store_true", help="print the tables only")
    asked = parser.parse_args()
    results = Runs(asked.out)
    for name, (run, n) in {} if asked.show else experiments(asked.data).items():
        for repetition in range(min(n, asked.repetitions or n)):
            if any(name.startswith(one) for one in asked.only) and (name, "tamis", repetition) not in results.done():
                wall, cpu = perf_counter(), process_time()
                line = run(repetition)
                times = {"wall": round(perf_counter() - wall, 1), "cpu": round(process_time() - cpu, 1)}
                results.add(data=name, method="tamis", repetition=repetition, **line, **times)
    print(table(results.read()))


if __name__ == "__main__":
    main()
