"""The loops that decide the speed: one small C++ module, arrays in, arrays out.

Everything that tamis estimates from neighbours is a sum over samples of a function of *balls*: around sample i the
ball of class s is grown until the memberships of the others inside reach k. A greedy search needs the balls of a
feature set S and of all its variations by one candidate: a column, or several that enter and leave together (a one-hot
block). The kernels find them exactly, in two stages:

    all pairs --stage 1--> a shortlist per sample --stage 2--> balls per candidate --> one number per candidate
              filter.hpp, keep.cpp                 hard.hpp, soft*.hpp            problem.hpp
              float32, one pass for                float64, several candidates    digamma, logs,
              all candidates                       at a time, no branches         sums in fixed blocks

    api.hpp       the data that crosses, one table of entry points per CPU level
    layers.hpp    candidates side by side, one per lane
    simd.hpp      vectors, the eight smallest of a stream
    select.hpp    the smallest ball that holds more than eight samples
    distinct.hpp  samples of one class at one place, done once
    block.hpp     rows of one task and their shortlists
    radii.hpp     radii of a set from nothing
    near.hpp      the shortlist of a row of one class, in parts: hard.hpp grows balls in it
    vary.hpp      the distances of a row in the set varied by a few candidates
    cost.hpp      how far the targets in the ball of everybody are apart; costs.hpp: of two rows
    soft.hpp      balls of memberships, a candidate at a time; soft_radii.hpp: of a set from nothing
    soft_lanes.hpp  the same, a ball at a time for a few candidates, where a row needs few of them
    buckets.hpp   the balls of several classes in one pass over the samples
    weights.hpp   memberships as whole numbers, whose sums do not depend on the order
    memory.hpp    arrays for code that is compiled once per CPU level
    scan.cpp      compiled per level: radii of a set; the variations of a set
    line.cpp      each feature alone, by sorting
    nearest.hpp   the neighbours of each row in order of distance
    grown.hpp     the same walked again and again as memberships change
    blanket.cpp   discrete features: what one tells beyond others, counted by groups and cells
    transport.cpp the exact cost of moving one distribution onto another
    transport.hpp the exact cost of moving one distribution over the classes onto another
    sorting.hpp   sorting that can be stopped
    threads.cpp   tasks over threads, and whether to go on with them
    checks.hpp    what the kernels trust, checked before they run
    arrays.hpp    arrays of Python, and Ctrl-C while a kernel runs
    module.cpp    the door to Python; module_blanket.cpp: its part for discrete features
    _native.pyi   the same for type checkers, as nanobind.stubgen writes it

A missing value is NaN; its squared difference from anything is a constant of its column, given by Python. So a pair of
rows still has one squared distance in each subset, to which each column adds its part, and all of the above holds. A
row is at least the constants of its own gaps away from all others, and shortlists are bounded by what is beyond that.
Columns without gaps are added up as in a complete table. Rows of one group are in no ball of each other: they are left
out by their indices, as the row itself is. A weight stands for so many samples of one group: memberships are multiplied
with it, and so is what the row adds to a sum.

Why it is exact: stage 1 compares a lower bound of the distance, valid for every candidate, with an upper bound of the
radius, known from the step before; rounding is allowed for, so a pair that matters is never lost. Stage 2 computes in
float64 and sums anew where a difference would cancel. Every CPU level and every number of threads gives the same bits:
no contraction of multiply and add, sums over blocks of 32 rows in order. No Python object, no randomness inside.

Why it holds: extents and indices are checked at the door, X must be finite (but for gaps) and at most 1e15 in size,
memberships finite and not negative; what breaks a rule is a ValueError. Threads that the system does not give are done
without, a failed allocation is a MemoryError wherever it happens, and the calling thread lets Python run its signal
handlers about every 50 ms: Ctrl-C ends a kernel of any size, from the main thread.

Cost of one step over m features: O(n^2 m) for the filter, O(n L m) for the balls, L being the length of a shortlist
(about 60-160 on Gaussian data); memory O(n m). With hard labels n counts only distinct samples of each class.
"""

import os

import numpy as np
from scipy.special import digamma

from ._native import ROWS_PER_SUM, Asked, Blanket, grow, levels, lines, orders, radii, scan, transport

QUANTITIES = {"count": 0, "distance": 1, "risk": 2, "entropy": 3, "cost": 4}


def ask_about_classes(codes, *question, group=None):
    """The question of a scan about samples of one class each, sorted by class.

    Quantity, number of neighbours, whether a sample is its own neighbour, whether it counts in the size of its class;
    the group of each row, or None.
    """
    mass = np.bincount(codes)
    first = np.concatenate([[0], np.cumsum(mass)]).astype(np.int32)
    return _asked(first, codes, np.empty((0, 0)), mass.astype(float), len(codes), {"group": group}, *question)


def ask_about_memberships(gamma, *question, group=None, weight=None, left_out=0.0):
    """The same about samples with memberships, in any order; these are multiplied with the weights, if there are.

    A count has no terms of the smallest memberships of each row, together at most the share `left_out` of it.
    """
    nothing = np.empty(0, np.int32)
    mass = gamma.sum(axis=0)
    rows = {"group": group, "weight": weight, "left_out": left_out}
    return _asked(nothing, nothing, gamma, mass, len(gamma), rows, *question)


def ask_about_costs(costs, n, *question, group=None, weight=None):
    """The same about n samples whose targets are so far apart: `place` and `left`, or `left` and `right`."""
    everybody, nothing = np.array([0, n], np.int32), np.empty((0, 0))
    rows = {"group": group, "weight": weight, **costs}
    return _asked(everybody, np.zeros(n, np.int32), nothing, np.array([float(n)]), n, rows, *question)


def _asked(first, codes, gamma, mass, n, rows, quantity, n_neighbors, include_self=False, whole_sizes=False):
    psi = digamma(np.arange(n + 2, dtype=float))
    if rows["group"] is not None:
        rows["group"] = np.unique(rows["group"], return_inverse=True)[1].astype(np.int32)
    question = QUANTITIES[quantity], n_neighbors, include_self, whole_sizes
    return Asked(first, codes, gamma, mass, psi, *question, **rows)


def cpu_level() -> str:
    """The CPU level in use: the best of `levels()`, or what the variable TAMIS_CPU asks for."""
    available = levels()
    asked = os.environ.get("TAMIS_CPU", available[-1])
    if asked not in available:
        raise ValueError(f"TAMIS_CPU must be one of {available} on this machine; got {asked!r}.")
    return asked


__all__ = [
    "QUANTITIES",
    "ROWS_PER_SUM",
    "Blanket",
    "ask_about_classes",
    "ask_about_costs",
    "ask_about_memberships",
    "cpu_level",
    "grow",
    "levels",
    "lines",
    "orders",
    "radii",
    "scan",
    "transport",
]
