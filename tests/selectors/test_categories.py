"""Columns that hold categories."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import reference
from samples import CHEAP, gaussians, one_hot

from tamis import BayesRisk, MutualInformation, NoisyLabels, RankingSelector, SequentialSelector

X, CODES = gaussians(150, 4, 3, seed=6)
COLOURS = np.array(["red", "green", "blue", "grey"])
_DRAWN = np.random.default_rng(0)
COLOUR = COLOURS[np.where(_DRAWN.random(150) < 0.7, CODES, _DRAWN.integers(0, 4, 150))]
SHAPE = _DRAWN.integers(0, 3, 150)


def table(kind="category"):
    frame = pd.DataFrame({"x": X[:, 0], "colour": COLOUR, "noise": X[:, 3] * 100, "shape": SHAPE})
    return frame.astype({"colour": kind})


def one_hot_columns(values):
    return (values[:, None] == np.unique(values)) / np.sqrt(2)


@pytest.mark.parametrize(
    "quantity", [MutualInformation(), MutualInformation(estimator="distance"), BayesRisk()], ids=str
)
def test_a_category_is_a_group_of_its_indicators(quantity):
    mixed = SequentialSelector(quantity, n_features_to_select=2, categorical_features=["colour", "shape"]).fit(
        table(), CODES
    )
    coordinates = np.column_stack(
        [X[:, 0] / X[:, 0].std(), one_hot_columns(COLOUR), X[:, 3] / X[:, 3].std(), one_hot_columns(SHAPE)]
    )
    groups = [[0], [1, 2, 3, 4], [5], [6, 7, 8]]
    by_hand = SequentialSelector(quantity, n_features_to_select=1, scale=None, feature_groups=groups)
    by_hand.fit(coordinates - coordinates.mean(axis=0), CODES)
    np.testing.assert_allclose(mixed.path_.scores, by_hand.path_.scores, atol=1e-12)
    assert mixed.path_.sizes.tolist() == [4, 3, 2, 1]
    assert mixed.categories_[1].tolist() == ["blue", "green", "grey", "red"]


def test_the_information_of_a_category_is_that_of_its_counts():
    """Distances between categories are zero or one: whole cells are inside a ball, or nothing of them."""
    selector = SequentialSelector(n_features_to_select=1, categorical_features=[0]).fit(COLOUR[:, None], CODES)
    expected = reference.mutual_information(one_hot_columns(COLOUR), one_hot(CODES))
    assert selector.path_.scores[0] == pytest.approx(expected, abs=1e-9)


def test_pandas_polars_and_declared_columns_agree():
    typed = SequentialSelector(n_features_to_select=2).fit(table(), CODES)
    named = SequentialSelector(n_features_to_select=2, categorical_features=["colour"]).fit(table("object"), CODES)
    frame = pl.DataFrame(table("object")).with_columns(pl.col("colour").cast(pl.Categorical))
    polars = SequentialSelector(n_features_to_select=2).fit(frame, CODES)
    codes = table("object")
    codes["colour"] = np.unique(COLOUR, return_inverse=True)[1]
    numbers = SequentialSelector(n_features_to_select=2, categorical_features=[1]).fit(codes.to_numpy(), CODES)
    for other in (named, polars, numbers):
        assert other.path_ == typed.path_
    as_number = SequentialSelector(n_features_to_select=2, categorical_features=None).fit(codes, CODES)
    assert as_number.path_ != typed.path_
    assert not hasattr(as_number, "categories_")


def test_mixed_tables_go_through_whole():
    frame = table()
    selector = SequentialSelector(labels=NoisyLabels(random_state=0), random_state=0, n_features_to_select=2).fit(
        frame, CODES
    )
    assert selector.support_[1]
    kept = selector.set_output(transform="pandas").transform(frame)
    assert kept.columns.tolist() == selector.get_feature_names_out().tolist()
    ranking = RankingSelector("mutual_information", n_features_to_select="auto", random_state=0, **CHEAP).fit(
        frame, CODES
    )
    assert ranking.support_[1]
    laplacian = RankingSelector(n_features_to_select=1).fit(frame, CODES)
    assert laplacian.n_features_ == 1


def test_a_category_within_a_group():
    selector = SequentialSelector(n_features_to_select=2, feature_groups=[["x", "noise"], ["colour", "shape"]])
    selector.fit(table(), CODES)
    assert selector.path_.sizes.tolist() == [4, 2]
    assert selector.support_.tolist() == [False, True, False, True]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"colour": np.arange(150).astype(str)}, "'colour' must have fewer categories than rows; all its 150 values"),
        ({"colour": [1, "a"] * 75}, "'colour' must be of one type; got int and str. Make them all text"),
    ],
)
def test_bad_categories(change, said):
    with pytest.raises(ValueError, match=said):
        SequentialSelector(categorical_features=["colour"]).fit(table("object").assign(**change), CODES)


def test_a_missing_category_is_one_of_its_own():
    gaps = np.where(np.arange(150) % 5 == 0, None, COLOUR)
    with_gaps = table("object").assign(colour=gaps)
    filled = table("object").assign(colour=np.where(np.arange(150) % 5 == 0, "~nothing", COLOUR))
    how = dict(categorical_features=["colour"], n_features_to_select=1)
    found, wanted = (SequentialSelector(**how).fit(one, CODES) for one in (with_gaps, filled))
    assert found.path_ == wanted.path_
    assert found.categories_[list(with_gaps).index("colour")][-1] is None
    assert found.missing_.share[list(with_gaps).index("colour")] == 0.2
    assert wanted.missing_ is None
    with pytest.raises(ValueError, match="'colour' must not have missing values where missing='error'; row 0 has one"):
        SequentialSelector(missing="error", **how).fit(with_gaps, CODES)


def test_text_that_is_not_declared():
    with pytest.raises(ValueError, match="Name columns of text in categorical_features"):
        SequentialSelector().fit(table("object"), CODES)
    with pytest.raises(ValueError, match=r"Write \['colour'\] for a column"):
        SequentialSelector(categorical_features="colour").fit(table("object"), CODES)
    with pytest.raises(ValueError, match="Encode them as zeros and ones"):
        RankingSelector(categorical_features=[1]).partial_fit(X, CODES)
