"""Distances that are lengths of ways in a tree."""

from __future__ import annotations

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


def path_lengths(walk) -> np.ndarray:
    """Distances between all nodes of a tree given as (node, parent, weight), parents first."""
    place = {node: i for i, (node, _, _) in enumerate(walk)}
    lengths = np.zeros((len(walk), len(walk)))
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
