"""The experiment on missing values: gaps are as they say, slow and fast searches agree, tables follow from results."""

import numpy as np
import pytest
from reference import mutual_information
from samples import gaussians

from experiments.missing import candidates, copies, rules, selections, tables, times
from experiments.missing.gaps import CELLS, MECHANISMS, at_random, by_value
from experiments.missing.halves import CONFIRMED, JUDGES, TUNED, Halves, sizes, standardised
from experiments.missing.methods import METHODS, OURS, search
from experiments.runs import Runs


@pytest.fixture(autouse=True)
def small_forests(monkeypatch):
    monkeypatch.setattr("experiments.missing.halves.TREES", 3)


@pytest.fixture(scope="module")
def data():
    X, y = gaussians(80, 5, 2, seed=0)
    return np.column_stack([X, np.full(80, 7.0)]), y


@pytest.mark.parametrize("mechanism", MECHANISMS)
@pytest.mark.parametrize("share", [0.1, 0.3])
def test_the_share_of_gaps_is_as_asked_and_what_is_there_stays(mechanism, share):
    X = np.random.default_rng(0).exponential(size=(4000, 5))
    gaps = MECHANISMS[mechanism](X, share, np.random.default_rng(1))
    there = ~np.isnan(gaps)
    np.testing.assert_array_equal(gaps[there], X[there])
    np.testing.assert_allclose(1 - there.mean(axis=0), share, atol=0.02)


def test_larger_values_are_missing_more_often_by_value_only():
    X = np.random.default_rng(0).exponential(size=(30_000, 1))
    upper = X[:, 0] > np.median(X)
    for gaps, ratio in ((at_random, 1), (by_value, 3)):  # mean ranks of the halves are 1/4 and 3/4
        missing = np.isnan(gaps(X, 0.3, np.random.default_rng(1))[:, 0])
        assert missing[upper].mean() / missing[~upper].mean() == pytest.approx(ratio, rel=0.06)
    constant = by_value(np.ones((30_000, 1)), 0.3, np.random.default_rng(1))
    assert np.isnan(constant).mean() == pytest.approx(0.3, abs=0.01)


def test_halves_and_gaps_are_the_same_for_every_method_and_others_in_every_repetition(data):
    one, again, other = (Halves.draw(data, "wine", repetition) for repetition in (1, 1, 2))
    np.testing.assert_array_equal(one.X_test, again.X_test)
    assert not np.array_equal(one.X_test, other.X_test)
    np.testing.assert_array_equal(one.with_gaps("by value", 0.3), again.with_gaps("by value", 0.3))
    with_gaps = one.with_gaps("by value", 0.3)
    np.testing.assert_allclose(np.nanmean(with_gaps, axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(np.nanstd(with_gaps, axis=0), [1] * 5 + [0])
    assert not np.array_equal(np.isnan(with_gaps), np.isnan(one.with_gaps("at random", 0.3)))
    assert not np.isnan(np.vstack([one.X, one.X_test])).any()  # what is judged is complete
    np.testing.assert_allclose(standardised(one.X, one.X), one.X, atol=1e-12)
    assert set(one.errors(range(6))) == set(JUDGES)
    assert (sizes(6), sizes(60)[0], sizes(60)[-1], len(sizes(60))) == ([2, 3, 4, 5], 2, 59, 5)


def test_the_slow_information_is_that_of_the_reference():
    rng = np.random.default_rng(3)
    X, y = rng.integers(4, size=(40, 2)).astype(float), np.r_[np.zeros(5, int), rng.integers(1, 3, size=35)]
    squared = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    assert rules.information(squared, y) == pytest.approx(mutual_information(X, np.eye(3)[y]), abs=1e-12)


def test_all_rules_are_the_fast_search_on_complete_data(data):
    X, y = standardised(data[0], data[0]), data[1]
    wanted = search(X, y).tolist()
    for rule in rules.RULES.values():
        assert rules.backward(rule, X, y).tolist() == wanted


def test_ours_is_the_constant_of_two_variances_and_the_mean_filled_in_is_that(data):
    for mechanism, share in CELLS:
        halves = Halves.draw(data, "wine", 0)
        X, y = halves.with_gaps(mechanism, share), halves.y
        order, _ = METHODS[OURS](X, y, 0)
        assert rules.backward(rules.constant, X, y).tolist() == order.tolist()
        filled = rules.backward(rules.filled_by_mean, X, y).tolist()
        assert filled == search(np.nan_to_num(X), y, scale=None).tolist()


def test_rules_are_expectations_and_scale_up():
    X = np.array([[1.0, np.nan], [-1.0, 2.0], [np.nan, -2.0]])
    apart, _ = rules.expected(X)
    np.testing.assert_allclose(apart[0], [[0, 4, 2], [4, 0, 2], [2, 2, 2]])  # mean 0 and variance 1
    np.testing.assert_allclose(apart[1], [[8, 8, 8], [8, 0, 16], [8, 16, 0]])  # variance 4
    apart, _ = rules.constant(X)
    np.testing.assert_allclose(apart[0], [[0, 4, 2], [4, 0, 2], [2, 2, 2]])
    apart, counted = rules.scaled_up(X)
    assert (apart[~counted] == 0).all()
    assert counted.sum(axis=0).tolist() == [[1, 1, 0], [1, 2, 1], [0, 1, 1]]


def test_runs_resume_and_losses_are_of_the_same_rows(data, tmp_path):
    results, asked = Runs(tmp_path / "selections.jsonl"), []

    def stand_in(order):
        def select(X, y, seed):
            asked.append(np.isnan(X).mean())
            return np.array(order), (0.01, 0.02)

        return select

    methods = {name: stand_in(range(6)) for name in METHODS}
    for repetitions in (1, 2, 2):
        selections.fill(results, {"wine": data}, methods, repetitions, complete=stand_in(range(6)))
    assert len(asked) == 2 * (1 + 4 * len(METHODS))
    losses = tables.Losses(results.read(), METHODS)
    assert losses.mean(["wine"], {OURS: 1.0}) == (0.0, 0.0)
    assert "+0.00 (0.00)" in tables.bars(losses)
    assert len(tables.by_set(losses).splitlines()) == 3


@pytest.mark.filterwarnings("ignore:.*Early stopping criterion")
def test_copies_and_times_in_small(data, tmp_path):
    times.fill(Runs(tmp_path / "times.jsonl"), {"wine": (data[0][:40], data[1][:40])}, 1)
    assert len(tables.of_times(Runs(tmp_path / "times.jsonl").read()).splitlines()) == 3
    X, y, rows = copies.copied(*data, 0.0, np.random.default_rng(0))
    np.testing.assert_array_equal(X, data[0][rows])
    np.testing.assert_array_equal(y, data[1][rows])
    assert (np.bincount(rows) == 3).all()
    copies.fill_weights(Runs(tmp_path / "weights.jsonl"), {"wine": data}, 1)
    assert "1 of 1 the same" in tables.of_weights(Runs(tmp_path / "weights.jsonl").read())


def test_the_tables_of_the_readme_follow_from_the_results():
    found = tables.tables()
    assert {"losses", "sets", "bars", "candidates", "times", "copies", "weights"} <= set(found)
    text = tables.README.read_text()
    assert tables.placed(text, found) == text
    repetitions = {x["data"].partition(",")[0]: x["repetition"] + 1 for x in Runs(selections.RESULTS).read()}
    assert set(repetitions) == {*TUNED, *CONFIRMED}
    assert min(repetitions.values()) >= 10


def test_the_slow_search_with_the_constant_found_what_the_selector_did():
    orders = {}
    for file, method in ((selections.RESULTS, OURS), (candidates.RESULTS, "constant, 2 variances")):
        for x in Runs(file).read():
            if x["method"] == method:
                orders.setdefault((x["data"], x["repetition"]), []).append(x["order"])
    twice = [found for found in orders.values() if len(found) == 2]
    assert len(twice) >= 4 * len(CELLS) * 10
    assert all(one == other for one, other in twice)


def test_a_table_without_a_place_is_noticed():
    with pytest.raises(ValueError, match="no place for the table 'times'"):
        tables.placed("", {"times": ""})
