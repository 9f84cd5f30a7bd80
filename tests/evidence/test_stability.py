"""Agreement of selections."""

import numpy as np
import pytest
from scipy.stats import t

from tamis.evidence import stability_of


def written_out(Z, level=0.95):
    """Definition 4 and section 4.1 of Nogueira, Sechidis and Brown (2018), with Student's quantile."""
    M, d = len(Z), len(Z[0])
    p = [sum(row[f] for row in Z) / M for f in range(d)]
    k = [sum(row) for row in Z]
    mean = sum(k) / M
    denominator = mean / d * (1 - mean / d)
    phi = 1 - sum(M / (M - 1) * q * (1 - q) for q in p) / d / denominator
    each = []
    for i in range(M):
        first = sum(Z[i][f] * p[f] for f in range(d)) / d
        second = k[i] * mean / d**2
        third = phi / 2 * (2 * k[i] * mean / d**2 - k[i] / d - mean / d + 1)
        each.append((first - second + third) / denominator)
    variance = 4 / M**2 * sum((one - sum(each) / M) ** 2 for one in each)
    far = t.ppf((1 + level) / 2, M - 1) * variance**0.5
    return phi, phi - far, phi + far


def drawn(probabilities, n, seed):
    return np.random.default_rng(seed).uniform(size=(n, len(probabilities))) < probabilities


@pytest.mark.parametrize("seed", range(5))
def test_the_formula(seed):
    Z = drawn(np.linspace(0.05, 0.9, 12), 7, seed)
    value, (low, high) = stability_of(Z)
    expected, below, above = written_out(Z.tolist())
    assert value == pytest.approx(expected)
    assert low == pytest.approx(max(-1, below))
    assert high == pytest.approx(min(1, above))


def test_equal_selections_are_stable():
    """That they are equal does not prove that all would be: the interval has what one swap in the next would make."""
    Z = np.tile([True, False, True, False], (6, 1))
    value, (low, high) = stability_of(Z)
    assert value == high == 1.0
    assert low == pytest.approx(stability_of(np.vstack([Z, [True, True, False, False]]))[0])


def test_two_selections_do_not_say_how_much_others_vary():
    assert stability_of(np.array([[True, False, True], [True, True, False]]))[1] == (-1.0, 1.0)


@pytest.mark.parametrize("Z", [np.ones((4, 3), bool), np.zeros((4, 3), bool)])
def test_where_nothing_can_differ_all_is_stable(Z):
    assert stability_of(Z) == (1.0, (1.0, 1.0))


def test_random_selections_agree_as_chance_does():
    values = [stability_of(drawn(np.full(50, 0.2), 10, seed))[0] for seed in range(200)]
    assert abs(np.mean(values)) < 4 * np.std(values) / np.sqrt(200)
    assert np.std(values) < 0.05


def test_selections_without_anything_in_common_are_less_stable_than_chance():
    assert stability_of(np.array([[1, 0], [0, 1]], dtype=bool))[0] < 0


@pytest.mark.parametrize("n", [15, 50])
@pytest.mark.parametrize("p", [[0.9] * 8 + [0.05] * 32, [0.5] * 10 + [0.1] * 30])
def test_the_interval_covers(n, p):
    """The value of the population is that of very many selections."""
    true = stability_of(drawn(np.array(p), 20_000, 0))[0]
    covered = [low <= true <= high for seed in range(1, 301) for low, high in [stability_of(drawn(p, n, seed))[1]]]
    assert np.mean(covered) >= 0.9
