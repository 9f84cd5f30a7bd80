"""How far the targets of neighbors are apart, information per label, and the criterion that "auto" chooses."""

import numpy as np
import pytest
import reference
from samples import gaussians, mixed, one_hot
from sklearn.neighbors import NearestNeighbors

from tamis import (
    BayesRisk,
    ClassDistance,
    MutualInformation,
    NeighborCost,
    RankingSelector,
    SequentialSelector,
    mutual_information,
)
from tamis._validation import Rows
from tamis.relevance import criterion_for
from tamis.relevance.racing import Queries

ORDERED = np.abs(np.subtract.outer(np.arange(3.0), np.arange(3.0)))
SQUARE = np.array([[0, 1, 1, 2], [1, 0, 2, 1], [1, 2, 0, 1], [2, 1, 1, 0]])

CRITERIA = [NeighborCost(), MutualInformation(per_label="mean")]


def score_of_sets(X, sets, **how):
    scorer = NeighborCost(**how).scorer(X, np.asarray(sets, dtype=float), label_sets=True)
    return float(scorer.of(range(X.shape[1]))[0])


def informative(n=100, d=6, seed=0):
    """Features of which the first three decide nine labels; sixteen more labels are random. No set repeats."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    known = np.column_stack([X[:, j % 3] > np.linspace(-0.7, 0.7, 9)[j] for j in range(9)])
    return X, np.column_stack([known, rng.random((n, 16)) < 0.3]).astype(int)


# The value.


def blobs(n=60):
    codes = np.arange(n) % 3
    return np.random.default_rng(0).normal(size=(n, 3)) + 100.0 * codes[:, None], codes


def test_neighbors_that_always_agree_score_one():
    X, codes = blobs()
    for distance in (None, ORDERED):
        assert NeighborCost(class_distance=distance).score(X, one_hot(codes)) == 1.0
        assert score_of_sets(X, one_hot(codes), class_distance=distance) == 1.0


@pytest.mark.parametrize("distance", [None, ORDERED])
def test_without_any_relation_the_score_is_about_zero(distance):
    """Of 2000 rows and 20 neighbors the standard deviation is below 0.01."""
    rng = np.random.default_rng(0)
    X, codes = rng.normal(size=(2000, 2)), rng.integers(0, 3, 2000)
    assert abs(NeighborCost(20, class_distance=distance).score(X, one_hot(codes))) < 0.03
    assert abs(score_of_sets(X, rng.random((2000, 3)) < 0.4, n_neighbors=20, class_distance=distance)) < 0.03


def test_all_rows_as_neighbors_are_chance_itself():
    X, codes = gaussians(40, 3, 3)
    for criterion in (NeighborCost(39), NeighborCost(100, class_distance=ORDERED)):
        assert criterion.score(X, one_hot(codes)) == pytest.approx(0, abs=1e-12)
    assert score_of_sets(X, informative(40)[1], n_neighbors=39) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("rows", [Rows(), Rows(group=np.arange(60) // 2, weight=np.linspace(0.5, 2, 60))])
def test_rows_of_one_group_are_no_part_of_chance(rows):
    X, codes = gaussians(60, 3, 3)
    scorer = NeighborCost(1000, class_distance=ORDERED).scorer(X, one_hot(codes), rows=rows)
    expected = 0.0
    if rows.weight is not None:
        pairs = np.outer(rows.weight, rows.weight) * (rows.group[:, None] != rows.group)
        D = ORDERED[np.ix_(codes, codes)]
        chance = (pairs * D).sum() / pairs.sum()
        expected = 1 - np.average((pairs * D).sum(axis=1) / pairs.sum(axis=1), weights=rows.weight) / chance
    assert scorer.of(range(3))[0] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("k", [1, 5])
def test_of_classes_it_is_the_share_of_neighbors_of_another_class(k):
    X, codes = gaussians(120, 4, 3, seed=2)
    near = NearestNeighbors(n_neighbors=k).fit(X).kneighbors(return_distance=False)  # a row is not its own
    others = (codes[near] != codes[:, None]).mean()
    chance = 1 - sum(n * (n - 1) for n in np.bincount(codes)) / (120 * 119)
    assert NeighborCost(k).score(X, one_hot(codes)) == pytest.approx(1 - others / chance, abs=1e-12)


@pytest.mark.parametrize("memberships", [one_hot, mixed])
@pytest.mark.parametrize("missing", [False, True])
def test_a_score_agrees_with_the_twin(memberships, missing):
    X, codes = gaussians(60, 4, 3, seed=2)
    X = np.where(np.random.default_rng(0).random(X.shape) < missing * 0.2, np.nan, X)
    P = memberships(codes)
    costs = P @ ORDERED @ P.T
    chance = (costs.sum() - np.trace(costs)) / (60 * 59)
    expected = 1 - reference.neighbor_cost(X, costs, 6) / chance
    assert NeighborCost(6, class_distance=ORDERED).score(X, P) == pytest.approx(expected, abs=1e-9)


def test_a_class_of_one_row_takes_part():
    """Nearest neighbors by hand: only the row alone in its class, 1 away, is near to another class."""
    X, codes = np.array([[0.0], [0.1], [0.25], [5.0], [5.1]]), np.array([0, 0, 1, 2, 2])
    assert NeighborCost(1, class_distance=ORDERED).score(X, one_hot(codes)) == pytest.approx(1 - (1 / 5) / (12 / 10))
    assert NeighborCost(1).score(X, one_hot(codes)) == pytest.approx(1 - (1 / 5) / (8 / 10))
    farther = NeighborCost(1, class_distance=[[0, 2, 2], [2, 0, 1], [2, 1, 0]]).score(X, one_hot(codes))
    assert farther == pytest.approx(1 - (2 / 5) / ((2 * 2 + 2 * 1 + 4 * 2) / 10))


@pytest.mark.parametrize("target", [np.ones((20, 1)), np.eye(3)[[1] * 20]])
def test_one_class_scores_zero(target):
    X = np.random.default_rng(0).normal(size=(20, 2))
    assert NeighborCost().score(X, target) == 0.0
    assert score_of_sets(X, target) == 0.0


# Invariances.


def scores_with(X, P, distance):
    """Of memberships, and of sets."""
    return NeighborCost(class_distance=distance).score(X, P), score_of_sets(X, P > 0.2, class_distance=distance)


@pytest.mark.parametrize("unit", [1e-200, 1e-3, 3.0, 1e200])
@pytest.mark.parametrize("memberships", [one_hot, mixed])
def test_units_of_features_and_distances_change_nothing(unit, memberships):
    X, codes = gaussians(70, 3, 3)
    P = memberships(codes)
    chain = [(0, 1, 1.0), (1, 2, 0.7)]
    for make in (ClassDistance.from_tree, lambda edges: ClassDistance.from_tree(edges).matrix):
        one, other = (make([(a, b, length * by) for a, b, length in chain]) for by in (1.0, unit))
        expected = scores_with(X, P, one)
        np.testing.assert_allclose(scores_with(X, P, other), expected, rtol=1e-12)
        np.testing.assert_allclose(scores_with(X * unit, P, one), expected, rtol=1e-12)


@pytest.mark.parametrize("memberships", [one_hot, mixed])
def test_order_of_rows_columns_and_classes_changes_nothing(memberships):
    X, codes = gaussians(70, 4, 3)
    P, rng = memberships(codes), np.random.default_rng(1)
    rows, columns, classes = rng.permutation(70), rng.permutation(4), rng.permutation(3)
    D = ORDERED[np.ix_(classes, classes)]
    found = NeighborCost(class_distance=D).score(X[rows][:, columns], P[rows][:, classes])
    assert found == pytest.approx(NeighborCost(class_distance=ORDERED).score(X, P), rel=1e-12)


def test_names_of_classes_change_nothing():
    X, codes = gaussians(70, 4, 3)
    chain = [("low", "middle", 1.0), ("middle", "high", 1.0)]
    named = ClassDistance.from_tree(chain)
    y = np.array(["low", "middle", "high"])[codes]
    one = SequentialSelector(class_distance=named, n_features_to_select=2).fit(X, y)
    other = SequentialSelector(class_distance=ORDERED, n_features_to_select=2).fit(X, codes)
    np.testing.assert_allclose(one.path_.scores, other.path_.scores, rtol=1e-12)
    assert one.path_.order.tolist() == other.path_.order.tolist()
    assert one.class_distance_.classes.tolist() == one.classes_.tolist() == ["high", "low", "middle"]


@pytest.mark.parametrize("criterion", CRITERIA, ids=["cost", "information"])
@pytest.mark.parametrize("labels", ["hard", "soft", "multilabel"])
@pytest.mark.parametrize("missing", [False, True])
def test_an_integer_weight_is_the_row_repeated(criterion, labels, missing):
    X, codes = gaussians(60, 4, 3, seed=4)
    rng = np.random.default_rng(7)
    X = np.where(rng.random(X.shape) < missing * 0.2, np.nan, X)
    y = {"hard": codes, "soft": mixed(codes), "multilabel": informative(60)[1][:, :4]}[labels]
    weight = rng.integers(1, 4, 60)
    again = np.repeat(np.arange(60), weight)
    selector = SequentialSelector(criterion, labels=labels, n_features_to_select=2)
    weighted = selector.fit(X, y, sample_weight=weight).path_.scores.copy()
    repeated = selector.fit(X[again], y[again], groups=again).path_.scores
    np.testing.assert_allclose(repeated, weighted, rtol=0, atol=1e-9)


# Searches.


@pytest.mark.parametrize("direction", ["backward", "forward"])
@pytest.mark.filterwarnings("ignore:y has 60 classes")
def test_where_every_row_is_a_class_of_its_own_the_feature_of_their_order_is_found(direction):
    X = np.random.default_rng(0).normal(size=(60, 4))
    y = np.argsort(np.argsort(X[:, 2]))
    chain = ClassDistance.from_tree([(i, i + 1, 1.0) for i in range(59)])
    selector = SequentialSelector(class_distance=chain, direction=direction, n_features_to_select=1)
    assert selector.fit(X, y).get_support(indices=True).tolist() == [2]
    # Without a distance all classes are equally far, and no feature is better than chance.
    assert NeighborCost().score(X[:, [2]], np.eye(60)[y]) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("direction", ["backward", "forward"])
@pytest.mark.parametrize("criterion", [NeighborCost(), "auto"])
def test_sets_that_never_repeat_find_their_features(direction, criterion):
    X, sets = informative()
    assert len(np.unique(sets, axis=0)) == len(sets)
    selector = SequentialSelector(criterion, labels="multilabel", direction=direction, n_features_to_select=3)
    selector.fit(X, sets)
    assert selector.get_support(indices=True).tolist() == [0, 1, 2]
    score = selector.path_.scores[2 if direction == "forward" else -3]
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    assert score == pytest.approx(score_of_sets(Z[:, :3], sets), abs=1e-9)
    assert score > score_of_sets(Z, sets)


def test_labels_that_are_near_in_a_tree_are_told_apart_less():
    """One feature tells groups of labels, the other labels within groups: the distance decides which is better."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 4, 80)
    X = rng.normal(size=(80, 2)) / 10 + np.column_stack([codes // 2, codes % 2])
    for columns in ([0, 1], [1, 0]):
        group = codes if columns == [0, 1] else (codes % 2) * 2 + codes // 2
        distance = ClassDistance.from_paths({0: "a/0", 1: "a/1", 2: "b/2", 3: "b/3"}, weights=[10, 1])
        selector = SequentialSelector(class_distance=distance, labels="multilabel", n_features_to_select=1)
        assert selector.fit(X, np.eye(4, dtype=int)[group]).get_support(indices=True).tolist() == columns[:1]


@pytest.mark.parametrize("search", [SequentialSelector, RankingSelector])
@pytest.mark.parametrize("labels", ["hard", "soft", "multilabel"])
def test_a_distance_of_the_selector_is_that_of_the_criterion(search, labels):
    X, codes = gaussians(60, 4, 3)
    y = {"hard": codes, "soft": mixed(codes), "multilabel": one_hot(codes).astype(int)}[labels]
    how = {"labels": labels, "n_features_to_select": 2}
    one = search(NeighborCost(), class_distance=ORDERED, **how).fit(X, y)
    other = search(NeighborCost(class_distance=ORDERED), **how).fit(X, y)
    assert one.path_ == other.path_
    assert one.path_.scores.tobytes() == other.path_.scores.tobytes()
    np.testing.assert_array_equal(one.class_distance_.matrix, other.class_distance_.matrix)
    far = search(NeighborCost(class_distance=ORDERED), class_distance=1 - np.eye(3), **how).fit(X, y)
    assert far.path_.scores.tobytes() == other.path_.scores.tobytes()  # that of the criterion comes first


def test_of_one_label_the_distance_makes_no_difference():
    X, sets = informative(60)
    distance, y = ClassDistance.zero_one(["a", "b"]), [["a"] if has else [] for has in sets[:, 0]]
    how = {"labels": "multilabel", "n_features_to_select": 2}
    one = SequentialSelector(NeighborCost(), class_distance=distance, **how).fit(X, y)
    other = SequentialSelector(NeighborCost(), **how).fit(X, y)
    np.testing.assert_array_equal(one.path_.scores, other.path_.scores)
    assert one.path_.scores.max() > 0.3


@pytest.mark.parametrize("criterion", CRITERIA, ids=["cost", "information"])
def test_some_rows_around_which_neighbors_count_are_enough(criterion):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1500, 5))
    sets = np.column_stack([X[:, :3] > 0, rng.random(1500) < 0.5]).astype(float)
    how = {"label_sets": True} if isinstance(criterion, NeighborCost) else {}
    exact = criterion.scorer(X, sets, **how)
    whole = criterion.scorer(X, sets, queries=Queries(1500), **how)
    np.testing.assert_allclose(whole.without_each(range(5)), exact.without_each(range(5)), rtol=0, atol=1e-12)
    some = criterion.scorer(X, sets, queries=Queries(400), **how)
    assert set(some.without_each(range(5))[:, 0].argsort()[-2:]) == {3, 4}
    assert some.sampling.n_queries == (400, 400)


def test_without_a_distance_there_is_none():
    X, codes = gaussians(60, 4, 3)
    fitted = SequentialSelector(NeighborCost(), n_features_to_select=2).fit(X, codes)
    assert not hasattr(fitted, "class_distance_")


# Errors.


@pytest.mark.parametrize("criterion", ["mutual_information", BayesRisk(), MutualInformation(per_label="mean")])
def test_a_distance_is_an_error_with_a_criterion_that_takes_none(criterion):
    X, codes = gaussians(60, 4, 3)
    with pytest.raises(ValueError, match=r"class_distance must be None with the criterion .*, which takes none"):
        SequentialSelector(criterion, class_distance=ORDERED, n_features_to_select=2).fit(X, codes)
    with pytest.raises(ValueError, match="class_distance must be None"):
        RankingSelector(class_distance=ORDERED, n_features_to_select=2).fit(X, codes)


@pytest.mark.parametrize("labels", ["hard", "multilabel"])
@pytest.mark.parametrize("matrix", [SQUARE, np.ones((3, 2)), np.ones((2, 2)) - np.eye(2)])
def test_a_distance_of_another_shape_is_an_error(labels, matrix):
    X, codes = gaussians(60, 4, 3)
    y = codes if labels == "hard" else one_hot(codes).astype(int)
    for how in ({"class_distance": matrix}, {"criterion": NeighborCost(class_distance=matrix)}):
        with pytest.raises(ValueError, match="class_distance must"):
            SequentialSelector(labels=labels, n_features_to_select=2, **how).fit(X, y)
    with pytest.raises(ValueError, match="class_distance must"):
        NeighborCost(class_distance=matrix).score(X, one_hot(codes))


@pytest.mark.parametrize("n_neighbors", [0, -1, 1.5, "16"])
def test_a_number_of_neighbors_is_checked(n_neighbors):
    X, codes = gaussians(20, 2, 3)
    with pytest.raises(ValueError, match="n_neighbors must"):
        NeighborCost(n_neighbors).score(X, one_hot(codes))


# Information per label.


@pytest.mark.parametrize("estimator", ["count", "distance"])
def test_information_per_label_is_the_mean_over_labels_that_vary(estimator):
    X, sets = informative()
    each = [mutual_information(X, label, n_neighbors=4, estimator=estimator) for label in sets.T]
    mean = MutualInformation(4, estimator=estimator, per_label="mean")
    assert mean.score(X, sets.astype(float)) == pytest.approx(np.mean(each), abs=1e-12)
    one_score = [MutualInformation(4, estimator=estimator).score(X, np.eye(2)[label]) for label in sets.T]
    assert mean.score(X, sets.astype(float)) == pytest.approx(np.mean(one_score), abs=1e-12)
    with_constants = np.column_stack([np.ones(100), sets, np.zeros(100)])
    assert mean.score(X, with_constants) == mean.score(X, sets.astype(float))
    order = np.random.default_rng(0).permutation(sets.shape[1])
    assert mean.score(X, sets[:, order].astype(float)) == pytest.approx(np.mean(each), abs=1e-12)


@pytest.mark.parametrize("n_labels", [1, 3])
def test_information_per_label_is_zero_if_no_label_varies(n_labels):
    X = gaussians(30, 3, 2)[0]
    for labels in (np.zeros((30, n_labels)), np.ones((30, n_labels))):
        assert MutualInformation(per_label="mean").score(X, labels) == 0.0


def test_information_of_one_label_is_that_of_two_classes():
    X, codes = gaussians(80, 3, 2)
    found = MutualInformation(per_label="mean").score(X, codes[:, None].astype(float))
    assert found == pytest.approx(mutual_information(X, codes), abs=1e-12)


def test_per_label_is_a_known_word():
    X, codes = gaussians(30, 3, 2)
    with pytest.raises(ValueError, match="per_label must be"):
        MutualInformation(per_label="max").score(X, one_hot(codes))
    with pytest.raises(ValueError, match="per_label must be"):
        SequentialSelector(MutualInformation(per_label="max"), n_features_to_select=1).fit(X, codes)


@pytest.mark.parametrize("direction", ["backward", "forward"])
def test_features_of_all_labels_are_found_by_their_information(direction):
    X, sets = informative(200)
    criterion = MutualInformation(per_label="mean")
    selector = SequentialSelector(criterion, labels="multilabel", direction=direction, n_features_to_select=3)
    assert selector.fit(X, sets[:, :9]).get_support(indices=True).tolist() == [0, 1, 2]


# The criterion that "auto" chooses.


def test_the_criterion_that_suits_the_labels():
    chosen = criterion_for("auto")
    assert (type(chosen), chosen.per_label) == (MutualInformation, None)
    for n_labels in (1, 3, 16):
        chosen = criterion_for("auto", n_labels=n_labels)
        assert (type(chosen), chosen.per_label) == (MutualInformation, "mean")
    for n_labels in (17, None):
        assert type(criterion_for("auto", n_labels=n_labels)) is NeighborCost
    for n_labels in (0, 3, 17):
        chosen = criterion_for("auto", n_labels=n_labels, class_distance=ORDERED)
        assert type(chosen) is NeighborCost
        assert chosen.class_distance is ORDERED
    assert criterion_for("auto", n_neighbors=5).n_neighbors == 5
    assert criterion_for("auto").n_neighbors == MutualInformation().n_neighbors


def test_a_criterion_that_was_given_is_not_changed():
    criterion = NeighborCost(7)
    assert criterion_for(criterion, class_distance=ORDERED, n_neighbors=3).n_neighbors == 7
    assert criterion.class_distance is None
    assert criterion_for(criterion, n_labels=3) is criterion


CHOSEN = {
    "classes": (None, gaussians(60, 4, 3)[1], MutualInformation()),
    "classes with a distance": (ORDERED, gaussians(60, 4, 3)[1], NeighborCost()),
    "sets of 3 labels": (None, informative(60)[1][:, [0, 1, 2]], MutualInformation(per_label="mean")),
    "sets of 16 labels": (None, informative(60)[1][:, :16], MutualInformation(per_label="mean")),
    "sets of 17 labels": (None, informative(60)[1][:, :17], NeighborCost()),
    "sets with a distance": (ORDERED, informative(60)[1][:, [0, 1, 2]], NeighborCost()),
}


@pytest.mark.parametrize("name", CHOSEN)
@pytest.mark.parametrize("direction", ["backward", "forward"])
def test_a_selector_chooses_the_criterion(name, direction):
    distance, y, criterion = CHOSEN[name]
    X = informative(60)[0]
    how = {"labels": "hard" if y.ndim == 1 else "multilabel", "direction": direction, "n_features_to_select": 2}
    found, expected = (
        SequentialSelector(c, class_distance=distance, **how).fit(X, y).path_ for c in ("auto", criterion)
    )
    assert found == expected
    assert found.scores.tobytes() == expected.scores.tobytes()
