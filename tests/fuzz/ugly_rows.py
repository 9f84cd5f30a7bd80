"""What is said of the rows beside their values, right and wrong: weights, groups, times."""

import datetime

import numpy as np
import pandas as pd
import polars as pl
from fuzz.ugly_targets import LETTERS
from scipy import sparse


def _put(values, value, kind=object):
    values = np.asarray(values).astype(kind)
    if len(values):
        values[len(values) // 2] = value
    return values


def _whole(c, rng):
    return rng.integers(1, 4, len(c))


def _with_zeros(c, rng):
    return rng.integers(0, 3, len(c))


WEIGHTS = {
    "whole": _whole,
    "whole floats": lambda c, rng: _whole(c, rng).astype(float),
    "fractional": lambda c, rng: rng.uniform(0.1, 3, len(c)),
    "small fractions": lambda c, rng: rng.uniform(0, 0.5, len(c)),
    "light": lambda c, rng: rng.uniform(1, 2, len(c)) * 1e-6,
    "heavy": lambda c, rng: rng.uniform(1, 2, len(c)) * 5e8,
    "of all sizes": lambda c, rng: 10.0 ** rng.uniform(-6, 9, len(c)),
    "one heavy": lambda c, rng: np.where(np.arange(len(c)) == len(c) // 2, 1e9, 1.0),
    "one light": lambda c, rng: np.where(np.arange(len(c)) == len(c) // 2, 1e-6, 1.0),
    "shares": lambda c, rng: rng.dirichlet(np.ones(max(1, len(c))))[: len(c)],
    "balanced": lambda c, rng: len(c) / np.bincount(c)[c] / max(1, len(np.unique(c))),
    "one is one": lambda c, rng: np.where(np.arange(len(c)) == len(c) // 2, 1.0, 0.0),
    "nearly one": lambda c, rng: np.nextafter(1.0, 1 + _with_zeros(c, rng)),
    "with zeros": _with_zeros,
    "negative zeros": lambda c, rng: np.where(_with_zeros(c, rng) > 0, 1.0, -0.0),
    "mostly zeros": lambda c, rng: (rng.random(len(c)) < 0.15).astype(float),
    "a class of zeros": lambda c, rng: np.where(c == 0, 0.0, 2.0),
    "a light class": lambda c, rng: np.where(c == 0, 1e-3, 1.0),
    "ones": lambda c, rng: np.ones(len(c)),
    "integer ones": lambda c, rng: np.ones(len(c), int),
    "all equal": lambda c, rng: np.full(len(c), 2.5),
    "booleans": lambda c, rng: rng.random(len(c)) < 0.8,
    "uint8": lambda c, rng: _whole(c, rng).astype(np.uint8),
    "float16": lambda c, rng: rng.uniform(0.1, 3, len(c)).astype(np.float16),
    "longdouble": lambda c, rng: rng.uniform(0.1, 3, len(c)).astype(np.longdouble),
    "list": lambda c, rng: _whole(c, rng).tolist(),
    "tuple": lambda c, rng: tuple(_with_zeros(c, rng).tolist()),
    "objects": lambda c, rng: _whole(c, rng).astype(object),
    "a column": lambda c, rng: _whole(c, rng)[:, None],
    "backward": lambda c, rng: _with_zeros(c, rng)[::-1],
    "read-only": lambda c, rng: np.broadcast_to(2.0, len(c)),
    "series": lambda c, rng: pd.Series(_with_zeros(c, rng), index=np.arange(len(c)) + 5),
    "nullable": lambda c, rng: pd.Series(_whole(c, rng), dtype="Float64"),
    "frame": lambda c, rng: pd.DataFrame({"w": _with_zeros(c, rng)}),
    "polars": lambda c, rng: pl.Series("w", _with_zeros(c, rng)),
}
NO_WEIGHTS = {
    "tiny": lambda c, rng: rng.uniform(1, 2, len(c)) * 1e-300,
    "subnormal": lambda c, rng: _whole(c, rng) * 5e-324,
    "huge": lambda c, rng: rng.uniform(1, 2, len(c)) * 1e300,
    "highest": lambda c, rng: np.full(len(c), np.finfo(float).max),
    "one huge": lambda c, rng: np.where(np.arange(len(c)) == len(c) // 2, 1e18, 1.0),
    "negative": lambda c, rng: _put(np.ones(len(c)), -1.0, float),
    "a little negative": lambda c, rng: _put(np.ones(len(c)), -5e-324, float),
    "NaN": lambda c, rng: _put(np.ones(len(c)), np.nan, float),
    "inf": lambda c, rng: _put(np.ones(len(c)), np.inf, float),
    "all zero": lambda c, rng: np.zeros(len(c)),
    "None inside": lambda c, rng: _put(np.ones(len(c)), None),
    "NA inside": lambda c, rng: pd.Series(_put(np.ones(len(c)), pd.NA), dtype="Float64"),
    "a word inside": lambda c, rng: _put(np.ones(len(c)), "much"),
    "an integer too long": lambda c, rng: _put(np.ones(len(c)), 10**400),
    "complex": lambda c, rng: np.ones(len(c), complex),
    "two columns": lambda c, rng: np.ones((len(c), 2)),
    "masked": lambda c, rng: np.ma.masked_equal(_with_zeros(c, rng), 1),
    "sparse": lambda c, rng: sparse.csr_array(np.ones((len(c), 1))),
}
GROUPS = {
    "pairs": lambda c, rng: np.arange(len(c)) // 2,
    "few": lambda c, rng: rng.integers(0, 4, len(c)),
    "two": lambda c, rng: np.arange(len(c)) % 2,
    "one large": lambda c, rng: np.where(rng.random(len(c)) < 0.8, -1, np.arange(len(c))),
    "each its own": lambda c, rng: np.arange(len(c)),
    "all but two": lambda c, rng: np.maximum(np.arange(len(c)), 1),
    "classes": lambda c, rng: c,
    "halves of classes": lambda c, rng: 2 * c + np.arange(len(c)) % 2,
    "words": lambda c, rng: LETTERS[rng.integers(0, 5, len(c))],
    "words and None": lambda c, rng: _put(LETTERS[rng.integers(0, 5, len(c))], None),
    "words and numbers": lambda c, rng: _put(LETTERS[rng.integers(0, 5, len(c))], 5),
    "None mostly": lambda c, rng: np.where(rng.random(len(c)) < 0.7, None, "a"),
    "nothing but None": lambda c, rng: np.full(len(c), None),
    "NaN inside": lambda c, rng: np.where(rng.random(len(c)) < 0.3, np.nan, np.arange(len(c)) // 3),
    "infinite": lambda c, rng: np.where(rng.random(len(c)) < 0.2, np.inf, np.arange(len(c)) // 3),
    "large integers": lambda c, rng: 2**62 + np.arange(len(c)) // 3,
    "longer integers": lambda c, rng: np.array([2**70 + i // 3 for i in range(len(c))], dtype=object),
    "booleans": lambda c, rng: rng.random(len(c)) < 0.5,
    "dates": lambda c, rng: np.datetime64("2020-01-01") + np.arange(len(c)) // 3,
    "list": lambda c, rng: (np.arange(len(c)) // 3).tolist(),
    "list of words": lambda c, rng: [f"patient {i // 3}" for i in range(len(c))],
    "a column": lambda c, rng: (np.arange(len(c)) // 3)[:, None],
    "series": lambda c, rng: pd.Series(np.arange(len(c)) // 3, index=np.arange(len(c)) + 5),
    "category": lambda c, rng: pd.Series(pd.Categorical(LETTERS[rng.integers(0, 5, len(c))])),
    "nullable": lambda c, rng: pd.Series(_put(np.arange(len(c)) // 3, pd.NA), dtype="Int64"),
    "frame": lambda c, rng: pd.DataFrame({"g": np.arange(len(c)) // 3}),
    "polars": lambda c, rng: pl.Series("g", [None, *(i // 3 for i in range(1, len(c)))][: len(c)]),
}
NO_GROUPS = {
    "all one": lambda c, rng: np.zeros(len(c), int),
    "all one word": lambda c, rng: np.full(len(c), "a"),
    "two columns": lambda c, rng: np.ones((len(c), 2)),
    "sets": lambda c, rng: [{int(s)} for s in c],
    "sparse": lambda c, rng: sparse.csr_array(np.ones((len(c), 1))),
}
ORDERS = {
    "numbers": lambda c, rng: rng.normal(size=len(c)),
    "rows": lambda c, rng: np.arange(len(c)),
    "backward": lambda c, rng: np.arange(len(c))[::-1],
    "ties": lambda c, rng: rng.integers(0, 6, len(c)),
    "two times": lambda c, rng: np.arange(len(c)) % 2,
    "mostly late": lambda c, rng: (np.arange(len(c)) > 1).astype(int),
    "all at once": lambda c, rng: np.zeros(len(c)),
    "classes": lambda c, rng: c,
    "infinite": lambda c, rng: _put(np.arange(len(c)), np.inf, float),
    "booleans": lambda c, rng: rng.random(len(c)) < 0.5,
    "dates": lambda c, rng: np.datetime64("2020-01-01") + rng.integers(0, 30, len(c)),
    "durations": lambda c, rng: rng.integers(0, 30, len(c)).astype("timedelta64[h]"),
    "dates as objects": lambda c, rng: [datetime.date(2020, 1, 1 + int(i) % 28) for i in rng.permutation(len(c))],
    "dates as text": lambda c, rng: [f"2020-01-{1 + int(i) % 28:02}" for i in rng.permutation(len(c))],
    "words": lambda c, rng: LETTERS[rng.integers(0, 5, len(c))],
    "a column": lambda c, rng: np.arange(len(c))[:, None],
    "series of dates": lambda c, rng: pd.Series(pd.Timestamp("2020-01-01") + pd.to_timedelta(c, unit="D")),
    "with a time zone": lambda c, rng: pd.Series(pd.date_range("2020-01-01", periods=len(c), tz="Europe/Paris")),
    "periods": lambda c, rng: pd.Series(pd.period_range("2020-01", periods=len(c), freq="M")),
    "ordered category": lambda c, rng: pd.Series(pd.Categorical(LETTERS[c], categories=LETTERS[::-1], ordered=True)),
    "nullable": lambda c, rng: pd.Series(np.arange(len(c)), dtype="Int64"),
    "polars": lambda c, rng: pl.Series("t", [datetime.date(2020, 1, 1 + i % 28) for i in range(len(c))]),
}
NO_ORDERS = {
    "None inside": lambda c, rng: _put(LETTERS[c], None),
    "NaN inside": lambda c, rng: _put(np.arange(len(c)), np.nan, float),
    "NaT inside": lambda c, rng: _put(np.datetime64("2020-01-01") + c, np.datetime64("NaT"), "datetime64[D]"),
    "NA inside": lambda c, rng: pd.Series(_put(np.arange(len(c)), pd.NA), dtype="Int64"),
    "words and numbers": lambda c, rng: _put(LETTERS[c], 5),
    "dates and numbers": lambda c, rng: _put(np.arange(len(c)), datetime.date(2020, 1, 1)),
    "two columns": lambda c, rng: np.ones((len(c), 2)),
    "sets": lambda c, rng: [{int(s)} for s in c],
    "objects": lambda c, rng: np.array([object() for _ in c], dtype=object),
}
ODD = {
    "too short": lambda c, rng: np.ones(max(0, len(c) - 1)),
    "too long": lambda c, rng: np.arange(len(c) + 1),
    "empty": lambda c, rng: [],
    "one number": lambda c, rng: 2.0,
    "text": lambda c, rng: "w",
    "a dictionary": lambda c, rng: {"w": 1},
    "ragged": lambda c, rng: [[1], *[1] * (len(c) - 1)],
    "a generator": lambda c, rng: (1 for _ in c),
    "records": lambda c, rng: np.zeros(len(c), dtype=[("a", int)]),
    "a type": lambda c, rng: int,
}
"""What is none of them."""
KINDS = {
    "sample_weight": (WEIGHTS, NO_WEIGHTS),
    "groups": (GROUPS, NO_GROUPS),
    "order": (ORDERS, NO_ORDERS),
}


def draw_rows(draw, codes, kinds=("sample_weight", "groups", "order"), share=0.15):
    """Some of weights, groups and times of rows of these classes, as arguments of a fit."""
    drawn = {}
    for kind in kinds:
        good, bad = KINDS[kind]
        forms = bad | ODD if draw.wrong(0.03) else good if draw.chance(share) else {}
        if forms:
            made = {name: (lambda c, f=f: f(c, draw.rng)) for name, f in forms.items()}
            drawn[kind] = draw.form(kind, made, codes)
    return drawn
