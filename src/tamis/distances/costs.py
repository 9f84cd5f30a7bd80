"""How far the targets of rows are apart, as kernels take it: what the neighbors of a row cost."""

from __future__ import annotations

import numpy as np

from .classes import ClassDistance

_MOST_PLACES = 2048
"""Distinct targets that a table of costs is made for; of more, costs are products of two vectors."""


def class_costs(memberships, matrix) -> dict[str, np.ndarray]:
    r"""Expected distance between the classes of two rows, :math:`\sum_{st} \gamma(s|i) \gamma(t|j) D_{st}`.

    Parameters
    ----------
    memberships : ndarray of shape (n_samples, n_classes)
    matrix : ndarray of shape (n_classes, n_classes)
        Distances between the classes, zero on the diagonal.

    Returns
    -------
    dict
        `place` of each row in the table `left`; or `left` and `right`, the cost of two rows being the product of a row
        of each.
    """
    one_hot = ((memberships == 0) | (memberships == 1)).all() and (memberships.sum(axis=1) == 1).all()
    if one_hot and len(matrix) <= _MOST_PLACES:
        return {"place": memberships.argmax(axis=1).astype(np.int32), "left": np.ascontiguousarray(matrix, dtype=float)}
    return _costs(memberships, lambda P: (P, P @ matrix))


def label_costs(labels, distance: ClassDistance | None = None) -> dict[str, np.ndarray]:
    """How many labels two rows do not share; with a distance, by how much their places in its tree differ.

    A row is at the nodes of its labels and at all above them. What two rows differ in is the length of the edges above
    the nodes where only one of them is: for rows of one label each that is the distance in the tree. A row without
    labels is outside of it, the longest edge away from the root.

    Parameters
    ----------
    labels : ndarray of shape (n_samples, n_labels)
        Which labels each row has: zeros and ones, or probabilities, the labels being independent then.
    distance : ClassDistance, default=None
        Between the labels.

    Returns
    -------
    dict
        As of `class_costs`.
    """
    weights = np.ones(labels.shape[1])
    if distance is not None and len(distance.matrix) > 1:  # one label has no tree
        weights, below = distance.parts(with_root=True)
        labels = np.array([1 - np.prod(1 - labels * part, axis=1) for part in below.T]).T

    def vectors(has):
        mass, one = has @ weights, np.ones(len(has))
        return np.column_stack([has * weights, mass, one]), np.column_stack([-2 * has, one, mass])

    return _costs(labels, vectors)


def as_gains(costs, weight, group=None) -> dict[str, np.ndarray]:
    """How much less than the mean cost of two rows of different groups each pair costs, as a share of it: 0 is chance.

    Each row is a group of its own if `group` is None. All zero if no two rows differ.
    """
    group = np.arange(len(weight)) if group is None else group
    mass = weight.sum()
    if "place" in costs:
        share = np.bincount(costs["place"], weight, len(costs["left"]))
        total, own = share @ costs["left"] @ share, _within_groups(costs["left"], costs["place"], weight, group)
    else:
        left, right = (_group_sums(weight[:, None] * costs[side], group) for side in ("left", "right"))
        total, own = left.sum(axis=0) @ right.sum(axis=0), (left * right).sum()
    pairs = mass**2 - (np.bincount(group, weight) ** 2).sum()
    mean = (total - own) / pairs if pairs > 0 else 0.0
    if not mean > 0:
        return {"place": np.zeros(len(weight), np.int32), "left": np.zeros((1, 1))}
    if "place" in costs:
        return costs | {"left": 1 - costs["left"] / mean}
    one = np.ones((len(weight), 1))
    return {"left": np.hstack([costs["left"] / -mean, one]), "right": np.hstack([costs["right"], one])}


def _within_groups(table, place, weight, group) -> float:
    """Total cost of all pairs of rows of one group, a row and itself being one."""
    cells, cell = np.unique(group * len(table) + place, return_inverse=True)
    mass = np.bincount(cell, weight)
    group, place = np.divmod(cells, len(table))
    ends = np.flatnonzero(np.diff(group, append=-1)) + 1
    begins = np.concatenate([[0], ends[:-1]])
    alone = begins[ends - begins == 1]
    total = mass[alone] ** 2 @ np.diag(table)[place[alone]]
    for begin, end in zip(begins, ends, strict=True):
        if end - begin > 1:
            here = place[begin:end]
            total += mass[begin:end] @ table[np.ix_(here, here)] @ mass[begin:end]
    return float(total)


def _group_sums(values, group):
    sums = np.zeros((group.max() + 1, values.shape[1]))
    np.add.at(sums, group, values)
    return sums


def _costs(targets, vectors):
    """A table of the costs of distinct targets, or vectors of all."""
    distinct, place = np.unique(targets, axis=0, return_inverse=True)
    if len(distinct) <= _MOST_PLACES:
        left, right = vectors(distinct)
        return {"place": place.ravel().astype(np.int32), "left": np.ascontiguousarray(left @ right.T)}
    left, right = vectors(targets)
    return {"left": np.ascontiguousarray(left), "right": np.ascontiguousarray(right)}
