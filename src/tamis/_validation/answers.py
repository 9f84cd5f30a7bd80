"""Annotators' answers."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from sklearn.utils import check_consistent_length
from sklearn.utils.validation import _get_feature_names

from ._words import some
from .cells import is_missing, missing_cells
from .classes import check_classes, codes_of
from .parameters import check_count, check_list

_RAGGED = "y must have rows of equal length, an answer or None for each annotator; it has not."


class Answers(NamedTuple):
    """One entry per answer, in the order of the rows: its row, its annotator, and what was said, as codes.

    `classes` are sorted; `annotators` are names, or numbers of columns.
    """

    row: np.ndarray
    annotator: np.ndarray
    label: np.ndarray
    n_rows: int
    classes: np.ndarray
    annotators: np.ndarray

    def part(self, chosen, **changed) -> Answers:
        """Some of the answers, given as a mask."""
        some_of_them = {name: getattr(self, name)[chosen] for name in ("row", "annotator", "label")}
        return self._replace(**some_of_them, **changed)


class LongAnswers:
    """Annotators' answers, one entry each: a table of rows and annotators in which most cells are empty.

    It is made by `answers_of`, is the y of `labels="crowd"`, and rows are taken from it as from an array.
    """

    ndim = 2

    def __init__(self, row, annotator, label, n_rows, annotators, labels):
        self._row, self._annotator, self._label = row, annotator, label
        self.shape = (n_rows, len(annotators))
        self.annotators, self.labels = annotators, labels

    def __len__(self):
        return self.shape[0]

    def __repr__(self):
        return f"<{len(self._row)} answers of {self.shape[1]} annotators for {self.shape[0]} rows>"

    def __getitem__(self, key) -> LongAnswers:
        """The answers for some rows: a slice, indices or a mask."""
        taken = np.atleast_1d(np.arange(len(self))[key[0] if isinstance(key, tuple) else key])
        first = np.searchsorted(self._row, np.arange(len(self) + 1))
        lengths = np.diff(first)[taken]
        row = np.repeat(np.arange(len(taken)), lengths)
        start = np.cumsum(lengths) - lengths
        place = first[taken][row] + np.arange(len(row)) - start[row]
        parts = row, self._annotator[place], self._label[place]
        return LongAnswers(*parts, len(taken), self.annotators, self.labels)

    @property
    def iloc(self):
        """Rows by their position, as in pandas."""
        return self

    def take(self, indices, axis=0) -> LongAnswers:
        return self[np.asarray(indices)]

    def __array__(self, dtype=None, copy=None):
        table = np.full(self.shape, None, dtype=object)
        table[self._row, self._annotator] = self.labels[self._label]
        return table if dtype is None else table.astype(dtype)

    def to_frame(self):
        """A pandas table with a row per sample, a column per annotator, and None where there is no answer."""
        from .samples import import_pandas

        pd = import_pandas("to_frame")
        return pd.DataFrame(np.asarray(self), columns=self.annotators, dtype=object)

    def coded(self, missing_value):
        """Row, annotator and answer of each entry, and the different answers, without those that stand for none."""
        blank = _is_blank(self.labels, missing_value)
        there = ~blank[self._label]
        used, label = np.unique(self._label[there], return_inverse=True)
        return self._row[there], self._annotator[there], label, self.labels[used].tolist()


def check_answers(y, missing_value=None, known=None) -> Answers:
    """Annotators' answers, as a table with a column for each of them, or in the long form.

    `known` are all classes, when y may lack some.
    """
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None.")
    if not np.isscalar(missing_value) and not is_missing(missing_value):
        raise ValueError(f"missing_value must be one value that stands for no answer; got {missing_value!r}.")
    if isinstance(y, LongAnswers):
        row, who, label, said = y.coded(missing_value)
        annotators, n_rows = y.annotators, len(y)
    else:
        names, table = _get_feature_names(y), _wide(y)
        row, who = np.nonzero(~_is_blank(table, missing_value))
        said = table[row, who].tolist()
        label, n_rows = np.arange(len(said)), len(table)
        annotators = np.arange(table.shape[1]) if names is None else names
    if not said:
        raise ValueError("y must have answers; all are missing. Check what stands for one, and missing_value.")
    given = np.array(said)
    if given.dtype.kind == "U" and not all(isinstance(answer, str) for answer in said):
        raise ValueError("y must have answers of one type; got both text and other values. Make all of them text.")
    classes, codes = check_classes(given, known, least=1)
    return Answers(row, who, codes[label], n_rows, classes, annotators)


def _wide(y) -> np.ndarray:
    table = _table_of(y)
    if table.ndim == 1 and any(isinstance(row, (list, tuple)) for row in table.tolist()):
        raise ValueError(_RAGGED)
    if table.ndim == 1:
        table = table[:, None]
    if table.ndim != 2:
        raise ValueError(f"y must have a row per sample and a column per annotator; got {table.ndim} dimensions.")
    return table


def _table_of(y) -> np.ndarray:
    """Any values, with None where a table or a masked array has none."""
    if np.ma.isMaskedArray(y):
        return np.where(np.ma.getmaskarray(y), np.array(None), y.data.astype(object))
    if hasattr(y, "isna"):  # pandas, whose NA differs from everything, even in being different
        return np.where(y.isna().to_numpy(), np.array(None), y.to_numpy(object))
    try:
        return np.asarray(y, dtype=object)
    except ValueError as error:
        raise ValueError(_RAGGED) from error


def _is_blank(table, missing_value) -> np.ndarray:
    none: Any = None
    # Only NaN differs from itself.
    blank = (table == none) | (table == "") | (table != table)
    return (blank if is_missing(missing_value) else blank | (table == missing_value)).astype(bool)


def check_gold(gold, n_rows, classes, known=None) -> np.ndarray:
    """The true class of each row as a code, -1 where it is not known."""
    column = _table_of(gold)
    if column.ndim == 2 and column.shape[1] == 1:
        column = column[:, 0]
    if column.ndim != 1:
        raise ValueError(f"gold must be one column, the true class of a row or None; got {column.ndim} dimensions.")
    if len(column) != n_rows:
        raise ValueError(
            f"gold must have an entry per row, None where the class is not known; got {len(column)} for {n_rows} rows."
        )
    column = np.where(missing_cells(column) | (column == ""), np.array(None), column)
    there = column != np.array(None)
    if not there.any():
        raise ValueError("gold must know the class of some row; it is empty. Leave it out.")
    said = column[there].tolist()
    codes = np.full(n_rows, -1)
    new = [c for c in set(said) if c not in classes.tolist()]
    if new:
        raise ValueError(
            f"gold must have classes that annotators answer with; {new[0]!r} is not one of {some(classes.tolist())}. "
            "If it is a class that nobody has named, pass all classes as classes=."
        )
    codes[there] = codes_of(np.array(said), classes)
    return codes


def check_annotators(names, known) -> np.ndarray:
    """Places of the annotators among the known ones."""
    if np.ndim(known) != 1 or np.ndim(names) != 1:
        raise ValueError("annotators must be a list of names, one for each; got something else.")
    place = {name: a for a, name in enumerate(np.asarray(known).tolist())}
    new = [name for name in np.asarray(names).tolist() if name not in place]
    if new:
        raise ValueError(f"annotators must be known; {new[0]!r} is not one of {some(list(place))}.")
    return np.array([place[name] for name in np.asarray(names).tolist()], dtype=np.intp)


def check_long_answers(row, annotator, label, n_rows, annotators) -> LongAnswers:
    """Three columns of a long table of answers, in the order of the rows, nobody answering twice for one.

    An answer that is repeated counts once; two that differ are refused, and empty ones are left out.
    """
    for name, values in (("row", row), ("annotator", annotator), ("label", label)):
        check_list(name, values, "values, one per answer")
    check_consistent_length(row, annotator, label)
    rows, names, labels = np.asarray(row), np.asarray(annotator), np.asarray(label, dtype=object)
    for column, values in (("row", rows), ("annotator", names), ("label", labels)):
        if values.ndim != 1:
            raise ValueError(f"{column} must be a plain column, one value per answer; got {values.ndim} dimensions.")
    if not len(rows):
        raise ValueError("there must be at least one answer; got none.")
    if rows.dtype.kind not in "iu" or rows.min() < 0:
        raise ValueError(f"row must be whole numbers that count from 0; got {rows[:3].tolist()}...")
    n_rows = check_count("n_rows", int(rows.max()) + 1 if n_rows is None else n_rows)
    if rows.max() >= n_rows:
        raise ValueError(f"row must be below n_rows = {n_rows}; got {rows.max()}.")
    found, who = _sorted_codes(names)
    if annotators is not None:
        check_list("annotators", annotators, "names")
        who, found = check_annotators(found, annotators)[who], np.asarray(annotators)
    said, codes = _first_codes(labels)
    order = np.lexsort((who, rows))
    order = order[~missing_cells(said)[codes][order]]
    rows, who, codes = rows[order].astype(np.intp), who[order], codes[order]
    again = (np.diff(rows) == 0) & (np.diff(who) == 0)
    differ = np.flatnonzero(again & (np.diff(codes) != 0))
    if len(differ):
        place = differ[0]
        who_it_is, answers = found.tolist()[who[place]], said[codes[place : place + 2]].tolist()
        raise ValueError(
            f"an annotator must give one answer per row; {who_it_is!r} gave {answers[0]!r} and {answers[1]!r} for row "
            f"{rows[place]}. Keep one of them, or give the second answer an annotator of its own."
        )
    kept = np.concatenate([[True], ~again]) if len(rows) else slice(None)
    return LongAnswers(rows[kept], who[kept], codes[kept], n_rows, found, said)


def _sorted_codes(names):
    """The different names, sorted, and the place of each."""
    found, codes = _first_codes(names)
    try:
        order = np.argsort(found, kind="stable")
    except TypeError as error:
        raise ValueError("annotator must have names of one type; got several. Make all of them text.") from error
    place = np.empty(len(found), dtype=np.intp)
    place[order] = np.arange(len(found))
    return np.array(found[order].tolist()), place[codes]


def _first_codes(values) -> tuple[np.ndarray, np.ndarray]:
    """The different values in the order in which they come, and the place of each; hashing is faster than sorting."""
    from .samples import import_pandas

    codes, found = import_pandas("answers_of").factorize(values, use_na_sentinel=False)
    return np.asarray(found, dtype=object), codes.astype(np.intp)
