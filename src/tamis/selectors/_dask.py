"""Sums over the blocks of dask arrays, on whatever runs them."""

from __future__ import annotations

import sys
import warnings
from operator import add

import numpy as np

from .. import _validation
from ..labels import CrowdLabels
from ..relevance import rows_of


def is_dask(X) -> bool:
    """Whether X is a dask array; dask is not imported for the question."""
    dask_array = sys.modules.get("dask.array")
    return dask_array is not None and isinstance(X, dask_array.Array)


def gathered(X, who):
    """An array of this process; a dask array is brought here, with a sentence about it."""
    if not is_dask(X):
        return X
    warnings.warn(
        f"{who} needs all rows at once: the dask array X, {X.nbytes / 2**20:,.0f} MiB, is gathered in this process. "
        "RankingSelector() takes it block by block.",
        UserWarning,
        stacklevel=4,
    )
    return X.compute()


def sums_of(criterion, labels, X, y, memberships, sample_weight=None):
    """Classes, and the sums of a criterion over all rows.

    Blocks are added two by two, in an order that depends on their number only: the same bits for any number of workers.
    """
    import dask
    import dask.array as da

    target = y if memberships is None else memberships
    if target is None:
        raise ValueError("requires y to be passed, but the target y is None.")
    _validation.check_rows_match(X, target)
    classes = None
    if labels.why_not_in_blocks() is not None or isinstance(labels, CrowdLabels):
        labels.fit(None, target.compute() if is_dask(target) else target)
        target, labels, classes = _validation.check_label_model(labels, len(X)), None, labels.classes_
    elif y is not None and np.ndim(y) == 1:
        classes = np.unique(_validation.labelled_cells(da.unique(y).compute() if is_dask(y) else y)[0])
        _validation.warn_of_one_class("y", classes, stacklevel=6)
    X = X.rechunk({1: -1})
    target = _in_blocks_of(X, target)
    weights: list = [None] * len(X.chunks[0])
    if sample_weight is not None:
        _validation.check_rows_match(X, sample_weight)
        weights = _in_blocks_of(X, sample_weight).to_delayed().ravel().tolist()
    work = dask.delayed(_sums_of_block)
    blocks = zip(X.to_delayed().ravel(), target.to_delayed().ravel(), weights, strict=True)
    parts = [work(criterion, labels, rows, block, classes, weight) for rows, block, weight in blocks]
    names, sums = parts[0][0], [part[1] for part in parts]
    while len(sums) > 1:
        sums = [dask.delayed(add)(*pair) if len(pair) == 2 else pair[0] for pair in _pairs(sums)]
    return dask.compute(names, sums[0])


def _in_blocks_of(X, values):
    """Values of the rows of X, in its blocks of rows."""
    import dask.array as da

    values = values if is_dask(values) else da.from_array(np.asarray(values), chunks=-1)
    return values.rechunk((X.chunks[0], *values.shape[1:]))


def _sums_of_block(criterion, labels, X, target, classes, weight):
    """Classes, and the sums over one block; without `labels` the target is memberships already."""
    X = _validation.check_samples(X, sparse=True, least=1, missing=True)
    if labels is not None:
        labels.fit(None, target, classes=classes)
        classes, target = labels.classes_, _validation.check_label_model(labels, X.shape[0])
    weight = None if weight is None else _validation.check_weights(weight, X.shape[0])
    X, target, rows = rows_of(X, target, _validation.Rows(weight))
    return classes, criterion.sums(X, rows.weighted(target))


def _pairs(items):
    return [items[i : i + 2] for i in range(0, len(items), 2)]
