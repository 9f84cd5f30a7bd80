"""Whether the fast search is the plain one: the same order of elimination, the same scores."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tamis import MutualInformation

from .backward import ESTIMATORS, search
from .baselines import BRUTE, TREES, PlainInformation, backward_visits, sizes_to_time, time_prefixes, whole_search
from .data import badly_scaled, mixture
from .plan import Plan
from .report import Row
from .timing import Stopwatch


def plain_backward(score, n_features):
    """Order of elimination, and score of each subset on the way, all features first.

    Of removals equally good up to rounding the last column goes, which is the rule that tamis documents.
    """
    subset, order = list(range(n_features)), []
    scores = [score(subset)]
    while len(subset) > 1:
        candidates = np.array([score([g for g in subset if g != f]) for f in subset])
        top = candidates.max()
        leaves = np.flatnonzero(candidates >= top - 1e-10 * max(1.0, abs(top)))[-1]
        scores.append(candidates[leaves])
        order.append(subset.pop(leaves))
    return order, np.array(scores)


def rows(plan: Plan) -> Iterator[Row]:
    X, y = mixture(plan.agreement)
    d = plan.agreement.n_features
    for condition, Z in (("", X), (", a feature x 1000", badly_scaled(X))):
        for estimator in ESTIMATORS:
            path = search(Z, y, MutualInformation(estimator=estimator)).path_
            for plain in (BRUTE, TREES):
                watch = Stopwatch()
                score = PlainInformation(Z, y, plain, estimator)
                order, scores = watch.time("whole", plain_backward, score, d)
                title = f"{estimator}: {plain.title}{condition}"
                yield _agreement(plan, title, watch, path, order, scores)
                if not condition:
                    time_prefixes(watch, "prefixes", score, sizes_to_time(d))
                    guess = whole_search(watch, "prefixes", backward_visits(d))
                    yield Row(plan.agreement, "  the same, interpolated", guess, interpolated=True)


def _agreement(plan, title, watch, path, order, scores):
    """Scores are compared as far as the orders agree."""
    same = path.order.tolist() == order
    common = len(order) if same else int(np.argmax(path.order != np.array(order)))
    difference = float(np.abs(path.scores[: common + 1] - scores[: common + 1]).max())
    return Row(plan.agreement, title, watch.best["whole"], difference, "nats", same=same)
