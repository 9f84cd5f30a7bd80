"""The door of the kernels: what breaks a rule is an error of Python, and nothing is read out of bounds."""

import ast
import itertools
from pathlib import Path

import numpy as np
import pytest
from kernel_calls import (
    AGAINST,
    CLASSES,
    FOUND,
    GAPS,
    GOOD,
    HOLED,
    LIMITS,
    ROWS,
    SHARES,
    M,
    N,
    X,
    about_rows,
    asked,
    blanket,
    call,
    cost_of_rows,
)

import tamis
from tamis._kernels import _native

WRONG = [
    ("asked count", dict(code=np.zeros(N, np.int32)), "code of row"),
    ("asked count", dict(first=np.zeros(CLASSES, np.int32)), "length of first must be 4; got 3"),
    ("asked count", dict(first=np.array([0, 30, 20, N], np.int32)), "first must rise from 0 to at most 40"),
    ("asked count", dict(first=np.array([0, 1, 2, N - 1], np.int32)), "the last of first must be 40; got 39"),
    ("asked count", dict(mass=np.full(CLASSES, 40.0)), "mass of class 0 must be its number of rows"),
    ("asked count", dict(psi=np.zeros(N + 1)), "length of psi must be 42; got 41"),
    ("asked count", dict(quantity=5), "quantity must be from 0 to 4; got 5"),
    ("asked count", dict(quantity=4), "cost must be asked with code, of one class"),
    ("asked count", dict(k=0), "k must be from 1 to"),
    ("asked count", dict(mass=np.empty(0)), "classes must be from 1 to"),
    (
        "asked count softly",
        dict(gamma=np.full((N, CLASSES), np.nan)),
        r"gamma must be from 0 to 1e\+100; entry 0 is nan",
    ),
    ("asked count softly", dict(gamma=np.full((N, CLASSES), -1.0)), "gamma must be from 0 to"),
    ("asked count softly", dict(gamma=np.ones((N, CLASSES + 1))), "columns of gamma must be 3; got 4"),
    ("asked count softly", dict(gamma=np.empty((0, CLASSES))), "samples must be from 1 to"),
    ("asked count softly", dict(mass=np.array([1.0, np.nan, 1.0])), "must be the sum of its memberships"),
    ("asked in groups", dict(group=np.full(N, -1, np.int32)), "group must be from 0 to 39; entry 0 is -1"),
    ("asked in groups", dict(group=np.full(N, N, np.int32)), "group must be from 0 to 39; entry 0 is 40"),
    ("asked in groups", dict(group=ROWS[:-1]), "length of group must be 40; got 39"),
    ("asked in groups", dict(weight=np.ones(N)), "weight must be given with gamma; got code"),
    ("asked with weights", dict(weight=np.ones(N - 1)), "length of weight must be 40; got 39"),
    ("asked with weights", dict(weight=np.zeros(N)), "weight must be from"),
    ("asked with weights", dict(weight=np.full(N, np.nan)), "weight must be from"),
    ("asked with weights", dict(mass=np.ones(CLASSES)), "must be the sum of its memberships"),
    ("asked cost", asked("count") | dict(quantity=4), "cost must be asked with code, of one class"),
    ("asked cost", asked("count", soft=True) | dict(quantity=4), "cost must be asked with code, of one class"),
    ("asked cost", dict(left=None), "cost must be asked with left, and with place or right"),
    ("asked cost", dict(place=None), "cost must be asked with left, and with place or right"),
    ("asked cost", dict(place=ROWS[:-1] % 5), "length of place must be 40; got 39"),
    ("asked cost", dict(place=ROWS % 6), "place must be from 0 to 4; entry 5 is 5"),
    ("asked cost", dict(place=ROWS % 5 - 1), "place must be from 0 to 4; entry 0 is -1"),
    ("asked cost", dict(left=np.ones((5, 4))), "columns of left must be 5; got 4"),
    ("asked cost", dict(left=np.empty((0, 0))), "rows of left must be from 1 to"),
    ("asked cost", dict(left=np.full((5, 5), np.nan)), "left must be from .*; entry 0 is nan"),
    ("asked cost softly", dict(right=None), "cost must be asked with left, and with place or right"),
    ("asked cost softly", dict(left=np.ones((N - 1, 2))), "rows of left must be 40; got 39"),
    ("asked cost softly", dict(right=np.ones((N - 1, 2))), "rows of right must be 40; got 39"),
    ("asked cost softly", dict(right=np.ones((N, 3))), "columns of right must be 2; got 3"),
    ("asked cost softly", dict(left=np.full((N, 2), np.nan)), "left must be from .*; entry 0 is nan"),
    ("asked cost softly", dict(right=np.full((N, 2), -np.inf)), "right must be from .*; entry 0 is -inf"),
    ("asked cost with weights", dict(weight=np.ones(N - 1)), "length of weight must be 40; got 39"),
    ("asked cost with weights", dict(weight=np.zeros(N)), "weight must be from"),
    ("asked cost with weights", dict(group=ROWS[:-1]), "length of group must be 40; got 39"),
    ("radii", dict(base=HOLED), "base must be from -1000000000000000 to 1000000000000000; entry"),
    ("radii with gaps", dict(base=HOLED * np.inf), "base must be from -1000000000000000 to 1000000000000000 or a gap"),
    ("radii with gaps", dict(gaps=GAPS[:2]), "length of gaps must be 3; got 2"),
    ("radii with gaps", dict(gaps=-GAPS), "gaps must be from 0 to"),
    ("radii with gaps", dict(gaps=GAPS * np.nan), "gaps must be from 0 to"),
    ("leave with gaps", dict(candidate=HOLED[::-1]), "candidate must be base where columns leave"),
    ("join with gaps", dict(candidate_gaps=None), "candidate must be from"),
    ("join with gaps", dict(gaps=None), "base must be from"),
    ("join with gaps", dict(candidate_gaps=GAPS[:1]), "length of gaps must be 3; got 1"),
    ("lines with gaps", dict(gaps=None), "x must be from"),
    ("orders with gaps", dict(gaps=None), "x must be from"),
    ("orders with gaps", dict(group=ROWS[:-1]), "length of group must be 40; got 39"),
    ("radii", dict(base=X[:-1]), "rows of base must be 40; got 39"),
    ("radii", dict(base=np.where(X > 2, np.nan, X)), "base must be from -1000000000000000 to 1000000000000000; entry"),
    ("radii", dict(base=X * 1e20), "base must be from"),
    ("radii", dict(base=X[:, :0]), "columns of base must be from 1 to"),
    ("orders", dict(x=X[:, :0]), "columns of x must be from 1 to"),
    ("radii", dict(n_threads=0), "n_threads must be from 1 to"),
    ("radii", dict(n_threads=-1), "n_threads must be from 1 to .*; got -1"),
    ("radii", dict(cpu="vax"), r"cpu must be one of levels\(\); got vax"),
    ("leave", dict(candidate=X[:, :2]), "ends must rise to the number of columns, 2"),
    ("leave", dict(candidate=X[:, :2], ends=np.array([2], np.int32)), "which leave, must be 3; got 2"),
    ("leave", dict(candidate=X[::-1]), "candidate must be base where columns leave"),
    ("leave", dict(sign=-2), "sign must be from -1 to 1; got -2"),
    ("leave", dict(limits=LIMITS[:, :1]), "columns of limits must be 3; got 1"),
    ("leave", dict(limits=LIMITS[:5]), "rows of limits must be 40; got 5"),
    ("leave", dict(limits=LIMITS * np.nan), "limits must be numbers"),
    ("leave", dict(rows=ROWS + 1), "rows must be from 0 to 39; entry 39 is 40"),
    ("leave", dict(rows=ROWS - 1), "rows must be from 0 to 39; entry 0 is -1"),
    ("join", dict(candidate=X[1:]), "rows of candidate must be 40; got 39"),
    ("join", dict(candidate=X * np.inf), "candidate must be from"),
    ("join", dict(ends=np.array([2, 2, 3], np.int32)), "ends must rise to the number of columns, 3"),
    ("lines", dict(x=X[:5]), "rows of x must be 40; got 5"),
    ("lines", dict(x=X * np.nan), "x must be from"),
    ("orders", dict(limits=np.ones(N - 1)), "length of limits must be 40; got 39"),
    ("orders", dict(rows=ROWS - 1), "rows must be from 0 to 39; entry 0 is -1"),
    ("grow", dict(asked=_native.Asked(**asked("count"))), "quantity of asked must be from 2 to 2; got 0"),
    ("grow", dict(sample=np.empty(0, np.int32)), "first must rise from 0 to at most 0"),
    ("grow", dict(sample=np.full(len(FOUND[1]), N, np.int32)), "sample must be from 0 to 39; entry 0 is 40"),
    ("grow", dict(d2=np.empty(0)), "length of d2 must be"),
    ("grow", dict(rows=ROWS[1:]), "length of first must be 40; got 41"),
    ("transport", dict(q=SHARES[1][:2]), "rows of q must be 5; got 2"),
    ("transport", dict(p=-SHARES[0]), "p must be from 0 to"),
    ("transport", dict(distance=np.full((3, 3), np.nan)), "distance must be from 0 to"),
    ("transport", dict(distance=np.full((3, 3), 1e308)), "distance must be from 0 to"),
    ("transport", dict(distance=np.ones((3, 2))), "columns of distance must be 3; got 2"),
    ("blanket of a tree", dict(n=20), "rows must be from 0 to 19"),
    ("blanket of a tree", dict(kind=3), "kind must be from 0 to 2; got 3"),
    ("blanket of a tree", dict(levels=np.full(60, 4, np.int32)), "levels must be from 0 to 3; entry 0 is 4"),
    ("blanket of a tree", dict(levels=np.zeros(59, np.int32)), "length of levels must be 60; got 59"),
    ("blanket of a tree", dict(coarse=np.full((1, 9), 2, np.int32)), "coarse must be from 0 to 1; entry 0 is 2"),
    ("blanket of a tree", dict(coarse=np.zeros((2, 9), np.int32)), "rows of coarse must be 1; got 2"),
    ("blanket of a tree", dict(map_first=np.array([0, 4, 8])), "map_first must be from 0 to 7; got 8"),
    ("blanket of a tree", dict(code=np.full(N, 3, np.int32)), "code must be from 0 to 2; entry 0 is 3"),
    ("blanket of a tree", dict(above=np.array([0, 1, 2, 3], np.int32)), "above must be from 0 to 2; entry 3 is 3"),
    ("blanket of a tree", dict(log_factorial=np.zeros(3)), "log_factorial must be as long as the samples are many"),
    ("blanket of distances", dict(distance=np.ones((2, 2))), "rows of distance must be 3; got 2"),
    ("blanket of weights", dict(weight=np.full((N, CLASSES), np.nan)), "weight must be from 0 to"),
    ("blanket of weights", dict(weight=np.ones((N, 2))), "columns of weight must be 3; got 2"),
    ("judge", dict(features=np.array([0, 1, 3], np.int32)), "feature must be from 0 to 2; got 3"),
    ("judge", dict(against=AGAINST + 2), "against must be from 0 to 2"),
    ("judge", dict(against=AGAINST[:2]), "rows of against must be 3; got 2"),
    ("judge", dict(grain=np.array([0, 1, 2], np.int32)), "grain must be from 0 to 1; got 2"),
    ("permuted", dict(keys=np.zeros((2, N - 1))), "columns of keys must be 40; got 39"),
    ("permuted", dict(keys=np.full((2, N), np.nan)), "keys must be from 0 to 1; entry 0 is nan"),
    ("permuted", dict(keys=np.empty((0, N))), "rows of keys must be from 1 to"),
]


@pytest.mark.parametrize(("name", "spoiled", "says"), WRONG, ids=lambda value: value if isinstance(value, str) else "")
def test_what_breaks_a_rule_is_refused(name, spoiled, says):
    call(name)
    with pytest.raises(ValueError, match=says):
        call(name, **spoiled)


def test_indices_are_not_converted():
    for rows in (ROWS.astype(np.int64), ROWS + 0.5, ROWS.astype(np.int64) + 2**32):
        with pytest.raises(TypeError, match="incompatible function arguments"):
            call("orders", rows=rows)
        with pytest.raises(TypeError, match="incompatible function arguments"):
            call("orders with gaps", group=rows)


def worse(value):
    """An argument one longer, one shorter, and with single entries that are out of any range."""
    if not isinstance(value, np.ndarray):
        if isinstance(value, int) and not isinstance(value, bool):
            yield from (-(2**31), -1, 0, 1, 2, 3, 1000)
        return
    for axis in range(value.ndim):
        if value.shape[axis]:
            yield np.delete(value, -1, axis)
            yield np.append(value, np.take(value, [-1], axis), axis)
    numbers = (-(2**31), -1, 0, 1, 2**31 - 1) if value.dtype.kind == "i" else (np.nan, np.inf, -np.inf, -1.0, 1e300)
    for place in sorted({0, value.size // 2, value.size - 1} if value.size else ()):
        for number in numbers:
            changed = value.copy()
            changed.flat[place] = number
            yield changed


@pytest.mark.parametrize("name", GOOD)
def test_every_argument_may_be_anything(name):
    """An answer or a ValueError; under sanitizers also: nothing read or written out of bounds."""
    refused = 0
    for argument, value in GOOD[name][1].items():
        for spoiled in worse(value):
            try:
                call(name, **{argument: spoiled})
            except ValueError:
                refused += 1
    assert refused


@pytest.mark.parametrize("quantity", ["count", "distance", "risk", "entropy", "cost"])
def test_one_sample_no_candidate_and_no_rows_are_no_trouble(quantity):
    nothing = np.empty(0, np.int32)
    for n, soft in itertools.product((1, 2, 17, N), (False, True)):
        question = _native.Asked(**asked(quantity, soft, n))
        x, rows = np.zeros((n, M)), np.arange(n, dtype=np.int32)
        limits = _native.radii(question, x, rows, 2, "baseline")
        for sign, candidate in ((-1, x), (1, x), (1, x[:, :0]), (0, x[:, :0])):
            for some in (rows, rows[:0]):
                sums, radii = _native.scan(question, x, candidate, nothing, sign, limits, some, 2, "baseline")
                n_sums = -(-len(some) // _native.ROWS_PER_SUM)
                assert (sums.shape, len(radii)) == ((n_sums, candidate.shape[1] + 1, 2), len(some))
        assert _native.lines(question, x[:, :0], 2)[0].shape == (0, 2)


@pytest.mark.parametrize("about", [about_rows, cost_of_rows])
@pytest.mark.parametrize("soft", [False, True])
def test_a_table_without_any_value_and_one_group_are_no_trouble(about, soft):
    """Everybody is at distance zero of everybody, and nobody is anybody's neighbour."""
    x, nothing = np.full((N, M), np.nan), np.empty(0, np.int32)
    one_group = about(soft) | dict(group=np.zeros(N, np.int32), include_self=False)
    for arguments in (about(soft), one_group):
        question = _native.Asked(**arguments)
        limits = _native.radii(question, x, ROWS, 2, "baseline", np.zeros(M))
        assert (limits <= 0).all()
        sums, _ = _native.scan(question, x, x, nothing, -1, limits, ROWS, 2, "baseline", np.zeros(M))
        assert np.isfinite(sums).all()
        assert np.isfinite(_native.lines(question, x, 2, np.zeros(M))[0]).all()
    assert (limits == -1).all()
    assert not len(_native.orders(x, np.zeros(N), ROWS, 1, "baseline", np.zeros(M), np.zeros(N, np.int32))[1])


def test_where_no_class_has_anybody_else_all_are_equally_probable():
    """A decision then is any class: wrong with probability 1 - 1/3, whichever class the row belongs to."""
    gamma = np.array([[0.2, 0.5, 0.3], [0.0, 0.0, 0.0]])
    question = _native.Asked(
        **asked("risk", n=2) | dict(code=np.empty(0, np.int32), gamma=gamma, mass=gamma.sum(axis=0))
    )
    x, nothing, row = np.array([[0.0, 1.0], [1.0, 0.0]]), np.empty(0, np.int32), np.zeros(1, np.int32)
    limits = _native.radii(question, x, row, 1, "baseline")
    assert (limits[0] == -1).all()
    assert (limits[1] == np.inf).all()  # was not asked for
    sums, _ = _native.scan(question, x, x, nothing, -1, limits, row, 1, "baseline")
    np.testing.assert_allclose(sums, 2 / 3, rtol=1e-15)
    # The other row has no class; to it all three are equally near.
    together, _ = _native.lines(question, x, 1)
    np.testing.assert_allclose(together[:, 0], 2 / 3 + 1, rtol=1e-15)


def test_transport_that_does_not_end_in_time_is_an_error():
    with pytest.raises(
        RuntimeError, match=r"did not end within the allowed number of steps\. Round the class distance"
    ):
        _native.transport(np.eye(4)[[0, 0]] / 2 + np.eye(4)[[1, 1]] / 2, *_two_sinks(), steps_per_class=0)


def _two_sinks():
    q = np.array([[0.0, 0.0, 0.25, 0.75], [0.0, 0.0, 0.75, 0.25]])
    x = np.array([0.0, 1.0, 5.0, 9.0])
    return q, np.abs(x[:, None] - x)


def _told(source):
    """Names, arguments, defaults and docstrings of a stub; types are told differently by other versions."""
    found = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            doc = " ".join((ast.get_docstring(node) or "").split())
            args = node.args if isinstance(node, ast.FunctionDef) else None
            names = [a.arg for a in args.args] if args else []
            found.setdefault(node.name, []).append((names, [ast.dump(d) for d in args.defaults] if args else [], doc))
    return found


def test_the_stub_tells_what_the_module_has():
    stubgen = pytest.importorskip("nanobind.stubgen")
    writer = stubgen.StubGen(_native)
    writer.put(_native)
    shipped = Path(tamis.__file__).parent / "_kernels" / "_native.pyi"
    command = "python -m nanobind.stubgen -m tamis._kernels._native -O src/tamis/_kernels"
    assert _told(shipped.read_text()) == _told(writer.get()), f"write it again: {command}"


def test_every_argument_has_a_name_and_every_kernel_a_docstring():
    for name in ("radii", "scan", "lines", "orders", "grow", "transport", "levels", "Asked", "Blanket"):
        assert getattr(_native, name).__doc__.strip()
    assert call("transport").shape == (5,)
    assert _native.Blanket(**blanket()) is not None
