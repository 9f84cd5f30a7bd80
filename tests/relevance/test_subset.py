"""What a subset loses: a slow twin, the theorems of the paper on all subsets, closed forms."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
import reference
from blanket_reference import delta
from samples import gaussians, mixed, one_hot

from tamis import ClassDistance, MultiLabels, NoisyLabels, noise_bound, subset_divergence, wasserstein
from tamis.datasets import flip_by_transition, flip_uniform
from tamis.distances.levels import level_columns
from tamis.estimates.blanket import BlanketJudge

PLANE = ClassDistance.from_vectors([[0, 0], [1, 0], [0, 2]])  # the ways of no tree
GRADES = ClassDistance.from_tree([(0, 1, 1), (1, 2, 3)])


def discrete(seed, n=120, d=4, n_levels=3, n_classes=3):
    """Levels, classes that depend on the first two features, and a noisy copy of them."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, n_levels, (n, d)).astype(float)
    y = (X[:, 0] + (X[:, 1] > 0) + (rng.uniform(size=n) < 0.3)).astype(int) % n_classes
    y[:n_classes] = np.arange(n_classes)
    transition = rng.dirichlet(np.ones(n_classes), n_classes) * 0.4 + 0.6 * np.eye(n_classes)
    return X, y, flip_by_transition(y, transition, random_state=seed).y


def slow_mean(keys, other, P, Q, apart):
    """Mean over the rows of the divergence between P in their cell and Q in their other cell."""
    total = 0.0
    for i in range(len(P)):
        p = P[(keys == keys[i]).all(axis=1)].sum(axis=0)
        q = Q[(other == other[i]).all(axis=1)].sum(axis=0)
        total += P[i].sum() * apart(p / p.sum(), q / q.sum())
    return total / P.sum()


def kl(p, q):
    with np.errstate(divide="ignore"):
        return (p[p > 0] * np.log(p[p > 0] / q[p > 0])).sum()


@pytest.mark.parametrize("memberships", [one_hot, mixed])
@pytest.mark.parametrize("distance", [None, PLANE, GRADES], ids=["zero-one", "plane", "grades"])
def test_slow_twin(memberships, distance):
    X, y, noisy = discrete(0, n=40)
    P, Q = memberships(y), one_hot(noisy)
    D = 1 - np.eye(3) if distance is None else distance.matrix
    found = subset_divergence(X, P, [0, 2], y_noisy=noisy, labels="soft", class_distance=distance, n_permutations=0)

    def apart(p, q):
        return reference.transport(p, q, D)

    kept, rows = X[:, [0, 2]], np.arange(len(X))[:, None]
    assert found.lost == pytest.approx(slow_mean(X, kept, P, P, apart), abs=1e-8)
    assert found.lost_noisy == pytest.approx(slow_mean(X, kept, Q, Q, apart), abs=1e-8)
    assert found.noise == pytest.approx(slow_mean(X, X, P, Q, apart), abs=1e-8)
    assert found.noise_kept == pytest.approx(slow_mean(kept, kept, P, Q, apart), abs=1e-8)
    assert found.bound == pytest.approx(slow_mean(rows, rows, P, Q, apart), abs=1e-8)
    assert (found.n_cells, found.n_cells_kept) == (len(np.unique(X, axis=0)), len(np.unique(kept, axis=0)))
    assert found.lost_by_chance is None


def test_kullback_leibler_is_the_information_lost():
    X, y, noisy = discrete(1, n=400)
    found = subset_divergence(X, y, [0], divergence="kl", n_permutations=0)
    assert found.lost == pytest.approx(slow_mean(X, X[:, :1], one_hot(y), one_hot(y), kl))

    def information(columns):
        cells = np.unique(X[:, columns], axis=0, return_inverse=True)[1].ravel()
        joint = np.array([np.bincount(y[cells == c], minlength=3) for c in np.unique(cells)]) / len(y)
        return kl(joint.ravel(), np.outer(joint.sum(axis=1), joint.sum(axis=0)).ravel())

    assert found.lost == pytest.approx(information([0, 1, 2, 3]) - information([0]))
    with_noise = subset_divergence(X, y, [0], y_noisy=noisy, divergence="kl", n_permutations=0)
    assert np.isinf(with_noise.noise)  # the paper's remark: a class that is missing in a cell
    assert with_noise.noise_kept <= with_noise.noise <= with_noise.bound


@pytest.mark.parametrize("distance", [None, PLANE, GRADES], ids=["zero-one", "plane", "grades"])
@pytest.mark.parametrize("seed", range(8))
def test_theorems_1_and_2_for_every_subset(seed, distance):
    X, y, noisy = discrete(seed)
    how = dict(y_noisy=noisy, class_distance=distance, n_permutations=0)
    for size in range(5):
        found = [subset_divergence(X, y, list(s), **how) for s in combinations(range(4), size)]
        for one in found:
            assert one.noise_kept <= one.noise + 1e-12
            assert one.noise <= one.bound + 1e-12
            assert abs(one.lost - one.lost_noisy) <= 2 * one.noise + 1e-12
        best, chosen = (min(found, key=key) for key in (lambda f: f.lost, lambda f: f.lost_noisy))
        assert 0 <= chosen.lost - best.lost <= 4 * best.noise + 1e-12
    assert found[0].lost == pytest.approx(0, abs=1e-12)  # all features
    assert found[0].noise_kept == pytest.approx(found[0].noise)


def test_a_case_by_hand():
    """Two cells of four rows; without the feature all are alike."""
    X, y = np.repeat([[0.0], [1.0]], 4, axis=0), np.array([0, 0, 0, 1, 1, 1, 1, 1])
    noisy = np.array([0, 0, 0, 0, 1, 1, 1, 0])
    found = subset_divergence(X, y, [], y_noisy=noisy, n_permutations=0)
    # p(0|x): 3/4 and 0, together 3/8; noisy: 1 and 1/4, together 5/8.
    assert found.lost == pytest.approx(3 / 8)
    assert found.lost_noisy == pytest.approx(3 / 8)
    assert found.noise == pytest.approx(1 / 4)
    assert found.noise_kept == pytest.approx(1 / 4)
    assert found.bound == pytest.approx(2 / 8)
    swapped = subset_divergence(X, y, [], y_noisy=np.array([0, 0, 1, 0, 1, 1, 1, 1]), n_permutations=0)
    assert (swapped.noise, swapped.bound) == (0, 2 / 8)  # wrong labels that cancel


def test_bound_is_that_of_the_joint_distribution():
    X, y, noisy = discrete(3)
    joint = np.array([[np.mean((y == i) & (noisy == j)) for j in range(3)] for i in range(3)])
    found = subset_divergence(X, y, [0], y_noisy=noisy, class_distance=GRADES, n_permutations=0)
    assert found.bound == pytest.approx(noise_bound(GRADES, joint))


def test_one_feature_left_out_is_the_delta_of_the_blanket():
    X, y, _ = discrete(4, d=2)
    for distance, divergence in ((PLANE, "wasserstein"), (GRADES, "wasserstein"), (GRADES, "kl")):
        found = subset_divergence(X, y, [0], class_distance=distance, divergence=divergence, n_permutations=0)
        levels = X.astype(int)
        assert found.lost == pytest.approx(delta(levels, one_hot(y), 1, [0], divergence, distance.matrix), abs=1e-8)


def test_chance_is_that_of_the_blanket():
    """Mean over permutations within the cells of the subset, against the closed form."""
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(0, 2, 300), rng.integers(0, 6, 300)]).astype(float)
    y = rng.integers(0, 3, 300)
    judge = BlanketJudge(
        level_columns(X), one_hot(y), divergence="wasserstein", distance=GRADES, correction="null", seed=0
    )
    found = subset_divergence(X, y, [0], class_distance=GRADES, n_permutations=400, random_state=0)
    assert found.lost_by_chance == pytest.approx(judge.deltas([1], [[0]]).null[0], rel=0.02)
    assert found.lost == pytest.approx(judge.deltas([1], [[0]]).raw[0])


def test_chance_explains_what_cells_of_one_row_seem_to_tell():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 8)), rng.integers(0, 2, 200)
    found = subset_divergence(X, y, [0], random_state=0)
    assert found.n_cells > 190
    assert found.lost > 0.4
    assert abs(found.lost - found.lost_by_chance) < 0.02


def test_labels_of_a_noise_model_against_the_recorded_ones():
    X, y = gaussians(300, 4, 3, seed=1)
    X *= 3
    recorded = flip_uniform(y, 0.2, random_state=0).y
    how = dict(n_bins=3, n_permutations=0)
    model = NoisyLabels(random_state=0)
    found = subset_divergence(X, recorded, [0, 1], labels=model, **how)
    P = NoisyLabels(random_state=0).fit(X, recorded).memberships_
    by_hand = subset_divergence(X, P, [0, 1], labels="soft", y_noisy=recorded, **how)
    assert [found.lost, found.lost_noisy] == pytest.approx([by_hand.lost, by_hand.lost_noisy])
    assert [found.noise, found.noise_kept] == pytest.approx([by_hand.noise, by_hand.noise_kept])
    assert found.bound == pytest.approx((1 - P[np.arange(300), recorded]).mean())
    probabilities = subset_divergence(X, P, [0, 1], labels="soft", y_noisy=one_hot(recorded), **how)
    assert probabilities == by_hand
    assert subset_divergence(X, recorded, [0, 1], **how).noise is None


def test_rows_of_which_nothing_is_known_are_left_out_and_copies_count():
    X, y, _ = discrete(5)
    sets = one_hot(y).astype(int)
    sets[7] = 1
    alone = subset_divergence(np.delete(X, 7, axis=0), np.delete(y, 7), [0], n_permutations=0)
    assert subset_divergence(X, sets, [0], labels=MultiLabels(5), n_permutations=0) == alone
    copied = subset_divergence(X, sets, [0], labels=MultiLabels(transform="copy"), n_permutations=0)
    rows = np.append(np.arange(len(y)), [7, 7])
    by_hand = subset_divergence(
        X[rows], np.append(np.where(np.arange(len(y)) == 7, 0, y), [1, 2]), [0], n_permutations=0
    )
    assert copied.lost == pytest.approx(by_hand.lost)


def test_names_masks_seeds_and_order():
    X, y, noisy = discrete(6)
    table = pd.DataFrame(X, columns=list("abcd"))
    how = dict(y_noisy=noisy, random_state=3)
    found = subset_divergence(X, y, [1, 3], **how)
    assert subset_divergence(table, y, ["b", "d"], **how) == found
    assert subset_divergence(X, y, [False, True, False, True], **how) == found
    names = np.array(["low", "medium", "tall"])
    assert subset_divergence(X, names[y], [1, 3], y_noisy=names[noisy], random_state=3) == found
    order = np.random.default_rng(0).permutation(len(y))
    other = subset_divergence(X[order], y[order], [1, 3], y_noisy=noisy[order], n_permutations=0)
    assert other.lost == pytest.approx(found.lost)
    assert other.noise == pytest.approx(found.noise)
    scaled = subset_divergence(X, y, [1, 3], class_distance=7 * (1 - np.eye(3)), **how)
    assert scaled.lost == pytest.approx(7 * found.lost)
    assert scaled.lost_by_chance == pytest.approx(7 * found.lost_by_chance)


def test_huge_distances_are_legal():
    X, y, noisy = discrete(6)
    far = subset_divergence(X, y, [0], y_noisy=noisy, class_distance=5e307 * (1 - np.eye(3)), random_state=3)
    near = subset_divergence(X, y, [0], y_noisy=noisy, random_state=3)
    assert [far.lost, far.lost_by_chance] == pytest.approx([5e307 * near.lost, 5e307 * near.lost_by_chance])


def test_distance_between_distributions_is_the_public_one():
    X, y, _ = discrete(7)
    p = np.bincount(y) / len(y)
    cells = [np.bincount(y[X[:, 0] == v], minlength=3) for v in range(3)]
    expected = sum(c.sum() * wasserstein(c / c.sum(), p, PLANE) for c in cells) / len(y)
    assert subset_divergence(X[:, :1], y, [], class_distance=PLANE).lost == pytest.approx(expected)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (dict(X=pd.DataFrame(np.ones((120, 2)), columns=["a", "a"])), "columns of different names; 'a' comes 2 times"),
        (dict(subset=[9]), "subset must be indices from 0 to 3 or column names; got 9"),
        (dict(divergence="js"), "divergence must be one of 'wasserstein' or 'kl'; got 'js'"),
        (dict(bins="mdl"), "bins must be one of"),
        (dict(n_permutations=-1), "n_permutations must be a whole number of at least 0; got -1"),
        (dict(y_noisy=[0, 1]), "y_noisy must have a row per sample .*; got 2 for 120"),
        (dict(y_noisy=np.full(120, 5)), "y_noisy must have only classes that y has; 5 is not one of"),
        (dict(y_noisy=np.full((120, 2), 0.5)), "a column for each of the 3 classes of y, sorted; got 2"),
        (dict(y_noisy=np.full((120, 3), 0.5)), "y_noisy must sum to one in every row"),
        (dict(class_distance=1 - np.eye(2)), "3 x 3"),
        (dict(y=np.arange(119) % 3), "inconsistent numbers of samples"),
    ],
)
def test_bad_input_is_named(change, message):
    X, y, _ = discrete(0)
    arguments = {"X": X, "y": y, "subset": [0]} | change
    with pytest.raises(ValueError, match=message):
        subset_divergence(**arguments)
