"""Simulated crowds: annotators of known skill who answer about normal data."""

import numpy as np
from sklearn.linear_model import LogisticRegression

from tamis import CrowdLabels, answers_of

CLASSES = np.array(["ant", "bee", "cow"])


def crowd(n=300, n_annotators=20, a_row=2, seed=0, skill=None):
    """X, true codes, and the answers of annotators of this skill (from .3 to .95 by default) in the long form."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n)
    X = np.eye(3)[truth] * 1.5 + rng.normal(size=(n, 3))
    skill = rng.uniform(0.3, 0.95, n_annotators) if skill is None else np.asarray(skill)
    row = np.repeat(np.arange(n), a_row)
    who = np.concatenate([rng.choice(len(skill), a_row, replace=False) for _ in range(n)])
    right = rng.uniform(size=len(row)) < skill[who]
    label = np.where(right, truth[row], (truth[row] + rng.integers(1, 3, len(row))) % 3)
    return X, truth, answers_of(row, who, CLASSES[label], n_rows=n)


def fitted(X, answers, estimator=None, **how):
    estimator = LogisticRegression() if estimator is None else estimator
    fit = {name: how.pop(name) for name in ("gold", "sample_weight", "groups", "classes") if name in how}
    return CrowdLabels(estimator=estimator, random_state=0, **how).fit(X, answers, **fit)


def accuracy(model, truth):
    return (model.memberships_.argmax(axis=1) == truth).mean()
