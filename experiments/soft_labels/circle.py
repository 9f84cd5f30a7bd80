"""Where the weighted Laplacian score is blind: a circle of radius 0.3, and joint information from the same labels.

Usage: python -m experiments.soft_labels.circle [--repetitions 50]

500 samples, 6 features of which the first two matter, no sample between radii r and r + 0.05, mean doubt 0.25. Prints
how many per cent of the relevant features are among the two chosen.
"""

import argparse

import numpy as np

from tamis import RankingSelector, SequentialSelector
from tamis.datasets import make_circle, uncertain_expert

RADII = (0.2, 0.3, 0.4)
DOUBT = 0.25
SELECTORS = {
    "weighted Laplacian score": RankingSelector(labels="soft", n_features_to_select=2),
    "information, one feature at a time": RankingSelector("mutual_information", labels="soft", n_features_to_select=2),
    "joint information, backward": SequentialSelector(labels="soft", n_features_to_select=2),
    "joint information, forward": SequentialSelector(labels="soft", direction="forward", n_features_to_select=2),
    "joint risk, backward": SequentialSelector("bayes_risk", labels="soft", n_features_to_select=2),
}


def found(selector, radius, seed):
    random = np.random.RandomState(seed)
    X, y, relevant = make_circle(radius=radius, random_state=random)
    memberships = uncertain_expert(y, DOUBT, random_state=random).memberships
    return 100 * selector.fit(X, memberships).support_[relevant].mean()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=50)
    n = parser.parse_args().repetitions
    print(f"{n} data sets, standard errors in brackets\n\n{'radius':<36}" + "".join(f"{r:>14.1f}" for r in RADII))
    for name, selector in SELECTORS.items():
        line = f"{name:<36}"
        for radius in RADII:
            runs = [found(selector, radius, seed) for seed in range(n)]
            line += f"{np.mean(runs):>8.1f} ({np.std(runs, ddof=1) / np.sqrt(n):3.1f})"
        print(line, flush=True)


if __name__ == "__main__":
    main()
