"""Memberships from hard and soft labels."""

import numpy as np
import pandas as pd
import pytest

from tamis import HardLabels, LabelModel, SoftLabels
from tamis.labels.base import NoLabels


def test_hard_labels_are_one_hot_in_the_order_of_the_sorted_classes():
    model = HardLabels().fit(None, ["b", "a", "b", "c"])
    assert model.classes_.tolist() == ["a", "b", "c"]
    np.testing.assert_array_equal(model.memberships_, np.eye(3)[[1, 0, 1, 2]])


@pytest.mark.parametrize(
    "y", [[True, False, True], [2, 1, 2], pd.Series([2.0, 1.0, 2.0]), pd.Categorical(["y", "x", "y"])]
)
def test_kinds_of_classes(y):
    np.testing.assert_array_equal(HardLabels().fit(None, y).memberships_, np.eye(2)[[1, 0, 1]])


def test_unused_categories_are_not_classes():
    assert len(HardLabels().fit(None, pd.Categorical(["x", "y"], categories=["x", "y", "z"])).classes_) == 2


def test_soft_labels_are_renormalised_within_the_tolerance():
    P = np.array([[0.5, 0.5 + 5e-7], [1.0, 0.0]])
    model = SoftLabels().fit(None, P)
    np.testing.assert_allclose(model.memberships_.sum(axis=1), 1, rtol=0, atol=1e-15)
    assert P[0, 1] == 0.5 + 5e-7


def test_a_plain_target_is_certain():
    np.testing.assert_array_equal(SoftLabels().fit(None, [1, 0, 1]).memberships_, np.eye(2)[[1, 0, 1]])


def test_one_column_of_probabilities_is_refused():
    with pytest.raises(ValueError, match="one column per class, at least two; got 1"):
        SoftLabels().fit(None, [0, 1, 0], memberships=np.ones((3, 1)))


def test_a_label_model_must_fit():
    with pytest.raises(NotImplementedError):
        LabelModel().fit(None, [0, 1])


def test_probabilities_beside_classes_have_their_names():
    P = np.array([[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]])
    model = SoftLabels().fit(None, ["no", "yes", "no"], memberships=P)
    assert model.classes_.tolist() == ["no", "yes"]
    np.testing.assert_array_equal(model.memberships_, P)
    assert SoftLabels().fit(None, P, memberships=P).classes_.tolist() == [0, 1]
    assert SoftLabels().fit(None, None, memberships=P).classes_.tolist() == [0, 1]


def test_a_block_of_probabilities_has_the_classes_of_the_first():
    P = pd.DataFrame([[0.9, 0.1], [0.2, 0.8]], columns=["no", "yes"])
    model = SoftLabels().fit(None, P, classes=np.array(["no", "yes"]))
    assert model.classes_.tolist() == ["no", "yes"]
    np.testing.assert_array_equal(model.memberships_, P)
    with pytest.raises(ValueError, match="memberships must have the classes of the first block"):
        SoftLabels().fit(None, P[["yes", "no"]], classes=np.array(["no", "yes"]))


def test_where_nothing_is_known_there_is_one_class():
    model = NoLabels().fit(np.zeros((4, 2)))
    assert model.classes_.shape == (1,)
    np.testing.assert_array_equal(model.memberships_, np.ones((4, 1)))
