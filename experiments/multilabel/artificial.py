"""Section 5.1: what is claimed of the two artificial problems, counted over generated data sets.

Usage: python -m experiments.multilabel.artificial [--repetitions 100]

Features are counted from 1, as in the paper.
"""

import argparse
from collections import Counter

import numpy as np

from tamis import ChiSquare, MultiLabels, MutualInformation, RankingSelector, SequentialSelector
from tamis.datasets import make_multilabel_1, make_multilabel_2

SIZE = 5
RANKINGS = {"chi2, MDL": ChiSquare("mdl"), "chi2, quantiles": ChiSquare("quantile"), "MI": MutualInformation(4)}


def searched(X, Y, direction):
    """All features in the order that they enter, or leave."""
    search = SequentialSelector(
        MutualInformation(4),
        labels=MultiLabels(SIZE),
        direction=direction,
        n_features_to_select=X.shape[1] if direction == "forward" else 1,
    )
    path = search.fit(X, Y).path_
    left = path.subset(1) if direction == "backward" else []
    return [*path.order.tolist(), *left]


def ranked(X, Y, criterion):
    """All features from best to worst, and their scores."""
    selector = RankingSelector(criterion, labels=MultiLabels(SIZE)).fit(X, Y)
    return selector.path_.order.tolist(), selector.scores_


def first_problem(seed) -> dict[str, bool]:
    """Each claim about problem (9), and whether it holds."""
    X, Y, relevant = make_multilabel_1(random_state=seed)
    order = searched(X, Y, "forward")
    holds = {
        "forward: f11 first": order[0] == 10,
        "forward: one each of {5,15}, {3,13}, {4,14} in places 2-4": all(
            len(alike & set(order[1:4])) == 1 for alike in relevant[1:]
        ),
        "forward: {5,15} second": order[1] in (4, 14),
    }
    for name, criterion in RANKINGS.items():
        order, _ = ranked(X, Y, criterion)
        needed = _needed(order, relevant)
        holds |= {
            f"{name}: f5, f15, f11 are the best three": set(order[:3]) == {4, 14, 10},
            f"{name}: f1 or f2 fourth": order[3] in (0, 1),
            f"{name}: 6 to 8 features hold the four needed": 6 <= needed <= 8,
            f"{name}: irrelevant features (f6-f10, f12) last": set(order[-6:]) == {5, 6, 7, 8, 9, 11},
        }
    return holds


def _needed(order, relevant):
    """The least number of best features that has one of each set; f1 and f2 together stand for f11."""
    for n in range(1, len(order) + 1):
        chosen = set(order[:n])
        if ({0, 1} <= chosen or 10 in chosen) and all(alike & chosen for alike in relevant[1:]):
            return n
    raise AssertionError("all features together are enough")


def second_problem(seed) -> dict[str, bool]:
    """Each claim about problem (10), and whether it holds."""
    X, Y, relevant = make_multilabel_2(random_state=seed)
    order = searched(X, Y, "forward")
    places = np.sort([order.index(f) for f in relevant])
    holds = {
        "forward: the three others follow the first relevant one": bool((np.diff(places) == 1).all()),
        "backward: the relevant ones leave last": set(searched(X, Y, "backward")[-4:]) == set(relevant.tolist()),
    }
    holds |= {f"forward: first relevant one in place {place}": places[0] == place - 1 for place in (1, 2, 3, 4, 5)}
    for name, criterion in RANKINGS.items():
        _, scores = ranked(X, Y, criterion)
        if name == "MI":
            holds["MI: no feature above 0.1 nat"] = scores.max() < 0.1
        else:
            holds[f"{name}: zero for every feature"] = bool((scores == 0).all())
            holds[f"{name}: zero for some feature"] = bool((scores == 0).any())
    return holds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=100)
    n = parser.parse_args().repetitions
    print(f"Data sets, of {n}, in which each claim holds (K = 4, no label set is rarer than {SIZE})")
    for title, claims in (("Problem 1 (9)", first_problem), ("Problem 2 (10)", second_problem)):
        counts: Counter = Counter()
        for seed in range(n):
            counts.update({claim: int(holds) for claim, holds in claims(seed).items()})
        print(f"\n{title}\n" + "\n".join(f"{count:>5}  {claim}" for claim, count in counts.items()), flush=True)


if __name__ == "__main__":
    main()
