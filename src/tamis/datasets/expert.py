"""An expert who doubts, simulated: a probability per class for every row, and labels of which some are wrong."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .. import _validation

READINGS = ("alternative", "spread", "only-if-switched", "observed", "observed-spread")


class Doubted(NamedTuple):
    """What an expert believes, what the expert recorded, and the rows (sorted) where that is wrong.

    The columns of `memberships` follow the sorted classes; its rows sum to one.
    """

    memberships: np.ndarray
    y: np.ndarray
    changed: np.ndarray


def uncertain_expert(y, doubt, *, variance=0.1, reading="alternative", random_state=None) -> Doubted:
    """Record the labels as an expert would who doubts each row by a share b drawn from a Beta distribution.

    With probability b the label becomes one of the other classes, each being equally likely.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        The true classes.
    doubt : float in (0, 1)
        Mean of b (µ in the paper), hence also the expected share of wrong labels.
    variance : float, default=0.1
        Variance of b, not its standard deviation; below doubt * (1 - doubt). With 0.1 most rows are either nearly
        certain or nearly lost.
    reading : {"alternative", "spread", "only-if-switched", "observed", "observed-spread"}, default="alternative"
        Who gets which probability; the paper leaves it open, and the default is what its tables agree with.

        - "alternative": the true class 1 - b and one other class b, the one recorded if the label was switched.
        - "spread": the same if switched; if not, all other classes share b evenly.
        - "only-if-switched": the same if switched; if not, the true class has 1.
        - "observed": the recorded class 1 - b and one other class, drawn afresh, b.
        - "observed-spread": the recorded class 1 - b, and all other classes share b evenly.

        The same seed records the same labels under every reading.
    random_state : int, RandomState instance or None, default=None

    References
    ----------
    Doquire and Verleysen (2012), section 5.1.

    Examples
    --------
    >>> from tamis.datasets import uncertain_expert
    >>> memberships, y, changed = uncertain_expert(["cat", "dog", "cow", "cat"], 0.3, random_state=5)
    >>> memberships.round(2).tolist()  # columns: cat, cow, dog
    [[0.99, 0.0, 0.01], [0.01, 0.0, 0.99], [0.18, 0.82, 0.0], [0.49, 0.0, 0.51]]
    >>> y.tolist(), changed.tolist()
    (['cat', 'dog', 'cow', 'dog'], [3])
    """
    classes, codes = _validation.check_classes(y)
    alpha, beta = _validation.check_beta(doubt, variance)
    reading = _validation.check_choice("reading", reading, READINGS)
    rng = _validation.check_seed(random_state)
    b = rng.beta(alpha, beta, size=len(codes))
    other = _another(codes, len(classes), rng)
    switched = rng.uniform(size=len(codes)) < b
    recorded = np.where(switched, other, codes)
    if reading.startswith("observed"):
        believed, spread = recorded, np.full(len(codes), reading == "observed-spread")
        other = _another(recorded, len(classes), rng)
    else:
        believed, spread = codes, ~switched & (reading == "spread")
        b = np.where(~switched & (reading == "only-if-switched"), 0.0, b)
    memberships = _share_out(b, believed, other, spread, len(classes))
    return Doubted(memberships, classes[recorded], np.flatnonzero(switched))


def _another(codes, n_classes, rng):
    """A class other than the given one in every row."""
    return (codes + rng.randint(1, n_classes, size=len(codes))) % n_classes


def _share_out(b, believed, other, spread, n_classes):
    """1 - b to the class believed in; b to `other`, or evenly to all others where `spread` is true."""
    rows = np.arange(len(b))
    memberships = np.repeat(np.where(spread, b / (n_classes - 1), 0.0)[:, None], n_classes, axis=1)
    memberships[rows[~spread], other[~spread]] = b[~spread]
    memberships[rows, believed] = 1 - b
    return memberships
