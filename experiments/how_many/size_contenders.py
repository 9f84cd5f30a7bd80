"""Who decides how many features to keep: functions of (X, y, seed) that return a mask.

Each gets raw features and the labels as recorded. Boruta and mRMR are imported when they are asked for:
`pip install --group experiments` brings them.
"""

from __future__ import annotations

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import SelectKBest, SequentialFeatureSelector, mutual_info_classif
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from tamis import SequentialSelector

SIZE = "auto"
TAMIS = f"tamis, {SIZE}"
FOLDS, SCORING = 5, "balanced_accuracy"
MANY = 20


def tamis(X, y, seed):
    return SequentialSelector(labels="noisy", n_features_to_select=SIZE, random_state=seed).fit(X, y).support_


def k_best(X, y, seed):
    return tuned(lambda X, y: mutual_info_classif(X, y, random_state=seed), X, y)


def mrmr(X, y, seed):
    return tuned(mrmr_places, X, y)


def forward(X, y, seed):
    """scikit-learn's search; it stops when one more feature gains less than a thousandth."""
    search = SequentialFeatureSelector(
        make_pipeline(StandardScaler(), KNeighborsClassifier(5)),
        n_features_to_select="auto",
        tol=1e-3,
        direction="forward",
        scoring=SCORING,
        cv=FOLDS,
    )
    return search.fit(X, y).get_support()


def boruta(X, y, seed):
    """The settings of its README; one thread."""
    from boruta import BorutaPy

    forest = RandomForestClassifier(class_weight="balanced", max_depth=5, n_jobs=1)
    return BorutaPy(forest, n_estimators="auto", random_state=seed).fit(X, y).support_


def everything(X, y, seed):
    return np.ones(X.shape[1], dtype=bool)


CONTENDERS = {
    TAMIS: tamis,
    "SelectKBest, MI": k_best,
    "SFS forward, kNN": forward,
    "Boruta": boruta,
    "mRMR": mrmr,
    "all features": everything,
}


def tuned(score, X, y):
    """The features with the best scores, as many as cross-validation of nearest neighbours likes best."""
    pipeline = make_pipeline(StandardScaler(), SelectKBest(remembered(score)), KNeighborsClassifier(5))
    search = GridSearchCV(pipeline, {"selectkbest__k": sizes(X.shape[1])}, scoring=SCORING, cv=FOLDS)
    return search.fit(X, y).best_estimator_["selectkbest"].get_support()


def sizes(d):
    """All up to 20 features; else about 20, the small ones all the same."""
    return list(range(1, d + 1)) if d <= MANY else np.unique(np.geomspace(1, d, 26).round()).astype(int).tolist()


def remembered(score):
    """The grid asks for the same scores of the same rows at every size."""
    known: dict = {}

    def once(X, y):
        key = X.tobytes(), y.tobytes()
        if key not in known:
            known[key] = score(X, y)
        return known[key]

    return once


def mrmr_places(X, y):
    """The first feature of mRMR (F statistic by mean correlation) has the best score; one it never takes has zero."""
    import pandas as pd
    from mrmr import mrmr_classif

    order = mrmr_classif(pd.DataFrame(X), pd.Series(y), K=X.shape[1], n_jobs=1, show_progress=False)
    places = np.zeros(X.shape[1])
    places[np.array(order, dtype=int)] = np.arange(X.shape[1], X.shape[1] - len(order), -1)
    return places
