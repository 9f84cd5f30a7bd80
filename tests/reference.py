"""Slow twins of the kernels: the formulas as written, one sample and one class at a time."""

import numpy as np
from scipy.special import digamma, gammaln

TIE = 1 + 1e-9


def balls(X, i, weights, k, include_self):
    """Squared radius, weight inside and number inside of the ball around i that holds weight k."""
    d2 = ((X - X[i]) ** 2).sum(axis=1)
    others = np.ones(len(X), bool)
    others[i] = include_self
    goal = min(k, weights[others].sum()) - 1e-9
    members = np.flatnonzero(others & (weights > 0))
    order = members[np.argsort(d2[members], kind="stable")]
    reached = np.cumsum(weights[order])
    r2 = d2[order[np.argmax(reached >= goal)]]
    inside = others & (d2 <= r2 * TIE)
    return r2, weights[inside].sum(), inside.sum()


def class_size(memberships, i, s, include_self):
    total = memberships[:, s].sum()
    return total if include_self else total - memberships[i, s] + 1


def mutual_information(X, memberships, k=8, estimator="count", include_self=False):
    n, d = X.shape
    everybody = np.ones(n)
    total = 0.0
    for i in range(n):
        r2_all, _, k_all = balls(X, i, everybody, min(k, n - 1), False)
        for s in np.flatnonzero(memberships[i] > 0):
            r2, weight, inside = balls(X, i, memberships[:, s], k, include_self)
            term = digamma(weight) - digamma(class_size(memberships, i, s, include_self)) + digamma(n)
            if estimator == "count" or r2_all == 0 or r2 == 0:
                term -= digamma(inside)
            else:
                term += d / 2 * (np.log(r2_all) - np.log(r2)) - digamma(k_all)
            total += memberships[i, s] * term
    return total / n


def bayes_risk(X, memberships, k=8, include_self=False):
    """Both forms: errors of the decision (eq. 10), one minus the largest posterior (eq. 11)."""
    n, d = X.shape
    mass = memberships.sum(axis=0)
    count = expected = 0.0
    for i in range(n):
        score = np.full(len(mass), -np.inf)
        r2 = np.full(len(mass), np.inf)
        for s in np.flatnonzero(mass > 0):
            r2[s], weight, _ = balls(X, i, memberships[:, s], k, include_self)
            score[s] = digamma(weight) - digamma(class_size(memberships, i, s, include_self)) + np.log(mass[s])
        if (r2 == 0).any():
            score[r2 > 0] = -np.inf
        else:
            score -= d / 2 * np.log(r2)
        posterior = np.exp(score - score.max())
        posterior /= posterior.sum()
        best = np.flatnonzero(score >= score.max() - 1e-10)[0]
        count += 1 - memberships[i, best]
        expected += 1 - posterior.max()
    return count / n, expected / n


def entropy(X, k=8):
    n, d = X.shape
    total = 0.0
    for i in range(n):
        r2, _, inside = balls(X, i, np.ones(n), k, False)
        total += d / 2 * np.log(4 * r2) - digamma(inside)
    log_unit_diameter_ball = d / 2 * np.log(np.pi) - d * np.log(2) - gammaln(d / 2 + 1)
    return digamma(n) + total / n + log_unit_diameter_ball
