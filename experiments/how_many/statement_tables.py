"""Tables of statements.py."""

from __future__ import annotations

import numpy as np


def table(lines) -> str:
    rows, names = [], list(dict.fromkeys(line["data"] for line in lines))
    for name in names:
        here = [line for line in lines if line["data"] == name]
        kind = name.split(",")[0]
        seconds = f"{np.mean([line['wall'] for line in here]):.0f} s each"
        rows.append(f"{name:<30}{len(here):>4} runs  {_SAID[kind](here)}; {seconds}")
    return "\n".join(rows)


def _hypercube(here):
    good = [
        4 <= x["needed"] <= 8
        and x["needed"] == x["needed_real"]
        and x["interchangeable_real"] >= min(12, x["others_real"])
        and x["interchangeable_probes"] <= 2
        for x in here
    ]
    needed = ", ".join(f"{x['needed_real']}/{x['needed']}" for x in here)
    other = ", ".join(f"{x['interchangeable_real']}/{x['others_real']}+{x['interchangeable_probes']}" for x in here)
    return f"{sum(good)} as wanted; real of needed {needed}; interchangeable of other real ones + probes {other}"


def _nothing(here):
    return f'"nothing" in {100 * np.mean([x["nothing"] for x in here]):.0f} %'


def _covered(here):
    inside = np.mean([x["low"] <= x["truth"] <= x["high"] for x in here])
    off = np.mean([x.get("expected", np.nan) - x["truth"] for x in here])
    width = np.mean([x["high"] - x["low"] for x in here])
    told = "" if np.isnan(off) else f", expected less true {100 * off:+.1f} points"
    return f"true value inside in {100 * inside:.0f} %{told}, mean width {width:.3f}"


def _seeds(here):
    kept = sorted(x["kept"] for x in here)
    return f"sizes {kept}, largest by smallest {kept[-1] / kept[0]:.2f}"


_SAID = {
    "hypercube": _hypercube,
    "nothing": _nothing,
    "related": _nothing,
    "coverage": _covered,
    "stability": _covered,
    "seeds": _seeds,
}
