"""Figure 1: what section 4 says of the curves."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from experiments.reproduction import Check, Finding
from experiments.reproduction.drawing import BLUE, GREEN, INK, ORANGE, curve, panels
from experiments.reproduction.statistics import lower, two_sample_p
from experiments.risk.curves import NAMES, PRINTED

WORDS = {"information": "mutual information", "count": "error count", "expected": "expected risk"}
MANY = 3
"""Features that are no longer a very small subset."""
CLOSE = 2.0
"""Points within which two criteria are equivalent."""


class Curves:
    """The curves of one data set: shuffles × folds × sizes for each criterion as printed."""

    def __init__(self, records, data):
        self.data = data
        self.folds = {name: np.array(list(records.values(name, data=data).values())) for name in PRINTED}
        ours = ("our_information", "our_count", "our_expected")
        self.ours = {name: np.array(list(records.values(name, data=data).values())) for name in ours}
        self.n = len(self.folds["count"])

    def over_sizes(self, criterion) -> np.ndarray:
        """Mean over folds and sizes, of each shuffle."""
        return self.folds[criterion].mean(axis=(1, 2))

    def significant(self, one, other, size) -> bool:
        """Whether a two-sample test over the folds finds a difference at 5 %, in more than half of the shuffles."""
        first, second = self.folds[one][:, :, size - 1], self.folds[other][:, :, size - 1]
        found = [two_sample_p(a, b) < 0.05 for a, b in zip(first, second, strict=True)]
        return bool(np.mean(found) > 0.5)

    def sizes(self) -> range:
        return range(1, self.folds["count"].shape[2] + 1)

    def words(self) -> str:
        return ", ".join(f"{WORDS[c]} {self.over_sizes(c).mean():.1f}" for c in PRINTED)


def check(records) -> Finding | None:
    found = {name: Curves(records, name) for name in NAMES}
    found = {name: curves for name, curves in found.items() if curves.n}
    if not found:
        return None
    checks = [*_better(found), *_equivalent(found), *_significance(found), _counting(found)]
    ours = "; ".join(f"{NAMES[name]}: {_ours(curves)}" for name, curves in found.items())
    ran = ", ".join(f"{NAMES[name]} {curves.n}" for name, curves in found.items())
    return Finding(
        f"shuffles of ten folds: {ran}",
        f"mean rate over all sizes, as printed and (in brackets) with ours: {ours}",
        "curves only",
        checks,
    )


def _ours(curves):
    pairs = zip(PRINTED, curves.ours, strict=True)
    return ", ".join(f"{WORDS[c]} {curves.over_sizes(c).mean():.1f} ({curves.ours[o].mean():.1f})" for c, o in pairs)


def _better(found):
    for name, better, worse in (
        ("ecoli", ("information", "count"), ("expected",)),
        ("ionosphere", ("expected",), ("information", "count")),
        ("seeds", ("expected",), ("information", "count")),
    ):
        if name in found:
            curves, pairs = found[name], [(b, w) for b in better for w in worse]
            holds = all(lower(curves.over_sizes(w), curves.over_sizes(b)) for b, w in pairs)
            who = " and ".join(WORDS[b] for b in better)
            printed = "better" if len(better) > 1 else "slightly better"
            yield Check(f"{NAMES[name]}: {who} better", holds, curves.words(), printed)


def _equivalent(found):
    for name in ("breast_tissue", "glass", "wine"):
        if name in found:
            means = [found[name].over_sizes(c).mean() for c in PRINTED]
            holds = max(means) - min(means) <= CLOSE
            yield Check(f"{NAMES[name]}: equivalent", holds, found[name].words(), "equivalent")


def _significance(found):
    if "ecoli" in found:
        curves = found["ecoli"]
        apart = [size for size in (1, 2, 3) if _above(curves, "information", "expected", size)]
        counted = [size for size in (1, 2, 3) if _above(curves, "information", "count", size)]
        ours = f"than expected risk with {_list(apart)}, than error count with {_list(counted)} features"
        says = "Ecoli: mutual information significantly better than expected risk with 1, 2 and 3 features"
        yield Check(says, apart == [1, 2, 3], ours, "with the first three")
    elsewhere, n = [], 0
    for name, curves in found.items():
        for size in curves.sizes()[MANY - 1 :]:
            if name == "ecoli" and size == MANY:
                continue
            for one, other in combinations(PRINTED, 2):
                n += 1
                if curves.significant(one, other, size):
                    elsewhere.append(f"{NAMES[name]} with {size} ({WORDS[one]}, {WORDS[other]})")
    ours = f"{len(elsewhere)} of {n} comparisons" + (f": {', '.join(elsewhere)}" if elsewhere else "")
    yield Check(f"no other significant difference with {MANY} or more features", not elsewhere, ours, "none")


def _above(curves, better, worse, size):
    higher = curves.folds[better][:, :, size - 1].mean() > curves.folds[worse][:, :, size - 1].mean()
    return bool(higher and curves.significant(better, worse, size))


def _list(sizes):
    return ", ".join(map(str, sizes)) or "none"


def _counting(found):
    behind = {}
    for name, curves in found.items():
        means = {criterion: curves.over_sizes(criterion).mean() for criterion in PRINTED}
        behind[name] = max(means.values()) - means["count"]
    most = max(behind, key=lambda name: behind[name])
    ours = f"at most {behind[most]:.1f} points behind the best ({NAMES[most]})"
    return Check("error counting is sufficient", bool(behind[most] <= CLOSE), ours, "sufficient")


def draw(records):
    """A panel for each data set."""
    figure, axes = panels(2, 3, height=2.5)
    for ax, name in zip(axes.flat, NAMES, strict=True):
        curves = Curves(records, name)
        if curves.n:
            sizes = list(curves.sizes())
            marker = "o" if len(sizes) < 20 else ""
            for criterion, color in zip(PRINTED, (INK, ORANGE, BLUE), strict=True):
                curve(ax, sizes, curves.folds[criterion].mean(axis=1), WORDS[criterion], color, marker=marker)
            curve(ax, sizes, curves.ours["our_information"], "ours: count form", GREEN, dashed=True)
        ax.set(title=NAMES[name])
    for ax in axes[-1]:
        ax.set_xlabel("number of features")
    for ax in axes[:, 0]:
        ax.set_ylabel("balanced rate (%)")
    axes[0, 0].legend(fontsize=7, frameon=False)
    return figure
