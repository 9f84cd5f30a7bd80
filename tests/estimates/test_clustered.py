"""p-values with weights and groups of rows: copies are not taken for independent rows."""

import numpy as np
import pytest
from samples import mixed, one_hot

from tamis._validation import Rows
from tamis.estimates.association import p_values_of


def clusters(rng, n_groups, d, kind):
    """Groups of one to eight rows: features and classes of the group, the features of rows with noise of their own."""
    group = np.repeat(np.arange(n_groups), rng.integers(1, 9, n_groups))
    codes = rng.choice(3, n_groups, p=[0.6, 0.3, 0.1])
    X = rng.normal(size=(n_groups, d))[group]
    if kind == "noisy":
        X = X + rng.normal(size=X.shape)
    elif kind == "categories":
        X = rng.integers(0, 4, (n_groups, d)).astype(float)[group]
    elif kind == "rare":  # meet a rare class in few groups or none
        X = (rng.random((n_groups, d)) < 0.1).astype(float)[group]
    return X, [4 if kind == "categories" else 0] * d, one_hot(codes)[group], group


@pytest.mark.parametrize("kind", ["copies", "noisy", "categories", "rare"])
@pytest.mark.parametrize("n_groups", [15, 150])
def test_groups_hold_the_level_where_rows_as_independent_do_not(kind, n_groups):
    rng = np.random.default_rng(0)
    found, naive = [], []
    for _ in range(12):
        X, kinds, target, group = clusters(rng, n_groups, 20, kind)
        found.append(p_values_of(X, kinds, target, rows=Rows(group=group)))
        naive.append(p_values_of(X, kinds, target))
    found, naive = np.concatenate(found), np.concatenate(naive)
    found = found[~np.isnan(found)]
    for level in (0.05, 0.01):
        assert np.mean(found <= level) <= level + 3.5 * np.sqrt(level * (1 - level) / len(found))
    assert np.mean(naive <= 0.05) > 0.2


def test_weights_hold_the_level():
    rng = np.random.default_rng(1)
    found = []
    for _ in range(12):
        rows = Rows(weight=rng.lognormal(size=120))
        found.append(p_values_of(rng.normal(size=(120, 20)), [0] * 20, one_hot(rng.integers(0, 3, 120)), rows=rows))
    assert np.mean(np.concatenate(found) <= 0.05) <= 0.05 + 3.5 * np.sqrt(0.05 * 0.95 / 240)


@pytest.mark.parametrize("kind", [0, 3])
def test_a_relation_is_seen(kind):
    rng = np.random.default_rng(2)
    group = np.repeat(np.arange(200), 3)
    codes = rng.integers(0, 3, 200)
    feature = np.where(rng.random(200) < 0.4, codes, rng.integers(0, 3, 200)).astype(float)
    target = one_hot(codes)[group]
    assert p_values_of(feature[group, None], [kind], target, rows=Rows(group=group))[0] < 1e-6
    weight = rng.lognormal(size=200)
    assert p_values_of(feature[:, None], [kind], one_hot(codes), rows=Rows(weight=weight))[0] < 1e-3


@pytest.mark.parametrize("kind", [0, 4])
def test_whole_weights_are_repeated_rows_in_groups(kind):
    rng = np.random.default_rng(3)
    X, P = rng.integers(0, 4, (100, 5)).astype(float), mixed(rng.integers(0, 3, 100))
    if not kind:
        X[rng.random(X.shape) < 0.2] = np.nan
    weight = rng.integers(1, 5, 100)
    weighted = p_values_of(X, [kind] * 5, P, rows=Rows(weight=weight.astype(float)))
    repeated = p_values_of(
        np.repeat(X, weight, axis=0),
        [kind] * 5,
        np.repeat(P, weight, axis=0),
        rows=Rows(group=np.repeat(np.arange(100), weight)),
    )
    np.testing.assert_allclose(weighted, repeated, rtol=1e-7)


def test_neither_the_unit_of_weights_nor_the_order_of_rows_matters():
    rng = np.random.default_rng(4)
    X, P, weight, group = (
        rng.normal(size=(80, 3)),
        mixed(rng.integers(0, 3, 80)),
        rng.lognormal(size=80),
        np.arange(80) // 2,
    )
    plain = p_values_of(X, [0] * 3, P, rows=Rows(weight, group))
    order = rng.permutation(80)
    for rows, at in ((Rows(1e-9 * weight, group), slice(None)), (Rows(weight[order], group[order]), order)):
        np.testing.assert_allclose(p_values_of(X[at], [0] * 3, P[at], rows=rows), plain, rtol=1e-7)
    np.testing.assert_allclose(p_values_of(np.exp(X), [0] * 3, P, rows=Rows(weight, group)), plain, rtol=1e-7)


def test_few_groups_and_many_classes_give_a_number_or_none():
    rng = np.random.default_rng(5)
    X, P = rng.normal(size=(60, 2)), one_hot(np.arange(60) % 20)
    for n_groups in (2, 3, 4, 10, 60):
        p = p_values_of(X, [0] * 2, P, rows=Rows(weight=np.full(60, 2.0), group=np.arange(60) % n_groups))
        assert np.isnan(p).all() == (n_groups < 3)
        assert n_groups < 3 or ((p >= 0) & (p <= 1)).all()
    constant = np.column_stack([np.full(60, 3.0), np.full(60, np.nan)])
    assert np.isnan(p_values_of(constant, [0] * 2, P, rows=Rows(group=np.arange(60) // 2))).all()
    assert np.isnan(p_values_of(X, [0] * 2, np.ones((60, 1)), rows=Rows(group=np.arange(60) // 2))).all()
