"""What is claimed of Figures 1-3, checked and drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from experiments.multilabel.curves import ALL, RANDOM
from experiments.multilabel.mulan import CRITERIA, HIGHER_IS_BETTER
from experiments.reproduction import Check, Finding
from experiments.reproduction.drawing import BLUE, GREEN, GREY, INK, ORANGE, YELLOW, curve, panels

FORWARD, RANKED, CHI2 = "MI forward, distance", "MI, distance", "chi2, MDL"
OURS, CITED, QUANTILES = "MI forward, count", "chi2, Liu-Setiono", "chi2, quantiles"
SETS = ("yeast", "scene", "emotions")

RULE = (
    "Features are in their own units, the estimator is the paper's (eq. 7), chi2 has all label sets and MDL bins; "
    "on Yeast, where it is said to fail, also the bins that the paper cites (Liu and Setiono) and quantiles. "
    "*Improves* on all features: its best value over any smaller number of features is better; how far the paper's "
    "axes go is not in the text, so that this is also checked up to half of the features. Curves are compared by their "
    "means over 1 to half of the features, where they differ. *Better*: by all four criteria. *Similar*, "
    "*comparable*: by all four, the difference of means is less than a third of that between the better of the two and "
    "the remaining method. *Fails*, *poor*: by all four criteria, worse in the mean than the search, and no number up "
    "to half of the features reaches all features. There is one split, hence no interval."
)


@dataclass
class Curves:
    """The curves of one data set at one scale: (n_features, 4) for each method, higher being better."""

    of: dict[str, np.ndarray]
    everything: np.ndarray

    @classmethod
    def read(cls, records, name, scale="raw"):
        sign = np.where(HIGHER_IS_BETTER, 1.0, -1.0)
        found = {
            r["method"]: sign * np.array([r[c] for c in CRITERIA]).T
            for r in records.where(data=name, scale=scale, repetition=0)
            if r["method"] != RANDOM
        }
        every = found.pop(ALL, None)
        return None if every is None or FORWARD not in found else cls(found, every[0])

    def mean(self, method):
        """Over 1 to half of the features, for each criterion."""
        return self.of[method][: len(self.of[method]) // 2].mean(axis=0)

    def best(self, method, part=1.0):
        """Over the numbers of features up to a part of them, but never all."""
        n = len(self.of[method])
        return self.of[method][: min(n - 1, int(part * n))].max(axis=0)

    def best_size(self, method, criterion):
        return int(self.of[method][:-1, criterion].argmax()) + 1

    def improves(self, method, part=1.0):
        return self.best(method, part) > self.everything

    def fails(self, method):
        return (self.mean(method) < self.mean(FORWARD)) & (self.best(method, 0.5) < self.everything)


def told(values):
    return " ".join(f"{abs(value):.3f}" for value in values)


def improving(curves):
    """One check for each criterion."""
    for i, criterion in enumerate(CRITERIA):
        best, n = curves.best(FORWARD)[i], curves.best_size(FORWARD, i)
        ours = f"{abs(best):.3f} with {n}, all {abs(curves.everything[i]):.3f}"
        says = f"{criterion}: the search improves on all features"
        yield Check(says, bool(curves.improves(FORWARD)[i]), ours, "improves")
    few = curves.improves(FORWARD, 0.5)
    ours = f"by {few.sum()} of 4: {told(curves.best(FORWARD, 0.5))}, all {told(curves.everything)}"
    yield Check("the search improves with at most half of the features", bool(few.all()), ours, "improves")


def better(curves, other, scale=""):
    """The search against a ranking, by means."""
    ahead = curves.mean(FORWARD) > curves.mean(other)
    ours = f"by {ahead.sum()} of 4: {told(curves.mean(FORWARD))} against {told(curves.mean(other))}"
    return Check(f"{scale}the search is better than {other.split(',')[0]}", bool(ahead.all()), ours, "better")


def similar(curves, one, other, third, says):
    apart = np.abs(curves.mean(one) - curves.mean(other))
    beyond = np.maximum(curves.mean(one), curves.mean(other)) - curves.mean(third)
    alike = apart < np.abs(beyond) / 3
    ours = f"by {alike.sum()} of 4; apart by {told(apart)}, from {third.split(',')[0]} by {told(np.abs(beyond))}"
    return Check(says, bool(alike.all()), ours, "similar")


def failing(curves, method, says):
    fails = curves.fails(method)
    ours = f"by {fails.sum()} of 4: best up to half {told(curves.best(method, 0.5))}, all {told(curves.everything)}"
    return Check(says, bool(fails.all()), ours, "fails")


def only_one(records):
    """Whether each ranking misses an improvement in some data set and criterion, and the search none."""
    found = [c for c in (Curves.read(records, name) for name in SETS) if c is not None]
    for part, where in ((1.0, "any number"), (0.5, "at most half")):
        for method in (FORWARD, RANKED, CHI2):
            improved = [int(c.improves(method, part).sum()) for c in found if method in c.of]
            total, short = 4 * len(improved), method.removesuffix(", distance").split(", MDL")[0]
            everywhere = sum(improved) == total
            what = "improves" if method == FORWARD else "does not improve"
            says = f"{where} of the features: {short} {what} in every data set and criterion"
            ours = f"improves in {sum(improved)} of {total}"
            yield Check(says, everywhere == (method == FORWARD), ours, "only MI forward does")


def defined(characteristics, name):
    for record in characteristics.where(data=name):
        n, total = record["undefined"], record["shape"][1]
        yield Check("eq. (7) as printed has a value for every feature", n == 0, f"not for {n} of {total}", "assumed")


def _yeast(curves):
    yield failing(curves, CHI2, "chi2 is poor")
    for method, bins in ((CITED, "the cited bins"), (QUANTILES, "quantiles for bins")):
        if method in curves.of:
            yield failing(curves, method, f"chi2 with {bins} is poor")
    yield similar(curves, FORWARD, RANKED, CHI2, "the search and the ranking by MI are similar")


def _scene(curves):
    yield failing(curves, RANKED, "the ranking by MI fails")
    yield better(curves, RANKED)
    yield better(curves, CHI2)


def _emotions(curves):
    yield similar(curves, RANKED, CHI2, FORWARD, "the rankings by MI and chi2 are comparable")
    yield better(curves, RANKED)
    yield better(curves, CHI2)


SPECIAL = {"yeast": _yeast, "scene": _scene, "emotions": _emotions}


def check(name):
    def finding(records, characteristics):
        curves = Curves.read(records, name)
        if curves is None or not {RANKED, CHI2} <= set(curves.of):
            return None
        checks = [*improving(curves), *SPECIAL[name](curves)]
        if name == "emotions":
            checks += only_one(records)
        scaled = Curves.read(records, name, "scaled")
        if name != "yeast" and scaled is not None:
            checks += [better(scaled, m, "with features scaled: ") for m in (RANKED, CHI2) if m in scaled.of]
        checks += defined(characteristics, name)
        beside = f"; by counts {told(curves.best(OURS))}" if OURS in curves.of else ""
        ours = f"best of any number: search {told(curves.best(FORWARD))}{beside}; MI {told(curves.best(RANKED))}; "
        ours += f"chi2 {told(curves.best(CHI2))}; all features {told(curves.everything)}"
        ours += "".join(f"; chi2 is zero for {r['zero_chi2']} features" for r in characteristics.where(data=name))
        return Finding("the official split, once", f"{', '.join(CRITERIA)}: {ours}", "curves only", checks)

    return finding


DRAWN = (
    (FORWARD, BLUE, False),
    (OURS, BLUE, True),
    (RANKED, ORANGE, False),
    (CHI2, GREEN, False),
    (CITED, YELLOW, False),
    (QUANTILES, YELLOW, True),
)


def draw(name):
    def figure(records, characteristics):
        drawn, axes = panels(2, 2, width=4.2, height=2.8)
        every = records.where(data=name, scale="raw", method=ALL)
        for ax, criterion in zip(axes.ravel(), CRITERIA, strict=True):
            for method, color, dashed in DRAWN:
                for r in records.where(data=name, scale="raw", method=method):
                    curve(ax, np.arange(1, len(r[criterion]) + 1), [r[criterion]], method, color, dashed=dashed)
            random = [r[criterion] for r in records.where(data=name, scale="raw", method=RANDOM)]
            if random:
                curve(ax, np.arange(1, len(random[0]) + 1), random, RANDOM, GREY)
            for r in every:
                ax.axhline(r[criterion][0], color=INK, linewidth=0.8, linestyle=":", label=ALL)
            ax.set_title(criterion)
        for ax in axes[1]:
            ax.set_xlabel("number of features")
        drawn.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
        return drawn

    return figure
