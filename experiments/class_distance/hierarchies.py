"""Distances between labels of a hierarchy, beside shortest paths in the tree that has all its nodes and a root."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import shortest_path

from experiments.class_distance.enron import WEIGHTS, read
from experiments.class_distance.losses import seed_of
from experiments.reproduction import Experiment, Task
from tamis import ClassDistance

DRAWN = ("work", "work/legal", "work/legal/contracts", "work/legal/courts", "work/travel", "home", "home/family")
REPETITIONS, QUICK_REPETITIONS = 50, 10


def tasks(quick):
    for hierarchy in ("drawn", "Enron"):
        yield Task({"hierarchy": hierarchy, "repetition": 0}, 0, 0.5)
    for repetition in range(QUICK_REPETITIONS if quick else REPETITIONS):
        yield Task({"hierarchy": "random", "repetition": repetition}, seed_of("hierarchies", repetition), 0.05)


def run(data, key, seed):
    paths = {"drawn": lambda: DRAWN, "Enron": lambda: read(data).labels.columns.tolist()}
    labels = paths[key["hierarchy"]]() if key["hierarchy"] in paths else random_labels(np.random.default_rng(seed))
    distance = ClassDistance.from_paths(list(labels), weights=WEIGHTS)
    D = distance.matrix
    record = {
        "labels": len(labels),
        "layers": max(label.count("/") + 1 for label in labels),
        "inner": sum(any(other.startswith(f"{label}/") for other in labels) for label in labels),
        "apart": float(f"{np.abs(D - shortest(labels)).max():.1e}"),
        "triangles_broken": int((D[:, :, None] > D[:, None, :] + D.T[None] + 1e-12).sum()),
        "siblings": siblings(labels, D),
        "tree": distance.is_tree,
    }
    return record | ({"matrix": np.round(D, 5).tolist()} if key["hierarchy"] == "drawn" else {})


def random_labels(rng):
    """Nodes of a random tree of three layers, some inner ones and leaves of all depths being labels."""
    nodes = []
    for top in range(rng.integers(2, 5)):
        nodes.append(f"{top}")
        for second in range(rng.integers(0, 4)):
            nodes.append(f"{top}/{second}")
            nodes += [f"{top}/{second}/{third}" for third in range(rng.integers(0, 4))]
    chosen = [node for node in nodes if rng.random() < 0.7]
    return chosen if len(chosen) > 2 else nodes[:3]


def parent(node):
    return node.rpartition("/")[0]


def shortest(labels) -> np.ndarray:
    """By Dijkstra, through all ancestors and the virtual root ""."""
    nodes = {""}
    for label in labels:
        while label:
            nodes.add(label)
            label = parent(label)
    place = {node: i for i, node in enumerate(sorted(nodes))}
    edges = np.zeros((len(place), len(place)))
    for node in nodes - {""}:
        edges[place[node], place[parent(node)]] = WEIGHTS[node.count("/")]
    chosen = [place[label] for label in labels]
    return shortest_path(csr_array(edges), method="D", directed=False)[np.ix_(chosen, chosen)]


def siblings(labels, D) -> list:
    """The distance of labels with the same parent, for each layer; None where there are none."""
    found: list = [None] * len(WEIGHTS)
    for i, one in enumerate(labels):
        for j, other in enumerate(labels[:i]):
            if parent(one) == parent(other) and one.count("/") == other.count("/"):
                found[one.count("/")] = round(float(D[i, j]), 5)
    return found


HIERARCHIES = Experiment("class_distance/hierarchies", tasks, run)
