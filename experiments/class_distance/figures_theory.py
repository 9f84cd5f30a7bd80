"""Figures of the inequalities."""

from __future__ import annotations

import numpy as np

from experiments.class_distance.bounds import RARE, RATIOS
from experiments.class_distance.joints import NOISES
from experiments.class_distance.sinkhorn import LAMBDAS
from experiments.reproduction.drawing import BLUE, GREEN, GREY, INK, ORANGE, PURPLE, SOFT, YELLOW, panels

COLORS = dict(zip(NOISES, (GREY, BLUE, GREEN, ORANGE, PURPLE), strict=True))
CORNERS = {"true": (0, 1), "recorded": (1, 1), "true, kept": (0, 0), "recorded, kept": (1, 0)}
SIDES = {"eps1": (0.5, 0.82), "eps2": (0.5, 0.2), "d1": (0.17, 0.5), "d2": (0.83, 0.5)}


def sides(records):
    """Four distributions of one joint, and how much of the inequality is used in many."""
    figure, axes = panels(1, 2, width=4.4, height=3.4)
    shown = records.where(metric="hierarchy", noise="by class and features") or list(records)
    _four(axes[0, 0], shown[0]["example"])
    _by_noise(axes[0, 1], records, RATIOS.index("sides"), "|d1 - d2| / (eps1 + eps2)", "triangle inequality (11), (12)")
    return figure


def _four(ax, example):
    ax.axis("off")
    ax.set_title("one configuration, one feature kept")
    names = {"eps1": "$\\epsilon_1$", "eps2": "$\\epsilon_2$", "d1": "$d_1$", "d2": "$d_2$"}
    for name, (right, top) in CORNERS.items():
        inner = ax.inset_axes((0.62 * right, 0.66 * top, 0.36, 0.28))
        p = example["distributions"][name]
        inner.set_axisbelow(True)
        inner.bar(range(len(p)), p, color=BLUE if name.startswith("true") else ORANGE, width=0.7)
        inner.set(ylim=(0, 1), xticks=[], yticks=[])
        inner.set_title(name, fontsize=8, color=INK)
    for side, place in SIDES.items():
        text = f"{names[side]} = {example['distances'][side]:.3f}"
        ax.text(*place, text, ha="center", va="center", transform=ax.transAxes, fontsize=8.5)
    for start, end in (((0.38, 0.77), (0.6, 0.77)), ((0.38, 0.14), (0.6, 0.14))):
        ax.annotate("", end, start, xycoords="axes fraction", arrowprops={"arrowstyle": "<->", "color": SOFT})
    for start, end in (((0.17, 0.64), (0.17, 0.55)), ((0.17, 0.46), (0.17, 0.37))):
        for shift in (0, 0.66):
            (x, top), (_, low) = start, end
            ax.annotate(
                "",
                (x + shift, low),
                (x + shift, top),
                xycoords="axes fraction",
                arrowprops={"arrowstyle": "-", "color": SOFT},
            )


def _by_noise(ax, records, column, label, title):
    """A point for each joint that was kept, spread by kind of noise, and the bound at one."""
    rng = np.random.default_rng(0)
    for place, noise in enumerate(NOISES):
        values = [one[column] for r in records.where(noise=noise) for one in r["shown"]]
        look = {"color": COLORS[noise], "markersize": 3, "alpha": 0.6, "rasterized": True}  # thousands of points
        ax.plot(values, place + rng.uniform(-0.25, 0.25, len(values)), ".", **look)
    ax.axvline(1.0, color=INK, linewidth=1)
    ax.set_yticks(range(len(NOISES)), NOISES)
    ax.set(xlim=(-0.03, 1.06), xlabel=label, title=title)
    ax.grid(axis="y", visible=False)


def transport(records):
    """Errors of the regularised distance by lambda."""
    figure, axes = panels(1, 1, width=4.4, height=3.0)
    ax = axes[0, 0]
    for name, label, color in (
        ("errors", "unrelated distributions", BLUE),
        ("near", "a part and its group", GREEN),
        ("own", "a distribution and itself", ORANGE),
    ):
        runs = 100 * np.array([r[name] for r in records])
        ax.plot(LAMBDAS, np.maximum(runs.mean(axis=0), 1e-3), "o-", color=color, label=label, markersize=4)
    ax.axhline(5, color=INK, linewidth=0.8, linestyle=":")
    ax.set(xscale="log", yscale="log", xlabel="lambda x largest class distance", ylabel="error, % of the mean distance")
    ax.set_xticks(LAMBDAS, [str(value) for value in LAMBDAS])
    ax.set_title("entropic regularisation, 1000 rounds, 50 classes")
    ax.legend()
    return figure


def theorem_1(records):
    figure, axes = panels(1, 1, width=4.8, height=2.8)
    _by_noise(axes[0, 0], records, RATIOS.index("eps2"), "largest eps2 / eps1 of a joint distribution", "Theorem 1")
    return figure


def theorem_2(records):
    figure, axes = panels(1, 2, width=4.2, height=2.8)
    _by_noise(axes[0, 0], records, RATIOS.index("gap"), "largest loss / (4 eps1) of a joint distribution", "Theorem 2")
    ax = axes[0, 1]
    ax.plot([100 * rare for rare in RARE], next(iter(records))["tight"], "o-", color=YELLOW)
    ax.axhline(1.0, color=INK, linewidth=1)
    ax.set(xscale="log", ylim=(0, 1.06), xlabel="rows with wrong labels, %", ylabel="loss / (4 eps1)")
    ax.set_title("an example made to reach the bound")
    return figure
