"""The density of each class at each sample, and the probability of each class given its features."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import digamma, gammaln, softmax

from .. import _kernels
from ..distances.balls import ALIKE, centred, class_sizes, kept_memberships, log2_scale
from ..distances.gaps import Gaps

_ROWS = 512
_SLACK = 1e-6
_TIE = 1e-10


class Posterior(NamedTuple):
    """Probabilities p(s|x_i), log p(x_i|s), and the place of the most probable class."""

    posterior: np.ndarray
    log_density: np.ndarray
    decision: np.ndarray


def posterior_of(X, memberships, *, rows=ALIKE, n_neighbors=8, include_self=False, n_threads=1) -> Posterior:
    r"""Posterior of the classes at every sample, from the balls that the risk is estimated with.

    .. math:: \log p(x_i|s) = \psi(\Gamma(s|i)) - \psi(N_i(s)) - \log c_d - d \log r(s|i)

    The prior of a class is its share of the memberships. Rows without memberships are in no ball but have a posterior.
    If the ball of some class at a sample has radius zero, only such classes are possible there; where no class has any
    other row, all are equally probable. Missing values, weights and groups: see `tamis.distances.balls.BallScan`.
    """
    memberships = kept_memberships(memberships)
    weight, r2 = _balls(X, memberships, rows, n_neighbors, include_self, n_threads)
    mass, d = rows.weighted(memberships).sum(axis=0), X.shape[1]
    nobody = r2 < 0
    if rows.are_alike:
        sizes = mass if include_self else mass - memberships + 1.0
    else:
        sizes = class_sizes(memberships, rows, include_self)
    with np.errstate(divide="ignore", invalid="ignore"):
        log_weight = np.where(nobody, -np.inf, digamma(np.where(nobody, 1.0, weight)) - digamma(sizes))
        log_volume = np.where(nobody, 0.0, d / 2 * np.log(np.where(nobody, 1.0, r2)))
        prior = np.log(mass / mass.sum())
    zero = np.isneginf(log_volume)
    at_a_point = zero.any(axis=1, keepdims=True)
    score = log_weight + prior - np.where(at_a_point, np.where(zero, 0.0, np.inf), log_volume)
    log_unit_ball = d / 2 * np.log(np.pi) - gammaln(d / 2 + 1) + d * log2_scale(X) * np.log(2)
    score[np.isneginf(score).all(axis=1)] = 0.0  # no class has anybody else: all are equally probable
    decision = np.argmax(score >= score.max(axis=1, keepdims=True) - _TIE, axis=1)
    return Posterior(softmax(score, axis=1), log_weight - log_volume - log_unit_ball, decision)


def _balls(X, memberships, known, n_neighbors, include_self, n_threads):
    """Weight and squared radius of the ball of each class around each row; -1 where a class has nobody else.

    Radii are of coordinates divided by 2 ** log2_scale(X).
    """
    Z, cpu = centred(X), _kernels.cpu_level()
    gaps = Gaps(Z, known.weight).of(range(Z.shape[1]))
    group = None if known.group is None else known.group.astype(np.int32)
    about = {"group": group, "weight": known.weight}
    asked = _kernels.ask_about_memberships(known.weighted(memberships), "risk", n_neighbors, include_self, **about)
    weight, r2 = np.empty_like(memberships), np.empty_like(memberships)
    for begin in range(0, len(Z), _ROWS):
        rows = np.arange(begin, min(begin + _ROWS, len(Z)), dtype=np.int32)
        limits = _kernels.radii(asked, Z, rows, n_threads, cpu, gaps)[rows].max(axis=1) * (1 + _SLACK)
        for reach in (limits, np.full(len(rows), np.inf)):
            lists = _kernels.orders(Z, reach, rows, n_threads, cpu, gaps, group)
            weight[rows], r2[rows] = _kernels.grow(asked, rows, *lists, n_threads, cpu)
            if np.isfinite(r2[rows]).all():
                break
    return weight, r2
