"""What is known of the rows beside their values: how much each counts, which belong together, and when they were."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.utils import _safe_indexing, check_consistent_length
from sklearn.utils.validation import _num_samples

from .cells import check_numbers, missing_cells

LIGHTEST, HEAVIEST = 1e-6, 1e9
"""Weights beyond these cannot be added up beside each other without losing the smaller ones."""


@dataclass(frozen=True)
class Rows:
    """Weights, groups and times of the rows of a table, each None if there is nothing to say.

    Attributes
    ----------
    weight : ndarray of float64, shape (n_samples,), or None
        Above zero; an integer weight is the row repeated, the copies being of one group. None: one each.
    group : ndarray of intp, shape (n_samples,), or None
        0, 1, ...: rows of one group are not compared with each other. None: each row is a group of its own.
    time : ndarray of intp, shape (n_samples,), or None
        0, 1, ... in the order of time; equal times have equal numbers.
    """

    weight: np.ndarray | None = None
    group: np.ndarray | None = None
    time: np.ndarray | None = None

    @property
    def are_alike(self) -> bool:
        """Whether every row counts once and is a group of its own."""
        return self.weight is None and self.group is None

    def parts(self) -> tuple[np.ndarray | None, ...]:
        """Weights, groups and times."""
        return tuple(getattr(self, field.name) for field in fields(self))

    @property
    def is_nothing(self) -> bool:
        """Whether nothing is known of the rows."""
        return all(part is None for part in self.parts())

    def of(self, rows) -> Rows:
        """The same of some rows: indices, or a mask."""
        return Rows(*(None if part is None else part[rows] for part in self.parts()))

    def weights(self, n_samples) -> np.ndarray:
        return np.ones(n_samples) if self.weight is None else self.weight

    def weighted(self, memberships) -> np.ndarray:
        """Memberships times weights: what adds up over rows."""
        return memberships if self.weight is None else memberships * self.weight[:, None]

    def passed_on(self) -> dict[str, np.ndarray]:
        """Arguments of a `fit` for weights and groups, without those of which nothing is known."""
        known = {"sample_weight": self.weight, "groups": self.group}
        return {name: values for name, values in known.items() if values is not None}


def check_rows(n_samples, sample_weight=None, groups=None, order=None) -> tuple[Rows, np.ndarray | None]:
    """Rows of positive weight, and their indices if there are others."""
    weight = None if sample_weight is None else check_weights(sample_weight, n_samples)
    group = None if groups is None else _groups(groups, n_samples)
    time = None if order is None else _times(order, n_samples)
    present = None
    if weight is not None and not weight.all():
        present = np.flatnonzero(weight)
        if not len(present):
            raise ValueError("sample_weight must be above zero in some row; all are zero.")
        weight, group, time = (None if values is None else values[present] for values in (weight, group, time))
    if weight is not None and (weight == 1).all():
        weight = None
    if group is not None:
        group = np.unique(group, return_inverse=True)[1].ravel()
        if group.max(initial=-1) + 1 == len(group):
            group = None
        elif not group.any():
            raise ValueError(
                "groups must have at least two groups, as rows of one group are not compared with each other; all "
                "rows are in one. Leave groups out."
            )
    if time is not None:
        time = np.unique(time, return_inverse=True)[1].ravel()
    return Rows(weight, group, time), present


def present_rows(
    X, y, memberships, *, sample_weight=None, groups=None, order=None, least=2
) -> tuple[Any, Any, Any, Rows]:
    """The table, the target and what is known of the rows, without those of weight zero.

    Weights must add up to at least so many rows.
    """
    if sample_weight is None and groups is None and order is None:
        return X, y, memberships, Rows()
    if not hasattr(X, "shape") and not isinstance(X, (list, tuple)):
        X = np.asarray(X)
    check_consistent_length(X, y, memberships)
    rows, present = check_rows(_num_samples(X), sample_weight, groups, order)
    if rows.weight is not None and rows.weight.sum() < least:
        raise ValueError(
            f"sample_weight must say how many rows each row counts for; all of it adds up to {rows.weight.sum():g}. If "
            "weights are shares, multiply them by the number of rows."
        )
    if present is None:
        return X, y, memberships, rows
    return *(_taken(values, present) for values in (X, y, memberships)), rows


def check_company(rows: Rows, n_samples, what):
    """Every row has others, of other groups, that weigh one row together at least."""
    weight = rows.weights(n_samples)
    of_groups = weight if rows.group is None else np.bincount(rows.group, weights=weight)
    if weight.sum() - of_groups.max() < 1:
        raise ValueError(
            f"{what} needs at least two rows, of two groups if there are groups, that weigh one row each; got "
            f"{n_samples} of {weight.sum():g} in all. Give more rows a weight."
        )


def check_no_order(order):
    """No times come where rows come in blocks, which have neither folds nor a drift."""
    if order is not None:
        raise ValueError("order needs all rows at once; a dask array comes in blocks. Leave it out, or gather X.")


def _taken(values, rows):
    if values is None:
        return None
    if issparse(values):
        return values.tocsr()[rows]
    return _safe_indexing(values, rows)


def check_weights(values, n_samples) -> np.ndarray:
    """Finite weights, none of them negative."""
    if not issparse(values):
        _check_finite(_column("sample_weight", values, n_samples))
    weight = check_numbers("sample_weight", values, ensure_2d=False)
    _check_length("sample_weight", weight, n_samples)
    if (weight < 0).any():
        row = int(np.argmax(weight < 0))
        raise ValueError(
            f"sample_weight must not be negative; row {row} has {weight[row]:g}. Use 0 to leave a row out."
        )
    wrong = (weight > 0) & ((weight < LIGHTEST) | (weight > HEAVIEST))
    if wrong.any():
        row = int(np.argmax(wrong))
        raise ValueError(
            f"sample_weight must be 0, or from {LIGHTEST:g} to {HEAVIEST:g}; row {row} has {weight[row]:g}. Use 0 "
            "to leave a row out, and divide all weights if they are in other units."
        )
    return weight


def _groups(values, n_samples) -> np.ndarray:
    """Codes of groups; a row without one is a group of its own."""
    column = _column("groups", values, n_samples)
    if column.dtype == object and not all(isinstance(cell, Hashable) for cell in column.tolist()):
        raise ValueError("groups must be numbers or text; got lists or sets. Name each group by one value.")
    missing = missing_cells(column)
    codes = np.empty(n_samples, dtype=np.intp)
    try:
        codes[~missing] = np.unique(column[~missing], return_inverse=True)[1].ravel()
    except TypeError:  # of several types
        codes[~missing] = np.unique(column[~missing].astype(str), return_inverse=True)[1].ravel()
    codes[missing] = n_samples + np.arange(missing.sum())
    return codes


def _times(values, n_samples) -> np.ndarray:
    if getattr(getattr(values, "dtype", None), "ordered", False):  # categories of pandas have an order of their own
        codes = getattr(values, "cat", values).codes
        values = np.where(codes < 0, np.nan, codes)
    column = _column("order", values, n_samples)
    if column.dtype.kind == "U" and isinstance(values, (list, tuple)) and not all(isinstance(v, str) for v in values):
        column = np.array(values, dtype=object)  # numbers beside text are no text
    missing = missing_cells(column)
    if missing.any():
        raise ValueError(
            f"order must say of every row when it was; row {int(missing.argmax())} says nothing ({missing.sum()} such "
            "rows). Drop these rows."
        )
    try:
        return np.unique(column, return_inverse=True)[1].ravel()
    except TypeError as error:
        raise ValueError(
            f"order must be numbers, dates or text that can be sorted; got several types ({error}). Convert them."
        ) from error


def _check_finite(column):
    """Numbers, none of them missing or infinite."""
    missing = missing_cells(column)
    wrong = missing.copy()
    try:
        wrong[~missing] = ~np.isfinite(column[~missing].astype(float))
    except (TypeError, ValueError) as error:
        raise ValueError(f"sample_weight must be numbers; got something else ({error}). Convert it.") from error
    if wrong.any():
        row = int(wrong.argmax())
        what = "NaN" if missing[row] else "infinity"
        raise ValueError(
            f"sample_weight must be a finite number in every row; row {row} has {what} ({wrong.sum()} such rows). Use "
            "0 to leave a row out."
        )


def _column(name, values, n_samples) -> np.ndarray:
    try:
        column = values.to_numpy() if hasattr(values, "to_numpy") else np.asarray(values)
    except ValueError as error:
        raise ValueError(
            f"{name} must be one value for each of the {n_samples} samples; got rows of unequal length."
        ) from error
    if column.ndim == 2 and column.shape[1] == 1:
        column = column.ravel()
    _check_length(name, column, n_samples)
    return column


def _check_length(name, column, n_samples):
    if column.ndim != 1 or len(column) != n_samples:
        raise ValueError(f"{name} must be one value for each of the {n_samples} samples; got shape {column.shape}.")
