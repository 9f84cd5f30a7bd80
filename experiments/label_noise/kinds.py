"""Ways in which labels are made wrong, one for each way in which people get them wrong."""

from __future__ import annotations

import numpy as np

from tamis.datasets import flip_by_transition, flip_near, flip_near_boundary, flip_per_class, flip_uniform


def uniform(rate):
    return lambda X, codes, seed: flip_uniform(codes, rate, random_state=seed).y


def next_class(X, codes, seed):
    """Each class is recorded as the next one in a quarter of its rows."""
    identity = np.eye(codes.max() + 1)
    return flip_by_transition(codes, 0.75 * identity + 0.25 * np.roll(identity, 1, axis=1), random_state=seed).y


def nearest_class(X, codes, seed):
    """A fifth of the rows is recorded as the class whose mean is nearest to that of their own."""
    return flip_near(codes, 0.2, X=X, random_state=seed).y


def near_boundary(X, codes, seed):
    """A fifth of the rows is recorded as the class that a forest takes for the next best."""
    return flip_near_boundary(codes, 0.2, X, random_state=seed).y


def one_class(X, codes, seed):
    """Thirty per cent of one class, one of the three largest, are recorded as any other."""
    largest = np.argsort(-np.bincount(codes), kind="stable")[:3]
    return flip_per_class(codes, {int(largest[seed % len(largest)]): 0.3}, random_state=seed).y


def mixed(X, codes, seed):
    """Ten per cent as any other class, and fifteen per cent as the nearest one."""
    recorded = flip_uniform(codes, 0.1, random_state=seed).y.copy()
    near = flip_near(codes, 0.15, X=X, random_state=seed + 1000)
    recorded[near.changed] = near.y[near.changed]
    return recorded


KINDS = {
    "uniform 10 %": uniform(0.1),
    "uniform 20 %": uniform(0.2),
    "uniform 30 %": uniform(0.3),
    "next class 25 %": next_class,
    "nearest class 20 %": nearest_class,
    "near the boundary 20 %": near_boundary,
    "one class 30 %": one_class,
    "10 % uniform, 15 % nearest": mixed,
    "none": lambda X, codes, seed: codes,
}
