"""Every kernel on a build with sanitizers: tests/sanitize.py path/to/_native.so.

On every ugly data set, with gaps, weights and groups of rows too; with arguments of any kind; interrupted; without
threads. Values are checked elsewhere: here a wrong access or an undefined operation ends the run.
"""

import itertools
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from natively import use
from samples import UGLY, make_ugly, mixed, one_hot

KERNELS = Path(__file__).parent / "kernels"


def known(what, X):
    """The table, with gaps if asked for, and its rows."""
    from tamis._validation import Rows

    rng = np.random.default_rng(0)
    if what == "gaps" or what == "all":
        X = np.where(rng.random(X.shape) < 0.2, np.nan, X)
        X[7] = np.nan
    group = rng.integers(0, 12, len(X)) if what in ("groups", "all") else None
    return X, Rows(weight=rng.uniform(0.3, 3, len(X)) if what == "all" else None, group=group)


def scan_of(X, P, quantity, **asked):
    from tamis.distances.balls import BallScan
    from tamis.distances.costs import class_costs

    if quantity == "cost":
        asked["costs"] = class_costs(P, 1 - np.eye(P.shape[1]))
    return BallScan(X, P, quantity, **asked)


def exercise(level, kind, labels, quantity, what, k, include_self):
    """All kernels on one data set; whether all values are finite."""
    from tamis.distances.orders import NeighbourOrders

    os.environ["TAMIS_CPU"] = level
    X, codes = make_ugly(kind)
    X, rows = known(what, X)
    features = list(range(X.shape[1]))
    asked = {"n_neighbors": k, "include_self": include_self, "n_threads": 2, "rows": rows}
    scan = scan_of(X, labels(codes), quantity, **asked)
    values = [scan.of(features), scan.alone(features)]
    if len(features) > 1:
        values += [scan.without_each(features), scan.without_each(features[1:]), scan.with_each([0, 1], features[2:])]
        groups = [[0, 3], *([j % 5] for j in range(8)), [2, 4, 1]]
        scan = scan_of(X, labels(codes), quantity, groups=groups, **asked)
        values += [scan.alone([0, 1]), scan.without_each(list(range(10))), scan.without_each([0, *range(2, 10)])]
        values.append(scan.with_each([0, 1], [9, 2]))
    orders = NeighbourOrders(X, 5, n_threads=2, rows=rows)
    orders.extend(np.arange(0, len(X), 2), np.full((len(X) + 1) // 2, np.inf))
    values.append(orders.grow(labels(codes), k, include_self=include_self).weight)
    return all(np.isfinite(v).all() for v in values)


def count(kind, labels, divergence, metric):
    """The kernels of discrete features on one data set; whether all values are finite."""
    from tamis import ClassDistance
    from tamis.distances.levels import level_columns
    from tamis.estimates.blanket import BlanketJudge

    X, codes = make_ugly(kind)
    P = labels(codes)
    points = np.random.default_rng(0).normal(size=(P.shape[1], 3))
    distance = ClassDistance.from_vectors(points) if metric == "points" else ClassDistance.zero_one(range(P.shape[1]))
    judge = BlanketJudge(
        level_columns(X), P, divergence=divergence, distance=distance, correction="null", n_permutations=2, n_threads=2
    )
    features = np.arange(X.shape[1])
    against = [np.delete(features, f)[:3] for f in features]
    found = [*judge.deltas(features, against), *judge.deltas(features, [()] * len(features))]
    return all(np.isfinite(v).all() for v in found)


if __name__ == "__main__":
    levels = use(sys.argv[1]).levels()
    neighbours = ((1, False), (1, True), (8, False), (11, True))  # how many, and whether oneself is one
    about = [("nothing", how) for how in neighbours]
    about += [(what, how) for what in ("gaps", "groups", "all") for how in neighbours[1:3]]
    cases = list(itertools.product(levels, UGLY, (one_hot, mixed), ("count", "distance", "risk", "cost"), about))
    for *case, (what, (k, include_self)) in cases:
        case.append(what)
        if not exercise(*case, k, include_self):
            sys.exit(f"not finite: {case}, k = {k}, include_self = {include_self}")
    counted = list(itertools.product(UGLY, (one_hot, mixed), ("wasserstein", "kl"), ("0/1", "points")))
    for case in counted:
        if not count(*case):
            sys.exit(f"not finite: {case}")
    tests = [KERNELS / "test_bindings.py", KERNELS / "test_interrupt.py"]
    if pytest.main(["-q", "-p", "no:cacheprovider", "-k", "not stub", *map(str, tests)]):
        sys.exit("the tests of the kernels fail with sanitizers")
    threadless = [sys.executable, KERNELS / "children.py", "no_threads", sys.argv[1]]
    subprocess.run(threadless, check=True, stdout=subprocess.DEVNULL)
    print(f"sanitizers: {len(cases) + len(counted)} runs of the kernels and the tests of their door, nothing found")
