"""Slow twins of the kernels: the formulas as written, one sample and one class at a time."""

import numpy as np
from scipy.optimize import linprog
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


def bayes_risk(X, memberships, k=8, include_self=False, printed=False):
    """Both forms: errors of the decision (eq. 10), one minus the largest posterior (eq. 11)."""
    n, d = X.shape
    mass = memberships.sum(axis=0)
    count = expected = 0.0
    for i in range(n):
        score = np.full(len(mass), -np.inf)
        r2 = np.full(len(mass), np.inf)
        for s in np.flatnonzero(mass > 0):
            r2[s], weight, _ = balls(X, i, memberships[:, s], k, include_self)
            size = mass[s] if printed else class_size(memberships, i, s, include_self)
            score[s] = digamma(weight) - digamma(size) + np.log(mass[s])
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


def twin(quantity, X, memberships, k, include_self=False):
    """The slow value of a quantity, as the kernel's (value, tie_break)."""
    if quantity == "risk":
        return np.array(bayes_risk(X, memberships, k, include_self))
    return np.array([mutual_information(X, memberships, k, quantity, include_self), 0.0])


def entropy(X, k=8):
    n, d = X.shape
    total = 0.0
    for i in range(n):
        r2, _, inside = balls(X, i, np.ones(n), k, False)
        total += d / 2 * np.log(4 * r2) - digamma(inside)
    log_unit_diameter_ball = d / 2 * np.log(np.pi) - d * np.log(2) - gammaln(d / 2 + 1)
    return digamma(n) + total / n + log_unit_diameter_ball


def class_log_densities(X, memberships, k, include_self=False, dimension=None):
    """Logarithm of eq. 15; minus infinity for a class with nobody else, and points as wide as the smallest ball."""
    n, d = X.shape
    d = d if dimension is None else dimension
    r2 = np.full(memberships.shape, -1.0)
    weight, size = np.ones(memberships.shape), np.ones(memberships.shape)
    for i in range(n):
        for s in range(memberships.shape[1]):
            others = memberships[:, s].sum() - (0 if include_self else memberships[i, s])
            if others > 1e-9:
                r2[i, s], weight[i, s], _ = balls(X, i, memberships[:, s], k, include_self)
                size[i, s] = class_size(memberships, i, s, include_self)
    smallest = r2[r2 > 0].min() if (r2 > 0).any() else 1.0
    log_unit_ball = d / 2 * np.log(np.pi) - gammaln(d / 2 + 1)
    value = digamma(weight) - digamma(size) - log_unit_ball - d / 2 * np.log(np.where(r2 > 0, r2, smallest))
    return np.where(r2 < 0, -np.inf, value)


def noise_em(X, codes, rates, k, n_iter, include_self=False, dimension=None, trusted=()):
    """Memberships and rates per class after each iteration of eqs. 26-29, from the recorded labels.

    The recorded labels of trusted classes stand.
    """
    n_classes = codes.max() + 1
    gamma, rates = np.eye(n_classes)[codes], np.asarray(rates, dtype=float)
    for _ in range(n_iter):
        p = np.exp(class_log_densities(X, gamma, k, include_self, dimension)) * gamma.mean(axis=0)
        for i, y in enumerate(codes):
            for s in range(n_classes):
                p[i, s] *= 1 - rates[s] if s == y else rates[s] / (n_classes - 1)
        gamma = p / p.sum(axis=1, keepdims=True)
        for s in trusted:
            gamma[codes == s] = np.eye(n_classes)[s]
        wrong = np.eye(n_classes)[codes] == 0
        rates = (gamma * wrong).sum(axis=0) / gamma.sum(axis=0)
        yield gamma, rates


def weighted_laplacian(X, memberships):
    """Eqs. (3)-(5) of Doquire and Verleysen (2012), pair by pair as in eq. (6)."""
    similar = memberships @ memberships.T
    apart = (X[:, None, :] - X[None, :, :]) ** 2
    return np.einsum("ij,ijf->f", similar, apart) / np.einsum("ij,ijf->f", 1 - similar, apart)


def laplacian(X, k, width, power=1):
    """Eqs. (1)-(2) of the same paper, with full matrices."""
    n = len(X)
    d = np.sqrt(((X[:, None] - X[None]) ** 2).sum(axis=2))
    S = np.zeros((n, n))
    for i in range(n):
        others = [j for j in np.argsort(d[i], kind="stable") if j != i][:k]
        S[i, others] = S[others, i] = np.exp(-(d[i, others] ** power) / width)
    D = np.diag(S.sum(axis=1))
    F = X - (np.ones(n) @ D @ X) / D.sum()
    return np.diag(F.T @ (D - S) @ F) / np.diag(F.T @ D @ F)


def dawid_skene(codes, n_classes, smoothing, n_iter):
    """EM over items, annotators and classes, one at a time; codes are -1 where there is no answer."""
    n, n_annotators = codes.shape
    T = np.array([[np.mean([a == s for a in row[row >= 0]]) for s in range(n_classes)] for row in codes])
    for _ in range(n_iter):
        counts = np.zeros((n_annotators, n_classes, n_classes))
        for i in range(n):
            for a in np.flatnonzero(codes[i] >= 0):
                counts[a, :, codes[i, a]] += T[i]
        pooled = counts.sum(axis=0) / counts.sum(axis=(0, 2))[:, None]
        confusion = counts + smoothing * pooled
        confusion /= confusion.sum(axis=2, keepdims=True)
        priors = T.mean(axis=0)
        for i in range(n):
            likelihood = priors.copy()
            for a in np.flatnonzero(codes[i] >= 0):
                likelihood *= confusion[a, :, codes[i, a]]
            T[i] = likelihood / likelihood.sum()
    return T, confusion


def transport(p, q, distance):
    """Least cost of moving p onto q as a linear programme: rows of the plan sum to p, columns to q."""
    n = len(p)
    sums = np.vstack([np.kron(np.eye(n), np.ones(n)), np.kron(np.ones(n), np.eye(n))])
    plan = linprog(np.ravel(distance), A_eq=sums, b_eq=np.concatenate([p, q]), method="highs")
    assert plan.status == 0, plan.message
    return plan.fun
