"""Where there are more features than rows, the search begins with those most related to the target."""

import io

import numpy as np
import pytest
from samples import CHEAP

from tamis import NoisyLabels, SequentialSelector
from tamis.estimates.association import p_values_of
from tamis.views import summarise
from tamis.views._screen import Screen
from tamis.views._words import what_the_sieve_did
from tamis.views.console import show_selection
from tamis.views.html import page


@pytest.fixture(scope="module")
def wide():
    rng = np.random.default_rng(5)
    y = rng.integers(2, size=60)
    X = rng.standard_normal((60, 500))
    X[:, 7:10] += 1.5 * y[:, None]
    return X, y


def test_the_most_related_features_are_searched(wide):
    X, y = wide
    selector = SequentialSelector(n_features_to_select=3).fit(X, y)
    assert selector.sieved_ == 300
    order = np.argsort(p_values_of(X, [0] * 500, np.eye(2)[y]), kind="stable")
    assert set(selector.path_.subset(200)) == set(order[:200])
    assert selector.path_.subset(350).tolist() == sorted(order[:350])
    assert np.flatnonzero(selector.support_).tolist() == [7, 8, 9]


def test_permuted_columns_leave_alike(wide):
    X, y = wide
    turn = np.random.default_rng(0).permutation(500)
    one, other = (SequentialSelector(n_features_to_select=1).fit(columns, y) for columns in (X, X[:, turn]))
    assert turn[other.path_.order].tolist() == one.path_.order.tolist()


@pytest.mark.parametrize("how", [{"step": 0.1}, {"direction": "forward"}, {"criterion": "laplacian"}], ids=str)
def test_other_searches_begin_with_all_features(wide, how):
    assert SequentialSelector(**{"n_features_to_select": 2} | how).fit(*wide).sieved_ == 0


@pytest.mark.parametrize(
    ("n_rows", "n_features", "sieved"), [(60, 200, 0), (60, 201, 1), (300, 300, 0), (300, 301, 101)]
)
def test_only_where_features_are_many(n_rows, n_features, sieved):
    rng = np.random.default_rng(1)
    X, y = rng.standard_normal((n_rows, n_features)), np.arange(n_rows) % 2
    assert SequentialSelector(n_features_to_select=1).fit(X, y).sieved_ == sieved


def test_required_features_and_groups_pass(wide):
    X, y = wide
    last = int(np.nanargmax(p_values_of(X, [0] * 500, np.eye(2)[y])))
    kept = SequentialSelector(n_features_to_select=3, required_features=[last]).fit(X, y)
    assert kept.support_[last]
    assert kept.sieved_ == 300
    many = list(range(250))
    kept = SequentialSelector(n_features_to_select=250, required_features=many).fit(X, y)
    assert np.flatnonzero(kept.support_).tolist() == many
    assert kept.sieved_ == 500 - 251
    pairs = [[f, f + 1] for f in range(0, 500, 2)]
    kept = SequentialSelector(n_features_to_select=4, feature_groups=pairs).fit(X, y)
    assert kept.sieved_ == 2 * (250 - 200)
    assert {6, 7, 8, 9} == set(np.flatnonzero(kept.support_))


def test_labels_are_those_that_the_search_sees(wide):
    X, y = wide
    X, recorded = X + 2.0 * (np.arange(500) < 50) * y[:, None], np.where(np.arange(60) < 6, 1 - y, y)
    selector = SequentialSelector(labels=NoisyLabels(random_state=0), n_features_to_select=1).fit(X, recorded)
    seen = selector.labels_.search_memberships()
    assert (seen.argmax(axis=1) != recorded).any()
    order = np.argsort(p_values_of(X, [0] * 500, seen), kind="stable")
    assert set(selector.path_.subset(200)) == set(order[:200])


def test_it_is_reported(wide):
    summary, file = summarise(SequentialSelector(random_state=0, **CHEAP).fit(*wide)), io.StringIO()
    assert summary["search"]["sieved"] == 300
    show_selection(summary, Screen(file))
    assert what_the_sieve_did(summary) in " ".join(file.getvalue().split())
    assert "300 of 500 features left before the search" in what_the_sieve_did(summary)
    assert "300 of 500 features left before the search" in page(summary)


def test_features_that_were_not_searched_are_judged_only_as_all(wide):
    sizes = SequentialSelector(random_state=0, **CHEAP).fit(*wide).evidence_.sizes
    assert sizes[-2:].tolist() == [200, 500]
