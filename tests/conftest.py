"""Shared data for tests: small, ugly, generated."""

import numpy as np
import pytest
from samples import UGLY, make_ugly


@pytest.fixture(params=sorted(UGLY))
def ugly(request):
    """(X, codes) of each kind of ugly data."""
    return make_ugly(request.param)


@pytest.fixture
def rng():
    return np.random.default_rng(0)
