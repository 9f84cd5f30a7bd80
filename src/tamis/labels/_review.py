"""Tables for people who go through the labels."""

from __future__ import annotations

import numpy as np

from .. import _validation
from ._em import joint_counts
from ._statement import share_interval


def suspects_table(classes, codes, memberships):
    """Rows sorted by the probability that their label is wrong: see `NoisyLabels.suspects`."""
    pd = _validation.import_pandas("NoisyLabels.suspects")
    rows = np.arange(len(codes))
    others = memberships.copy()
    others[rows, codes] = -1.0
    likely = others.argmax(axis=1)
    wrong = np.clip(others, 0.0, None).sum(axis=1)
    order = np.argsort(-wrong, kind="stable")
    table = {
        "row": rows,
        "label": classes[codes],
        "p_wrong": wrong,
        "likely": classes[likely],
        "p_likely": others[rows, likely],
    }
    return pd.DataFrame({name: column[order] for name, column in table.items()})


def relabelled_table(classes, codes, memberships, confidence):
    """Every row with a suggested action: see `NoisyLabels.relabelled`."""
    pd = _validation.import_pandas("NoisyLabels.relabelled")
    rows = np.arange(len(codes))
    wrong = 1.0 - memberships[rows, codes]
    # In doubt the recorded class.
    likely = np.where(memberships.max(axis=1) > 1.0 - wrong, memberships.argmax(axis=1), codes)
    p_likely = memberships[rows, likely]
    other = likely != codes
    action = np.full(len(codes), "look at", dtype=object)
    action[_largest(1.0 - wrong, ~other & (wrong < 0.5), confidence)] = "keep"
    action[_largest(p_likely, other & (p_likely > 0.5), confidence)] = "correct"
    return pd.DataFrame(
        {
            "row": rows,
            "label": classes[codes],
            "likely": classes[likely],
            "p_likely": p_likely,
            "p_wrong": wrong,
            "action": action,
        }
    )


def _largest(probability, candidates, confidence):
    """Of some rows as many of the most probable ones as have a mean probability of at least `confidence`."""
    rows = np.flatnonzero(candidates)
    rows = rows[np.argsort(-probability[rows], kind="stable")]
    means = np.cumsum(probability[rows]) / np.arange(1, len(rows) + 1)
    # Means of a falling sequence fall, but for rounding.
    return rows[: np.searchsorted(-means, -confidence + 1e-12, side="right")]


def confusions_table(classes, codes, memberships):
    """Pairs of classes by how many rows of the first are recorded as the second: see `NoisyLabels.confusions`."""
    pd = _validation.import_pandas("NoisyLabels.confusions")
    count = joint_counts(memberships, codes)
    mass = count.sum(axis=1)
    np.fill_diagonal(count, 0.0)
    true, recorded = np.nonzero(count)
    rows, of = count[true, recorded], mass[true]
    order = np.argsort(-rows, kind="stable")
    low, high = share_interval(rows, of)
    table = {
        "true": classes[true],
        "recorded": classes[recorded],
        "rows": rows,
        "rate": rows / of,
        "low": low,
        "high": high,
    }
    return pd.DataFrame({name: column[order] for name, column in table.items()})
