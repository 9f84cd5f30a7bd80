"""Distances that are lengths of ways in a tree, and trees to look at."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy.cluster.hierarchy import cophenet, linkage
from scipy.spatial.distance import squareform

from .._validation.distances import TOLERANCE


class Tree(NamedTuple):
    """Edges of a tree: cutting edge e parts the classes `below[:, e]` from the others.

    Moving p onto q costs sum_e weights[e] |p @ below - q @ below|[e]. No two edges part the classes alike, and every
    edge has somebody on both sides.
    """

    weights: np.ndarray
    below: np.ndarray


class Node(NamedTuple):
    """A place in a rooted tree.

    Attributes
    ----------
    name : object or None
        Of a class, its name; of others, theirs if they have one.
    parent : int or None
        Place in the list of nodes, where parents come first; None for the root.
    length : float
        Of the edge to the parent; 0 for the root.
    class_ : int or None
        Row of the matrix, if a class is here. No two classes are at one node.
    """

    name: object
    parent: int | None
    length: float
    class_: int | None


def path_lengths(walk) -> np.ndarray:
    """Distances between all nodes of a tree given as (node, parent, weight), parents first."""
    place = {node: i for i, (node, _, _) in enumerate(walk)}
    lengths = np.zeros((len(walk), len(walk)))
    with np.errstate(over="ignore"):  # infinity is refused
        for i, (_, parent, weight) in enumerate(walk[1:], start=1):
            lengths[i, :i] = lengths[:i, i] = lengths[place[parent], :i] + weight
    return lengths


def tree_of(matrix) -> Tree | None:
    """The tree in which the classes are as far apart as the matrix says, None if there is none. O(n_classes^2).

    Seen from class 0, the ways to i and j part at depth (D_0i + D_0j - D_ij) / 2 (the Gromov product): single linkage
    of these depths is the tree, if there is one. It is compared with the matrix (Buneman, 1974).
    """
    exponent = int(np.frexp(matrix.max())[1])
    D = np.ldexp(matrix, -exponent)
    n = len(D) - 1
    if n == 0:
        return Tree(np.empty(0), np.zeros((1, 0), dtype=bool))
    rounding = (16 + n) * np.finfo(float).eps
    parting = (D[0, 1:, None] + D[0, 1:] - D[1:, 1:]) / 2
    merges = linkage(squareform(1 - parting, checks=False)) if n > 1 else np.empty((0, 4))
    children = merges[:, :2].astype(np.intp)
    parent = np.full(2 * n - 1, -1)
    parent[children] = np.arange(n, 2 * n - 1)[:, None]
    depth = np.concatenate([D[0, 1:], 1 - merges[:, 2], [0.0]])  # the last is class 0, which is above all
    for node in reversed(range(2 * n - 1)):
        if depth[node] - depth[parent[node]] <= rounding:
            depth[node] = depth[parent[node]]
    if not _reproduces(D, merges, depth, 8 * rounding):
        return None
    weights = depth[:-1] - depth[parent]
    below = np.zeros((2 * n - 1, n + 1), dtype=bool)
    below[np.arange(n), np.arange(1, n + 1)] = True
    for node, (one, other) in enumerate(children, start=n):
        below[node] = below[one] | below[other]
    kept = weights > 0
    return Tree(np.ldexp(weights[kept], exponent), np.ascontiguousarray(below[kept].T))


def _reproduces(D, merges, depth, rounding):
    """Whether the ways in the tree are as long as they should be."""
    n = len(D) - 1
    lengths = np.zeros_like(D)
    lengths[0, 1:] = lengths[1:, 0] = depth[:n]
    if n > 1:
        snapped = merges.copy()
        snapped[:, 2] = 1 - depth[n:-1]
        lengths[1:, 1:] = depth[:n, None] + depth[:n] - 2 * (1 - squareform(cophenet(snapped)))
        np.fill_diagonal(lengths, 0.0)
    return bool((np.abs(lengths - D) <= TOLERANCE * D + rounding).all())


def pruned(nodes: Sequence[Node], place_of: dict[int, int]) -> list[Node]:
    """The part of a tree that is needed for some classes: `place_of` maps their rows to the new ones.

    Nodes without a class that have one child or none are left out, and the lengths of their edges added up.
    """
    classes = [None if node.class_ is None else place_of.get(node.class_) for node in nodes]
    holds, n_children = [c is not None for c in classes], [0] * len(nodes)
    for i in reversed(range(len(nodes))):
        parent = nodes[i].parent
        if holds[i] and parent is not None:
            holds[parent] = True
            n_children[parent] += 1
    kept: list[Node] = []
    above: list[tuple[int | None, float]] = []  # of each node: the nearest kept one from it upwards, and how far
    for node, class_, inside, n in zip(nodes, classes, holds, n_children, strict=True):
        parent, length = (None, 0.0) if node.parent is None else above[node.parent]
        length += node.length
        if inside and (class_ is not None or n > 1):
            kept.append(Node(node.name, parent, 0.0 if parent is None else length, class_))
            parent, length = len(kept) - 1, 0.0
        above.append((parent, length))
    return kept


def rooted(tree: Tree, matrix) -> list[Node]:
    """The tree hung up in the middle of its longest way."""
    exponent = int(np.frexp(matrix.max())[1])
    D = np.ldexp(matrix, -exponent)
    edges, class_at = _edges(tree._replace(weights=np.ldexp(tree.weights, -exponent)), D)
    neighbours: list[dict[int, float]] = [{} for _ in range(len(edges) + 1)]
    for one, other, length in edges:
        neighbours[one][other] = neighbours[other][one] = length
    node_of = {c: node for node, c in class_at.items()}
    start, end = (node_of[int(c)] for c in np.unravel_index(D.argmax(), D.shape))
    order, parent = _hung(neighbours, _middle(neighbours, start, end))
    place = {node: i for i, node in enumerate(order)}
    lengths = [0.0 if parent[node] is None else neighbours[node][parent[node]] for node in order]
    return [
        Node(None, place.get(parent[node]), float(length), class_at.get(node))
        for node, length in zip(order, np.ldexp(lengths, exponent), strict=True)
    ]


def linked(matrix) -> list[Node]:
    """The tree of average linkage: classes are as far below a node as half the mean distance of its two branches."""
    n, exponent = len(matrix), int(np.frexp(matrix.max())[1])
    merges = linkage(squareform(np.ldexp(matrix, -exponent), checks=False), "average")
    height = np.concatenate([np.zeros(n), merges[:, 2] / 2])
    parent: dict[int, int] = {}
    for node, (one, other) in enumerate(merges[:, :2].astype(int).tolist(), start=n):
        parent |= {one: node, other: node}
    last = 2 * n - 2  # the root: parents are made after their children
    found = [Node(None, None, 0.0, None)]
    for node in reversed(range(last)):
        length = max(0.0, float(np.ldexp(height[parent[node]] - height[node], exponent)))
        found.append(Node(None, last - parent[node], length, node if node < n else None))
    return found


def _edges(tree, D):
    """Edges (node, node, length) and the classes by node; class 0 is at node 0, which is below no edge."""
    below, at = np.ascontiguousarray(tree.below.T), np.zeros(len(D), dtype=np.intp)
    edges = []
    # A branch comes after those that it is part of, which are larger.
    for node, e in enumerate(np.argsort(-below.sum(axis=1), kind="stable"), start=1):
        edges.append((int(at[below[e].argmax()]), node, float(tree.weights[e])))
        at[below[e]] = node
    class_at: dict[int, int] = {}
    for c, node in enumerate(at.tolist()):
        if node in class_at:  # classes so near that rounding makes them one
            edges.append((node, len(edges) + 1, float(D[class_at[node], c])))
            node = len(edges)
        class_at[node] = c
    return edges, class_at


def _hung(neighbours, root):
    """Nodes from the root downwards, and the parent of each."""
    parent, order = {root: None}, [root]
    for node in order:
        below = [other for other in neighbours[node] if other != parent[node]]
        parent |= dict.fromkeys(below, node)
        order += below
    return order, parent


def _middle(neighbours, start, end):
    """The node in the middle of the way between two; if the middle is in an edge, it is parted by a new node."""
    _, parent = _hung(neighbours, start)
    way = [end]
    while way[-1] != start:
        way.append(parent[way[-1]])
    steps = [neighbours[one][other] for one, other in pairwise(way)]
    gone = np.cumsum([0.0, *steps])
    off = gone - gone[-1] / 2
    nearest = int(np.abs(off).argmin())
    if abs(off[nearest]) <= TOLERANCE * gone[-1]:
        return way[nearest]
    after = int(np.searchsorted(off, 0.0))
    one, other, new = way[after - 1], way[after], len(neighbours)
    del neighbours[one][other], neighbours[other][one]
    neighbours.append({other: off[after], one: -off[after - 1]})
    neighbours[one][new], neighbours[other][new] = -off[after - 1], off[after]
    return new
