"""How many features are kept: the data of that experiment, its counts, and runs that can be stopped."""

import sys
import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.feature_selection import f_classif

from experiments.how_many.keeping import cell, fill, measured, results_in
from experiments.how_many.keeping_tables import table
from experiments.how_many.known_truths import TRUTHS, count, generated, real, triangles, waveform
from experiments.how_many.peers import show
from experiments.how_many.peers import tasks as tasks_of_peers
from experiments.how_many.size_contenders import (
    CONTENDERS,
    TAMIS,
    everything,
    forward,
    k_best,
    mrmr_places,
    remembered,
    sizes,
)
from experiments.how_many.truths import table as table_of_bars
from experiments.how_many.truths import tasks as tasks_of_truths


@pytest.fixture(autouse=True)
def small_forests(monkeypatch):
    monkeypatch.setattr("experiments.how_many.keeping.TREES", 5)


def first_two(X, y, seed):
    return np.arange(X.shape[1]) < 2


def doubtful(X, y, seed):
    warnings.warn("no feature predicts more about the labels than chance does", UserWarning, stacklevel=2)
    return np.arange(X.shape[1]) < 1


def test_classes_of_waveforms_are_means_of_two_triangles():
    X, y = waveform(30_000, np.random.default_rng(0))
    one, two, three = triangles()
    assert (one.argmax(), two.argmax(), three.argmax()) == (10, 14, 6)
    for s, mean in enumerate([(one + two) / 2, (one + three) / 2, (two + three) / 2]):
        np.testing.assert_allclose(X[y == s].mean(axis=0), np.pad(mean, (0, 19)), atol=0.08)
    between = np.array([X[y == s].mean(axis=0) for s in range(3)]).std(axis=0)
    relevant = sorted(feature for alike in TRUTHS["waveform"][1] for feature in alike)
    assert np.flatnonzero(between > 0.1).tolist() == relevant


@pytest.mark.parametrize(
    ("kept", "found"),
    [([10, 2, 3, 4], (4, 0)), ([10, 2, 12, 13, 14], (4, 1)), ([0, 1, 12], (1, 2)), ([], (0, 0)), (range(15), (4, 11))],
)
def test_of_features_that_tell_the_same_one_is_needed(kept, found):
    assert count(list(kept), TRUTHS["problem 1"][1]) == found


def test_the_features_called_needed_are_those_of_the_generators():
    from tamis.datasets import make_multilabel_1, make_multilabel_2

    assert TRUTHS["problem 1"][1] == list(make_multilabel_1(10).relevant)
    assert TRUTHS["problem 2"][1] == [{feature} for feature in make_multilabel_2(10).relevant.tolist()]


@pytest.mark.parametrize("name", TRUTHS)
def test_rows_are_the_same_at_every_rate_and_only_training_labels_are_flipped(name):
    clean, noisy, again = (generated(name, rate, 3, rows=100) for rate in (0, 0.2, 0.2))
    np.testing.assert_array_equal(clean.X, noisy.X)
    np.testing.assert_array_equal(clean.y_test, noisy.y_test)
    np.testing.assert_array_equal(noisy.y, again.y)
    assert (clean.y != noisy.y).sum() == 20
    assert not np.array_equal(generated(name, 0, 4, rows=100).X, clean.X)


def test_real_data_are_split_by_class(tmp_path):
    rng = np.random.default_rng(0)
    lines = [f"{a},{b},{s}" for (a, b), s in zip(rng.normal(size=(100, 2)), ["x"] * 80 + ["y"] * 20, strict=True)]
    pytest.importorskip("pandas").DataFrame([line.split(",") for line in lines], columns=["a", "b", "label"]).to_csv(
        tmp_path / "some.csv.gz", index=False
    )
    task = real(tmp_path, "some", 0.0, 0)
    assert (np.bincount(task.y).tolist(), np.bincount(task.y_test).tolist()) == ([56, 14], [24, 6])
    assert len(real(tmp_path, "some", 0.0, 0, rows=40).X) == 40
    assert measured(task, everything)["needed"] is None


def test_no_feature_and_a_warning_both_say_that_nothing_tells():
    task = generated("noise", 0.2, 0, rows=60)
    found = measured(task, lambda X, y, seed: np.zeros(X.shape[1], dtype=bool))
    assert (found["n_kept"], found["nothing"]) == (0, True)
    assert found["knn_error"] == found["forest_error"] == pytest.approx(200 / 3, abs=0.001)
    found = measured(task, doubtful)
    assert (found["kept"], found["not_needed"], found["nothing"]) == ([0], 1, True)
    assert not measured(task, first_two)["nothing"]


def test_what_is_there_is_not_done_again(tmp_path):
    asked = []

    def contender(X, y, seed):
        asked.append(seed)
        return first_two(X, y, seed)

    results = results_in(tmp_path / "new" / "some.jsonl")
    tasks = {cell(name, 0.1): lambda r, name=name: generated(name, 0.1, r, rows=60) for name in ("noise", "problem 2")}
    fill(results, tasks, {"stand-in": contender}, 1)
    fill(results, tasks, {"stand-in": contender, "all": everything}, 2)
    assert len(asked) == len(set(asked)) == 4
    lines = results.read()
    assert len(lines) == 8
    assert {line["needed"] for line in lines if line["data"] == "problem 2, 10 %"} == {2, 4}
    assert "difference" in table(lines, ["stand-in", "all"], "all")


def test_both_scripts_in_small(tmp_path, capsys):
    small = {name: lambda r, draw=draw: draw(r, rows=60) for name, draw in tasks_of_truths((0.0, 0.1, 0.2)).items()}
    results = results_in(tmp_path / "truths.jsonl")
    fill(results, small, {TAMIS: doubtful}, 1)
    bars = {line[:17].strip(): line for line in table_of_bars(results.read()).splitlines()}
    assert len(bars) == 13
    assert "0.0 % MISSED" in bars["problem 1, 0 %"]
    assert "25.0 %  " in bars["problem 2, 20 %"]
    assert "100 % ok" in bars["noise, 10 %"]

    small = {name: lambda r, draw=draw: draw(r, rows=60) for name, draw in list(tasks_of_peers(None).items())[:8]}
    results = results_in(tmp_path / "peers.jsonl")
    fill(results, small, dict.fromkeys(CONTENDERS, first_two), 1)
    show(results.read())
    assert capsys.readouterr().out.count("Boruta") == 8 + 1


def test_contenders_of_scikit_learn_find_the_feature_that_tells():
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=80)
    X = np.column_stack([rng.normal(size=(80, 2)), 10 * y + rng.normal(size=80)])
    for select in (k_best, forward):
        assert np.flatnonzero(select(X, y, 0)).tolist() == [2]


def test_sizes_and_scores_of_the_grid():
    assert sizes(20) == list(range(1, 21))
    assert 18 <= len(sizes(60)) <= 22
    assert (sizes(60)[0], sizes(60)[-1]) == (1, 60)
    asked = []
    score = remembered(lambda X, y: asked.append(0) or f_classif(X, y)[0])
    X, y = generated("noise", 0, 0, rows=30).X, generated("noise", 0, 0, rows=30).y
    assert (score(X, y) == score(X.copy(), y)).all()
    assert len(asked) == 1
    score(X, 2 - y)
    assert len(asked) == 2


def test_the_order_of_mrmr_is_a_score_and_features_it_leaves_out_have_none(monkeypatch):
    monkeypatch.setitem(sys.modules, "mrmr", SimpleNamespace(mrmr_classif=lambda X, y, K, **others: [2, 0, 3]))
    assert mrmr_places(np.zeros((5, 4)), np.arange(5)).tolist() == [3, 0, 4, 2]
