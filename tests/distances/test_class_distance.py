"""Distances between classes: metrics only, trees recognised, classes in the order that is asked for."""

import pickle

import numpy as np
import pandas as pd
import pytest
from counting import growth
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import cophenet, linkage
from scipy.sparse.csgraph import shortest_path
from scipy.spatial.distance import cdist, squareform
from sklearn.base import clone

from tamis import ClassDistance
from tamis.distances.classes import resolve_class_distance

ENRON = (0.5, 0.2, 0.05)
seeds = st.integers(0, 2**32 - 1)
few = settings(max_examples=60, deadline=None)


def random_tree(rng, n_nodes, shape):
    """Edges of a tree whose nodes are numbers, with whole or real lengths."""
    parents = {
        "any": lambda i: rng.integers(0, i),
        "chain": lambda i: i - 1,
        "star": lambda i: 0,
        "bushy": lambda i: (i - 1) // 3,
    }[shape]
    lengths = rng.integers(1, 4, n_nodes) if rng.random() < 0.5 else rng.exponential(size=n_nodes) + 1e-6
    return [(int(parents(i)), i, float(lengths[i])) for i in range(1, n_nodes)]


def lengths_in(tree):
    """The distances that the edges of a `Tree` stand for."""
    apart = tree.below[:, None, :] != tree.below[None, :, :]
    return (apart * tree.weights).sum(axis=2)


def walk_length(edges, start):
    """Lengths of ways from a node, by walking."""
    reached, todo = {start: 0.0}, [start]
    for node in todo:
        for a, b, weight in edges:
            for here, there in ((a, b), (b, a)):
                if here == node and there not in reached:
                    reached[there] = reached[node] + weight
                    todo.append(there)
    return reached


@few
@given(
    seed=seeds,
    n_nodes=st.integers(2, 30),
    shape=st.sampled_from(["any", "chain", "star", "bushy"]),
    power=st.integers(-900, 900),
)
def test_every_tree_is_recognised_whatever_its_classes(seed, n_nodes, shape, power):
    rng = np.random.default_rng(seed)
    edges = random_tree(rng, n_nodes, shape)
    classes = rng.permutation(n_nodes)[: rng.integers(2, n_nodes + 1)].tolist()
    distance = ClassDistance.from_tree(edges, classes=classes)
    expected = [[walk_length(edges, a)[b] for b in classes] for a in classes]
    np.testing.assert_allclose(distance.matrix, expected, rtol=1e-9)
    again = ClassDistance(np.ldexp(distance.matrix, power), classes)
    assert distance.is_tree
    assert again.is_tree
    np.testing.assert_allclose(lengths_in(distance.tree), expected, rtol=1e-9)
    np.testing.assert_allclose(np.ldexp(lengths_in(again.tree), -power), expected, rtol=1e-9)


@few
@given(seed=seeds, n_nodes=st.integers(2, 30))
def test_every_edge_parts_the_classes_in_its_own_way(seed, n_nodes):
    rng = np.random.default_rng(seed)
    classes = rng.permutation(n_nodes)[: rng.integers(2, n_nodes + 1)]
    weights, below = ClassDistance.from_tree(random_tree(rng, n_nodes, "any"), classes=classes).tree
    assert (weights > 0).all()
    assert below.any(axis=0).all()
    assert not below.all(axis=0).any()
    sides = {min(side.tobytes(), (~side).tobytes()) for side in below.T}
    assert len(sides) == below.shape[1] <= max(1, 2 * len(classes) - 3)


@few
@given(seed=seeds, n=st.integers(2, 20))
def test_ultrametrics_are_trees(seed, n):
    points = np.random.default_rng(seed).normal(size=(n, 3))
    assert ClassDistance(squareform(cophenet(linkage(points, "average")))).is_tree


@few
@given(seed=seeds, n=st.integers(2, 3), dimension=st.integers(1, 4))
def test_any_metric_of_two_or_three_classes_is_a_tree(seed, n, dimension):
    distance = ClassDistance.from_vectors(np.random.default_rng(seed).normal(size=(n, dimension)))
    assert distance.is_tree
    np.testing.assert_allclose(lengths_in(distance.tree), distance.matrix, rtol=1e-9)


@few
@given(seed=seeds, n=st.integers(4, 20))
def test_points_in_general_position_are_no_tree_but_those_on_a_line_are(seed, n):
    points = np.random.default_rng(seed).normal(size=(n, 3))
    assert not ClassDistance.from_vectors(points).is_tree
    assert ClassDistance.from_vectors(points[:, :1]).is_tree


def test_a_tree_off_by_a_millionth_is_none():
    matrix = np.array(ClassDistance.from_paths(["a/b", "a/c", "d/e", "d/f"]).matrix)
    matrix[0, 2] = matrix[2, 0] = matrix[0, 2] * (1 - 1e-6)
    assert not ClassDistance(matrix).is_tree


def test_a_close_pair_far_from_the_others_keeps_its_own_tolerance():
    points = np.array([[0, 0], [1e-7, 0], [0, 1e-7], [1e-7, 1e-7], [1, 0]])
    assert not ClassDistance.from_vectors(points).is_tree


def test_one_apart_is_a_star():
    distance = ClassDistance.zero_one(["b", "a", "c"])
    np.testing.assert_array_equal(distance.matrix, 1 - np.eye(3))
    np.testing.assert_array_equal(distance.tree.weights, np.full(3, 0.5))
    assert distance.classes.tolist() == ["b", "a", "c"]


@pytest.mark.parametrize("classes", [["low", "middle", "high"], range(3), [0.5, 1.5, 2.5], ["a", 1, (2, "b")]])
def test_ordered_classes_are_a_chain_of_any_names(classes):
    low, middle, high = classes
    distance = ClassDistance.from_tree([(low, middle, 1), (middle, high, 2)])
    np.testing.assert_array_equal(distance.matrix, [[0, 1, 3], [1, 0, 2], [3, 2, 0]])
    assert distance.classes.tolist() == list(classes)
    assert distance.for_classes([high, low], extra="drop").matrix[0, 1] == 3


def test_paths_with_the_lengths_of_the_paper():
    paths = ["inbox", "inbox/primary", "inbox/primary/discussion", "inbox/primary/offer", "inbox/other", "sent/to"]
    matrix = ClassDistance.from_paths(paths, weights=ENRON).matrix
    expected = [0.2, 0.25, 0.25, 0.2, 1.2]
    np.testing.assert_allclose(matrix[0, 1:], expected, rtol=1e-12)
    assert matrix[2, 3] == pytest.approx(0.1)
    assert matrix[1, 4] == pytest.approx(0.4)
    assert matrix[2, 5] == pytest.approx(1.45)


def test_paths_halve_by_default_and_classes_may_have_names_of_their_own():
    paths = {7: "a.b.c", 3: "a.b.d", 5: "a.e", 1: "f"}
    distance = ClassDistance.from_paths(paths, separator=".")
    expected = [[0, 0.5, 1.25, 2.75], [0.5, 0, 1.25, 2.75], [1.25, 1.25, 0, 2.5], [2.75, 2.75, 2.5, 0]]
    np.testing.assert_array_equal(distance.matrix, expected)
    assert distance.classes.tolist() == [7, 3, 5, 1]


def test_the_same_first_level_for_all_parts_nobody():
    assert (ClassDistance.from_paths(["x/a", "x/b"]).tree.weights == 1.0).all()


def test_vectors_of_any_size():
    vectors = np.array([[3.0, 4], [0, 0], [3, 0], [0, 4]])
    expected = [[0, 5, 4, 3], [5, 0, 3, 4], [4, 3, 0, 5], [3, 4, 5, 0]]
    for scale in (1.0, 1e200, 1e-200):
        np.testing.assert_allclose(ClassDistance.from_vectors(vectors * scale).matrix / scale, expected)


def test_a_table_names_its_classes():
    table = pd.DataFrame([[0, 1.0], [1, 0]], index=["x", "a"], columns=["x", "a"])
    assert ClassDistance(table).classes.tolist() == ["x", "a"]
    assert ClassDistance(table.reset_index(drop=True)).classes.tolist() == ["x", "a"]
    assert ClassDistance(pd.DataFrame(table.to_numpy())).classes is None
    table = pd.DataFrame(np.array([[0, 1, 3], [1, 0, 2], [3, 2, 0.0]]), index=list("cab"), columns=list("cab"))
    np.testing.assert_array_equal(resolve_class_distance(table, list("abc")).matrix[0], [0, 2, 1])


def test_rows_follow_the_classes_asked_for():
    points = np.random.default_rng(0).normal(size=(5, 2))
    distance = ClassDistance.from_vectors(points, classes=list("edcba"))
    arranged = distance.for_classes(list("abcde"))
    np.testing.assert_array_equal(arranged.matrix, cdist(points[::-1], points[::-1]))
    assert arranged.classes.tolist() == list("abcde")
    some = distance.for_classes(["a", "e"], extra="drop")
    assert some.matrix[0, 1] == arranged.matrix[0, 4]
    assert some.is_tree
    assert not arranged.is_tree


def test_what_a_selector_may_be_given():
    classes = np.array(["a", "b", "c"])
    matrix = np.array([[0, 1, 2], [1, 0, 1], [2, 1, 0.0]])
    np.testing.assert_array_equal(resolve_class_distance(None, classes).matrix, 1 - np.eye(3))
    np.testing.assert_array_equal(resolve_class_distance(matrix, classes).matrix, matrix)
    np.testing.assert_array_equal(resolve_class_distance(ClassDistance(matrix), classes).matrix, matrix)
    named = ClassDistance(matrix, ["b", "c", "a"])
    np.testing.assert_array_equal(resolve_class_distance(named, classes).matrix, matrix[[2, 0, 1]][:, [2, 0, 1]])


def test_it_is_a_value():
    given = np.array([[0, 1.0], [1, 0]])
    distance = ClassDistance(given, ["a", "b"])
    given[0, 1] = 9
    assert distance.matrix[0, 1] == 1
    with pytest.raises(ValueError, match="read-only"):
        distance.matrix[0, 1] = 2
    for copy in (pickle.loads(pickle.dumps(distance)), clone(distance, safe=False)):
        np.testing.assert_array_equal(copy.matrix, distance.matrix)
        assert copy.is_tree
    assert repr(distance) == "ClassDistance(2 classes, tree)"
    assert (
        repr(ClassDistance.from_vectors(np.random.default_rng(0).normal(size=(20, 2)))) == "ClassDistance(20 classes)"
    )


def test_rounding_is_forgiven():
    points = np.random.default_rng(0).normal(size=(30, 2))
    matrix = cdist(points, points) * (1 + 1e-11 * np.random.default_rng(1).normal(size=(30, 30)))
    matrix[np.diag_indices(30)] = 1e-12
    distance = ClassDistance(matrix)
    np.testing.assert_array_equal(distance.matrix, distance.matrix.T)
    assert (distance.matrix.diagonal() == 0).all()
    chain = shortest_path(np.diag(np.full(9, 0.1), 1), directed=False)  # many detours as short as the way
    assert ClassDistance(chain).is_tree


@few
@given(seed=seeds, n=st.integers(4, 15))
def test_a_broken_triangle_is_always_found(seed, n):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(n, 2))
    matrix = cdist(points, points)
    i, j = rng.permutation(n)[:2]
    detour = np.delete(matrix[i] + matrix[j], [i, j]).min()
    matrix[i, j] = matrix[j, i] = detour
    ClassDistance(matrix)
    matrix[i, j] = matrix[j, i] = detour * (1 + 1e-6)
    with pytest.raises(ValueError, match="triangle inequality"):
        ClassDistance(matrix)


@pytest.mark.parametrize("way", ["chain", "bushy", "star", "vectors"])
def test_work_in_python_grows_as_the_number_of_classes(way):
    rng = np.random.default_rng(0)
    found = []

    def work(n):
        if way == "vectors":
            vectors = rng.normal(size=(n, 50))
            return lambda: found.append(ClassDistance.from_vectors(vectors))
        edges = random_tree(rng, n, way)
        return lambda: found.append(ClassDistance.from_tree(edges))

    assert growth(work, 100, 400) < 1.1
    assert [distance.is_tree for distance in found] == [way != "vectors"] * 2


def broken(i, j, value):
    matrix = np.array(ClassDistance.from_paths(["a/x", "a/y", "b", "c"]).matrix)
    matrix[i, j] = value
    return matrix


BOTH = ([0, 2], [2, 0])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ClassDistance(np.ones((2, 3))), r"a row and a column per class, at least two; got \(2, 3\)"),
        (lambda: ClassDistance([[0.0]]), r"at least two; got \(1, 1\)"),
        (lambda: ClassDistance([[0, np.nan], [np.nan, 0]]), "class_distance contains NaN"),
        (lambda: ClassDistance(broken(0, 1, 2), list("wxyz")), r"symmetric; from 'w' to 'x' it is 2, back 1. .*D\.T"),
        (lambda: ClassDistance(broken(1, 1, 1)), "zero on the diagonal; from 1 to itself it is 1. .*similarities"),
        (lambda: ClassDistance(broken(*BOTH, 0)), "positive off the diagonal; between 0 and 2 it is 0. .*merge"),
        (lambda: ClassDistance(broken(*BOTH, -1)), "positive off the diagonal; between 0 and 2 it is -1"),
        (
            lambda: ClassDistance(broken(*BOTH, 5), ["w", "x", "y", "z"]),
            r"triangle inequality; from 'w' to 'y' it is 5, but by way of 'x' 1 \+ 2.5 = 3.5. Take shortest paths",
        ),
        (lambda: ClassDistance(1 - np.eye(3), ["a", "b"]), "classes must have 3 values, one per row .*; got 2"),
        (lambda: ClassDistance(1 - np.eye(3), ["a", "b", "a"]), "name each class once; 'a' comes 2 times"),
        (lambda: ClassDistance(1 - np.eye(3), "abc"), "classes must be a list of names; got 'abc'"),
        (lambda: ClassDistance.zero_one([[1], [2]]), r"classes must be a list of names; got \[1\] among them"),
        (lambda: ClassDistance.zero_one(["a"]), r"at least two classes; got \['a'\]"),
        (
            lambda: ClassDistance(pd.DataFrame(1 - np.eye(2), index=["a", "b"], columns=["b", "a"])),
            "same names for rows and columns",
        ),
        (lambda: ClassDistance.from_paths("a/b"), "paths must be a list of paths or a mapping"),
        (lambda: ClassDistance.from_paths(["a", 3]), "paths must be text; got 3"),
        (lambda: ClassDistance.from_paths(["a/b", "a//c"]), "a name at every level; 'a//c' has an empty one"),
        (lambda: ClassDistance.from_paths(["a/b", "a/"]), "a name at every level; 'a/' has"),
        (lambda: ClassDistance.from_paths(["a", ""]), "a name at every level; '' has"),
        (lambda: ClassDistance.from_paths({1: "a/b", 2: "a/b"}), "paths must differ; 'a/b' is that of 1 and 2"),
        (lambda: ClassDistance.from_paths([]), "at least two classes; got"),
        (lambda: ClassDistance.from_paths(["a", "b"], separator=""), "separator must be text"),
        (lambda: ClassDistance.from_paths(["a/b/c", "d"], weights=[1, 2]), "3 levels, those of 'a/b/c'; got 2"),
        (lambda: ClassDistance.from_paths(["a", "b"], weights=[0]), "weights must be a positive number; got 0"),
        (lambda: ClassDistance.from_tree([]), "edges must be at least one"),
        (lambda: ClassDistance.from_tree([("a", "b")]), r"edges must be \(node, node, weight\); got \('a', 'b'\)"),
        (lambda: ClassDistance.from_tree(["abc"]), r"edges must be \(node, node, weight\); got 'abc'"),
        (lambda: ClassDistance.from_tree([("a", "b", 0)]), "from 'a' to 'b' must be a positive number; got 0"),
        (
            lambda: ClassDistance.from_tree([("a", "b", 1), ("b", "c", 1), ("c", "a", 1)]),
            "form a tree; that from 'c' to 'a' closes a circle",
        ),
        (lambda: ClassDistance.from_tree([("a", "a", 1)]), "'a' to 'a' closes a circle"),
        (lambda: ClassDistance.from_tree([("a", "b", 1), ("c", "d", 1)]), "no way from 'a' to 'c'. Add"),
        (
            lambda: ClassDistance.from_tree([("cat", "dog", 1)], classes=["cat", "dogs"]),
            r"nodes of the tree; 'dogs' is not one of \['cat', 'dog'\]; did you mean 'dog'\?",
        ),
        (lambda: ClassDistance.from_vectors([[1, 2], [3, 4], [1, 2]]), "those of 0 and 2 are equal. Merge"),
        (lambda: ClassDistance.from_vectors([[1], [1]], classes=["a", "b"]), "those of 'a' and 'b' are equal"),
        (
            lambda: ClassDistance.zero_one(["cat", "dog"]).for_classes(["cat", "dgo"]),
            r"know every class of y; 'dgo' is not one of \['cat', 'dog'\]; did you mean 'dog'\?",
        ),
        (lambda: ClassDistance.zero_one([1, 2]).for_classes(["1", "2"]), "'1' is not one of .*; did you mean 1?"),
        (
            lambda: ClassDistance.zero_one(["a", "b", "c"]).for_classes(["a", "b"]),
            r"only classes of y; \['c'\] is not in y. Drop them: .*extra='drop'",
        ),
        (lambda: ClassDistance.zero_one([1, 2]).for_classes([1, 2], extra="keep"), "extra must be one of"),
        (lambda: resolve_class_distance(1 - np.eye(3), ["a", "b"]), "2 x 2; got 3 x 3. Name its classes"),
    ],
)
def test_bad_input_is_refused_with_the_way_out(call, message):
    with pytest.raises(ValueError, match=message):
        call()
