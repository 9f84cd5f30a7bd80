"""Probabilities of one's own that are none, in the wrong order, or of other classes."""

import numpy as np
import pandas as pd
import pytest
from scipy.special import softmax

from tamis import NoisyLabels

RNG = np.random.default_rng(0)
CODES = RNG.integers(0, 4, 200)
NAMES = np.array(["ant", "bee", "cat", "dog"])
SCORES = RNG.normal(size=(200, 4)) + 3 * np.eye(4)[CODES]
P = softmax(SCORES, axis=1)
P.flags.writeable = False
Y = NAMES[CODES]


def fit(P, y=Y):
    return NoisyLabels("precomputed").fit(P, y)


def with_cell(value):
    changed = P.copy()
    changed[7, 2] = value
    return changed


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (SCORES, "P must have probabilities; row 0 has -.*like logits.*softmax"),
        (np.log(P), "like logits or log-probabilities"),
        (np.abs(SCORES) + 1, "P must sum to one in every row; row 0 sums to .*Divide each row by its sum"),
        (with_cell(0.9), "row 7 sums to 1.*Divide each row"),
        (with_cell(np.nan), "P.*NaN|NaN.*P"),
        (np.zeros((200, 4)), "row 0 sums to 0"),
        (0.3 * P, "row 0 sums to 0.3"),
        (P[:, :3], "a column per recorded class.*got 3 columns for 4 classes, .*ant.*named by the classes"),
        (P[:150], "P must have a row per label; got 150 rows for 200 labels"),
        (
            P[:, [1, 2, 3, 0]],
            "columns in another order than classes_: .* would in another order, with column 3 for class",
        ),
        ([P, P[:, [3, 2, 1, 0]]], r"P\[1\] seems to have its columns in another order"),
        (pd.DataFrame(P, columns=["ant", "bee", "cat", "cow"]), "none for 'dog', the columns are .*cow"),
    ],
    ids=[
        "logits",
        "logs",
        "counts",
        "sum",
        "nan",
        "zeros",
        "little",
        "narrow",
        "short",
        "rotated",
        "second",
        "unknown",
    ],
)
def test_one_sentence_for_each_mistake(given, message):
    with pytest.raises(ValueError, match=message):
        fit(given)


@pytest.mark.parametrize("prefix", ["", "p_", "probability of "])
def test_columns_of_a_table_are_matched_by_name(prefix):
    wanted = fit(P)
    shuffled = pd.DataFrame(P, columns=prefix + NAMES.astype(object))[
        [f"{prefix}{c}" for c in ("dog", "ant", "cat", "bee")]
    ]
    np.testing.assert_allclose(fit(shuffled).memberships_, wanted.memberships_)


def test_classes_that_are_never_recorded_are_left_out_with_a_warning():
    table = pd.DataFrame(P.copy(), columns=NAMES)
    table["emu"] = 0.0
    with pytest.warns(UserWarning, match="classes that are never recorded, .*emu.*left out"):
        found = fit(table)
    np.testing.assert_allclose(found.memberships_, fit(P).memberships_)


def test_what_all_classes_begin_with_is_theirs():
    """The columns share 'p_r', of which 'p_' is no part of the names."""
    y = np.where(CODES < 2, "rose", "ruby")
    table = pd.DataFrame({"p_ruby": P[:, 2:].sum(axis=1), "p_rose": P[:, :2].sum(axis=1)})
    np.testing.assert_allclose(fit(table, y).memberships_, fit(table.to_numpy()[:, ::-1], y).memberships_)


def test_a_row_with_nothing_for_the_recorded_classes():
    table = pd.DataFrame(P.copy(), columns=NAMES)
    table["emu"] = 0.0
    table.iloc[3] = [0.0, 0.0, 0.0, 0.0, 1.0]
    with (
        pytest.raises(ValueError, match="some recorded class a probability in every row; row 3 has none"),
        pytest.warns(UserWarning, match="never recorded"),
    ):
        fit(table)


def test_numbers_as_classes_have_columns_of_that_name():
    table = pd.DataFrame(P, columns=[str(c) for c in range(4)])
    np.testing.assert_array_equal(fit(table, CODES).classes_, [0, 1, 2, 3])


@pytest.mark.parametrize("several", [[P, P], (P, P), np.stack([P, P])], ids=["list", "tuple", "array"])
def test_several_models(several):
    assert fit(several).memberships_.shape == (200, 4)


def test_the_order_in_memory_does_not_matter():
    plain, other = fit(P), fit(np.asfortranarray(P))
    assert plain.memberships_.tobytes() == other.memberships_.tobytes()


def test_a_plain_nested_list_is_one_model():
    np.testing.assert_allclose(fit(P.tolist()).memberships_, fit(P).memberships_)


def test_rounded_rows_are_divided_by_their_sums():
    rounded = P.round(3)
    found = fit(rounded)
    np.testing.assert_allclose(found.memberships_, fit(rounded / rounded.sum(axis=1, keepdims=True)).memberships_)


def test_two_columns_in_each_others_place():
    with pytest.raises(ValueError, match=r"in another order than classes_.*column 2 for class 'bee'"):
        fit(P[:, [0, 2, 1, 3]])


@pytest.mark.parametrize("n_classes", [2, 5])
def test_classes_that_are_often_taken_for_others_are_no_other_order(n_classes):
    """Four in ten labels of each class are those of the next one, and the model is right."""
    true = np.arange(1000) % n_classes
    rng = np.random.default_rng(1)
    recorded = np.where(rng.uniform(size=1000) < 0.4, (true + 1) % n_classes, true)
    fitted = fit(softmax(rng.normal(size=(1000, n_classes)) + 5 * np.eye(n_classes)[true], axis=1), recorded)
    assert fitted.noise_rate_ == pytest.approx(0.4, abs=0.05)


def test_a_weak_model_is_not_taken_for_a_permuted_one():
    weak = softmax(0.3 * RNG.normal(size=(200, 4)), axis=1)
    with pytest.warns(UserWarning, match="do not predict"):
        assert np.isnan(fit(weak).noise_rate_)
