"""Label sets: the powerset pruned, copies, and the size chosen by permutation."""

import numpy as np
import pandas as pd
import pytest
from samples import gaussians
from scipy import sparse

from tamis import MultiLabels, MutualInformation, RankingSelector, SequentialSelector

PERMUTATION = {"size_method": "permutation", "n_neighbors": 4}
SETS = [{"a"}] * 6 + [{"a", "b"}] * 5 + [{"c"}] * 3 + [{"b", "c"}] * 2 + [set()] * 4
Y = pd.DataFrame([[int(c in row) for c in "cab"] for row in SETS], columns=list("cab"))


@pytest.mark.parametrize("make", [lambda: SETS, lambda: Y, lambda: pd.Series(SETS)])
def test_sets_are_classes_and_rare_ones_are_left_out(make):
    model = MultiLabels(4, n_neighbors=3).fit(None, make())
    assert model.labels_.tolist() == ["a", "b", "c"]
    assert model.classes_.tolist() == ["(none)", "a", "a + b"]
    assert model.label_sets_ == [(), ("a",), ("a", "b")]
    assert model.memberships_.sum(axis=0).tolist() == [4, 6, 5]
    np.testing.assert_array_equal(model.memberships_.sum(axis=1), np.repeat([1, 0, 1], [11, 5, 4]))
    assert model.n_pruned_ == 5
    assert model.min_class_size_range_ == (4, 4)
    assert MultiLabels(2, n_neighbors=1).fit(None, make()).min_class_size_range_ == (1, 2)


def test_matrices_are_numbered_and_may_be_sparse():
    for matrix in (Y.to_numpy(), sparse.csr_array(Y.to_numpy()), Y.to_numpy().astype(bool)):
        assert MultiLabels(5).fit(None, matrix).classes_.tolist() == ["1", "1 + 2"]


def test_one_label_a_row_is_an_ordinary_target():
    codes = np.repeat([0, 1, 2], 10)
    model = MultiLabels(5).fit(None, codes)
    np.testing.assert_array_equal(model.memberships_, np.eye(3)[codes])


def test_copies_count_every_label():
    with pytest.warns(UserWarning, match="4 of 20 rows have no label"):
        model = MultiLabels(transform="copy").fit(None, Y)
    np.testing.assert_array_equal(model.memberships_, Y[["a", "b", "c"]])


def multilabel_problem(n=400, seed=0):
    """Two informative features, one of which tells the rare sets too; four of noise."""
    X, codes = gaussians(n, 6, 4, seed=seed, informative=2)
    rare = np.random.default_rng(seed).choice(n, n // 20, replace=False)
    Y = np.column_stack([codes > 1, codes % 2, np.zeros(n)]).astype(int)
    Y[rare, 2] = 1
    return X, Y


def test_the_size_is_chosen_reproducibly_and_told():
    X, Y = multilabel_problem()
    model = MultiLabels(n_repeats=2, n_folds=8, random_state=3, **PERMUTATION).fit(X, Y)
    low, high = model.min_class_size_range_
    assert low <= model.min_class_size_ <= high
    assert {size for size, _ in model.t_statistics_} == set(range(5, 21))
    values = {round(t, 12) for t in model.t_statistics_.values()}
    kept = {tuple(np.bincount(Y @ [1, 2, 4])[np.bincount(Y @ [1, 2, 4]) >= p]) for p in range(5, 21)}
    assert len(values) == len(kept)  # equal prunings are one case
    assert model.t_statistics_[model.min_class_size_ if model.min_class_size_ >= 5 else 5, 4] == max(
        model.t_statistics_.values()
    )
    assert model.sureness_ in (0.5, 1.0)
    again = MultiLabels(n_repeats=2, n_folds=8, random_state=3, n_jobs=2, **PERMUTATION).fit(X, Y)
    assert again.t_statistics_ == model.t_statistics_
    both = MultiLabels(size_method="permutation", n_repeats=1, n_folds=4, random_state=0).fit(X, Y)
    assert both.n_neighbors_ < max(both.min_class_size_, 5)
    assert len({k for _, k in both.t_statistics_}) > 3


def test_t_separates_a_feature_from_its_permutation():
    """High where a feature tells the set, near zero where none does."""
    X, Y = multilabel_problem()
    good = MultiLabels(n_repeats=1, n_folds=8, random_state=0, **PERMUTATION).fit(X, Y)
    noise = MultiLabels(n_repeats=1, n_folds=8, random_state=0, **PERMUTATION).fit(X[:, 3:], Y)
    assert max(good.t_statistics_.values()) > 8
    assert max(noise.t_statistics_.values()) < 5


def test_selectors_leave_rows_out_of_the_estimate_only():
    X, Y = multilabel_problem()
    labels = MultiLabels(10)
    selector = SequentialSelector(MutualInformation(4), labels=labels, n_features_to_select=2, scale=None).fit(X, Y)
    assert np.flatnonzero(selector.support_).tolist() == [0, 1]
    assert selector.transform(X).shape == (400, 2)
    kept = selector.memberships_.any(axis=1)
    alone = SequentialSelector(MutualInformation(4), n_features_to_select=2, scale=None)
    alone.fit(X[kept], selector.memberships_[kept].argmax(axis=1))
    np.testing.assert_allclose(selector.path_.scores, alone.path_.scores, atol=1e-12)
    assert RankingSelector(labels=labels, n_features_to_select=2).fit(X, Y).memberships_.shape[0] == 400


@pytest.mark.parametrize(
    ("parameters", "y", "message"),
    [
        (dict(min_class_size=50), Y, "leaves fewer than two of the 5 label sets. Of 20 rows, a size of .*5 keeps 11"),
        (dict(PERMUTATION, sizes=[9, 3]), Y, "sizes must be above n_neighbors = 4 for the permutation test.*got 3"),
        (dict(size_method="permutation", sizes=[2]), Y, "sizes must be above n_neighbors = 2"),
        (dict(PERMUTATION, n_neighbors=20), Y, "n_neighbors must be below 20"),
        (dict(min_class_size=0), Y, "min_class_size must be"),
        (dict(size_method="folds"), Y, "size_method must be one of"),
        (dict(sizes=[]), Y, "sizes must have at least one number"),
        (dict(sizes="2-20"), Y, "sizes must be whole numbers to choose from"),
        (dict(sizes=[2, 0.5]), Y, "sizes must be a whole number"),
        (dict(n_repeats=0), Y, "n_repeats must be"),
        (dict(transform="ranks"), Y, "transform must be one of"),
        (dict(min_class_size=5), 2 * Y.to_numpy(), "zeros and ones"),
        (dict(min_class_size=5), [set()] * 9, "must use some label; all sets are empty"),
        (dict(min_class_size=5), None, "target y is None"),
        (dict(min_class_size=5), [{str(i)} for i in range(9)], "no size keeps any: label sets hardly repeat"),
    ],
)
def test_bad_input_is_named(parameters, y, message):
    with pytest.raises(ValueError, match=message):
        MultiLabels(**parameters).fit(None, y)


def test_labels_that_tell_nothing_are_named():
    odd = np.column_stack([Y.to_numpy(), np.zeros(20, int), np.ones(20, int)])
    with pytest.warns(UserWarning, match="labels") as said:
        MultiLabels(5).fit(None, odd)
    assert [str(w.message) for w in said] == [
        "labels [3] never occur and are left out.",
        "labels [4] occur in every row: they tell nothing, but are not left out.",
    ]


def test_a_second_fit_forgets_how_a_size_was_chosen():
    X = np.random.default_rng(0).normal(size=(20, 2))
    model = MultiLabels(n_neighbors=2, random_state=0).fit(X, Y)
    assert {"losses_", "min_class_size_"} <= set(vars(model))
    assert not {"t_statistics_", "sureness_"} & set(vars(model))
    model.set_params(size_method="permutation").fit(X, Y)
    assert {"t_statistics_", "sureness_"} <= set(vars(model))
    model.set_params(min_class_size=4).fit(None, Y)
    assert not {"t_statistics_", "sureness_", "losses_"} & set(vars(model))
    model.set_params(transform="copy").fit(None, Y.iloc[:16])
    assert not {"min_class_size_", "min_class_size_range_"} & set(vars(model))
    assert model.memberships_.dtype == float


def test_as_printed_estimates_are_of_one_fold_alone():
    random = np.random.default_rng(0)
    codes = random.integers(0, 2, 800)
    X = random.normal(size=(800, 3)) + 2 * codes[:, None]
    sets = np.where(np.arange(800)[:, None] < 12, [[1, 1]], np.eye(2, dtype=int)[codes])
    printed = MultiLabels(printed=True, n_repeats=1, random_state=0, **PERMUTATION).fit(X, sets)
    rest = MultiLabels(n_repeats=1, random_state=0, **PERMUTATION).fit(X, sets)
    # A fold has 40 rows in place of 760, so the estimates vary more, and t is smaller.
    assert 0 < max(printed.t_statistics_.values()) < max(rest.t_statistics_.values())
    assert set(printed.t_statistics_) == set(rest.t_statistics_)
    with pytest.raises(ValueError, match="printed=True estimates information in each of 20 folds alone"):
        MultiLabels(printed=True, random_state=0, **PERMUTATION).fit(X[:60], sets[-60:])
