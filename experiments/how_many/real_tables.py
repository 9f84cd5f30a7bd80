"""What a choice of features is worth on real tables, by methods that say how many they want.

python -m experiments.how_many.real_tables DATA [--repetitions 5] [--peers 1] [--sets tuned|confirmed|all]
python -m experiments.how_many.real_tables --show

Every selection is appended to results/real_tables.jsonl as it is found; what is there already is not done again.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path
from time import process_time

import numpy as np

from experiments.how_many.size_tasks import CONFIRMED, NOISE, SETS, TUNED, errors, task
from experiments.how_many.table_contenders import OURS, PARSIMONIOUS, PEERS, all_features, best_of_as_many, ours
from experiments.runs import Runs

RESULTS = Path(__file__).parent / "results" / "real_tables.jsonl"


def fill(folder, results, sets, repetitions, peer_repetitions):
    done = results.done()
    for repetition in range(repetitions):
        for added in (False, True):
            for noise in NOISE:
                for name in sets:
                    where = f"{name}, {noise}{', added' if added else ''}"
                    data = None
                    for method, select in contenders(repetition < peer_repetitions).items():
                        if (where, method, repetition) in done:
                            continue
                        data = data or task(folder, name, noise, repetition, added=added)
                        for found in run(select, data, noise):
                            results.add(data=where, repetition=repetition, **found)


def contenders(with_peers):
    return {OURS: ours, "all features": all_features} | (PEERS if with_peers else {})


def run(select, data, noise):
    """Lines of one method, or of one method at several settings."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        begin = process_time()
        found = select(data, "hard" if noise == "none" else "noisy")
        seconds = process_time() - begin
    lines = []
    for method, subset, more in found:
        wrong = errors(data, subset) if len(subset) else None
        kept_added = int(np.sum(np.asarray(subset) >= data.X.shape[1] - data.n_added)) if data.n_added else 0
        lines.append(
            {
                "method": method,
                "errors": wrong,
                "n_kept": len(subset),
                "n_features": data.X.shape[1] - data.n_added,
                "n_kept_added": kept_added,
                "seconds": round(seconds, 2),
                **more,
            }
        )
        if method == OURS:
            k_best = best_of_as_many(data, len(subset))
            lines.append({**lines[-1], "method": "SelectKBest, as many", "errors": errors(data, k_best)})
            lines[-1]["n_kept_added"] = int(np.sum(k_best >= data.X.shape[1] - data.n_added)) if data.n_added else 0
    return lines


def table(lines) -> str:
    every = {(line["data"], line["repetition"], line["method"]): line for line in lines}
    first = {key: line for key, line in every.items() if key[1] == 0 and "added" not in key[0]}
    narrow = tuple(name for name in SETS if not name.startswith("wide"))
    known = list(dict.fromkeys(line["method"] for line in lines))
    methods = [OURS, PARSIMONIOUS, *(name for name in known if name not in (OURS, PARSIMONIOUS, "all features"))]
    parts = [("tuned on", TUNED, every), ("confirmed on", CONFIRMED, every), ("all", SETS, every)]
    rows = []
    for title, sets, by in [*parts, ("first repetition, more rows than features:", narrow, first)]:
        rows.append(f"{title} {len(sets)} sets")
        rows.append(
            f"{'method':<24}{'labels':<10}{'runs':>5}{'share kept':>12}{'best error':>12}{'> 2 worse':>11}"
            f"{'kNN':>7}{'forest':>8}{'logistic':>10}{'added kept':>12}{'error with added':>18}{'CPU s':>7}"
        )
        for method in methods:
            for noise in (*NOISE, "all"):
                row = _row(by, method, noise, sets)
                if row:
                    rows.append(f"{method:<24}{noise:<10}{row}")
        rows.append("")
    return "\n".join(rows)


def _row(by, method, noise, sets):
    plain, added, worse, seconds = [], [], [], []
    for (data, repetition, name), line in by.items():
        table, kind, *more = data.split(", ")
        if name != method or table not in sets or noise not in (kind, "all") or line["errors"] is None:
            continue
        everything = by.get((f"{table}, {kind}", repetition, "all features"))
        if everything is None:
            continue
        if more:
            without = by.get((f"{table}, {kind}", repetition, method))
            if without is not None and without["errors"] is not None:
                added.append(line["n_kept_added"] / line["n_features"])
                worse.append(min(line["errors"]) - min(without["errors"]))
        else:
            apart = np.subtract(line["errors"], everything["errors"])
            best = min(line["errors"]) - min(everything["errors"])
            plain.append([line["n_kept"] / line["n_features"], best, best > 2, *apart])
            seconds.append(line["seconds"])
    if not plain:
        return None
    share, best, far, knn, forest, logistic = np.mean(plain, axis=0)
    text = (
        f"{len(plain):>5}{share:>12.2f}{best:>+12.2f}{100 * far:>10.0f}%{knn:>+7.2f}{forest:>+8.2f}{logistic:>+10.2f}"
    )
    text += f"{100 * np.mean(added):>11.1f}%{np.mean(worse):>+18.2f}" if added else " " * 30
    return f"{text}{np.mean(seconds):>7.1f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--peers", type=int, default=1, help="repetitions of the methods of others, which take longer")
    parser.add_argument("--sets", choices=("tuned", "confirmed", "all"), default="all")
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--show", action="store_true", help="print the table only")
    asked = parser.parse_args()
    results = Runs(asked.out)
    if not asked.show:
        sets = {"tuned": TUNED, "confirmed": CONFIRMED, "all": SETS}[asked.sets]
        fill(asked.folder, results, sets, asked.repetitions, asked.peers)
    print(table(results.read()))


if __name__ == "__main__":
    main()
