"""Sinkhorn with the paper's entropic regularisation beside the exact distance, on Enron words.

Usage: python -m experiments.class_distance.sinkhorn DATA [--words 60]

The paper minimises tr(Q'D) - H(Q)/lambda by matrix balancing and does not state its lambda; the cost of that Q is then
no distance: W(p, p) > 0. The same elimination is run with it on the most frequent words of the official training part
(one copy per label, hierarchy of labels), down to one word.
"""

import argparse
import time
from functools import partial
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.stats import kendalltau, spearmanr

from experiments.class_distance.enron import Mail
from tamis import wasserstein
from tamis.distances.correlates import Correlates
from tamis.estimates.blanket import Deltas
from tamis.search import eliminate

LAMBDAS = (1, 10, 50, 100)
ROUNDS = (1000, 5000)
TOLERANCE = 1e-6
FIRST = 20


class Balanced(NamedTuple):
    """Costs of balanced matrices pair by pair, how far their rows are off at most, and the rounds it took."""

    costs: np.ndarray
    off: float
    rounds: int


def sinkhorn(p, q, D, sharpness, most=1000) -> Balanced:
    """Balance until the rows sum to p within 1e-6, or for so many rounds; the columns then sum to q.

    The kernel does not underflow as long as lambda times the largest distance is below 700; here it is 150.
    """
    kernel = np.exp(-sharpness * D)
    columns, off = np.ones_like(q), np.inf
    for done in range(1, most + 1):
        rows = p / (columns @ kernel.T)
        columns = q / (rows @ kernel)
        if done % 10 == 0:
            off = np.abs(rows * (columns @ kernel.T) - p).sum(axis=1).max()
            if off < TOLERANCE:
                break
    return Balanced((rows * (columns @ (kernel * D).T)).sum(axis=1), off, done)


class Judge:
    """Deltas of binary features with any way to compare distributions."""

    tolerance = 1e-10

    def __init__(self, X, P, compare):
        self.X, self.P, self.compare = X.astype(int), P, compare

    def deltas(self, features, against):
        found = []
        for feature, others in zip(features, against, strict=True):
            p, q, weights = self.distributions(feature, others)
            found.append(weights @ self.compare(p, q).costs)
        return Deltas(np.array(found), np.zeros(len(found)))

    def distributions(self, feature, others):
        """p(Y|G, X), p(Y|G) and p(G, X) for every cell that occurs."""
        group = self.X[:, others] @ (1 << np.arange(len(others)))
        counts = np.zeros((1 << len(others), 2, self.P.shape[1]))
        np.add.at(counts, (group, self.X[:, feature]), self.P)
        whole = np.broadcast_to(counts.sum(axis=1, keepdims=True), counts.shape)
        used = counts.sum(axis=2) > 0
        p, q = counts[used], whole[used]
        weights = p.sum(axis=1)
        return p / weights[:, None], q / q.sum(axis=1, keepdims=True), weights / len(self.X)


def order(X, judge):
    steps = eliminate(Correlates(X, 3), judge, X.shape[1])
    return [removal.step.feature for removal in steps if removal.step.feature is not None]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of the data sets")
    parser.add_argument("--words", type=int, default=60)
    asked = parser.parse_args()
    mail = Mail(asked.data)
    X, y = mail.copies(mail.official)
    X = X[:, np.sort(np.argsort(-X.sum(axis=0), kind="stable")[: asked.words])]
    classes, codes = np.unique(y, return_inverse=True)
    distance, P = mail.distance.for_classes(classes, extra="drop"), np.eye(len(classes))[codes]
    print(f"{asked.words} words, {len(classes)} labels; deltas of the first step, then the whole elimination\n")
    print(f"{'lambda':<8}{'most':>6}{'rows off':>10}{'W(p, p)':>9}{'mean delta':>12}{'rank corr.':>12}", end="")
    print(f"{f'first {FIRST} kept':>15}{'tau of orders':>15}{'us / distance':>15}")
    ways = {("exact", "-"): lambda p, q: Balanced(wasserstein(p, q, distance), 0.0, 0)}
    for sharpness, most in product(LAMBDAS, ROUNDS):
        ways[sharpness, most] = partial(sinkhorn, D=distance.matrix, sharpness=sharpness, most=most)
    everyone, correlates = np.arange(X.shape[1]), Correlates(X, 3)
    against = [correlates.of(f) for f in everyone]
    true_delta = true_order = None
    for name, compare in ways.items():
        judge = Judge(X, P, compare)
        cells = [judge.distributions(f, g) for f, g in zip(everyone, against, strict=True)]
        p, q = (np.vstack(part) for part in list(zip(*cells, strict=True))[:2])
        start = time.process_time()
        off = compare(p, q).off
        seconds, own = time.process_time() - start, compare(q, q).costs.mean()
        delta, found = judge.deltas(everyone, against).raw, order(X, judge)
        if true_delta is None:
            true_delta, true_order = delta, found
        common = len(set(found[:FIRST]) & set(true_order[:FIRST]))
        tau = kendalltau(np.argsort(found), np.argsort(true_order)).statistic
        shown = f"{name[0]:<8}{name[1]:>6}{off:>10.0e}{own:>9.4f}{delta.mean():>12.4f}"
        shown += f"{spearmanr(delta, true_delta).statistic:>12.3f}{common:>15}{tau:>15.3f}"
        print(shown + f"{1e6 * seconds / len(p):>15.1f}", flush=True)


if __name__ == "__main__":
    main()
