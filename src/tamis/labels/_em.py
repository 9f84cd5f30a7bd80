"""Expectation maximisation over hidden true classes (section 4 of Frenay et al., 2014)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

TRANSITIONS = ("common", "per-class", "full")


class Evidence(Protocol):
    """What the features say about the true class."""

    def restart(self):
        """Forget earlier runs."""

    def log_joint(self, memberships, log_label) -> np.ndarray:
        """log p(x_i, s) or log p(s|x_i), given the memberships so far.

        `log_label` is log p(y_i|s), for those who want to know which classes can matter.
        """


@dataclass(frozen=True)
class Fitted:
    """Where a run of EM came to.

    `broken` is the class for which it lost its sense, if it did: this is the estimate before that.
    """

    memberships: np.ndarray
    transition: np.ndarray
    log_likelihood: np.ndarray
    broken: int | None
    converged: bool

    @property
    def highest(self) -> float:
        return float(self.log_likelihood.max(initial=-np.inf))


def run(evidence, codes, start, *, kind, max_iter, tol) -> Fitted:
    """From the recorded labels and a first transition matrix to the memberships.

    Densities are estimated again between the steps, so with them this is not a strict EM and the likelihood (eq. 24,
    up to a constant) may fall: the iterate where it is highest is kept.
    """
    evidence.restart()
    n_classes = len(start)
    size = np.bincount(codes, minlength=n_classes)
    memberships, transition = np.eye(n_classes)[codes], start
    best, trace, broken, converged = None, [], None, False
    for _ in range(max_iter):
        with np.errstate(divide="ignore"):
            log_label = np.log(transition)[:, codes].T
        joint = evidence.log_joint(memberships, log_label) + log_label
        impossible = np.isneginf(joint).all(axis=1)  # under any class: the record stands
        joint[impossible, codes[impossible]] = 0.0
        top = joint.max(axis=1, keepdims=True)
        updated = np.exp(joint - top)
        total = updated.sum(axis=1, keepdims=True)
        updated /= total
        broken = _lost_class(updated, codes, size)
        if broken is not None:
            break
        trace.append(float((top + np.log(total)).sum()))
        moved = transition
        memberships, transition = updated, estimate_transition(updated, codes, kind)
        if best is None or trace[-1] >= max(trace[:-1]):
            best = memberships, transition
        converged = bool(np.abs(transition - moved).max() < tol)
        if converged:
            break
    if best is None:
        best = np.eye(n_classes)[codes], np.eye(n_classes)
    memberships, transition = best
    return Fitted(memberships, transition, np.array(trace), broken, converged)


def transition_of(rates) -> np.ndarray:
    """p(y|s) where a wrong label is any other class alike (eq. 20)."""
    n_classes = len(rates)
    matrix = np.repeat(np.asarray(rates, dtype=float)[:, None] / (n_classes - 1), n_classes, axis=1)
    np.fill_diagonal(matrix, 1 - np.asarray(rates))
    return matrix


def estimate_transition(memberships, codes, kind) -> np.ndarray:
    """M step: the transition matrix from the memberships (eq. 28; one rate for all classes; every entry)."""
    n_classes = memberships.shape[1]
    count = np.array([np.bincount(codes, weights=column, minlength=n_classes) for column in memberships.T])
    mass = count.sum(axis=1)
    if kind == "full":
        return np.divide(count, mass[:, None], out=np.eye(n_classes), where=mass[:, None] > 0)
    wrong = mass - np.diag(count)
    if kind == "common":
        return transition_of(np.full(n_classes, wrong.sum() / mass.sum()))
    return transition_of(np.clip(np.divide(wrong, mass, out=np.zeros(n_classes), where=mass > 0), 0, 1))


def _lost_class(memberships, codes, size):
    """A class swallowed by others, or whose labels are more often wrong than chance would make them; else None."""
    n_classes = len(size)
    mass = memberships.sum(axis=0)
    swallowed = mass < size / 2
    right = np.bincount(codes, weights=memberships[np.arange(len(codes)), codes], minlength=n_classes)
    by_chance = right < mass / n_classes
    lost = np.flatnonzero((swallowed | by_chance) & (size > 0))
    return int(lost[0]) if len(lost) else None
