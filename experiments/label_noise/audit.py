"""How many labels are wrong, and which? Ours and cleanlab on the same probabilities, for nine kinds of mistakes.

python -m experiments.label_noise.audit DATA [--seeds 10] [--datasets iris,wine]
python -m experiments.label_noise.audit --show

The classifiers are those of `NoisyLabels()`, fitted once for both. Lines are appended to results/audit.jsonl as they
come; what is there is not done again. `--show` prints results/audit.txt. Needs cleanlab.
"""

from __future__ import annotations

import argparse
import json
import warnings
from pathlib import Path

import numpy as np

from experiments.label_noise.audit_table import show
from experiments.label_noise.kinds import KINDS
from experiments.label_noise.protocol import standardised
from experiments.label_noise.scores import every_score, figures
from tamis.labels._out_of_sample import probabilities_of

TUNED_ON = ("iris", "glass", "vehicle", "ecoli")
CONFIRMED_ON = ("wine", "vertebral_3c", "seeds", "segment")
RESULTS = Path(__file__).parent / "results" / "audit.jsonl"


def run(folder, datasets, n_seeds):
    done = {(line["data"], line["kind"], line["seed"]) for line in read()}
    data = {name: standardised(folder, name) for name in datasets}
    for seed in range(n_seeds):
        for name in datasets:
            X, y = data[name]
            codes = np.unique(y, return_inverse=True)[1]
            for kind in KINDS:
                if (name, kind, seed) not in done:
                    add(name, kind, seed, X, codes, KINDS[kind](X, codes, seed))


def add(name, kind, seed, X, codes, recorded):
    forest, linear = probabilities_of("auto", X, recorded, seed=seed, n_jobs=1)
    scores = every_score({"forest": forest, "linear": linear}, recorded)
    found = {method: figures(scored, recorded != codes) for method, scored in scores.items()}
    with RESULTS.open("a") as out:
        out.write(json.dumps({"data": name, "kind": kind, "seed": seed, "scores": _rounded(found)}) + "\n")


def _rounded(found):
    return {
        method: {k: round(v, 4) if isinstance(v, float) and np.isfinite(v) else v for k, v in values.items()}
        for method, values in found.items()
    }


def read():
    return [json.loads(line) for line in RESULTS.open()] if RESULTS.exists() else []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, help="folder of the data sets")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--datasets", default=",".join(TUNED_ON + CONFIRMED_ON))
    parser.add_argument("--show", action="store_true", help="print the tables only")
    asked = parser.parse_args()
    if not asked.show:
        warnings.simplefilter("ignore")
        run(asked.data, asked.datasets.split(","), asked.seeds)
    print(show(read(), {"tuned on": TUNED_ON, "confirmed on": CONFIRMED_ON}))


if __name__ == "__main__":
    main()
