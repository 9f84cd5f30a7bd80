"""The laws of the design, as properties of random data."""

import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import gaussians, mixed, one_hot

from tamis import MutualInformation, SequentialSelector, bayes_risk, mutual_information

VALUES = {
    "count": lambda X, P: mutual_information(X, P, labels="soft", n_neighbors=4),
    "distance": lambda X, P: mutual_information(X, P, labels="soft", n_neighbors=4, estimator="distance"),
    "risk": lambda X, P: bayes_risk(X, P, labels="soft", n_neighbors=4),
}

problems = st.builds(
    lambda n, d, c, seed, soft, ties: _problem(n, d, c, seed, soft, ties),
    n=st.integers(30, 60),
    d=st.integers(1, 5),
    c=st.integers(2, 4),
    seed=st.integers(0, 2**32 - 1),
    soft=st.booleans(),
    ties=st.booleans(),
)
few = settings(max_examples=25, deadline=None)


def _problem(n, d, n_classes, seed, soft, ties):
    X, codes = gaussians(n, d, n_classes, seed)
    codes[: 6 * n_classes] = np.repeat(np.arange(n_classes), 6)
    if ties:
        X = np.round(2 * X) / 2
    return X, (mixed(codes, seed) if soft else one_hot(codes)), np.random.default_rng(seed)


@pytest.mark.parametrize("name", VALUES)
@few
@given(problem=problems)
def test_order_of_rows_and_columns_does_not_matter(name, problem):
    X, P, rng = problem
    rows, columns = rng.permutation(len(X)), rng.permutation(X.shape[1])
    value = VALUES[name]
    assert value(X[rows][:, columns], P[rows]) == pytest.approx(value(X, P), abs=1e-9)


@pytest.mark.parametrize("name", VALUES)
@few
@given(problem=problems, power=st.integers(-60, 60))
def test_common_scale_and_names_of_classes_do_not_matter(name, problem, power):
    X, P, rng = problem
    value = VALUES[name]
    expected = value(X, P)
    assert value(X * 2.0**power, P) == pytest.approx(expected, abs=1e-9)
    assert value(X * 3.0 + 1.0, P) == pytest.approx(expected, abs=1e-9)
    # The most probable class of a tie is the first: only the expected risk is free of the order.
    assert value(X, P[:, rng.permutation(P.shape[1])]) == pytest.approx(expected, abs=1e-9)


@few
@given(problem=problems)
def test_the_path_is_one_way_of_many_equal_ones(problem):
    X, P, rng = problem
    columns = rng.permutation(X.shape[1])
    path = SequentialSelector(MutualInformation(4), labels="soft", n_features_to_select=1).fit(X, P).path_
    other = (
        SequentialSelector(MutualInformation(4), labels="soft", n_features_to_select=1, n_jobs=2)
        .fit(X[:, columns], P)
        .path_
    )
    # Ties may be broken otherwise, and then the ways part; they start from the same score.
    assert other.scores[0] == pytest.approx(path.scores[0], abs=1e-9)
    if X.shape[1] > 1 and len(np.unique(X[:, 0])) == len(X):
        assert columns[other.order[0]] == path.order[0]


@few
@given(problem=problems)
def test_a_constant_column_adds_nothing(problem):
    X, P, _ = problem
    padded = np.column_stack([X, np.full(len(X), 7.0)])
    assert VALUES["count"](padded, P) == pytest.approx(VALUES["count"](X, P), abs=1e-9)
    constant = VALUES["count"](padded[:, -1:], P)
    assert abs(constant) < 0.2  # all samples tie: the estimate sees class sizes only


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peak memory is read from Linux's /proc")
def test_memory_does_not_hold_all_pairs():
    """A matrix of the distances of 6000 rows would take 288 MB, one in float32 144 MB."""
    program = """
        import re
        from samples import gaussians
        from tamis import SequentialSelector

        def megabytes(name):
            return int(re.search(name + r":\\s+(\\d+)", open("/proc/self/status").read())[1]) / 1024

        X, codes = gaussians(6000, 4, 2)
        SequentialSelector(n_features_to_select=2).fit(X[:100], codes[:100])
        before = megabytes("VmRSS")
        SequentialSelector(n_features_to_select=2).fit(X, codes)
        print(megabytes("VmHWM") - before)
    """
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert float(run.stdout) < 60
