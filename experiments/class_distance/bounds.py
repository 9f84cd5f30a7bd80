"""Do the inequalities about wrong labels hold on random joint distributions? Exact, over all subsets of features."""

from __future__ import annotations

import numpy as np

from experiments.class_distance.joints import METRICS, NOISES, Joint, draw, worst_case
from experiments.class_distance.losses import seed_of
from experiments.reproduction import Experiment, Task
from tamis import noise_bound, wasserstein

REPETITIONS, QUICK_REPETITIONS = 20, 2
JOINTS = 20
SHOWN = 4
TOLERANCE = 1e-9
"""Of an inequality, in units of the largest class distance."""

RARE = (0.1, 0.01, 0.001)
"""Shares of rows with wrong labels in the example made to reach the bound."""


def tasks(quick):
    for repetition in range(QUICK_REPETITIONS if quick else REPETITIONS):
        for metric in METRICS:
            for noise in NOISES:
                key = {"metric": metric, "noise": noise, "repetition": repetition}
                yield Task(key, seed_of("bounds", metric, noise, repetition), 0.4)


def run(data, key, seed):
    rng = np.random.default_rng(seed)
    joints = [draw(key["metric"], key["noise"], rng) for _ in range(JOINTS)]
    found = [inequalities(joint) for joint in joints]
    record = {name: int(sum(one[name] for one in found)) for name in found[0] if name not in RATIOS}
    record |= {name: round(max(one[name] for one in found), 6) for name in RATIOS}
    shown = [[round(one[name], 5) for name in RATIOS] for one in found[:SHOWN]]
    tight = [round(inequalities(worst_case(rare))["gap"], 5) for rare in RARE]
    return {"joints": JOINTS, **record, "shown": shown, "tight": tight, "example": example(joints[0])}


RATIOS = ("eps2", "sides", "gap", "eps1")
"""Largest eps2 / eps1, |d1 - d2| / (eps1 + eps2), (d1(theta2) - d1(theta1)) / (4 eps1), eps1 / its bound (21)."""


def inequalities(joint: Joint) -> dict:
    """Of one joint: how many cases there are, how many break an inequality, and the largest ratios."""
    slack = TOLERANCE * joint.distance.matrix.max()
    eps1, bound = joint.eps1(), noise_bound(joint.distance, joint.both)
    subsets = joint.subsets()
    eps2, d1, d2 = (dict(zip(subsets, map(f, subsets), strict=True)) for f in (joint.eps2, joint.d1, joint.d2))
    sides = {s: (abs(d1[s] - d2[s]), eps1 + eps2[s]) for s in subsets}
    picks = [_pick(d1, d2, [s for s in subsets if len(s) == k]) for k in range(1, joint.X.shape[1])]
    gaps = [d1[noisy] - d1[clean] for clean, noisy in picks]
    turned = [d2[clean] - d2[noisy] for clean, noisy in picks]
    spans = [max(d1[s] for s in subsets if len(s) == len(c)) - d1[c] for c, _ in picks]
    return {
        "subsets": len(subsets),
        "eps2_above": sum(e > eps1 + slack for e in eps2.values()),
        "sides_above": sum(a > b + slack for a, b in sides.values()),
        "selections": len(picks),
        "gap_above": sum(gap > 4 * eps1 + slack for gap in gaps),
        "order_broken": sum(min(g, t) < -slack for g, t in zip(gaps, turned, strict=True)),
        "sum_above": sum(
            g + t > 2 * eps1 + eps2[c] + eps2[n] + slack for g, t, (c, n) in zip(gaps, turned, picks, strict=True)
        ),
        "misprint_negative": sum(d2[c] - d1[n] < -slack for c, n in picks),
        "bound_above": int(eps1 > bound + slack),
        "informative": sum(4 * eps1 < span for span in spans),
        "kl_infinite": int(np.any((joint.true > 0) & (joint.recorded == 0) & (joint.weights[:, None] > 0))),
        "eps2": _ratio(max(eps2.values()), eps1, slack),
        "sides": max(_ratio(a, b, slack) for a, b in sides.values()),
        "gap": _ratio(max(gaps), 4 * eps1, slack),
        "eps1": _ratio(eps1, bound, slack),
    }


def _pick(d1, d2, subsets):
    """The best subset by true and by recorded classes; the first of equal ones."""
    return min(subsets, key=d1.get), min(subsets, key=d2.get)


def _ratio(value, limit, slack):
    return float(value / limit) if limit > slack else 0.0


def example(joint: Joint) -> dict:
    """The four distributions of Fig. 3 at the most frequent configuration, with the first feature kept."""
    cell, kept = int(joint.weights.argmax()), (0,)
    four = {
        "true": joint.true,
        "recorded": joint.recorded,
        "true, kept": joint.given(joint.true, kept),
        "recorded, kept": joint.given(joint.recorded, kept),
    }
    here = {name: np.round(p[cell], 4) for name, p in four.items()}
    pairs = {
        "eps1": ("true", "recorded"),
        "eps2": ("true, kept", "recorded, kept"),
        "d1": ("true", "true, kept"),
        "d2": ("recorded", "recorded, kept"),
    }
    apart = {
        name: round(float(wasserstein(four[a][cell], four[b][cell], joint.distance)), 4)
        for name, (a, b) in pairs.items()
    }
    return {"distributions": {name: p.tolist() for name, p in here.items()}, "distances": apart}


BOUNDS = Experiment("class_distance/bounds", tasks, run, needs_data=False)
