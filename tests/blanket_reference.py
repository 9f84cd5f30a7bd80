"""A slow twin of the blanket elimination: everything recomputed at every step, transport by linear programming."""

from fractions import Fraction

import numpy as np
from reference import transport
from scipy.stats import hypergeom


def cells(levels, feature, against):
    """Masks of (group, cell), for each group and each level of the feature in it."""
    n = len(levels)
    keys = levels[:, list(against)] if len(against) else np.zeros((n, 1), int)
    for key in np.unique(keys, axis=0):
        group = (keys == key).all(axis=1)
        for level in np.unique(levels[group, feature]):
            yield group, group & (levels[:, feature] == level)


def delta(levels, P, feature, against, divergence, D):
    """Eq. (4) as written."""
    total = 0.0
    for group, cell in cells(levels, feature, against):
        q, p = P[group].sum(axis=0), P[cell].sum(axis=0)
        if p.sum() == 0:
            continue
        q, weight, p = q / q.sum(), p.sum(), p / p.sum()
        if divergence == "kl":
            use = p > 0
            total += weight * (p[use] * np.log(p[use] / q[use])).sum()
        else:
            total += weight * transport(p, q, D)
    return total / P.sum()


def null_by_chance(levels, P, feature, against, divergence, tree):
    """The mean of delta over all permutations within the groups, by the hypergeometric distribution; whole P."""
    total = 0.0
    for group, cell in cells(levels, feature, against):
        in_group, n_gx = P[group].sum(axis=0), int(P[cell].sum())
        n_g = int(in_group.sum())
        if divergence == "kl":
            for n_gy in in_group[in_group > 0].astype(int):
                h = np.arange(0, min(n_gx, n_gy) + 1)
                terms = np.where(h > 0, h * np.log(np.maximum(h, 1) * n_g / (n_gx * n_gy)), 0.0)
                total += hypergeom(n_g, n_gy, n_gx).pmf(h) @ terms
        else:
            for weight, below in zip(tree.weights, tree.below.T, strict=True):
                n_ge = int(in_group[below].sum())
                h = np.arange(0, n_gx + 1)
                total += weight * (hypergeom(n_g, n_ge, n_gx).pmf(h) @ np.abs(h - n_ge * n_gx / n_g))
    return total / P.sum()


def null_by_permutation(levels, P, feature, against, divergence, D, keys):
    """The mean over permutations: in each group those sorted by key get the levels in their own order."""
    found = []
    n = len(levels)
    groups = levels[:, list(against)] if len(against) else np.zeros((n, 1), int)
    for key in keys:
        moved = levels.copy()
        for group in np.unique(groups, axis=0):
            members = np.flatnonzero((groups == group).all(axis=1))
            moved[members[np.argsort(key[members], kind="stable")], feature] = levels[members, feature]
        # The companions keep their levels; only the feature itself has moved.
        found.append(delta(moved, P, feature, against, divergence, D))
    return np.mean(found)


def combined(levels, groups):
    """The combinations of levels that occur in each group as levels, the last member's being the first to sort by."""
    return np.column_stack(
        [np.unique(levels[:, list(group)[::-1]], axis=0, return_inverse=True)[1].ravel() for group in groups]
    )


def companions(values, feature, alive, n_companions):
    """The features left of largest absolute correlation, compared exactly; whole values.

    A feature has a column of `values`, or several: a list of tables then.
    """
    blocks = [table.T for table in values] if isinstance(values, list) else np.asarray(values).T[:, None]
    blocks = [[[int(v) for v in column] for column in block] for block in blocks]
    n = len(blocks[0][0])

    def moment(a, b):
        return n * sum(u * v for u, v in zip(a, b, strict=True)) - sum(a) * sum(b)

    def squared(a, b):
        spread = moment(a, a) * moment(b, b)
        return Fraction(moment(a, b) ** 2, spread) if spread else Fraction(0)

    closeness = {j: max(squared(a, b) for a in blocks[feature] for b in blocks[j]) for j in alive if j != feature}
    return sorted(closeness, key=lambda j: (-closeness[j], j))[:n_companions]


def eliminate(values, levels, n_companions, judge, tolerance, corrected):
    """Order of removal and deltas; `judge(feature, against)` gives (raw, null)."""
    alive, order, deltas = list(range(levels.shape[1])), [], []
    while len(alive) > 1:
        found = {f: judge(f, companions(values, f, alive, n_companions)) for f in alive}
        delta = {f: raw - null for f, (raw, null) in found.items()}
        nothing = [f for f in alive if corrected and found[f][0] <= tolerance]
        least = min(delta.values())
        leaves = min(nothing) if nothing else min(f for f in alive if delta[f] <= least + tolerance)
        alive.remove(leaves)
        order.append(leaves)
        deltas.append(delta[leaves])
    return order, deltas
