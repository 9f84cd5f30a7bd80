"""What is claimed of Figures 2-4, checked and drawn."""

from __future__ import annotations

import numpy as np

from experiments.reproduction import Check, Finding
from experiments.reproduction.drawing import BLUE, GREEN, GREY, ORANGE, curve, panels
from experiments.reproduction.statistics import lower
from experiments.soft_labels.real_data import DOUBTS
from experiments.soft_labels.tables import LABELS

RULE_ANY_SIZE = (
    '"Better or equal at any number of features": the mean accuracy over the repetitions, as drawn, is at least as '
    "high at every number but that of all features. Beside it, what chance allows: at no number is WLS lower beyond "
    "chance (paired t over the repetitions, 5 %). The lead is the mean over these numbers; at µ = .3 it must be "
    "above zero, and larger than at .2."
)
RULE_FIRST = (
    '"Outperforms for the first n features": its mean accuracy is higher at each of these numbers. "Global best": the '
    "highest mean accuracy over all numbers is at least that of the two others. The lead is the mean over the first n; "
    "beyond chance is by a paired t test over the repetitions at 5 %."
)
FIRST = {0.2: 12, 0.3: 16}
"""Numbers of features for which the text has WLS ahead on Mines."""


def curves_of(records, name):
    """By doubt, the runs of each kind of label: (3, n_repetitions, n_features)."""
    found = {}
    for doubt in DOUBTS:
        runs = records.where(data=name, doubt=doubt)
        if runs:
            found[doubt] = np.array([[r[label] for r in runs] for label in LABELS])
    return found


def _lead(runs, other, sizes):
    """Lead of WLS in each repetition, the mean over sizes."""
    return (runs[0] - runs[other])[:, sizes].mean(axis=1)


def check_any_size(name):
    """WLS at least as good everywhere, and more so at the larger doubt."""

    def finding(records):
        found = curves_of(records, name)
        if not found:
            return None
        checks = []
        for doubt, runs in found.items():
            mean, n_sizes = runs.mean(axis=1), runs.shape[2] - 1  # with all features they are the same
            for other in (1, 2):
                apart = (mean[0] - mean[other])[:n_sizes]
                worse = [n + 1 for n in range(n_sizes) if apart[n] < -1e-9]
                told = f"at {n_sizes - len(worse)} of {n_sizes}" + (f", least {apart.min():+.2f}" if worse else "")
                says = f"µ = {doubt:g}: WLS better or equal to {LABELS[other]} at any number of features"
                checks.append(Check(says, not worse, told, "at all"))
                clear = [n + 1 for n in range(n_sizes) if lower(runs[0][:, n], runs[other][:, n])]
                says = f"µ = {doubt:g}: WLS nowhere worse than {LABELS[other]} beyond chance"
                checks.append(Check(says, not clear, f"worse at {clear}" if clear else "nowhere", "nowhere"))
        if len(found) == 2:
            checks += [_larger(found, other) for other in (1, 2)]
        return _finding(found, checks)

    return finding


def _larger(found, other):
    leads = [_lead(runs, other, slice(0, runs.shape[2] - 1)).mean() for runs in found.values()]
    says = f"the lead over {LABELS[other]} is larger at µ = .3"
    return Check(says, leads[1] > max(leads[0], 0), f"{leads[0]:+.2f} and {leads[1]:+.2f} points")


def check_first(records, name="sonar"):
    """WLS ahead for the first features, and the best of all."""
    found = curves_of(records, name)
    if not found:
        return None
    checks = []
    for doubt, runs in found.items():
        mean, n = runs.mean(axis=1), min(FIRST[doubt], runs.shape[2])
        for other in (1, 2):
            ahead = mean[0, :n] > mean[other, :n]
            lead = _lead(runs, other, slice(0, n))
            says = f"µ = {doubt:g}: WLS better than {LABELS[other]} at each of the first {n} numbers of features"
            checks.append(
                Check(says, bool(ahead.all()), f"at {ahead.sum()} of {n}, lead {lead.mean():+.2f}", f"at {n}")
            )
            says = f"µ = {doubt:g}: the mean lead over {LABELS[other]} at the first {n} is beyond chance"
            checks.append(Check(says, lower(-lead, 0 * lead), f"{lead.mean():+.2f} points"))
        best = mean.max(axis=1)
        told = ", ".join(f"{label} {b:.1f} at {m.argmax() + 1}" for label, b, m in zip(LABELS, best, mean, strict=True))
        checks.append(Check(f"µ = {doubt:g}: WLS has the best accuracy of all", best[0] >= best.max() - 1e-9, told))
    return _finding(found, checks)


def _finding(found, checks):
    told = []
    for doubt, runs in found.items():
        each = [f"{runs[i].mean(axis=0).mean():.1f}" for i in range(3)]
        told.append(f"µ {doubt:g}: {'/'.join(each)}")
    ours = f"accuracy of WLS/ymax/yerror, mean over all sizes: {'; '.join(told)}"
    n = min(runs.shape[1] for runs in found.values())
    return Finding(f"{n} draws of the expert, five folds each (the paper: 50)", ours, "curves only", checks)


def draw(name, title):
    """Accuracies above, and below them the lead of WLS in the same repetitions."""

    def figure(records):
        found = curves_of(records, name)
        drawn, axes = panels(2, len(found), width=4.0, height=2.6)
        for (top, below), (doubt, runs) in zip(axes.T, found.items(), strict=True):
            sizes = np.arange(1, runs.shape[2] + 1)
            marker = "o" if len(sizes) < 12 else ""
            for i, color in enumerate((BLUE, ORANGE, GREEN)):
                curve(top, sizes, runs[i], LABELS[i], color, marker=marker)
                if i:
                    curve(below, sizes, runs[0] - runs[i], f"over {LABELS[i]}", color, marker=marker)
            below.axhline(0, color=GREY, linewidth=0.8)
            top.set(title=f"{title}, µ = {doubt:g}")
            below.set(xlabel="number of features")
            if marker:
                top.set_xticks(sizes)
                below.set_xticks(sizes)
        axes[0, 0].set_ylabel("accuracy of 1-NN, %")
        axes[1, 0].set_ylabel("lead of WLS, points")
        axes[0, 0].legend(loc="lower right")
        axes[1, 0].legend(loc="upper right")
        return drawn

    return figure
