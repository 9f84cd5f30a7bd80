"""Rows in blocks and sparse matrices: the same answer as from one array, and nothing lost to a bad block."""

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import gaussians, mixed
from scipy import sparse
from sklearn.exceptions import NotFittedError

from tamis import CrowdLabels, MutualInformation, NoisyLabels, RankingSelector
from tamis.datasets import read_blocks

X, CODES = gaussians(150, 5, 3, seed=4)
NAMES = np.array(["a", "b", "c"])[CODES]
P = mixed(CODES)


def in_blocks(selector, X, y, *cuts, **how):
    for rows in np.split(np.arange(len(y)), sorted(cuts)):
        if len(rows):
            selector.partial_fit(X[rows], y[rows], **how)
    return selector


@settings(max_examples=30, deadline=None)
@given(
    cuts=st.lists(st.integers(0, 150), max_size=5),
    offset=st.sampled_from([0.0, 1e6]),
    kind=st.sampled_from(["hard", "soft", "sparse"]),
)
def test_blocks_give_the_scores_of_one_fit(cuts, offset, kind):
    labels, y = ("soft", P) if kind == "soft" else ("hard", NAMES)
    data = sparse.csr_array(np.where(X > 0.5, X, 0)) if kind == "sparse" else X + offset
    whole = RankingSelector(labels=labels).fit(data, y)
    parts = in_blocks(RankingSelector(labels=labels), data, y, *cuts, classes=np.unique(NAMES))
    np.testing.assert_allclose(parts.scores_, whole.scores_, rtol=1e-10)
    np.testing.assert_array_equal(parts.support_, whole.support_)
    assert not hasattr(parts, "memberships_")


def test_blocks_may_follow_a_fit():
    selector = RankingSelector().fit(X[:100], NAMES[:100]).partial_fit(X[100:], NAMES[100:])
    np.testing.assert_allclose(selector.scores_, RankingSelector().fit(X, NAMES).scores_, rtol=1e-10)
    assert RankingSelector().fit(X, NAMES).fit(X[:50], NAMES[:50]).scores_.tolist() == pytest.approx(
        RankingSelector().fit(X[:50], NAMES[:50]).scores_.tolist()
    )


def test_a_block_may_have_one_row_and_one_class():
    selector = RankingSelector().partial_fit(X[:1], NAMES[:1], classes=["a", "b", "c"])
    with pytest.raises(NotFittedError, match=f"two classes; got only '{NAMES[0]}'. Go on"):
        selector.transform(X)
    in_blocks(selector, X[1:], NAMES[1:], 1, 2, 3)
    np.testing.assert_allclose(selector.scores_, RankingSelector().fit(X, NAMES).scores_, rtol=1e-10)
    assert selector.transform(X).shape == (150, 2)


def test_shares_of_votes_come_in_blocks():
    answers = np.column_stack([NAMES, np.roll(NAMES, 1), NAMES])
    labels = CrowdLabels("share")
    parts = in_blocks(RankingSelector(labels=labels), X, answers, 60, classes=["a", "b", "c"])
    np.testing.assert_allclose(parts.scores_, RankingSelector(labels=labels).fit(X, answers).scores_, rtol=1e-10)


BAD_BLOCKS = {
    "columns": (X[:9, :4], NAMES[:9], "4 features.*expecting 5"),
    "classes": (X[:9], np.array(["z"] * 9), "'z' is not one of .*Name all classes with classes="),
    "missing class": (X[:9], np.array([None] * 9, dtype=object), "a label in some row"),
    "infinite value": (np.full((9, 5), np.inf), NAMES[:9], "infinity"),
    "lengths": (X[:9], NAMES[:8], "inconsistent"),
    "nobody": (X[:0], NAMES[:0], "0 sample"),
}
BAD_PROBABILITIES = {
    "sum": (np.full((9, 3), 0.4), "sum to one in every row"),
    "negative": (np.tile([1.5, -0.5, 0.0], (9, 1)), "must not be negative"),
    "zeros": (np.zeros((9, 3)), "say something of some row"),
    "more classes": (np.full((9, 4), 0.25), "classes of the first block as columns"),
    "other names": (pd.DataFrame(P[:9], columns=["a", "b", "z"]), r"\['a', 'b', 'c'\]; got \['a', 'b', 'z'\]"),
}


@pytest.mark.parametrize("bad", BAD_BLOCKS)
def test_a_bad_block_leaves_the_sums_intact(bad):
    block, y, message = BAD_BLOCKS[bad]
    selector = RankingSelector().partial_fit(X[:70], NAMES[:70])
    before = pickle.dumps(selector.__dict__)
    with pytest.raises(ValueError, match=message):
        selector.partial_fit(block, y)
    assert pickle.dumps(selector.__dict__) == before
    selector.partial_fit(X[70:], NAMES[70:])
    np.testing.assert_allclose(selector.scores_, RankingSelector().fit(X, NAMES).scores_, rtol=1e-10)


@pytest.mark.parametrize("bad", BAD_PROBABILITIES)
def test_bad_probabilities_leave_the_sums_intact(bad):
    block, message = BAD_PROBABILITIES[bad]
    selector = RankingSelector(labels="soft").partial_fit(X[:70], pd.DataFrame(P[:70], columns=["a", "b", "c"]))
    with pytest.raises(ValueError, match=message):
        selector.partial_fit(X[:9], block)
    selector.partial_fit(X[70:], P[70:])
    np.testing.assert_allclose(selector.scores_, RankingSelector(labels="soft").fit(X, P).scores_, rtol=1e-10)


def test_other_names_of_columns_and_bad_parameters_leave_the_sums_intact():
    frame = pd.DataFrame(X).add_prefix("f")
    selector = RankingSelector().partial_fit(frame[:70], NAMES[:70])
    with pytest.raises(ValueError, match="feature names should match"):
        selector.partial_fit(frame[:9].rename(columns={"f0": "g"}), NAMES[:9])
    with pytest.raises(ValueError, match="classes of the first block"):
        selector.partial_fit(frame[:9], NAMES[:9], classes=["a", "b"])
    with pytest.raises(ValueError, match="from 1 to 5"):
        selector.set_params(n_features_to_select=9).partial_fit(frame[70:], NAMES[70:])
    selector.set_params(n_features_to_select=2).partial_fit(frame[70:], NAMES[70:])
    np.testing.assert_allclose(selector.scores_, RankingSelector().fit(X, NAMES).scores_, rtol=1e-10)


@pytest.mark.parametrize(
    ("selector", "message"),
    [
        (
            RankingSelector(labels="noisy"),
            "labels='noisy' .* blocks: a noise model compares each row with all others",
        ),
        (RankingSelector(labels=NoisyLabels(None)), "a noise model compares"),
        (RankingSelector(labels="crowd"), "depends on all answers. Fit CrowdLabels on all of them first"),
        (RankingSelector(MutualInformation()), "need a criterion that is a sum over rows"),
        (RankingSelector("laplacian"), "compares all rows"),
    ],
)
def test_what_needs_all_rows_is_refused_with_the_reason(selector, message):
    with pytest.raises(ValueError, match=message):
        selector.partial_fit(X, NAMES)


def test_classes_of_the_first_block():
    with pytest.raises(ValueError, match="at least two classes"):
        RankingSelector().partial_fit(X, np.repeat("a", 150))
    with pytest.raises(ValueError, match="classes must name at least two"):
        RankingSelector().partial_fit(X, NAMES, classes=["a"])
    with pytest.raises(ValueError, match="'c' is not one of"):
        RankingSelector().partial_fit(X, NAMES, classes=["a", "b"])


@pytest.mark.parametrize("make", [sparse.csr_matrix, sparse.csc_array])
def test_sparse_matrices_are_not_made_dense(make):
    """A dense copy would take 16 GB."""
    rng = np.random.default_rng(0)
    n, d = 20_000, 100_000
    y = rng.integers(0, 2, n)
    rows, columns = rng.integers(0, n, 200_000), rng.integers(0, d, 200_000)
    columns[y[rows] == 1] %= 50_000  # the second half of the words occurs in one class only
    selector = RankingSelector(n_features_to_select=50).fit(make((np.ones(200_000), (rows, columns)), shape=(n, d)), y)
    assert selector.transform(sparse.csr_array((3, d))).shape == (3, 50)
    seen = np.unique(columns)
    assert np.isneginf(np.delete(selector.scores_, seen)).all()
    assert np.isfinite(selector.scores_[seen]).all()


def test_noisy_labels_are_refused_for_sparse_samples():
    with pytest.raises(TypeError, match="labels='noisy' cannot take sparse X: a noise model compares"):
        RankingSelector(labels="noisy").fit(sparse.csr_array(X), NAMES)


def test_a_file_in_blocks(tmp_path):
    table = pd.DataFrame(X).add_prefix("f").assign(kind=NAMES)
    table.to_parquet(tmp_path / "table.parquet")
    selector = RankingSelector()
    for rows, y in read_blocks(tmp_path / "table.parquet", "kind", n_rows=40):
        selector.partial_fit(rows, y, classes=["a", "b", "c"])
    np.testing.assert_allclose(selector.scores_, RankingSelector().fit(X, NAMES).scores_, rtol=1e-10)
    assert selector.get_feature_names_out().tolist() == [f"f{j}" for j in np.flatnonzero(selector.support_)]
