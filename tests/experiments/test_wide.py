"""The experiment on wide tables, in small."""

import numpy as np
import pytest
from sklearn.svm import LinearSVC

from experiments.runs import Runs
from experiments.wide.halves import JUDGES, SIZES, Halves
from experiments.wide.selections import cell, fill
from experiments.wide.wide_contenders import CONTENDERS, VARIANTS, forest, k_best, mrmr, rfe
from experiments.wide.wide_tables import mean_errors, mean_ranks, show


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=60)
    X = rng.standard_normal((60, 80))
    X[:, 3] += 4 * y
    return X, y


def test_halves_are_the_same_rows_at_every_rate_and_only_recorded_labels_are_flipped(data):
    clean, flipped = (Halves.draw(data, "colon", rate, 1) for rate in (0.0, 0.2))
    assert (clean.X == flipped.X).all()
    assert (clean.y == flipped.y).all()
    assert (clean.recorded == clean.y).all()
    assert (flipped.recorded != flipped.y).sum() == 6
    assert np.abs(clean.X.mean(axis=0)).max() < 1e-12  # scaled by the half that is selected on


def test_errors_are_balanced_and_of_the_other_half(data):
    halves = Halves.draw(data, "colon", 0.0, 0)
    order = np.roll(np.arange(80), -3)
    found = halves.errors(order)
    model = LinearSVC(random_state=halves.seed).fit(halves.X[:, order[:5]], halves.y)
    missed = model.predict(halves.X_test[:, order[:5]]) != halves.y_test
    plain = 50 * (missed[halves.y_test == 0].mean() + missed[halves.y_test == 1].mean())
    assert found["linear SVM"][0] == pytest.approx(plain, abs=1e-4)
    assert {name: len(errors) for name, errors in found.items()} == dict.fromkeys(JUDGES, len(SIZES))


@pytest.mark.parametrize(
    "select",
    [rfe, mrmr, k_best, forest, CONTENDERS["tamis, hard"], VARIANTS["noisy, no sieve"]],
    ids=["rfe", "mrmr", "k_best", "forest", "hard", "noisy"],
)
def test_everybody_wants_the_feature_that_differs(data, select):
    order = select(*data, 0)
    assert order[0] == 3
    assert len(set(order.tolist())) == len(order) >= max(SIZES)


def test_runs_resume_and_ranks_are_of_cells(data, tmp_path):
    results, asked = Runs(tmp_path / "errors.jsonl"), []

    def first(X, y, seed):
        asked.append(seed)
        return np.roll(np.arange(80), -3)

    def last(X, y, seed):
        return np.arange(80)[::-1]

    fill(results, {"colon": data}, {"tamis, hard": last}, 1)
    fill(results, {"colon": data}, {"tamis, hard": last, "peer": first}, 2)
    fill(results, {"colon": data}, {"tamis, hard": last, "peer": first}, 2)
    assert len(asked) == 4
    assert {line["data"] for line in results.read()} == {cell("colon", 0.0), cell("colon", 0.2)}
    ranks = mean_ranks(mean_errors(results.read(), 0.0), 0.0)
    assert ranks["peer"] < ranks["tamis, hard"]
    assert sum(ranks.values()) == pytest.approx(3)
    assert "points to peer on colon" in show(results.read())
