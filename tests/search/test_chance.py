"""Whether chance explains a value: calibrated, careful with few draws, quick where it is clear."""

import json

import numpy as np
import pytest

from tamis.search.chance import Chance, significant_size, weigh
from tamis.search.path import Path, Step, Verdict

TAILS = {
    "normal": lambda rng, n: rng.normal(size=n),
    "exponential": lambda rng, n: rng.exponential(size=n),
    "chi-square of one degree": lambda rng, n: rng.chisquare(1, size=n),
    "uniform": lambda rng, n: rng.uniform(size=n),
    "whole numbers": lambda rng, n: rng.poisson(3, size=n).astype(float),
}


@pytest.mark.parametrize(("n_tests", "n_runs", "most"), [(1, 2000, 1.5), (20, 8000, 2.5)])
@pytest.mark.parametrize("tail", TAILS)
def test_chance_is_rarely_taken_for_more(tail, n_tests, n_runs, most):
    """About as often as alpha says, for normal tails and, within a factor, for those of skewed scores."""
    rng, drawn = np.random.default_rng(0), TAILS[tail]
    found = [weigh(drawn(rng, 1)[0], lambda n: drawn(rng, n), n_tests, alpha=0.05).p_value for _ in range(n_runs)]
    assert np.mean(np.array(found) <= 0.05) <= most * 0.05 / n_tests


def test_it_has_power_and_tells_small_p_values_from_few_draws():
    null = np.random.default_rng(1).normal(size=256)
    assert 1e-5 < Chance(null, 4.0).p_value() < 5e-4  # 3.2e-5 in truth
    assert Chance(null[:64], 8.0).p_value() < 1e-5
    assert Chance(null[:16], 3.0).p_value() > Chance(null, 3.0).p_value()


def test_where_draws_reach_the_value_p_is_no_less_than_their_share():
    assert Chance(np.array([0.0] * 15 + [100.0]), 50.0).p_value() >= 2 / 17
    assert Chance(np.zeros(8), 0.0).p_value() == 1
    assert Chance(np.zeros(8), 1.0).p_value() == 1 / 9
    assert Chance(np.full(8, -np.inf), -np.inf).p_value() == 1


def asked_of(value, n_tests, alpha=0.05, seed=0):
    rng, asked = np.random.default_rng(seed), []

    def draw(n):
        asked.append(n)
        return rng.normal(size=n)

    return weigh(value, draw, n_tests, alpha=alpha), sum(asked)


def test_clear_cases_stop_early_and_others_do_not():
    below, n_below = asked_of(0.0, 100)
    far, n_far = asked_of(40.0, 100)
    between, n_between = asked_of(3.6, 100)
    assert (below.p_value, n_below) == (1.0, 8)
    assert far.p_value < 0.01
    assert n_far <= 32
    assert 0.002 < between.p_value < 0.2
    assert n_between == 128
    assert (np.diff(between.null_quantiles) > 0).all()
    np.testing.assert_allclose(between.null_quantiles, [-1.64, 0, 1.64], atol=0.35)


def test_p_values_are_corrected_for_the_number_of_tests():
    once, _ = asked_of(3.0, 1, alpha=0.0005)
    often, _ = asked_of(3.0, 50, alpha=0.025)
    assert often.p_value == pytest.approx(50 * once.p_value)


def judged(direction, start, features, p_values):
    verdicts = [None if p is None else Verdict(p, (0.0, 0.0, 0.0)) for p in p_values]
    steps = [Step(f, 0.0, None, (v,)) for f, v in zip(features, verdicts, strict=True)]
    return Path(direction, 4, start, tuple(steps))


def test_the_size_is_the_first_that_chance_does_not_explain():
    everything, down = (0, 1, 2, 3), (None, 0, 1, 2)
    assert significant_size(judged("backward", everything, down, [1.0, 0.01, 1.0, 0.001]), 0.05) == 3
    assert significant_size(judged("backward", everything, down, [1.0, 1.0, 1.0, 0.05]), 0.05) == 1
    assert significant_size(judged("backward", everything, down, [1.0] * 4), 0.05) is None
    assert significant_size(judged("forward", (), (0, 1, 2), [0.01, 0.02, 0.6]), 0.05) == 2
    assert significant_size(judged("forward", (), (0,), [0.3]), 0.05) is None
    assert significant_size(judged("forward", (3,), (None, 1), [None, 0.6]), 0.05) == 1


def test_a_step_comes_back_from_its_record():
    judged = Step(3, -1e-300, (0.1, 0.2), (None, Verdict(1 / 3, (0.1, 0.2, 0.3))), (0.1, -np.inf, 1 / 7))
    for step in (Step(None, 0.1), judged):
        assert Step.of(json.loads(json.dumps(step.record()))) == step
