"""What is claimed of the choice of the pruning (section 4) and of Figures 4-5, checked and drawn."""

from __future__ import annotations

from collections import Counter

import numpy as np

from experiments.multilabel.mulan import DATASETS
from experiments.multilabel.pruning import READINGS, SIZES
from experiments.reproduction import Check, Finding
from experiments.reproduction.drawing import BLUE, GREY, ORANGE, curve, panels

SETS = ("yeast", "scene", "emotions")
PUBLISHED = {name: DATASETS[name].min_class_size for name in SETS}
COMPARED = range(5, 16)
"""Sizes of Figures 4 and 5."""

RULE_TEST = (
    "The test is run with other folds and permutations in each repetition. It *gives* a size if that size, or one that "
    "prunes the same label sets, has the largest t in more than half of the repetitions. It is *defined* if there is a "
    "t in every repetition. In the middle of the range: neither 5 nor 20 is chosen in more than half of "
    "them."
)
RULE_CURVES = (
    "The published size is compared with the mean curve of the other sizes from 5 to 15, for 1 to 50 features in their "
    "own units, searched with the paper's estimator. *Global best*: the best value of its curve is better than the "
    "best of the mean curve, as drawn. *On average*: the mean over all numbers of features is better. The best of one "
    "curve is expected to be above the best of a mean of curves; *each at its best* compares with the mean of the "
    "other sizes' best values. The test gives the size: as in section 4. There is one "
    "split, hence no interval: differences in the fourth digit are within chance."
)


def chosen(tests, name, reading):
    """The sizes that each repetition chooses, as (from, to); None if there is no t."""
    return [tuple(r["chosen"]) or None for r in tests.where(data=name, reading=reading)]


def _told(picks):
    counts = Counter("none" if p is None else f"{p[0]}" if p[0] == p[1] else f"{p[0]}-{p[1]}" for p in picks)
    return ", ".join(f"{size} ({n})" for size, n in counts.most_common())


def gives(tests, name, reading):
    """Whether the test gives the published size."""
    picks, size = chosen(tests, name, reading), PUBLISHED[name]
    hits = sum(p is not None and p[0] <= size <= p[1] for p in picks)
    says = f"{name}, {reading}: the test gives {size}"
    return Check(says, hits > len(picks) / 2, f"in {hits} of {len(picks)}; chosen {_told(picks)}", str(size))


def _of_test(tests, name, reading):
    """What is claimed of the test, in one data set and reading."""
    picks = chosen(tests, name, reading)
    if not picks:
        return
    found = [p for p in picks if p is not None]
    if reading == "as printed":
        says = f"{name}, {reading}: the test is defined"
        yield Check(says, len(found) == len(picks), f"in {len(found)} of {len(picks)}", "assumed")
    yield gives(tests, name, reading)
    if found:
        ends = sum(SIZES[0] in p or SIZES[-1] in p for p in found)
        says = f"{name}, {reading}: the size chosen is in the middle of 5 to 20"
        yield Check(says, ends <= len(found) / 2, f"at an end in {ends} of {len(found)}", "yes")


def check_test(tests):
    if not len(tests):
        return None
    checks = [c for reading in READINGS for name in SETS for c in _of_test(tests, name, reading)]
    n = min(len(chosen(tests, name, reading)) for name in SETS for reading in READINGS)
    ours = "; ".join(f"{name} {_told(chosen(tests, name, READINGS[1]))}" for name in SETS)
    printed = ", ".join(f"{name} {PUBLISHED[name]}" for name in SETS)
    return Finding(f"{n} repetitions of the test", f"other folds: {ours}", printed, checks)


def curves_of(pruned, name, criterion, scale="raw", form="distance"):
    """The curve of each size; higher is better."""
    sign = 1.0 if criterion == "accuracy" else -1.0
    records = pruned.where(data=name, scale=scale, form=form)
    return {r["size"]: sign * np.array(r[criterion]) for r in records}


class Against:
    """One size against the other sizes of the figure."""

    def __init__(self, curves, size):
        self.own = curves[size]
        self.others = [curves[s] for s in COMPARED if s in curves and s != size]
        self.mean = np.mean(self.others, axis=0)

    def global_best(self):
        return self.own.max(), self.mean.max()

    def on_average(self):
        return self.own.mean(), self.mean.mean()

    def each_at_its_best(self):
        return self.own.max(), float(np.mean([curve.max() for curve in self.others]))


def _check(says, pair):
    return Check(says, bool(pair[0] > pair[1]), f"{abs(pair[0]):.4f} and {abs(pair[1]):.4f}", "better")


def favourite(tests, name):
    """The size chosen most often by the test on other folds; of those that prune alike, the smallest."""
    picks = [p for p in chosen(tests, name, READINGS[1]) if p]
    return Counter(picks).most_common(1)[0][0][0] if picks else None


def check_curves(name):
    def finding(pruned, tests):
        size, found = PUBLISHED[name], {c: curves_of(pruned, name, c) for c in ("accuracy", "Hamming loss")}
        if any(size not in curves or len(curves) < 3 for curves in found.values()):
            return None
        checks = []
        for criterion, curves in found.items():
            compared = Against(curves, size)
            checks.append(_check(f"{criterion}: size {size} has the global best", compared.global_best()))
            checks.append(_check(f"{criterion}: size {size} is better on average", compared.on_average()))
            says = f"{criterion}: size {size} is better than the others, each at its best"
            checks.append(_check(says, compared.each_at_its_best()))
        checks += _beside(pruned, name, size)
        picked = favourite(tests, name)
        if picked is not None:
            for criterion, curves in found.items():
                if picked != size and picked in curves:
                    says = f"{criterion}: size {picked}, chosen most often on other folds, has the global best"
                    checks.append(_check(says, Against(curves, picked).global_best()))
            checks += [gives(tests, name, reading) for reading in READINGS]
        return Finding(_ran(pruned, name), _ours(found, size), "curves only", checks)

    return finding


def _beside(pruned, name, size):
    """The same with our estimator, and with scaled features."""
    for scale, form, what in (("raw", "count", "our estimator"), ("scaled", "distance", "scaled features")):
        for criterion in ("accuracy", "Hamming loss"):
            curves = curves_of(pruned, name, criterion, scale, form)
            if size in curves and len(curves) > 2:
                says = f"{criterion}, {what}: size {size} has the global best"
                yield _check(says, Against(curves, size).global_best())


def _ran(pruned, name):
    same = {r["same_as"] for r in pruned.where(data=name, scale="raw", form="distance") if r["size"] in COMPARED}
    return f"{len(COMPARED)} sizes, {len(same)} of them different prunings; the official split"


def _ours(found, size):
    pairs = {criterion: Against(curves, size).global_best() for criterion, curves in found.items()}
    told = "; ".join(f"{criterion} {abs(a):.3f} and {abs(b):.3f}" for criterion, (a, b) in pairs.items())
    return f"best with size {size} and of the mean of others: {told}"


def draw_test(tests):
    """t by size; the published one is marked."""
    figure, axes = panels(1, 3, width=3.2, height=2.7)
    for ax, name in zip(axes[0], SETS, strict=True):
        for reading, color in zip(READINGS, (ORANGE, BLUE), strict=True):
            runs = np.array([r["t"] for r in tests.where(data=name, reading=reading)], dtype=float)
            runs = runs[~np.isnan(runs).any(axis=1)] if len(runs) else runs
            curve(ax, list(SIZES), runs, reading, color, marker="o")
            if not len(runs):
                ax.text(0.5, 0.05, f"{reading}: undefined", color=color, ha="center", transform=ax.transAxes)
        ax.axvline(PUBLISHED[name], color=GREY, linewidth=1, linestyle=":", label="published size")
        ax.set(title=name.capitalize(), xlabel="least size of a label set", ylim=(0, None))
        ax.set_xticks(range(5, 21, 3))
    axes[0, 0].set_ylabel("t, largest of any feature")
    handles = {label: h for ax in axes[0] for h, label in zip(*ax.get_legend_handles_labels(), strict=True)}
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=3)
    return figure


def draw_curves(name):
    def figure(pruned, tests):
        drawn, axes = panels(2, 2, width=4.2, height=2.6)
        for row, form in zip(axes, ("distance", "count"), strict=True):
            for ax, criterion in zip(row, ("accuracy", "Hamming loss"), strict=True):
                records = {r["size"]: r[criterion] for r in pruned.where(data=name, scale="raw", form=form)}
                _panel(ax, records, PUBLISHED[name])
                ax.set(title=f"{name.capitalize()}, by {form}s", ylabel=criterion)
        for ax in axes[1]:
            ax.set_xlabel("number of features")
        drawn.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
        return drawn

    return figure


def _panel(ax, records, size):
    others = [records[s] for s in COMPARED if s in records and s != size]
    if size not in records or not others:
        return
    x = np.arange(1, len(records[size]) + 1)
    for each in others:
        ax.plot(x, each, color=GREY, linewidth=0.5, alpha=0.5)
    ax.plot([], [], color=GREY, linewidth=0.5, label="each other size")
    ax.plot(x, np.mean(others, axis=0), color=BLUE, label="mean of the other sizes 5 to 15")
    ax.plot(x, records[size], color=ORANGE, label=f"size {size}, as published")
