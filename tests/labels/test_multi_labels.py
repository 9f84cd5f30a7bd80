"""Label sets as they suit who uses them: every label of its own, classes, or copies of rows."""

import warnings

import numpy as np
import pytest

from tamis import HardLabels, MultiLabels, NoisyLabels

SETS = [{"a"}] * 6 + [{"a", "b"}] * 5 + [{"c"}] * 3 + [{"b", "c"}] * 2 + [set()] * 4
HAS = np.array([[c in row for c in "abc"] for row in SETS], dtype=float)


def test_every_label_may_be_a_target_of_its_own():
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # rows without labels count: they have none of them
        model = MultiLabels(transform="labels").fit(None, SETS)
    assert model.classes_.tolist() == model.labels_.tolist() == ["a", "b", "c"]
    assert model.label_sets_ == [("a",), ("b",), ("c",)]
    assert (model.n_pruned_, model.n_unlabelled_, model.n_neighbors_) == (0, 0, None)
    assert model.memberships_.dtype == float
    for found in (model.memberships_, model.recorded(), model.search_memberships()):
        np.testing.assert_array_equal(found, HAS)
    assert model.has_record().all()
    assert not hasattr(model, "min_class_size_")


def test_rows_without_a_target_are_left_out_of_every_transform():
    y = [None, *SETS, None]
    for transform in ("labels", "powerset"):
        with pytest.warns(UserWarning, match="2 of 22 rows have no label"):
            model = MultiLabels(4, transform).fit(None, y)
        np.testing.assert_array_equal(np.flatnonzero(~model.has_record()), [0, 21])
        assert not model.memberships_[[0, 21]].any()
        assert model.n_unlabelled_ == 2
    with pytest.warns(UserWarning, match="6 of 22 rows have no label"):
        MultiLabels(transform="copy").fit(None, y)


def test_weights_of_zero_are_rows_that_are_absent():
    weight = np.r_[np.zeros(11), np.ones(9)]
    with pytest.warns(UserWarning, match=r"labels \[0\] never occur"):
        model = MultiLabels(transform="labels").fit(None, HAS.astype(int), sample_weight=weight)
    np.testing.assert_array_equal(model.memberships_, HAS[11:, 1:])


def test_the_use_decides_unless_the_transform_is_given():
    for use, transform in {"sets": "labels", "classes": "powerset", "counts": "copy"}.items():
        asked = MultiLabels(7, n_neighbors=3, random_state=5)
        suited = asked.suited(use)
        assert asked.transform == "auto"
        assert suited.get_params() == asked.get_params() | {"transform": transform}
        assert not hasattr(suited, "classes_")
        for given in ("labels", "powerset", "copy"):
            model = MultiLabels(transform=given)
            assert model.suited(use) is model
    for model in (HardLabels(), NoisyLabels()):
        assert model.suited("sets") is model


def test_alone_it_is_a_powerset():
    model, same = MultiLabels(4).fit(None, SETS), MultiLabels(4, "powerset").fit(None, SETS)
    assert model.classes_.tolist() == same.classes_.tolist() == ["(none)", "a", "a + b"]
    np.testing.assert_array_equal(model.memberships_, same.memberships_)


@pytest.mark.parametrize("transform", ["labels", "copy", "powerset", "auto"])
def test_a_part_is_treated_like_the_whole(transform):
    X = np.random.default_rng(0).normal(size=(80, 2))
    y = (SETS[:16] * 5)[:80]
    whole = MultiLabels(transform=transform, random_state=0).fit(X, y)
    part = whole.for_part()
    assert part.transform == transform
    part.fit(X[:60], y[:60])
    assert part.classes_.tolist() == whole.classes_.tolist()
    assert not getattr(part, "losses_", {})  # the choice was not made again
    for rows, found in (part.learned(whole, np.arange(60)), part.judged(whole, np.arange(60, 80))):
        np.testing.assert_array_equal(found, whole.recorded()[rows])
