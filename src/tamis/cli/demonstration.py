"""Wines of which some are recorded as the wrong cultivar."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from sklearn.datasets import load_wine

from ..datasets import flip_uniform
from ..labels import NoisyLabels

_CORRUPTED = 0.2
_N_NOISE = 5


class Wines(NamedTuple):
    """A table, the rows whose label is wrong, and what was done."""

    frame: pd.DataFrame
    changed: np.ndarray
    story: str


def corrupted_wines() -> Wines:
    """The wines of scikit-learn with a fifth of the labels wrong, five columns of noise and one of categories."""
    bunch = load_wine(as_frame=True)
    frame, rng = bunch.data.copy(), np.random.default_rng(0)
    for j in range(1, _N_NOISE + 1):
        frame[f"noise_{j}"] = rng.normal(size=len(frame)).round(3)
    frame["cellar"] = rng.choice(["north", "south", "east"], size=len(frame))
    grapes = np.array(["Barolo", "Grignolino", "Barbera"])[bunch.target]
    frame["cultivar"], changed = flip_uniform(grapes, _CORRUPTED, random_state=0)
    story = (
        f"{len(frame)} wines of three cultivars, 13 measurements. Added: {_N_NOISE} columns of noise and a column of "
        f"categories that predict nothing. Corrupted: the cultivar of {len(changed)} wines."
    )
    return Wines(frame, changed, story)


def outcome(wines: Wines, model: NoisyLabels, summary: dict) -> list[str]:
    """What was found of what was corrupted."""
    n_changed, n_rows = len(wines.changed), len(wines.frame)
    found = int(model.suspects(n_changed)["row"].isin(wines.changed).sum())
    useless = [name for name in summary["selected"] if name.startswith("noise_") or name == "cellar"]
    return [
        f"Wrong labels: {n_changed} of {n_rows} ({n_changed / n_rows:.0%}); estimated {model.noise_rate_:.0%}.",
        f"Of the {n_changed} most doubtful rows {found} are wrong indeed.",
        f"Of the {_N_NOISE + 1} useless columns {len(useless)} are kept.",
    ]
