"""Tables of what was kept: means over the repetitions, contenders one below the other."""

from __future__ import annotations

import numpy as np

WIDTH = 20


def table(lines, contenders, against) -> str:
    """One data set. Differences of errors are paired, from one contender, with standard errors."""
    rows = [
        f"{'':<{WIDTH}}{'sets':>5}{'kept':>7}{'(from-to)':>10}{'needed':>8}{'others':>8}{'nothing':>9}"
        f"{'kNN, %':>9}{'difference':>15}{'forest, %':>11}{'difference':>15}{'wall s':>9}{'cpu s':>9}"
    ]
    runs = by_method(lines)
    for method in contenders:
        if method in runs:
            rows.append(f"{method:<{WIDTH}}" + _row(runs[method], runs.get(against, {}), alone=method == against))
    return "\n".join(rows)


def seconds(lines, data, contenders) -> str:
    """Mean seconds of a selection: a row per data set, a column per contender."""
    rows = [f"{'':<{WIDTH}}" + "".join(f"{method:>18}" for method in contenders)]
    for name in data:
        runs = by_method([line for line in lines if line["data"] == name])
        cells = [f"{_mean(runs[m], 'wall'):.2f}" if m in runs else "-" for m in contenders]
        if runs:
            rows.append(f"{name:<{WIDTH}}" + "".join(f"{text:>18}" for text in cells))
    return "\n".join(rows)


def by_method(lines) -> dict[str, dict[int, dict]]:
    """For each method, its line in each repetition."""
    runs: dict[str, dict[int, dict]] = {}
    for line in lines:
        runs.setdefault(line["method"], {})[line["repetition"]] = line
    return runs


def _row(mine, others, alone):
    numbers = [line["n_kept"] for line in mine.values()]
    known = all(line["needed"] is not None for line in mine.values())
    line = f"{len(mine):>5}{np.mean(numbers):>7.2f}{f'{min(numbers)}-{max(numbers)}':>10}"
    line += "".join(f"{_mean(mine, key):>8.2f}" if known else f"{'-':>8}" for key in ("needed", "not_needed"))
    line += f"{100 * _mean(mine, 'nothing'):>7.0f} %"
    for key, width in (("knn_error", 9), ("forest_error", 11)):
        line += f"{_mean(mine, key):>{width}.2f}{'' if alone else _apart(mine, others, key):>15}"
    return line + f"{_mean(mine, 'wall'):>9.2f}{_mean(mine, 'cpu'):>9.2f}"


def _apart(mine, others, key):
    """Mean of paired differences, and its standard error."""
    both = sorted(set(mine) & set(others))
    if len(both) < 2:
        return ""
    apart = np.array([mine[r][key] - others[r][key] for r in both])
    return f"{apart.mean():+.2f} ({apart.std(ddof=1) / np.sqrt(len(both)):.2f})"


def _mean(runs, key):
    return np.mean([line[key] for line in runs.values()])
