"""Which features are most correlated with which, in every subset that a selector went through."""

import numpy as np
import pandas as pd
import pytest
from samples import gaussians
from scipy import sparse
from sklearn.base import clone

from tamis import BlanketSelector, CrowdLabels, RankingSelector, SequentialSelector
from tamis.distances import likeness

X, CODES = gaussians(150, 8, 3, seed=6, informative=3)
X[:, 3:5] += X[:, :2]
X[:, 7] = X[:, 0]  # a copy
X[:, 6] = 2.5  # a constant
SELECTORS = {
    "backward": SequentialSelector(n_features_to_select=3),
    "backward, required": SequentialSelector(n_features_to_select=3, required_features=[4, 1]),
    "backward, groups": SequentialSelector(n_features_to_select=3, feature_groups=[[7, 1], [0, 2], [3], [4], [5], [6]]),
    "forward": SequentialSelector(direction="forward", n_features_to_select=5),
    "forward, required": SequentialSelector(direction="forward", n_features_to_select=5, required_features=[6, 2]),
    "ranking": RankingSelector(),
    "ranking, groups": RankingSelector(feature_groups=[[7, 1], [0, 2], [3], [4], [5], [6]], required_features=[5]),
    "blanket": BlanketSelector(n_features_to_select=2, n_conditioning=3, n_bins=10),
}


def correlations(columns):
    """Of features given as lists of columns, the largest of their columns."""
    with np.errstate(invalid="ignore", divide="ignore"):
        r = np.abs(np.nan_to_num(np.corrcoef(np.column_stack(columns).T)))
    owner = np.repeat(np.arange(len(columns)), [np.ndim(c) and np.atleast_2d(c.T).shape[0] for c in columns])
    d = range(len(columns))
    return np.array([[r[np.ix_(owner == f, owner == g)].max() for g in d] for f in d])


def tells_the_most_correlated(selector, r):
    path = selector.path_
    assert selector.n_compared_ == len(path.lasting())
    for n in path.sizes:
        subset = path.subset(n).tolist()
        for f, records in enumerate(selector.correlated_):
            best = max((r[f, g] for g in subset if g != f), default=0.0)
            answer = next(((g, value) for g, value in records if g in subset), None)
            if best <= 1e-12:
                assert answer is None
            else:
                assert answer[0] != f
                assert answer[1] == pytest.approx(best, abs=1e-10)
                assert r[f, answer[0]] == pytest.approx(best, abs=1e-10)


@pytest.mark.parametrize("kind", SELECTORS)
def test_as_the_whole_matrix_says(kind):
    tells_the_most_correlated(clone(SELECTORS[kind]).fit(X, CODES), correlations(list(X.T)))


@pytest.mark.parametrize(
    "selector", [RankingSelector(), BlanketSelector(n_features_to_select=2, n_conditioning=3, n_bins=10)], ids=str
)
def test_of_sparse_matrices(selector):
    counts = np.random.default_rng(0).poisson(0.4, size=(150, 9)).astype(float)
    counts[:, 3] += counts[:, 1]
    counts[:, 4] += 5.0  # nowhere zero
    selector = clone(selector).fit(sparse.csr_array(counts), CODES)
    tells_the_most_correlated(selector, correlations(list(counts.T)))


@pytest.mark.parametrize(
    "selector",
    [
        SequentialSelector(n_features_to_select=2),
        RankingSelector(),
        BlanketSelector(n_features_to_select=2, n_conditioning=3, n_bins=10),
    ],
)
def test_of_categories(selector):
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, size=(150, 2))
    X_above = (X[:, 1] > 0).astype(int)
    frame = pd.DataFrame({"x": X[:, 0], "y": X[:, 1], "a": codes[:, 0], "b": (codes[:, 0] + X_above) % 3, "c": X_above})
    frame = frame.astype({"a": "category", "b": "category", "c": "category"})
    columns = [X[:, 0], X[:, 1]] + [(frame[c].to_numpy()[:, None] == np.arange(3)).astype(float) for c in "abc"]
    columns[4] = columns[4][:, :2]
    tells_the_most_correlated(clone(selector).fit(frame, CODES), correlations(columns))


def test_rows_of_no_class_are_looked_at_too():
    answers = CODES[:, None].repeat(3, axis=1).astype(object)
    answers[7] = None
    with pytest.warns(UserWarning, match="no answer"):
        selector = RankingSelector(labels=CrowdLabels(estimator=None)).fit(X, answers)
    tells_the_most_correlated(selector, correlations(list(X.T)))


def test_blocks_of_rows_have_none():
    selector = RankingSelector().fit(X, CODES)
    assert len(selector.correlated_) == 8
    again = RankingSelector().fit(X, CODES)
    again.partial_fit(X, CODES)
    for name in ("correlated_", "n_compared_"):
        assert hasattr(selector, name)
        assert not hasattr(again, name)


def test_of_a_dask_array_there_are_none():
    dask_array = pytest.importorskip("dask.array")
    selector = RankingSelector().fit(X, CODES)
    selector.fit(dask_array.from_array(X, chunks=(50, 8)), CODES)
    assert not hasattr(selector, "correlated_")


def test_too_many_values_are_not_compared(monkeypatch):
    monkeypatch.setattr(likeness, "BUDGET", 150 * 8 * 3)
    some = SequentialSelector(n_features_to_select=3).fit(X, CODES)
    assert some.n_compared_ == 3
    assert {g for records in some.correlated_ for g, _ in records} <= set(some.path_.lasting()[:3].tolist())
    monkeypatch.setattr(likeness, "BUDGET", 150 * 8 - 1)
    none = SequentialSelector(n_features_to_select=3).fit(X, CODES)
    assert (none.correlated_, none.n_compared_) == (None, 0)


def test_threads_change_nothing():
    for selector in SELECTORS.values():
        one, two = (clone(selector).set_params(n_jobs=n).fit(X, CODES) for n in (1, 2))
        assert one.correlated_ == two.correlated_


def test_one_feature_has_nobody_beside_it():
    assert SequentialSelector(n_features_to_select=1).fit(X[:, :1], CODES).correlated_ == [[]]
