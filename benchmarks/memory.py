"""Peak extra memory in MB of the first step of a backward search: `python -m benchmarks.memory count 20000 10 3`.

A process of its own, since a peak never goes down again. On Linux the peak is VmHWM rather than `ru_maxrss`: the
latter is inherited from the process that started this one, and would hide everything below that one's size.
"""

import json
import resource
import sys
from pathlib import Path

import numpy as np

from tamis import MutualInformation

from .data import Shape, memberships, mixture


def resident(kind: str) -> float:
    """Memory in MB: "VmRSS" now, "VmHWM" at its peak. Elsewhere than on Linux the peak serves for both."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith(kind))
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def extra(estimator: str, shape: Shape) -> float:
    """What a scorer and its first scan need beyond the data."""
    criterion = MutualInformation(estimator=estimator)
    X, y = mixture(shape)
    gamma = memberships(y, 1.0)
    criterion.scorer(X[:100], gamma[:100]).without_each(range(shape.n_features))  # loads what is loaded only once
    before = resident("VmRSS")
    criterion.scorer(X, gamma).without_each(np.arange(shape.n_features))
    return resident("VmHWM") - before


if __name__ == "__main__":
    print(json.dumps(extra(sys.argv[1], Shape(*map(int, sys.argv[2:])))))
