"""
Kernels of tamis: arrays in, arrays out. Wrong extents and indices raise ValueError, Ctrl-C ends the work.
"""

from typing import Annotated

import numpy
from numpy.typing import NDArray


class Asked:
    """
    A question about samples of known classes.

    Either rows are sorted by class, class s from first[s] to first[s + 1] - 1, and code has the
    class of each; or code is empty and gamma (n, n_classes) has memberships. mass is the total
    of each class, psi the digamma function at 0, 1, ..., n + 1, quantity one of
    tamis._kernels.QUANTITIES, k the weight of a complete ball. Rows of one group (0, 1, ...) are
    in no ball of each other. With a weight, a row stands for so many samples that are in no ball
    of each other, and gamma and mass are multiplied with it. Of memberships, the count leaves out
    the smallest of each row that together are at most the share left_out of it.

    A cost is asked about samples of one class, with code: left is then a table of costs and place
    the row of each sample in it, or the cost of two is a row of left times a row of right.
    """

    def __init__(self, first: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], code: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], gamma: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], mass: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], psi: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], quantity: int, k: int, include_self: bool, whole_sizes: bool, group: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, left_out: float = 0.0, place: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, left: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None, right: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None) -> None: ...

def radii(asked: Asked, base: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_threads: int, cpu: str, gaps: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
    """
    Squared radius of every ball of these rows in the columns of base: (n, n_balls), infinite elsewhere.

    With gaps, base may have NaN: its squared difference from anything is that of its column in gaps.
    """

def scan(asked: Asked, base: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], candidate: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], ends: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], sign: int, limits: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_threads: int, cpu: str, gaps: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, candidate_gaps: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None, None, None))], Annotated[NDArray[numpy.float32], dict(shape=(None, None, None))]]:
    """
    Variations of base by each candidate, which joins (sign 1) or leaves (-1: candidate is base).

    A candidate is a column or, with ends, all columns before its end. limits (n, n_balls) bound the
    squared radii of base from above. Sums of both terms over every ROWS_PER_SUM rows, (n_sums,
    n_candidates + 1, 2), and upper bounds of squared radii (n_rows, n_balls, n_candidates + 1);
    the last are those of base itself. For gaps of base and of a candidate that joins see radii.
    """

def lines(asked: Asked, x: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_threads: int, gaps: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None, None))], Annotated[NDArray[numpy.float32], dict(shape=(None, None, None))]]:
    """
    Each column alone: sums (n_columns, 2) and bounds of squared radii (n, n_balls, n_columns).
    """

def orders(x: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], limits: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_threads: int, cpu: str, gaps: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, group: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))], Annotated[NDArray[numpy.float64], dict(shape=(None,))]]:
    """
    The samples within squared distance limits[r] of rows[r], nearest first, without its group.

    Where each row begins (n_rows + 1,), then samples and squared distances of all rows.
    """

def grow(asked: Asked, rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], first: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], sample: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], d2: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_threads: int, cpu: str) -> tuple[Annotated[NDArray[numpy.float64], dict(shape=(None, None))], Annotated[NDArray[numpy.float64], dict(shape=(None, None))]]:
    """
    Weight and squared radius of the ball of each class in such orders: (n_rows, n_classes) each.

    The radius is infinite where an order ends before the ball is complete, -1 where a class has
    nobody else. The quantity asked for must be the risk.
    """

def transport(p: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], q: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], distance: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], steps_per_class: int = 1000) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
    """
    Least cost of moving each row of p onto that of q, of equal totals: (n_pairs,).

    RuntimeError if that takes more than so many steps.
    """

class Blanket:
    """
    Discrete features and a target, to judge what each feature tells beyond others.

    Feature j has entries first[j] ... first[j + 1] - 1: rows in increasing order and their levels
    1, 2, ...; all other rows are at level 0. n_levels (n_grains + 1, n_features) are the numbers of
    levels as they are and at each coarser grain; row g of coarse maps levels to grain g + 1, those of
    feature j from map_first[j] on. The target is a code per row or, if code is empty, weights
    (n, n_classes). kind is 0: a tree, with weights of its edges and the edges above each class; 1:
    a distance between the classes; 2: information. log_factorial is needed for means by chance.
    """

    def __init__(self, n: int, first: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], levels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_levels: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], coarse: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], map_first: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], code: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], weight: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], kind: int, edge_weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], above_first: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], above: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], distance: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], log_factorial: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def judge(self, features: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], against: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], grain: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], with_null: bool, n_threads: int) -> Annotated[NDArray[numpy.float64], dict(shape=(None, None))]:
        """
        Sum of the divergences of each feature given those in its row of `against` (up to the first
        negative one) at its grain, and with_null its mean by chance: (n_features, 2).
        """

    def permuted(self, feature: int, against: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], grain: int, keys: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> float:
        """
        Mean of that sum over permutations of the feature where the others agree: one for each row of
        keys (n_permutations, n), numbers from 0 to 1 to sort by.
        """

ROWS_PER_SUM: int = 32

def levels() -> list[str]:
    """Names of the CPU levels that this machine has, the fastest last."""
