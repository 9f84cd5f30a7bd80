"""Columns that are no numbers, targets that are no classes: each is named, with the way out."""

import datetime
import warnings
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pytest
from samples import gaussians
from scipy.sparse import csr_matrix

from tamis import (
    BlanketSelector,
    CrowdLabels,
    HardLabels,
    MLkNNClassifier,
    MultiLabels,
    NoisyLabels,
    RankingSelector,
    SequentialSelector,
    SoftLabels,
    bayes_risk,
    entropy,
    mutual_information,
    top_k_loss,
    wasserstein,
    weighted_laplacian_score,
)
from tamis.datasets import flip_near, uncertain_expert

X, CODES = gaussians(40, 2, 2, seed=3)
DATES = pd.date_range("2020-01-05", periods=40)

DOORS = {
    "sequential": lambda X, y: SequentialSelector(n_features_to_select=1).fit(X, y),
    "ranking": lambda X, y: RankingSelector().fit(X, y),
    "in blocks": lambda X, y: RankingSelector().partial_fit(X, y),
    "blanket": lambda X, y: BlanketSelector(n_features_to_select=1, random_state=0, n_conditioning=3, n_bins=10).fit(
        X, y
    ),
    "categories": lambda X, y: RankingSelector(categorical_features=[0]).fit(_with_category(X), y),
    "information": mutual_information,
    "risk": bayes_risk,
    "weighted laplacian": weighted_laplacian_score,
    "entropy": lambda X, y: entropy(X),
    "noisy": lambda X, y: NoisyLabels(random_state=0).fit(X, y),
    "neighbours": lambda X, y: MLkNNClassifier().fit(X, y),
    "neighbours, later": lambda X, y: MLkNNClassifier().fit(_zeros_like(X), CODES).predict(X),
    "flip": lambda X, y: flip_near(y, 0.1, X=X, random_state=0),
}


def _zeros_like(X):
    zeros = np.zeros((40, 2))
    return pd.DataFrame(zeros, columns=X.columns) if isinstance(X, pd.DataFrame) else zeros


def _with_category(X):
    if isinstance(X, pd.DataFrame):
        return pd.concat([pd.DataFrame({"kind": ["a", "b"] * 20}), X], axis=1)
    column = np.array([["a"], ["b"]] * 20, dtype=object)
    return np.ma.hstack([column, X]) if np.ma.isMaskedArray(X) else np.hstack([column, np.asarray(X, dtype=object)])


def _table(column):
    return pd.DataFrame({"height": X[:, 0], "odd": column})


GAPS = {
    "missing": (_table([np.nan, *X[1:, 1]]), "X contains NaN: column 'odd' .* row 0.*SimpleImputer"),
    "nullable": (_table(pd.array([1, None] * 20, dtype="Int64")), "X contains NaN: column 'odd' .* row 1"),
    "object": (_table(np.array([1, None] * 20, object)), "X contains NaN: column 'odd' .* row 1"),
    "polars": (pl.DataFrame({"a": [1.0, None] * 20, "b": X[:, 0]}), "X contains NaN: column 'a'"),
    "array": (np.where(X == X[3, 1], np.nan, X), "X contains NaN: column 1 .* row 3"),
    "several": (pd.DataFrame(np.full((40, 3), np.nan), columns=list("abc")), "column 'a' .* and 2 more columns"),
}
COLUMNS = {
    "empty text": (_table(["1", ""] * 20), "column 'odd' has"),
    "infinite": (_table([*X[1:, 1], np.inf]), "X contains infinity .*column 'odd' in row 39"),
    "too large": (_table([10**400] * 40), "number too large: column 'odd' in row 0"),
    "text": (_table(["red", "blue"] * 20), "column 'odd' has text, 'red' in row 0.*categorical_features"),
    "per cent": (_table(["12 %"] * 40), "column 'odd' has text, '12 %' in row 0. Write plain numbers"),
    "money": (_table(["€ 1,234"] * 40), "'€ 1,234' in row 0. Write plain numbers"),
    "thousands": (_table(["1", "1,234"] * 20), "'1,234' in row 1. Write plain numbers"),
    "negative": (_table(["(1'234.5)"] * 40), "Write plain numbers"),
    "dates": (_table(DATES), r"column 'odd' of X holds dates or times \(datetime64.*such as a year"),
    "zones": (_table(DATES.tz_localize("UTC")), "column 'odd' of X holds dates"),
    "durations": (_table(DATES - DATES[0]), "column 'odd' of X holds dates"),
    "periods": (_table(DATES.to_period("D")), "column 'odd' of X holds dates"),
    "date objects": (_table(list(DATES.date)), "column 'odd' of X holds dates or times .*2020-01-05"),
    "date texts": (_table(DATES.strftime("%d.%m.%Y")), "column 'odd' of X holds dates or times .*05.01.2020"),
    "objects": (_table([{}] * 40), "real number, not 'dict'. It is in column 'odd' of X, row 0"),
    "polars": (
        pl.DataFrame({"a": X[:, 0], "when": [datetime.date(2020, 1, 1)] * 40}),
        "column 'when' of X holds dates",
    ),
    "array of dates": (np.array([[np.datetime64("2020-01-01")] * 2] * 40), "X holds dates"),
    "objects of dates": (np.array([[1, np.datetime64("2020-01-01", "D")]] * 40, object), "column 1 of X holds dates"),
    "list": ([[1.0, "x"]] * 40, "column 1 has text, 'x' in row 0"),
    "list of dates": ([[1.0, np.timedelta64(3, "D")]] * 40, "column 1 of X holds dates"),
    "ragged": ([[1.0, 2.0]] * 39 + [[1.0]], "X must have rows of equal length"),
}


@pytest.mark.parametrize("door", ["ranking", "information", "noisy", "neighbours"])
@pytest.mark.parametrize("case", COLUMNS)
def test_a_column_that_is_no_number_is_named(door, case):
    table, words = COLUMNS[case]
    with pytest.raises((ValueError, TypeError), match=words):
        DOORS[door](table, CODES)


NO_GAPS = {
    "entropy": DOORS["entropy"],
    "neighbours": DOORS["neighbours"],
    "sequential": lambda X, y: SequentialSelector(missing="error").fit(X, y),
    "ranking": lambda X, y: RankingSelector(missing="error").fit(X, y),
    "in blocks": lambda X, y: RankingSelector(missing="error").partial_fit(X, y),
}


@pytest.mark.parametrize("door", NO_GAPS)
@pytest.mark.parametrize("case", GAPS)
def test_gaps_are_named_where_they_are_refused(door, case):
    table, words = GAPS[case]
    with pytest.raises(ValueError, match=words):
        NO_GAPS[door](table, CODES)


@pytest.mark.parametrize("case", [case for case in GAPS if case != "several"])
def test_gaps_of_every_kind_of_table_are_the_same(case):
    table = GAPS[case][0]
    plain = np.array([[np.nan if value is None else value for value in row] for row in _rows_of(table)], dtype=float)
    assert mutual_information(table, CODES) == mutual_information(plain, CODES)
    assert np.isfinite(mutual_information(table, CODES))
    found = RankingSelector(n_features_to_select=1).fit(table, CODES).missing_
    assert found.share.tolist() == np.isnan(plain).mean(axis=0).tolist()


def _rows_of(table):
    if isinstance(table, pl.DataFrame):
        return table.rows()
    return table.astype(object).where(table.notna(), None).to_numpy() if isinstance(table, pd.DataFrame) else table


@pytest.mark.parametrize("door", ["sequential", "ranking", "in blocks", "blanket", "information", "noisy"])
def test_infinity_is_named_behind_a_gap(door):
    with pytest.raises(ValueError, match=r"X contains infinity .*column 'odd' in row 39"):
        DOORS[door](_table([np.nan, *X[2:, 1], -np.inf]), CODES)


@pytest.mark.parametrize("door", DOORS)
def test_every_door_names_dates(door):
    with pytest.raises(ValueError, match="column 'odd' of X holds dates"):
        DOORS[door](_table(DATES), CODES)


def test_sparse_matrices_have_no_gaps():
    dirty = csr_matrix(X)
    dirty.data[3] = np.nan
    with pytest.raises(ValueError, match=r"what is not stored is zero, .* column 1 has NaN in row 1"):
        weighted_laplacian_score(dirty, CODES)


def test_numbers_in_other_clothes_are_numbers():
    table = pd.DataFrame({"a": X[:, 0], "b": np.round(X[:, 1])})
    truth = weighted_laplacian_score(table, CODES)
    zero_one = weighted_laplacian_score((table > 0).astype(float), CODES)
    assert (weighted_laplacian_score(table.astype(object), CODES) == truth).all()
    assert (weighted_laplacian_score(table.astype({"b": "Int64"}), CODES) == truth).all()
    assert (weighted_laplacian_score(table.astype({"b": str}), CODES) == truth).all()
    assert (weighted_laplacian_score(table.to_numpy().tolist(), CODES) == truth).all()
    assert (weighted_laplacian_score((table > 0).astype(object), CODES) == zero_one).all()


@pytest.mark.parametrize("door", DOORS)
def test_masks_are_not_ignored(door):
    masked = np.ma.array(X, mask=np.arange(80).reshape(40, 2) == 7)
    with pytest.raises(ValueError, match="X must have no masked values; 1 are masked"):
        DOORS[door](masked, CODES)


@pytest.mark.parametrize("door", ["ranking", "information", "blanket", "neighbours"])
def test_a_masked_array_without_masks_is_an_array(door):
    DOORS[door](np.ma.array(X), np.ma.array(CODES))


def test_masks_of_targets_are_not_ignored():
    y, P = np.ma.array(CODES, mask=np.arange(40) == 7), np.eye(2)[CODES]
    half = np.ma.array(P, mask=P > 2)
    half[5, 0] = np.ma.masked
    refused = {
        "y": [partial(DOORS[door], X, y) for door in DOORS if door not in ("entropy", "neighbours, later")]
        + [lambda: SoftLabels().fit(X, y), lambda: MultiLabels(2, n_neighbors=1).fit(X, half)]
        + [lambda: uncertain_expert(y, 0.3)],
        "memberships": [lambda: SoftLabels().fit(X, half), lambda: SoftLabels().fit(X, CODES, memberships=half)],
        "Y": [lambda: MLkNNClassifier().fit(X, half)],
        "X": [lambda: RankingSelector().fit(X, CODES).transform(np.ma.array(X, mask=X > 0))],
        "y_true": [lambda: top_k_loss(y, P, None)],
        "q": [lambda: wasserstein([0.5, 0.5], np.ma.array([0.5, 0.5], mask=[True, False]))],
    }
    for name, calls in refused.items():
        for call in calls:
            with pytest.raises(ValueError, match=f"^{name} must have no masked values"):
                call()
    assert CrowdLabels().fit(None, np.ma.array(np.tile(CODES, (3, 1)).T, mask=np.eye(40, 3) > 0)).n_answers_[0] == 39


TARGETS = {
    "nothing": (None, "requires y to be passed"),
    "empty": ([], "y must have a class per row; it is empty"),
    "a number": (5, "1d array"),
    "a word": ("abc", "1d array"),
    "mixed": ([1, "a"] * 20, "classes of one type; got text .'a'. and others .1."),
    "mixed objects": (np.array(["a", 1.5] * 20, object), "classes of one type"),
    "mixed and missing": ([1, "a", None], "classes of one type"),
    "all missing": ([None, np.nan, ""], "a label in some row; .* in all 3"),
    "infinite": ([0.0, np.inf, 1.0], "no missing value"),
    "NA": (pd.Series([pd.NA, pd.NA], dtype="Int64"), "a label in some row"),
    "NaT": (pd.Series([pd.NaT, DATES[0]]), "dates or times"),
    "measurements": (X[:, 0], "measurements, such as .*Unknown label type: continuous.*pandas.qcut"),
    "measurements as objects": (X[:, 0].astype(object), "measurements, such as .*pandas.qcut"),
    "whole measurements": (np.arange(40) * 7.0, "40 different numbers, like a measurement .*pandas.qcut"),
    "dates": (DATES, "y must have classes; it holds dates or times, such as '2020-01-05"),
    "date objects": (list(DATES.date), "y must have classes; it holds dates or times"),
    "bytes": (np.array([b"a", b"b"]), "text, whole numbers or truth values as classes"),
    "complex": (np.array([1j, 2]), "Complex data not supported"),
    "objects": (np.array([object(), object()]), "Unknown label type: object"),
    "sets": ([{1}, {2}], "labels='multilabel'"),
    "ragged": ([[1, 2], [3]], "labels='multilabel'"),
    "columns": (np.zeros((40, 2)), "one class per row; got 2 columns.*labels='soft'"),
    "sparse": (csr_matrix(CODES[:, None]), "sparse"),
}


@pytest.mark.parametrize("case", TARGETS)
def test_a_target_that_has_no_classes_is_told_why(case):
    y, words = TARGETS[case]
    with pytest.raises((ValueError, TypeError), match=words):
        HardLabels().fit(None, y)


@pytest.mark.parametrize(
    ("y", "only"),
    [
        (np.zeros(40), "0.0"),
        ([0.0, np.nan, 0.0], "0.0"),
        (pd.Series([True, pd.NA], dtype="boolean"), "True"),
        (pd.Categorical(["a", None]), "'a'"),
    ],
)
@pytest.mark.filterwarnings("ignore:. of . rows have no label")
def test_a_target_of_one_class_is_told(y, only):
    with pytest.warns(UserWarning, match=f"^y has only one class, {only}: no feature can predict it"):
        model = HardLabels().fit(None, y)
    assert model.memberships_.shape == (len(y), 1)


def test_whole_numbers_that_never_repeat_are_classes():
    with pytest.warns(UserWarning, match="y has 40 classes in 40 rows, so that most of them occur once"):
        assert len(HardLabels().fit(None, np.arange(40) * 7).classes_) == 40


@pytest.mark.parametrize("case", ["measurements", "whole measurements", "mixed", "dates"])
@pytest.mark.parametrize("door", ["sequential", "ranking", "blanket", "information", "noisy", "flip"])
def test_every_door_looks_at_the_target(door, case):
    y, words = TARGETS[case]
    with pytest.raises(ValueError, match=words):
        DOORS[door](X, y)


@pytest.mark.parametrize(
    ("y", "classes"),
    [
        (["b", "a"], ["a", "b"]),
        ((1, 0), [0, 1]),
        ([True, False], [False, True]),
        ([1.0, 2.0], [1, 2]),
        (np.array([1, 0], object), [0, 1]),
        (np.array([True, False], object), [False, True]),
        (pd.Series(["b", "a"]), ["a", "b"]),
        (pd.Categorical(["b", "a"]), ["a", "b"]),
        (pl.Series(["b", "a"]), ["a", "b"]),
        (["1.2.2020", "2.2.2020"], ["1.2.2020", "2.2.2020"]),
        (np.ma.array([1, 0]), [0, 1]),
    ],
)
def test_classes_in_any_container(y, classes):
    model = HardLabels().fit(None, y)
    assert model.classes_.tolist() == classes
    assert (model.memberships_.sum(axis=1) == 1).all()


def test_a_column_of_classes_is_taken_with_a_warning():
    for y in ([[1], [0]], [["b"], ["a"]], pd.DataFrame({"y": [1, 0]})):
        with pytest.warns(UserWarning, match="column-vector"):
            assert (HardLabels().fit(None, y).memberships_ == [[0, 1], [1, 0]]).all()


def test_classes_that_hardly_repeat_are_doubted():
    with pytest.warns(UserWarning, match="21 classes in 24 rows.*pandas.qcut"):
        HardLabels().fit(None, [*range(21), 0, 1, 2])
    with pytest.warns(UserWarning, match="24 classes in 24 rows"):
        HardLabels().fit(None, [f"name {i}" for i in range(24)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        HardLabels().fit(None, [*range(21)] * 2)


@pytest.mark.parametrize(
    ("y", "words"),
    [
        ([{1, "a"}, {1}], "classes of one type"),
        ([{1}, {2}, 3], "set of labels in every row; row 2 has 3"),
        ([None, np.nan], "in some row; they are missing in all 2"),
        ([{1}, "ab"], "set of labels in every row; row 1 has 'ab'"),
        ([{None}, {1}], "no missing value"),
        ([], "empty"),
        (np.array([[0, np.nan], [1, 0]]), "zeros and ones"),
    ],
)
def test_sets_of_labels_are_looked_at_too(y, words):
    with pytest.raises(ValueError, match=words):
        MultiLabels(transform="copy").fit(None, y)


def test_lists_of_labels_of_different_length_are_sets():
    model = MultiLabels(transform="copy").fit(None, [["a", "b"], ["b"], ["a"]])
    assert (model.memberships_ == [[1, 1], [0, 1], [1, 0]]).all()


@pytest.mark.parametrize(
    "selector",
    [RankingSelector, SequentialSelector, partial(BlanketSelector, n_conditioning=3, n_bins=10)],
    ids=["ranking", "sequential", "blanket"],
)
@pytest.mark.parametrize("asked", [[1], [False, True], np.array([1]), -1])
def test_categories_of_a_plain_list(selector, asked):
    rows = [[value, "ab"[code]] for value, code in zip(X[:, 0].tolist(), CODES, strict=True)]
    how = {"n_features_to_select": 1, "random_state": 0}
    fitted = selector(categorical_features=asked, **how).fit(rows, CODES)
    table = pd.DataFrame(rows, columns=["a", "b"])
    assert fitted.categories_[1].tolist() == ["a", "b"]
    assert (fitted.scores_ == selector(categorical_features=["b"], **how).fit(table, CODES).scores_).all()


@pytest.mark.parametrize(
    ("rows", "asked", "words"),
    [
        ([[1.0, "a"]] * 4, [5], "indices from 0 to 1"),
        ([[1.0, "a"]] * 4, True, "mask must have 2 entries"),
        ([[1.0, "a"]] * 4, ["a"], "names only when X is a table"),
        ([[1.0], [1.0, 2.0]], [0], "rows and columns"),
        ([1.0, 2.0], [0], "rows and columns"),
        ([], [0], "rows and columns"),
    ],
)
def test_categories_that_a_list_has_not(rows, asked, words):
    with pytest.raises(ValueError, match=words):
        RankingSelector(categorical_features=asked).fit(rows, [0, 1, 0, 1])


@pytest.mark.parametrize("n", [-1, 1.5, "a", True, [1], 10**30])
def test_suspects_are_counted_in_whole_numbers(n):
    model = NoisyLabels(None).fit(X, CODES)
    assert len(model.suspects(0)) == 0
    with pytest.raises(ValueError, match="n must be a whole number of at least 0"):
        model.suspects(n)
