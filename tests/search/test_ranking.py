"""A ranking as a path."""

import numpy as np

from tamis.search import Path, ranking


def order(scores, tie_break=None, **kinds):
    scores = np.array(scores, dtype=float)
    columns = np.column_stack([scores, np.zeros(len(scores)) if tie_break is None else tie_break])
    return [step.feature for step in ranking(columns, **kinds)]


def test_the_best_come_first_and_of_equal_ones_the_first_column():
    assert order([1, 3, 2]) == [1, 2, 0]
    assert order([2, 3, 3, 2]) == [1, 2, 0, 3]
    assert order([1, 1 + 1e-12, 1 - 1e-12]) == [0, 1, 2]
    assert order([1, 1 + 1e-8]) == [1, 0]
    assert order([-np.inf, 5, -np.inf, 4]) == [1, 3, 0, 2]


def test_a_long_row_of_small_differences_is_not_one_level():
    assert order(np.arange(100) * 8e-11)[:2] != [0, 1]


def test_ties_are_broken_by_the_second_column():
    assert order([1, 1, 2], [0, 5, 1]) == [2, 1, 0]


def test_required_and_idle():
    assert order([1, 2, 3, 4], required=[0], idle=[3]) == [0, 2, 1, 3]


def test_a_ranking_is_a_path():
    steps = tuple(ranking(np.array([[1.0, 0], [3, 0], [2, 0]])))
    path = Path("ranking", 3, (), steps)
    assert path.sizes.tolist() == [1, 2, 3]
    assert path.subset(2).tolist() == [1, 2]
    assert path.scores.tolist() == [3, 2, 1]
    assert path.gains().tolist() == [1, 3, 2]
    assert path.to_frame(["a", "b", "c"])["added"].tolist() == ["b", "c", "a"]


def test_rounding_grows_with_the_scores():
    assert order([1e6, 1e6 + 1e-5]) == [0, 1]
    assert order([1e6, 1e6 + 1e-2]) == [1, 0]
    assert order([-1e6, -1e6 + 1e-5]) == [0, 1]


def test_many_equal_scores_stay_in_the_order_of_the_columns():
    assert order([1.0] * 50 + [2.0] * 50) == [*range(50, 100), *range(50)]
