"""What each feature adds, as fitted selectors tell it."""

import numpy as np
import pytest
from samples import gaussians
from sklearn.base import clone

from tamis import (
    BlanketSelector,
    Criterion,
    MutualInformation,
    NoisyLabels,
    RankingSelector,
    SequentialSelector,
)
from tamis.distances.scaling import scaled
from tamis.relevance import scorer_of

X, CODES = gaussians(150, 7, 3, seed=6, informative=3)
SELECTORS = {
    "backward": SequentialSelector(n_features_to_select=1),
    "required": SequentialSelector(n_features_to_select=3, required_features=[5]),
    "blanket": BlanketSelector(n_features_to_select=1, n_conditioning=3, n_bins=10),
    "blanket, raw": BlanketSelector("kl", n_features_to_select=1, correction=None, n_conditioning=2, n_bins=10),
}


@pytest.mark.parametrize("kind", SELECTORS)
def test_a_subset_alone_tells_the_same(kind):
    """A search that starts from a subset of the path begins with what its features add."""
    path = clone(SELECTORS[kind]).fit(X, CODES).path_
    for n in path.sizes[:-1]:
        subset = path.subset(n)
        again = clone(SELECTORS[kind]).set_params(n_features_to_select=1, required_features=None)
        again.fit(X[:, subset], CODES)
        np.testing.assert_allclose(path.adds(n), again.path_.adds(n), rtol=0, atol=1e-9)


@pytest.mark.parametrize("correction", ["null", None])
@pytest.mark.parametrize("groups", [None, [[0, 6], [1], [2, 3], [4], [5]]], ids=["single", "groups"])
def test_what_leaves_a_blanket_told_what_it_adds(correction, groups):
    how = {"correction": correction, "feature_groups": groups, "random_state": 0}
    selector = BlanketSelector(required_features=[4], n_features_to_select=2, n_conditioning=3, n_bins=10, **how).fit(
        X, CODES
    )
    path = selector.path_
    for n, step in zip(path.sizes[:-1], path.steps[1:], strict=True):
        subset = path.subset(n)
        assert (path.adds(n)[np.isin(subset, path.members(step.feature))] == step.score).all()
        assert np.isfinite(path.adds(n)).all()
    assert path.adds(path.sizes[-1]) is None


def test_labels_of_each_step_judge_its_subset():
    labels = NoisyLabels(None, refit="each-step")
    path = SequentialSelector(labels=labels, n_features_to_select=1).fit(X, CODES).path_
    for n in path.sizes[:-1]:
        columns = X[:, path.subset(n)]
        model = clone(labels).fit(columns, CODES)
        scorer = scorer_of(MutualInformation(), model, scaled(columns, "standard"))
        expected = scorer.of(range(n))[0] - scorer.without_each(range(n))[:, 0]
        np.testing.assert_allclose(path.adds(n), expected, rtol=0, atol=1e-9)


def test_forward_searches_tell_it_unless_labels_change_with_each_step():
    how = {"direction": "forward", "n_features_to_select": 4}
    noisy = SequentialSelector(labels=NoisyLabels(None, refit="each-step"), **how).fit(X, CODES)
    assert all(noisy.path_.adds(n) is None for n in noisy.path_.sizes)
    once = SequentialSelector(labels=NoisyLabels(random_state=0), **how).fit(X, CODES)
    assert all(once.path_.adds(n).shape == (n,) for n in once.path_.sizes)
    assert once.path_.noise_rates is not None
    ranked = RankingSelector().fit(X, CODES)
    assert all(ranked.path_.adds(n) is None for n in ranked.path_.sizes)


@pytest.mark.parametrize("groups", [None, [[0, 6], [1], [2, 3], [4], [5]]], ids=["single", "groups"])
@pytest.mark.parametrize("required", [None, [1, 4]])
def test_both_directions_agree_on_a_subset(groups, required):
    how = {"feature_groups": groups, "required_features": required}
    down = SequentialSelector(n_features_to_select=7, **how).fit(X, CODES).path_
    up = SequentialSelector(direction="forward", n_features_to_select=7, **how).fit(X, CODES).path_
    np.testing.assert_allclose(up.adds(7), down.adds(7), rtol=0, atol=1e-9)
    least = up.adds(up.sizes[0])
    assert len(least) == up.sizes[0]


class Impatient(Criterion):
    """The sum of the means of its columns, as long as it is not asked too often."""

    n_asked = 0

    def score(self, X, memberships):
        Impatient.n_asked += 1
        if Impatient.n_asked > 1 + 7 + 6 + 5:
            raise KeyboardInterrupt
        return float(X.mean(axis=0).sum())


def test_an_interruption_keeps_what_was_told(monkeypatch):
    monkeypatch.setattr(Impatient, "n_asked", 0)
    selector = SequentialSelector(Impatient(), scale=None, n_features_to_select=2)
    with pytest.raises(KeyboardInterrupt):
        selector.fit(X, CODES)
    path = selector.path_
    assert path.sizes.tolist() == [7, 6, 5, 4]
    for n in (7, 6, 5):
        np.testing.assert_allclose(path.adds(n), X[:, path.subset(n)].mean(axis=0), atol=1e-12)
    assert path.adds(4) is None
    assert not hasattr(selector, "correlated_")
