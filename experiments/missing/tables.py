"""Tables of the experiment, from its results into its README.

python -m experiments.missing.tables

A loss is the error with the subsets of a method, less that with those of the search on complete data of the same rows:
mean over judges and sizes, in points. Standard errors are of the repetitions; sets are taken as they are.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from experiments.missing.gaps import CELLS
from experiments.missing.halves import CONFIRMED, TUNED
from experiments.missing.methods import COMPLETE, MEDIAN, METHODS, OURS
from experiments.missing.selections import cell
from experiments.runs import Runs

FOLDER = Path(__file__).parent
README = FOLDER / "README.md"
SETS = TUNED + CONFIRMED
HALVES = {"tuned half": TUNED, "confirmed half": CONFIRMED, "all sets": SETS}
PEERS = ("KNNImputer", "IterativeImputer")
NAMES = {f"{share:.0%} {mechanism}": (mechanism, share) for mechanism, share in CELLS}


class Losses:
    """Losses of methods by set: (n_repetitions, n_cells), of those repetitions that all methods have."""

    def __init__(self, lines, methods):
        errors = {(x["data"], x["method"], x["repetition"]): np.mean(list(x["errors"].values())) for x in lines}
        self.methods, self.of, self.complete = list(methods), {}, {}
        for name in SETS:
            keys = {m: [(cell(name, *gaps), m) for gaps in CELLS] for m in self.methods}
            wanted = [(f"{name}, complete", COMPLETE), *(key for of_one in keys.values() for key in of_one)]
            kept = [r for r in sorted({key[2] for key in errors}) if all((*key, r) in errors for key in wanted)]
            if kept:
                complete = np.array([errors[(*wanted[0], r)] for r in kept])
                self.complete[name] = float(complete.mean())
                self.of[name] = {
                    m: np.array([[errors[(*key, r)] for key in keys[m]] for r in kept]) - complete[:, None]
                    for m in self.methods
                }

    def mean(self, sets, weights, cells=slice(None)) -> tuple[float, float]:
        """Mean over sets and gaps of a weighted sum of the losses of methods, and its standard error."""
        means, squares = [], []
        for name in sets:
            one = sum(w * self.of[name][m][:, cells].mean(axis=1) for m, w in weights.items())
            means.append(one.mean())
            squares.append(one.var(ddof=1) / len(one) if len(one) > 1 else np.nan)
        return float(np.mean(means)), float(np.sqrt(np.sum(squares)) / len(squares))

    def sets(self, among=SETS):
        return [name for name in among if name in self.of]


def markdown(head, rows) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def by_gaps(losses) -> str:
    """A row for each kind of gaps, and for the means over all kinds of each half of the sets."""
    rows = [
        [name, *(_figure(*losses.mean(losses.sets(), {m: 1.0}, [place])) for m in losses.methods)]
        for place, name in enumerate(NAMES)
    ]
    for half, names in HALVES.items():
        sets = losses.sets(names)
        if sets and (names != SETS or sets != losses.sets(TUNED)):  # candidates have the tuned half only
            rows.append([f"**mean, {half}**", *(_figure(*losses.mean(sets, {m: 1.0})) for m in losses.methods)])
    return markdown(["cells missing", *losses.methods], rows)


def by_set(losses) -> str:
    rows = []
    for name in losses.sets():
        figures = [_figure(*losses.mean([name], {m: 1.0})) for m in losses.methods]
        n = len(losses.of[name][losses.methods[0]])
        rows.append([name, str(n), f"{losses.complete[name]:.1f}", *figures])
    return markdown(["set", "repetitions", "error, complete", *losses.methods], rows)


def bars(losses) -> str:
    """What must be at most zero: differences of mean losses, paired."""
    asked = {f"ours less a third of {MEDIAN}": {OURS: 1.0, MEDIAN: -1 / 3}}
    asked |= {f"ours less {peer}": {OURS: 1.0, peer: -1.0} for peer in PEERS}
    rows = []
    for name, weights in asked.items():
        figures = [losses.mean(sets, weights) for names in HALVES.values() if (sets := losses.sets(names))]
        rows.append([name, *(_figure(*figure) for figure in figures), "reached" if figures[-1][0] <= 0 else "missed"])
    return markdown(["at most 0", *HALVES, ""], rows)


def of_times(lines) -> str:
    """Ratios of CPU seconds, the smallest of a few runs of each."""
    best: dict[tuple, list] = {}
    for line in lines:
        key = line["data"], line["method"]
        best[key] = min([line["cpu"], *([best[key]] if key in best else [])], key=sum)
    head = ["set", "complete, ms", "ours / complete", *(f"{m} / ours" for m in METHODS if m != OURS)]
    head.append("of IterativeImputer, the search alone / ours")
    rows = []
    for name in SETS:
        seen = [gaps for gaps in CELLS if (cell(name, *gaps), OURS) in best]
        if not seen:
            continue
        total = {m: sum(sum(best[cell(name, *gaps), m]) for gaps in seen) for m in (COMPLETE, *METHODS)}
        search = sum(best[cell(name, *gaps), "IterativeImputer"][1] for gaps in seen)
        ratios = [total[OURS] / total[COMPLETE], *(total[m] / total[OURS] for m in METHODS if m != OURS)]
        row = [name, f"{1000 * total[COMPLETE] / len(seen):.0f}", *(f"{ratio:.2f}" for ratio in ratios)]
        rows.append([*row, f"{search / total[OURS]:.2f}"])
    return markdown(head, rows)


def of_copies(lines) -> str:
    """Means over sets and repetitions, by labels and by what the selection was given."""
    rows = []
    for where in dict.fromkeys(line["data"].partition(", ")[2] for line in lines):
        for case in dict.fromkeys(line["method"] for line in lines):
            here = [x for x in lines if x["data"].endswith(f", {where}") and x["method"] == case]
            mean = {key: np.mean([x[key] for x in here]) for key in ("information", "expected", "error", "found")}
            apart = np.array([x["expected"] - x["error"] for x in here])
            rows.append(
                [
                    f"{where}: {case}",
                    f"{mean['information']:.3f}",
                    f"{mean['expected']:.1f}",
                    f"{mean['error']:.1f}",
                    _figure(apart.mean(), apart.std(ddof=1) / np.sqrt(len(apart)), digits=1),
                    f"{sum(x['found'] for x in here)} of {len(here)}",
                ]
            )
    head = ["", "information, nats", "expected error, %", "error on the other half, %", "difference", "found"]
    return markdown(head, rows)


def of_weights(lines) -> str:
    """The largest differences between weights and repeated rows."""
    apart = {key: max(abs(x[key][0] - x[key][1]) for x in lines) for key in ("mutual_information", "bayes_risk")}
    same = sum(x["same_order"] for x in lines)
    rows = [[key, f"{value:.0e}" if value else "0"] for key, value in apart.items()]
    return markdown(
        ["weights and repeated rows", "largest difference"],
        [*rows, ["orders of a search", f"{same} of {len(lines)} the same"]],
    )


def tables(folder=FOLDER / "results") -> dict[str, str]:
    """What there are results for, by the name of the place in the README."""
    found, runs = {}, {name: Runs(folder / f"{name}.jsonl").read() for name in FILES}
    if lines := runs["selections"]:
        there = [m for m in METHODS if any(line["method"] == m for line in lines)]
        losses = Losses(lines, there)
        found = {"losses": by_gaps(losses), "sets": by_set(losses)}
        if {OURS, MEDIAN, *PEERS} <= set(there):
            found["bars"] = bars(losses)
    if lines := runs["candidates"]:
        losses = Losses(lines, [m for m in dict.fromkeys(line["method"] for line in lines) if m != COMPLETE])
        found |= {"candidates": by_gaps(losses), "candidates by set": by_set(losses)}
    for name, table in {"times": of_times, "copies": of_copies, "weights": of_weights}.items():
        if runs[name]:
            found[name] = table(runs[name])
    return found


FILES = ("selections", "candidates", "times", "copies", "weights")


def placed(text, found) -> str:
    """The text with each table between its two marks."""
    for name, table in found.items():
        before, begin, rest = text.partition(f"<!-- {name} -->\n")
        _, end, after = rest.partition(f"<!-- end of {name} -->")
        if not end:
            raise ValueError(f"the README has no place for the table {name!r}.")
        text = f"{before}{begin}\n{table}\n\n{end}{after}"
    return text


def _figure(mean, error, digits=2) -> str:
    """With its standard error; a mean that is rounded to zero has no sign."""
    return f"{round(mean, digits) + 0.0:+.{digits}f} ({error:.{digits}f})"


def main():
    found = tables()
    for name, table in found.items():
        print(f"{name}\n{table}\n")
    README.write_text(placed(README.read_text(), found))


if __name__ == "__main__":
    main()
