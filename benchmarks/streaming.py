"""Rank the features of a Parquet file block by block: `python -m benchmarks.streaming FILE N_CLASSES`.

Prints the seconds taken and the peak memory in MB. A process of its own, since a peak never goes down again.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np

from tamis import RankingSelector
from tamis.datasets import read_blocks

from .data import Shape
from .memory import resident

_ROWS = 50_000


def write(path: Path, shape: Shape, seed=0):
    """A file of normal features, of which the first half shifts with the class; never whole in memory."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(seed)
    shift = np.linspace(1, 0, shape.n_features)
    names = [f"f{j}" for j in range(shape.n_features)]
    schema = pa.schema([(name, pa.float64()) for name in names] + [("class", pa.int32())])
    with pq.ParquetWriter(path, schema, compression="none", use_dictionary=False) as file:
        for begin in range(0, shape.n_samples, _ROWS):
            y = rng.integers(0, shape.n_classes, min(_ROWS, shape.n_samples - begin)).astype(np.int32)
            X = rng.standard_normal((len(y), shape.n_features)) + shift * y[:, None]
            file.write_table(pa.table([*X.T.copy(), y], schema=schema))


def rank(path: Path, n_classes: int) -> dict[str, float]:
    begin = time.perf_counter(), time.process_time()
    selector = RankingSelector(n_features_to_select=10)
    for X, y in read_blocks(path, "class", n_rows=_ROWS):
        selector.partial_fit(X, y, classes=np.arange(n_classes))
    wall, cpu = time.perf_counter() - begin[0], time.process_time() - begin[1]
    if not selector.support_[:10].all():
        sys.exit("the ten best features were not found")
    return {"cpu": cpu, "wall": wall, "peak": resident("VmHWM")}


if __name__ == "__main__":
    print(json.dumps(rank(Path(sys.argv[1]), int(sys.argv[2]))))
