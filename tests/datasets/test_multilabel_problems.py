"""The artificial problems with several labels: their geometry."""

import numpy as np
import pytest
from scipy.stats import chi2_contingency, chisquare, kstest

from tamis.datasets import make_multilabel_1, make_multilabel_2


def label_sets(Y):
    return np.unique(Y, axis=0, return_inverse=True, return_counts=True)


@pytest.mark.parametrize(("make", "n_features"), [(make_multilabel_1, 15), (make_multilabel_2, 8)])
def test_sizes_and_label_sets_are_those_of_the_paper(make, n_features):
    X, Y, _ = make(random_state=0)
    assert X.shape == (1000, n_features)
    assert Y.shape == (1000, 4)
    assert Y.dtype.kind == "i"
    assert set(np.unique(Y)) == {0, 1}
    assert len(label_sets(Y)[0]) == 8
    assert make(7, random_state=0).Y.shape == (7, 4)


@pytest.mark.parametrize("make", [make_multilabel_1, make_multilabel_2])
def test_the_seed_decides(make):
    first, again, other = (make(60, random_state=s) for s in (1, 1, 2))
    np.testing.assert_array_equal(first.X, again.X)
    np.testing.assert_array_equal(first.Y, again.Y)
    assert (first.X != other.X).any()
    with pytest.raises(ValueError, match="n_samples must be a whole number of at least 1; got 0"):
        make(0)


def test_problem_1_is_equation_9():
    X, Y, relevant = make_multilabel_1(4000, random_state=0)
    assert relevant == ({10}, {2, 12}, {3, 13}, {4, 14})
    f = [None, *X.T]  # counted from 1, as printed
    np.testing.assert_allclose(f[11], (f[1] - f[2]) / 2)
    np.testing.assert_allclose(f[12], (f[1] + f[2]) / 2)
    np.testing.assert_allclose(f[13], f[3] + 0.1)
    np.testing.assert_allclose(f[14], f[4] - 0.2)
    np.testing.assert_allclose(f[15], 2 * f[5])
    np.testing.assert_array_equal(Y[:, 0], f[1] > f[2])
    np.testing.assert_array_equal(Y[:, 1], f[4] > f[3])
    np.testing.assert_array_equal(Y[:, 2], Y[:, 0] + Y[:, 1] == 1)
    np.testing.assert_array_equal(Y[:, 3], f[5] > 0.8)
    # One of each set is enough.
    np.testing.assert_array_equal(Y[:, 0], f[11] > 0)
    np.testing.assert_array_equal(Y[:, 1], f[14] + 0.2 > f[13] - 0.1)
    assert min(kstest(X[:, j], "uniform").pvalue for j in range(10)) > 1e-4
    _, codes, sizes = label_sets(Y)
    assert chisquare(sizes, 4000 * np.where(label_sets(Y)[0][:, 3], 0.05, 0.2)).pvalue > 1e-3
    p = [kstest(X[codes == s, j], "uniform").pvalue for s in range(8) for j in range(5, 10)]
    assert min(p) > 1e-3 / len(p)


def test_problem_2_is_equation_10():
    X, Y, relevant = make_multilabel_2(4000, random_state=0)
    assert relevant.tolist() == [0, 1, 2, 3]
    f = [None, *X.T]
    for label, (a, b) in enumerate([(1, 2), (3, 4), (1, 4), (2, 3)]):
        both, neither = (f[a] > 0.5) & (f[b] > 0.5), (f[a] < 0.5) & (f[b] < 0.5)
        np.testing.assert_array_equal(Y[:, label], both | neither)
    _, codes, sizes = label_sets(Y)
    assert chisquare(sizes).pvalue > 1e-3
    # No feature tells anything alone, the relevant ones included.
    p = [kstest(X[codes == s, j], "uniform").pvalue for s in range(8) for j in range(8)]
    assert min(p) > 1e-3 / len(p)
    high = X > 0.5
    assert chi2_contingency(np.histogram2d(high[:, 0], codes, bins=(2, 8))[0]).pvalue > 1e-3
    assert chi2_contingency(np.histogram2d(high[:, 0] == high[:, 2], codes, bins=(2, 8))[0]).pvalue < 1e-9
