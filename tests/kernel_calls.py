"""A good call of every kernel, by names of arguments, for tests to spoil."""

import numpy as np
from scipy.special import digamma, gammaln

from tamis import _kernels
from tamis._kernels import _native

N, M, CLASSES = 40, 3, 3


def asked(quantity="risk", soft=False, n=N):
    """Arguments of Asked; those of a cost have vectors in place of a table if `soft`."""
    if quantity == "cost":
        return asked_cost(soft, n)
    rng = np.random.default_rng(0)
    codes = np.sort(rng.integers(0, CLASSES, n)).astype(np.int32)
    gamma = rng.dirichlet(np.ones(CLASSES), n)
    mass = gamma.sum(axis=0) if soft else np.bincount(codes, minlength=CLASSES).astype(float)
    return dict(
        first=np.searchsorted(codes, np.arange(CLASSES + 1)).astype(np.int32),
        code=np.empty(0, np.int32) if soft else codes,
        gamma=gamma if soft else np.empty((0, 0)),
        mass=mass,
        psi=digamma(np.arange(n + 2, dtype=float)),
        quantity=_kernels.QUANTITIES[quantity],
        k=4,
        include_self=False,
        whole_sizes=False,
    )


def asked_cost(of_vectors, n):
    """The same of one class, with how far its rows are apart."""
    rng = np.random.default_rng(7)
    costs = dict(place=rng.integers(0, 5, n).astype(np.int32), left=rng.random((5, 5)))
    if of_vectors:
        costs = dict(left=rng.random((n, 2)), right=rng.random((n, 2)))
    return dict(
        first=np.array([0, n], np.int32),
        code=np.zeros(n, np.int32),
        gamma=np.empty((0, 0)),
        mass=np.array([float(n)]),
        psi=digamma(np.arange(n + 2, dtype=float)),
        quantity=_kernels.QUANTITIES["cost"],
        k=4,
        include_self=False,
        whole_sizes=False,
        **costs,
    )


def cost_of_rows(of_vectors):
    """The same with groups and weights of rows."""
    rows = dict(group=(np.arange(N) // 3).astype(np.int32), weight=np.linspace(0.5, 3, N))
    return asked_cost(of_vectors, N) | rows


def about_rows(soft):
    """The same with groups of rows; of memberships also with weights."""
    arguments = asked("distance", soft) | dict(group=(np.arange(N) // 3).astype(np.int32))
    if not soft:
        return arguments
    weight = np.linspace(0.5, 3, N)
    gamma = arguments["gamma"] * weight[:, None]
    return arguments | dict(gamma=gamma, mass=gamma.sum(axis=0), weight=weight, include_self=True)


def blanket(kind=0):
    """Arguments of Blanket: three features of 4, 3 and 2 levels, one coarser grain."""
    rng = np.random.default_rng(1)
    columns = [np.sort(rng.choice(N, 20, replace=False)) for _ in range(3)]
    n_levels = np.array([[4, 3, 2], [2, 2, 2]], np.int32)
    levels = [rng.integers(1, top, 20) for top in n_levels[0]]
    return dict(
        n=N,
        first=np.array([0, 20, 40, 60]),
        rows=np.concatenate(columns).astype(np.int32),
        levels=np.concatenate(levels).astype(np.int32),
        n_levels=n_levels,
        coarse=np.array([[0, 0, 1, 1, 0, 1, 1, 0, 1]], np.int32),
        map_first=np.array([0, 4, 7]),
        code=rng.integers(0, CLASSES, N).astype(np.int32),
        weight=np.empty((0, 0)),
        kind=kind,
        edge_weight=np.array([0.5, 0.5, 1.0]),
        above_first=np.array([0, 1, 3, 4], np.int32),
        above=np.array([0, 1, 2, 2], np.int32),
        distance=1.0 - np.eye(CLASSES),
        log_factorial=gammaln(np.arange(N + 2) + 1.0),
    )


def weighted_blanket():
    weights = np.random.default_rng(2).random((N, CLASSES))
    return blanket(2) | dict(code=np.empty(0, np.int32), weight=weights)


def _asked_again(arguments):
    """What Asked lets pass must be safe to ask."""
    question = _native.Asked(**arguments)
    samples = np.random.default_rng(4).normal(size=(N, M))
    holed = np.where(samples > 1, np.nan, samples)
    _native.lines(question, holed, 1, GAPS)
    limits = _native.radii(question, holed, ROWS, 1, "baseline", GAPS)
    _native.scan(question, holed, holed, np.empty(0, np.int32), -1, limits, ROWS, 1, "baseline", GAPS)
    _native.lines(question, samples, 1)
    limits = _native.radii(question, samples, ROWS, 1, "baseline")
    return _native.scan(question, samples, samples, np.empty(0, np.int32), -1, limits, ROWS, 1, "baseline")


def _judged(arguments):
    judge = _native.Blanket(**arguments)
    with_null = arguments["kind"] != 1 and len(arguments["code"]) > 0
    judge.permuted(0, np.array([1, 2], np.int32), 1, np.random.default_rng(3).random((2, N)))
    return judge.judge(FEATURES, AGAINST, np.array([0, 1, 1], np.int32), with_null, 2)


X = np.random.default_rng(5).normal(size=(N, M))
GAPS = np.array([2.0, 0.0, 1.5])
HOLED = np.where(X > 1, np.nan, X)
ROWS = np.arange(N, dtype=np.int32)
FEATURES = np.arange(3, dtype=np.int32)
AGAINST = np.array([[1, 2], [0, -1], [-1, -1]], np.int32)
FOUND = _native.orders(X, np.full(N, 2.0), ROWS, 1, "baseline")
SHARES = np.random.default_rng(6).dirichlet(np.ones(CLASSES), (2, 5))
QUESTION = _native.Asked(**asked())
LIMITS = _native.radii(QUESTION, X, ROWS, 1, "baseline")
ENDS = np.array([1, 3], np.int32)

GOOD = {
    **{f"asked {q}": (_asked_again, asked(q)) for q in _kernels.QUANTITIES},
    **{f"asked {q} softly": (_asked_again, asked(q, soft=True)) for q in _kernels.QUANTITIES},
    "asked in groups": (_asked_again, about_rows(soft=False)),
    "asked with weights": (_asked_again, about_rows(soft=True)),
    "asked cost with weights": (_asked_again, cost_of_rows(of_vectors=False)),
    "asked cost softly with weights": (_asked_again, cost_of_rows(of_vectors=True)),
    "radii": (_native.radii, dict(asked=QUESTION, base=X, rows=ROWS, n_threads=2, cpu="baseline")),
    "leave": (
        _native.scan,
        dict(
            asked=QUESTION,
            base=X,
            candidate=X,
            ends=ENDS,
            sign=-1,
            limits=LIMITS,
            rows=ROWS,
            n_threads=2,
            cpu="baseline",
        ),
    ),
    "join": (
        _native.scan,
        dict(
            asked=QUESTION,
            base=X,
            candidate=X[::-1],
            ends=ENDS,
            sign=1,
            limits=LIMITS,
            rows=ROWS,
            n_threads=2,
            cpu="baseline",
        ),
    ),
    "radii with gaps": (
        _native.radii,
        dict(asked=QUESTION, base=HOLED, rows=ROWS, n_threads=2, cpu="baseline", gaps=GAPS),
    ),
    "leave with gaps": (
        _native.scan,
        dict(
            asked=QUESTION,
            base=HOLED,
            candidate=HOLED,
            ends=ENDS,
            sign=-1,
            limits=LIMITS,
            rows=ROWS,
            n_threads=2,
            cpu="baseline",
            gaps=GAPS,
        ),
    ),
    "join with gaps": (
        _native.scan,
        dict(
            asked=QUESTION,
            base=HOLED,
            candidate=HOLED[::-1],
            ends=ENDS,
            sign=1,
            limits=LIMITS,
            rows=ROWS,
            n_threads=2,
            cpu="baseline",
            gaps=GAPS,
            candidate_gaps=GAPS[::-1].copy(),
        ),
    ),
    "lines with gaps": (_native.lines, dict(asked=QUESTION, x=HOLED, n_threads=2, gaps=GAPS)),
    "orders with gaps": (
        _native.orders,
        dict(
            x=HOLED,
            limits=np.full(N, 2.0),
            rows=ROWS,
            n_threads=2,
            cpu="baseline",
            gaps=GAPS,
            group=ROWS // 2,
        ),
    ),
    "lines": (_native.lines, dict(asked=QUESTION, x=X, n_threads=2)),
    "orders": (_native.orders, dict(x=X, limits=np.full(N, 2.0), rows=ROWS, n_threads=2, cpu="baseline")),
    "grow": (
        _native.grow,
        dict(
            asked=QUESTION,
            rows=ROWS,
            first=FOUND[0],
            sample=FOUND[1],
            d2=FOUND[2],
            n_threads=2,
            cpu="baseline",
        ),
    ),
    "transport": (_native.transport, dict(p=SHARES[0], q=SHARES[1], distance=1.0 - np.eye(CLASSES))),
    "blanket of a tree": (_judged, blanket(0)),
    "blanket of distances": (_judged, blanket(1)),
    "blanket of information": (_judged, blanket(2)),
    "blanket of weights": (_judged, weighted_blanket()),
    "judge": (
        _native.Blanket(**blanket()).judge,
        dict(features=FEATURES, against=AGAINST, grain=np.array([0, 1, 1], np.int32), with_null=True, n_threads=2),
    ),
    "permuted": (
        _native.Blanket(**blanket()).permuted,
        dict(feature=0, against=FEATURES[1:], grain=1, keys=np.random.default_rng(3).random((2, N))),
    ),
}
"""Functions and their arguments; those of Asked and Blanket are built and then asked."""


def call(name, **spoiled):
    function, arguments = GOOD[name]
    arguments = arguments | spoiled
    return function(arguments) if function in (_asked_again, _judged) else function(**arguments)
