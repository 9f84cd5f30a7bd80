"""Kernels within real limits of the system: python children.py WHAT [path/to/_native.so].

Prints what came out with 1, 2 and 8 threads. Run by test_threads.py and, with sanitizers, by tests/sanitize.py.
"""

import hashlib
import itertools
import json
import os
import resource
import sys
import threading

import numpy as np
from natively import use

THREADS = (1, 2, 8)


def kernels(n_threads):
    """Bits of all kernels that use threads, on samples enough for many tasks."""
    from samples import gaussians, mixed, one_hot

    from tamis import ClassDistance
    from tamis._validation import Rows
    from tamis.distances.balls import BallScan
    from tamis.distances.levels import level_columns
    from tamis.distances.orders import NeighbourOrders
    from tamis.estimates.blanket import BlanketJudge

    X, codes = gaussians(400, 6, 3)
    holed, rows = np.where(X > 1, np.nan, X), Rows(group=np.arange(400) // 2)
    values = []
    for labels in (one_hot(codes), mixed(codes)):
        scan = BallScan(X, labels, "risk", n_neighbors=5, n_threads=n_threads)
        values += [scan.without_each(range(6)), scan.alone(range(6)), scan.with_each([0, 1], [2, 3])]
        scan = BallScan(holed, labels, "distance", rows=rows, n_threads=n_threads)
        values += [scan.without_each(range(6)), scan.alone(range(6)), scan.with_each([0, 1], [2, 3])]
        values.append(NeighbourOrders(X, 9, n_threads=n_threads).grow(labels, 5).weight)
        values.append(NeighbourOrders(holed, 9, rows=rows, n_threads=n_threads).grow(labels, 5).weight)
        judge = BlanketJudge(
            level_columns(X),
            labels,
            divergence="wasserstein",
            distance=ClassDistance.from_vectors(np.eye(3)),
            correction=None,
            n_threads=n_threads,
        )
        values += judge.deltas(range(6), [[(f + 1) % 6] for f in range(6)])
    return hashlib.sha256(b"".join(np.ascontiguousarray(v).tobytes() for v in values)).hexdigest()


def can_start(n):
    """Whether so many threads can live at once."""
    end = threading.Event()
    threads = [threading.Thread(target=end.wait) for _ in range(n)]
    try:
        for thread in threads:
            thread.start()
    except RuntimeError:
        return False
    finally:
        end.set()
        for thread in threads:
            if thread.ident is not None:
                thread.join()
    return True


def no_threads():
    """Not one more thread; the limit does not bind root, so that root becomes somebody else."""
    kernels(1)  # everything is imported
    if os.geteuid() == 0:
        os.setuid(61234)
    resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
    return "not limited" if can_start(1) else [kernels(n_threads) for n_threads in THREADS]


def few_threads():
    """Address space for the stacks of two or three more threads (of 256 MiB, as the parent has set them)."""
    kernels(1)
    limit_memory(5 * 2**27)
    limited = can_start(1) and not can_start(7)
    return [kernels(n_threads) for n_threads in THREADS] if limited else "not limited"


def no_limits():
    return [kernels(n_threads) for n_threads in (*THREADS, 10**6)]


def limit_memory(more):
    """So many bytes of address space above what is used now."""
    with open("/proc/self/statm") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + more, resource.RLIM_INFINITY))


def little_memory():
    """Every amount of memory from nothing to enough, for work whose tasks need much of it: how it ended."""
    from tamis import _kernels

    n = 50_000
    X, rows = np.linspace(0, 1, n)[:, None].copy(), np.arange(0, n, 50, dtype=np.int32)
    ask = (X, np.full(len(rows), 1e-6), rows)

    def found(n_threads):
        parts = _kernels.orders(*ask, n_threads, "baseline")
        return hashlib.sha256(b"".join(part.tobytes() for part in parts)).hexdigest()

    expected, ends = found(1), set()
    for n_threads, more in itertools.product(THREADS, range(0, 2**27, 2**21)):
        limit_memory(more)
        try:
            ends.add((n_threads, "same" if found(n_threads) == expected else "other bits"))
        except MemoryError:
            ends.add((n_threads, "MemoryError"))
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    return sorted(ends)


def command():
    """`tamis select` in which a kernel gets no memory."""
    from tamis import _kernels
    from tamis.cli.main import main

    scan = _kernels.scan

    def starved(*args):
        limit_memory(2**18)
        return scan(*args)

    _kernels.scan = starved
    main(["select", "table.csv", "-t", "kind", "--labels", "hard", "--jobs", "2"])


if __name__ == "__main__":
    if len(sys.argv) > 2:
        use(sys.argv[2])
    print(
        json.dumps({f.__name__: f for f in (no_limits, no_threads, few_threads, little_memory, command)}[sys.argv[1]]())
    )
