"""Figures of losses by number of features."""

from __future__ import annotations

import numpy as np

from experiments.class_distance import enron, flips, newsgroups, vectors
from experiments.class_distance.losses import COLORS, METHODS, draw_methods, log_sizes
from experiments.reproduction.drawing import ORANGE, SOFT, panels


def enron_figure(records):
    """A panel for each k; random splits with their intervals."""
    figure, axes = panels(1, len(enron.KS), width=3.0, height=2.7)
    for i, (ax, k) in enumerate(zip(axes[0], enron.KS, strict=True)):
        runs = {
            method: [losses[0, i] for r, losses in records.values("losses", method=method).items() if r]
            for method in METHODS
        }
        draw_methods(ax, enron.SIZES, runs, xlabel="words", ylabel="" if i else "loss, hundredths", title=f"top-{k}")
    axes[0, 0].legend(fontsize=7.5)
    return figure


def flips_figure(records):
    """W and KL at each rate, and all methods in the mean over the rates."""
    figure, axes = panels(1, 3, width=3.6, height=2.9)
    for ax, method in zip(axes[0, :2], ("W", "KL"), strict=True):
        for i, rate in enumerate(flips.RATES):
            runs = records.values("losses", method=method, rate=rate, within=0.2)
            if runs:
                shade = (1 - 0.17 * i) if rate else 1.0
                mean = np.mean(list(runs.values()), axis=0)
                ax.plot(flips.SIZES, mean, "o-", color=COLORS[method], alpha=shade, markersize=3, label=f"P = {rate:g}")
        ax.set_title(f"{method}, by rate of flips")
        ax.legend(fontsize=7)
    both = [ax.get_ylim() for ax in axes[0, :2]]
    for ax in axes[0, :2]:
        ax.set_ylim(min(low for low, _ in both), max(high for _, high in both))
        log_sizes(ax, flips.SIZES)
        ax.set_xlabel("words")
    runs = {method: list(_mean_over_rates(records, method).values()) for method in METHODS}
    draw_methods(axes[0, 2], flips.SIZES, runs, xlabel="words", ylabel="", title="mean over the rates")
    axes[0, 2].axvline(120, color=SOFT, linewidth=0.8, linestyle=":")
    axes[0, 2].legend(fontsize=7)
    axes[0, 0].set_ylabel("top-5 loss, hundredths")
    return figure


def _mean_over_rates(records, method):
    by_rate = [records.values("losses", method=method, rate=rate, within=0.2) for rate in flips.RATES]
    return {r: np.mean([runs[r] for runs in by_rate], axis=0) for r in by_rate[0] if all(r in runs for runs in by_rate)}


def vectors_figure(records):
    figure, axes = panels(1, 1, width=4.8, height=3.2)
    runs = {method: list(records.values("losses", method=method).values()) for method in METHODS}
    title = "generated stand-in, not the paper's data"
    draw_methods(axes[0, 0], vectors.SIZES, runs, xlabel="features", ylabel="top-5 loss, hundredths", title=title)
    axes[0, 0].legend(fontsize=7.5)
    return figure


def topics_figure(records):
    """Class distances beside the similarity of words."""
    record = next(iter(records))
    figure, axes = panels(1, 2, width=4.8, height=4.4)
    groups = record["groups"]
    alike = np.array(record["alike"])
    np.fill_diagonal(alike, np.nan)
    for ax, values, title in (
        (axes[0, 0], np.array(record["distances"]), "class distance: 0.2 within a cell, 1 between"),
        (axes[0, 1], alike, "cosine of mean tf-idf vectors"),
    ):
        shown = ax.imshow(values, cmap="Blues_r" if ax is axes[0, 0] else "Blues")
        ax.set_title(title)
        ax.set_xticks([])
        ax.grid(visible=False)
        figure.colorbar(shown, ax=ax, shrink=0.7)
        for place in np.flatnonzero(np.array(record["cells"][1:]) != np.array(record["cells"][:-1])) + 0.5:
            ax.axhline(place, color=ORANGE, linewidth=0.8)
            ax.axvline(place, color=ORANGE, linewidth=0.8)
    axes[0, 0].set_yticks(range(len(groups)), groups, fontsize=7)
    axes[0, 1].set_yticks([])
    return figure


def newsgroups_figure(records):
    """A panel for each way to look for neighbours, the split by date; intervals over test documents in the first."""
    figure, axes = panels(1, len(newsgroups.JUDGES), width=3.5, height=2.9)
    for i, (ax, (on, metric)) in enumerate(zip(axes[0], newsgroups.JUDGES, strict=True)):
        runs = {m: [v[i] for r, v in records.values("losses", method=m).items() if r == 0] for m in METHODS}
        if i == 0:
            runs = {
                m: [b for v in records.where(method=m, repetition=0) for b in np.array(v["blocks"]).T] for m in METHODS
            }
        draw_methods(ax, newsgroups.SIZES, runs, xlabel="words", ylabel="", title=f"{metric}, {on}")
    axes[0, 0].set_ylabel("top-1 cost, hundredths")
    axes[0, 0].set_ylim(bottom=42)  # room for the legend
    axes[0, 0].legend(fontsize=7.5, loc="lower left")
    return figure
