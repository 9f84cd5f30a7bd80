"""Losses in units of the distances between classes."""

import numpy as np
import pytest
from samples import CHEAP, gaussians, mixed, one_hot
from sklearn.base import clone
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import RidgeCV
from sklearn.naive_bayes import GaussianNB

from tamis import BlanketSelector, ClassDistance, MultiLabels, SequentialSelector
from tamis._validation import Rows
from tamis.evidence import judges
from tamis.evidence.curves import Curves
from tamis.evidence.held_out import HeldOut
from tamis.evidence.judges import ClassifierJudge, LinearJudge, NeighbourJudge, TreeJudge
from tamis.evidence.spaces import ClassSpace, LabelSpace, PlainSpace, space_of

LINE = ClassDistance.from_tree([(0, 1, 1.0), (1, 2, 3.0), (2, 3, 0.5), (3, 4, 2.0)])
TREE = ClassDistance.from_paths(["a/b/c", "a/b/d", "a/e", "f/g", "f", "h"])
SQUARED = ClassDistance(np.abs(np.subtract.outer([0.0, 1.0, 3.0], [0.0, 1.0, 3.0])))
DISTANCES = {"0/1": ClassDistance.zero_one(range(5)), "line": LINE, "tree": TREE, "matrix": SQUARED}
PLANE = ClassDistance.from_vectors(np.random.default_rng(0).normal(size=(7, 2)))  # no tree

X, CODES = gaussians(200, 4, 3, seed=8)
X[:, :3] += 1.5 * one_hot(CODES)
SEEN, UNSEEN, KNOWN, SOFT = X[:120], X[120:], one_hot(CODES)[:120], mixed(CODES)[:120]
SETS = np.column_stack([CODES == 0, CODES != 2, X[:, 3] > 0, X[:, 2] > 1]).astype(float)[:120]
WEIGHT = np.random.default_rng(1).integers(1, 4, 120)
OF_CLASSES = ClassSpace(ClassDistance.from_paths(["a/x", "a/y", "b"]), np.ones(3))
OF_LABELS = LabelSpace(ClassDistance.from_paths(["a/x", "a/y", "b/z", "b"]))


def shares_of(distance, seed=0):
    return np.random.default_rng(seed).uniform(1, 5, len(distance.matrix))


def squared(places):
    return ((places[:, None] - places) ** 2).sum(axis=-1)


@pytest.mark.parametrize("kind", DISTANCES)
def test_squared_distances_of_points_are_the_distances(kind):
    distance = DISTANCES[kind]
    space = ClassSpace(distance, shares_of(distance))
    points = space.place(np.eye(len(distance.matrix)))
    np.testing.assert_allclose(space.unit * squared(points), distance.matrix, atol=1e-12)
    assert not np.allclose(points, 0)


def test_distances_that_are_no_squares_are_near():
    """The least squares of negative directions are left out, and the other distances are larger, if anything."""
    space = ClassSpace(PLANE, np.ones(7))
    found = space.unit * squared(space.place(np.eye(7)))
    off = ~np.eye(7, dtype=bool)
    assert np.corrcoef(found[off], PLANE.matrix[off])[0, 1] > 0.95


@pytest.mark.parametrize("kind", DISTANCES)
def test_the_loss_of_a_membership_is_a_distance_of_draws(kind):
    """To the true class from a draw of the predicted ones, less half of that between two such draws."""
    distance = DISTANCES[kind]
    D = distance.matrix
    space, p = ClassSpace(distance, shares_of(distance)), np.random.default_rng(1).dirichlet(np.ones(len(D)))
    apart = space.place(np.eye(len(D))) - space.place(p)
    np.testing.assert_allclose(space.unit * (apart**2).sum(axis=1), D @ p - p @ D @ p / 2)


@pytest.mark.parametrize("kind", DISTANCES)
def test_the_class_of_the_smallest_expected_distance(kind):
    distance = DISTANCES[kind]
    n_classes = len(distance.matrix)
    P = np.random.default_rng(2).dirichlet(np.full(n_classes, 0.5), size=(3, 40))
    space = ClassSpace(distance, shares_of(distance))
    decided = space.decided(space.place(P))
    assert decided.shape == P.shape
    assert (decided.sum(axis=-1) == 1).all()
    np.testing.assert_array_equal(decided.argmax(axis=-1), (P @ distance.matrix).argmin(axis=-1))


def test_many_places_at_once_are_as_one_by_one(monkeypatch):
    space, P = ClassSpace(TREE, np.ones(6)), np.random.default_rng(0).dirichlet(np.ones(6), 50)
    whole = space.decided(space.place(P))
    monkeypatch.setattr("tamis.evidence.spaces._AT_ONCE", 20)
    np.testing.assert_array_equal(space.decided(space.place(P)), whole)
    assert space.decided(space.place(P[:0])).shape == (0, 6)


@pytest.mark.parametrize("share", [0.0, 1e-6])
@pytest.mark.parametrize("kind", DISTANCES)
def test_a_class_of_hardly_any_rows(kind, share):
    """The others are as far apart as they are, and it is decided for only where it would be with all directions."""
    distance = DISTANCES[kind]
    shares = shares_of(distance)
    shares[1] = share
    space, others = ClassSpace(distance, shares), np.delete(np.arange(len(shares)), 1)
    points = space.place(np.eye(len(shares)))
    np.testing.assert_allclose(space.unit * squared(points[others]), distance.matrix[np.ix_(others, others)], atol=1e-3)
    P = np.random.default_rng(3).dirichlet(np.full(len(shares), 0.7), 100)
    P[:, 1] = 0
    P /= P.sum(axis=1, keepdims=True)
    expected = P @ distance.matrix
    least = np.sort(expected, axis=1)
    clear = least[:, 1] - least[:, 0] > 0.01
    assert clear.sum() > 50
    found = space.decided(space.place(P)).argmax(axis=1)
    np.testing.assert_array_equal(found[clear], expected.argmin(axis=1)[clear])


def test_half_of_two_classes_is_neither_of_a_third_one():
    for share in (0.0, 1e-5):
        space = ClassSpace(ClassDistance.zero_one(["a", "b", "c"]), np.array([1.0, 1.0, share]))
        assert not space.decided(space.place(np.array([[0.5, 0.5, 0.0]])))[0, 2]


def test_costs_are_expected_distances():
    space, rng = ClassSpace(LINE, np.ones(5)), np.random.default_rng(0)
    targets, decided = rng.dirichlet(np.ones(5), 8), one_hot(np.append(rng.integers(0, 5, 23), 4)).reshape(3, 8, 5)
    found = space.costs(targets, decided)
    for subset, row in np.ndindex(3, 8):
        place = decided[subset, row].argmax()
        assert found[subset, row] == pytest.approx(sum(targets[row] * LINE.matrix[:, place]))
    assert PlainSpace(True).costs(targets, decided) is None


@pytest.mark.parametrize("factor", [1e200, 1e-200, 3.0])
@pytest.mark.parametrize(
    "space", [ClassSpace, lambda distance, shares: LabelSpace(distance)], ids=["classes", "labels"]
)
def test_any_unit(space, factor):
    shares = shares_of(TREE)
    one, other = (space(ClassDistance(scale * TREE.matrix), shares) for scale in (1.0, factor))
    P = np.random.default_rng(0).dirichlet(np.ones(6), 20)
    assert np.isfinite(other.place(P)).all()
    scored = slice(one.n_scored)
    apart = [s.unit * squared(s.place(P)[:, scored]) for s in (one, other)]
    np.testing.assert_allclose(apart[1], factor * apart[0], atol=1e-9 * factor)
    np.testing.assert_array_equal(one.decided(one.place(P)), other.decided(other.place(P)))
    decided = one.decided(one.place(P))
    if one.n_scored is None:
        np.testing.assert_allclose(other.costs(P, decided), factor * one.costs(P, decided))


@pytest.mark.parametrize("n_classes", [3, 20, 60])
def test_directions_left_out_hold_less_than_a_thousandth(n_classes):
    rng = np.random.default_rng(n_classes)
    distance = ClassDistance.from_tree(
        [(int(rng.integers(0, c)), c, float(rng.exponential())) for c in range(1, n_classes)]
    )
    shares = rng.exponential(size=n_classes) ** 3
    shares /= shares.sum()
    space = ClassSpace(distance, shares)
    points = space.place(np.eye(n_classes))
    kept = space.unit * (shares @ (points**2).sum(axis=1))
    whole = shares @ distance.matrix @ shares / 2  # of squared distances: twice the variance
    assert 0.999 * whole <= kept * (1 + 1e-9)
    assert kept <= whole * (1 + 1e-9)
    np.testing.assert_allclose(shares @ points, 0, atol=1e-12)
    if n_classes > 3:
        assert points.shape[1] < n_classes - 1


def curves_in(space, P, targets):
    """Two folds of a judge who says P."""
    half, shares = len(P) // 2, space.place(targets).mean(axis=0)
    held = [
        HeldOut(np.flatnonzero(rows), targets[rows], shares, space.place(P)[None, None, rows], Rows(), space)
        for rows in (np.arange(len(P)) < half, np.arange(len(P)) >= half)
    ]
    return Curves([held], 0.01, one_class=True)


def test_if_all_are_one_apart_losses_are_half_of_the_plain_ones():
    """Squared distances of unit vectors are two."""
    codes = np.random.default_rng(0).integers(0, 4, 60)
    targets, P = one_hot(codes), mixed(codes, seed=1)[:, :4]
    zero_one = ClassSpace(ClassDistance.zero_one(range(4)), targets.sum(axis=0))
    plain, found = curves_in(PlainSpace(True), P, targets), curves_in(zero_one, P, targets)
    for one, other in zip([*plain.losses(), plain.behind_se()], [*found.losses(), found.behind_se()], strict=True):
        np.testing.assert_allclose(2 * other, one, rtol=1e-6)
    assert 2 * found.loss_of_nothing() == pytest.approx(plain.loss_of_nothing())
    assert found.choice == plain.choice
    assert found.errors() == plain.errors()
    assert plain.costs() is None
    decided = zero_one.decided(zero_one.place(P))
    np.testing.assert_array_equal(decided, PlainSpace(True).decided(P))
    costs, of_nothing = found.costs()
    assert costs[0] == pytest.approx((decided.argmax(axis=1) != codes).mean())
    assert of_nothing == pytest.approx(1 - np.bincount(codes).max() / 60)


def test_without_distances_or_two_classes_spaces_are_plain():
    P = one_hot(CODES)
    assert not space_of(None, P, one_class=True).has_distance
    assert not space_of(ClassDistance._trusted(np.zeros((1, 1)), ["a"]), P[:, :1], one_class=True).has_distance
    assert isinstance(space_of(LINE, np.ones((3, 5)), one_class=True), ClassSpace)
    assert isinstance(space_of(LINE, np.ones((3, 5)), one_class=False), LabelSpace)
    assert PlainSpace(True).decided(np.array([[0.4, 0.4, 0.2]])).tolist() == [[True, False, False]]
    assert PlainSpace(False).decided(np.array([[0.6, 0.7, 0.2]])).tolist() == [[True, True, False]]
    assert not ClassSpace(LINE, np.array([1.0, 0, 0, 0, 0])).varies


@pytest.mark.parametrize("kind", ["line", "tree"])
def test_single_labels_are_as_far_apart_as_they_are(kind):
    distance = DISTANCES[kind]
    space = LabelSpace(distance)
    places = space.place(np.eye(len(distance.matrix)))[:, : space.n_scored]
    np.testing.assert_allclose(space.unit * squared(places), distance.matrix, atol=1e-12)


def test_two_sets_differ_by_the_edges_that_one_of_them_needs():
    lengths, below = TREE.parts(with_root=True)  # to hold any label at all is an edge, too
    space = LabelSpace(TREE)
    sets = np.array([[int(bit) for bit in f"{code:06b}"] for code in range(64)])
    found = space.unit * squared(space.place(sets)[:, : space.n_scored])
    for one, other in np.random.default_rng(0).integers(0, 64, (200, 2)):
        needed = [{e for e in range(len(lengths)) if (sets[s].astype(bool) & below[:, e]).any()} for s in (one, other)]
        assert found[one, other] == pytest.approx(sum(lengths[e] for e in needed[0] ^ needed[1]))


def test_a_label_is_decided_for_if_it_is_probable():
    P = np.random.default_rng(0).uniform(size=(3, 20, 6))
    space = LabelSpace(TREE)
    np.testing.assert_array_equal(space.decided(space.place(P)), P > 0.5)
    assert space.costs(P, P > 0.5) is None


def test_independent_labels_reach_a_node_unless_all_below_are_missing():
    space, p = LabelSpace(ClassDistance.from_paths(["a/x", "a/y", "b"], weights=(4, 1))), np.array([0.5, 0.2, 0.3])
    nodes = space.unit * space.place(p)[: space.n_scored] ** 2
    np.testing.assert_allclose(
        np.sort(nodes), np.sort([4 * (1 - 0.5 * 0.8) ** 2, 0.25, 0.04, 4 * 0.09, 4 * (1 - 0.5 * 0.8 * 0.7) ** 2])
    )


def ask(judge, T, space, *, weight=None, X=SEEN, one_class=None):
    one_class = space.n_scored is None if one_class is None else one_class
    return judge.predict(X, T, UNSEEN, seed=0, one_class=one_class, space=space, weight=weight)


@pytest.mark.parametrize("weight", [None, WEIGHT.astype(float)], ids=["alone", "weights"])
@pytest.mark.parametrize("judge", [NeighbourJudge(), ClassifierJudge(GaussianNB())], ids=lambda j: j.name)
def test_means_of_places_are_places_of_means(judge, weight):
    plain = ask(judge, SOFT, PlainSpace(True), weight=weight)
    np.testing.assert_allclose(ask(judge, SOFT, OF_CLASSES, weight=weight), OF_CLASSES.place(plain), atol=1e-12)


def test_a_classifier_of_label_sets_is_placed_by_its_probabilities():
    plain = ask(ClassifierJudge(GaussianNB()), SETS, PlainSpace(False), one_class=False)
    np.testing.assert_array_equal(ask(ClassifierJudge(GaussianNB()), SETS, OF_LABELS), OF_LABELS.place(plain))


@pytest.mark.parametrize("weight", [None, WEIGHT.astype(float)], ids=["alone", "weights"])
@pytest.mark.parametrize(("T", "space"), [(SOFT, OF_CLASSES), (SETS, OF_LABELS)], ids=["classes", "sets"])
def test_a_linear_judge_is_ridge_regression_of_places(T, space, weight):
    model = RidgeCV(np.logspace(-1, 5, 7)).fit(SEEN, space.place(T), sample_weight=weight)
    np.testing.assert_allclose(ask(LinearJudge(), T, space, weight=weight), model.predict(UNSEEN))
    right = space.decided(ask(LinearJudge(), one_hot(CODES)[:120], OF_CLASSES)) if space is OF_CLASSES else None
    assert right is None or (right.argmax(axis=1) == CODES[120:]).mean() > 0.5


def test_a_linear_judge_of_one_direction_has_one_column():
    space = ClassSpace(ClassDistance.zero_one(["a", "b"]), np.ones(2))
    assert ask(LinearJudge(), one_hot(np.minimum(CODES, 1))[:120], space).shape == (80, 1)


@pytest.mark.parametrize("judge", [NeighbourJudge(), ClassifierJudge(GaussianNB())], ids=lambda j: j.name)
def test_a_weight_is_a_row_repeated(judge):
    """Of neighbours, where all rows are near."""
    few = np.arange(8) if isinstance(judge, NeighbourJudge) else np.arange(120)
    copies = np.repeat(few, WEIGHT[few])
    weighted = ask(judge, SOFT[few], OF_CLASSES, X=SEEN[few], weight=WEIGHT[few].astype(float))
    if isinstance(judge, NeighbourJudge):
        np.testing.assert_allclose(weighted, np.tile(OF_CLASSES.place(SOFT[copies].mean(axis=0)), (80, 1)))
    else:
        np.testing.assert_allclose(weighted, ask(judge, SOFT[copies], OF_CLASSES, X=SEEN[copies]), atol=1e-6)


@pytest.mark.parametrize("weight", [None, WEIGHT.astype(float)], ids=["alone", "weights"])
@pytest.mark.parametrize("kind", ["classes", "sets"])
def test_of_many_coordinates_a_forest_has_the_means_of_its_leaves(kind, weight):
    """It splits by the eight directions in which places vary most."""
    if kind == "classes":
        codes = np.random.default_rng(0).integers(0, 12, 120)
        T, space = mixed(codes), ClassSpace(ClassDistance.zero_one(range(12)), np.bincount(codes))
    else:
        T, space = SETS, OF_LABELS
    places = space.place(T)
    assert places.shape[1] > judges._MOST_TARGETS
    centred = places - places.mean(axis=0)
    main = centred @ np.linalg.svd(centred, full_matrices=False)[2][:8].T
    how = {} if weight is None else {"min_weight_fraction_leaf": 1 / 120}
    forest = RandomForestRegressor(judges._TREES, max_features="sqrt", min_samples_leaf=2, random_state=0, **how).fit(
        SEEN, main, sample_weight=weight
    )
    seen, unseen = forest.apply(SEEN), forest.apply(UNSEEN)
    found = ask(TreeJudge(), T, space, weight=weight)
    for row in range(0, 80, 7):
        by_tree = [
            np.average(places[same], axis=0, weights=None if weight is None else weight[same])
            for same in (seen == unseen[row]).T
        ]
        np.testing.assert_allclose(found[row], np.mean(by_tree, axis=0), atol=1e-12)


def test_a_forest_of_few_coordinates_predicts_places():
    found = ask(TreeJudge(), KNOWN, OF_CLASSES)
    how = {"max_features": "sqrt", "min_samples_leaf": 2, "random_state": 0}
    forest = RandomForestRegressor(judges._TREES, **how).fit(SEEN, OF_CLASSES.place(KNOWN))
    np.testing.assert_allclose(found, forest.predict(UNSEEN))


SELECTORS = [
    SequentialSelector(random_state=0, **CHEAP),
    BlanketSelector(random_state=0, n_conditioning=2, n_bins=10, **CHEAP),
]
MATRIX = np.array([[0, 1, 4], [1, 0, 4], [4, 4, 0.0]])
MANY, ALL_CODES = gaussians(150, 6, 3, seed=6, informative=3)
MANY[:, :3] += 3 * one_hot(ALL_CODES)


def evidence_of(selector, distance, X=MANY, y=ALL_CODES, **how):
    return clone(selector).set_params(class_distance=distance, **how).fit(X, y).evidence_


@pytest.mark.parametrize("selector", SELECTORS, ids=lambda s: type(s).__name__)
def test_costs_of_subsets(selector):
    found, without = evidence_of(selector, MATRIX), evidence_of(selector, None)
    assert found.cost.shape == found.sizes.shape
    assert (found.cost >= 0).all()
    assert found.cost.min() < 0.5 * found.cost_of_nothing
    assert (found.cost <= found.cost_of_nothing).all()
    shares = np.bincount(ALL_CODES) / len(ALL_CODES)
    assert found.cost_of_nothing == pytest.approx((shares @ MATRIX).min(), rel=0.05)
    assert without.cost is None
    assert without.cost_of_nothing is None


@pytest.mark.parametrize("factor", [2, 1e6, 1e200, 1e-200])
@pytest.mark.parametrize("selector", SELECTORS, ids=lambda s: type(s).__name__)
def test_losses_have_the_unit_of_the_distance(selector, factor):
    one, other = evidence_of(selector, MATRIX), evidence_of(selector, factor * MATRIX)
    for name in ("loss", "loss_se", "behind_se", "loss_of_nothing", "cost", "cost_of_nothing"):
        smallest = 1e-6 * one.loss_of_nothing * factor
        np.testing.assert_allclose(
            getattr(other, name), factor * getattr(one, name), rtol=1e-5, atol=smallest, err_msg=name
        )
    for name in ("n_chosen", "expected_error", "found", "n_units"):
        assert getattr(one, name) == getattr(other, name)
    for tolerance in (0, 0.1, 0.5):
        assert one.size_at(tolerance) == other.size_at(tolerance)
    spread = np.bincount(ALL_CODES) / len(ALL_CODES)
    assert one.loss_of_nothing == pytest.approx(spread @ MATRIX @ spread / 2, rel=0.05)


@pytest.mark.filterwarnings("ignore:class . has fewer", "ignore:class . has 1 sample")
@pytest.mark.parametrize("selector", SELECTORS, ids=lambda s: type(s).__name__)
def test_rows_of_rare_classes_are_judged_if_it_is_known_how_far_they_are(selector):
    y = ALL_CODES.copy()
    y[:4] = [3, 3, 3, 4]
    line = ClassDistance.from_tree([(c, c + 1, 1.0) for c in range(4)])
    far = evidence_of(selector, line, y=y, cv=5)
    assert far.n_units == 150
    assert evidence_of(selector, None, y=y, cv=5).n_units == 146
    assert np.isfinite(far.cost).all()


@pytest.mark.filterwarnings("ignore:.* rows have no label")
@pytest.mark.parametrize("transform", ["copy", "labels"])
def test_label_sets_with_distances(transform):
    sets = np.column_stack([MANY[:, 0] > 0, MANY[:, 0] + MANY[:, 1] > 0, MANY[:, 2] > 0]).astype(int)
    selector = SELECTORS[transform == "copy"]
    distance = ClassDistance.from_paths({0: "a/x", 1: "a/y", 2: "b"})
    labels = MultiLabels(transform=transform)
    one, other = (
        evidence_of(selector, ClassDistance(factor * distance.matrix), y=sets, labels=labels) for factor in (1, 1e3)
    )
    assert one.cost is one.cost_of_nothing is None
    assert one.loss.min() < one.loss_of_nothing
    np.testing.assert_allclose(other.loss, 1e3 * one.loss, rtol=1e-5)
    assert one.n_chosen == other.n_chosen


def test_label_sets_by_name():
    sets = np.column_stack([MANY[:, 0] > 0, MANY[:, 1] > 0]).astype(int)
    found = evidence_of(SELECTORS[0], 1 - np.eye(2), y=sets, labels="multilabel")
    assert found.found
    assert set(np.flatnonzero(found.frequency == 1)) >= {0, 1}
