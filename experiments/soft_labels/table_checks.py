"""What is claimed of Tables 1-5, checked and drawn."""

from __future__ import annotations

import math

import numpy as np

from experiments.reproduction import Check, Finding
from experiments.reproduction.drawing import BLUE, GREEN, GREY, ORANGE, panels
from experiments.reproduction.statistics import interval
from experiments.soft_labels.tables import LABELS, N_DATASETS, PRINTED, percentages

LIMIT, SHARE = 2.6, 0.9
COLORS = (BLUE, ORANGE, GREEN)

RULE = (
    f"A printed and a measured value agree if they differ by less than {LIMIT} standard errors, of ours and of 50 "
    "data sets (at least 1 point) together; a table agrees if 90 % of its 12 values do. WLS is better if its mean is "
    'higher. "Smaller at low doubt": the lead of WLS over ymax at the lowest doubt is less than at the highest. yerror '
    "is generally the worst: at 3 of 4 doubts at least."
)
RULE_MISPRINT = (
    f"{RULE} All checks are made twice, for the equation as printed and for a repaired one, so that the verdict can be "
    '"reproduced" only if both give the table.'
)

MORE_THAN_90 = 0.30
LEADS = {"spheres": {0.35: 7.33, 0.40: 7.33, 0.45: 11.33}, "squares": {0.50: 15.0}}
"""Leads of WLS over ymax in points: as the text states them, and .40, where the table has the 7.33 of the text."""


def z_of(ours, printed):
    """Difference in units of its standard error, of ours (axis 0 are data sets) and of what was printed."""
    variance = ours.var(axis=0, ddof=1)
    of_printed = np.maximum(variance / N_DATASETS, 1.0)  # a value of 100 has no variance; 1 point is the least
    return (ours.mean(axis=0) - printed) / np.sqrt(variance / len(ours) + of_printed)


def possible(printed, n_relevant) -> bool:
    """Whether a percentage is a mean over 50 data sets of shares of so many features, to two decimals."""
    share = printed * N_DATASETS * n_relevant / 100
    return abs(share - round(share)) < 0.02


class Table:
    """Our runs of one problem beside the printed table."""

    def __init__(self, records, problem):
        self.problem, every = problem, {doubt: percentages(records, problem, doubt) for doubt in PRINTED[problem]}
        self.runs = {doubt: runs for doubt, runs in every.items() if runs is not None}
        self.printed = {doubt: np.array(PRINTED[problem][doubt], dtype=float) for doubt in self.runs}
        self.means = {doubt: runs.mean(axis=0) for doubt, runs in self.runs.items()}
        self.relevant = next((r["relevant"] for r in records.where(problem=problem)), 0)

    def leads(self, over):
        """Lead of WLS in points by doubt: ours and printed, as text; and the least of ours."""
        ours = [mean[0] - mean[over] for mean in self.means.values()]
        printed = [row[0] - row[over] for row in self.printed.values()]
        return _line(ours, signed=True), _line(printed, signed=True), min(ours)

    def checks(self, prefix=""):
        doubts = f"doubt {', '.join(f'{doubt:g}' for doubt in self.runs)}"
        for over in (1, 2):
            ours, printed, least = self.leads(over)
            yield Check(f"{prefix}WLS finds more than {LABELS[over]} at every {doubts}", least > 0, ours, printed)
        z = np.array([z_of(runs, self.printed[doubt]) for doubt, runs in self.runs.items()])
        near, needed = int((np.abs(z) < LIMIT).sum()), math.ceil(SHARE * z.size)
        told = f"{near} of {z.size} agree, largest |z| {np.abs(z).max():.1f}, mean z² {np.mean(z**2):.1f}"
        yield Check(f"{prefix}{needed} of {z.size} printed values agree with ours", near >= needed, told, "the table")
        yield self._possible(prefix)
        if MORE_THAN_90 in self.runs:
            ours, printed = self.means[MORE_THAN_90][0], self.printed[MORE_THAN_90][0]
            yield Check(f"{prefix}WLS finds more than 90 % at doubt .3", ours > 90, f"{ours:.1f}", f"{printed:g}")
        for doubt, lead in LEADS.get(self.problem, {}).items():
            if doubt in self.runs:
                yield self._lead(doubt, lead)
        if len(self.means) > 1:
            yield self._lead_grows(prefix)
        worst = [mean[2] <= mean[:2].min() for mean in self.means.values()]
        printed = [row[2] <= row[:2].min() for row in self.printed.values()]
        told, holds = f"at {sum(worst)} of {len(worst)}", sum(worst) >= 0.75 * len(worst)
        yield Check(f"{prefix}yerror is generally the worst", holds, told, f"at {sum(printed)} of {len(printed)}")

    def _possible(self, prefix):
        values = [value for row in self.printed.values() for value in row]
        fit = sum(possible(value, self.relevant) for value in values)
        says = f"{prefix}the printed values are shares of {self.relevant} relevant features in 50 data sets"
        return Check(says, fit == len(values), f"{fit} of {len(values)} can be", "the table")

    def _lead(self, doubt, printed):
        apart = self.runs[doubt][:, :1] - self.runs[doubt][:, 1:2]
        z, ours = float(z_of(apart, printed)[0]), float(apart.mean())
        says = f"WLS finds {printed:g} points more than ymax at doubt {doubt:g}"
        in_table = self.printed[doubt][0] - self.printed[doubt][1]
        return Check(says, abs(z) < LIMIT, f"{ours:+.1f} (z {z:+.1f})", f"{in_table:+.2f} in the table")

    def _lead_grows(self, prefix):
        ours = [mean[0] - mean[1] for mean in self.means.values()]
        printed = [row[0] - row[1] for row in self.printed.values()]
        told = [f"{low:.1f} and {high:.1f}" for low, high in ((ours[0], ours[-1]), (printed[0], printed[-1]))]
        return Check(f"{prefix}the lead over ymax is smaller at low doubt", ours[0] < ours[-1], *told)


def _line(values, signed=False):
    return ", ".join(f"{value:+.1f}" if signed else f"{value:.1f}" for value in values)


def check(*problems):
    """A check of a table from the records, for one problem or for a printed and a repaired one."""

    def finding(records):
        tables = [table for table in (Table(records, problem) for problem in problems) if table.runs]
        if not tables:
            return None
        several = len(problems) > 1
        checks = [c for t in tables for c in t.checks(f"{t.problem.split(' ', 1)[1]}: " if several else "")]
        n = min(len(runs) for t in tables for runs in t.runs.values())
        ours = "; ".join((f"{t.problem}: " if several else "") + _rows(t.means) for t in tables)
        return Finding(f"{n} data sets for each value (the paper: 50)", ours, _rows(tables[0].printed), checks)

    return finding


def _rows(rows):
    """WLS/ymax/yerror by doubt."""
    return ", ".join(f"{doubt:g}: {'/'.join(f'{value:.1f}' for value in row)}" for doubt, row in rows.items())


def draw(*problems):
    """Ours as lines with intervals, the printed values as crosses."""

    def figure(records):
        tables = [table for table in (Table(records, problem) for problem in problems) if table.runs]
        drawn, axes = panels(1, len(tables), width=4.2, height=3.2)
        for ax, table in zip(axes[0], tables, strict=True):
            _panel(ax, table)
            ax.sharey(axes[0, 0])
        axes[0, 0].set_ylabel("relevant features found, %")
        drawn.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
        return drawn

    return figure


def _panel(ax, table):
    doubts = np.array(list(table.runs))
    for i, (label, color) in enumerate(zip(LABELS, COLORS, strict=True)):
        x = doubts + 0.0015 * (i - 1)  # so that equal values can be told apart
        mean = [mean[i] for mean in table.means.values()]
        half = [interval(runs[:, i]) for runs in table.runs.values()]
        ax.errorbar(x, mean, half, color=color, label=label, marker="o", markersize=3, capsize=2)
        printed = [row[i] for row in table.printed.values()]
        ax.plot(x, printed, color=color, linestyle="", marker="x", markersize=6)
    ax.plot([], [], color=GREY, linestyle="", marker="x", markersize=6, label="printed")
    ax.set(title=table.problem, xlabel="mean doubt µ")
    ax.set_xticks(doubts)
