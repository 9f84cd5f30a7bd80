"""Who finds the flipped labels? Area under the ROC curve, on real data with uniform flips.

python -m experiments.label_noise.detection DATA [--seeds 20] [--datasets iris,wine]

The score of a row is how much its recorded label is doubted. Prints results/detection.txt; needs cleanlab.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import numpy as np
from cleanlab.rank import get_label_quality_scores
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors

from experiments.label_noise.protocol import standardised
from tamis import NoisyLabels
from tamis.datasets import flip_uniform

DATASETS = ("iris", "wine", "ecoli", "glass", "vertebral_3c", "seeds", "segment", "vehicle")
RATES = (0.1, 0.2, 0.3)


def doubt(model, X, y, seed):
    """1 - membership of the recorded class; also the estimated share of wrong labels."""
    fitted = model(seed).fit(X, y)
    share = float(fitted.noise_rates_ @ fitted.class_priors_)
    return 1 - fitted.memberships_[np.arange(len(y)), y], share


def cleanlab(classifier, X, y, seed):
    """Its usual advice: scores from probabilities of a cross-validated classifier."""
    folds = StratifiedKFold(5, shuffle=True, random_state=seed)
    probabilities = cross_val_predict(classifier, X, y, cv=folds, method="predict_proba")
    return 1 - get_label_quality_scores(y, probabilities), None


def vote(X, y, seed):
    """Share of other labels among the 20 nearest."""
    near = NearestNeighbors(n_neighbors=20).fit(X).kneighbors(return_distance=False)
    return (y[near] != y[:, None]).mean(axis=1), None


METHODS = {
    "tamis": lambda *a: doubt(lambda seed: NoisyLabels(scale=None, random_state=seed), *a),
    "tamis, per-class": lambda *a: doubt(
        lambda seed: NoisyLabels(scale=None, transition="per-class", random_state=seed), *a
    ),
    "tamis, full": lambda *a: doubt(lambda seed: NoisyLabels(scale=None, transition="full", random_state=seed), *a),
    "tamis, neighbours": lambda *a: doubt(lambda seed: NoisyLabels(None, scale=None), *a),
    # what the paper's EM is capable of: its best iterate, and no run in which classes change places
    "literal, guarded": lambda *a: doubt(
        lambda seed: NoisyLabels.literal(scale=None, guarded=True, n_init=10, random_state=seed), *a
    ),
    "cleanlab, 10-NN": lambda *a: cleanlab(KNeighborsClassifier(10), *a),
    "cleanlab, logistic": lambda *a: cleanlab(LogisticRegression(max_iter=1000), *a),
    "20-NN vote": vote,
}
SLOW = {("segment", "literal, guarded"): 2, ("vehicle", "literal, guarded"): 5}
"""Fewer seeds, as the table says."""


def measure(folder, name, n_seeds):
    """Method -> rate -> list of (area, estimated share less the true one)."""
    X, y = standardised(folder, name)
    codes = np.unique(y, return_inverse=True)[1]
    found = {method: {rate: [] for rate in RATES} for method in METHODS}
    for seed in range(n_seeds):
        for rate in RATES:
            spoiled, changed = flip_uniform(codes, rate, random_state=seed)
            wrong = np.isin(np.arange(len(codes)), changed)
            for method, score in METHODS.items():
                if seed < SLOW.get((name, method), n_seeds):
                    doubts, share = score(X, spoiled, seed)
                    error = np.nan if share is None else share - wrong.mean()
                    found[method][rate].append((roc_auc_score(wrong, doubts), error))
    return found


def table(results, quantity, title):
    """Rows are methods, columns data sets (mean over seeds and rates), then the mean over data sets by rate."""
    lines = [title, "", f"{'':<20}" + "".join(f"{name:>13}" for name in results)]
    lines[-1] += "".join(f"{f'{rate:.0%} flips':>12}" for rate in RATES) + f"{'mean':>10}"
    for method in METHODS:
        cells = np.array(
            [[np.mean([f[quantity] for f in r[method][rate]]) for rate in RATES] for r in results.values()]
        )
        if np.isnan(cells).all():
            continue
        row = "".join(f"{value:>13.3f}" for value in cells.mean(axis=1))
        lines.append(
            f"{method:<20}{row}" + "".join(f"{v:>12.3f}" for v in cells.mean(axis=0)) + f"{cells.mean():>10.4f}"
        )
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of the data sets")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--datasets", default=",".join(DATASETS))
    asked = parser.parse_args()
    warnings.simplefilter("ignore", UserWarning)
    results = {name: measure(asked.data, name, asked.seeds) for name in asked.datasets.split(",")}
    fewer = ", ".join(f"{m} on {d}: {min(n, asked.seeds)}" for (d, m), n in SLOW.items() if d in results)
    seeds = f"{asked.seeds} seeds" + (f" ({fewer})" if fewer else "")
    print(table(results, 0, f"Area under the ROC curve of 'this label is wrong', {seeds}"))
    print()
    print(table(results, 1, "Estimated less true share of wrong labels"))


if __name__ == "__main__":
    main()
