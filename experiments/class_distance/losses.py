"""Loss curves by number of features: what is compared, differences with their intervals, figures."""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np
from scipy import stats

from experiments.reproduction.drawing import BLUE, GREEN, GREY, ORANGE, PURPLE, curve
from experiments.reproduction.statistics import split_error

METHODS = ("W", "KL", "W-null", "KL-null", "univariate MI")
"""The paper's two first; -null is with the correction for chance."""

CURVES = "curves only"
BEYOND = "W below KL beyond chance, mean over all"
SPLIT_RULE = "Intervals are of 95 % and allow for splits of the same rows (Nadeau and Bengio). "
"""Words that several items share."""

COLORS = dict(zip(METHODS, (BLUE, ORANGE, GREEN, PURPLE, GREY), strict=True))


def seed_of(*words) -> int:
    """From the words alone: the same whatever is run before."""
    return zlib.crc32(" ".join(map(str, words)).encode())


@dataclass(frozen=True)
class Gap:
    """A mean difference with half of its 95 % interval (NaN for one run)."""

    mean: float
    half: float

    @property
    def below(self) -> bool:
        """Whether it is negative beyond chance."""
        return bool(self.mean + self.half < 0)

    @property
    def above(self) -> bool:
        return bool(self.mean - self.half > 0)

    def __str__(self):
        return f"{self.mean:+.2f}" + ("" if np.isnan(self.half) else f" ± {self.half:.2f}")


def gap(apart, overlap=0.0) -> Gap:
    """Of differences by repetition; `overlap` is test rows / training rows if they are splits of the same rows."""
    apart = np.asarray(apart, dtype=float)
    if len(apart) < 2:
        return Gap(float(apart.mean()) if len(apart) else np.nan, np.nan)
    return Gap(float(apart.mean()), float(stats.t.ppf(0.975, len(apart) - 1) * split_error(apart, overlap)))


def differences(records, name, one, other, repetitions=None, **equal) -> np.ndarray:
    """First method less second, in the repetitions that both have (of these, if given)."""
    first, second = records.values(name, method=one, **equal), records.values(name, method=other, **equal)
    return np.array([first[r] - second[r] for r in first if r in second and (repetitions is None or r in repetitions)])


def share_below(apart) -> str:
    """Cells of a table of differences that are negative, as words."""
    apart = np.asarray(apart)
    return f"{int((apart < 0).sum())} of {apart.size}"


def mostly_below(apart) -> bool:
    """Whether more than half of the cells are negative."""
    return bool((np.asarray(apart) < 0).mean() > 0.5)


def log_sizes(ax, sizes):
    """A logarithmic axis with ticks at sizes, as many as have room."""
    ticks = [sizes[0]]
    for size in sizes[1:]:
        if size >= 1.8 * ticks[-1]:
            ticks.append(size)
    ax.set_xscale("log")
    ax.set_xticks(ticks, [str(size) for size in ticks])
    ax.minorticks_off()


def draw_methods(ax, sizes, runs, *, xlabel, ylabel, title=""):
    """A curve for each method, against a logarithmic number of features; `runs` maps methods to repetitions."""
    for method in METHODS:
        if len(runs.get(method, ())):
            curve(ax, sizes, runs[method], method, COLORS[method], dashed=method not in ("W", "KL"), marker="o")
    log_sizes(ax, sizes)
    ax.set_xlabel(xlabel)
    ax.set_ylabel(ylabel)
    ax.set_title(title)
