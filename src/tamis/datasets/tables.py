"""A reader of local data files: gzip-compressed CSV, numeric features first, then a column `label`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .. import _validation


class Table(NamedTuple):
    """A single-label data set."""

    X: np.ndarray
    y: np.ndarray
    feature_names: list[str]


def read_table(folder, name) -> Table:
    """Read the single-label set `<name>.csv.gz` of a folder; needs pandas.

    Class names stay text, whatever they look like.
    """
    pd = _validation.import_pandas("read_table")
    folder = _validation.check_path("folder", folder)
    path = folder / _validation.check_path("name", f"{name}.csv.gz")
    if not path.is_file():
        known = sorted(p.name.removesuffix(".csv.gz") for p in folder.glob("*.csv.gz"))
        raise FileNotFoundError(f"{path} does not exist. Tables in that folder: {', '.join(known) or 'none'}.")
    table = pd.read_csv(path, keep_default_na=False, dtype={"label": str})
    if table.columns[-1] != "label":
        raise ValueError(f"the last column of {path} must be 'label'; got {table.columns[-1]!r}.")
    features = table.drop(columns="label")
    return Table(features.to_numpy(float), table["label"].to_numpy(str), features.columns.tolist())
