"""Curves of one data set at one rate of wrong labels, and what they say."""

from __future__ import annotations

import numpy as np

from experiments.label_noise.curves import RATES
from experiments.label_noise.sets import NAMES
from experiments.reproduction.drawing import BLUE, GREEN, INK, ORANGE, curve, panels
from experiments.reproduction.statistics import interval, paired_p

LINES = {
    "clean": ("BW-C: plain, right labels", INK, False),
    "noisy": ("BW-N: plain, wrong labels", ORANGE, True),
    "literal": ("LNT-BW: the paper's, as printed", BLUE, False),
    "tamis": ("tamis (ours)", GREEN, False),
}
LARGE = 5.0
"""Points of balanced error that count as a large difference."""
SMALL = 1.0
"""And as a small one."""
FEW = 5
"""Repetitions whose interval is drawn, and whose mean is told beside others."""


class Panel:
    """A panel of Figs. 4-6: the curves of each method (repetition -> errors of sizes 1 to d)."""

    def __init__(self, plain, literal, data, rate):
        self.data, self.rate = data, rate
        self.curves = {
            "clean": plain.values("clean", data=data),
            "noisy": plain.values(f"noisy_{rate}", data=data),
            "count": plain.values(f"count_{rate}", data=data),
            "tamis": plain.values(f"tamis_{rate}", data=data),
            "literal": literal.values("errors", data=data, rate=rate) if literal is not None else {},
        }

    @property
    def name(self):
        return f"{NAMES[self.data]}, {self.rate} %"

    def shared(self, *methods) -> list[np.ndarray]:
        """Curves in the repetitions that all have: (repetitions, d) each."""
        common = sorted(set.intersection(*(set(self.curves[m]) for m in methods)))
        return [np.array([self.curves[m][r] for r in common]) for m in methods]

    def n(self, *methods) -> int:
        return len(self.shared(*methods)[0])

    def apart(self, better, worse) -> tuple[int, int]:
        """At how many sizes from 2 to d - 1 the mean is lower and the 95 % intervals are apart; of how many."""
        one, other = self.shared(better, worse)
        upper, low = one.mean(axis=0) + interval(one), other.mean(axis=0) - interval(other)
        return int((upper < low)[1:-1].sum()), one.shape[1] - 2

    def significant(self, better, worse) -> bool:
        """At half of these sizes or more."""
        count, total = self.apart(better, worse)
        return 2 * count >= total

    def differences(self, one, other) -> np.ndarray:
        """Mean over sizes 2 to d - 1 of the first, less that of the second, in each repetition."""
        one, other = self.shared(one, other)
        return (one - other)[:, 1:-1].mean(axis=1)

    def gap(self, one, other) -> np.ndarray:
        """Mean difference at each size."""
        one, other = self.shared(one, other)
        return (one - other).mean(axis=0)

    def words(self, better, worse) -> str:
        """Sizes that are apart, and the paired difference of the means over sizes."""
        count, total = self.apart(better, worse)
        apart = self.differences(better, worse)
        p = paired_p(apart, np.zeros(len(apart)))
        return f"{self.rate} %: {count} of {total} sizes, {apart.mean():+.2f} points (p {_p(p)}, {len(apart)})"

    def well_known(self, methods) -> list[str]:
        """Without those that have too few repetitions to stand beside the others, if these have enough."""
        enough = max(1, min(FEW, max(len(self.curves[m]) for m in methods)))
        return [m for m in methods if len(self.curves[m]) >= enough]

    def means(self, methods) -> str:
        """Mean error over sizes 2 to d - 1 in the repetitions that all have."""
        methods = self.well_known(methods)
        found = zip(methods, self.shared(*methods), strict=True)
        return ", ".join(f"{method} {curves[:, 1:-1].mean():.1f}" for method, curves in found)


def _p(p):
    return "< .001" if p < 0.001 else f"{p:.3f}".lstrip("0")


def panels_of(plain, literal, names, *methods, least=2) -> list[Panel]:
    """Panels in which all these methods have some repetitions."""
    every = [Panel(plain, literal, name, rate) for name in names for rate in RATES]
    return [panel for panel in every if panel.n(*methods) >= least]


def draw_panels(plain, literal, names):
    """As in the paper: a row for each data set, a column for each rate."""
    figure, axes = panels(len(names), len(RATES), height=2.2)
    for row, name in enumerate(names):
        for column, rate in enumerate(RATES):
            panel, ax = Panel(plain, literal, name, rate), axes[row, column]
            draw_panel(ax, panel, LINES)
            ax.set(title=panel.name, ylabel="balanced error (%)" if column == 0 else None)
            if row == len(names) - 1:
                ax.set_xlabel("number of features")
    axes[0, 0].legend(fontsize=7, frameon=False)
    return figure


def draw_panel(ax, panel, methods):
    """The curves; those of few repetitions without their intervals, which are too wide to be seen."""
    means = []
    for method in panel.well_known(methods):
        label, color, dashed = LINES[method]
        runs = np.array(list(panel.curves[method].values()))
        means.append(runs.mean(axis=0))
        sizes = np.arange(1, runs.shape[1] + 1)
        shown = runs if len(runs) >= FEW else runs.mean(axis=0, keepdims=True)
        curve(ax, sizes, shown, label, color, dashed=dashed, marker="o" if len(sizes) < 14 else "")
        ax.set_xticks(sizes if len(sizes) < 14 else sizes[3::4])
    if means:
        low, high = np.min(means), np.max(means)
        ax.set_ylim(max(0.0, low - 0.2 * (high - low)), high + 0.2 * (high - low))
