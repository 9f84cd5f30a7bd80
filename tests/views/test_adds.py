"""What each feature adds to a subset, as a summary tells it."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from tamis import BlanketSelector, RankingSelector, SequentialSelector, mutual_information
from tamis.datasets import flip_uniform
from tamis.views import summarise


@pytest.fixture(scope="module")
def irises():
    X, y = load_iris(return_X_y=True, as_frame=True)
    return X, flip_uniform(y, 0.2, random_state=0).y


@pytest.mark.parametrize("direction", ["backward", "forward"])
@pytest.mark.parametrize("scale", ["standard", None])
def test_what_a_feature_adds_is_the_criterion_with_it_less_that_without_it(irises, direction, scale):
    X, y = irises[0].to_numpy(), irises[1]
    how = {"direction": direction, "scale": scale, "n_features_to_select": 4}
    summary = summarise(SequentialSelector(**how).fit(X, y))
    at_scale = X / X.std(axis=0) if scale else X
    for step in summary["path"]:
        subset = [f for f, feature in enumerate(summary["features"]) if feature["from_size"] <= step["size"]]
        with_all = mutual_information(at_scale[:, subset], y)
        without = [mutual_information(at_scale[:, [g for g in subset if g != f]], y) if len(subset) > 1 else 0.0
                   for f in subset]  # fmt: skip
        assert step["score"] == pytest.approx(with_all, abs=1e-12)
        assert step["adds"] == pytest.approx(with_all - np.array(without), rel=1e-5, abs=1e-9)
        assert step["adds"] == [float(f"{value:.6g}") for value in step["adds"]]


def test_columns_that_were_divided_by_their_spread_need_no_scale(irises):
    X, y = irises[0].to_numpy(), irises[1]
    one = summarise(SequentialSelector(n_features_to_select=2).fit(X, y))
    other = summarise(SequentialSelector(n_features_to_select=2, scale=None).fit(X / X.std(axis=0), y))
    assert [step["adds"] for step in one["path"]] == [step["adds"] for step in other["path"]]


def test_in_a_blanket_what_leaves_adds_its_score(irises):
    X, y = irises
    for divergence in ("wasserstein", "kl"):
        summary = summarise(
            BlanketSelector(divergence, n_features_to_select=2, random_state=0, n_conditioning=3, n_bins=10).fit(X, y)
        )
        names = [f["name"] for f in summary["features"]]
        for step, after in zip(summary["path"], summary["path"][1:], strict=False):
            inside = [
                name for name, f in zip(names, summary["features"], strict=True) if f["from_size"] <= step["size"]
            ]
            assert step["adds"][inside.index(after["moved"][0])] == pytest.approx(after["score"], rel=1e-5)
        last = next(f for f in summary["features"] if f["from_size"] == 1)
        assert summary["path"][-1]["adds"] == [pytest.approx(last["score"], rel=1e-5)]


def test_nobody_asked_what_features_of_rankings_and_of_large_subsets_add(irises):
    ranked = summarise(RankingSelector(n_features_to_select=2).fit(*irises))
    assert all(step["adds"] is None for step in ranked["path"])
    X, y = np.random.default_rng(0).normal(size=(20, 302)), np.repeat([0, 1], 10)
    path = summarise(BlanketSelector(n_features_to_select=5, correction=None, n_conditioning=3, n_bins=10).fit(X, y))[
        "path"
    ]
    assert [step["adds"] is None for step in path] == [step["size"] > 300 for step in path]
    forward = SequentialSelector(direction="forward", n_features_to_select=52).fit(X[:, :60], y)
    path = summarise(forward)["path"]
    assert [step["size"] for step in path if step["adds"] is None] == [51]
