"""Weights, groups and times of rows at the door."""

import numpy as np
import pandas as pd
import pytest

from tamis._validation import Rows, check_rows, present_rows

X, Y = np.arange(8.0).reshape(4, 2), list("abab")


def test_what_says_nothing_is_nothing():
    assert check_rows(3, [1, 1, 1], ["a", "b", "c"]) == (Rows(), None)
    assert present_rows(X, Y, None)[3] == Rows()


def test_rows_of_weight_zero_are_absent():
    kept, y, memberships, rows = present_rows(
        pd.DataFrame(X), Y, np.eye(4), sample_weight=[2, 0, 1, 3], groups=list("pqrp"), order=[3, 9, 1, 3]
    )
    assert kept.to_numpy().tolist() == X[[0, 2, 3]].tolist()
    assert y == ["a", "a", "b"]
    assert memberships.shape == (3, 4)
    assert rows.weight.tolist() == [2, 1, 3]
    assert rows.group.tolist() == [0, 1, 0]
    assert rows.time.tolist() == [1, 0, 1]


def test_a_row_without_a_group_is_one_of_its_own():
    rows, _ = check_rows(5, groups=["p", None, "p", np.nan, "q"])
    assert rows.group[0] == rows.group[2]
    assert len(set(rows.group.tolist())) == 4


@pytest.mark.parametrize("times", [["2024-02-01", "2023-05-01", "2024-02-01"], [2.5, -1, 2.5]])
def test_times_are_ranks(times):
    assert check_rows(3, order=times)[0].time.tolist() == [1, 0, 1]
    assert check_rows(3, order=pd.Series(pd.to_datetime(["2024-02-01", "2023-05-01", "2024-02-01"])))[
        0
    ].time.tolist() == [1, 0, 1]


@pytest.mark.parametrize("container", [lambda times: times, pd.Series], ids=["array", "series"])
def test_ordered_categories_are_in_their_order(container):
    dose = pd.Categorical(["mid", "low", "high"], categories=["low", "mid", "high"], ordered=True)
    assert check_rows(3, order=container(dose))[0].time.tolist() == [1, 0, 2]
    with pytest.raises(ValueError, match="order must say of every row when it was; row 1 says nothing"):
        check_rows(3, order=container(dose.set_categories(["mid", "high"])))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (dict(sample_weight=[1, -1, 1, 1]), "sample_weight must not be negative; row 1 has -1"),
        (dict(sample_weight=[0, 0, 0, 0]), "must be above zero in some row"),
        (dict(sample_weight=[0.25] * 4), "must say how many rows each row counts for; all of it adds up to 1. If"),
        (dict(sample_weight=[1, 2]), "sample_weight must be one value for each of the 4 samples; got shape"),
        (dict(sample_weight=[1, np.nan, 1, None]), "must be a finite number in every row; row 1 has NaN .2 such rows"),
        (dict(sample_weight=pd.array([1, 2, None, 3])), "row 2 has NaN .1 such rows.. Use 0 to leave a row out"),
        (dict(sample_weight=[1, 1, np.inf, 1]), "row 2 has infinity"),
        (dict(sample_weight=list("1abc")), "sample_weight must be numbers; got something else"),
        (dict(sample_weight=2.0), r"sample_weight must be one value for each of the 4 samples; got shape \(\)"),
        (dict(groups=[1, 1, 1, 1]), "groups must have at least two groups"),
        (dict(groups=np.eye(4)), "groups must be one value for each of the 4 samples"),
        (dict(order=[1, None, 2, 3]), "order must say of every row when it was; row 1 says nothing"),
        (dict(order=[1, "a", 2, 3]), "order must be numbers, dates or text that can be sorted"),
    ],
)
def test_what_is_wrong_is_named(given, said):
    if "order" in given:
        given = {"order": np.array(given["order"], dtype=object)}
    with pytest.raises(ValueError, match=said):
        present_rows(X, Y, None, **given)


def test_numbers_beside_text_have_no_order():
    with pytest.raises(ValueError, match="order must be numbers, dates or text that can be sorted"):
        check_rows(4, order=[10, "2", 3, 4])


@pytest.mark.parametrize("y", [Y[:-1], [*Y, "a"], np.array(1)])
def test_targets_of_another_length_are_refused(y):
    with pytest.raises((ValueError, TypeError), match=r"inconsistent numbers|Input should have"):
        present_rows(X, y, None, sample_weight=[1, 0, 2, 1])
