"""What is claimed in section 5.1 and Table 1, checked and drawn."""

from __future__ import annotations

import numpy as np

from experiments.multilabel.artificial import FORMS, METHODS, PAPERS_OWN
from experiments.reproduction import Check, Finding
from experiments.reproduction.drawing import BLUE, GREEN, GREY, ORANGE, panels

RULE = (
    '"Always", "never" and "for every": in all data sets. "Half of the experiments": the share agrees with 10 of 20 '
    '(|z| below 2.6, binomial). "Extremely similar" rankings: what is claimed of chi2 holds of MI. "Very low": below '
    ".1 nat for every feature. Searches are checked with the paper's estimator (eq. 7, by distances) and ours (by "
    "counts), chi2 with MDL bins, which give the zeros that the paper reports, and with the bins that it cites (Liu "
    "and Setiono)."
)
RULE_TABLE = "The four numbers of each problem are equal to ours in every data set."
TABLE_1 = {1: [1000, 15, 4, 8], 2: [1000, 8, 4, 8]}

NEEDED = ({5, 15}, {3, 13}, {4, 14})
CHI2 = {"chi2, MDL": "chi2", "chi2, Liu-Setiono": "chi2 with the cited bins"}
IRRELEVANT = {6, 7, 8, 9, 10, 12}
RELEVANT_2 = {1, 2, 3, 4}


def n_needed(order) -> int:
    """The least number of best features of problem 1 that tell the labels; f1 and f2 together stand for f11."""
    for n in range(1, len(order) + 1):
        chosen = set(order[:n])
        if (11 in chosen or {1, 2} <= chosen) and all(alike & chosen for alike in NEEDED):
            return n
    raise AssertionError("all features together are enough")


def follow(order) -> bool:
    """Whether the relevant features of problem 2 come one after another."""
    places = sorted(order.index(f) for f in RELEVANT_2)
    return places[-1] - places[0] == 3


class Counts:
    """Checks of the form "in all data sets"."""

    def __init__(self, records):
        self._records, self.checks = records, []

    def runs(self, problem, method):
        return self._records.where(problem=problem, method=method)

    def always(self, says, problem, method, true, printed="always"):
        runs = self.runs(problem, method)
        if runs:
            held = sum(bool(true(r)) for r in runs)
            self.checks.append(Check(says, held == len(runs), f"{held} of {len(runs)}", printed))


def _searches(counts):
    for form in FORMS:
        how, name = f"forward, {form}", f"({form}s)"
        counts.always(f"problem 1: forward {name} takes f11 first", 1, how, lambda r: r["order"][0] == 11)
        counts.always(
            f"problem 1: forward {name} then takes one each of f5/f15, f3/f13, f4/f14",
            1,
            how,
            lambda r: all(len(alike & set(r["order"][1:4])) == 1 for alike in NEEDED),
        )
        says = f"problem 2: forward {name} takes the three others right after the first relevant feature"
        counts.always(says, 2, how, lambda r: follow(r["order"]))
        says = f"problem 2: backward {name} eliminates the relevant features last"
        counts.always(says, 2, f"backward, {form}", lambda r: set(r["order"][:4]) == RELEVANT_2)


def _rankings(counts):
    for method, name in (*CHI2.items(), ("MI, distance", "MI")):
        says = f"problem 1: {name} ranks f5, f15 and f11 first, in any order"
        counts.always(says, 1, method, lambda r: set(r["order"][:3]) == {5, 11, 15})
        counts.checks += _half(counts.runs(1, method), name)
        says = f"problem 1: 6 to 8 features of {name} hold the four needed"
        counts.always(says, 1, method, lambda r: 6 <= n_needed(r["order"]) <= 8)
        says = f"problem 1: {name} ranks the irrelevant features last"
        counts.always(says, 1, method, lambda r: set(r["order"][-6:]) == IRRELEVANT)
    for method, name in CHI2.items():
        counts.always(f"problem 2: {name} is zero for every feature", 2, method, lambda r: max(r["scores"]) == 0)
    says = "problem 2: MI of every feature is very low"
    counts.always(says, 2, "MI, distance", lambda r: max(r["scores"]) < 0.1)


def _half(runs, name):
    if not runs:
        return []
    held, n = sum(r["order"][3] in (1, 2) for r in runs), len(runs)
    z = (held / n - 0.5) / np.sqrt(0.25 / n + 0.25 / PAPERS_OWN)
    says = f"problem 1: {name} ranks f1 or f2 fourth in half of the experiments"
    return [Check(says, abs(z) < 2.6, f"{held} of {n}", "half of 20")]


def _half_the_size(counts):
    largest = max((n_needed(r["order"]) for r in counts.runs(1, "chi2, MDL")), default=0)
    ours = [n_needed(r["order"]) for r in counts.runs(1, "forward, distance")]
    if ours and largest:
        says = "problem 1: the search needs up to half as many features as chi2"
        counts.checks.append(Check(says, 2 * max(ours) <= largest, f"{max(ours)} and up to {largest}", "4 and up to 8"))


def check(records):
    if not len(records):
        return None
    counts = Counts(records)
    _searches(counts)
    _rankings(counts)
    _half_the_size(counts)
    n = min(len(counts.runs(problem, method)) for problem, methods in METHODS.items() for method in methods)
    held = sum(c.holds for c in counts.checks)
    quantiles = counts.runs(2, "chi2, quantiles")
    zeros = sum(max(r["scores"]) == 0 for r in quantiles)
    ours = f"{held} of {len(counts.checks)} statements; chi2 with quantiles is zero in {zeros} of {len(quantiles)}"
    return Finding(f"{n} data sets of each problem (the paper: 20)", ours, "all statements", counts.checks)


def check_table_1(records):
    if not len(records):
        return None
    checks = []
    for problem, printed in TABLE_1.items():
        shapes = {tuple(r["shape"]) for r in records.where(problem=problem)}
        for i, name in enumerate(("samples", "attributes", "labels", "classes")):
            values = sorted({shape[i] for shape in shapes})
            ours = ", ".join(map(str, values))
            checks.append(Check(f"problem {problem}: {name}", values == [printed[i]], ours, str(printed[i])))
    n = len({r["repetition"] for r in records})
    printed = "; ".join("/".join(map(str, shape)) for shape in TABLE_1.values())
    ours = "; ".join(
        " or ".join("/".join(map(str, s)) for s in sorted({tuple(r["shape"]) for r in records.where(problem=problem)}))
        for problem in TABLE_1
    )
    return Finding(f"{n} data sets of each problem", ours, printed, checks)


DRAWN = (("forward, distance", BLUE, "o"), ("MI, distance", ORANGE, "s"), ("chi2, MDL", GREEN, "^"))


def draw(records):
    """The mean place of every feature in the orders of three methods."""
    figure, axes = panels(1, 2, width=4.6, height=3.0)
    for ax, problem in zip(axes[0], (1, 2), strict=True):
        n_features, title = TABLE_1[problem][1], f"problem {problem}"
        for shift, (method, color, marker) in zip((-0.15, 0, 0.15), DRAWN, strict=True):
            runs = records.where(problem=problem, method=method)
            orders = np.array([r["order"] for r in runs])
            if all(r["scores"] and not any(r["scores"]) for r in runs):  # no order at all
                title += f" ({method}: zero for all)"
                continue
            places = np.argsort(orders, axis=1) + 1
            low, high = np.quantile(places, (0.1, 0.9), axis=0)
            x, mean = np.arange(1, n_features + 1) + shift, places.mean(axis=0)
            ax.vlines(x, low, high, color=color, linewidth=1, alpha=0.6)
            ax.plot(x, mean, color=color, linestyle="", marker=marker, markersize=4, label=method)
        relevant = sorted(set.union(*NEEDED) | {11}) if problem == 1 else sorted(RELEVANT_2)
        for f in relevant:
            ax.axvspan(f - 0.4, f + 0.4, color=GREY, alpha=0.12, linewidth=0)
        ax.set(title=title, xlabel="feature (grey: needed, or a copy of one)")
        ax.set_xticks(range(1, n_features + 1))
        ax.invert_yaxis()
    axes[0, 0].set_ylabel("place (mean, 10 % to 90 %)")
    axes[0, 0].legend(loc="lower left", fontsize=7)
    return figure
