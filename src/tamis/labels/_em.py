"""Expectation maximisation over hidden true classes (section 4 of Frenay et al., 2014)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

TRANSITIONS = ("common", "per-class", "full")
NOBODY = np.empty(0, dtype=np.intp)


class Evidence(Protocol):
    """What the features say about the true class."""

    def restart(self):
        """Forget earlier runs."""

    def least_mass(self, size) -> np.ndarray:
        """The weight below which a class of this many recorded samples is lost."""

    def log_joint(self, memberships, log_label) -> np.ndarray:
        """log p(x_i, s) or log p(s|x_i), given the memberships so far.

        `log_label` is log p(y_i|s), for those who want to know which classes can matter.
        """


@dataclass(frozen=True)
class Fitted:
    """Where a run of EM came to.

    `lost` are classes that were swallowed on the way: this is the estimate before that. `trusted` are classes whose
    recorded labels were not questioned.
    """

    memberships: np.ndarray
    transition: np.ndarray
    log_likelihood: np.ndarray
    lost: np.ndarray
    trusted: np.ndarray
    converged: bool

    @property
    def highest(self) -> float:
        return float(self.log_likelihood.max(initial=-np.inf))


def run(evidence, codes, start, *, kind, max_iter, tol, trusted=NOBODY) -> Fitted:
    """From the recorded labels and a first transition matrix to the memberships.

    Densities are estimated again between the steps, so with them this is not a strict EM and the likelihood (eq. 24,
    up to a constant) may fall: the iterate where it is highest is kept.
    """
    evidence.restart()
    n_classes = len(start)
    recorded, least = np.eye(n_classes)[codes], evidence.least_mass(np.bincount(codes, minlength=n_classes))
    memberships, transition = recorded, start
    trace: list[float] = []
    best, lost, converged = (recorded, np.eye(n_classes)), NOBODY, False
    unquestioned = np.isin(codes, trusted)
    for _ in range(max_iter):
        updated, log_likelihood = _e_step(evidence, memberships, transition, codes)
        updated[unquestioned] = recorded[unquestioned]
        lost = _lost_classes(updated, codes, least)
        if len(lost):
            break
        trace.append(log_likelihood)
        moved = transition
        memberships, transition = updated, estimate_transition(updated, codes, kind)
        if trace[-1] >= max(trace):
            best = memberships, transition
        converged = bool(np.abs(transition - moved).max() < tol)
        if converged:
            break
    memberships, transition = best
    return Fitted(memberships, transition, np.array(trace), lost, trusted, converged)


def _e_step(evidence, memberships, transition, codes):
    """Memberships (eq. 26) and the log-likelihood."""
    with np.errstate(divide="ignore"):
        log_label = np.log(transition)[:, codes].T
    joint = evidence.log_joint(memberships, log_label) + log_label
    impossible = np.isneginf(joint).all(axis=1)  # under any class: the record stands
    joint[impossible, codes[impossible]] = 0.0
    top = joint.max(axis=1, keepdims=True)
    updated = np.exp(joint - top)
    total = updated.sum(axis=1, keepdims=True)
    return updated / total, float((top + np.log(total)).sum())


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


def _lost_classes(memberships, codes, least):
    """Classes swallowed by others, or whose labels are more often wrong than chance would make them."""
    n_classes = len(least)
    mass = memberships.sum(axis=0)
    right = np.bincount(codes, weights=memberships[np.arange(len(codes)), codes], minlength=n_classes)
    return np.flatnonzero((mass < least) | (right < mass / n_classes))
