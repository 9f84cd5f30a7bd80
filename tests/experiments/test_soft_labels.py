"""What the soft-label experiments run and claim, in small, and the tools they share."""

import numpy as np
import pytest
from experiment_records import records_of
from samples import gaussians, mixed
from sklearn.neighbors import KNeighborsRegressor

from experiments.judge import N_NEIGHBORS, DistributionJudge
from experiments.runs import Runs, table
from experiments.soft_labels import pictures, real_checks, real_data, table_checks, tables
from experiments.soft_labels.circle import SELECTORS
from experiments.soft_labels.circle import found as found_on_circle
from tamis.datasets import make_spheres, uncertain_expert


def printed_score(X, P):
    """Eq. (5), with matrices of all pairs."""
    similar = P @ P.T
    above, below = (np.diag(S.sum(axis=1)) - S for S in (similar, 1 - similar))
    return [(f @ above @ f) / (f @ below @ f) for f in X.T]


def test_rankings_are_by_the_printed_score_of_each_kind_of_label():
    X, y, _ = make_spheres(random_state=3)
    expert = uncertain_expert(y, 0.4, random_state=3)
    kinds = expert.memberships, np.eye(4)[expert.memberships.argmax(axis=1)], np.eye(4)[expert.y]
    for order, P in zip(tables.orders(X, expert.memberships, expert.y), kinds, strict=True):
        assert order.tolist() == np.argsort(printed_score(X, P)).tolist()


@pytest.mark.parametrize("problem", ["spheres", "squares", "Y4 repaired", "Y5 repaired"])
def test_figures_of_the_paper_are_near(problem, tmp_path):
    doubt, printed = next(iter(tables.PRINTED[problem].items()))
    key = {"problem": problem, "doubt": doubt, "repetition": 0}
    records = records_of(tmp_path / "r.jsonl", [{**key, **tables.run(None, key, 0)}])
    assert (np.abs(table_checks.z_of(tables.percentages(records, problem, doubt), np.array(printed))) < 4).all()


def as_printed(problem, relevant, change=0):
    """A record whose means are the printed ones, those of WLS changed by some points."""
    for doubt, row in tables.PRINTED[problem].items():
        record = {"problem": problem, "doubt": doubt, "repetition": 0, "relevant": relevant}
        for label, value, shift in zip(tables.LABELS, row, (change, 0, 0), strict=True):
            total = round((value + shift) * 50 * relevant / 100)
            record[label] = [total // 50 + (i < total % 50) for i in range(50)]
        yield record


def test_a_table_like_the_printed_one_agrees_and_a_changed_one_does_not(tmp_path):
    check = table_checks.check("squares")
    same = check(records_of(tmp_path / "same.jsonl", as_printed("squares", 2)))
    assert all(c.holds for c in same.checks)
    changed = check(records_of(tmp_path / "changed.jsonl", as_printed("squares", 2, change=-19)))
    failed = [c.says for c in changed.checks if not c.holds]
    assert any("WLS finds more than ymax" in says for says in failed)
    assert any("WLS finds more than yerror" in says for says in failed)
    assert any("15 points more" in says for says in failed)
    assert check(records_of(tmp_path / "none.jsonl", [])) is None


def test_percentages_that_need_another_number_of_features_are_noticed():
    assert table_checks.possible(99.33, 3)
    assert table_checks.possible(95.5, 4)
    assert not table_checks.possible(95.5, 3)


def test_a_sample_in_the_wrong_place_is_counted():
    for problem in pictures.SHAPES:
        X, y, _ = tables.PROBLEMS[problem](random_state=0)
        assert pictures.misplaced(problem, X, y) == 0
        y[0] = (y[0] + 1) % (y.max() + 1)
        assert pictures.misplaced(problem, X, y) == 1


def test_accuracies_are_those_of_the_nearest_row(monkeypatch):
    """Two folds by hand, and labels without doubt."""
    X, y = gaussians(40, 3, 2, seed=1)
    halves = np.arange(20), np.arange(20, 40)

    class Halves:
        def __init__(self, *args, **how):
            pass

        def split(self, X, y):
            yield from (halves, halves[::-1])

    monkeypatch.setattr(real_data, "StratifiedKFold", Halves)
    found = real_data.accuracies(X, y, 1e-9 + 0.12, np.random.RandomState(0))
    expert = uncertain_expert(y, 1e-9 + 0.12, random_state=np.random.RandomState(0))
    right = np.zeros(3)
    for train, test in (halves, halves[::-1]):
        order = np.argsort(printed_score(X[train], expert.memberships[train]))
        for n in range(1, 4):
            apart = ((X[test][:, None, order[:n]] - X[train][:, order[:n]]) ** 2).sum(axis=2)
            right[n - 1] += (y[train][apart.argmin(axis=1)] == y[test]).sum()
    np.testing.assert_allclose(found[0], 100 * right / 40)
    np.testing.assert_allclose(found[:, -1], found[0, -1])


def curves_where(lead):
    """Four repetitions of curves over five features; WLS ahead by `lead` at each but all."""
    rng = np.random.default_rng(0)
    for doubt in real_data.DOUBTS:
        for repetition in range(4):
            base = rng.uniform(70, 80, size=5)
            ahead = base + np.array([*lead, 0]) * (1 if doubt == 0.2 else 2)
            record = {"data": "iris", "doubt": doubt, "repetition": repetition}
            yield record | {"WLS": ahead.tolist(), "ymax": base.tolist(), "yerror": base.tolist()}


def test_better_at_any_size_fails_with_one_size_that_is_worse(tmp_path):
    check = real_checks.check_any_size("iris")
    good = check(records_of(tmp_path / "good.jsonl", curves_where((1, 1, 1, 1))))
    assert all(c.holds for c in good.checks)
    bad = check(records_of(tmp_path / "bad.jsonl", curves_where((1, 1, -1, 1))))
    assert {c.holds for c in bad.checks if "any number" in c.says} == {False}
    assert {c.holds for c in bad.checks if "beyond chance" in c.says} == {False}
    assert {c.holds for c in bad.checks if "larger" in c.says} == {True}
    assert check(records_of(tmp_path / "none.jsonl", [])) is None


def test_ahead_for_the_first_features(tmp_path):
    for lead, holds in ((1, True), (-1, False)):
        records = records_of(tmp_path / f"{lead}.jsonl", curves_where((1, 1, 1, lead)))
        checks = real_checks.check_first(records, "iris").checks
        first = [c for c in checks if "at each of the first" in c.says]
        # with all five features they are equal, hence never ahead
        assert not any(c.holds for c in first)
        assert all(c.ours.startswith(f"at {4 if holds else 3} of 5") for c in first)


def test_a_circle_is_invisible_to_class_means_but_not_to_joint_information():
    runs = {name: np.mean([found_on_circle(s, 0.3, seed) for seed in range(5)]) for name, s in SELECTORS.items()}
    assert runs["weighted Laplacian score"] == 0
    assert runs["joint information, backward"] == 100


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
