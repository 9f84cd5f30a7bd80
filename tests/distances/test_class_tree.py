"""The rooted tree of the classes: its ways are the distances, and it keeps the names that it was given."""

import pickle

import numpy as np
import pytest
from counting import growth
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import cophenet, linkage
from scipy.spatial.distance import squareform

from tamis import ClassDistance

SHAPES = {
    "any": lambda rng, i: rng.integers(0, i),
    "chain": lambda rng, i: i - 1,
    "star": lambda rng, i: 0,
    "bushy": lambda rng, i: (i - 1) // 3,
}
seeds = st.integers(0, 2**32 - 1)
shapes = st.sampled_from(sorted(SHAPES))
few = settings(max_examples=60, deadline=None)


def random_tree(rng, n_nodes, shape):
    """Edges of a tree whose nodes are numbers, with whole or real lengths."""
    lengths = rng.integers(1, 4, n_nodes) if rng.random() < 0.5 else rng.exponential(size=n_nodes) + 1e-6
    return [(int(SHAPES[shape](rng, i)), i, float(lengths[i])) for i in range(1, n_nodes)]


def random_distance(rng, n_nodes, shape):
    classes = rng.permutation(n_nodes)[: rng.integers(2, n_nodes + 1)].tolist()
    return ClassDistance.from_tree(random_tree(rng, n_nodes, shape), classes=classes)


def ways(nodes):
    """Lengths of the ways between classes, by going up from both."""
    up = []
    for node in nodes:
        above = [] if node.parent is None else up[node.parent]
        up.append([(len(up), node.length), *above])
    at = {node.class_: i for i, node in enumerate(nodes) if node.class_ is not None}
    lengths = np.zeros((len(at), len(at)))
    for a in at:
        for b in at:
            shared = {i for i, _ in up[at[a]]} & {i for i, _ in up[at[b]]}
            lengths[a, b] = sum(length for end in (a, b) for i, length in up[at[end]] if i not in shared)
    return lengths


def depths(nodes):
    found = []
    for node in nodes:
        found.append(node.length + (0.0 if node.parent is None else found[node.parent]))
    return found


def check(distance, nodes):
    """What holds of every tree to draw."""
    assert nodes[0].parent is None
    assert nodes[0].length == 0
    assert all(node.parent < i for i, node in enumerate(nodes) if i)
    assert sorted(node.class_ for node in nodes if node.class_ is not None) == list(range(len(distance.matrix)))
    n_children = np.bincount([node.parent for node in nodes[1:]], minlength=len(nodes))
    assert all(n > 1 for node, n in zip(nodes, n_children, strict=True) if node.class_ is None)
    names = range(len(distance.matrix)) if distance.classes is None else distance.classes.tolist()
    assert all(node.name == names[node.class_] for node in nodes if node.class_ is not None)


@few
@given(seed=seeds, n_nodes=st.integers(2, 30), shape=shapes, power=st.integers(-900, 900))
def test_ways_are_the_distances_of_a_given_tree_and_of_a_recognised_one(seed, n_nodes, shape, power):
    distance = random_distance(np.random.default_rng(seed), n_nodes, shape)
    recognised = ClassDistance(np.ldexp(distance.matrix, power), distance.classes)
    check(distance, distance.nodes())
    check(recognised, recognised.nodes())
    np.testing.assert_allclose(ways(distance.nodes()), distance.matrix, rtol=1e-9)
    np.testing.assert_allclose(np.ldexp(ways(recognised.nodes()), -power), distance.matrix, rtol=1e-9)


@few
@given(seed=seeds, n_nodes=st.integers(3, 30), shape=shapes)
def test_ways_are_the_distances_of_some_classes_in_another_order(seed, n_nodes, shape):
    rng = np.random.default_rng(seed)
    distance = random_distance(rng, n_nodes, shape)
    n = len(distance.classes)
    some = rng.permutation(distance.classes)[: rng.integers(2, n + 1)]
    for whole in (distance, ClassDistance(distance.matrix, distance.classes)):
        part = whole.for_classes(some, extra="drop")
        check(part, part.nodes())
        np.testing.assert_allclose(ways(part.nodes()), part.matrix, rtol=1e-9)


@few
@given(seed=seeds, n_nodes=st.integers(2, 30), shape=shapes)
def test_a_recognised_tree_hangs_in_the_middle_of_its_longest_way(seed, n_nodes, shape):
    matrix = random_distance(np.random.default_rng(seed), n_nodes, shape).matrix
    nodes = ClassDistance(matrix).nodes()
    deepest = [0.0, 0.0]
    branch = []
    for i, (node, depth) in enumerate(zip(nodes, depths(nodes), strict=True)):
        branch.append(i if node.parent in (None, 0) else branch[node.parent])
        if node.class_ is not None:
            deepest.append(depth)
    far = max(deepest)
    assert far == pytest.approx(matrix.max() / 2)
    ends = {branch[i] for i, depth in enumerate(depths(nodes)) if depth > far * (1 - 1e-6)}
    assert len(ends) > 1


@few
@given(seed=seeds, n=st.integers(4, 20), power=st.integers(-900, 900))
def test_without_a_tree_it_is_that_of_average_linkage(seed, n, power):
    points = np.random.default_rng(seed).normal(size=(n, 3))
    distance = ClassDistance.from_vectors(np.ldexp(points, power))
    assert not distance.is_tree
    nodes = distance.nodes()
    check(distance, nodes)
    condensed = squareform(np.ldexp(distance.matrix, -power), checks=False)
    expected = squareform(cophenet(linkage(condensed, "average")))
    np.testing.assert_allclose(np.ldexp(ways(nodes), -power), expected, rtol=1e-9)
    leaves = [depth for node, depth in zip(nodes, depths(nodes), strict=True) if node.class_ is not None]
    np.testing.assert_allclose(np.ldexp(leaves, -power), expected.max() / 2, rtol=1e-9)


PATHS = ["mail", "mail/primary/talk/short", "mail/primary/talk/long", "mail/primary/offer", "sent/to", "news/all/odd"]


def test_a_hierarchy_keeps_its_names():
    nodes = ClassDistance.from_paths(PATHS, weights=[8, 4, 2, 1]).nodes()
    told = [(node.name, None if node.parent is None else nodes[node.parent].name, node.length) for node in nodes]
    assert told == [
        (None, None, 0),
        ("mail", None, 8),
        ("primary", "mail", 4),
        ("talk", "primary", 2),
        ("mail/primary/talk/short", "talk", 1),
        ("mail/primary/talk/long", "talk", 1),
        ("mail/primary/offer", "primary", 2),
        ("sent/to", None, 12),
        ("news/all/odd", None, 14),
    ]


def test_what_holds_no_class_is_left_out_and_the_top_with_one_branch_too():
    distance = ClassDistance.from_paths(PATHS, weights=[8, 4, 2, 1])
    kept = ["mail/primary/offer", "mail/primary/talk/long"]
    nodes = distance.for_classes(kept, extra="drop").nodes()
    assert nodes == [("primary", None, 0.0, None), (kept[1], 0, 3.0, 1), (kept[0], 0, 2.0, 0)]
    assert pickle.loads(pickle.dumps(distance)).nodes() == distance.nodes()


def test_names_of_nodes_that_are_no_classes():
    edges = [("top", "left", 1), ("top", "right", 2), ("left", "a", 1), ("left", "b", 3), ("right", "c", 1)]
    nodes = ClassDistance.from_tree(edges, classes=["c", "b", "a"]).nodes()
    assert nodes == [
        ("top", None, 0.0, None),
        ("left", 0, 1.0, None),
        ("a", 1, 1.0, 2),
        ("b", 1, 3.0, 1),
        ("c", 0, 3.0, 0),
    ]


def test_two_classes_hang_on_a_new_node_and_classes_without_names_have_numbers():
    assert ClassDistance([[0, 3], [3, 0]]).nodes() == [(None, None, 0.0, None), (0, 0, 1.5, 0), (1, 0, 1.5, 1)]


def test_one_apart_is_a_star_with_nobody_in_its_middle():
    nodes = ClassDistance.zero_one(list("bac")).nodes()
    assert nodes[0] == (None, None, 0.0, None)
    assert sorted(nodes[1:]) == [("a", 0, 0.5, 1), ("b", 0, 0.5, 0), ("c", 0, 0.5, 2)]


def test_an_odd_chain_hangs_on_the_class_in_its_middle():
    places = np.array([0.0, 1, 4, 5, 8])
    nodes = ClassDistance(np.abs(places[:, None] - places), list("abcde")).nodes()
    assert nodes[0] == ("c", None, 0.0, 2)
    assert {node.name: nodes[node.parent].name for node in nodes[1:]} == {"b": "c", "a": "b", "d": "c", "e": "d"}


def test_classes_too_near_for_the_others_are_still_two():
    matrix = np.array([[0, 1e-30, 1], [1e-30, 0, 1], [1, 1, 0]])
    distance = ClassDistance(matrix)
    assert distance.is_tree
    check(distance, distance.nodes())
    np.testing.assert_allclose(ways(distance.nodes()), matrix, rtol=1e-9)


@pytest.mark.parametrize("way", ["chain", "bushy", "star", "given", "vectors"])
def test_work_in_python_grows_as_the_number_of_classes(way):
    rng = np.random.default_rng(0)

    def work(n):
        if way == "vectors":
            distance = ClassDistance.from_vectors(rng.normal(size=(n, 50)))
        else:
            distance = ClassDistance.from_tree(random_tree(rng, n, "bushy" if way == "given" else way))
            distance = distance if way == "given" else ClassDistance(distance.matrix)
        assert sum(node.class_ is not None for node in distance.nodes()) == n
        return distance.nodes

    assert growth(work, 100, 400) < 1.1
