"""The figures of the audit experiment."""

from __future__ import annotations

import numpy as np

OURS = "tamis"


def show(lines, halves) -> str:
    """A table for each half of the data sets and for all, and what is said of single sets."""
    names = tuple(name for half in halves.values() for name in half)
    parts = [_by_kind(lines, half, title) for title, half in {**halves, "all": names}.items()]
    return "\n\n".join([*parts, _sets(lines, names), _statements(lines)])


def _values(lines, kind, names, method, key):
    """Of each data set, the values of its seeds."""
    found = {}
    for line in lines:
        if line["kind"] == kind and line["data"] in names:
            value = _value(line["scores"][method], key)
            if value is not None:
                found.setdefault(line["data"], []).append(value)
    return found


def _value(score, key):
    if key in ("auc", "precision"):
        return score[key]
    if score["rate"] is None:
        return None
    if key == "error":
        return score["rate"] - score["truth"]
    if key == "off":
        return abs(score["rate"] - score["truth"])
    return float(score["low"] <= score["truth"] <= score["high"])


def _mean(found):
    return np.mean([np.mean(values) for values in found.values()]) if found else np.nan


def _by_kind(lines, names, title):
    used = [line for line in lines if line["data"] in names]
    if not used:
        return f"{title}: no runs yet"
    kinds = list(dict.fromkeys(line["kind"] for line in used))
    others = [method for method in used[0]["scores"] if method != OURS]
    n_seeds = len({line["seed"] for line in used})
    heads = ["rate - truth", "|.|", "covered", "AUC", "best other", "AP", "best other"]
    rows = [f"{title} ({', '.join(names)}; {n_seeds} seeds)", f"{'':<28}" + "".join(f"{h:>14}" for h in heads)]
    for kind in kinds:
        cells = [_mean(_values(used, kind, names, OURS, key)) for key in ("error", "off", "covers")]
        for key in ("auc", "precision"):
            cells.append(_mean(_values(used, kind, names, OURS, key)))
            cells.append(max(_mean(_values(used, kind, names, other, key)) for other in others))
        rows.append(f"{kind:<28}" + "".join(f"{cell:>14.4f}" for cell in cells))
    return "\n".join(rows)


def _sets(lines, names):
    """Mean error of the rate for every set and kind."""
    kinds = list(dict.fromkeys(line["kind"] for line in lines))
    rows = ["Estimated less true share of wrong labels", f"{'':<28}" + "".join(f"{name:>14}" for name in names)]
    for kind in kinds:
        found = _values(lines, kind, names, OURS, "error")
        rows.append(f"{kind:<28}" + "".join(f"{np.mean(found.get(name, np.nan)):>+14.3f}" for name in names))
    return "\n".join(rows)


def _statements(lines):
    ours = [(line, line["scores"][OURS]) for line in lines]
    unknown = [line for line, score in ours if score["rate"] is None]
    half = [(line, score) for line, score in ours if score["rate"] is not None and score["truth"] >= 0.1]
    low = [f"{line['data']}, {line['kind']}" for line, score in half if score["rate"] < score["truth"] / 2]
    rows = [
        f"Runs: {len(ours)}; 'not known' in {len(unknown)}.",
        f"Below half the truth where at least 10 % are wrong: {len(low)} of {len(half)}.",
        *(f"    {low.count(where)} x {where}" for where in sorted(set(low), key=low.count, reverse=True)),
        "Rows with an estimated probability above .95 of being wrong, and the share that is, by data set and kind:",
    ]
    pairs = dict.fromkeys((line["data"], line["kind"]) for line in lines)
    for name, kind in pairs:
        these = [score for line, score in ours if (line["data"], line["kind"]) == (name, kind)]
        sure = sum(score["sure"] for score in these)
        if sure >= 20:
            rows.append(f"    {name}, {kind}: {sure} rows, {sum(s['sure_and_wrong'] for s in these) / sure:.3f}")
    return "\n".join(rows)
