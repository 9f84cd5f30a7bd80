"""The size below which label sets are pruned, by the loss on rows left out."""

import warnings

import numpy as np
import pandas as pd
import pytest
import reference

from tamis import MultiLabels, MutualInformation, SequentialSelector
from tamis._validation import Rows
from tamis.labels import _pruned_search as by_loss
from tamis.labels._pruning import Pruning


def replicates(seed, n=240, share=0.3, frequent=2):
    """Fours of rows at one place, with a label of their own, tell nothing of the labels of the others."""
    rng = np.random.default_rng(seed)
    X, n_rare = rng.normal(size=(n, 7)), int(n * share)
    four = np.arange(n_rare) // 4
    Y = np.zeros((n, frequent + four.max() + 1), dtype=int)
    Y[n_rare:, :frequent] = X[n_rare:, :frequent] > 0
    X[:n_rare, 2:5] = rng.normal(size=(four.max() + 1, 3))[four] + 1e-3 * rng.normal(size=(n_rare, 3))
    Y[np.arange(n_rare), frequent + four] = 1
    return X, Y


def rare_and_frequent(seed, n=240):
    """Sets of five rows or fewer, of labels that the same features predict as those of the others."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 6))
    return X, (X[:, [0, 1, 2, 3]] > [0.0, 0.0, 1.3, -1.3]).astype(int)


def sizes_of(make, seeds=10, **how):
    return [MultiLabels(random_state=seed, **how).fit(*make(seed)).min_class_size_ for seed in range(seeds)]


def test_rare_sets_that_mislead_the_search_are_pruned():
    assert sizes_of(replicates) == [5] * 10
    model = MultiLabels(random_state=0).fit(*replicates(0))
    assert model.n_pruned_ == 72
    assert model.losses_[2] == model.losses_[4] > 1.05 * model.losses_[5] == 1.05 * model.losses_[20]
    assert model.min_class_size_range_[0] == 5 <= 20 <= model.min_class_size_range_[1]


def test_rare_sets_that_do_no_harm_are_kept():
    found = sizes_of(rare_and_frequent)
    _, codes = np.unique(rare_and_frequent(0)[1], axis=0, return_inverse=True)
    assert len(by_loss.distinct(Pruning(codes.ravel(), 16), range(2, 21))) > 2  # not for want of others
    assert sum(size <= 2 for size in found) >= 9


def test_the_choice_is_reproducible_and_does_not_depend_on_names_order_or_threads():
    X, Y = replicates(1)
    model = MultiLabels(random_state=3).fit(X, Y)
    for again in (
        MultiLabels(random_state=3, n_jobs=2).fit(X, Y),
        MultiLabels(random_state=3).fit(X, pd.DataFrame(Y, columns=[f"label {c}" for c in range(Y.shape[1])[::-1]])),
        MultiLabels(random_state=3).fit(X, Y[:, np.random.default_rng(0).permutation(Y.shape[1])]),
        MultiLabels(random_state=3).fit(1000 * X, Y),
    ):
        assert again.losses_ == pytest.approx(model.losses_, rel=1e-12)
        assert again.min_class_size_ == model.min_class_size_
        np.testing.assert_array_equal(again.memberships_.any(axis=1), model.memberships_.any(axis=1))
    assert MultiLabels(random_state=4).fit(X, Y).losses_ != model.losses_


def test_sizes_and_repeats_can_be_given():
    X, Y = replicates(1)
    model = MultiLabels(sizes=(3, 3, 12), n_repeats=1, random_state=0).fit(X, Y)
    assert set(model.losses_) == {3, 12}
    assert model.n_neighbors_ == 8
    assert MultiLabels(n_neighbors=3, random_state=0).fit(X, Y).n_neighbors_ == 3
    assert MultiLabels(6, n_neighbors=9).fit(None, Y).n_neighbors_ == 9
    assert MultiLabels(sizes=[7], random_state=0).fit(X, Y).losses_ == {}


def test_at_most_four_prunings_are_compared_spread_by_the_rows_they_keep():
    counts = np.arange(1, 24)  # 276 rows
    pruning = Pruning(np.repeat(np.arange(23), counts), 23)
    cases = by_loss.distinct(pruning, range(2, 21))
    rows = [counts[counts >= same[0]].sum() for same in cases]
    assert [same[0] for same in cases][::3] == [2, 20]
    np.testing.assert_allclose(np.diff(rows), -63, atol=12)
    few = Pruning(np.repeat([0, 1, 2, 3], [3, 6, 6, 30]), 4)
    assert by_loss.distinct(few, range(2, 11)) == [[2, 3], [4, 5, 6]]


def plain_loss(X, has, codes, kept, learned, tested, k):
    """Of each tested row: greedy by the slow estimate, then the ten nearest rows."""
    seen = learned & kept
    P = np.eye(codes.max() + 1)[codes[seen]]
    path, errors = [], []
    for _ in range(min(5, X.shape[1])):
        left = [f for f in range(X.shape[1]) if f not in path]
        values = [reference.mutual_information(X[seen][:, [*path, f]], P, k, "count") for f in left]
        path.append(left[int(np.argmax(np.array(values) >= max(values) - 1e-10))])
        apart = ((X[tested][:, None, path] - X[learned][:, path]) ** 2).sum(axis=2)
        near = apart <= np.sort(apart, axis=1)[:, [9]] * (1 + 1e-9)
        predicted = near @ has[learned] / near.sum(axis=1, keepdims=True)
        errors.append(((predicted - has[tested]) ** 2).sum(axis=1))
    return np.mean(errors, axis=0)


def test_the_loss_is_that_of_a_plain_search():
    X, Y = replicates(0, n=80)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    _, codes = np.unique(Y, axis=0, return_inverse=True)
    codes = codes.ravel()
    data = by_loss._Data(X, Y.astype(float), codes, Rows(), np.zeros(7))
    half = by_loss._halves(data, np.random.RandomState(0))
    for size in (2, 5):
        kept = (np.bincount(codes) >= size)[codes]
        found = by_loss._losses(data, [kept], ~half, half, 4, 1)[:, 0]
        np.testing.assert_allclose(found, plain_loss(X, Y.astype(float), codes, kept, ~half, half, 4), atol=1e-9)


def test_halves_divide_every_set_and_no_group():
    random = np.random.RandomState(0)
    codes = np.repeat([0, 1, 2], [2, 8, 30])
    data = by_loss._Data(np.zeros((40, 1)), np.zeros((40, 2)), codes, Rows(), np.zeros(1))
    assert np.bincount(codes[by_loss._halves(data, random)]).tolist() == [1, 4, 15]
    group = np.arange(40) // 3
    half = by_loss._halves(data._replace(rows=Rows(group=group)), random)
    assert len(np.unique(group[half])) == 7
    assert not set(group[half]) & set(group[~half])


def test_a_weight_is_as_many_copies_of_a_group():
    X, Y = replicates(2, n=120)
    weight = np.random.default_rng(0).integers(1, 4, 120)
    copies = np.repeat(np.arange(120), weight)
    weighted = MultiLabels(n_repeats=1, random_state=0).fit(X, Y, sample_weight=weight)
    repeated = MultiLabels(n_repeats=1, random_state=0).fit(X[copies], Y[copies], groups=copies)
    assert weighted.losses_ == pytest.approx(repeated.losses_, rel=1e-9)
    assert weighted.min_class_size_ == repeated.min_class_size_
    absent = MultiLabels(n_repeats=1, random_state=0).fit(X, Y, sample_weight=np.arange(120) % 5 > 0)
    without = MultiLabels(n_repeats=1, random_state=0).fit(X[np.arange(120) % 5 > 0], Y[np.arange(120) % 5 > 0])
    assert absent.losses_ == without.losses_


def test_replicates_of_one_group_mislead_nobody():
    """Their labels can neither be learned from each other nor compared."""
    X, Y = replicates(0, share=0.5)
    groups = np.where(np.arange(240) < 120, np.arange(240) // 4, np.arange(240))
    alone, together = MultiLabels(random_state=0).fit(X, Y), MultiLabels(random_state=0).fit(X, Y, groups=groups)
    assert alone.losses_[2] < alone.losses_[5]
    assert together.losses_[2] == pytest.approx(together.losses_[5], rel=0.02)


def test_rows_without_a_target_and_gaps_take_no_part():
    X, Y = replicates(0)
    with pytest.warns(UserWarning, match="2 of 242 rows have no label"):
        model = MultiLabels(random_state=0).fit(np.r_[X, X[:2]], np.r_[Y, np.full((2, Y.shape[1]), np.nan)])
    whole = MultiLabels(random_state=0).fit(X, Y)
    assert model.losses_ == whole.losses_
    X[::7, 0] = np.nan
    X[:, 6] = np.nan
    assert MultiLabels(random_state=0).fit(X, Y).min_class_size_ == 5


def unique_sets(n=30):
    return (np.arange(n)[:, None] >> np.arange(5)) & 1


def test_sets_that_do_not_repeat_are_classes_of_their_own_with_a_warning():
    Y, X = unique_sets(), np.random.default_rng(0).normal(size=(30, 2))
    said = r"two label sets, which sizes \d to 20 do not.*1 and 1 rows.*transform='labels'"
    for how in ({}, {"size_method": "permutation"}):
        with pytest.warns(UserWarning, match=said):
            model = MultiLabels(**how).fit(X, Y)
        assert (len(model.classes_), model.n_pruned_, model.min_class_size_) == (30, 0, 1)
        assert not hasattr(model, "losses_")
    part = model.set_params(size_method="loss").for_part()
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # said once
        assert len(part.fit(X[:20], Y[1:21]).classes_) == 20
    assert MultiLabels(1).fit(None, Y).n_pruned_ == 0


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("n", [2, 3, 4, 5, 9])
@pytest.mark.parametrize("seed", range(5))
def test_few_rows_are_no_error(n, seed):
    rng = np.random.default_rng(seed)
    X, Y = rng.normal(size=(n, 2)), np.column_stack([np.arange(n) % 2, rng.integers(0, 2, n)])
    for given in ({}, {"groups": np.arange(n) // 2} if n > 2 else {}, {"sample_weight": rng.integers(1, 4, n)}):
        model = MultiLabels(random_state=0).fit(X, Y, **given)
        assert model.memberships_.shape == (n, len(model.classes_))
        assert len(model.classes_) >= 2
    constant = MultiLabels(random_state=0).fit(np.ones((n, 1)), Y)
    assert len(constant.classes_) >= 2


def test_sets_that_repeat_in_one_group_only_are_no_error():
    X, Y = np.random.default_rng(0).normal(size=(20, 3)), unique_sets(20)
    Y[:12] = Y[[0, 1, 2, 3]].repeat([4, 4, 2, 2], axis=0)
    model = MultiLabels(random_state=0).fit(X, Y, groups=np.maximum(0, np.arange(20) - 11))
    assert set(model.losses_) == {2, 3, 4}
    assert model.min_class_size_ == 2


@pytest.mark.filterwarnings("ignore:labels .* occur in every row")
def test_a_single_set_is_one_class():
    for size in ("auto", 20):
        with pytest.warns(UserWarning, match="only one class, 'a'"):
            assert MultiLabels(size).fit(None, [{"a"}] * 9).classes_.tolist() == ["a"]


def test_more_rows_than_are_needed_are_drawn(monkeypatch):
    monkeypatch.setattr(by_loss, "_MOST_ROWS", 200)
    assert sizes_of(lambda seed: replicates(seed, n=480), seeds=3) == [5] * 3


def test_of_many_features_the_most_informative_are_searched(monkeypatch):
    X, Y = replicates(0)
    wide = np.hstack([np.random.default_rng(1).normal(size=(240, 90)), X])
    monkeypatch.setattr(by_loss, "_MOST_SEARCHED", 10)
    seen = []
    forward = by_loss._forward
    monkeypatch.setattr(by_loss, "_forward", lambda scan, features: seen.append(features) or forward(scan, features))
    MultiLabels(random_state=0).fit(wide, Y)
    assert len(seen) == 8
    assert all(len(features) == 10 and np.isin([90, 91], features).all() for features in seen)


def test_a_search_uses_the_size_and_the_neighbors_that_were_chosen():
    X, Y = replicates(0)
    labels = MultiLabels(transform="powerset", random_state=0)
    selector = SequentialSelector(MutualInformation(8), labels=labels, n_features_to_select=2).fit(X, Y)
    assert np.flatnonzero(selector.support_).tolist() == [0, 1]
    assert selector.labels_.min_class_size_ == 5
