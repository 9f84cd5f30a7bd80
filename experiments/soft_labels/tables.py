"""Tables 1-5 of Doquire and Verleysen (2012): the share of relevant features among the best ranked.

Usage: python -m experiments.soft_labels.tables [--repetitions 500]

Prints, for every cell, the paper (50 repetitions), an independent slow implementation (500 repetitions), ours with its
standard error, and z, the difference from that implementation in units of both standard errors.
"""

import argparse

import numpy as np

from tamis import weighted_laplacian_score
from tamis.datasets import make_circle, make_spheres, make_squares, make_y4, make_y5, uncertain_expert

LABELS = ("WLS", "ymax", "yerror")
"""Probabilities, the most probable class, and the class recorded."""

PROBLEMS = {
    "spheres": make_spheres,
    "squares": make_squares,
    "circle": make_circle,
    "Y4 as printed": lambda **seed: make_y4(printed=True, **seed),
    "Y4 repaired": make_y4,
    "Y5 as printed": lambda **seed: make_y5(printed=True, **seed),
    "Y5 repaired": make_y5,
}

PAPER = """
spheres       .30   100.0   99.3   96.7    99.6(.2)   98.5(.3)   97.6(.4)
spheres       .35    98.0   93.3   92.0    99.0(.3)   95.1(.6)   94.0(.6)
spheres       .40    97.3   90.0   88.7    96.1(.5)   91.9(.7)   88.3(.8)
spheres       .45    91.3   80.0   80.0    91.7(.7)   83.1(.9)   81.0(.9)
squares       .35   100.0   98.0   96.0   100.0(0)    99.6(.2)   99.2(.3)
squares       .40    99.0   94.0   96.0    99.9(.1)   98.1(.4)   95.9(.6)
squares       .45    99.0   93.0   90.0    98.3(.4)   92.4(.8)   89.1(1.0)
squares       .50    96.0   81.0   78.0    94.1(.7)   82.7(1.1)  81.1(1.2)
circle        .25   100.0  100.0   92.0    97.0(.7)   96.4(.8)   95.1(.9)
circle        .30    97.0   97.0   87.0    95.3(.8)   92.4(1.1)  85.7(1.4)
circle        .35    89.0   85.0   74.0    90.1(1.2)  82.5(1.4)  73.8(1.7)
circle        .40    80.0   72.0   64.0    74.6(1.6)  66.1(1.7)  59.8(1.7)
Y4 as printed .25    95.5   94.5   88.5
Y4 as printed .30    95.0   89.0   87.0
Y4 as printed .35    89.5   82.5   82.0
Y4 as printed .40    84.5   75.0   74.0
Y4 repaired   .25    95.5   94.5   88.5    95.3(.4)   92.5(.5)   89.8(.6)
Y4 repaired   .30    95.0   89.0   87.0    92.8(.5)   89.5(.6)   86.3(.6)
Y4 repaired   .35    89.5   82.5   82.0    89.3(.6)   85.5(.6)   81.5(.7)
Y4 repaired   .40    84.5   75.0   74.0    85.8(.6)   79.4(.7)   76.5(.8)
Y5 as printed .25    96.8   93.6   91.6    81.8(.5)   78.9(.6)   75.9(.6)
Y5 as printed .30    94.0   90.0   84.8    79.6(.6)   75.3(.6)   72.4(.6)
Y5 as printed .35    84.8   79.2   74.4    73.6(.6)   69.1(.7)   65.6(.7)
Y5 as printed .40    76.4   72.4   59.6    64.0(.7)   61.6(.7)   60.2(.7)
Y5 repaired   .25    96.8   93.6   91.6    98.1(.3)   95.9(.4)   93.5(.5)
Y5 repaired   .30    94.0   90.0   84.8    94.6(.4)   90.2(.5)   85.1(.6)
Y5 repaired   .35    84.8   79.2   74.4    87.4(.5)   81.4(.6)   74.0(.7)
Y5 repaired   .40    76.4   72.4   59.6    74.7(.7)   68.3(.7)   64.6(.7)
"""
"""Problem, mean doubt, the three figures of the paper and of the reference with its standard errors."""

ROUNDING = 0.1 / np.sqrt(12)
"""The reference is printed with one decimal: what that adds to its standard errors."""


def found(make, doubt, seed):
    """Per cent of the relevant features among as many best ranked, from each kind of label."""
    # One generator for both: with one seed for each, the draws of the expert would repeat those of the features.
    random = np.random.RandomState(seed)
    X, y, relevant = make(random_state=random)
    expert = uncertain_expert(y, doubt, random_state=random)
    targets = (expert.memberships, np.eye(y.max() + 1)[expert.memberships.argmax(axis=1)], expert.y)
    scores = [weighted_laplacian_score(X, target, labels="soft") for target in targets]
    best = [np.argsort(score, kind="stable")[: len(relevant)] for score in scores]
    return [100 * np.isin(relevant, chosen).mean() for chosen in best]


def cells():
    """The lines above: problem, doubt, paper, and (values, standard errors) of the reference or None."""
    for line in PAPER.strip().splitlines():
        problem, (doubt, *figures) = line[:14].strip(), line[14:].split()
        pairs = [figure.rstrip(")").split("(") for figure in figures[3:]]
        reference = (np.array(pairs, dtype=float).T) if pairs else None
        yield problem, float(doubt), np.array(figures[:3], dtype=float), reference


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=500)
    n = parser.parse_args().repetitions
    print(f"{n} repetitions; columns {', '.join(LABELS)}")
    print(f"{'problem':<14} {'doubt':<6} {'paper':^21} {'reference':^21} {'ours (standard error)':^36} {'z':^18}")
    every = []
    for problem, doubt, paper, reference in cells():
        runs = np.array([found(PROBLEMS[problem], doubt, seed) for seed in range(n)])
        ours, error = runs.mean(axis=0), runs.std(axis=0, ddof=1) / np.sqrt(n)
        told = "".join(f"{v:6.1f} ({e:.2f})" for v, e in zip(ours, error, strict=True))
        compared = ""
        if reference is not None:
            z = (ours - reference[0]) / np.sqrt(error**2 + reference[1] ** 2 + ROUNDING**2)
            every += z.tolist()
            compared = "".join(f"{v:6.1f}" for v in reference[0]), "".join(f"{v:6.2f}" for v in z)
        else:
            compared = "-", "-"
        cell = "".join(f"{v:6.1f}" for v in paper)
        print(f"{problem:<14} {doubt:<6.2f} {cell:<21} {compared[0]:<21} {told:<36} {compared[1]}", flush=True)
    z = np.array(every)
    print(f"\n{len(z)} figures against the reference: mean z² {np.mean(z**2):.2f} (bar 1.5), ", end="")
    print(f"largest |z| {np.abs(z).max():.2f} (bar 3.5)")


if __name__ == "__main__":
    main()
