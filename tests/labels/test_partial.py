"""Answers that are less than a class, as memberships."""

import warnings

import numpy as np
import pandas as pd
import pytest
from samples import gaussians

from tamis import RankingSelector, SequentialSelector, SoftLabels, WeightedLaplacian, memberships_of
from tamis.datasets import make_spheres, make_squares, make_y4, make_y5, uncertain_expert


def rows_of(table):
    return table.to_numpy().tolist()


@pytest.mark.parametrize("problem", [make_spheres, make_squares, make_y4, make_y5])
@pytest.mark.parametrize("doubt", [0.2, 0.35])
def test_a_class_with_its_confidence_is_the_matrix_it_stands_for(problem, doubt):
    """On the artificial problems of Doquire and Verleysen (2012), of an expert who records a class and a share."""
    X, y, _ = problem(random_state=0)
    matrix, recorded, _ = uncertain_expert(y, doubt, reading="observed-spread", random_state=0)
    classes, codes = np.unique(recorded, return_inverse=True)
    confidence = matrix[np.arange(len(y)), codes]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # some are below that of a guess
        table = memberships_of(recorded, confidence=confidence)
    assert table.columns.tolist() == classes.tolist()
    np.testing.assert_allclose(table, matrix, rtol=0, atol=1e-15)
    for selector in (
        RankingSelector(WeightedLaplacian(), labels="soft", n_features_to_select=3),
        SequentialSelector(labels="soft", n_features_to_select=3),
    ):
        np.testing.assert_allclose(selector.fit(X, table).scores_, selector.fit(X, matrix).scores_, rtol=1e-9)


def test_the_names_of_the_classes_are_kept():
    X, codes = gaussians(60, 3, 3, seed=0)
    for names in (["cat", "dog", "eel"], [3, 5, 9], [False, True, True]):
        y = np.array(names)[codes]
        selector = RankingSelector(labels="soft", n_features_to_select=1)
        selector.fit(X, memberships_of(y, confidence=np.full(60, 0.9)))
        assert selector.classes_.tolist() == sorted(set(names))


def test_candidates_are_equally_likely():
    table = memberships_of(candidates=[{"b", "a"}, ["a", "a"], "b", (), None, ["c", None], np.nan, ""])
    assert table.columns.tolist() == ["a", "b", "c"]
    nothing = [0.0, 0.0, 0.0]
    assert rows_of(table) == [[0.5, 0.5, 0], [1, 0, 0], [0, 1, 0], nothing, nothing, [0, 0, 1], nothing, nothing]


def test_a_ranking_weighs_the_centroid_of_all_distributions_in_its_order():
    drawn = np.sort(np.random.default_rng(0).dirichlet(np.ones(4), size=200_000))[:, ::-1]
    table = memberships_of(ranking=[["d", "a", "c", "b"], ["b", "d", "a"], ["c"], None])
    np.testing.assert_allclose(table.loc[0, ["d", "a", "c", "b"]], drawn.mean(axis=0), atol=2e-3)
    np.testing.assert_allclose(table.loc[1, ["b", "d", "a", "c"]], [11 / 18, 5 / 18, 2 / 18, 0])
    assert rows_of(table.loc[2:]) == [[0, 0, 1, 0], [0, 0, 0, 0]]


def test_places_of_a_ranking_may_be_columns():
    places = pd.DataFrame({"first": ["a", "b", None], "second": ["b", None, None]}, index=[7, 8, 9])
    table = memberships_of(ranking=places)
    assert table.index.tolist() == [7, 8, 9]
    assert rows_of(table) == [[0.75, 0.25], [0, 1], [0, 0]]


@pytest.mark.parametrize(
    "votes",
    [
        pd.DataFrame({"b": [1, 0, 0], "a": [3, 2, np.nan]}),
        [{"a": 3, "b": 1}, {"a": 2, "b": np.nan}, None],
        [{"b": 1, "a": 3}, {"a": 2}, {}],
    ],
)
def test_votes_become_shares(votes):
    table = memberships_of(votes=votes)
    assert table.columns.tolist() == ["a", "b"]
    assert rows_of(table) == [[0.75, 0.25], [1, 0], [0, 0]]


def test_classes_may_be_named_that_nobody_names():
    assert rows_of(memberships_of(["b"], confidence=[0.5], classes=["a", "b", "c"])) == [[0.25, 0.5, 0.25]]
    assert rows_of(memberships_of(candidates=["b"], classes=["a", "b"])) == [[0, 1]]
    assert rows_of(memberships_of(votes=[[1, 3]], classes=["y", "x"])) == [[0.75, 0.25]]
    assert rows_of(memberships_of(votes=[[1, 3]])) == [[0.25, 0.75]]
    assert rows_of(memberships_of(votes=pd.DataFrame({"a": [2]}), classes=["a", "b"])) == [[1, 0]]


def test_a_class_without_a_confidence_is_certain_and_one_below_a_guess_is_doubted():
    with pytest.warns(UserWarning, match="1 of 4 rows have a class without a confidence; they count as certain"):
        table = memberships_of(["a", "b", None, ""], confidence=[None, 0.5, 0.7, np.nan])
    assert rows_of(table) == [[1, 0], [0.5, 0.5], [0, 0], [0, 0]]
    with pytest.warns(UserWarning, match=r"1 of 2 rows have a confidence below 1 / 2, that of a guess"):
        assert rows_of(memberships_of(["a", "b"], confidence=[0.2, 1])) == [[0.2, 0.8], [0, 1]]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "exactly one of .* must be given; got none"),
        ({"candidates": ["a", "b"], "votes": [[1, 2]]}, "got candidates and votes"),
        ({"y": ["a", "b"]}, "exactly one of"),
        ({"y": ["a", "b"], "candidates": ["a", "b"]}, "confidence must come with y"),
        ({"confidence": [0.5, 0.5]}, "confidence must come with y"),
        ({"y": ["a", "b"], "confidence": [0.5, 80]}, "from 0 to 1; row 1 has 80 .*Divide percent by 100"),
        ({"y": ["a", "b"], "confidence": [-0.5, 0.8]}, "from 0 to 1; row 0 has -0.5"),
        ({"y": ["a", "b"], "confidence": [0.5]}, "one number per row of y, 2; got shape"),
        ({"y": ["a", "b"], "confidence": ["sure", "unsure"]}, "confidence"),
        ({"y": ["a", "b"], "confidence": [0.5, np.inf]}, "infinity"),
        ({"y": ["a", "a"], "confidence": [0.5, 0.6]}, "at least two classes; .*'a'. Name all classes with classes="),
        ({"y": ["a", "b"], "confidence": [0.5, 0.6], "classes": ["a", "c"]}, "'b' is not one of"),
        ({"candidates": [None, [], ""]}, "candidates must name a class in some row; all rows are empty"),
        ({"candidates": ["a", {"a"}]}, "candidates must have at least two classes; got only 1"),
        ({"candidates": ["a", {"z"}], "classes": ["a", "b"]}, "candidates must have only classes that are known; 'z'"),
        ({"candidates": [{"a", 1}]}, "candidates must have classes of one type"),
        ({"candidates": "ab"}, "an entry per row; got str"),
        ({"candidates": []}, "an entry per row; it is empty"),
        ({"ranking": [["a", "b", "a"]]}, "name a class once in a row; row 0 has 'a' twice"),
        ({"ranking": [["a", "b"], {"a", "b"}]}, "in order, best first; row 1 is a set"),
        ({"votes": [[1, -2]]}, "votes must not be negative; row 0 has -2"),
        ({"votes": [{"a": 1}, 3]}, "a dictionary in every row, or None; row 1 has 3"),
        ({"votes": [[1, 2]], "classes": ["a", "b", "c"]}, "one column per class; got 2 columns for 3"),
        ({"votes": [[1, 2, 3]], "classes": ["a", "b", "a"]}, "one column per class; got 3 columns for 2"),
        ({"votes": [[1], [2]]}, "at least two classes"),
    ],
)
def test_what_says_nothing_clear_is_refused(given, words):
    with pytest.raises(ValueError, match=words) as refusal:
        memberships_of(**given)
    assert str(refusal.value).endswith(".")


def test_rows_that_say_nothing_are_left_out():
    X, codes = gaussians(60, 3, 3, seed=1)
    P = memberships_of(codes, confidence=np.full(60, 0.8))
    P.iloc[::6] = 0.0
    some = np.arange(60) % 6 > 0
    with pytest.warns(UserWarning, match="10 of 60 rows have no label; they are left out"):
        model = SoftLabels().fit(None, P)
    assert model.n_unlabelled_ == 10
    with pytest.warns(UserWarning, match="10 of 60 rows have no label"):
        np.testing.assert_array_equal(SoftLabels().fit(None, P[some].reindex(P.index)).memberships_, model.memberships_)
    selector = RankingSelector(WeightedLaplacian(), labels="soft", n_features_to_select=1)
    with pytest.warns(UserWarning, match="no label"):
        found = selector.fit(X, P).scores_
    np.testing.assert_allclose(found, selector.fit(X[some], P[some]).scores_, rtol=1e-12)


@pytest.mark.parametrize(
    ("P", "words"),
    [
        ([[np.nan, 1.0], [0.5, 0.5]], "all classes of a row, or for none; row 0 has NaN beside numbers"),
        ([[np.nan, np.nan], [0.0, 0.0]], "say something of some row"),
    ],
)
def test_probabilities_with_gaps_are_refused(P, words):
    with pytest.raises(ValueError, match=words):
        SoftLabels().fit(None, P)
