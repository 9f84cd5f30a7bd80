"""What neighbors cost: the kernel against its slow twin, and how far targets are apart."""

import pickle

import numpy as np
import pytest
import reference
from samples import UGLY, gaussians, make_ugly, mixed, one_hot

from tamis import ClassDistance, _kernels
from tamis._validation import Rows
from tamis.distances import costs
from tamis.distances.balls import BallScan
from tamis.distances.classes import resolve_class_distance
from tamis.distances.costs import as_gains, class_costs, label_costs

TREE = [("r", "a", 1.0), ("r", "b", 0.25), ("a", "c", 0.5), ("a", "d", 2.0), ("b", "e", 3.0)]
SOME = Rows()


def random_sets(n, n_labels=6, seed=0):
    return (np.random.default_rng(seed).random((n, n_labels)) < 0.4).astype(float)


def hamming(A):
    return (A[:, None] != A[None]).sum(axis=2).astype(float)


def full(found, n):
    """The cost of every pair of rows."""
    if "place" in found:
        return found["left"][np.ix_(found["place"], found["place"])]
    assert len(found["left"]) == len(found["right"]) == n
    return found["left"] @ found["right"].T


@pytest.fixture(params=["table", "vectors"])
def form(request, monkeypatch):
    if request.param == "vectors":
        monkeypatch.setattr(costs, "_MOST_PLACES", 0)
    return request.param


class Checked:
    """A scan whose answers are compared with the twin's."""

    def __init__(self, X, k, rows=SOME, groups=None, seed=0):
        sets = random_sets(len(X), seed=seed)
        self.X, self.k, self.rows, self.pairs = X, k, rows, hamming(sets)
        self.groups = [[f] for f in range(X.shape[1])] if groups is None else groups
        self.costs = label_costs(sets)
        self.scan = BallScan(X, None, "cost", costs=self.costs, rows=rows, groups=groups, n_neighbors=k)

    def agrees(self, found, features):
        columns = [column for f in features for column in self.groups[f]]
        expected = reference.neighbor_cost(self.X[:, columns], self.pairs, self.k, self.rows)
        np.testing.assert_allclose(found, [expected, 0.0], rtol=0, atol=1e-9)

    def every_way(self):
        d = len(self.groups)
        self.agrees(self.scan.of(range(d)), range(d))
        self.agrees(self.scan.alone([0])[0], [0])
        if d < 3:
            return
        found = self.scan.without_each(range(d))
        for j in (0, 1, d - 1):
            self.agrees(found[j], [f for f in range(d) if f != j])
        # A second step uses the bounds of the first.
        self.agrees(self.scan.without_each(range(1, d))[0], range(2, d))
        self.agrees(self.scan.with_each([], [1])[0], [1])
        self.agrees(self.scan.with_each([1], [0, 2])[1], [1, 2])
        self.agrees(self.scan.with_each([1, 2], [0])[0], [0, 1, 2])


@pytest.mark.parametrize("k", [1, 3, 8, 11, 30])
def test_every_way_of_scanning_agrees_with_the_twin(ugly, form, k):
    checked = Checked(ugly[0], k)
    assert ("place" in checked.costs) == (form == "table")
    checked.every_way()


@pytest.mark.parametrize("kind", sorted(UGLY))
def test_more_neighbors_than_rows_are_all_rows(kind):
    X, _ = make_ugly(kind, n=12)
    checked = Checked(X, 30)
    checked.every_way()
    everybody = checked.pairs.sum() / (12 * 11)
    assert checked.scan.of(range(X.shape[1]))[0] == pytest.approx(everybody, abs=1e-12)


@pytest.mark.parametrize("heavy", [False, True])
@pytest.mark.parametrize("k", [1, 3, 8, 30])
def test_many_rows_at_one_place_agree_with_the_twin(heavy, k, form):
    rng = np.random.default_rng(7)
    X = np.where(rng.random((150, 5)) < 0.2, rng.lognormal(0, 3, (150, 5)) if heavy else 1.0, 0.0)
    assert len(np.unique(X, axis=0)) < 0.8 * len(X)
    Checked(X, k).every_way()


def holed(X):
    """Gaps, a row and, of several columns, a column without any value."""
    X = np.where(np.random.default_rng(0).random(X.shape) < 0.2, np.nan, X)
    X[3] = np.nan
    if X.shape[1] > 1:
        X[:, 4] = np.nan
    return X


ROWS = {
    "alike": {},
    "weights": {"weight": np.random.default_rng(1).uniform(0.3, 3, 40)},
    "groups": {"group": np.random.default_rng(5).integers(0, 9, 40)},
    "one group": {"group": np.zeros(40, int)},
}
ROWS["weights and groups"] = ROWS["weights"] | ROWS["groups"]


@pytest.mark.parametrize("name", ROWS)
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("kind", ["plain", "ties", "duplicated_rows", "one_feature", "tiny_class", "huge"])
@pytest.mark.parametrize("k", [1, 8, 30])
def test_gaps_weights_and_groups_of_rows_agree_with_the_twin(name, missing, kind, k):
    X, _ = make_ugly(kind, n=40)
    Checked(holed(X) if missing else X, k, Rows(**ROWS[name])).every_way()


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("rows", [Rows(), Rows(**ROWS["weights and groups"])], ids=["alike", "weights and groups"])
@pytest.mark.parametrize("kind", ["plain", "ties", "scales"])
def test_features_of_several_columns_agree_with_the_twin(kind, missing, rows):
    X, _ = make_ugly(kind, n=40, d=7)
    Checked(holed(X) if missing else X, 5, rows, groups=[[0, 3], [1], [2, 5, 6], [4]]).every_way()


@pytest.mark.parametrize("missing", [False, True])
def test_a_weight_is_the_row_repeated_in_a_group(missing, form):
    X, sets = make_ugly("plain", n=40)[0], random_sets(40)
    X = holed(X) if missing else X
    times = np.random.default_rng(3).integers(1, 4, len(X))
    again = np.repeat(np.arange(len(X)), times)
    weight, copies = times.astype(float), Rows(group=again)
    one, other = (
        as_gains(label_costs(sets), weight),
        as_gains(label_costs(sets[again]), np.ones(len(again)), again),
    )
    np.testing.assert_allclose(full(one, 40)[np.ix_(again, again)], full(other, len(again)), atol=1e-12)
    for k in (3, 9):
        a = BallScan(X, None, "cost", costs=one, rows=Rows(weight=weight), n_neighbors=k)
        b = BallScan(X[again], None, "cost", costs=other, rows=copies, n_neighbors=k)
        for ask in (lambda s: s.of(range(5)), lambda s: s.without_each(range(5)), lambda s: s.with_each([1], [0, 2])):
            np.testing.assert_allclose(ask(a), ask(b), rtol=0, atol=1e-9)


@pytest.mark.parametrize("rows", [Rows(), Rows(**ROWS["weights and groups"])], ids=["alike", "weights and groups"])
def test_some_queries_are_a_part_of_the_mean(rows):
    checked = Checked(make_ugly("ties", n=40)[0], 5, rows)
    queries = np.arange(3, 40, 4)
    each = [checked.scan.around([q]).without_each([0, 1, 2, 3]) for q in queries]
    np.testing.assert_allclose(
        checked.scan.around(queries).without_each([0, 1, 2, 3]), np.mean(each, axis=0), atol=1e-12
    )
    everybody = checked.scan.around(np.arange(40))
    np.testing.assert_allclose(everybody.with_each([1], [0, 2]), checked.scan.with_each([1], [0, 2]), atol=1e-12)


def test_a_scan_that_was_pickled_is_the_same():
    scan = Checked(make_ugly("ties")[0], 5, Rows(weight=np.linspace(0.5, 2, 70))).scan
    expected = scan.without_each(range(5))
    assert pickle.loads(pickle.dumps(scan)).without_each(range(5)).tobytes() == expected.tobytes()


@pytest.mark.parametrize("k", [1, 8])
@pytest.mark.parametrize("kind", ["plain", "gaps", "weights"])
def test_the_same_bits_for_any_threads_and_cpu_level(k, kind, form, monkeypatch):
    X, _ = gaussians(250, 11, 3, seed=3)
    X[:, 3] = np.round(X[:, 3])
    X = holed(X) if kind == "gaps" else X
    rows = Rows(weight=np.random.default_rng(0).uniform(0.5, 2, 250)) if kind == "weights" else Rows()
    gains = as_gains(label_costs(random_sets(250)), rows.weights(250))

    def bits(level, n_threads):
        monkeypatch.setenv("TAMIS_CPU", level)
        scan = BallScan(X, None, "cost", costs=gains, rows=rows, n_neighbors=k, n_threads=n_threads)
        found = [scan.without_each(range(11)), scan.of(range(11)), scan.without_each(range(10))]
        found += [scan.with_each([2, 5], [0, 1, 7]), scan.alone([3, 4]), scan.around([5, 9]).of([1, 2])]
        return b"".join(np.ascontiguousarray(f).tobytes() for f in found)

    expected = bits("baseline", 1)
    for level in _kernels.levels():
        for n_threads in (1, 2):
            assert bits(level, n_threads) == expected, (level, n_threads)


# How far targets are apart.


def test_classes_cost_the_expected_distance_of_two_draws(form):
    P, D = mixed(gaussians(50, 2, 3)[1]), np.array([[0, 1, 4.0], [1, 0, 3], [4, 3, 0]])
    np.testing.assert_allclose(full(class_costs(P, D), 50), P @ D @ P.T, atol=1e-12)
    codes = gaussians(50, 2, 3)[1]
    np.testing.assert_array_equal(full(class_costs(one_hot(codes), D), 50), D[np.ix_(codes, codes)])


def test_sets_cost_the_labels_that_only_one_has(form):
    sets = random_sets(40)
    np.testing.assert_array_equal(full(label_costs(sets), 40), hamming(sets))


@pytest.mark.parametrize("seed", range(5))
def test_sets_of_one_label_are_as_far_apart_as_the_labels_in_a_tree(seed, form):
    nodes = np.random.default_rng(seed).permutation(list("rabcde"))[: 2 + seed].tolist()
    distance = ClassDistance.from_tree(TREE, classes=nodes)
    for one in (distance, ClassDistance(distance.matrix)):  # the tree as given, and as found
        found = full(label_costs(np.eye(len(nodes)), one), len(nodes))
        np.testing.assert_allclose(found, distance.matrix, atol=1e-12)


@pytest.mark.parametrize("matrix", [None, [[0, 1, 1, 2], [1, 0, 2, 1], [1, 2, 0, 1], [2, 1, 1, 0]]])
def test_costs_of_sets_are_a_distance(matrix, form):
    """Of a tree, or of what linkage makes of a square of labels, which is in no tree."""
    distance = ClassDistance.from_tree(TREE, classes=list("bcde")) if matrix is None else ClassDistance(matrix)
    assert distance.is_tree == (matrix is None)
    sets = np.array([[i >> j & 1 for j in range(4)] for i in range(16)], dtype=float)
    found = full(label_costs(sets, distance), 16)
    np.testing.assert_allclose(found, found.T, atol=1e-12)
    np.testing.assert_allclose(np.diag(found), 0, atol=1e-12)
    assert found.min() > -1e-12
    detours = found[:, :, None] + found[None]
    assert (found[:, None] <= detours + 1e-12).all()


def test_a_set_is_at_the_nodes_of_its_labels_and_at_all_above():
    distance = ClassDistance.from_tree(TREE, classes=list("cdeb"))
    sets = {"": [0, 0, 0, 0], "c": [1, 0, 0, 0], "cd": [1, 1, 0, 0], "e": [0, 0, 1, 0], "be": [0, 0, 1, 1]}
    C = full(label_costs(np.array(list(sets.values()), dtype=float), distance), 5)
    names = list(sets)

    def cost(one, other):
        return C[names.index(one), names.index(other)]

    assert cost("", "c") == 1.5 + 3  # outside of the tree, the longest edge away from the root
    assert cost("c", "cd") == 2.0
    assert cost("e", "be") == 0.0  # b is above e
    assert cost("cd", "e") == 1 + 0.5 + 2 + 0.25 + 3


@pytest.mark.parametrize("distance", [None, ClassDistance.from_tree(TREE, classes=list("bcde"))])
def test_probabilities_of_labels_cost_the_expectation(distance, form):
    rng = np.random.default_rng(2)
    probabilities = np.vstack([rng.random((5, 4)), rng.integers(0, 2, (3, 4))])
    sets = np.array([[i >> j & 1 for j in range(4)] for i in range(16)], dtype=float)
    drawn = np.array([np.prod(np.where(sets == 1, p, 1 - p), axis=1) for p in probabilities])
    expected = drawn @ full(label_costs(sets, distance), 16) @ drawn.T
    np.testing.assert_allclose(full(label_costs(probabilities, distance), 8), expected, atol=1e-12)


def test_one_label_is_had_or_not_whatever_the_distance():
    alone = resolve_class_distance(ClassDistance.from_tree(TREE, classes=["a", "b"]), ["a"], extra="drop")
    has = np.array([[0.0], [1.0], [1.0]])
    np.testing.assert_array_equal(full(label_costs(has, alone), 3), hamming(has))


TARGETS = {
    "classes": lambda n: class_costs(one_hot(gaussians(n, 2, 3)[1]), 1 - np.eye(3)),
    "memberships": lambda n: class_costs(mixed(gaussians(n, 2, 3)[1]), 1 - np.eye(3)),
    "sets": lambda n: label_costs(random_sets(n)),
}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", [name for name in ROWS if name != "one group"])
def test_gains_are_zero_in_the_mean_of_pairs(target, name, form):
    """Of two rows of different groups, by the product of their weights; a pair that costs nothing gains 1."""
    rows, found = Rows(**ROWS[name]), TARGETS[target](40)
    weight = rows.weights(40)
    group = np.arange(40) if rows.group is None else rows.group
    pairs = np.outer(weight, weight) * (group[:, None] != group)
    gains = full(as_gains(found, weight, rows.group), 40)
    assert (pairs * gains).sum() / pairs.sum() == pytest.approx(0, abs=1e-12)
    C = full(found, 40)
    np.testing.assert_allclose(1 - gains, C / ((pairs * C).sum() / pairs.sum()), atol=1e-12)


@pytest.mark.parametrize("group", [None, np.zeros(6, int)])
def test_where_nothing_differs_nothing_is_gained(group):
    weight = np.linspace(1, 2, 6)
    for found in (class_costs(np.eye(3)[[1] * 6], 1 - np.eye(3)), label_costs(np.ones((6, 2)))):
        assert not full(as_gains(found, weight, group), 6).any()
    if group is not None:  # nobody is compared with anybody
        assert not full(as_gains(label_costs(random_sets(6)), weight, group), 6).any()


def some_distances():
    rng = np.random.default_rng(4)
    for n in (2, 3, 8):
        edges = [(int(rng.integers(0, i)), i, float(rng.exponential() + 0.01)) for i in range(1, 2 * n)]
        yield ClassDistance.from_tree(edges, classes=rng.permutation(2 * n)[:n].tolist())
        yield ClassDistance.from_vectors(np.sort(rng.normal(size=(n, 1)), axis=0))  # a chain
    yield ClassDistance.zero_one(["a", "b", "c"])
    yield ClassDistance.from_paths(["a/b", "a/c/d", "a/c", "e"])


DISTANCES = list(some_distances())


@pytest.mark.parametrize("distance", DISTANCES, ids=repr)
def test_parts_of_a_tree_add_up_to_its_distances(distance):
    lengths, below = distance.parts()
    assert (lengths > 0).all()
    differ = below[:, None] != below[None]
    np.testing.assert_allclose(differ @ lengths, distance.matrix, rtol=1e-12)


@pytest.mark.parametrize("distance", DISTANCES, ids=repr)
@pytest.mark.parametrize("unit", [1.0, 3.0, 1e-200, 1e200])
def test_a_scaled_distance_is_the_same_but_for_a_power_of_two(distance, unit):
    distance = ClassDistance(distance.matrix * unit, distance.classes)
    scaled = distance.scaled()
    assert 0.5 <= scaled.matrix.max() < 1
    away = ~np.eye(len(scaled.matrix), dtype=bool)
    mantissa, exponent = np.frexp(distance.matrix[away] / scaled.matrix[away])
    assert (mantissa == 0.5).all()
    assert len(np.unique(exponent)) == 1
    factor = distance.matrix[away][0] / scaled.matrix[away][0]
    np.testing.assert_array_equal(scaled.parts()[0] * factor, distance.parts()[0])
    np.testing.assert_array_equal(scaled.parts()[1], distance.parts()[1])


def test_the_nodes_of_a_scaled_distance_are_those_given():
    distance = ClassDistance.from_tree(TREE, classes=list("cde"))
    for node, given in zip(distance.scaled().nodes(), distance.nodes(), strict=True):
        assert node == given._replace(length=given.length / 8)  # d and e are 6.25 apart
