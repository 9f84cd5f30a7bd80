"""The figures of the selection experiment from its curves."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
from scipy.stats import t

PAPER_CLEAN, PAPER_NOISY, PLAIN, OURS = "distance, clean", "distance, noisy", "count, noisy", "tamis"
TEST_TO_TRAIN = 3 / 7


def show(lines, halves) -> str:
    """The tables as text."""
    errors = _means(lines)
    names = [name for half in halves.values() for name in half if name in errors]
    parts = [_error_table(errors, names), _recovered(errors, halves, names), _comparison(errors, names)]
    return "\n\n".join(parts)


def _means(lines):
    """Mean error over the sizes: data set -> method -> repetition -> value."""
    errors = defaultdict(lambda: defaultdict(dict))
    for line in lines:
        errors[line["data"]][line["method"]][line["repetition"]] = float(np.mean(line["errors"]))
    return errors


def _methods(errors, names):
    return list(dict.fromkeys(method for name in names for method in errors[name]))


def _common(errors, name, methods):
    """Values of several methods in the repetitions that all of them have."""
    shared = set.intersection(*(set(errors[name][m]) for m in methods))
    return [np.array([errors[name][m][r] for r in sorted(shared)]) for m in methods]


def _error_table(errors, names):
    lines = ["Balanced error in %, mean over subset sizes 2 .. d-1 and over repetitions (their number in brackets)", ""]
    lines.append(f"{'':<24}" + "".join(f"{name:>16}" for name in names))
    for method in _methods(errors, names):
        cells = []
        for name in names:
            values = list(errors[name][method].values())
            cells.append(f"{np.mean(values):.2f} ({len(values)})" if values else "-")
        lines.append(f"{method:<24}" + "".join(f"{cell:>16}" for cell in cells))
    return "\n".join(lines)


def _gap(errors, name, method):
    """What noise costs the paper's plain search, and how much of it a method wins back, in the shared repetitions."""
    clean, noisy, ours = (v.mean() for v in _common(errors, name, (PAPER_CLEAN, PAPER_NOISY, method)))
    return noisy - clean, min(noisy - ours, noisy - clean)


def _recovered(errors, halves, names):
    lines = [
        "Gap recovered, pooled: sum of min(noisy - method, noisy - clean) / sum of (noisy - clean), where noisy and",
        "clean are the plain search with the distance form",
        "",
    ]
    lines.append(f"{'':<24}" + "".join(f"{title:>16}" for title in [*halves, "all"]))
    for method in _methods(errors, names):
        cells = []
        for half in [*halves.values(), names]:
            gaps = [_gap(errors, name, method) for name in half if name in names and errors[name][method]]
            complete = len(gaps) == len([name for name in half if name in names])
            cost = sum(g[0] for g in gaps)
            cells.append(f"{sum(g[1] for g in gaps) / cost:.3f}" if complete and cost else "-")
        lines.append(f"{method:<24}" + "".join(f"{cell:>16}" for cell in cells))
    return "\n".join(lines)


def _comparison(errors, names):
    """Ours against the count search without a noise model."""
    heads = ["mean", "sd", "lower", "upper", "lower*", "upper*", "p", "Holm", "p*", "Holm*"]
    lines = [
        f"'{OURS}' less '{PLAIN}', points of balanced error. Bounds are one-sided 95 %; p is of 'better', paired t,",
        "and with Holm's correction over the data sets. * counts that training sets overlap (Nadeau and Bengio, 2003).",
        "",
        f"{'':<14}" + "".join(f"{head:>10}" for head in heads),
    ]
    names = [name for name in names if set(errors[name][OURS]) & set(errors[name][PLAIN])]
    rows = [_compare(*_common(errors, name, (OURS, PLAIN))) for name in names]
    for row, holm, holm_corrected in zip(rows, _holm([r[6] for r in rows]), _holm([r[7] for r in rows]), strict=True):
        row[7:] = [holm, row[7], holm_corrected]
    for name, row in zip(names, rows, strict=True):
        lines.append(f"{name:<14}" + "".join(f"{v:>10.2f}" for v in row[:6]) + "".join(f"{p:>10.2g}" for p in row[6:]))
    return "\n".join(lines)


def _compare(ours, plain):
    difference = ours - plain
    n, mean, sd = len(difference), difference.mean(), difference.std(ddof=1)
    plain_error, corrected = sd / np.sqrt(n), sd * np.sqrt(1 / n + TEST_TO_TRAIN)
    q = t.ppf(0.95, n - 1)
    bounds = [mean + sign * q * error for error in (plain_error, corrected) for sign in (-1, 1)]
    return [mean, sd, *bounds, *(t.cdf(mean / max(error, 1e-12), n - 1) for error in (plain_error, corrected))]


def _holm(p):
    """Holm's adjusted p-values."""
    order = np.argsort(p)
    adjusted = np.maximum.accumulate(np.minimum(1.0, np.asarray(p)[order] * np.arange(len(p), 0, -1)))
    out = np.empty(len(p))
    out[order] = adjusted
    return out
