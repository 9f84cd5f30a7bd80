"""What the soft-label experiments claim, in small, and the tools they share."""

import numpy as np
import pytest
from experiments.judge import N_NEIGHBORS, DistributionJudge
from experiments.runs import Runs, table
from experiments.soft_labels.circle import SELECTORS, found
from experiments.soft_labels.tables import PROBLEMS, cells
from experiments.soft_labels.tables import found as found_in_table
from samples import gaussians, mixed
from sklearn.neighbors import KNeighborsRegressor


def test_a_circle_is_invisible_to_class_means_but_not_to_joint_information():
    runs = {name: np.mean([found(selector, 0.3, seed) for seed in range(5)]) for name, selector in SELECTORS.items()}
    assert runs["weighted Laplacian score"] == 0
    assert runs["joint information, backward"] == 100


@pytest.mark.parametrize("problem", ["spheres", "squares", "Y4 repaired", "Y5 repaired"])
def test_figures_of_the_paper_are_near(problem):
    """One row of its table, 60 repetitions here and 50 there."""
    doubt, paper = next((doubt, paper) for name, doubt, paper, _ in cells() if name == problem)
    runs = np.array([found_in_table(PROBLEMS[problem], doubt, seed) for seed in range(60)])
    error = runs.std(axis=0) * np.sqrt(1 / 60 + 1 / 50)
    assert (np.abs(runs.mean(axis=0) - paper) < 4 * np.maximum(error, 1.0)).all()


def test_every_reference_figure_is_read():
    lines = list(cells())
    assert len(lines) == 28
    assert sum(reference is not None for *_, reference in lines) == 24
    assert all(reference.shape == (2, 3) for *_, reference in lines if reference is not None)


def test_distributions_are_judged_by_the_mean_of_neighbours():
    X, codes = gaussians(120, 3, 3, seed=0)
    P, test = mixed(codes), np.arange(80, 120)
    judge = DistributionJudge(X[:80], P[:80], X[test], P[test], np.arange(80) % 10)
    best = N_NEIGHBORS[np.argmin(judge.validation_errors([0, 1]))]
    plain = KNeighborsRegressor(best).fit(X[:80, :2], P[:80]).predict(X[test, :2])
    assert judge.error([0, 1]) == pytest.approx(50 * np.abs(plain - P[test]).sum(axis=1).mean())


def test_runs_are_kept_and_compared(tmp_path):
    runs = Runs(tmp_path / "runs.jsonl")
    for repetition in range(3):
        runs.add(data="d", method="a", repetition=repetition, errors=[10 + repetition, 20])
        runs.add(data="d", method="b", repetition=repetition, errors=[9 + repetition, 20])
    assert ("d", "a", 2) in runs.done()
    shown = table(runs.curves("d"), (1, 2), "a", "error, %")
    assert "-0.50 (0.00, 3)" in shown
