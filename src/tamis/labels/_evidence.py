"""What the features say about the true class: neighbour densities, or probabilities of classifiers."""

from __future__ import annotations

import numpy as np
from scipy.special import softmax

from .._kernels.blas import one_blas_thread
from . import _em
from ._clusters import Clusters
from ._tempered import Tempered, normalised
from ._weights import ALIKE, mean_of, number_of, sum_of

LEAST = 1e-3
"""Probabilities of a classifier are taken to be at least this, or a hundredth of one over the number of classes."""

_NEWTON_STEPS = 2
_A_FEW_PARAMETERS = 3.0
_CELLS = 2_000_000


class NeighbourEvidence:
    """Densities of the classes from nearest neighbours: the evidence of the paper.

    Densities of free shape run away, so the best iterate counts, and no class may be lost; if not `guarded`, as in the
    paper, the last iterate counts and classes go where they go.
    """

    prior_rows = 0

    def __init__(self, densities, guarded=True, rows=ALIKE):
        self._densities, self._rows = densities, rows
        self.keeps_best = self.guards_classes = guarded

    def restart(self):
        """Nothing is remembered."""

    def least_mass(self, size):
        """Half of the samples: densities of free shape run away, and a class that shrinks shrinks on."""
        return size / 2

    def log_joint(self, memberships, log_transition, codes):
        with np.errstate(divide="ignore"):
            log_prior = np.log(mean_of(memberships, self._rows))
        return self._densities.log(memberships, log_transition[:, codes].T + log_prior) + log_prior


class ClassifierEvidence:
    r"""Probabilities :math:`p_m(s|x)` of classifiers, for samples they have not seen, as a posterior of the true class.

    A classifier approaches the probabilities of the *recorded* labels. Two views of how sure it is of the true class
    are multiplied, each to the power one half:

    - tempered: :math:`q(s|x) \propto e^{a_s} \prod_m p_m(s|x)^{\beta_m}`, fitted to the memberships. On its own it
      explains as much as it can by classes that overlap, so mistakes that depend on the row are invisible to it.
    - clusters: the true classes are Gaussians of one covariance in the space of :math:`\log p_m`. Where few rows lie
      between two classes, labels that contradict their cluster are mistakes and not overlap. On its own it follows
      clusters that are no classes.

    The densities are not those of the labels, so running EM on hurts as it does for neighbour densities: it ends when
    the rate of wrong labels moves by less than its standard error.
    """

    keeps_best = False
    guards_classes = True
    prior_rows = 20
    """Rows of the average class that each class is given when a probability for each pair of classes is estimated."""

    def __init__(self, probabilities, rows=ALIKE):
        self._logs, self._rows = [centred_logs(p) for p in probabilities], rows
        self.restart()

    def restart(self):
        """Forget what was fitted."""
        with one_blas_thread():
            self._tempered, self._clusters = Tempered(self._logs, self._rows), Clusters(self._logs, self._rows)
        self._fresh = True

    def least_mass(self, size):
        """Two samples: of a rare class most recorded labels may be wrong indeed."""
        return np.minimum(size / 2, 2.0)

    def predicts(self, codes) -> bool:
        """Whether the probabilities predict the recorded labels better than their shares do."""
        size = np.bincount(codes, self._rows.weight)
        by_shares = (size[size > 0] * np.log(size[size > 0] / number_of(codes, self._rows))).sum()
        return _likelihood_without_mistakes(self._logs, codes, self._rows) > by_shares + _A_FEW_PARAMETERS

    def shows_mistakes(self, codes) -> bool:
        """Whether labels are likelier with one rate of wrong ones than by classes that overlap.

        Classifiers of labels that are wrong at one rate are never surer than the share of right ones, which overlap
        cannot explain. At most `_CELLS` cells are looked at, in rows at equal intervals.
        """
        n, n_classes = self._logs[0].shape
        some = slice(None, None, -(-n * n_classes // _CELLS))
        logs, codes, rows = [each[some] for each in self._logs], codes[some], self._rows.of(some)
        start = _em.transition_of(np.full(n_classes, 0.2))
        how = {"kind": "common", "max_iter": 60, "tol": 1e-3, "rows": rows}
        run = _em.run(TemperedEvidence(logs, rows), codes, start, **how)
        return run.reached > _likelihood_without_mistakes(logs, codes, rows) + _A_FEW_PARAMETERS

    def log_joint(self, memberships, log_transition, codes):
        with one_blas_thread():
            if self._fresh:  # what the classifiers say, and not the recorded labels alone
                memberships = softmax(sum(self._logs) / len(self._logs) + log_transition[:, codes].T, axis=1)
                self._fresh = False
            joint = self._clusters.fitted(memberships)
            for _ in range(_NEWTON_STEPS):
                tempered = self._tempered.fitted(memberships)
            joint += tempered
            joint *= 0.5
            return normalised(joint)


class TemperedEvidence:
    """The first of the two views alone: as much overlap as the labels allow."""

    keeps_best = guards_classes = True
    prior_rows = 0

    def __init__(self, logs, rows=ALIKE):
        self._logs, self._rows = logs, rows

    def restart(self):
        self._view = Tempered(self._logs, self._rows)

    def least_mass(self, size):
        return np.zeros(len(size))

    def log_joint(self, memberships, log_transition, codes):
        with one_blas_thread():
            return self._view.fitted(memberships)


def _likelihood_without_mistakes(logs, codes, rows) -> float:
    """Of the recorded labels, by the tempered posterior that fits them best."""
    recorded, view = np.eye(logs[0].shape[1])[codes], Tempered(logs, rows)
    with one_blas_thread():
        for _ in range(10):
            log_q = view.fitted(recorded)
    return float(sum_of(log_q[np.arange(len(codes)), codes], rows))


def opinions_from(probabilities, known, memberships, rows):
    """Memberships of the other samples: tempered probabilities, fitted to the memberships of those that are known."""
    logs = [centred_logs(p) for p in probabilities]
    view = Tempered([each[known] for each in logs], rows)
    with one_blas_thread():
        for _ in range(10):
            view.fitted(memberships)
        return np.exp(view.of([each[~known] for each in logs]))


def centred_logs(probabilities):
    """Logarithms of probabilities, less their mean over the classes."""
    least = min(LEAST, 0.01 / probabilities.shape[1])
    logs = np.clip(probabilities, least, 1.0)
    np.log(logs, out=logs)
    logs -= logs.mean(axis=1, keepdims=True)
    return logs
