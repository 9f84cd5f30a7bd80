"""The reader of local data files."""

import os
from pathlib import Path

import pandas as pd
import pytest

from tamis.datasets import read_table

DATA = Path(os.environ.get("TAMIS_DATA", "../shared/data"))


def test_class_names_stay_text(tmp_path):
    table = pd.DataFrame({"width": [1.0, 2.5], "height": [3, 4], "label": ["01", "NA"]})
    table.to_csv(tmp_path / "small.csv.gz", index=False)
    X, y, names = read_table(tmp_path, "small")
    assert X.tolist() == [[1.0, 3.0], [2.5, 4.0]]
    assert y.tolist() == ["01", "NA"]
    assert names == ["width", "height"]


def test_a_missing_table_names_those_there_are(tmp_path):
    pd.DataFrame({"a": [1], "label": ["x"]}).to_csv(tmp_path / "here.csv.gz", index=False)
    with pytest.raises(FileNotFoundError, match="Tables in that folder: here"):
        read_table(tmp_path, "there")


def test_a_table_without_label_is_refused(tmp_path):
    pd.DataFrame({"a": [1], "b": ["x"]}).to_csv(tmp_path / "odd.csv.gz", index=False)
    with pytest.raises(ValueError, match="must be 'label'; got 'b'"):
        read_table(tmp_path, "odd")


@pytest.mark.data
@pytest.mark.skipif(not DATA.is_dir(), reason="no data folder")
@pytest.mark.parametrize(("name", "shape", "n_classes"), [("iris", (150, 4), 3), ("segment", (2310, 18), 7)])
def test_real_tables(name, shape, n_classes):
    X, y, names = read_table(DATA, name)
    assert X.shape == shape
    assert len(names) == shape[1]
    assert len(set(y)) == n_classes
