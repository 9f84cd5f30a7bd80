"""Targets of every kind, right and wrong."""

import numpy as np
import pandas as pd
import polars as pl
from scipy import sparse

LETTERS = np.array(["ant", "bee", "cat", "dog", "eel"])


def _put(y, value, kind=object):
    y = y.astype(kind)
    if len(y):
        y[len(y) // 2] = value
    return y


def _objects(rows):
    made = np.empty(len(rows), dtype=object)
    made[:] = rows
    return made


HARD = {
    "integers": lambda c, rng: c,
    "negative": lambda c, rng: c - 7,
    "uint8": lambda c, rng: c.astype(np.uint8),
    "large integers": lambda c, rng: c + 2**62,
    "booleans": lambda c, rng: c > 0,
    "whole floats": lambda c, rng: c.astype(np.float32),
    "words": lambda c, rng: LETTERS[c],
    "words as objects": lambda c, rng: LETTERS[c].astype(object),
    "list": lambda c, rng: LETTERS[c].tolist(),
    "tuple": lambda c, rng: tuple(c.tolist()),
    "a column": lambda c, rng: c[:, None],
    "series": lambda c, rng: pd.Series(LETTERS[c], index=np.arange(len(c)) + 5),
    "category": lambda c, rng: pd.Series(pd.Categorical(LETTERS[c], categories=LETTERS)),
    "nullable": lambda c, rng: pd.Series(c, dtype="Int64"),
    "string": lambda c, rng: pd.Series(LETTERS[c], dtype="string"),
    "frame": lambda c, rng: pd.DataFrame({"y": c}),
    "polars": lambda c, rng: pl.Series("y", LETTERS[c].tolist()),
    "read-only": lambda c, rng: np.broadcast_to(c, (1, len(c)))[0],
    "backward": lambda c, rng: c[::-1],
    "odd words": lambda c, rng: np.array(["", " ", "\n", "é\u202e", "x" * 300])[c],
    "masked, nothing hidden": lambda c, rng: np.ma.masked_array(c),
}
SOFT = {
    "drawn": lambda c, rng: rng.dirichlet(np.ones(3), len(c)),
    "sure": lambda c, rng: np.eye(5)[c][:, : c.max(initial=1) + 1],
    "of integers": lambda c, rng: np.eye(5, dtype=int)[c][:, : c.max(initial=1) + 1],
    "float32": lambda c, rng: (0.8 * np.eye(3)[c % 3] + 0.2 / 3).astype(np.float32),
    "list": lambda c, rng: (0.8 * np.eye(3)[c % 3] + 0.2 / 3).tolist(),
    "frame": lambda c, rng: pd.DataFrame(0.8 * np.eye(3)[c % 3] + 0.2 / 3, columns=["x", "y", "z"]),
    "polars": lambda c, rng: pl.DataFrame(0.8 * np.eye(3)[c % 3] + 0.2 / 3, schema=["x", "y", "z"]),
    "an unused class": lambda c, rng: np.column_stack([rng.dirichlet(np.ones(2), len(c)), np.zeros(len(c))]),
    "tiny shares": lambda c, rng: np.abs(np.eye(3)[c % 3] - 1e-300),
    "no difference": lambda c, rng: np.full((len(c), 3), 1 / 3),
    "Fortran": lambda c, rng: np.asfortranarray(rng.dirichlet(np.ones(4), len(c))),
}


def _answers(c, rng):
    said = np.where(rng.random((len(c), 3)) < 0.8, c[:, None], rng.integers(0, 3, (len(c), 3)))
    return said, rng.random(said.shape) < 0.3


def _crowd(fill):
    return lambda c, rng: fill(*_answers(c, rng))


CROWD = {
    "integers": _crowd(lambda said, gone: said),
    "words or None": _crowd(lambda said, gone: np.where(gone, None, LETTERS[said])),
    "words or nothing": _crowd(lambda said, gone: np.where(gone, "", LETTERS[said])),
    "NaN": _crowd(lambda said, gone: np.where(gone, np.nan, said)),
    "masked": _crowd(lambda said, gone: np.ma.masked_array(said, gone)),
    "frame": _crowd(lambda said, gone: pd.DataFrame(LETTERS[said], columns=list("pqr")).mask(gone)),
    "nullable": _crowd(lambda said, gone: pd.DataFrame(said).astype("Int64").mask(gone)),
    "polars": _crowd(lambda said, gone: pl.DataFrame(np.where(gone, None, said.astype(object)).T.tolist())),
    "list": _crowd(lambda said, gone: np.where(gone, None, LETTERS[said]).tolist()),
    "one annotator": lambda c, rng: c,
    "many silent": _crowd(lambda said, gone: np.where(_most(said), None, said)),
    "someone silent": _crowd(lambda said, gone: np.where([[True, False, False]], None, said)),
}


def _most(said):
    """A pattern that silences most answers."""
    return np.arange(said.size).reshape(said.shape) % 7 > 0


_SETS = [{"a"}, {"a", "b"}, {"c"}, set(), {"b", "c"}]
_ROWS = np.array([[1, 0, 0], [1, 1, 0], [0, 0, 1], [0, 0, 0], [0, 1, 1]])
MULTI = {
    "zeros and ones": lambda c, rng: _ROWS[c],
    "booleans": lambda c, rng: _ROWS[c].astype(bool),
    "floats": lambda c, rng: _ROWS[c].astype(float),
    "frame": lambda c, rng: pd.DataFrame(_ROWS[c], columns=["p", "q", "r"]),
    "sparse": lambda c, rng: sparse.csr_matrix(_ROWS[c]),
    "sparse array": lambda c, rng: sparse.coo_array(_ROWS[c]),
    "sets": lambda c, rng: [_SETS[s] for s in c],
    "frozen sets": lambda c, rng: tuple(frozenset(_SETS[s]) for s in c),
    "lists": lambda c, rng: _objects([sorted(_SETS[s]) for s in c]),
    "series of sets": lambda c, rng: pd.Series([_SETS[s] for s in c]),
    "integers in sets": lambda c, rng: [{int(s), 7} for s in c],
    "plain": lambda c, rng: c,
    "all labels everywhere": lambda c, rng: np.ones((len(c), 3), dtype=int),
    "two columns": lambda c, rng: np.column_stack([c > 0, c < 2]).astype(int),
}
KINDS = {"hard": HARD, "noisy": HARD, "soft": SOFT, "crowd": CROWD, "multilabel": MULTI}

WRONG = {
    "bytes": lambda c: LETTERS[c].astype("S"),
    "a class of one": lambda c: np.where(np.arange(len(c)) == 1, 9, np.minimum(c, 1)),
    "nothing": lambda c: None,
    "no dimension": lambda c: np.array(1),
    "a number": lambda c: 3,
    "text": lambda c: "y",
    "too short": lambda c: c[:-1],
    "too long": lambda c: np.append(c, 0),
    "empty": lambda c: [],
    "empty array": lambda c: np.empty(0),
    "one class": lambda c: np.zeros(len(c), dtype=int),
    "a class each": lambda c: np.arange(len(c)),
    "measured": lambda c: np.linspace(0, 1, len(c)) ** 2 + 0.01,
    "measured, huge": lambda c: np.linspace(-1e300, 1e300, len(c)),
    "NaN inside": lambda c: _put(c, np.nan, float),
    "all NaN": lambda c: np.full(len(c), np.nan),
    "inf inside": lambda c: _put(c, np.inf, float),
    "None inside": lambda c: _put(LETTERS[c], None),
    "NA inside": lambda c: pd.Series(_put(c, pd.NA), dtype="Int64"),
    "NaN among words": lambda c: _put(LETTERS[c], np.nan),
    "words and numbers": lambda c: _put(LETTERS[c], 5),
    "booleans and words": lambda c: _put(LETTERS[c], True),
    "tuples": lambda c: _objects([(int(s), "x") for s in c]),
    "ragged": lambda c: [[1], [1, 2], *c.tolist()],
    "dictionaries": lambda c: [{"a": int(s)} for s in c],
    "a dictionary": lambda c: {"a": c},
    "dates": lambda c: np.datetime64("2020-01-01") + c,
    "durations": lambda c: c.astype("timedelta64[D]"),
    "dates in pandas": lambda c: pd.Series(pd.Timestamp("2020-01-01") + pd.to_timedelta(c, unit="D")),
    "complex": lambda c: c + 1j,
    "integers too long": lambda c: _objects([int(s) + 2**70 for s in c]),
    "masked": lambda c: np.ma.masked_equal(c, 1),
    "three dimensions": lambda c: np.zeros((len(c), 2, 2)),
    "no columns": lambda c: np.zeros((len(c), 0)),
    "negative shares": lambda c: np.array([1.5, -0.5])[np.column_stack([c % 2, 1 - c % 2])],
    "sums of two": lambda c: np.eye(5)[c] * 2,
    "rows of zeros": lambda c: np.eye(5)[c] * (c[:, None] > 0),
    "NaN shares": lambda c: np.where(c[:, None] > 0, np.eye(5)[c], np.nan),
    "infinite shares": lambda c: np.where(c[:, None] > 0, np.eye(5)[c], np.inf),
    "huge shares": lambda c: np.full((len(c), 3), 1e308),
    "one column of shares": lambda c: np.ones((len(c), 1)),
    "words as shares": lambda c: np.full((len(c), 2), "much"),
    "sparse shares": lambda c: sparse.csr_matrix(np.eye(5)[c]),
    "all silent": lambda c: np.full((len(c), 3), None),
    "counts": lambda c: np.eye(5, dtype=int)[c] * 3,
    "sets in sets": lambda c: [{frozenset({1}), "a"} for _ in c],
    "sets of words and numbers": lambda c: [{1, "a"} if s else {"b"} for s in c],
    "sets of NaN": lambda c: [{float("nan"), "a"} if s else {"b"} for s in c],
    "sets and None": lambda c: [None if s else {"b"} for s in c],
    "empty sets": lambda c: [set() for _ in c],
    "lists of lists": lambda c: [[[1]] for _ in c],
    "objects": lambda c: _objects([object() for _ in c]),
    "a generator": lambda c: (s for s in c),
    "records": lambda c: np.zeros(len(c), dtype=[("a", int)]),
    "a class": lambda c: int,
}


def draw_target(draw, kind, codes, *, what="y", wrong=0.08):
    """A target for a kind of labels: mostly of a right form, else of another kind or of none."""
    if draw.wrong(wrong):
        return draw.form(what, WRONG, codes)
    if draw.wrong(0.04):
        kind = draw.among(sorted(KINDS))
    forms = {name: (lambda codes, f=f: f(codes, draw.rng)) for name, f in KINDS[kind].items()}
    return draw.form(f"{what} {kind}", forms, codes)
