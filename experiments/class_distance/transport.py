"""The two transport problems of Table II: exact values beside a solver of linear programs, and Sinkhorn's."""

from __future__ import annotations

import time

import numpy as np
from scipy.optimize import linprog

from experiments.class_distance.joints import METRICS, NOISES, draw
from experiments.class_distance.losses import seed_of
from experiments.class_distance.sinkhorn import LAMBDAS, sinkhorn
from experiments.class_distance.small_problems import distance as random_distance
from experiments.reproduction import Experiment, Task
from tamis import ClassDistance, wasserstein

REPETITIONS, QUICK_REPETITIONS = 20, 2
MANY_CLASSES, PAIRS, TIMED = 50, 40, 5


def tasks(quick):
    for repetition in range(QUICK_REPETITIONS if quick else REPETITIONS):
        for metric in METRICS:
            yield Task({"metric": metric, "repetition": repetition}, seed_of("transport", metric, repetition), 3.0)


def run(data, key, seed):
    rng = np.random.default_rng(seed)
    found = [both_problems(draw(key["metric"], noise, rng, most_features=3)) for noise in NOISES]
    record = {"problems": sum(one["problems"] for one in found)}
    record |= {name: max(one[name] for one in found) for name in ("apart", "margins", "below")}
    return record | regularised(key["metric"], rng)


def linear_program(p, q, D):
    """The cheapest plan Q of problem (3), by scipy; its rows sum to p and its columns to q."""
    n = len(p)
    rows, columns = np.kron(np.eye(n), np.ones(n)), np.kron(np.ones(n), np.eye(n))
    # without the last constraint, which follows from the others and is off by rounding; and without presolving, which
    # takes tiny probabilities for contradictions
    sums = {"A_eq": np.vstack([rows, columns[:-1]]), "b_eq": np.concatenate([p, q[:-1]])}
    solved = linprog(D.ravel(), **sums, method="highs", options={"presolve": False})
    return solved.x.reshape(n, n)


def both_problems(joint) -> dict:
    """Largest errors, in units of the largest class distance, of one joint and all subsets of its features.

    apart: exact value less that of the linear program; margins: sums of the plan that the proof of Theorem 1 builds for
    the right problem out of plans of the left one; below: how far its cost is below the optimum (it must not be).
    """
    D = joint.distance.matrix
    plans = np.array([linear_program(p, q, D) for p, q in zip(joint.true, joint.recorded, strict=True)])
    apart = [np.abs((plans * D).sum(axis=(1, 2)) - wasserstein(joint.true, joint.recorded, joint.distance)).max()]
    margins, below, problems = [0.0], [0.0], len(plans)
    for subset in joint.subsets():
        left, right = joint.given(joint.true, subset), joint.given(joint.recorded, subset)
        built = joint.given(plans.reshape(len(plans), -1), subset).reshape(plans.shape)
        margins += [np.abs(built.sum(axis=2) - left).max(), np.abs(built.sum(axis=1) - right).max()]
        exact = wasserstein(left, right, joint.distance)
        cells = np.unique(joint.X[:, list(subset)], axis=0, return_index=True)[1]
        solved = [(linear_program(left[c], right[c], D) * D).sum() for c in cells]
        apart.append(np.abs(exact[cells] - solved).max())
        below.append((exact - (built * D).sum(axis=(1, 2))).max())
        problems += len(cells)
    largest = {"apart": max(apart) / D.max(), "margins": max(margins), "below": max(below) / D.max()}
    return {"problems": problems, **{name: float(f"{value:.2e}") for name, value in largest.items()}}


def regularised(metric, rng) -> dict:
    """Errors of Sinkhorn's cost for each lambda, over the mean distance; 50 classes, at most 1000 rounds.

    Lambda is in units of one over the largest class distance. `errors` is of unrelated distributions, `near` of a
    distribution and a mixture of it with another (what delta compares: a part of a group and the group), `own` of a
    distribution and itself.
    """
    distance = random_distance(metric, MANY_CLASSES, rng)
    D = distance.matrix / distance.matrix.max()
    p, q = rng.dirichlet(np.full(MANY_CLASSES, 0.1), (2, PAIRS))
    mixed = 0.7 * p + 0.3 * q
    unit = ClassDistance(D)
    far, near = wasserstein(p, q, unit), wasserstein(p, mixed, unit)
    ways = {
        "program": lambda: [linear_program(one, other, D) for one, other in zip(p[:TIMED], q[:TIMED], strict=True)],
        "regularised": lambda: sinkhorn(p[:TIMED], q[:TIMED], D, LAMBDAS[-1]),
        "exact": lambda: wasserstein(p[:TIMED], q[:TIMED], unit),
    }
    return {
        "milliseconds": {name: round(_seconds(way) * 1000 / TIMED, 4) for name, way in ways.items()},
        "errors": [_error(sinkhorn(p, q, D, sharpness).costs, far, far) for sharpness in LAMBDAS],
        "near": [_error(sinkhorn(p, mixed, D, sharpness).costs, near, near) for sharpness in LAMBDAS],
        "own": [_error(sinkhorn(p, p, D, sharpness).costs, 0.0, near) for sharpness in LAMBDAS],
    }


def _seconds(way):
    begin = time.process_time()
    way()
    return time.process_time() - begin


def _error(costs, exact, unit):
    return round(float(np.abs(costs - exact).mean() / unit.mean()), 5)


TRANSPORT = Experiment("class_distance/transport", tasks, run, needs_data=False)
