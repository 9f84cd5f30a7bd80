"""Every kernel on every ugly data set, on a build with sanitizers: tests/sanitize.py path/to/_native.so.

The values are checked elsewhere; here a wrong access or an undefined operation ends the run.
"""

import importlib.util
import itertools
import os
import sys

import numpy as np
from samples import UGLY, make_ugly, mixed, one_hot

spec = importlib.util.spec_from_file_location("tamis._kernels._native", sys.argv[1])
native = importlib.util.module_from_spec(spec)
spec.loader.exec_module(native)
sys.modules[spec.name] = native

from tamis import _kernels  # noqa: E402
from tamis.distances.balls import BallScan  # noqa: E402

if _kernels.scan is not native.scan:
    sys.exit("the build with sanitizers was not the one imported")

runs = 0
for level, kind, labels, quantity, k, include_self in itertools.product(
    native.levels(), UGLY, (one_hot, mixed), ("count", "distance", "risk"), (1, 8, 11), (False, True)
):
    os.environ["TAMIS_CPU"] = level
    X, codes = make_ugly(kind)
    features = list(range(X.shape[1]))
    scan = BallScan(X, labels(codes), quantity, n_neighbors=k, include_self=include_self, n_threads=2)
    values = [scan.of(features), scan.alone(features)]
    if len(features) > 1:
        values += [scan.without_each(features), scan.without_each(features[1:]), scan.with_each([0, 1], features[2:])]
    if not all(np.isfinite(v).all() for v in values):
        sys.exit(f"not finite: {level}, {kind}, {labels.__name__}, {quantity}, k={k}, include_self={include_self}")
    runs += 1
print(f"sanitizers: {runs} runs of the kernels, nothing found")
