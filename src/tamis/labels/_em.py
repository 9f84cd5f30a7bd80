"""Expectation maximisation over hidden true classes (section 4 of Frenay et al., 2014)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from sklearn.utils import gen_batches

from ._weights import ALIKE, mean_of, number_of

TRANSITIONS = ("common", "per-class", "full")
NOBODY = np.empty(0, dtype=np.intp)
_LEAST_ITERATIONS = 5
_LEAST_SINGULAR = 0.3
_ROWS = 4096


class Evidence(Protocol):
    """What the features say about the true class.

    Attributes
    ----------
    keeps_best : bool
        Whether the iterate of highest likelihood counts, rather than the last one.
    guards_classes : bool
        Whether a run ends before a class loses nearly all its weight or changes places with others.
    prior_rows : float
        Rows of the average class that each class is given when every entry of the transition matrix is estimated.
    """

    keeps_best: bool
    guards_classes: bool
    prior_rows: float

    def restart(self):
        """Forget earlier runs."""

    def least_mass(self, size) -> np.ndarray:
        """The weight below which a class of this many recorded samples is lost; they may have weights, too."""

    def log_joint(self, memberships, log_transition, codes) -> np.ndarray:
        """log p(x_i, s) or log p(s|x_i), given the memberships so far, in a new array.

        `log_transition` and the recorded `codes` are for those who want to know which classes can matter.
        """


@dataclass(frozen=True)
class Fitted:
    """Where a run of EM came to.

    `log_likelihood` is that of every iteration, `reached` that of the one that is kept. `posterior` is the probability
    of each class given the features alone. `lost` are classes that lost nearly all their weight on the way: this is the
    estimate before that. `trusted` are classes whose recorded labels are not questioned.
    """

    memberships: np.ndarray
    posterior: np.ndarray
    transition: np.ndarray
    log_likelihood: np.ndarray
    reached: float
    lost: np.ndarray
    trusted: np.ndarray
    converged: bool


def run(evidence, codes, start, *, kind, max_iter, tol, trusted=NOBODY, rows=ALIKE) -> Fitted:
    """From the recorded labels and a first transition matrix to the memberships; `rows` have the weights.

    Densities are estimated again between the steps, so this is not a strict EM and the likelihood (eq. 24, up to a
    constant) may fall. It ends when no entry of the transition matrix moves by more than `tol`; if that is None, when
    the rate of wrong labels moves by less than its standard error, after five iterations at the earliest.
    """
    evidence.restart()
    n_classes, places = len(start), np.arange(len(codes))
    identity, least = np.eye(n_classes), evidence.least_mass(np.bincount(codes, rows.weight, n_classes))
    memberships, transition, rate = identity[codes], start, 0.0
    trace: list[float] = []
    best: tuple[np.ndarray, ...] | None = None
    lost, converged, reached = NOBODY, False, -np.inf
    unquestioned = np.isin(codes, trusted)
    for _ in range(max_iter):
        updated, posterior, log_likelihood = _e_step(evidence, memberships, transition, codes, rows)
        updated[unquestioned] = identity[codes[unquestioned]]
        lost = _lost_classes(updated, codes, least, rows) if evidence.guards_classes else NOBODY
        if len(lost):
            break
        trace.append(log_likelihood)
        moved, before = transition, rate
        memberships, transition = updated, estimate_transition(updated, codes, kind, evidence.prior_rows, rows)
        rate = 1.0 - mean_of(updated[places, codes], rows)
        if not evidence.keeps_best or trace[-1] >= max(trace):
            best, reached = (memberships, posterior, transition), log_likelihood
        if tol is None:
            settled = abs(rate - before) <= _standard_error(rate, number_of(codes, rows))
            converged = bool(settled and len(trace) >= _LEAST_ITERATIONS)
        else:
            converged = bool(np.abs(transition - moved).max() < tol)
        if converged:
            break
    memberships, posterior, transition = best or (identity[codes], identity[codes], identity)
    return Fitted(memberships, posterior, transition, np.array(trace), reached, lost, trusted, converged)


def _standard_error(rate, n):
    return np.sqrt(max(rate, 1e-3) * (1 - rate) / n)


def _e_step(evidence, memberships, transition, codes, rows):
    """Memberships (eq. 26), what they are without the recorded labels, and the log-likelihood."""
    with np.errstate(divide="ignore"):
        log_transition = np.log(transition)
    joint = evidence.log_joint(memberships, log_transition, codes)
    posterior = np.exp(joint - joint.max(axis=1, keepdims=True))
    posterior /= posterior.sum(axis=1, keepdims=True)
    for block in gen_batches(len(codes), _ROWS):
        joint[block] += log_transition[:, codes[block]].T
    impossible = np.isneginf(joint).all(axis=1)  # under any class: the record stands
    joint[impossible, codes[impossible]] = 0.0
    top = joint.max(axis=1, keepdims=True)
    joint -= top
    np.exp(joint, out=joint)
    total = joint.sum(axis=1, keepdims=True)
    joint /= total
    return joint, posterior, float(rows.weighted(top + np.log(total)).sum())


def transition_of(rates) -> np.ndarray:
    """p(y|s) where a wrong label is any other class alike (eq. 20)."""
    n_classes = len(rates)
    matrix = np.repeat(np.asarray(rates, dtype=float)[:, None] / (n_classes - 1), n_classes, axis=1)
    np.fill_diagonal(matrix, 1 - np.asarray(rates))
    return matrix


def estimate_transition(memberships, codes, kind, prior_rows=0, rows=ALIKE) -> np.ndarray:
    """M step: the transition matrix from the memberships (eq. 28; one rate for all classes; every entry).

    Every entry has so many parameters that each class may be given some rows of the average class, and one mistake.
    """
    n_classes = memberships.shape[1]
    count = joint_counts(memberships, codes, rows)
    mass = count.sum(axis=1)
    wrong = mass - np.diag(count)
    common = transition_of(np.full(n_classes, wrong.sum() / mass.sum()))
    if kind == "common":
        return common
    if kind == "full":
        if prior_rows:
            count = count + prior_rows * common + (1 - np.eye(n_classes)) / (n_classes - 1)
            mass = count.sum(axis=1)
        return np.divide(count, mass[:, None], out=np.eye(n_classes), where=mass[:, None] > 0)
    return transition_of(np.clip(np.divide(wrong, mass, out=np.zeros(n_classes), where=mass > 0), 0, 1))


def unmixing(transition) -> np.ndarray:
    """The inverse of a transition matrix, moved towards the identity where it would multiply the noise too much."""
    identity = np.eye(len(transition))
    for doubt in np.linspace(1.0, 0.0, 21):
        mixed = doubt * transition + (1 - doubt) * identity
        if np.linalg.svd(mixed, compute_uv=False)[-1] >= _LEAST_SINGULAR:
            return np.linalg.inv(mixed)
    return identity


def joint_counts(memberships, codes, rows=ALIKE) -> np.ndarray:
    """Weight of each true class (row) that is recorded as each class (column)."""
    columns = rows.weighted(memberships).T
    return np.array([np.bincount(codes, weights=column, minlength=len(columns)) for column in columns])


def _lost_classes(memberships, codes, least, rows):
    """Classes that lose nearly all their weight, or whose labels are more often wrong than chance would make them."""
    n_classes, memberships = len(least), rows.weighted(memberships)
    mass = memberships.sum(axis=0)
    right = np.bincount(codes, weights=memberships[np.arange(len(codes)), codes], minlength=n_classes)
    return np.flatnonzero((mass < least) | (right < mass / n_classes))
