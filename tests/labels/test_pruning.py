"""Which label sets are too rare, against a slow twin that draws the same folds and permutations."""

import numpy as np
import pytest
import reference
from samples import gaussians, one_hot

from tamis.labels._pruning import Pruning, _separation, choose

X, CODES = gaussians(60, 3, 3, seed=5, informative=1)
CODES = np.where(np.arange(60) < 4, 3, CODES)  # a rare set
HOW = dict(n_folds=3, n_repeats=4, random_state=7, n_threads=1)


def plain_t(kept, k, random):
    """Eq. 8 for one draw of folds and permutations."""
    folds, permutations = random.permutation(60) % 3, [random.permutation(60) for _ in range(3)]
    values = []
    for columns in ([0], [1], [2]):
        real, permuted = [], []
        for fold in range(3):
            rows = [i for i in range(60) if folds[i] != fold and CODES[i] in kept]
            shuffled = sorted(rows, key=lambda i: permutations[fold][i])
            P = one_hot(CODES[rows])
            enough = P.sum(axis=0) >= 2
            P, known = P[:, enough], P[:, enough].any(axis=1)
            for found, order in ((real, rows), (permuted, shuffled)):
                found.append(reference.mutual_information(X[order][known][:, columns], P[known], k, "count"))
        spread = np.sqrt(np.var(real, ddof=1) + np.var(permuted, ddof=1))
        values.append((np.mean(real) - np.mean(permuted)) / spread)
    return max(values)


@pytest.mark.parametrize("n_neighbors", ["auto", 3])
def test_the_choice_is_that_of_the_slow_twin(n_neighbors):
    sizes = [2, 4, 5, 6, 60]
    chosen = choose(X, Pruning(CODES, 5), sizes, n_neighbors, **HOW)
    # Sizes 2 and 4 keep all sets, 5 and 6 lose the rare one, and 60 keeps too few. Of neighbours there are 2 to one
    # less than the smallest of the sizes, so with size 2 none.
    everything, frequent = (0, 1, 2, 3), (0, 1, 2)
    asked = [(frequent, 2), (frequent, 3), (frequent, 4)] if n_neighbors == "auto" else [(everything, 3), (frequent, 3)]
    random = np.random.RandomState(7)
    t = []
    for _ in range(4):
        state = random.get_state()
        row = []
        for kept, k in asked:
            random.set_state(state)
            row.append(plain_t(kept, k, random))
        t.append(row)
    t = np.array(t)
    best = t.mean(axis=0).argmax()
    of_sizes = {everything: (2, 4), frequent: (5, 6)}
    expected = {(size, k): v for (kept, k), v in zip(asked, t.mean(axis=0), strict=True) for size in of_sizes[kept]}
    assert chosen.t_statistics == pytest.approx(expected, abs=1e-9)
    assert (chosen.size, chosen.n_neighbors) == (of_sizes[asked[best][0]][0], asked[best][1])
    assert chosen.sureness == np.mean(t.argmax(axis=1) == best)


def test_sizes_that_keep_the_same_sets():
    pruning = Pruning(np.repeat([0, 1, 2], [2, 5, 9]), 4)
    assert [pruning.kept(size).tolist() for size in (1, 2, 3, 5, 6)] == [[0, 1, 2], [0, 1, 2], [1, 2], [1, 2], [2]]
    assert [pruning.same_as(size) for size in (1, 2, 3, 5, 6, 9)] == [(1, 2), (1, 2), (3, 5), (3, 5), (6, 9), (6, 9)]


def test_no_difference_is_no_separation():
    real, permuted = np.array([[1.0, 2.0], [3.0, 2.0]]), np.array([[0.0, 2.0], [0.0, 2.0]])
    assert _separation(real, permuted) == pytest.approx(2 / np.sqrt(2))
    assert _separation(permuted, permuted) == 0
