"""Counts of the fuzzers go into the reports of their tests, and from there to the end of the run."""

import pytest
from fuzz import counts


@pytest.fixture(autouse=True)
def counted(record_property):
    yield
    record_property("fuzz", counts.taken())
