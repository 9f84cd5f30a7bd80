"""Permuted copies keep what a column shares with the others, and nothing else."""

import numpy as np
import pytest
from samples import gaussians
from sklearn.neighbors import NearestNeighbors

from tamis.distances.copies import PermutedCopies

X, _ = gaussians(300, 5, 3, seed=3)
NOTHING = np.empty((300, 0))


def test_without_others_a_copy_is_a_permutation():
    copies = PermutedCopies(NOTHING, X[:, :1], 0).draw(5)
    assert copies.shape == (300, 5, 1)
    for copy in copies[:, :, 0].T:
        np.testing.assert_allclose(np.sort(copy), np.sort(X[:, 0]), atol=1e-12)
        assert abs(np.corrcoef(copy, X[:, 0])[0, 1]) < 0.2


@pytest.mark.parametrize("scale", [1e-150, 1.0, 1e150])
def test_what_the_others_tell_linearly_stays(scale):
    block = np.column_stack([2 * X[:, 0] - 3, X[:, 1] + X[:, 2]]) * scale
    copies = PermutedCopies(X[:, :3] * scale, block, 0).draw(4)
    np.testing.assert_allclose(copies, np.repeat(block[:, None, :], 4, axis=1), rtol=1e-9, atol=1e-9 * scale)


def test_the_rest_is_exchanged_between_neighbours():
    """The rows of a block stay together, and come from one of the five nearest or from the sample itself."""
    rng = np.random.default_rng(0)
    others = X[:, :2]
    own = rng.normal(size=(300, 2)) ** 3
    copies = PermutedCopies(others, own, 1).draw(40)
    near = NearestNeighbors(n_neighbors=6).fit(others).kneighbors(return_distance=False)[:, :5]
    design = np.column_stack([np.ones(300), others])
    predicted = design @ np.linalg.lstsq(design, own, rcond=None)[0]
    rest = own - predicted
    allowed = np.concatenate([np.arange(300)[:, None], near], axis=1)
    found = copies - predicted[:, None, :]
    off = np.abs(found[:, :, None, :] - rest[allowed][:, None, :, :]).max(axis=3)
    assert off.min(axis=2).max() < 1e-9
    shares = np.bincount(off.argmin(axis=2).ravel(), minlength=6) / (300 * 40)
    np.testing.assert_allclose(shares, 1 / 6, atol=0.02)


def test_a_function_of_the_others_has_copies_like_itself():
    line = np.sort(X[:, 0])[:, None]
    curved = np.sin(line)
    copies = PermutedCopies(line, curved, 0).draw(10)
    noise = np.random.default_rng(0).permutation(curved)
    assert np.mean([np.corrcoef(copy, curved[:, 0])[0, 1] for copy in copies[:, :, 0].T]) > 0.99
    unlike = PermutedCopies(line, noise, 0).draw(10)[:, :, 0]
    assert np.mean([np.corrcoef(copy, noise[:, 0])[0, 1] for copy in unlike.T]) < 0.35


def test_a_known_reach_changes_nothing_and_neither_do_batches_or_threads():
    whole = PermutedCopies(X[:, 1:], X[:, :1], (3, 4)).draw(12)
    far = PermutedCopies(X[:, 1:], X[:, :1], (3, 4), reach=np.full(300, 1e3), n_threads=2)
    np.testing.assert_array_equal(whole, np.concatenate([far.draw(4), far.draw(8)], axis=1))


def test_samples_that_tie_all_lend_their_values():
    cells = np.repeat([[0.0], [1.0]], 150, axis=0)
    own = np.arange(300.0)[:, None]
    taken = np.unique(np.round(PermutedCopies(cells, own - own.mean(), 0).draw(40), 6))
    assert len(taken) > 250
    known = PermutedCopies(cells, own, 0, reach=np.zeros(300)).draw(4)
    assert len(np.unique(np.round(known, 6))) > 100


@pytest.mark.parametrize("n", [2, 3, 6])
def test_few_samples(n):
    assert np.isfinite(PermutedCopies(X[:n, 1:3], X[:n, :1], 0).draw(3)).all()
    assert np.isfinite(PermutedCopies(np.ones((n, 2)), X[:n, :1], 0).draw(3)).all()
