"""The command line: measure, print section by section, keep as JSON if asked."""

import argparse
import json
import os
import platform
import time
from pathlib import Path

import numpy
import scipy
import sklearn
from threadpoolctl import threadpool_limits

import tamis
from tamis import _kernels

from . import (
    agreement,
    backward,
    costs,
    crowds,
    interruption,
    large,
    long,
    others,
    ranking,
    sizes,
    ties,
    tolerant,
    wide,
    wide_peers,
)
from .plan import FULL, QUICK
from .report import HEADINGS, line

SECTIONS = (
    (
        "Full backward search, one thread",
        "Times marked ~ are not of a whole search: subsets of five sizes are timed (the first features), and these\n"
        "times are interpolated over the sizes, weighted by how many subsets of each size the search visits.\n"
        "All are timed best of the same number of rounds, in turn. The figure is CPU time divided by that of tamis.",
        backward.rows,
    ),
    (
        "The same answer? Plain searches measured whole",
        "The figure is the largest difference between the scores along the path.",
        agreement.rows,
    ),
    (
        "What else it costs",
        "Labels, threads and growth: full backward searches by tamis. Memory: one step over all features.",
        costs.rows,
    ),
    (
        "Ties and long tails",
        "Full backward search, standardised columns. The figure is CPU time divided by that on Gaussian data.",
        ties.rows,
    ),
    ("Forward search", "Times and figures as in the first section.", others.forward_rows),
    ("Risk as criterion", "Full backward search, times only.", others.risk_rows),
    (
        "Noisy labels",
        "Full backward search with 20 % of the labels flipped, noise model included, divided by the search that takes\n"
        "the labels as they are. The default model is a forest and a linear one; neighbours are the paper's densities.",
        tolerant.rows,
    ),
    (
        "How many features",
        '"auto" repeats the search on folds, once or until the choice is steady, and judges the subsets on rows left\n'
        "out: divided by one search. Judges take most of it where a search is short.",
        sizes.rows,
    ),
    (
        "Long tables",
        "Steps decided on samples of the rows, two threads: the same features, growth with the rows, and what people\n"
        "wait for, wall time in minutes and memory.",
        long.rows,
    ),
    (
        "Ranking",
        "Features one by one. The figure is CPU time divided by that of tamis, or what the line says.",
        ranking.rows,
    ),
    (
        "Wide tables",
        "Normal columns, 20 of them shifted; 20 features and 480 probes; the wide_* sets of TAMIS_DATA, if they are\n"
        "there. The command has a noise model, folds and the report; its memory is at most what is shown.",
        wide.rows,
    ),
    (
        "Wide tables, against others",
        "Ten features, one thread; ~ is extrapolated from a part, see wide_peers.py. The figure is CPU time divided\n"
        "by that of tamis.",
        wide_peers.rows,
    ),
    (
        "Thousands of classes and columns",
        "What a person waits for. The figure is CPU time in seconds.",
        large.rows,
    ),
    (
        "Answers of a crowd",
        "Three columns of text, in no order, to memberships: wall time and peak memory, those of the table included.",
        crowds.rows,
    ),
    (
        "Interruption",
        "Wall time from Ctrl-C to the end of a search in one of its first steps.",
        interruption.rows,
    ),
)


def machine():
    """What the figures depend on."""
    return {
        "tamis": tamis.__version__,
        "cpu_level": _kernels.cpu_level(),
        "cores": os.cpu_count(),
        "load at the start": round(os.getloadavg()[0], 1),
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "scipy": scipy.__version__,
        "scikit-learn": sklearn.__version__,
    }


def main():
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="reduced sizes, to see that it runs; bars do not apply")
    parser.add_argument("--only", default="", help="only sections whose title contains this")
    parser.add_argument("--out", type=Path, help="also write the figures to this file, as JSON")
    asked = parser.parse_args()
    plan = QUICK if asked.quick else FULL
    kept = {"machine": machine(), "quick": asked.quick, "sections": {}}
    print(", ".join(f"{name} {value}" for name, value in kept["machine"].items()), flush=True)
    judged, begin = [], time.monotonic()
    with threadpool_limits(1):
        for title, explanation, measure in SECTIONS:
            if asked.only.lower() not in title.lower():
                continue
            print(f"\n{title}\n{'-' * len(title)}\n{explanation}\n\n{HEADINGS}", flush=True)
            kept["sections"][title] = []
            for row in measure(plan):
                print(line(row), flush=True)
                kept["sections"][title].append(row.to_dict())
                judged += [row] if row.reached is not None else []
    kept["minutes"] = (time.monotonic() - begin) / 60
    failed = [row for row in judged if not row.reached]
    print(f"\n{len(judged) - len(failed)} of {len(judged)} bars and orders hold, {kept['minutes']:.1f} minutes.")
    for row in failed:
        print(line(row))
    if asked.out:
        asked.out.write_text(json.dumps(kept, indent=2) + "\n")


if __name__ == "__main__":
    main()
