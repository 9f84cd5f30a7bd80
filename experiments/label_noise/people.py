"""Labels that people got wrong: images with out-of-sample probabilities, and one answer of a crowd.

python -m experiments.label_noise.people DATA [--seeds 3]

Prints results/people.txt. Needs cleanlab, which is fed with the same probabilities.
"""

from __future__ import annotations

import argparse
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.sparse import load_npz
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from experiments.label_noise.scores import every_score, figures, ours

IMAGES = ("aggregate_efficientnet", "aggregate_resnet18", "synthetic_resnet50d", "worst_resnet18", "worst_swin")
HEAD = f"{'':<28}{'truth':>8}{'rate':>8}{'between':>16}{'AUC':>9}{'best other':>12}{'AP':>9}{'best other':>12}"
HEAD += f"{'p > .95':>16}{'CPU s':>8}"


def images(folder):
    """Name, probabilities by model, recorded labels and true ones."""
    for name in IMAGES:
        held = np.load(folder / f"cifar10_{name}.npz")
        yield f"cifar10 {name}", {"network": held["probabilities"]}, held["recorded"], held["true"]


def crowds(folder, n_seeds):
    """The same for one random answer of each row; forest out of bag and logistic regression by folds."""
    for name, (X, gold, answers, scaler) in {"music": _music(folder), "polarity": _polarity(folder)}.items():
        classes = np.unique(gold)
        for seed in range(n_seeds):
            one = answers.sample(frac=1, random_state=seed).groupby("row").first().sort_index()
            rows = one.index.to_numpy()
            recorded = np.searchsorted(classes, one["label"].to_numpy())
            true = np.searchsorted(classes, gold[rows])
            yield f"{name}, answers {seed}", _probabilities(X[rows], recorded, scaler, seed), recorded, true


def _music(folder):
    table = pd.read_csv(folder / "music_genre_crowd.csv.gz", keep_default_na=False)
    X, gold = table.drop(columns=["label", "split"]).to_numpy(float), table["label"].to_numpy(str)
    return X, gold, pd.read_csv(folder / "music_genre_crowd_annotations.csv.gz"), StandardScaler()


def _polarity(folder):
    X = load_npz(folder / "sentence_polarity_crowd.npz").tocsr()
    gold = pd.read_csv(folder / "sentence_polarity_crowd_labels.csv.gz")["label"].to_numpy()
    return X, gold, pd.read_csv(folder / "sentence_polarity_crowd_annotations.csv.gz"), "passthrough"


def _probabilities(X, recorded, scaler, seed):
    forest = RandomForestClassifier(100, min_samples_leaf=5, oob_score=True, random_state=seed).fit(X, recorded)
    folds = StratifiedKFold(5, shuffle=True, random_state=seed)
    linear = make_pipeline(scaler, LogisticRegression(max_iter=1000))
    n_classes = recorded.max() + 1
    out_of_bag = np.nan_to_num(forest.oob_decision_function_, nan=1 / n_classes)
    return {"forest": out_of_bag, "linear": cross_val_predict(linear, X, recorded, cv=folds, method="predict_proba")}


def row_of(name, models, recorded, true) -> str:
    start = time.process_time()
    ours(models.values(), recorded)
    seconds = time.process_time() - start
    scores = every_score(models, recorded)
    found = {method: figures(scored, recorded != true) for method, scored in scores.items()}
    own = found.pop("tamis")
    auc, precision = (max(other[key] for other in found.values()) for key in ("auc", "precision"))
    sure = f"{own['sure_and_wrong'] / own['sure']:.3f} ({own['sure']})" if own["sure"] else "-"
    between = f"{own['low']:.3f}-{own['high']:.3f}"
    cells = f"{own['truth']:>8.3f}{own['rate']:>8.3f}{between:>16}{own['auc']:>9.4f}{auc:>12.4f}"
    return f"{name:<28}{cells}{own['precision']:>9.4f}{precision:>12.4f}{sure:>16}{seconds:>8.1f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of the data sets")
    parser.add_argument("--seeds", type=int, default=3, help="random answers of the crowds")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    print(HEAD)
    for one in (*images(asked.data), *crowds(asked.data, asked.seeds)):
        print(row_of(*one), flush=True)


if __name__ == "__main__":
    main()
