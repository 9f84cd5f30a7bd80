"""Fig. 1, Fig. 2, Table I and Fig. 4: the idea, the blanket, the algorithm, the distance of labels."""

from __future__ import annotations

import numpy as np

from experiments.class_distance import figures_ideas as figures
from experiments.class_distance.confusions import CONFUSIONS
from experiments.class_distance.graphs import GRAPHS, NOTHING
from experiments.class_distance.hierarchies import HIERARCHIES
from experiments.class_distance.orders import ORDERS
from experiments.reproduction import Check, Finding, Item


def check_confusions(records):
    runs = list(records)
    if not runs:
        return None
    first, n = runs[0], sum(r["metrics"] for r in runs)
    told, written = (sum(r[name] for r in runs) for name in ("told", "told_written"))
    kept = {name: {tuple(r[f"kept_{name}"]) for r in runs} for name in ("W", "KL")}
    always = {name: all(set(k) == {"cats"} for k in kept[name]) for name in kept}
    same_kl = all(len(set(r["kl"])) == 1 for r in runs)
    same_two = all(len(set(r["two_classes"][0])) == 1 for r in runs)
    kl, w, two = first["kl"], first["w"], first["two_classes"]
    checks = [
        Check(
            "KL is the same for both subsets",
            same_kl,
            f"{kl[0]:.3f} and {kl[1]:.3f}",
            "the same (0.693 by its columns)",
        ),
        Check("W is smaller for the subset that confuses the dogs", w[1] < w[0], f"{w[1]:.2f} against {w[0]:.2f}"),
        Check("so it is for every metric in which the dogs are nearer", told == n, f"{told} of {n} random metrics"),
        Check(
            "with the text's numbers (all on a wrong class) KL cannot tell either, and W can",
            written == n and all(set(r["kl_written"]) == {"inf"} for r in runs),
            f"KL infinite for both; W tells in {written} of {n}",
        ),
        Check(
            "two classes: KL from (.5, .5) is the same to (.1, .9) and (.9, .1)",
            same_two,
            f"{two[0][0]:.3f} both; W is {two[1][0]:.1f} for both, too",
        ),
        Check(
            "of two features W keeps the one that tells cats from dogs, KL the one that comes later",
            always["W"] and not always["KL"],
            f"W keeps {_list(kept['W'])}; KL {_list(kept['KL'])} by the order of the columns",
        ),
    ]
    ours = f"KL {kl[0]:.3f} and {kl[1]:.3f}, W {w[0]:.2f} and {w[1]:.2f}"
    return Finding(f"exact; {n} random metrics", ours, "KL equal, W not", checks)


def _list(kept):
    return ", ".join(sorted({name for pair in kept for name in pair}))


def check_graphs(records):
    runs = list(records)
    if not runs:
        return None
    given_all, add = max(r["given_all"] for r in runs), max(r["others_add"] for r in runs)
    without = [d for r in runs for d in r["without"].values()] or [np.nan]
    groups, disagree, wrong = (sum(r[name] for r in runs) for name in ("groups", "disagree", "wrong"))
    drawn = [r for r in runs if r["graph"] == "drawn"]
    shares = {m: np.mean([r[f"found_{m}"] / r["members"] for r in drawn]) if drawn else np.nan for m in ("W", "W-null")}
    checks = [
        Check("given the blanket all other nodes change nothing", given_all <= NOTHING, f"W at most {given_all:.0e}"),
        Check("nor does any one of them", add <= NOTHING, f"delta at most {add:.0e}"),
        Check(
            "it is the smallest such set: without any member W > 0",
            min(without) > NOTHING,
            f"W at least {min(without):.0e}, {len(without)} members",
        ),
        Check(
            "Proposition 1: W = 0 exactly where the conditionals are equal",
            disagree == 0,
            f"{disagree} of {groups} differ",
        ),
        Check(
            "Proposition 2: delta = 0 given all that a feature points to only outside the blanket",
            wrong == 0,
            f"{wrong} of {groups} members with delta = 0",
        ),
    ]
    ours = f"0 given the blanket; from 5000 rows the search keeps {100 * shares['W']:.0f} % of it (W), "
    ours += f"{100 * shares['W-null']:.0f} % (W-null)"
    ran = f"exact; {len(drawn)} tables of probabilities on our graph, {len(runs) - len(drawn)} random graphs"
    return Finding(ran, ours, "a drawing", checks)


def check_orders(records):
    raw = records.where(delta="raw")
    if not raw:
        return None
    checks = []
    for says, runs in (
        ("W: the order is that of the steps as printed", [r for r in raw if r["distance"] != "kl"]),
        ("KL: the same", [r for r in raw if r["distance"] == "kl"]),
    ):
        if runs:
            other, apart = sum(not r["same"] for r in runs), max(r["apart"] for r in runs)
            ours = f"{other} of {len(runs)} orders differ; deltas within {apart:.0e}"
            checks.append(Check(says, other == 0 and apart < 1e-9, ours))
    ours_too = records.where(delta="corrected")
    more = (
        f"; corrected for chance (ours): {sum(not r['same'] for r in ours_too)} of {len(ours_too)}" if ours_too else ""
    )
    ours = f"{sum(not r['same'] for r in raw)} of {len(raw)} orders differ{more}"
    return Finding(f"{len(raw)} random problems of 24 kinds", ours, "five steps", checks)


def check_hierarchies(records):
    runs = list(records)
    enron = records.where(hierarchy="Enron")
    if not runs:
        return None
    apart, broken = max(r["apart"] for r in runs), sum(r["triangles_broken"] for r in runs)
    layers = [{d for r in runs if (d := r["siblings"][layer]) is not None} for layer in range(3)]
    checks = [
        Check("a distance is the length of the shortest path", apart < 1e-12, f"differences up to {apart:.0e}"),
        Check("triangle inequality", broken == 0, f"{broken} triples break it, {len(runs)} hierarchies"),
        Check(
            "the nearer to the root, the further apart: siblings by layer",
            _falling(layers),
            ", ".join(f"{d:g}" for layer in layers for d in sorted(layer)),
            "1, 0.4, 0.1 by edges of .5, .2, .05",
        ),
        Check("inner nodes can be labels", sum(r["inner"] for r in runs) > 0, f"{sum(r['inner'] for r in runs)} here"),
    ]
    if enron:
        one = enron[0]
        ours = f"{one['layers']} layers, {one['labels']} labels, {one['inner']} of them above others"
        checks.append(Check("labels of Enron have three layers", one["layers"] == 3, ours, "3 layers"))
    random = len(records.where(hierarchy="random"))
    return Finding(
        f"our tree, Enron's, {random} random ones", f"siblings {checks[2].ours}", "drawing; .5, .2, .05", checks
    )


def _falling(layers):
    found = [next(iter(layer)) for layer in layers if len(layer) == 1]
    return len(found) == 3 and found[0] > found[1] > found[2]


FIG_1 = Item(
    number="Fig. 1",
    claim="A husky taken for a cat or for another dog: KL gives both subsets of features the same distance, the "
    "Wasserstein distance W prefers the one that confuses the dogs.",
    rule="Computed exactly. KL values must be equal, W must be smaller for the subset that confuses the near classes: "
    "for dogs 0.2 and others 1 apart, and for every random metric in which the dogs are nearer. A selection of one "
    "feature of two must show the same in both orders of the columns.",
    experiments=(CONFUSIONS,),
    check=check_confusions,
    draw=figures.confusions,
)

FIG_2 = Item(
    number="Fig. 2",
    claim="The Markov blanket of a node (parents, children, the children's other parents) is the smallest set that "
    "makes all other nodes irrelevant; W sees this.",
    rule=f"Exact distributions of a graph of ours and of random ones. Zero means at most {NOTHING:.0e}. Every graph, "
    "member and group of features must agree.",
    experiments=(GRAPHS,),
    check=check_graphs,
    draw=figures.graphs,
)

TABLE_1 = Item(
    number="Table I",
    claim="The elimination in five steps: correlations, the L most correlated features, delta, remove the smallest, "
    "repeat.",
    rule="BlanketSelector (correction=None) must remove features in the order of a plain program that recomputes every "
    "delta at every step by linear programming, in all problems; deltas must agree to 1e-9.",
    experiments=(ORDERS,),
    check=check_orders,
)

FIG_4 = Item(
    number="Fig. 4",
    claim="Distances between labels of a hierarchy are lengths of paths in a tree with a virtual root; edges are "
    "longer near the root, inner nodes may be labels, and the triangle inequality holds.",
    rule="ClassDistance.from_paths against Dijkstra's shortest paths in a tree of ours, Enron's and random ones: "
    "equal to 1e-12. Every triple must satisfy the triangle inequality (slack 1e-12). Distances of siblings must fall "
    "by layer.",
    experiments=(HIERARCHIES,),
    check=check_hierarchies,
    draw=figures.hierarchies,
)
