"""Steps decided on a sample of the rows."""

import numpy as np
import pytest
from samples import gaussians, one_hot

from tamis import BayesRisk, MutualInformation, NoisyLabels, SequentialSelector
from tamis.distances.balls import BallScan
from tamis.distances.scaling import scaled
from tamis.relevance import racing
from tamis.relevance.racing import Queries

N = 6000
X, CODES = gaussians(N, 6, 3, seed=5)
P = one_hot(CODES)
ALL = list(range(6))


@pytest.mark.parametrize("quantity", ["count", "distance", "risk"])
def test_queries_are_means_over_their_rows(quantity):
    """The mean over all rows is that of two halves, each asked by itself in any order."""
    order = np.random.default_rng(0).permutation(600)
    scan = BallScan(X[:600], P[:600], quantity)
    halves = [scan.around(order[:320]), scan.around(order[320:])]
    for ask in (lambda s: s.without_each(ALL), lambda s: s.with_each([0, 1], [2, 3, 4]), lambda s: s.of([0, 2])):
        first, second = (ask(half) for half in halves)
        np.testing.assert_allclose((320 * first + 280 * second) / 600, ask(scan), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("criterion", [MutualInformation(), BayesRisk(), BayesRisk("count")])
def test_as_many_queries_as_rows_are_the_exact_scores(criterion):
    scorer = criterion.scorer(X[:500], P[:500], queries=Queries(500))
    np.testing.assert_allclose(
        scorer.without_each(ALL), criterion.scorer(X[:500], P[:500]).without_each(ALL), rtol=1e-12, atol=1e-12
    )
    assert scorer.sampling == (500, (500, 500), 0.0)


def test_a_clear_decision_needs_few_rows_and_a_close_one_many(monkeypatch):
    monkeypatch.setattr(racing, "_FIRST", 512)
    rng = np.random.default_rng(1)
    relevant = CODES[:, None] + 0.7 * rng.normal(size=(N, 2))
    clear = np.column_stack([relevant, rng.normal(size=N)])
    few = MutualInformation().scorer(clear, P, queries=Queries("auto"))
    assert few.without_each([0, 1, 2])[:, 0].argmax() == 2
    assert few.sampling == (N, (512, 512), 0.0)
    close = np.column_stack([relevant, rng.normal(size=(N, 2))])
    many = MutualInformation().scorer(close, P, queries=Queries("auto"))
    many.without_each([0, 1, 2, 3])  # which of two columns of noise
    assert many.sampling.n_queries[0] >= 4096
    both = MutualInformation().scorer(close, P, queries=Queries("auto", leaving={4: 2}))
    both.without_each([0, 1, 2, 3])  # both of them
    assert both.sampling == (N, (512, 512), 0.0)
    one_stays = MutualInformation().scorer(close, P, queries=Queries("auto", required={3}))
    one_stays.without_each([0, 1, 2, 3])
    assert one_stays.sampling == (N, (512, 512), 0.0)


def test_a_step_costs_no_more_than_it_may(monkeypatch):
    """Fewer features, more rows; what is not known after them is said."""
    monkeypatch.setattr(racing, "_FIRST", 256)
    monkeypatch.setattr(racing, "MOST_VALUES", 5000)
    monkeypatch.setattr(racing, "ALWAYS_AFFORDED", 0)
    scorer = MutualInformation().scorer(np.random.default_rng(0).normal(size=(N, 6)), P, queries=Queries("auto"))
    asked = []
    for size in (6, 5, 4, 3):
        scorer.without_each(range(size))
        asked.append(scorer._asked[-1])
    assert asked == [512, 512, 1024, 1024]
    assert 0 < scorer.sampling.margin < 1


def test_no_step_loses_more_than_the_margin(monkeypatch):
    """Measured against the exact scores, over many subsets; one loss in twenty searches would be allowed."""
    monkeypatch.setattr(racing, "_FIRST", 256)
    monkeypatch.setattr(racing, "MOST_VALUES", 1024 * 5)
    monkeypatch.setattr(racing, "ALWAYS_AFFORDED", 0)
    rng, lost, margins = np.random.default_rng(2), 0, []
    for _ in range(30):
        columns = rng.normal(size=(2000, 5)) + np.outer(CODES[:2000], rng.uniform(0, 0.5, 5))
        for leaving in ({}, {5: 2}):
            sampled = MutualInformation().scorer(columns, P[:2000], queries=Queries("auto", leaving))
            exact = MutualInformation().scorer(columns, P[:2000]).without_each(range(5))[:, 0]
            order = np.argsort(-sampled.without_each(range(5))[:, 0])
            taken = leaving.get(5, 1)
            lost += exact[order[taken:]].max() - exact[order[:taken]].min() > sampled.sampling.margin + 1e-12
            margins.append(sampled.sampling.margin)
    assert lost <= 1
    assert np.median(margins) < 0.2


def test_the_last_features_of_a_sampled_search_are_those_of_the_exact_one():
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 2, 12_000)
    columns = rng.normal(size=(12_000, 8)) + np.outer(codes, [1.5, 1.2, 1.0, 0, 0, 0, 0, 0])
    found = {q: SequentialSelector(n_features_to_select=3, n_queries=q).fit(columns, codes) for q in ("auto", None)}
    assert found["auto"].support_.tolist() == found[None].support_.tolist() == [True] * 3 + [False] * 5
    fewest, _ = found["auto"].sampling_.n_queries
    assert fewest < 12_000
    assert found["auto"].sampling_.n_rows == 12_000
    assert found[None].sampling_ is None
    again = SequentialSelector(n_features_to_select=3, n_jobs=2).fit(columns, codes)
    assert again.path_.scores.tobytes() == found["auto"].path_.scores.tobytes()
    assert np.isfinite(found["auto"].path_.adds(3)).all()


def test_labels_of_each_step_are_sampled_too():
    how = {"labels": NoisyLabels(None, refit="each-step", random_state=0), "n_features_to_select": 2}
    fitted = SequentialSelector(n_queries=640, **how).fit(X[:1500], CODES[:1500])
    assert fitted.sampling_.n_queries == (640, 640)
    assert fitted.sampling_.margin > 0


def test_groups_of_columns_and_both_directions():
    groups = [[0, 1], [2], [3, 4, 5]]
    for direction in ("backward", "forward"):
        how = {"feature_groups": groups, "direction": direction, "n_features_to_select": 3}
        few = SequentialSelector(n_queries=2048, **how).fit(X, CODES)
        every = SequentialSelector(n_queries=None, **how).fit(X, CODES)
        np.testing.assert_allclose(few.path_.scores, every.path_.scores, atol=0.06)
        assert few.sampling_.n_queries == (2048, 2048)


def test_too_few_queries_to_tell_how_good_they_are():
    assert SequentialSelector(n_queries=40, n_features_to_select=2).fit(X[:600], CODES[:600]).sampling_.margin == np.inf


@pytest.mark.parametrize("value", [0, -1, 2.5, "all", True, np.nan])
def test_other_numbers_of_queries_are_refused(value):
    with pytest.raises(ValueError, match="n_queries must be 'auto', a whole number"):
        SequentialSelector(n_queries=value).fit(X[:50], CODES[:50])


def test_float32_of_many_rows_stays_so():
    """And is float64 where there are few."""
    rng = np.random.default_rng(4)
    codes = rng.integers(0, 2, 11_000)
    columns = (rng.normal(size=(11_000, 4)) + np.outer(codes, [1.5, 1.0, 0, 0]) + 100).astype(np.float32)
    few, many = slice(900), slice(None)
    for rows, same in ((few, True), (many, False)):
        narrow = SequentialSelector(n_features_to_select=2).fit(columns[rows], codes[rows])
        wide = SequentialSelector(n_features_to_select=2).fit(columns[rows].astype(float), codes[rows])
        assert narrow.path_.order.tolist()[1:] == wide.path_.order.tolist()[1:]
        np.testing.assert_allclose(narrow.path_.scores, wide.path_.scores, atol=1e-4)
        assert (narrow.path_.scores.tobytes() == wide.path_.scores.tobytes()) == same
    assert scaled(columns, "standard").dtype == np.float32
    np.testing.assert_allclose(scaled(columns, "standard"), scaled(columns.astype(float), "standard"), atol=1e-4)
