"""Slow twins of the kernels: the formulas as written, one sample and one class at a time."""

import numpy as np
from scipy.optimize import linprog
from scipy.special import digamma, gammaln

from tamis._validation import Rows

TIE = 1 + 1e-9
ALIKE = Rows()
LEFT_OUT = 1e-3


def gap_constants(X, rows=ALIKE):
    """Twice the variance of the values of each column; zero if it has none."""
    X = X - [x[~np.isnan(x)][0] if not np.isnan(x).all() else 0.0 for x in X.T]
    weight = rows.weights(len(X))[:, None] * ~np.isnan(X)
    total = np.maximum(weight.sum(axis=0), 1e-300)
    away = np.nan_to_num(X - (weight * np.nan_to_num(X)).sum(axis=0) / total)
    return 2 * (weight * away**2).sum(axis=0) / total


def squared_distances(X, i, rows=ALIKE):
    """Of all rows from row i; a gap counts its constant, and a row is at no distance from itself."""
    squares = (X - X[i]) ** 2
    d2 = squares.sum(axis=1)
    if np.isnan(d2).any():
        d2 = np.where(np.isnan(squares), gap_constants(X, rows), squares).sum(axis=1)
    d2[i] = 0.0
    return d2


def around(i, n, include_self, rows=ALIKE):
    """How often each row counts around row i: not at all if it is of its group, itself once or not at all."""
    times = np.ones(n) if rows.weight is None else rows.weight.astype(float)
    times[i if rows.group is None else rows.group == rows.group[i]] = 0
    times[i] = include_self
    return times


def balls(X, i, weights, k, include_self, rows=ALIKE):
    """Squared radius, weight inside and number inside of the ball around i that holds weight k; -1 without others."""
    d2, times = squared_distances(X, i, rows), around(i, len(X), include_self, rows)
    mass = times * weights
    goal = min(k, mass.sum()) - 1e-9
    if goal <= 0:
        return -1.0, 0.0, 0
    members = np.flatnonzero(mass)
    order = members[np.argsort(d2[members], kind="stable")]
    r2 = d2[order[np.argmax(np.cumsum(mass[order]) >= goal)]]
    inside = d2 <= r2 * TIE
    return r2, mass[inside].sum(), times[inside].sum()


def class_size(memberships, i, s, include_self, rows=ALIKE):
    """What is around row i and, if it does not count itself, one for itself."""
    return around(i, len(memberships), include_self, rows) @ memberships[:, s] + (not include_self)


def has_a_term(memberships, i, s, include_self, rows=ALIKE):
    """Whether row i has a term of class s in the count form: not if it has next to nothing of it."""
    share = memberships[i]
    as_small = share[share <= share[s] * TIE].sum()
    rare = around(i, len(memberships), include_self, rows) @ memberships[:, s] < 1
    return share[s] > 0 and (rare or as_small > LEFT_OUT * share.sum() * TIE)


def without_company(memberships, s, rows=ALIKE):
    """Whether nothing of a class, or less than one row where rows have weights, is outside the group that has most."""
    held = rows.weights(len(memberships)) * memberships[:, s]
    group = np.arange(len(held)) if rows.group is None else rows.group
    rest = held.sum() - max(held[group == g].sum() for g in np.unique(group))
    return rest < (1e-6 if rows.weight is None else 1 - 1e-6)


def mutual_information(X, memberships, k=8, estimator="count", include_self=False, rows=ALIKE, whole=False):
    """`whole`: small memberships have their terms too; those in a class without company never have."""
    n, d = X.shape
    alone = [without_company(memberships, s, rows) for s in range(memberships.shape[1])]
    memberships = np.where(alone, 0.0, memberships)
    everybody = np.ones(n)
    total = 0.0
    for i, times in enumerate(rows.weights(n)):
        r2_all, _, k_all = balls(X, i, everybody, k, False, rows)
        n_around = around(i, n, False, rows).sum() + 1
        for s in np.flatnonzero(memberships[i] > 0):
            if estimator == "count" and not whole and not has_a_term(memberships, i, s, include_self, rows):
                continue
            r2, weight, inside = balls(X, i, memberships[:, s], k, include_self, rows)
            if r2 < 0:
                continue
            term = digamma(weight) - digamma(class_size(memberships, i, s, include_self, rows)) + digamma(n_around)
            if estimator == "count" or r2_all == 0 or r2 == 0:
                term -= digamma(inside)
            else:
                term += d / 2 * (np.log(r2_all) - np.log(r2)) - digamma(k_all)
            total += times * memberships[i, s] * term
    return total / rows.weights(n).sum()


def bayes_risk(X, memberships, k=8, include_self=False, printed=False, rows=ALIKE):
    """Both forms: errors of the decision (eq. 10), one minus the largest posterior (eq. 11)."""
    n, d = X.shape
    mass = rows.weighted(memberships).sum(axis=0)
    count = expected = 0.0
    for i, times in enumerate(rows.weights(n)):
        score = np.full(len(mass), -np.inf)
        r2 = np.full(len(mass), np.inf)
        for s in np.flatnonzero(mass > 0):
            reached, weight, _ = balls(X, i, memberships[:, s], k, include_self, rows)
            if reached < 0:
                continue
            r2[s] = reached
            size = mass[s] if printed else class_size(memberships, i, s, include_self, rows)
            score[s] = digamma(weight) - digamma(size) + np.log(mass[s])
        if (r2 == 0).any():
            score[r2 > 0] = -np.inf
        elif np.isinf(score).all():  # nobody is around: the decision is any of the classes
            count += times * (1 - memberships[i].mean())
            expected += times * (1 - 1 / len(mass))
            continue
        else:
            score -= d / 2 * np.log(r2)
        posterior = np.exp(score - score.max())
        posterior /= posterior.sum()
        best = np.flatnonzero(score >= score.max() - 1e-10)[0]
        count += times * (1 - memberships[i, best])
        expected += times * (1 - posterior.max())
    return count / rows.weights(n).sum(), expected / rows.weights(n).sum()


def neighbor_cost(X, costs, k=8, rows=ALIKE):
    """Mean of costs[i, j] over the others j in the ball of row i, then over the rows; none where nobody is around."""
    n = len(X)
    total = 0.0
    for i, times in enumerate(rows.weights(n)):
        r2, weight, _ = balls(X, i, np.ones(n), k, False, rows)
        if r2 >= 0:
            inside = around(i, n, False, rows) * (squared_distances(X, i, rows) <= r2 * TIE)
            total += times * (inside @ costs[i]) / weight
    return total / rows.weights(n).sum()


def twin(quantity, X, memberships, k, include_self=False, rows=ALIKE):
    """The slow value of a quantity, as the kernel's (value, tie_break)."""
    if quantity == "risk":
        return np.array(bayes_risk(X, memberships, k, include_self, rows=rows))
    return np.array([mutual_information(X, memberships, k, quantity, include_self, rows), 0.0])


def entropy(X, k=8, rows=ALIKE):
    n, d = X.shape
    total = 0.0
    for i, times in enumerate(rows.weights(n)):
        r2, _, inside = balls(X, i, np.ones(n), k, False, rows)
        n_around = around(i, n, False, rows).sum() + 1
        total += times * (d / 2 * np.log(4 * r2) - digamma(inside) + digamma(n_around))
    log_unit_diameter_ball = d / 2 * np.log(np.pi) - d * np.log(2) - gammaln(d / 2 + 1)
    return total / rows.weights(n).sum() + log_unit_diameter_ball


def class_log_densities(X, memberships, k, include_self=False, dimension=None, rows=ALIKE):
    """Logarithm of eq. 15; minus infinity for a class with nobody else, and points as wide as the smallest ball."""
    n, d = X.shape
    d = d if dimension is None else dimension
    r2 = np.full(memberships.shape, -1.0)
    weight, size = np.ones(memberships.shape), np.ones(memberships.shape)
    for i in range(n):
        for s in range(memberships.shape[1]):
            r2[i, s], found, _ = balls(X, i, memberships[:, s], k, include_self, rows)
            if r2[i, s] >= 0:
                weight[i, s], size[i, s] = found, class_size(memberships, i, s, include_self, rows)
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
