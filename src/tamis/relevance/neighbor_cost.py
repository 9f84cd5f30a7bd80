"""How far the targets of neighbors are apart, as a criterion."""

from __future__ import annotations

import numpy as np

from .. import _validation
from ..distances.balls import BallScan
from ..distances.classes import resolve_class_distance
from ..distances.costs import as_gains, class_costs, label_costs
from .base import NO_ROWS, Criterion, ball_scorer


class NeighborCost(Criterion, name="neighbor_cost"):
    r"""How near the targets of neighbors are to each other, by the distances between classes or sets of labels.

    The score is :math:`1 - \sum_i \bar D_i / n \bar D`, with :math:`\bar D_i` the mean distance between the target of
    row i and those of its nearest neighbors, and :math:`\bar D` that between all rows: 0 is chance, 1 if neighbors
    always agree.

    Parameters
    ----------
    n_neighbors : int, default=16
        Neighbors whose targets are compared; of equal distances all count.
    class_distance : None, array-like of shape (n_classes, n_classes) or ClassDistance, default=None
        Distances between the classes, or between the labels, in sorted order if they have no names; None: 1 between any
        two. `SequentialSelector` and `RankingSelector` give theirs if there is none here.

    Notes
    -----
    Rows need not share a class to be compared: a class of one row counts by how near it is to the classes of its
    neighbors. So rare classes and sets of labels that never repeat lose nothing, and one ball per row is enough,
    however many classes or labels there are.

    Sets of labels are compared label by label, whatever the `transform` of `MultiLabels`: two of them are as far apart
    as the number of labels that only one of them has (Hamming). With distances between the labels, a row is at the
    nodes of its labels in their tree and at all above: sets are as far apart as the edges are long that lead to a node
    of only one of them. Memberships cost what two independent draws of classes cost in the mean.

    With 0/1 distances it is the share of neighbors of another class, an estimate of the asymptotic error of the nearest
    neighbor rule. It is a kernel measure of association (Deb, Ghosal and Sen): with a distance of negative type, such
    as that of a tree, its limit for many rows is 0 only without any relation, and 1 only if the target is a function
    of the features.

    References
    ----------
    Deb, Ghosal and Sen (2020). Measuring association on topological spaces using kernels and geometric graphs.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from tamis import NeighborCost, SequentialSelector
    >>> X, y = load_iris(return_X_y=True)
    >>> ordered = [[0, 1, 2], [1, 0, 1], [2, 1, 0]]
    >>> selector = SequentialSelector(NeighborCost(), class_distance=ordered, n_features_to_select=2).fit(X, y)
    >>> selector.get_support()
    array([False, False,  True,  True])
    >>> round(float(selector.path_.scores[-2]), 2)
    0.94
    """

    any_units = samples_queries = allows_missing = takes_rows = takes_class_distance = uses_label_sets = True

    def __init__(self, n_neighbors=16, *, class_distance=None):
        self.n_neighbors = n_neighbors
        self.class_distance = class_distance

    def score(self, X, memberships):
        X, memberships = _validation.check_scored(X, memberships, missing=True)
        return float(self.scorer(X, memberships).of(range(X.shape[1]))[0])

    def scorer(
        self,
        X,
        memberships,
        *,
        classes=None,
        groups=None,
        n_threads=1,
        queries=None,
        rows=NO_ROWS,
        label_sets=False,
    ):
        n_neighbors = _validation.check_count("n_neighbors", self.n_neighbors)
        names = np.arange(memberships.shape[1]) if classes is None else classes
        distance = None
        if self.class_distance is not None or not label_sets:
            distance = resolve_class_distance(self.class_distance, names, extra="drop").scaled()
        if label_sets:
            costs = label_costs(np.asarray(memberships, dtype=float), distance)
        else:
            assert distance is not None
            costs = class_costs(memberships, distance.matrix)
        how = {"rows": rows, "groups": groups, "n_neighbors": n_neighbors, "n_threads": n_threads}
        scan = BallScan(X, None, "cost", costs=as_gains(costs, rows.weights(X.shape[0]), rows.group), **how)
        return ball_scorer(scan, [[1, 0], [0, 0]], queries)
