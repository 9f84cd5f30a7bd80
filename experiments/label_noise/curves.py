"""Section 6: the error of a nearest-neighbour classifier by the number of features, for each way to select them."""

from __future__ import annotations

import zlib
from functools import cache

import numpy as np
from sklearn.base import clone

from experiments import literal
from experiments.label_noise.kinds import uniform
from experiments.label_noise.protocol import Repetition, standardised
from experiments.reproduction import Experiment, Task
from tamis import MutualInformation, NoisyLabels

RATES = (10, 20)
"""Per cent of the training labels that are flipped."""
REPETITIONS = 100
OF_THE_SLOWEST = 20
"""Repetitions of the search as printed on the three largest sets, each of which takes minutes."""

SECONDS = {  # of all plain searches, and of one tolerant search as printed
    "iris": (0.2, 0.3),
    "wine": (0.3, 1.2),
    "glass": (0.3, 1.2),
    "vertebral_3c": (0.3, 0.8),
    "ecoli": (0.3, 1.3),
    "vehicle": (0.7, 5.5),
    "yeast_uci": (0.5, 6),
    "segment": (2.3, 24),
    "page_blocks": (4.5, 100),
    "wall_following_24": (8, 100),
    "waveform_noise": (12.5, 300),
}
SMALL = ("iris", "wine", "glass", "vertebral_3c", "ecoli")
MEDIUM = ("vehicle", "yeast_uci", "segment")


@cache
def _data(folder, name):
    return standardised(folder, name)


def _drawn(folder, name, seed, rate):
    return Repetition.draw(_data(folder, name), np.random.default_rng(seed), uniform(rate / 100))


def _rounded(curve):
    return [round(float(error), 2) for error in curve]


def run_plain(folder, key, seed) -> dict:
    """Errors in per cent of subsets of 1 to d features, for every search but the paper's own."""
    drawn = _drawn(folder, key["data"], seed, RATES[0])
    distance, count = literal.label_noise(jitter=None, tolerant=False), MutualInformation(8)
    found = {"clean": clone(distance).fit(drawn.jittered, drawn.clean)}
    for rate in RATES:
        noisy = drawn.with_labels(uniform(rate / 100)).noisy
        found[f"noisy_{rate}"] = clone(distance).fit(drawn.jittered, noisy)
        found[f"count_{rate}"] = literal.plain(count).fit(drawn.X, noisy)
        tolerant = literal.plain(count, labels=NoisyLabels(), random_state=drawn.seed)
        found[f"tamis_{rate}"] = tolerant.fit(drawn.X, noisy)
    return {method: _rounded(drawn.curve(selector.path_)) for method, selector in found.items()}


def run_literal(folder, key, seed) -> dict:
    """Errors of the paper's own search on the same splits and labels, and the rates it finds with all features.

    Nothing of that if EM takes all samples but one from a class, whose entropy then does not exist.
    """
    drawn = _drawn(folder, key["data"], seed, key["rate"])
    try:
        path = literal.label_noise(drawn.seed, jitter=None).fit(drawn.jittered, drawn.noisy).path_
    except ValueError as error:
        if "mutual information needs at least 2" not in str(error):
            raise
        return {"left_out": str(error)}
    rates = [round(float(rate), 3) for rate in path.noise_rates[0]]
    return {"errors": _rounded(drawn.curve(path)), "rates": rates}


def seed_of(data, repetition) -> int:
    """The same for every search: they share the split, the wrong labels and the jitter."""
    return zlib.crc32(f"label_noise {data} {repetition}".encode())


def _ordered(quick):
    """In turns: more of the small sets, then of those that take longer."""
    stages = [(SMALL, 30), (MEDIUM, 10), (SMALL, REPETITIONS), (SECONDS, 2), (MEDIUM, 20), (SECONDS, 10)]
    stages += [(MEDIUM, REPETITIONS), (SECONDS, REPETITIONS)]
    done = dict.fromkeys(SECONDS, 0)
    for names, upto in [(SMALL, 20), (SECONDS, 2)] if quick else stages:
        for r in range(upto):
            for name in names:
                if r >= done[name]:
                    yield name, r
        done |= {name: max(done[name], upto) for name in names}


def plain_tasks(quick):
    for name, r in _ordered(quick):
        yield Task({"data": name, "repetition": r}, seed_of(name, r), SECONDS[name][0])


def literal_tasks(quick):
    for name, r in _ordered(quick):
        for rate in reversed(RATES):
            slow = name not in SMALL + MEDIUM
            once = not slow and rate == RATES[-1] and r == 0
            if name in SMALL or once or (not quick and not (slow and r >= OF_THE_SLOWEST)):
                yield Task({"data": name, "rate": rate, "repetition": r}, seed_of(name, r), SECONDS[name][1])


PLAIN = Experiment("label_noise/plain", plain_tasks, run_plain)
LITERAL = Experiment("label_noise/literal", literal_tasks, run_literal)
