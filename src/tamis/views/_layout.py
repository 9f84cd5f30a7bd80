"""Where the nodes of a tree and the sizes of a path are drawn, on paper or on a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

MOST_ON_LINEAR_AXIS = 40
"""Sizes beyond which an axis is logarithmic."""


def round_sizes(first: int, last: int) -> list[int]:
    """1, 2, 5, 10, 20, ... between two sizes."""
    return [n * 10**p for p in range(len(str(last))) for n in (1, 2, 5) if first <= n * 10**p <= last]


def depths(nodes: Sequence[Mapping[str, Any]]) -> list[float]:
    """How far each node of a tree is from the root."""
    found: list[float] = []
    for node in nodes:
        found.append(0.0 if node["parent"] is None else found[node["parent"]] + node["length"])
    return found


def rows(nodes: Sequence[Mapping[str, Any]]) -> tuple[list[float], int]:
    """The row of each node, and how many there are: a class has its own, another node the middle of its children."""
    children: list[list[int]] = [[] for _ in nodes]
    for i, node in enumerate(nodes):
        if node["parent"] is not None:
            children[node["parent"]].append(i)
    order, todo = [], [0]
    while todo:
        i = todo.pop()
        order.append(i)
        todo += reversed(children[i])
    row, n_rows = [0.0] * len(nodes), 0
    for i in order:
        if nodes[i]["class"] is not None or not children[i]:
            row[i], n_rows = float(n_rows), n_rows + 1
    for i in reversed(order):
        if nodes[i]["class"] is None and children[i]:
            row[i] = (row[children[i][0]] + row[children[i][-1]]) / 2
    return row, n_rows
