"""Sections 3.2 and 4.5: forty samples of two Gaussian classes on a line, one of them with the wrong label."""

from __future__ import annotations

import zlib

import numpy as np
from scipy.special import digamma
from scipy.stats import norm

from experiments.reproduction import Check, Experiment, Finding, Task
from experiments.reproduction.drawing import BLUE, GREY, INK, ORANGE, panels
from experiments.reproduction.statistics import lower
from tamis import MutualInformation, NoisyLabels

K, K_OF_NOISE_MODEL = 8, 3
DRAWS = 100
PRINTED = {"noisy": 0.58, "clean": 0.63, "tolerant": 0.61}
WRONG = 0
"""The sample with the wrong label, the first of class 0."""


def drawn(seed):
    """Twenty samples of each class, as a column, and the class of each."""
    rng = np.random.default_rng(seed)
    return np.concatenate([rng.normal(-1.5, 1, 20), rng.normal(1.5, 1, 20)])[:, None], np.repeat([0, 1], 20)


def log_densities(X, y) -> np.ndarray:
    """log p(x_i|y_i) of Kozachenko and Leonenko on a line (eq. 11)."""
    found = np.empty(len(X))
    for s in np.unique(y):
        x = X[y == s, 0]
        apart = np.sort(np.abs(x[:, None] - x), axis=1)  # the first is the sample itself
        found[y == s] = digamma(K) - digamma(len(x)) - np.log(2 * apart[:, K])
    return found


def tolerant_log_densities(X, y, model) -> np.ndarray:
    """log p(x_i|y_i) summed over the true classes (eq. 30), densities by Algorithm 1 and eq. 15, on a line."""
    gamma, apart = model.memberships_, np.abs(X - X.T)
    order = np.argsort(apart, axis=1, kind="stable")  # the sample itself comes first
    logs = np.empty(gamma.shape)
    for s in range(gamma.shape[1]):
        inside = gamma[order, s].cumsum(axis=1)
        last = np.maximum((inside < model.n_neighbors - 1e-9).sum(axis=1), model.n_neighbors - 1)
        last = np.minimum(last, len(X) - 1)[:, None]
        radius = np.take_along_axis(apart, np.take_along_axis(order, last, axis=1), axis=1)[:, 0]
        weight = np.take_along_axis(inside, last, axis=1)[:, 0]
        logs[:, s] = digamma(weight) - digamma(gamma[:, s].sum()) - np.log(2 * radius)
    joint = np.exp(logs) * model.transition_[:, y].T * model.class_priors_
    return np.log(joint.sum(axis=1) * len(y) / np.bincount(y)[y])


def information(X, memberships, include_self=False):
    return MutualInformation(K, estimator="distance", include_self=include_self).score(X, memberships)


def run_draw(folder, key, seed) -> dict:
    X, true = drawn(seed)
    y = true.copy()
    y[WRONG] = 1
    found = {
        "clean": information(X, np.eye(2)[true]),
        "noisy": information(X, np.eye(2)[y]),
        "wrong_clean": log_densities(X, true)[WRONG],
    }
    for k in (K, K_OF_NOISE_MODEL):
        model = NoisyLabels.literal(scale=None, n_neighbors=k, random_state=seed % 2**31).fit(X, y)
        found[f"tolerant_{k}"] = information(X, model.memberships_, include_self=True)
        found[f"rate_0_{k}"], found[f"rate_1_{k}"] = model.noise_rates_
        logs = tolerant_log_densities(X, y, model)
        if k == K:
            found["after"] = logs
        found[f"wrong_tolerant_{k}"] = logs[WRONG]
    found["x"], found["before"] = X[:, 0], log_densities(X, y)
    return {name: np.round(value, 3).tolist() for name, value in found.items()}


def _tasks(quick):
    for r in range(30 if quick else DRAWS):
        yield Task({"repetition": r}, zlib.crc32(f"two gaussians {r}".encode()), 0.1)


GAUSSIANS = Experiment("label_noise/gaussians", _tasks, run_draw, needs_data=False)


def _values(records, name):
    return np.array(list(records.values(name).values()))


def _spread(values):
    return "{:.2f} / {:.2f} / {:.2f}".format(*np.quantile(values, [0.1, 0.5, 0.9]))


def _within(values, printed):
    low, high = np.quantile(values, [0.05, 0.95])
    return bool(low <= printed <= high)


def check_before(records) -> Finding | None:
    if not len(records):
        return None
    noisy, clean, logs = _values(records, "noisy"), _values(records, "clean"), _values(records, "before")
    lowest = (logs.argmin(axis=1) == WRONG).mean()
    below = (noisy < clean).mean()
    checks = [
        Check(
            "the sample with the wrong label has the lowest log density",
            bool(lowest > 0.5),
            f"in {lowest:.0%} of the draws",
            "in the one shown",
        ),
        Check("the estimate falls", lower(noisy, clean), f"in {below:.0%}; by {np.mean(clean - noisy):.3f}", "by 0.05"),
        Check("0.58 with it is a usual value", _within(noisy, PRINTED["noisy"]), _spread(noisy), "0.58"),
        Check("0.63 without it is a usual value", _within(clean, PRINTED["clean"]), _spread(clean), "0.63"),
    ]
    ours = f"medians {np.median(noisy):.2f} with, {np.median(clean):.2f} without"
    return Finding(f"{len(noisy)} draws", ours, "0.58 with, 0.63 without (one draw)", checks)


def check_after(records) -> Finding | None:
    if not len(records):
        return None
    noisy, clean, tolerant = (_values(records, name) for name in ("noisy", "clean", f"tolerant_{K}"))
    before, after = _values(records, "before")[:, WRONG], _values(records, f"wrong_tolerant_{K}")
    level = _values(records, "wrong_clean")
    rates = [_values(records, f"rate_{s}_{K}") for s in (0, 1)]
    rises, closed = (after > before).mean(), ((after - before) > 0.5 * (level - before)).mean()
    near_truth = ((np.abs(rates[0] - 1 / 20) <= 0.05) & (rates[1] <= 0.05)).mean()
    nearer = np.abs(tolerant - clean) < np.abs(noisy - clean)
    checks = [
        Check("the density of the wrong sample rises", bool(rises > 0.5), f"in {rises:.0%} of the draws", "it does"),
        Check(
            "to the level of its true class",
            bool(closed > 0.5),
            f"by half of the way or more in {closed:.0%}; medians {np.median(before):.1f} before, "
            f"{np.median(after):.1f} after, {np.median(level):.1f} with the right label",
            "same level",
        ),
        Check(
            "error probabilities near the true 0.05 and 0",
            bool(near_truth > 0.5),
            f"in {near_truth:.0%}; medians {np.median(rates[0]):.2f} and {np.median(rates[1]):.2f}",
            "0.02 and 0.00",
        ),
        Check(
            "information nearer to that of right labels",
            bool(nearer.mean() > 0.5) and lower(np.abs(tolerant - clean), np.abs(noisy - clean)),
            f"in {nearer.mean():.0%}; mean distance {np.abs(tolerant - clean).mean():.3f}, "
            f"{np.abs(noisy - clean).mean():.3f} without the model",
            "0.02, 0.05 without",
        ),
        Check("0.61 is a usual value", _within(tolerant, PRINTED["tolerant"]), _spread(tolerant), "0.61"),
    ]
    other = np.median(_values(records, f"tolerant_{K_OF_NOISE_MODEL}"))
    ours = f"median {np.median(tolerant):.2f} (noise model with k = 3: {other:.2f})"
    return Finding(f"{len(noisy)} draws", ours, "0.61 (one draw)", checks)


def _shown(records):
    """The draw whose estimates with and without the wrong label are nearest to those printed."""
    return min(records, key=lambda r: abs(r["noisy"] - PRINTED["noisy"]) + abs(r["clean"] - PRINTED["clean"]))


def draw_densities(records, name, words):
    """Log densities by place, those of the true Gaussians dashed."""
    figure, axes = panels(1, 1, width=5.2, height=3.0)
    ax, shown = axes[0, 0], _shown(records)
    x, logs = np.array(shown["x"]), np.array(shown[name])
    line = np.linspace(-4.5, 4.5, 200)
    for mean in (-1.5, 1.5):
        ax.plot(line, norm.logpdf(line, mean), color=GREY, linestyle="--", linewidth=1)
    ax.plot(x[1:20], logs[1:20], "o", color=BLUE, markersize=4, label="class 0")
    ax.plot(x[20:], logs[20:], "s", color=INK, markersize=4, label="class 1")
    ax.plot(x[:1], logs[:1], "D", color=ORANGE, markersize=8, label="class 0 recorded as 1")
    ax.set(xlabel="x", ylabel="log p(x | recorded label)", ylim=(-6, 0), title=words.format(**shown))
    ax.legend(loc="lower center", ncols=3, fontsize=8, frameon=False)
    return figure


def draw_before(records):
    return draw_densities(records, "before", "plain estimate: information {noisy:.2f}")


def draw_after(records):
    return draw_densities(records, "after", "tolerant estimate: information {tolerant_8:.2f}")
