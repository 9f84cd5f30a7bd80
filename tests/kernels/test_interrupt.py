"""Ctrl-C while a kernel runs: the kernel itself ends, without an answer.

Signals come from a timer and no time is looked at: `found.extend(map(kernel, ...))` runs no bytecode between the
answer of the kernel and its place in the list, so that an empty list means that the kernel raised.
"""

import signal
import threading
from functools import partial

import numpy as np
import pytest
from kernel_calls import asked, blanket

from tamis import RankingSelector, SequentialSelector, _kernels
from tamis._kernels import _native

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer that sends signals")
NOTHING = np.empty(0, np.int32)


class Alarm(Exception):  # noqa: N818
    """What the handler of the signal raises."""


@pytest.fixture
def alarm():
    """Starts a timer whose signal raises what is given, by default an Alarm."""
    if threading.current_thread() is not threading.main_thread():
        pytest.skip("signals are for the main thread")
    before = signal.getsignal(signal.SIGALRM)

    def start(error=Alarm, after=0.05, handler=None):
        def ring(*_):
            raise error

        signal.signal(signal.SIGALRM, handler or ring)
        signal.setitimer(signal.ITIMER_REAL, after)

    yield start
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def question(n, quantity="count", **other):
    return _native.Asked(**asked(quantity, n=n) | other)


def samples(n, m):
    return np.random.default_rng(0).normal(size=(n, m))


def rows(n):
    return np.arange(n, dtype=np.int32)


def radii(n_threads):
    return partial(_native.radii, question(100_000), samples(100_000, 20), rows(100_000)), (n_threads, "baseline")


def scan(n_threads):
    X = samples(20_000, 20)
    limits = np.full((20_000, 1), np.inf)  # all pairs are looked at for all candidates
    return partial(_native.scan, question(20_000), X, X, NOTHING, -1, limits, rows(20_000)), (n_threads, "baseline")


def wide_scan(n_threads):
    X = samples(2600, 500)
    ends = np.arange(5, 501, 5, dtype=np.int32)
    return partial(_native.scan, question(2600), X, X, ends, 1, np.full((2600, 1), np.inf), rows(2600)), (
        n_threads,
        "baseline",
    )


def lines(n_threads):
    return partial(_native.lines, question(200_000, k=20_000), samples(200_000, 4)), (n_threads,)


def orders(n_threads):
    rows = np.arange(100_000, dtype=np.int32)
    return partial(_native.orders, samples(100_000, 20), np.full(100_000, 0.01), rows), (n_threads, "baseline")


def grow(n_threads):
    n, n_classes = 2000, 1000
    first, sample, d2 = _native.orders(samples(n, 1), np.full(n, np.inf), np.arange(n, dtype=np.int32), 1, "baseline")
    gamma = np.full((n, n_classes), 1 / n_classes)
    soft = question(n, "risk", code=NOTHING, gamma=gamma, mass=gamma.sum(axis=0), k=10**6)
    return partial(_native.grow, soft, np.arange(n, dtype=np.int32), first, sample, d2), (n_threads, "baseline")


def metric(n_classes):
    points = np.random.default_rng(1).normal(size=(n_classes, 3))
    return np.linalg.norm(points[:, None] - points, axis=2)


def transport(n_threads):
    p, q = np.random.default_rng(0).dirichlet(np.ones(200), (2, 5000))
    return partial(_native.transport, p, q), (metric(200),)


def discrete():
    """Two features of many levels, a hundred classes at all distances: every cell asks for a transport."""
    n, rng = 30_000, np.random.default_rng(0)
    levels = rng.integers(1, 1000, 2 * n).astype(np.int32)
    return _native.Blanket(
        **blanket(1)
        | dict(
            n=n,
            first=np.array([0, n, 2 * n]),
            rows=np.tile(np.arange(n, dtype=np.int32), 2),
            levels=levels,
            n_levels=np.full((1, 2), 1000, np.int32),
            map_first=np.zeros(2, np.int64),
            code=rng.integers(0, 100, n).astype(np.int32),
            above_first=np.zeros(101, np.int32),
            above=NOTHING,
            distance=metric(100),
        )
    )


def judge(n_threads):
    features, others = np.array([0, 1] * 4, np.int32), np.array([[1], [0]] * 4, np.int32)
    return partial(discrete().judge, features, others, np.zeros(8, np.int32), False), (n_threads,)


def permuted(n_threads):
    keys = np.random.default_rng(0).random((20, 30_000))
    return partial(discrete().permuted, 0, np.array([1], np.int32), 0), (keys,)


@pytest.mark.parametrize("n_threads", [1, 3])
@pytest.mark.parametrize("kernel", [radii, scan, wide_scan, lines, orders, grow, transport, judge, permuted])
def test_a_kernel_ends_without_an_answer(kernel, n_threads, alarm):
    call, last = kernel(n_threads)
    found = []
    alarm()
    with pytest.raises(Alarm):
        found.extend(map(call, *([one] for one in last)))
    assert found == []


def test_a_handler_that_lets_the_work_go_on_changes_no_bit(alarm):
    """Even if it runs kernels itself."""
    call = partial(_native.radii, question(12_000), samples(12_000, 8), rows(12_000), 2, "baseline")
    inside = partial(_native.radii, question(3000), samples(3000, 8), rows(3000), 2, "baseline")
    expected, expected_inside, found_inside = call().tobytes(), inside().tobytes(), []

    def go_on(*_):
        found_inside.append(inside().tobytes())
        signal.setitimer(signal.ITIMER_REAL, 0.01)

    alarm(handler=go_on, after=0.01)
    found = call().tobytes()
    signal.setitimer(signal.ITIMER_REAL, 0)
    assert found == expected
    assert set(found_inside) == {expected_inside}


def test_other_threads_than_the_main_one_hear_nothing(alarm):
    X, found = samples(12_000, 10), []
    call = partial(_native.radii, question(12_000), X, rows(12_000), 2, "baseline")
    work = threading.Thread(target=lambda: found.append(call().shape))
    work.start()
    alarm(after=0.01)
    with pytest.raises(Alarm):
        _wait()
    work.join()
    assert found == [(12_000, 1)]


def _wait():
    while True:  # a signal that comes just before a wait does not end it
        threading.Event().wait(0.01)


@pytest.mark.parametrize(
    "selector",
    [
        SequentialSelector(n_features_to_select=2, n_jobs=2),
        SequentialSelector(direction="forward", n_features_to_select=2, n_jobs=2),
        RankingSelector("mutual_information", n_features_to_select=2, n_jobs=2),
    ],
    ids=["backward", "forward", "ranking"],
)
def test_a_fit_interrupted_in_its_first_step_says_so_and_holds_an_empty_path(selector, alarm, monkeypatch):
    """The first scan of a search through samples enough for minutes."""
    X, y = samples(150_000, 20), np.arange(150_000) % 2
    steps = selector.fit(X[:100], y[:100]).path_.steps

    def first(kernel, *args):
        alarm(KeyboardInterrupt)
        return kernel(*args)

    for name in ("radii", "lines"):
        monkeypatch.setattr(_kernels, name, partial(first, getattr(_native, name)))
    with pytest.raises(KeyboardInterrupt) as interrupted:
        selector.fit(X, y)
    assert interrupted.value.__notes__[0].startswith("interrupted in step 1 of ")
    assert selector.path_.steps == ()
    assert selector.path_.sizes.tolist() == selector.path_.order.tolist() == selector.path_.scores.tolist() == []
    assert not any(hasattr(selector, name) for name in ("support_", "ranking_", "scores_", "n_features_"))
    with pytest.raises(ValueError, match=r"interrupted in the first step\. Fit again"):
        selector.path_.subset(2)
    monkeypatch.undo()
    assert selector.fit(X[:100], y[:100]).path_.steps == steps
