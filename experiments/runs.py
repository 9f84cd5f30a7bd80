"""Results of long runs: a line of JSON for each, appended as it comes, so that a run can be stopped and resumed."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np


class Runs:
    """Curves by data set, method and repetition."""

    def __init__(self, path: Path):
        self._path = path

    def read(self) -> list[dict]:
        return [json.loads(line) for line in self._path.read_text().splitlines()] if self._path.exists() else []

    def done(self) -> set[tuple]:
        return {(run["data"], run["method"], run["repetition"]) for run in self.read()}

    def add(self, **run):
        with self._path.open("a") as out:
            out.write(json.dumps(run) + "\n")

    def curves(self, data) -> dict[str, dict[int, np.ndarray]]:
        """For each method, its curve in each repetition."""
        curves: dict[str, dict[int, np.ndarray]] = {}
        for run in self.read():
            if run["data"] == data:
                curves.setdefault(run["method"], {})[run["repetition"]] = np.array(run["errors"])
        return curves


def table(curves, sizes, against, unit) -> str:
    """Mean curves, their mean over the sizes, and the paired difference of that from one method's."""
    width = max(map(len, [unit, *curves])) + 2
    head = "".join(f"{size:>7}" for size in sizes)
    lines = [f"{unit:<{width}}{head}{'mean':>9}   difference (s.e., repetitions)"]
    for method, runs in curves.items():
        mean = np.mean(list(runs.values()), axis=0)
        line = f"{method:<{width}}" + "".join(f"{value:7.1f}" for value in mean) + f"{mean.mean():9.2f}"
        both = sorted(set(runs) & set(curves.get(against, ())))
        if len(both) > 1 and method != against:
            apart = np.array([runs[r].mean() - curves[against][r].mean() for r in both])
            line += f"   {apart.mean():+.2f} ({apart.std(ddof=1) / np.sqrt(len(both)):.2f}, {len(both)})"
        elif method == against:
            line += f"   {'-':>5} ({len(runs)} repetitions)"
        lines.append(line)
    return "\n".join(lines)
