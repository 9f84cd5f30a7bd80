"""Files of any bytes, and the sentences with which they are refused."""

import pytest

from tamis.cli.tables import Refused, read


@pytest.fixture
def put(tmp_path):
    def put(data, name="table.csv"):
        path = tmp_path / name
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return path

    return put


@pytest.fixture
def refusal(put):
    """The sentence with which some bytes are refused."""

    def refusal(data, name="table.csv", **how):
        with pytest.raises(Refused) as caught:
            read(put(data, name), **how)
        said = str(caught.value)
        assert "\n" not in said
        return said

    return refusal
