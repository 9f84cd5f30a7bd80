"""Generated data sets for tests."""

import numpy as np
from sklearn.naive_bayes import GaussianNB

CHEAP = {"judge": GaussianNB(), "cv": 2, "n_repeats": 1}
"""Settings of "auto" where it is not in question what it finds."""
CHEAP_OF_FEW = CHEAP | {"cv": 5}
"""The same for classes of three rows: two folds would leave one of them."""


def gaussians(n, d, n_classes, seed=0, informative=None):
    """Classes whose means differ in the first features, less and less so; (X, codes)."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, n_classes, n)
    means = rng.normal(size=(n_classes, d)) * np.linspace(1.5, 0, d)
    if informative is not None:
        means[:, informative:] = 0
    return rng.normal(size=(n, d)) + means[codes], codes


def _plain(X, codes):
    return X, codes


def _ties(X, codes):
    return np.round(X), codes


def _binary(X, codes):
    return (X > 0).astype(float), codes


def _duplicated_rows(X, codes):
    half = len(X) // 2
    return np.vstack([X[:half], X[:half]]), np.concatenate([codes[:half], codes[:half]])


def _duplicated_columns(X, codes):
    return np.hstack([X[:, :2], X[:, :2], X[:, 2:]]), codes


def _constant_columns(X, codes):
    X = X.copy()
    X[:, 0], X[:, 2] = 0.1, -1e6
    return X, codes


def _offset(X, codes):
    return X + 1e6, codes


def _scales(X, codes):
    return X * np.logspace(-4, 3, X.shape[1]), codes


def _one_large(X, codes):
    X = X.copy()
    X[:, 1] *= 1e3
    return X, codes


def _tiny_class(X, codes):
    codes = np.where(codes == 2, 0, codes)
    codes[:3] = 2
    return X, codes


def _one_feature(X, codes):
    return X[:, :1], codes


def _all_equal(X, codes):
    return np.ones_like(X), codes


def _huge(X, codes):
    return X * 1e150, codes


UGLY = {
    f.__name__.removeprefix("_"): f
    for f in (
        _plain,
        _ties,
        _binary,
        _duplicated_rows,
        _duplicated_columns,
        _constant_columns,
        _offset,
        _scales,
        _one_large,
        _tiny_class,
        _one_feature,
        _all_equal,
        _huge,
    )
}


def make_ugly(kind, n=70, d=5, n_classes=3, seed=1):
    """One of the ugly data sets, as (X, codes)."""
    return UGLY[kind](*gaussians(n, d, n_classes, seed))


def one_hot(codes):
    return np.eye(codes.max() + 1)[codes]


def mixed(codes, seed=0, concentration=0.5):
    """Memberships around the codes: some rows certain, some shared, some zeros."""
    rng = np.random.default_rng(seed)
    hard = one_hot(codes)
    soft = 0.6 * hard + 0.4 * rng.dirichlet(np.full(hard.shape[1], concentration), len(codes))
    soft[soft < 0.01] = 0
    soft[: len(codes) // 4] = hard[: len(codes) // 4]
    return soft / soft.sum(axis=1, keepdims=True)
