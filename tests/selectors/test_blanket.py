"""BlanketSelector: the twin's order, kinds of labels and metrics, and how it is used."""

import warnings

import blanket_reference as slow
import numpy as np
import pandas as pd
import pytest
from checks import is_a_scikit_learn_selector
from samples import CHEAP_OF_FEW, gaussians, mixed, one_hot
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.pipeline import make_pipeline

from tamis import (
    BlanketSelector,
    ClassDistance,
    CrowdLabels,
    MultiLabels,
    NoisyLabels,
    SequentialSelector,
    noise_bound,
)

X, CODES = gaussians(200, 6, 3, seed=6, informative=3)
NAMES = np.array(["a", "b", "c"])[CODES]


@pytest.mark.parametrize(
    "selector",
    [
        BlanketSelector(n_repeats=1, n_conditioning=3, n_bins=10),
        BlanketSelector("kl", n_conditioning=0, n_bins=10, **CHEAP_OF_FEW),
        BlanketSelector(correction=None, bins="uniform", n_features_to_select=1, n_conditioning=3, n_bins=10),
        BlanketSelector(labels="soft", n_permutations=2, random_state=0, n_conditioning=3, n_bins=10, **CHEAP_OF_FEW),
        BlanketSelector(
            labels=CrowdLabels(estimator=BernoulliNB()),
            n_permutations=2,
            random_state=0,
            n_conditioning=3,
            n_bins=10,
            **CHEAP_OF_FEW,
        ),
        BlanketSelector(labels=NoisyLabels(GaussianNB()), n_jobs=2, n_conditioning=3, n_bins=10, **CHEAP_OF_FEW),
    ],
    ids=str,
)
def test_check_estimator(selector):
    is_a_scikit_learn_selector(selector)


def small_problem(seed):
    rng = np.random.default_rng(seed)
    n, n_classes = 40, 3 + seed % 2
    levels = np.column_stack([rng.integers(0, r, n) for r in (2, 2, 3, 5, 2)])
    levels = np.column_stack([levels, levels[:, 2], np.ones(n, int)])  # a copy and a constant
    codes = (levels[:, 0] + 2 * levels[:, 2] + (rng.uniform(size=n) < 0.3)) % n_classes
    codes[:n_classes] = np.arange(n_classes)
    return levels, codes, n_classes


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("kind", ["tree", "points", "kl"])
def test_raw_order_is_that_of_the_plain_search(seed, kind):
    levels, codes, n_classes = small_problem(seed)
    chain = ClassDistance.from_tree([(s, s + 1, 1.0 + s) for s in range(n_classes - 1)])
    points = ClassDistance.from_vectors(np.random.default_rng(seed).normal(size=(n_classes, 3)))
    distance, divergence = points if kind == "points" else chain, "kl" if kind == "kl" else "wasserstein"
    P, D = one_hot(codes), distance.matrix
    tolerance = 1e-10 * (1 if kind == "kl" else D.max())
    order, deltas = slow.eliminate(
        levels, levels, 2, lambda f, g: (slow.delta(levels, P, f, g, divergence, D), 0.0), tolerance, False
    )
    selector = BlanketSelector(
        divergence, class_distance=distance, n_conditioning=2, bins=None, correction=None, n_bins=10
    )
    selector.set_params(n_features_to_select=1)
    with pytest.warns(UserWarning, match="fewer than ten samples") if levels.max() > 3 else warnings.catch_warnings():
        selector.fit(levels.astype(float), codes)
    assert selector.path_.order.tolist() == order
    np.testing.assert_allclose(selector.path_.scores[1:], deltas, atol=1e-9)


@pytest.mark.parametrize("correction", ["null", None])
def test_constants_leave_first_and_copies_do_not_stay_together(correction):
    many = np.column_stack([X[:, 0], X[:, 0], np.full(200, 2.0), X[:, 1], X[:, 5]])
    selector = BlanketSelector(n_features_to_select=2, correction=correction, n_conditioning=3, n_bins=10).fit(
        many, CODES
    )
    if correction is None:
        assert selector.path_.order[:2].tolist() == [0, 2]  # both tell nothing; the first column leaves
        assert selector.scores_[0] == 0
    else:
        assert selector.path_.order[0] == 2
    assert selector.scores_[2] == 0
    assert not selector.support_[:2].all()
    assert selector.blanket(0).tolist()[0] == 1


def test_fitted_attributes_and_names():
    frame = pd.DataFrame(X).add_prefix("f")
    selector = BlanketSelector(n_features_to_select=3, n_conditioning=3, n_bins=10).fit(frame, NAMES)
    assert set(selector.get_feature_names_out()) == {"f0", "f1", "f2"}
    assert selector.path_.sizes.tolist() == [6, 5, 4, 3, 2, 1]
    assert np.isfinite(selector.scores_).all()
    assert sorted(selector.ranking_.tolist()) == [1, 1, 1, 2, 3, 4]
    first = selector.path_.order[0]
    assert len(selector.blanket(f"f{first}")) == 3
    assert selector.blanket(int(first)).dtype == np.intp
    last = selector.path_.subset(1)[0]
    assert selector.blanket(last).size == 0
    assert selector.class_distance_.is_tree
    assert "removed" in selector.path_.to_frame()
    assert not hasattr(selector, "noise_bound_")
    pipeline = make_pipeline(
        BlanketSelector(n_features_to_select=2, n_conditioning=3, n_bins=10), LogisticRegression()
    ).fit(frame, NAMES)
    assert pipeline.score(frame, NAMES) > 0.5


def test_a_far_class_decides():
    """One feature tells c from the rest, another a from b; which of them stays depends on which confusion is worse."""
    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b", "c"], 200)
    noise = rng.uniform(size=(2, 600)) < 0.1
    Z = np.column_stack([(y == "c") ^ noise[0], (y == "b") ^ noise[1]]).astype(float)
    groups = ClassDistance.from_paths({"a": "near/a", "b": "near/b", "c": "far/c"}, weights=(1, 0.1))
    assert BlanketSelector(class_distance=groups, n_features_to_select=1, n_conditioning=3, n_bins=10).fit(
        Z, y
    ).support_.tolist() == [True, False]
    other = ClassDistance.from_paths({"a": "x/a", "c": "x/c", "b": "y/b"}, weights=(1, 0.1))
    assert BlanketSelector(class_distance=other, n_features_to_select=1, n_conditioning=3, n_bins=10).fit(
        Z, y
    ).support_.tolist() == [False, True]


@pytest.mark.parametrize("correction", ["null", None])
@pytest.mark.parametrize("divergence", ["wasserstein", "kl"])
def test_sparse_is_the_same_as_dense(divergence, correction):
    rng = np.random.default_rng(1)
    counts = rng.poisson(0.3, size=(300, 12)).astype(float)
    y = (counts[:, 0] + counts[:, 1] + rng.poisson(0.3, 300)) % 3
    fits = [
        BlanketSelector(divergence, correction=correction, n_features_to_select=4, n_conditioning=3, n_bins=10).fit(
            make(counts), y
        )
        for make in (np.asarray, sparse.csr_array, sparse.csc_matrix)
    ]
    for other in fits[1:]:
        np.testing.assert_array_equal(other.path_.order, fits[0].path_.order)
        np.testing.assert_allclose(other.path_.scores, fits[0].path_.scores, atol=1e-12)


def test_threads_and_seeds_do_not_matter_where_they_should_not():
    P = mixed(CODES)
    runs = [
        BlanketSelector(
            labels="soft",
            n_jobs=n,
            random_state=3,
            n_permutations=3,
            n_features_to_select=2,
            n_conditioning=3,
            n_bins=10,
        )
        .fit(X, P)
        .path_.scores.tobytes()
        for n in (1, 2)
    ]
    assert runs[0] == runs[1]
    closed = [
        BlanketSelector(random_state=seed, n_features_to_select=2, n_conditioning=3, n_bins=10)
        .fit(X, CODES)
        .path_.scores.tobytes()
        for seed in (0, 1)
    ]
    assert closed[0] == closed[1]


def test_every_kind_of_label():
    answers = np.where(np.random.default_rng(0).uniform(size=(200, 4)) < 0.8, CODES[:, None], 0)
    for labels, y in (("soft", mixed(CODES)), (CrowdLabels(), answers), (NoisyLabels(random_state=0), NAMES)):
        selector = BlanketSelector(
            labels=labels, n_features_to_select=3, n_permutations=5, random_state=0, n_conditioning=3, n_bins=10
        ).fit(X, y)
        assert {0, 1} <= set(np.flatnonzero(selector.support_))
        assert selector.memberships_.shape == (200, 3)
    certain = BlanketSelector(labels="soft", n_features_to_select=2, n_conditioning=3, n_bins=10).fit(X, one_hot(CODES))
    assert (
        certain.path_.scores.tobytes()
        == BlanketSelector(n_features_to_select=2, n_conditioning=3, n_bins=10).fit(X, CODES).path_.scores.tobytes()
    )


def test_a_set_of_labels_counts_as_copies_of_the_row():
    sets = np.random.default_rng(2).uniform(size=(200, 3)) < 0.4
    sets[:, 0] |= X[:, 1] > 0.5
    sets[~sets.any(axis=1), 2] = True
    rows, labels = np.nonzero(sets)
    copied = BlanketSelector(bins=None, n_features_to_select=2, n_conditioning=3, n_bins=10).fit(
        np.round(X)[rows], labels
    )
    copies = MultiLabels(transform="copy")
    selector = BlanketSelector(labels=copies, bins=None, n_features_to_select=2, n_conditioning=3, n_bins=10).fit(
        np.round(X), sets.astype(int)
    )
    np.testing.assert_array_equal(selector.path_.order, copied.path_.order)
    with pytest.raises(ValueError, match="copies of rows, one for each of their labels, can only be counted"):
        SequentialSelector("mutual_information", labels=copies).fit(X, sets.astype(int))


def test_the_bound_on_what_noise_costs():
    distance = ClassDistance.from_paths(["a/x", "a/y", "b/z"])
    y = np.array(["a/x", "a/y", "b/z"])[CODES]
    selector = BlanketSelector(
        labels=NoisyLabels(random_state=0), class_distance=distance, n_features_to_select=2, n_conditioning=3, n_bins=10
    ).fit(X, y)
    model = NoisyLabels(random_state=0).fit(X, y)
    expected = noise_bound(distance, model.class_priors_[:, None] * model.transition_)
    assert selector.noise_bound_ == pytest.approx(expected)
    assert not hasattr(selector.set_params(labels="hard").fit(X, y), "noise_bound_")


def test_required_features_stay():
    selector = BlanketSelector(n_features_to_select=2, required_features=[5], n_conditioning=3, n_bins=10).fit(X, CODES)
    assert selector.support_[5]
    assert selector.path_.sizes[-1] == 1


def test_interruption_keeps_the_part_done(monkeypatch):
    from tamis.estimates.blanket import BlanketJudge

    plain, calls = BlanketJudge.deltas, []

    def impatient(self, *args):
        calls.append(1)
        if len(calls) > 2:
            raise KeyboardInterrupt
        return plain(self, *args)

    monkeypatch.setattr(BlanketJudge, "deltas", impatient)
    selector = BlanketSelector(n_conditioning=3, n_bins=10)
    with pytest.raises(KeyboardInterrupt):
        selector.fit(X, CODES)
    assert 1 < len(selector.path_.sizes) < 6


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (dict(divergence="js"), "divergence must be one of"),
        (dict(bins="mdl"), "bins must be one of"),
        (dict(correction="bonferroni"), "correction must be one of"),
        (dict(n_conditioning=-1), "n_conditioning must be"),
        (dict(n_bins=1), "n_bins must be"),
        (dict(n_permutations=0), "n_permutations must be"),
        (dict(alpha=0.5), "alpha must be a number between 0 and 0.5"),
        (dict(n_features_to_select="some"), "n_features_to_select must be 'auto'"),
        (dict(class_distance=np.ones((2, 2)) - np.eye(2)), "class"),
        (dict(class_distance=ClassDistance.zero_one(["a", "b"])), "'c'"),
        (dict(class_distance=ClassDistance.zero_one(["a", "b", "c", "d"])), "'d'"),
        (dict(class_distance=[[0, 1, 5], [1, 0, 1], [5, 1, 0]]), "triangle"),
    ],
)
def test_bad_parameters_are_named(parameters, message):
    with pytest.raises(ValueError, match=message):
        BlanketSelector(**{"n_conditioning": 3, "n_bins": 10} | parameters).fit(X, NAMES)


def test_bad_samples_are_named():
    with pytest.raises(ValueError, match="sparse X must not be negative"):
        BlanketSelector(n_conditioning=3, n_bins=10).fit(sparse.csr_array(X), NAMES)
    with pytest.warns(UserWarning, match=r"features \[0, 1, .* have up to 200 levels"):
        BlanketSelector(bins=None, n_features_to_select=3, n_conditioning=3, n_bins=10).fit(X, NAMES)
    with pytest.raises(TypeError, match="labels='noisy' cannot take sparse X"):
        BlanketSelector(labels="noisy", n_conditioning=3, n_bins=10).fit(sparse.csr_array(np.abs(X)), NAMES)
