"""What judges learn from label models, and what their answers are compared with."""

import numpy as np
import pytest
from samples import gaussians, mixed, one_hot
from sklearn.naive_bayes import GaussianNB

from tamis import CrowdLabels, HardLabels, MultiLabels, NoisyLabels, SoftLabels
from tamis.datasets import flip_uniform
from tamis.labels._em import unmixing

X, CODES = gaussians(90, 3, 3, seed=8)
TRAIN, TEST = np.arange(0, 60), np.arange(60, 90)


@pytest.mark.parametrize(
    "transition",
    [
        np.eye(3),
        0.7 * np.eye(3) + 0.1,
        np.array([[0.9, 0.1, 0.0], [0.3, 0.6, 0.1], [0.0, 0.2, 0.8]]),
    ],
    ids=["none", "uniform", "full"],
)
def test_in_the_mean_over_the_noise_unmixed_labels_are_the_true_ones(transition):
    rng, n = np.random.default_rng(0), 60_000
    true = np.repeat([0, 1, 2], n // 3)
    recorded = np.array([rng.choice(3, p=transition[s]) for s in true])
    rows = unmixing(transition)[recorded]
    for s in range(3):
        far = 5 * rows.std(axis=0).max() / np.sqrt(n // 3)
        np.testing.assert_allclose(rows[true == s].mean(axis=0), np.eye(3)[s], atol=far)
    np.testing.assert_allclose(transition @ unmixing(transition), np.eye(3), atol=1e-12)


@pytest.mark.parametrize(
    "transition", [np.full((2, 2), 0.5), np.array([[0.51, 0.49], [0.5, 0.5]]), np.full((4, 4), 0.25), 1 - np.eye(2)]
)
def test_where_noise_is_nearly_everything_little_is_undone(transition):
    found = unmixing(transition)
    assert np.isfinite(found).all()
    assert np.linalg.norm(found, 2) <= 1 / 0.3 + 1e-9
    np.testing.assert_allclose(found.sum(axis=1), 1)


def test_noisy_labels_are_compared_with_recorded_ones_corrected():
    y = flip_uniform(np.array(["a", "b", "c"])[CODES], 0.2, random_state=0).y
    whole = NoisyLabels(GaussianNB(), random_state=0).fit(X, y)
    part = NoisyLabels(GaussianNB(), random_state=0).fit(X[TRAIN], y[TRAIN])
    rows, judged = part.judged(whole, TEST)
    np.testing.assert_array_equal(rows, TEST)
    codes = np.searchsorted(["a", "b", "c"], y)
    np.testing.assert_allclose(judged, unmixing(part.transition_)[codes[TEST]])
    np.testing.assert_array_equal(whole.recorded(), one_hot(codes))
    rows, learned = part.learned(whole, TRAIN)
    np.testing.assert_array_equal(rows, TRAIN)
    np.testing.assert_array_equal(learned, part.search_memberships())


def test_what_the_features_say_of_rows_left_out_changes_nothing():
    """However the model of all rows came to doubt them."""
    y = flip_uniform(CODES, 0.2, random_state=0).y
    part = NoisyLabels(GaussianNB(), random_state=0).fit(X[TRAIN], y[TRAIN])
    far = X.copy()
    far[TEST] = X[TEST[::-1]]
    one, other = (NoisyLabels(GaussianNB(), random_state=0).fit(Z, y) for Z in (X, far))
    assert not np.allclose(one.memberships_[TEST], other.memberships_[TEST])
    np.testing.assert_array_equal(part.judged(one, TEST)[1], part.judged(other, TEST)[1])


@pytest.mark.parametrize("model", [HardLabels(), SoftLabels()], ids=str)
def test_classes_missing_in_a_part_are_aligned_by_name(model):
    names = np.array(["ant", "bee", "cat"])[CODES]
    rows = np.flatnonzero(names != "bee")
    whole = model.fit(X, names)
    part = type(model)().fit(X[rows], names[rows])
    assert part.classes_.tolist() == ["ant", "cat"]
    found, learned = part.learned(whole, rows)
    np.testing.assert_array_equal(found, rows)
    np.testing.assert_array_equal(learned, one_hot(CODES)[rows])
    np.testing.assert_array_equal(part.judged(whole, TEST)[1], one_hot(CODES)[TEST])


def test_probabilities_are_learned_and_compared_with_as_they_are():
    P = mixed(CODES)
    whole, part = SoftLabels().fit(X, P), SoftLabels().fit(X[TRAIN], P[TRAIN])
    np.testing.assert_allclose(part.learned(whole, TRAIN)[1], P[TRAIN])
    np.testing.assert_allclose(part.judged(whole, TEST)[1], P[TEST])
    np.testing.assert_allclose(whole.recorded(), P)


def test_rows_without_an_answer_are_neither_learned_nor_judged():
    answers = np.column_stack([CODES, CODES, (CODES + (np.arange(90) % 5 == 0)) % 3]).astype(object)
    answers[[3, 70]] = None
    with pytest.warns(UserWarning, match="rows have no answer"):
        whole = CrowdLabels(soft=True).fit(None, answers)
    with pytest.warns(UserWarning, match="rows have no answer"):
        part = whole.for_part().fit(None, answers[TRAIN])
    rows, learned = part.learned(whole, TRAIN)
    assert rows.tolist() == [r for r in TRAIN if r != 3]
    np.testing.assert_allclose(learned, part.memberships_[rows])
    rows, judged = part.judged(whole, TEST)
    assert rows.tolist() == [r for r in TEST if r != 70]
    np.testing.assert_allclose(judged, whole.memberships_[rows])


SETS = np.array([[1, 0, 0], [1, 1, 0], [0, 0, 1]])[CODES]


@pytest.mark.parametrize("transform", ["powerset", "copy"])
def test_of_label_sets_every_label_is_learned_even_in_rows_that_are_pruned(transform):
    sets = SETS.copy()
    sets[[3, 70]] = 1  # a set that nobody else has
    whole = MultiLabels(5, transform).fit(X, sets)
    part = whole.for_part().fit(X[TRAIN], sets[TRAIN])
    assert whole.has_label_sets
    for rows, found in (part.learned(whole, TRAIN), part.judged(whole, TEST)):
        np.testing.assert_array_equal(found, sets[rows])
    assert part.learned(whole, TRAIN)[0].tolist() == TRAIN.tolist()
    np.testing.assert_array_equal(whole.recorded(), sets)


def test_the_choice_of_sets_is_not_made_again_for_a_part():
    how = {"size_method": "permutation", "n_neighbors": 4, "n_folds": 3, "n_repeats": 1}
    whole = MultiLabels(random_state=0, **how).fit(X, SETS)
    part = whole.for_part()
    assert whole.min_class_size_range_[0] <= part.min_class_size <= whole.min_class_size_range_[1]
    assert whole.min_class_size == "auto"
    part.fit(X[TRAIN], SETS[TRAIN])
    assert not hasattr(part, "t_statistics_")
    given = MultiLabels(7, n_neighbors=2).fit(X, SETS).for_part()
    assert (given.min_class_size, given.n_neighbors) == (7, 2)
