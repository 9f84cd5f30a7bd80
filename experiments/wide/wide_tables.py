"""Tables of selections.py."""

from __future__ import annotations

import numpy as np
from scipy.stats import rankdata

from experiments.wide.halves import CONFIRMED_ON, JUDGES, RATES, TUNED_ON

OURS = ("tamis, hard", "tamis, noisy", "hard, no sieve", "noisy, no sieve", "noisy, recorded sieve")
DEFAULT = {0.0: "tamis, hard", 0.2: "tamis, noisy"}
"""What a person would ask for who knows whether labels are wrong."""

HALVES = {"tuned on": TUNED_ON, "confirmed on": CONFIRMED_ON, "all": TUNED_ON + CONFIRMED_ON}


def show(lines) -> str:
    """Of each rate: mean errors by set, mean ranks over sets, judges and sizes, and where ours loses."""
    return "\n\n".join(_of_rate(lines, rate) for rate in RATES)


def _of_rate(lines, rate):
    means = mean_errors(lines, rate)
    methods = list(dict.fromkeys(method for one in means.values() for method in one))
    width = max([len(method) for method in methods], default=0) + 2
    head = f"{f'{rate:.0%} flipped':<{width}}" + "".join(f"{name:>12}" for name in means)
    told = [head + "".join(f"{f'rank, {half}':>20}" for half in HALVES) + f"{'CPU s':>8}"]
    ranks = {half: mean_ranks({n: means[n] for n in names if n in means}, rate) for half, names in HALVES.items()}
    for method in methods:
        errors = [np.mean(one[method]) if method in one else np.nan for one in means.values()]
        line = f"{method:<{width}}" + "".join(f"{error:12.1f}" for error in errors)
        line += "".join(f"{of_half.get(method, np.nan):20.2f}" for of_half in ranks.values())
        seconds = [x["cpu"] for x in lines if x["method"] == method and x["data"].endswith(f", {rate:.0%}")]
        told.append(line + f"{np.median(seconds):8.1f}")
    return "\n".join([*told, *_losses(means, DEFAULT[rate])])


def mean_errors(lines, rate) -> dict[str, dict[str, np.ndarray]]:
    """By set and method: (n_judges, n_sizes), the mean over repetitions."""
    found: dict[str, dict[str, np.ndarray]] = {}
    for name in HALVES["all"]:
        here = [line for line in lines if line["data"] == f"{name}, {rate:.0%}"]
        for method in dict.fromkeys(line["method"] for line in here):
            runs = [[x["errors"][judge] for judge in JUDGES] for x in here if x["method"] == method]
            found.setdefault(name, {})[method] = np.mean(runs, axis=0)
    return found


def mean_ranks(means, rate) -> dict[str, float]:
    """Rank 1 is the smallest error, for each set, judge and size: of the others and the default of tamis.

    Other searches of tamis are ranked in its place. Methods that were not run on all sets have no rank.
    """
    if not means:
        return {}
    methods = [m for m in next(iter(means.values())) if all(m in one for one in means.values())]
    peers = [m for m in methods if m not in OURS]
    found: dict[str, float] = {}
    for mine in [DEFAULT[rate], *OURS]:
        ranked = [m for m in (mine, *peers) if m in methods]
        errors = np.array([[one[m].ravel() for m in ranked] for one in means.values()])
        ranks = rankdata(errors, axis=1).mean(axis=(0, 2))
        found = dict(zip(ranked, ranks.tolist(), strict=True)) | found
    return found


def _losses(means, ours):
    """Sets in which another method has a smaller mean error, the largest loss first."""
    lost = []
    for name, one in means.items():
        if ours in one:
            best = min((m for m in one if m == ours or m not in OURS), key=lambda method: one[method].mean())
            lost.append((one[ours].mean() - one[best].mean(), name, best))
    lost = sorted((one for one in lost if one[0] > 0), reverse=True)
    return [f"{ours} loses {loss:.1f} points to {best} on {name}" for loss, name, best in lost]
