"""BlanketSelector with categories and with features that move together."""

import blanket_reference as slow
import numpy as np
import pandas as pd
import pytest
from samples import one_hot
from scipy import sparse

from tamis import BlanketSelector, ClassDistance, CrowdLabels, NoisyLabels

N = 400


def mixed_table(seed):
    """Two categorical columns of unequal counts, the first of them and one number relevant; (table, y)."""
    rng = np.random.default_rng(seed)
    town = rng.choice(7, N, p=[0.3, 0.2, 0.15, 0.13, 0.1, 0.07, 0.05])
    colour = (town + rng.choice(3, N, p=[0.5, 0.3, 0.2])) % 4
    width, noise = rng.normal(size=(2, N))
    width += colour
    y = (town % 3 + (width > 1) + (rng.uniform(size=N) < 0.2)) % 3
    names = {"town": np.array(list("abcdefg"))[town], "colour": np.array(list("uvwx"))[colour]}
    return pd.DataFrame(names | {"width": width, "noise": noise}).astype({"town": "category", "colour": "category"}), y


def encoded(table):
    return pd.get_dummies(table, prefix_sep="=").astype(float)


def paths_are_equal(one, other):
    """The groups of the two are in different orders: compare by the first names of what left."""
    first = [
        [s.feature_names_in_[s.path_.members(step.feature)[0]] for step in s.path_.steps[1:]] for s in (one, other)
    ]
    assert [name.split("=")[0] for name in first[1]] == first[0]
    np.testing.assert_allclose(other.path_.scores, one.path_.scores, atol=1e-12)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", ["tree", "raw", "kl", "points", "soft"])
def test_a_category_is_the_group_of_its_columns(seed, kind):
    table, y = mixed_table(seed)
    options = {
        "tree": dict(),
        "raw": dict(correction=None),
        "kl": dict(divergence="kl"),
        "points": dict(class_distance=[[0, 3, 4], [3, 0, 5], [4, 5, 0]], correction=None),
        "soft": dict(labels="soft", correction=None),
    }[kind]
    y = np.random.default_rng(seed).dirichlet(np.ones(3), N) + one_hot(y) if kind == "soft" else y
    y = y / y.sum(axis=1, keepdims=True) if kind == "soft" else y
    options |= {"n_conditioning": 2 if kind == "tree" else 3, "n_bins": 10, "n_features_to_select": 1}
    categories = BlanketSelector(**options).fit(table, y)
    groups = BlanketSelector(feature_groups="=", **options).fit(encoded(table), y)
    paths_are_equal(categories, groups)
    assert categories.categories_[0].tolist() == list("abcdefg")
    for name in ("town", "colour"):
        members = groups.feature_names_in_[[n.split("=")[0] == name for n in groups.feature_names_in_]]
        assert len(set(groups.scores_[[n in members for n in groups.feature_names_in_]])) == 1
        found = {n.split("=")[0] for n in groups.blanket(members[0])}
        assert found == set(categories.blanket(name))


def test_ways_to_name_groups():
    table, y = mixed_table(0)
    wide = encoded(table)
    by_prefix = BlanketSelector(feature_groups="=", n_features_to_select=2, n_conditioning=3, n_bins=10).fit(wide, y)
    labels = [name.split("=")[0] for name in wide]
    lists = [[n for n in wide if n.split("=")[0] == label] for label in dict.fromkeys(labels)]
    for groups in (labels, lists):
        other = BlanketSelector(feature_groups=groups, n_features_to_select=2, n_conditioning=3, n_bins=10).fit(wide, y)
        assert other.path_.groups == by_prefix.path_.groups
        assert other.path_.scores.tobytes() == by_prefix.path_.scores.tobytes()
    assert by_prefix.path_.sizes[[0, -2, -1]].tolist() == [13, 8, 7]  # the noise and the colours left, then the width
    town = [name.startswith("town") for name in wide]
    assert by_prefix.support_[town].all()
    assert len(set(by_prefix.ranking_[town])) == 1
    by_hand = BlanketSelector(categorical_features=[0, 1], n_features_to_select=2, n_conditioning=3, n_bins=10).fit(
        table.to_numpy(dtype=object), y
    )
    np.testing.assert_array_equal(
        by_hand.path_.order,
        BlanketSelector(n_features_to_select=2, n_conditioning=3, n_bins=10).fit(table, y).path_.order,
    )


@pytest.mark.parametrize("correction", ["null", None])
def test_permuted_columns_change_nothing(correction):
    table, y = mixed_table(1)
    wide = encoded(table)
    fits = [
        BlanketSelector(
            feature_groups="=",
            correction=correction,
            n_features_to_select=3,
            random_state=0,
            n_conditioning=3,
            n_bins=10,
        ).fit(wide[wide.columns[order]], y)
        for order in (range(wide.shape[1]), np.random.default_rng(0).permutation(wide.shape[1]))
    ]
    left = [
        [{s.feature_names_in_[f].split("=")[0] for f in s.path_.members(t.feature)} for t in s.path_.steps]
        for s in fits
    ]
    assert left[0] == left[1]
    np.testing.assert_allclose(fits[1].path_.scores, fits[0].path_.scores, atol=1e-12)
    assert set(fits[0].get_feature_names_out()) == set(fits[1].get_feature_names_out())


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("kind", ["tree", "points", "kl"])
def test_groups_leave_in_the_order_of_the_plain_search(seed, kind):
    rng = np.random.default_rng(seed)
    levels = np.column_stack([rng.integers(0, r, 60) for r in (2, 2, 3, 5, 2, 3, 2)])
    codes = (levels[:, 0] + 2 * levels[:, 2] + (rng.uniform(size=60) < 0.3)) % 3
    groups = ((0, 3), (1,), (2,), (4, 6), (5,))
    chain = ClassDistance.from_tree([(0, 1, 1.0), (1, 2, 2.0)])
    distance = ClassDistance.from_vectors(rng.normal(size=(3, 3))) if kind == "points" else chain
    divergence = "kl" if kind == "kl" else "wasserstein"
    units, blocks = slow.combined(levels, groups), [levels[:, list(group)] for group in groups]
    P, D = one_hot(codes), distance.matrix
    order, deltas = slow.eliminate(
        blocks, units, 2, lambda f, g: (slow.delta(units, P, f, g, divergence, D), 0.0), 1e-10, False
    )
    for make in (np.asarray, sparse.csr_array):
        selector = BlanketSelector(divergence, class_distance=distance, n_conditioning=2, correction=None, n_bins=10)
        selector.set_params(feature_groups=[list(group) for group in groups], n_features_to_select=1)
        selector.fit(make(levels.astype(float)), codes)
        assert [step.feature for step in selector.path_.steps[1:]] == order
        np.testing.assert_allclose(selector.path_.scores[1:], deltas, atol=1e-9)


def test_required_groups_stay_whole():
    table, y = mixed_table(2)
    wide = encoded(table)
    colours = [name for name in wide if name.startswith("colour")]
    selector = BlanketSelector(
        feature_groups="=", required_features=colours, n_features_to_select=4, n_conditioning=3, n_bins=10
    ).fit(wide, y)
    assert selector.get_feature_names_out().tolist() == colours
    assert selector.blanket(colours[0]).size == 0
    with pytest.raises(ValueError, match="required_features must take a group whole"):
        BlanketSelector(feature_groups="=", required_features=colours[:1], n_conditioning=3, n_bins=10).fit(wide, y)


def test_noise_models_see_categories_as_columns():
    table, y = mixed_table(0)
    selector = BlanketSelector(
        labels=NoisyLabels(random_state=0),
        n_permutations=3,
        random_state=0,
        n_features_to_select=2,
        n_conditioning=3,
        n_bins=10,
    ).fit(table, y)
    assert selector.support_[0]
    assert selector.memberships_.shape == (N, 3)


def test_categories_that_occur_in_no_known_row_do_no_harm():
    table, y = mixed_table(0)
    known = (table["town"] != "g").to_numpy()
    answers = np.where(known, y.astype(object), None)[:, None]
    with pytest.warns(UserWarning, match="rows have no answer"):
        some = BlanketSelector(labels=CrowdLabels("share"), n_features_to_select=1, n_conditioning=3, n_bins=10).fit(
            table, answers
        )
    few = BlanketSelector(n_features_to_select=1, n_conditioning=3, n_bins=10).fit(table[known], y[known])
    np.testing.assert_array_equal(some.path_.order, few.path_.order)


def test_many_categories_are_named_only_if_there_are_too_many():
    table, y = mixed_table(0)
    BlanketSelector(bins=None, n_features_to_select=2, n_conditioning=3, n_bins=10).fit(table[["town", "colour"]], y)
    crowded = table.assign(street=pd.Categorical(np.arange(N) % 50))[["town", "street"]]
    with pytest.warns(UserWarning, match=r"features \['street'\] have up to 50 levels"):
        BlanketSelector(bins=None, n_features_to_select=2, n_conditioning=3, n_bins=10).fit(crowded, y)


def test_bad_groups_and_categories_are_named():
    table, y = mixed_table(0)
    with pytest.raises(ValueError, match="feature_groups must name every column"):
        BlanketSelector(feature_groups=[[0, 1]], n_conditioning=3, n_bins=10).fit(table, y)
    with pytest.raises(TypeError, match="categorical_features cannot be used with sparse X"):
        BlanketSelector(categorical_features=[0], n_conditioning=3, n_bins=10).fit(
            sparse.csr_array(encoded(table).to_numpy()), y
        )
    with pytest.raises(ValueError, match="Name columns of text in categorical_features"):
        BlanketSelector(n_conditioning=3, n_bins=10).fit(table.astype(object), y)
