"""Memberships as given and the features together."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp, softmax

from .._kernels.blas import one_blas_thread
from ._evidence import centred_logs
from ._tempered import Tempered
from ._weights import mean_of, sum_of

_MOST_ROUNDS, _FEWEST_ITERATIONS, _MOST_ITERATIONS = 4, 5, 50
_TOLERANCE = 1e-4
_LEAST = 1e-6
"""Memberships are taken to be at least this."""

_SIGNIFICANT = 1.92
"""Half the square of the 97.5 % point of a normal distribution: the test of one parameter at a level of 5 %."""


class Refined(NamedTuple):
    """Memberships of all evidence, those given to the power `trust`, and that power."""

    memberships: np.ndarray
    given: np.ndarray
    trust: float


def refined(given, classify, rows) -> Refined:
    r"""EM over the class of each row, with classifiers that are trained again on what it finds.

    The posterior of a row is :math:`p(s) \propto q(s|x)\, m_\alpha(s) / \pi_\alpha(s)`: the tempered probabilities of
    classifiers that have not seen it (`Tempered`), times its memberships as given, to the power alpha and divided by
    their sum, over their mean in all rows. Exponents and alpha are those of highest likelihood,
    :math:`\sum_i \log \sum_s q(s|x_i)\, m_\alpha(s) / \pi_\alpha(s)`: memberships that are surer than they are right
    contradict the features and get a power below one. It is one unless a smaller one is significantly likelier. Rows
    of zeros have what the features say.

    `classify(codes)` gives out-of-sample probabilities of classifiers that learn the rows whose code is not -1.
    """
    known = given.any(axis=1)
    logs_given, its_rows = np.log(np.maximum(given[known], _LEAST)), rows.of(known)
    memberships, trust = given.copy(), 1.0
    codes = _codes(given, known)
    for _ in range(_MOST_ROUNDS):
        logs = [centred_logs(p) for p in classify(codes)]
        view = Tempered([each[known] for each in logs], its_rows)
        with one_blas_thread():
            memberships[known], trust = _em(view, memberships[known], logs_given, its_rows)
            memberships[~known] = np.exp(view.of([each[~known] for each in logs]))
        codes, before = _codes(memberships, known), codes
        if (codes == before).all():
            break
    tempered = np.zeros_like(given)
    tempered[known] = softmax(trust * logs_given, axis=1)
    return Refined(memberships, tempered, trust)


def _codes(memberships, known):
    return np.where(known, memberships.argmax(axis=1), -1)


def _em(view, memberships, logs_given, rows):
    for iteration in range(_MOST_ITERATIONS):
        log_q = view.fitted(memberships)
        trust = _trust(log_q, logs_given, rows)
        before, memberships = memberships, softmax(log_q + _evidence(trust, logs_given, rows), axis=1)
        if iteration >= _FEWEST_ITERATIONS and np.abs(memberships - before).mean() < _TOLERANCE:
            break
    return memberships, trust


def _evidence(trust, logs_given, rows):
    """What the memberships to this power say beyond the shares of the classes."""
    tempered = softmax(trust * logs_given, axis=1)
    return np.log(tempered / mean_of(tempered, rows))


def _trust(log_q, logs_given, rows):
    def surprise(power):
        return -sum_of(logsumexp(log_q + _evidence(power, logs_given, rows), axis=1), rows)

    found = minimize_scalar(surprise, bounds=(0.0, 1.0), method="bounded", options={"xatol": 0.01})
    return float(found.x) if surprise(1.0) > found.fun + _SIGNIFICANT else 1.0
