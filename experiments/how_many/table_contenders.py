"""Methods that say how many features they want: each gives lines of (name, subset, what else is recorded)."""

from __future__ import annotations

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import RFECV, f_classif
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler

from tamis import SequentialSelector

OURS, PARSIMONIOUS = "tamis, auto", "tamis, tolerance 0.05"


def ours(task, labels):
    """The default, and what another tolerance makes of the same evidence."""
    selector = SequentialSelector(labels=labels, random_state=task.seed).fit(task.X, task.y)
    evidence = selector.evidence_
    more = {
        "expected": evidence.expected_error,
        "interval": evidence.expected_error_interval,
        "stability": evidence.stability,
        "repeats": evidence.n_repeats,
    }
    sparse = selector.path_.subset(evidence.size_at(0.05))
    return [(OURS, np.flatnonzero(selector.support_), more), (PARSIMONIOUS, sparse, {})]


def all_features(task, labels):
    return [("all features", np.arange(task.X.shape[1] - task.n_added), {})]


def best_of_as_many(task, k):
    """The features of highest F statistic, as many as another method keeps."""
    with np.errstate(all="ignore"):
        scores = np.nan_to_num(f_classif(task.X, task.y)[0], nan=-1.0)
    return np.sort(np.argsort(-scores, kind="stable")[:k])


def rfecv(task, labels):
    """Recursive elimination of a logistic regression, a tenth per pass, by five folds."""
    X = StandardScaler().fit_transform(task.X)
    folds = StratifiedKFold(5, shuffle=True, random_state=task.seed)
    found = RFECV(LogisticRegression(max_iter=500), step=0.1, cv=folds, scoring="neg_log_loss").fit(X, task.y)
    return [("RFECV, logistic", np.flatnonzero(found.support_), {})]


def boruta(task, labels):
    """The package Boruta with the settings of its README; confirmed features only."""
    from boruta import BorutaPy

    forest = RandomForestClassifier(n_jobs=1, class_weight="balanced", max_depth=5, random_state=task.seed)
    found = BorutaPy(forest, n_estimators="auto", max_iter=50, random_state=task.seed).fit(task.X, task.y)
    return [("Boruta", np.flatnonzero(found.support_), {})]


PEERS = {"RFECV, logistic": rfecv, "Boruta": boruta}
