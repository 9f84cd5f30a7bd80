"""Ten features of a wide table and of a long one, by tamis and by what people use instead.

mRMR, ReliefF (skrebate) and Boruta are timed if they are installed: `pip install --group experiments`. Times marked ~
are extrapolated from a part: of a sequential search by the candidates tried, of ReliefF by pairs of rows, of Boruta by
its rounds.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from importlib.util import find_spec

import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import RFE
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

from tamis import SequentialSelector

from .plan import Plan
from .report import Row
from .timing import Seconds, Stopwatch
from .wide import N_SELECTED, shifted

CANDIDATES, MOST_ROWS, ROUNDS, ALL_ROUNDS = 20, 500, 2, 100


def tamis(X, y):
    SequentialSelector(n_features_to_select=N_SELECTED).fit(X, y)
    return 1.0


def rfe(X, y):
    RFE(LinearSVC(random_state=0), n_features_to_select=N_SELECTED, step=0.1).fit(X, y)
    return 1.0


def sequential(X, y):
    """The first candidates of scikit-learn's search, by five folds; how often there are so many in ten steps."""
    for f in range(CANDIDATES):
        cross_val_score(KNeighborsClassifier(), X[:, [f]], y, cv=5)
    return sum(X.shape[1] - step for step in range(N_SELECTED)) / CANDIDATES


def mrmr(X, y):
    from mrmr import mrmr_classif

    mrmr_classif(pd.DataFrame(X), pd.Series(y), K=N_SELECTED, show_progress=False, n_jobs=1)
    return 1.0


def relief(X, y):
    from skrebate import ReliefF

    n = min(len(X), MOST_ROWS)
    ReliefF(n_features_to_select=N_SELECTED, n_neighbors=10).fit(X[:n], y[:n])
    return (len(X) / n) ** 2


def boruta(X, y):
    from boruta import BorutaPy

    forest = RandomForestClassifier(class_weight="balanced", max_depth=5)
    BorutaPy(forest, n_estimators="auto", max_iter=ROUNDS, random_state=0).fit(X, y)
    return ALL_ROUNDS / ROUNDS


PEERS = {
    "RFE, linear SVM, a tenth per pass": (rfe, "sklearn"),
    "SequentialFeatureSelector, forward, 5-NN": (sequential, "sklearn"),
    "mRMR (mrmr-selection)": (mrmr, "mrmr"),
    "ReliefF (skrebate)": (relief, "skrebate"),
    "Boruta, 100 rounds": (boruta, "boruta"),
}


def rows(plan: Plan) -> Iterator[Row]:
    for shape in plan.wide_peers:
        X, y = shifted(shape)
        ours, _ = _timed(tamis, X, y)
        yield Row(shape, "tamis", ours)
        for name, (select, package) in PEERS.items():
            if find_spec(package) is None:
                yield Row(shape, f"{name}: not installed")
                continue
            taken, part = _timed(select, X, y)
            yield Row(shape, name, taken, taken.cpu / ours.cpu, "x", interpolated=part)


def _timed(select, X, y) -> tuple[Seconds, bool]:
    """Once, since most take long; and whether the time is extrapolated."""
    watch = Stopwatch()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an SVM that has not converged, and deprecations of others
        times = watch.time("", select, X, y)
    best = watch.best[""]
    return Seconds(best.cpu * times, best.wall * times), times > 1
