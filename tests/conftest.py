"""Shared data for tests: small, ugly, generated."""

import os

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from samples import UGLY, make_ugly

# The same examples in every run, however slow the machine is at the moment; `make fuzz` draws new ones.
settings.register_profile(
    "tests",
    deadline=None,
    derandomize="TAMIS_FUZZ" not in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("tests")


@pytest.fixture(params=sorted(UGLY))
def ugly(request):
    """(X, codes) of each kind of ugly data."""
    return make_ugly(request.param)


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def pytest_terminal_summary(terminalreporter):
    """What the fuzzers tried: here, as a run in several processes has only this file in the one that reports."""
    reports = [report for reports in terminalreporter.stats.values() for report in reports]
    ended = [report.user_properties for report in reports if getattr(report, "when", "") == "teardown"]
    rows = [row for properties in ended for name, rows in properties if name == "fuzz" for row in rows]
    if rows:
        from fuzz import counts

        for row in rows:
            counts.add(*row)
        for line in counts.lines():
            terminalreporter.write_line(line)
