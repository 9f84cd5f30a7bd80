"""The label-noise experiments: the judge is scikit-learn's classifier, and checks notice what they are about."""

import json

import numpy as np
import pytest
from samples import gaussians as two_classes
from scipy.stats import ttest_rel
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import PredefinedSplit, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier, NearestNeighbors

from experiments.judge import N_NEIGHBORS, decisions
from experiments.label_noise import figures, gaussians, sets
from experiments.label_noise.curves import LITERAL, PLAIN, literal_tasks, plain_tasks, run_literal, run_plain
from experiments.label_noise.kinds import KINDS
from experiments.label_noise.paper import PAPER
from experiments.label_noise.protocol import Repetition
from experiments.label_noise.selection_table import _compare, _holm
from experiments.nested import nested_errors
from experiments.reproduction import Records
from tamis import NoisyLabels


def drawn(X, y, seed=0, kind="uniform 20 %"):
    return Repetition.draw((X, y), np.random.default_rng(seed), KINDS[kind])


@pytest.mark.parametrize("k", [1, 3, 9, 25])
def test_decisions_are_those_of_a_plain_classifier(k):
    X, y = two_classes(120, 3, 2, seed=1)
    near = NearestNeighbors(n_neighbors=50).fit(X).kneighbors(X + 0.01, return_distance=False)
    plain = KNeighborsClassifier(k).fit(X, y).predict(X + 0.01)
    np.testing.assert_array_equal(decisions(y[near], 2)[list(N_NEIGHBORS).index(k)], plain)


def test_a_tied_vote_goes_to_the_class_met_first():
    assert decisions(np.array([[1, 0, 0, 1]]), 2)[3, 0] == 1
    assert decisions(np.array([[2, 0, 0, 1, 1]]), 3)[4, 0] == 0


def test_errors_of_cross_validation_are_those_of_scikit_learn():
    X, y = two_classes(150, 4, 2, seed=4)
    repetition, subset = drawn(X, y), [0, 2]
    found = repetition.judge.validation_errors(subset)
    for row, k in enumerate(N_NEIGHBORS):
        if k % 2:  # no ties
            split = PredefinedSplit(repetition.judge.folds)
            voted = cross_val_predict(KNeighborsClassifier(k), repetition.X[:, subset], repetition.clean, cv=split)
            assert found[row] == pytest.approx(1 - balanced_accuracy_score(repetition.clean, voted))
    best = N_NEIGHBORS[np.argmin(found)]
    plain = KNeighborsClassifier(best).fit(repetition.X[:, subset], repetition.clean)
    decided = plain.predict(repetition.judge.X_test[:, subset])
    wrong = 1 - balanced_accuracy_score(repetition.judge.y_test, decided)
    if best % 2:
        assert repetition.judge.error(np.array(subset)) == pytest.approx(100 * wrong)


@pytest.mark.parametrize(("n", "n_classes", "seed"), [(200, 2, 0), (400, 3, 1), (900, 5, 2)])
def test_nested_subsets_are_judged_as_each_of_them_alone(n, n_classes, seed):
    X, y = two_classes(n, 6, n_classes, seed=seed)
    X[:, 5] *= 30
    order = [3, 0, 5, 1, 2, 4]
    fast, slow = drawn(X, y, seed).judge, drawn(X, y, seed).judge
    found = nested_errors(fast, order)
    assert found == pytest.approx([slow.error(sorted(order[:size])) for size in range(1, 7)])
    assert nested_errors(fast, order[::-1])[-1] == found[-1]


def test_of_equal_distances_the_first_sample_is_nearer():
    X, y = two_classes(150, 3, 3, seed=5)
    rounded = np.vstack([np.round(X), -np.round(X)])  # of mean zero: no distance is rounded
    judge = drawn(rounded, np.tile(y, 2)).judge
    apart = ((judge.X_test[:, None, :] - judge.X[None]) ** 2).sum(axis=2)
    inside = ((judge.X[:, None, :] - judge.X[None]) ** 2).sum(axis=2)
    inside[judge.folds[:, None] == judge.folds] = np.inf
    near = [np.argsort(d2, axis=1, kind="stable")[:, :50] for d2 in (inside, apart)]
    best = np.argmin(judge.losses(judge.y, judge.y[near[0]]))
    expected = 100 * judge.losses(judge.y_test, judge.y[near[1]])[best]
    assert nested_errors(judge, [0, 1, 2])[-1] == pytest.approx(expected)


def test_flips_are_drawn_on_the_training_labels_only():
    X, y = two_classes(100, 3, 3, seed=3)
    first, second = drawn(X, y), drawn(X, y)
    np.testing.assert_array_equal(first.noisy, second.noisy)
    assert (first.noisy != first.clean).sum() == 14
    assert len(first.X) == 70
    other = first.with_labels(KINDS["uniform 10 %"])
    assert (other.noisy != other.clean).sum() == 7
    assert other.judge is first.judge


@pytest.mark.parametrize(
    ("kind", "least", "most"),
    [
        ("uniform 10 %", 0.1, 0.1),
        ("next class 25 %", 0.18, 0.32),
        ("nearest class 20 %", 0.2, 0.2),
        ("near the boundary 20 %", 0.2, 0.2),
        ("one class 30 %", 0.1, 0.1),
        ("10 % uniform, 15 % nearest", 0.2, 0.25),
        ("none", 0.0, 0.0),
    ],
)
def test_each_kind_of_mistakes_has_its_share(kind, least, most):
    X, y = two_classes(300, 3, 3, seed=3)
    recorded = KINDS[kind](X, y, 4)
    assert least - 0.01 <= (recorded != y).mean() <= most + 0.01
    np.testing.assert_array_equal(recorded, KINDS[kind](X, y, 4))


def test_paired_comparison_and_holm():
    rng = np.random.default_rng(0)
    ours, plain = rng.normal(size=40), rng.normal(size=40) + 0.3
    row = _compare(ours, plain)
    assert row[6] == pytest.approx(ttest_rel(ours, plain, alternative="less").pvalue)
    assert row[7] > row[6] or row[0] > 0
    np.testing.assert_allclose(_holm([0.01, 0.04, 0.03]), [0.03, 0.06, 0.06])


@pytest.mark.parametrize("tasks", [plain_tasks, literal_tasks])
def test_quick_tasks_are_among_the_others(tasks):
    every = {json.dumps(dict(task.key)): task.seed for task in tasks(False)}
    assert len(every) == len(list(tasks(False)))
    for task in tasks(True):
        assert every[json.dumps(dict(task.key))] == task.seed


def test_all_searches_of_a_repetition_share_their_split():
    plain = {(t.key["data"], t.key["repetition"]): t.seed for t in plain_tasks(False)}
    assert all(plain[t.key["data"], t.key["repetition"]] == t.seed for t in literal_tasks(False))


def test_a_run_gives_a_curve_for_each_search(monkeypatch):
    data = two_classes(120, 4, 2, seed=0)
    monkeypatch.setattr("experiments.label_noise.curves._data", lambda folder, name: data)
    found = run_plain(None, {"data": "any"}, 7)
    assert list(found) == ["clean", "noisy_10", "count_10", "tamis_10", "noisy_20", "count_20", "tamis_20"]
    printed = run_literal(None, {"data": "any", "rate": 20}, 7)
    assert len({curve[-1] for curve in [*found.values(), printed["errors"]]}) == 1  # all features
    assert {len(curve) for curve in found.values()} == {4}
    assert found == run_plain(None, {"data": "any"}, 7)


def written(tmp_path, noisy=20.0, literal=15.0, n=20):
    """Made-up curves of iris: 10 with right labels."""
    plain, printed = Records(tmp_path / "plain.jsonl"), Records(tmp_path / "literal.jsonl")
    rng = np.random.default_rng(0)

    def curve(level, spread=0.5):
        return [*(level + spread * rng.normal(size=3)).tolist(), 5.0]

    for r in range(n):
        noise = {f"noisy_{rate}": curve(noisy, 2.0) for rate in (10, 20)}
        ours = {f"{name}_{rate}": curve(10.0) for name in ("count", "tamis") for rate in (10, 20)}
        plain.add({"data": "iris", "repetition": r, "clean": curve(10.0), **noise, **ours})
        for rate in (10, 20):
            printed.add({"data": "iris", "rate": rate, "repetition": r, "errors": curve(literal)})
    return plain, printed


def holds(finding):
    return {check.says: check.holds for check in finding.checks}


def test_checks_of_the_curves_notice_who_is_better(tmp_path):
    plain, printed = written(tmp_path)
    found = holds(figures.check_better(plain, printed, figures.FIG_4))
    assert all(found.values())
    assert all(holds(figures.check_iris(plain)).values())
    plain, printed = written(tmp_path / "worse", noisy=15.0, literal=20.0)
    found = holds(figures.check_better(plain, printed, figures.FIG_4))
    assert not found["Iris, 20 %: LNT-BW better than BW-N"]
    assert not found["LNT-BW nowhere worse than BW-N"]
    plain, printed = written(tmp_path / "free", noisy=10.0, literal=10.0)
    assert not holds(figures.check_better(plain, printed, figures.FIG_4))["Iris: noise costs BW-N"]
    assert holds(figures.check_iris(plain))["noise costs with 2 of 4 features"] is False


def test_figures_are_drawn_of_few_records_and_nothing_is_said_of_none(tmp_path):
    plain, printed = written(tmp_path, n=1)
    figures.draw(figures.FIG_4)(plain, printed)
    nothing = Records(tmp_path / "nothing.jsonl")
    for item in PAPER.items:
        assert item.check(*(nothing for _ in item.experiments)) is None
    assert {e.name for e in PAPER.experiments()} >= {PLAIN.name, LITERAL.name}


def test_densities_on_a_line_are_those_of_the_memberships_if_no_label_is_wrong():
    X, y = gaussians.drawn(3)
    model = NoisyLabels.literal(scale=None, n_neighbors=8)
    model.memberships_, model.transition_, model.class_priors_ = np.eye(2)[y], np.eye(2), np.array([0.5, 0.5])
    # with the sample itself in its ball, eight are seven others
    model.n_neighbors = 9
    plain = gaussians.log_densities(X, y)
    shift = plain - gaussians.tolerant_log_densities(X, y, model)
    np.testing.assert_allclose(shift, -1 / 8, atol=1e-12)  # psi(8) - psi(9)


def test_one_wrong_label_lowers_the_estimate(tmp_path):
    records = Records(tmp_path / "draws.jsonl")
    for task in list(gaussians.GAUSSIANS.tasks(True))[:20]:
        records.add({**task.key, **gaussians.run_draw(None, task.key, task.seed)})
    found = gaussians.check_before(records)
    assert holds(found)["the estimate falls"]
    assert len(gaussians.check_after(records).checks) == 5
    gaussians.draw_after(records)


def test_imbalance_of_two_classes_is_half_their_difference():
    assert sets.imbalance([0] * 30 + [1] * 10) == pytest.approx(0.25)


def test_the_table_notices_another_number_of_rows(tmp_path):
    records = Records(tmp_path / "sets.jsonl")
    records.add({"data": "iris", "rows": 150, "features": 4, "classes": 3, "imbalance": 0.0})
    records.add({"data": "wine", "rows": 177, "features": 13, "classes": 3, "imbalance": 0.053})
    assert holds(sets.check_sets(records)) == {"Iris": True, "Wine": False}
