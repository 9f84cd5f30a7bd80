"""Samples as people have them: values that are hard to compute with, and containers that are hard to read."""

import numpy as np
import pandas as pd
import polars as pl
from scipy import sparse


def _half(X, change):
    X = X.copy()
    X[:, ::2] = change(X[:, ::2])
    return X


VALUES = {
    "normal": lambda X, rng: X,
    "ties": lambda X, rng: np.round(X),
    "binary": lambda X, rng: (X > 0).astype(float),
    "counts": lambda X, rng: rng.poisson(1.5, X.shape).astype(float),
    "constant columns": lambda X, rng: _half(X, lambda part: np.full_like(part, 0.1)),
    "all equal": lambda X, rng: np.full_like(X, -3.3),
    "zeros": lambda X, rng: np.zeros_like(X),
    "repeated rows": lambda X, rng: X[rng.integers(0, max(1, len(X) // 3), len(X))],
    "repeated columns": lambda X, rng: X[:, rng.integers(0, X.shape[1], X.shape[1])],
    "scaled": lambda X, rng: X * 10.0 ** rng.uniform(-300, 300),
    "scaled columns": lambda X, rng: X * 10.0 ** rng.uniform(-300, 300, X.shape[1]),
    "subnormal": lambda X, rng: np.round(X * 3) * 5e-324,
    "nearly subnormal": lambda X, rng: X * 1e-308,
    "highest": lambda X, rng: np.clip(X, -1, 1) * np.finfo(float).max,
    "offset": lambda X, rng: X + 10.0 ** rng.uniform(3, 18),
    "huge offset": lambda X, rng: _half(X, lambda part: part * 1e280 + 1e300),
    "heavy tails": lambda X, rng: np.exp(np.clip(X * 30, -700, 700)),
    "an outlier": lambda X, rng: np.where(np.arange(X.size).reshape(X.shape) == X.size // 2, 1e300, X),
    "one step apart": lambda X, rng: np.where(X > 0, 1.0, np.nextafter(1.0, 2.0)),
    "signed zeros": lambda X, rng: np.where(X > 0, 0.0, -0.0) * (X < 1) + (X > 1),
}
"""Numbers that must be answered for, or refused with a reason."""


def _blank(X, where):
    return np.where(np.broadcast_to(where, X.shape), np.nan, X)


GAPS = {
    "a few": lambda X, codes, rng: _blank(X, rng.random(X.shape) < 0.05),
    "a third": lambda X, codes, rng: _blank(X, rng.random(X.shape) < 0.3),
    "most": lambda X, codes, rng: _blank(X, rng.random(X.shape) < 0.8),
    "one": lambda X, codes, rng: _blank(X, np.arange(X.size).reshape(X.shape) == X.size // 2),
    "all but one": lambda X, codes, rng: _blank(X, np.arange(X.size).reshape(X.shape) != X.size // 2),
    "a column": lambda X, codes, rng: _blank(X, np.arange(X.shape[1]) == 0),
    "a column but one value": lambda X, codes, rng: _blank(X, np.arange(X.size).reshape(X.shape) % X.shape[1] > 0),
    "rows": lambda X, codes, rng: _blank(X, rng.random((len(X), 1)) < 0.1),
    "most rows": lambda X, codes, rng: _blank(X, rng.random((len(X), 1)) < 0.9),
    "a class in a column": lambda X, codes, rng: _blank(X, (codes == 0)[:, None] & (np.arange(X.shape[1]) == 0)),
    "a class": lambda X, codes, rng: _blank(X, (codes == 0)[:, None]),
    "all but a class": lambda X, codes, rng: _blank(X, (codes != 0)[:, None] & (np.arange(X.shape[1]) == 0)),
    "large values": lambda X, codes, rng: _blank(X, X > 1),
    "no pair together": lambda X, codes, rng: _blank(X, np.add.outer(np.arange(len(X)), np.arange(X.shape[1])) % 2),
    "late rows": lambda X, codes, rng: _blank(X, (np.arange(len(X)) > len(X) // 2)[:, None]),
    "all": lambda X, codes, rng: np.full_like(X, np.nan),
}
"""Which values are missing."""


def _put(X, value):
    X = X.astype(object if not isinstance(value, (float, complex)) else np.result_type(X, type(value)))
    if X.size:
        X[len(X) // 2, -1] = value
    return X


BROKEN = {
    "inf": lambda X: _put(X, np.inf),
    "-inf": lambda X: _put(X, -np.inf),
    "inf among NaN": lambda X: _put(np.full_like(X, np.nan), np.inf),
    "inf and NA": lambda X: pd.DataFrame(_put(_put(X, pd.NA)[::-1], np.inf)),
    "complex": lambda X: X.astype(complex),
    "a word": lambda X: _put(X, "many"),
    "a list inside": lambda X: _put(X, [1, 2]),
    "an integer too long": lambda X: _put(X, 10**400),
    "words": lambda X: X.astype(str),
    "other words": lambda X: np.full(X.shape, "red"),
    "bytes": lambda X: np.full(X.shape, b"red"),
    "dates": lambda X: np.full(X.shape, np.datetime64("2020-01-01")),
    "durations": lambda X: np.ones(X.shape, "timedelta64[s]"),
    "a column of dates": lambda X: pd.DataFrame(X).assign(day=pd.Timestamp("2020-01-01")),
    "a column of words": lambda X: pd.DataFrame(X).assign(colour="red"),
    "no rows": lambda X: X[:0],
    "no columns": lambda X: X[:, :0],
    "no dimension": lambda X: np.float64(1.0),
    "one dimension": lambda X: X[:, 0],
    "three dimensions": lambda X: X[:, :, None],
    "a series": lambda X: pd.Series(X[:, 0]),
    "ragged": lambda X: [[1.0, 2.0], *X.tolist()],
    "a dictionary": lambda X: {"a": X[:, 0]},
    "nothing": lambda X: None,
    "text": lambda X: "X",
    "a generator": lambda X: (row for row in X),
    "records": lambda X: np.zeros(len(X), dtype=[("a", float), ("b", int)]),
    "masked": lambda X: np.ma.masked_greater(X, 0.5),
    "empty list": lambda X: [],
    "list of empty lists": lambda X: [[] for _ in X],
}
"""What is mostly to be refused."""


def _named(X, names=None):
    return pd.DataFrame(X, columns=[f"{'abc'[f % 3]}_{f}" for f in range(X.shape[1])] if names is None else names)


def _strided(X):
    wide = np.zeros((2 * len(X), 3 * X.shape[1]))
    wide[::2, 1::3] = X
    return wide[::2, 1::3]


def _read_only(X):
    X = X.copy()
    X.flags.writeable = False
    return X


CONTAINERS = {
    "C": lambda X: X,
    "F": np.asfortranarray,
    "strided": _strided,
    "backward": lambda X: X[::-1][::-1],
    "read-only": _read_only,
    "float16": lambda X: X.astype(np.float16),
    "float32": lambda X: X.astype(np.float32),
    "longdouble": lambda X: X.astype(np.longdouble),
    "big-endian": lambda X: X.astype(">f8"),
    "int8": lambda X: np.clip(X, -100, 100).astype(np.int8),
    "uint8": lambda X: np.clip(X, 0, 200).astype(np.uint8),
    "int64": lambda X: np.clip(X, -1e18, 1e18).astype(np.int64),
    "bool": lambda X: X > 0,
    "object": lambda X: X.astype(object),
    "list": lambda X: X.tolist(),
    "tuple": lambda X: tuple(map(tuple, X.tolist())),
    "list of arrays": list,
    "memoryview": lambda X: memoryview(np.ascontiguousarray(X)),
    "mask of nothing": np.ma.masked_array,
    "pandas": _named,
    "pandas, numbers as names": lambda X: _named(X, range(X.shape[1])),
    "pandas, odd names": lambda X: _named(X, ["\n<b>", "", *[" " * f for f in range(1, X.shape[1])]][: X.shape[1]]),
    "pandas, odd index": lambda X: _named(X).set_index(np.zeros(len(X))),
    "pandas, objects": lambda X: _named(X).astype(object),
    "pandas, nullable": lambda X: _named(X).astype("Float64"),
    "pandas, nullable integers": lambda X: _named(np.clip(np.round(X), -9, 9)).astype("Int64"),
    "pandas, nullable booleans": lambda X: _named(X > 0).astype("boolean"),
    "pandas, float32": lambda X: _named(X).astype("float32"),
    "pandas, sparse": lambda X: _named(X).astype(pd.SparseDtype("float", 0.0)),
    "pandas, pyarrow": lambda X: _named(X).astype("float64[pyarrow]"),
    "polars": lambda X: pl.DataFrame({f"a_{f}": X[:, f] for f in range(X.shape[1])}),
}
WITH_GAPS = {name: CONTAINERS[name] for name in CONTAINERS if not any(kind in name for kind in ("int", "bool"))} | {
    "None": lambda X: np.where(np.isnan(X), None, X),
    "lists with None": lambda X: np.where(np.isnan(X), None, X).tolist(),
    "NA": lambda X: _named(np.where(np.isnan(X), pd.NA, X)),
    "pandas, nullable integers": lambda X: _named(np.clip(np.round(X), -9, 9)).astype("Int64"),
    "pandas, nullable booleans": lambda X: _named((X > 0).astype(float)).mask(np.isnan(X)).astype("boolean"),
    "pandas, nullable float32": lambda X: _named(X).astype("Float32"),
    "pandas, sparse of NaN": lambda X: _named(X).astype(pd.SparseDtype("float", np.nan)),
    "pandas, numbers as categories": lambda X: _named(np.round(np.clip(X, -2, 2))).astype("category"),
    "pandas, words as categories": lambda X: _named(_words(X)).astype("category"),
    "pandas, one category": lambda X: _named(X).assign(kind=pd.Categorical(_words(X)[:, 0])),
    "polars, null": lambda X: pl.DataFrame({f"a_{f}": pl.Series(_words(X, X)[:, f].tolist()) for f in _columns(X)}),
    "polars, a category": lambda X: pl.DataFrame(
        {f"a_{f}": pl.Series(_words(X)[:, f].tolist(), dtype=pl.Categorical) for f in _columns(X)}
    ),
    "CSR with NaN": lambda X: sparse.csr_array(X),
}
"""What can hold missing values, or seems to."""


def _columns(X):
    return range(X.shape[1])


def _words(X, values=None):
    """Words for numbers, or `values`, and None where one is missing."""
    words = np.where(np.nan_to_num(X) > 0, "high", "low") if values is None else values
    return np.where(np.isnan(X), None, words)


SPARSE = {
    "CSR": sparse.csr_matrix,
    "CSC": sparse.csc_matrix,
    "COO array": sparse.coo_array,
    "CSR array": sparse.csr_array,
    "DOK": sparse.dok_array,
    "CSR, 64 bit": lambda X: _long_indices(sparse.csr_array(X)),
    "CSR, not negative": lambda X: sparse.csr_array(np.abs(np.where(np.abs(X) < 0.5, 0, X))),
    "CSR, twice the same": lambda X: _doubled(sparse.csr_array(X)),
}
DIFFICULT = {
    "pandas, same names": lambda X: _named(X, ["a"] * X.shape[1]),
    "pandas, mixed names": lambda X: _named(X, [*range(1, X.shape[1]), "z"]),
    "pandas, tuples as names": lambda X: pd.DataFrame(
        X, columns=pd.MultiIndex.from_product([["a"], range(X.shape[1])])
    ),
    "pandas, a category": lambda X: _named(X).assign(kind=pd.Categorical(np.where(np.arange(len(X)) % 3, "x", "y"))),
    "pandas, missing category": lambda X: _named(X).assign(kind=pd.Categorical([None, *"xy" * len(X)][: len(X)])),
    "pandas, numbers as categories": lambda X: _named(np.round(np.clip(X, -2, 2))).astype("category"),
    "polars, a category": lambda X: pl.DataFrame(
        {
            "kind": pl.Series(["x", "y", "y"] * len(X), dtype=pl.Categorical)[: len(X)],
            **dict(zip("ab", X.T, strict=False)),
        }
    ),
}
"""Names and types that are not for everybody."""


def _long_indices(X):
    return sparse.csr_array((X.data, X.indices.astype(np.int64), X.indptr.astype(np.int64)), shape=X.shape)


def _doubled(X):
    halves = sparse.coo_array(X)
    twice = [np.tile(part, 2) for part in (halves.data / 2, halves.coords[0], halves.coords[1])]
    return sparse.coo_array((twice[0], (twice[1], twice[2])), shape=X.shape)


def draw_samples(draw, codes, *, what="X", width=None, sparse_too=False, gaps=0.0):
    """Samples that tell something about the codes, and mostly something ugly; a share of them with missing values."""
    draw.width = d = draw.among([1, 2, 3, 4, 5]) if width is None else width
    X = draw.rng.normal(size=(len(codes), d)) + np.linspace(2, 0, d) * codes[:, None]
    if draw.wrong(0.07):
        return draw.form(what, BROKEN, X)
    if draw.chance(0.6):
        X = draw.form(what, {name: (lambda X, f=f: f(X, draw.rng)) for name, f in VALUES.items()}, X)
    if draw.chance(gaps) or draw.wrong(0.01):
        X = draw.form("gaps", {name: (lambda X, f=f: f(X, codes, draw.rng)) for name, f in GAPS.items()}, X)
        return draw.form(f"{what} in", WITH_GAPS, X) if draw.chance(0.3) else X
    if draw.wrong(0.07):
        return draw.form(f"{what} in", DIFFICULT | SPARSE, X)
    if sparse_too and draw.chance(0.3):
        return draw.form(f"{what} in", SPARSE, X)
    return draw.form(f"{what} in", CONTAINERS, X) if draw.chance(0.5) else X
