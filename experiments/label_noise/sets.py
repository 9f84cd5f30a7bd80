"""Table 1: the data sets."""

from __future__ import annotations

import numpy as np

from experiments.label_noise.protocol import standardised
from experiments.reproduction import Check, Experiment, Finding, Task

PRINTED = {  # rows, features, classes, imbalance
    "ecoli": (327, 6, 5, 0.13),
    "glass": (175, 9, 3, 0.12),
    "iris": (150, 4, 3, 0.00),
    "page_blocks": (5473, 10, 5, 0.35),
    "segment": (2310, 18, 7, 0.00),
    "vehicle": (752, 18, 4, 0.01),
    "vertebral_3c": (310, 6, 3, 0.12),
    "wall_following_24": (5456, 24, 4, 0.15),
    "waveform_noise": (5000, 40, 3, 0.00),
    "wine": (178, 13, 3, 0.05),
    "yeast_uci": (1296, 8, 4, 0.10),
}
NAMES = {
    "ecoli": "Ecoli",
    "glass": "Glass",
    "iris": "Iris",
    "page_blocks": "Page",
    "segment": "Segment",
    "vehicle": "Vehicle",
    "vertebral_3c": "Vertebral Column",
    "wall_following_24": "Wall Robot",
    "waveform_noise": "Waveform",
    "wine": "Wine",
    "yeast_uci": "Yeast",
}


def imbalance(y) -> float:
    """Eq. 31: standard deviation of the shares of the classes."""
    return float(np.std(np.unique(y, return_counts=True)[1] / len(y)))


def run_set(folder, key, seed) -> dict:
    X, y = standardised(folder, key["data"])
    return {"rows": len(X), "features": X.shape[1], "classes": len(np.unique(y)), "imbalance": round(imbalance(y), 4)}


def check_sets(records) -> Finding | None:
    checks = []
    for name, (rows, features, classes, printed) in PRINTED.items():
        for record in records.where(data=name):
            shape = (record["rows"], record["features"], record["classes"])
            holds = shape == (rows, features, classes) and abs(record["imbalance"] - printed) <= 0.005
            ours = f"{shape[0]} × {shape[1]}, {shape[2]} classes, {record['imbalance']:.3f}"
            checks.append(Check(NAMES[name], holds, ours, f"{rows} × {features}, {classes} classes, {printed:.2f}"))
    if not checks:
        return None
    agree = sum(check.holds for check in checks)
    differ = ", ".join(check.says for check in checks if not check.holds)
    ours = f"{agree} of {len(checks)} agree" + (f"; not {differ}" if differ else "")
    return Finding("read once", ours, "11 sets", checks)


SETS = Experiment(
    "label_noise/sets", lambda quick: [Task({"data": name}, 0, 0.1) for name in PRINTED], run_set, needs_data=True
)
