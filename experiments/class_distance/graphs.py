"""Markov blankets of a class in small directed graphs, computed exactly from random conditional probabilities."""

from __future__ import annotations

from itertools import product

import numpy as np

from experiments.class_distance.contenders import path_of
from experiments.class_distance.joints import Joint
from experiments.class_distance.losses import seed_of
from experiments.reproduction import Experiment, Task
from tamis import ClassDistance

TARGET = "A"
DRAWN = {
    "grandparent": (),
    "parent 1": ("grandparent",),
    "parent 2": (),
    "A": ("parent 1", "parent 2"),
    "spouse": (),
    "child 1": ("A", "spouse"),
    "child 2": ("A",),
    "sibling": ("parent 1",),
    "grandchild": ("child 1",),
    "spouse's child": ("spouse",),
    "apart": (),
}
"""Parents of each node, in an order in which they come first."""

DISTANCE = ClassDistance.from_paths({c: f"{c // 2}/{c}" for c in range(4)}, weights=(0.5, 0.2))
NOTHING = 1e-12
"""Distances up to this are rounding."""

REPETITIONS, QUICK_REPETITIONS = {"drawn": 20, "random": 100}, {"drawn": 4, "random": 10}
N_GROUPS, N_ROWS = 10, 5000


def tasks(quick):
    for graph, repetitions in (QUICK_REPETITIONS if quick else REPETITIONS).items():
        for repetition in range(repetitions):
            yield Task({"graph": graph, "repetition": repetition}, seed_of("graphs", graph, repetition), 0.5)


def run(data, key, seed):
    rng = np.random.default_rng(seed)
    parents = DRAWN if key["graph"] == "drawn" else random_graph(rng)
    names, joint = exact(parents, rng)
    members = [names.index(node) for node in blanket(parents)]
    others = [f for f in range(len(names)) if f not in members]
    without = {names[m]: joint.d1([f for f in members if f != m]) for m in members}
    found = {
        "members": len(members),
        "others": len(others),
        "given_all": float(f"{joint.d1(members):.1e}"),
        "others_add": float(f"{max([delta(joint, o, members) for o in others], default=0.0):.1e}"),
        "without": {name: float(f"{d:.4g}") for name, d in without.items()},
        **propositions(joint, names, parents, members, rng),
    }
    return found | (estimated(joint, members, rng) if key["graph"] == "drawn" else {})


def blanket(parents) -> list[str]:
    """Parents, children and the children's other parents of the target."""
    children = [node for node, above in parents.items() if TARGET in above]
    found = {*parents[TARGET], *children, *(p for child in children for p in parents[child])}
    return sorted(found - {TARGET})


def random_graph(rng):
    """Seven binary features and the target at a random place of the order, at most three parents each."""
    order = [f"x{i}" for i in range(7)]
    order.insert(int(rng.integers(0, 8)), TARGET)
    graph = {}
    for place, node in enumerate(order):
        above = [other for other in order[:place] if rng.random() < 0.35]
        graph[node] = tuple(above[:3])
    return graph


def exact(parents, rng) -> tuple[list[str], Joint]:
    """The joint distribution of features and target for random tables of conditional probabilities."""
    order = list(parents)
    levels = [4 if node == TARGET else 2 for node in order]
    states = np.array(list(product(*map(range, levels))))
    weights = np.ones(len(states))
    for place, node in enumerate(order):
        above = [order.index(p) for p in parents[node]]
        table = rng.dirichlet(np.ones(levels[place]), [levels[a] for a in above])
        weights = weights * table[(*states[:, above].T, states[:, place])]
    target = order.index(TARGET)
    cells, cell = np.unique(np.delete(states, target, axis=1), axis=0, return_inverse=True)
    counts = np.zeros((len(cells), 4))
    np.add.at(counts, (cell.ravel(), states[:, target]), weights)
    total = counts.sum(axis=1)
    given = counts / total[:, None]
    names = [node for node in order if node != TARGET]
    return names, Joint(cells, total, given, given, np.diag(total @ given), DISTANCE)


def delta(joint, feature, against) -> float:
    """Eq. (4)."""
    fine, coarse = joint.given(joint.true, [*against, feature]), joint.given(joint.true, against)
    return joint.mean_distance(fine, coarse)


def propositions(joint, names, parents, members, rng) -> dict:
    """How often W = 0 and equal conditionals disagree (1), and a member has delta = 0 given all it points to (2)."""
    disagree = wrong = tried = 0
    for feature, name in enumerate(names):
        rest = [f for f in range(len(names)) if f != feature]
        needed = {names.index(node) for node, above in parents.items() if name in above and node != TARGET}
        for _ in range(N_GROUPS):
            group = sorted({f for f in rest if rng.random() < 0.5} | needed)
            fine, coarse = joint.given(joint.true, [*group, feature]), joint.given(joint.true, group)
            nothing = joint.mean_distance(fine, coarse) <= NOTHING
            disagree += nothing != bool(np.abs(fine - coarse).max() <= 1e3 * NOTHING)
            wrong += nothing and feature in members
            tried += 1
    return {"groups": tried, "disagree": int(disagree), "wrong": int(wrong)}


def estimated(joint, members, rng) -> dict:
    """The share of the blanket among as many features, selected from rows that are drawn."""
    cells = rng.choice(len(joint.X), N_ROWS, p=joint.weights)
    y = (joint.true[cells].cumsum(axis=1) < rng.random((N_ROWS, 1))).sum(axis=1)
    y = np.minimum(y, 3)
    paths = {name: path_of(name, joint.X[cells].astype(float), y, DISTANCE) for name in ("W", "W-null")}
    return {f"found_{n}": len(set(members) & set(path.subset(len(members)).tolist())) for n, path in paths.items()}


GRAPHS = Experiment("class_distance/graphs", tasks, run, needs_data=False)
