"""Signs that rows belong together although nobody says so: a column that is called like it, or copies of rows."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pandas as pd

from .tables.refused import shown

_THINGS = """account animal center centre client clinic clone cohort compound customer device donor employee experiment
family hospital household individual machine molecule mouse participant patient person plate player proband protein
respondent scaffold school sensor session site speaker specimen station store student subject user vehicle ward"""
_SHORT = r"ids?|[pus]id|ptid|u?subj(?:id)?|mrn|smiles"
_NAME = re.compile(rf"(?:{_SHORT}|(?:{'|'.join(_THINGS.split())})(?:s|en)?(?:ids?|nr|no|num|nummer|number|code)?)")
_LEAST_GROUPS = 3
_MOST_SIZE = 50
_MOST_CELLS = 50_000_000
_GLANCE = 20
_SURE = 10
"""So many times as many equal pairs of rows as chance would make of independent columns are no chance."""


def hints(frame: pd.DataFrame, columns: Sequence[str], X: pd.DataFrame) -> list[str]:
    """Sentences about columns of a table that look like groups of rows, and about rows with equal features."""
    found = [c for c in columns if _names_rows(c) and _groups(frame[c])]
    said = [
        f"rows may belong together: {shown(c)} has {frame[c].nunique():,} different values in {len(frame):,} rows; "
        f"--rows-by {shown(c)} keeps them together"
        for c in found[:3]
    ]
    copies = 0 if found else n_copies(X)
    if copies:
        said.append(
            f"rows may belong together: {copies:,} of {len(X):,} rows have exactly the features of another row; if "
            "they are copies, keep one of each, or name a column that says of what with --rows-by"
        )
    return said


def n_copies(X: pd.DataFrame) -> int:
    """How many rows equal another one, if chance does not explain it; 0 if it may.

    Rows of a few whole numbers are equal by chance, and empty rows of counts are too: some feature must tell most rows
    apart, and equal pairs must be more than independent features would give.
    """
    n_rows = len(X)
    if n_rows < 2 or not 0 < X.size <= _MOST_CELLS:
        return 0
    if not _hashed(X.iloc[:, :_GLANCE]).duplicated().any():
        return 0
    counts = _hashed(X).value_counts()
    pairs = float((counts * (counts - 1) / 2).sum())
    if not pairs:
        return 0
    frequencies = [X[c].value_counts(dropna=False).to_numpy() / n_rows for c in X.columns]
    if max(map(len, frequencies)) < len(counts) / 2:
        return 0
    by_chance = n_rows**2 / 2 * float(np.prod([(f**2).sum() for f in frequencies]))
    return int(counts[counts > 1].sum()) if pairs > _SURE * by_chance else 0


def _hashed(X) -> pd.Series:
    return pd.util.hash_pandas_object(X, index=False)


def _names_rows(column) -> bool:
    """Whether a column is called like a person, a place or a thing that may have several rows, or like its id."""
    words = re.findall(r"[^\W\d_]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", str(column)))
    return any(_NAME.fullmatch(word.lower()) for word in words)


def _groups(values) -> bool:
    """Whether text or whole numbers repeat, and make many groups."""
    if pd.api.types.is_numeric_dtype(values.dtype):
        there = values.dropna().to_numpy(dtype=float)
        if not np.isfinite(there).all() or (there % 1 != 0).any():
            return False
    n_groups, n_rows = values.nunique(), int(values.count())
    return max(_LEAST_GROUPS, n_rows / _MOST_SIZE) <= n_groups <= n_rows / 2
