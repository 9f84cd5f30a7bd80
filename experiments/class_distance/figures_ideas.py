"""Figures of the idea, the blanket and the hierarchy."""

from __future__ import annotations

import numpy as np

from experiments.class_distance.confusions import CLASSES, SHOWN
from experiments.class_distance.graphs import DRAWN as GRAPH
from experiments.class_distance.graphs import TARGET, blanket
from experiments.class_distance.hierarchies import DRAWN as LABELS
from experiments.class_distance.hierarchies import parent
from experiments.reproduction.drawing import BLUE, GREY, INK, LINE, ORANGE, SOFT, panels

PLACES = {
    "grandparent": (0.6, 3),
    "parent 1": (1, 2),
    "parent 2": (2.4, 2),
    "sibling": (0, 1),
    "A": (1.7, 1),
    "spouse": (3.4, 1),
    "child 1": (2.6, 0),
    "child 2": (1, 0),
    "grandchild": (2.2, -1),
    "spouse's child": (3.8, 0),
    "apart": (3.8, 3),
}


def confusions(records):
    """The three distributions, and what KL and W say of them."""
    record = next(iter(records))
    figure, axes = panels(1, 3, width=2.6, height=2.5)
    told = ["", *(f"KL {kl:.2f}, W {w:.2f}" for kl, w in zip(record["kl"], record["w"], strict=True))]
    order = [CLASSES.index(name) for name in ("cat", "husky", "alaska")]
    for ax, (name, p), says in zip(axes[0], SHOWN.items(), told, strict=True):
        ax.bar([CLASSES[i] for i in order], [p[i] for i in order], color=[ORANGE, BLUE, BLUE], width=0.6)
        ax.set_ylim(0, 1.08)
        ax.set_title(f"{name}\n{says}")
        ax.set_axisbelow(True)
        ax.grid(axis="x", visible=False)
    axes[0, 0].set_ylabel("probability of the class")
    return figure


def graphs(records):
    """The graph with its blanket, and what is lost without each node."""
    figure, axes = panels(1, 2, width=4.4, height=3.6)
    _graph(axes[0, 0])
    ax = axes[0, 1]
    runs = records.where(graph="drawn")
    members = blanket(GRAPH)
    others = [node for node in GRAPH if node not in members and node != TARGET]
    lost = np.array([[r["without"][m] for m in members] for r in runs])
    for place, node in enumerate([*members, *others]):
        values = lost[:, place] if place < len(members) else np.array([r["others_add"] for r in runs])
        color = BLUE if node in members else GREY
        ax.plot(values, np.full(len(values), place), "o", color=color, markersize=4, alpha=0.5)
    ax.set_yticks(range(len(GRAPH) - 1), [*members, *others])
    ax.invert_yaxis()
    ax.set_xlabel("W without a member, or added by another node")
    ax.set_title("only the blanket matters")
    return figure


def _graph(ax):
    members = blanket(GRAPH)
    for node, above in GRAPH.items():
        for other in above:
            ax.annotate(
                "",
                PLACES[node],
                PLACES[other],
                arrowprops={"arrowstyle": "-|>", "color": SOFT, "shrinkA": 11, "shrinkB": 11},
            )
    for node, place in PLACES.items():
        face = ORANGE if node == TARGET else BLUE if node in members else "white"
        ax.plot(*place, "o", markersize=16, markerfacecolor=face, markeredgecolor=SOFT, alpha=0.7)
        ax.annotate(node, place, (11, 4), textcoords="offset points", ha="left", fontsize=7.5, color=INK)
    ax.set(xlim=(-0.4, 5.2), ylim=(-1.7, 3.5), title="Markov blanket of A (blue)")
    ax.axis("off")


def hierarchies(records):
    """Our tree with its edges, and the distances between its labels."""
    figure, axes = panels(1, 2, width=4.4, height=3.4)
    _tree(axes[0, 0])
    ax = axes[0, 1]
    drawn = records.where(hierarchy="drawn")
    matrix = np.array(drawn[0]["matrix"]) if drawn else np.zeros((len(LABELS), len(LABELS)))
    ax.imshow(matrix, cmap="Blues")
    for (i, j), value in np.ndenumerate(matrix):
        ax.text(j, i, f"{value:g}", ha="center", va="center", fontsize=7, color="white" if value > 0.9 else INK)
    short = [label.rpartition("/")[2] for label in LABELS]
    ax.set_xticks(range(len(short)), short, rotation=45, ha="right")
    ax.set_yticks(range(len(short)), short)
    ax.grid(visible=False)
    ax.set_title("distance between labels")
    return figure


def _tree(ax):
    leaves = [label for label in LABELS if not any(other.startswith(f"{label}/") for other in LABELS)]
    x = {leaf: float(i) for i, leaf in enumerate(leaves)}
    nodes = ["", *LABELS]
    for node in sorted(nodes, key=lambda n: -_depth(n)):
        below = [x[other] for other in nodes if other and parent(other) == node and other in x]
        x.setdefault(node, float(np.mean(below)) if below else 0.0)
    for node in LABELS:
        ends = [(x[node], -_depth(node)), (x[parent(node)], -_depth(parent(node)))]
        ax.plot(*zip(*ends, strict=True), color=LINE, linewidth=2, zorder=1)
        middle = np.mean(ends, axis=0)
        ax.text(*middle, f"{(0.5, 0.2, 0.05)[_depth(node) - 1]:g}", fontsize=7.5, color=ORANGE, ha="center")
    for node in nodes:
        ax.plot(x[node], -_depth(node), "o", color=BLUE if node else GREY, markersize=8, zorder=2)
        name = node.rpartition("/")[2] or "(root)"
        ax.annotate(name, (x[node], -_depth(node)), (0, 7), textcoords="offset points", ha="center", fontsize=8)
    ax.set(ylim=(-3.4, 0.5), xlim=(-0.6, len(leaves) - 0.4), title="labels and lengths of edges")
    ax.axis("off")


def _depth(node):
    return node.count("/") + 1 if node else 0
