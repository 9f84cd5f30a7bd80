"""Figs. 1 and 4 to 6: what section 6 says of the curves, one check for each statement and data set."""

from __future__ import annotations

import numpy as np

from experiments.label_noise.panels import LARGE, SMALL, Panel, draw_panel, draw_panels, panels_of
from experiments.label_noise.sets import NAMES
from experiments.reproduction import Check, Finding
from experiments.reproduction.drawing import panels
from experiments.reproduction.statistics import interval, lower

FIG_4 = ("iris", "segment", "vehicle", "vertebral_3c")
FIG_5 = ("wall_following_24", "waveform_noise", "wine", "yeast_uci")
FIG_6 = ("ecoli", "glass", "page_blocks")
NOT_AT_10 = ("vertebral_3c", "wall_following_24")
LITTLE_COST = ("ecoli", "yeast_uci")
LARGE_COST = ("vehicle", "vertebral_3c", "waveform_noise", "wine")
"""At 20 %: Figs. 4(f), 4(h), 5(d) and 5(f)."""


def check_iris(plain) -> Finding | None:
    panel = Panel(plain, None, "iris", 20)
    n = panel.n("clean", "noisy")
    if n < 2:
        return None
    clean, noisy = panel.shared("clean", "noisy")
    widths = interval(clean), interval(noisy)
    apart = noisy.mean(axis=0) - widths[1] > clean.mean(axis=0) + widths[0]
    checks = [
        Check(
            f"noise costs with {size + 1} of 4 features",
            bool(apart[size]),
            f"{noisy[:, size].mean():.1f} against {clean[:, size].mean():.1f}",
            "significantly higher",
        )
        for size in range(3)
    ]
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = (widths[1] / widths[0])[:3]
    checks.append(
        Check(
            "much wider intervals with wrong labels",
            bool((ratios >= 1.5).all()),
            f"{ratios.min():.1f} to {ratios.max():.1f} times as wide with 1 to 3 features",
            "much larger",
        )
    )
    ours = f"mean over 2 and 3 features: {panel.means(['clean', 'noisy', 'count', 'tamis'])}"
    return Finding(f"{n} repetitions", ours, "curves only", checks)


def draw_iris(plain):
    figure, axes = panels(1, 1, width=4.6, height=2.9)
    ax = axes[0, 0]
    draw_panel(ax, Panel(plain, None, "iris", 20), ("clean", "noisy", "tamis"))
    ax.set(title="Iris, 20 %", xlabel="number of features", ylabel="balanced error (%)")
    ax.legend(fontsize=8, frameon=False)
    return figure


def check_better(plain, literal, names) -> Finding | None:
    """Of Figs. 4 and 5, where the tolerant search is better."""
    checks = _costs(plain, literal, names)
    for name in names:
        for panel in panels_of(plain, literal, [name], "noisy", "literal")[::-1]:
            expected = panel.rate == 20 or name not in NOT_AT_10
            says = f"{panel.name}: LNT-BW {'better than' if expected else 'no better than'} BW-N"
            holds = panel.significant("literal", "noisy") == expected
            checks.append(Check(says, holds, panel.words("literal", "noisy"), "significantly" if expected else "no"))
    return _finding(plain, literal, names, checks + _together(plain, literal, names))


def check_equal(plain, literal, names) -> Finding | None:
    """Of Fig. 6, where neither is."""
    checks = _costs(plain, literal, names)
    for panel in panels_of(plain, literal, names, "clean", "noisy", "literal"):
        either = panel.significant("literal", "noisy") or panel.significant("noisy", "literal")
        says = f"{panel.name}: LNT-BW and BW-N cannot be told apart"
        checks.append(Check(says, not either, panel.words("literal", "noisy"), "not significant"))
        affected = panel.significant("clean", "literal")
        if panel.data in LITTLE_COST:
            says, holds, printed = f"{panel.name}: LNT-BW as good as BW-C", not affected, "identical"
        else:
            says, holds, printed = f"{panel.name}: noise costs LNT-BW too", affected, "affected"
        checks.append(Check(says, holds, panel.words("clean", "literal"), printed))
    return _finding(plain, literal, names, checks + _together(plain, literal, names))


def _costs(plain, literal, names):
    """What wrong labels cost the plain search."""
    checks = []
    for name in names:
        found = panels_of(plain, literal, [name], "clean", "noisy")
        words = "; ".join(panel.words("clean", "noisy") for panel in found)
        if found and name in LITTLE_COST:
            little = [
                not p.significant("clean", "noisy") or -p.differences("clean", "noisy").mean() < SMALL for p in found
            ]
            checks.append(Check(f"{NAMES[name]}: noise costs BW-N little", all(little), words, "small or none"))
        elif found:
            holds = all(panel.significant("clean", "noisy") for panel in found)
            checks.append(Check(f"{NAMES[name]}: noise costs BW-N", holds, words, "significantly worse"))
        if found and name in LARGE_COST:
            most = found[-1].gap("noisy", "clean").max()
            holds = bool(most >= LARGE)
            checks.append(Check(f"{found[-1].name}: it costs much", holds, f"up to {most:.1f} points", "large"))
    return checks


def _little(panel):
    return not panel.significant("clean", "noisy") or panel.differences("noisy", "clean").mean() < SMALL


def _together(plain, literal, names):
    """Statements about all panels of a figure."""
    found = panels_of(plain, literal, names, "clean", "noisy", "literal")
    if not found:
        return []
    clean_best = [panel.name for panel in found if panel.differences("clean", "literal").mean() < 0]
    worse = [panel.name for panel in found if panel.significant("noisy", "literal")]
    meet = [panel.name for panel in found if _meet(panel)]
    n = len(found)
    return [
        Check(
            "BW-C better than LNT-BW in most panels", 2 * len(clean_best) > n, f"{len(clean_best)} of {n}", "most cases"
        ),
        Check("LNT-BW nowhere worse than BW-N", not worse, ", ".join(worse) or "nowhere", "nowhere"),
        Check("curves meet towards all features", len(meet) == n, f"in {len(meet)} of {n} panels", "in all"),
    ]


def _meet(panel):
    """Equal with all features, and nearer with one less than in the mean of the sizes before."""
    gap = np.abs(panel.gap("noisy", "clean"))
    return bool(gap[-1] == 0 and gap[-2] <= gap[1:-1].mean())


def _finding(plain, literal, names, checks):
    if not checks:
        return None
    ours, ran = [], []
    for panel in panels_of(plain, literal, names, "clean", "noisy"):
        if panel.rate == 20:
            ours.append(f"{NAMES[panel.data]}: {panel.means(['clean', 'noisy', 'literal', 'count', 'tamis'])}")
        counts = panel.n("clean"), len(panel.curves["literal"])
        ran.append(f"{panel.name}: {counts[0]} and {counts[1]}")
    ours_words = "mean error over sizes 2 to d - 1 at 20 %, “count” being our estimator without a noise model. "
    ran_words = "repetitions of the plain searches and of LNT-BW. "
    pairs = {"noisy": "BW-N", "literal": "LNT-BW"}
    beside = ". ".join(_beside(plain, literal, names, other, called) for other, called in pairs.items())
    return Finding(ran_words + "; ".join(ran), f"{ours_words}{'; '.join(ours)}. {beside}", "curves only", checks)


def _beside(plain, literal, names, other, called):
    """How often ours is better or worse than another search, in the mean over sizes."""
    found = panels_of(plain, literal, names, "tamis", other)
    curves = [[run[:, 1:-1].mean(axis=1) for run in panel.shared("tamis", other)] for panel in found]
    better, worse = (sum(lower(*pair[::step]) for pair in curves) for step in (1, -1))
    return f"Against {called} ours is better in {better} and worse in {worse} of {len(found)} panels (paired t, 5 %)"


def draw(names):
    """The drawing of one figure."""
    return lambda plain, literal: draw_panels(plain, literal, names)


def check(how, names):
    return lambda plain, literal: how(plain, literal, names)
