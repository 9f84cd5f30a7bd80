"""Who searches: functions of (X with gaps, y, seed) that give an order of features and CPU seconds (fill, search)."""

from __future__ import annotations

from functools import partial
from time import process_time

from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.impute import IterativeImputer, KNNImputer, SimpleImputer

from tamis import SequentialSelector

COMPLETE, OURS, MEDIAN = "complete", "ours", "median"
ROUNDS = 5
"""Of the chained regressions, half of the default: their time is proportional to it."""


def search(X, y, **how):
    """The backward search by mutual information, down to one feature: the most lasting feature first."""
    selector = SequentialSelector(n_features_to_select=1, step=1, n_jobs=1, **how)
    return selector.fit(X, y).path_.lasting()


def as_they_are(X, y, seed, **how):
    begin = process_time()
    order = search(X, y, **how)
    return order, (0.0, process_time() - begin)


def filled(imputer, X, y, seed):
    begin = process_time()
    X = imputer(seed).fit_transform(X)
    between = process_time()
    order = search(X, y)
    return order, (between - begin, process_time() - between)


METHODS = {
    OURS: partial(as_they_are, missing="use"),
    "indicator": partial(as_they_are, missing="indicator"),
    MEDIAN: partial(filled, lambda seed: SimpleImputer(strategy="median", keep_empty_features=True)),
    "KNNImputer": partial(filled, lambda seed: KNNImputer(keep_empty_features=True)),
    "IterativeImputer": partial(
        filled, lambda seed: IterativeImputer(max_iter=ROUNDS, random_state=seed, keep_empty_features=True)
    ),
}
