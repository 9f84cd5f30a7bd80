"""Noise models and data for their tests."""

import warnings

import numpy as np

from tamis import NoisyLabels

KINDS = {
    "default": {},
    "per-class": {"transition": "per-class"},
    "full": {"transition": "full"},
    "neighbours": {"estimator": None},
    "literal": None,
}


def model(kind, **parameters):
    if KINDS[kind] is None:
        return NoisyLabels.literal(**({"n_init": 2, "random_state": 0} | parameters))
    return NoisyLabels(**({"random_state": 0} | KINDS[kind] | parameters))


def separated(seed, n=300, n_classes=3, n_features=4):
    """Classes five standard deviations apart."""
    codes = np.arange(n) % n_classes
    centres = 5 * np.eye(n_classes, n_features)
    return np.random.default_rng(seed).normal(size=(n, n_features)) + centres[codes], codes


def share(fitted):
    return float(fitted.noise_rates_ @ fitted.class_priors_)


def quietly(call, *args):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return call(*args)
