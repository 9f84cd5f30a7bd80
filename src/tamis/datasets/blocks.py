"""Tables larger than memory, a block of rows at a time."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from operator import methodcaller
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .. import _validation

if TYPE_CHECKING:
    import pandas as pd

_SEPARATORS = {".csv": ",", ".csv.gz": ",", ".tsv": "\t", ".tsv.gz": "\t"}
_SUFFIXES = (".parquet", *_SEPARATORS)
_MISSING = ["", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", "<NA>"]
_NAMELESS = "Unnamed: 0"
_GLANCE = 100


class Block(NamedTuple):
    """Some rows of a table; their index is their place in the file."""

    X: pd.DataFrame
    y: pd.Series | pd.DataFrame


def read_blocks(path, target, *, features=None, n_rows=50_000) -> Iterator[Block]:
    """Read a Parquet or CSV file block by block, so that only one block is in memory; needs pandas.

    The arguments are checked at the call, the blocks read when asked for.

    Parameters
    ----------
    path : path of a .parquet, .csv, .csv.gz, .tsv or .tsv.gz file with named columns
        Parquet needs pyarrow.
    target : str or list of str
        The column of the classes; y is then a Series, of text in a CSV file whatever the classes look like. Or several
        columns, of probabilities or of answers of annotators; y is then a DataFrame.
    features : list of str, default=None
        Columns of X, in this order, all of them numeric. None is every column but the target and, as row
        numbers are no feature, an index that pandas wrote.
    n_rows : int, default=50_000
        Rows per block, at most; the last one is shorter.

    Notes
    -----
    Cells of a CSV file that are empty or say NA, N/A, NaN, null, None or <NA> are missing; in a column of classes only
    empty ones are, as a class may be called NA.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from tamis.datasets import read_blocks
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "irises.csv"
    ...     _ = path.write_text("width,height,kind\\n1,5,a\\n2,6,b\\n3,7,a\\n")
    ...     for X, y in read_blocks(path, "kind", n_rows=2):
    ...         print(X.to_numpy().tolist(), y.tolist())
    [[1, 5], [2, 6]] ['a', 'b']
    [[3, 7]] ['a']
    """
    _validation.import_pandas("read_blocks")
    n_rows = _validation.check_count("n_rows", n_rows)
    source = _source(path)
    first = source.glance()
    columns = first.columns.tolist()
    single = isinstance(target, str)
    targets = _validation.check_columns("target", [target] if single else target, columns)
    if features is None:
        features = [c for c in columns if c not in set(targets)]
    features = _validation.check_columns("features", features, columns)
    _validation.check_apart(targets, features)
    _validation.check_numeric(first[features])
    text = targets if single else []
    return _blocks(source.tables(features + targets, text, n_rows), features, target if single else targets)


def read_matrix(path, target, *, features=None, n_rows=50_000) -> Block:
    """Read a Parquet or CSV file into one table of float32, block by block; needs pandas.

    Half the memory of float64: besides X and y one block is in memory at a time, of a CSV file twice X in the end.

    Parameters
    ----------
    path, target, features, n_rows
        As in `read_blocks`.

    Returns
    -------
    Block
        X is of float32, which has seven digits.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from tamis.datasets import read_matrix
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "irises.csv"
    ...     _ = path.write_text("width,height,kind\\n1,5,a\\n2,6,b\\n3,7,a\\n")
    ...     X, y = read_matrix(path, "kind", n_rows=2)
    >>> X.to_numpy().tolist(), X.dtypes.iloc[0].name, y.tolist()
    ([[1.0, 5.0], [2.0, 6.0], [3.0, 7.0]], 'float32', ['a', 'b', 'a'])
    """
    pd = _validation.import_pandas("read_matrix")
    blocks, total = read_blocks(path, target, features=features, n_rows=n_rows), _source(path).n_rows()
    parts: list[np.ndarray] = []
    targets, low, high = [], np.inf, -np.inf
    for X, y in blocks:
        names, values = X.columns, X.to_numpy(dtype=float)
        low, high = np.minimum(low, values.min(axis=0)), np.maximum(high, values.max(axis=0))
        if not parts and total is not None:  # filled from the front, so that nothing is copied in the end
            whole = np.empty((total, len(names)), dtype=np.float32)
        with np.errstate(over="ignore"):  # refused below
            if total is None:
                parts.append(values.astype(np.float32))
            else:
                parts.append(whole[y.index[0] : y.index[-1] + 1])
                parts[-1][:] = values
        targets.append(y)
    _validation.check_float32(names, low, high)
    matrix = np.concatenate(parts) if total is None else whole
    return Block(pd.DataFrame(matrix, columns=names, copy=False), pd.concat(targets))


def _blocks(tables, features, target):
    start = 0
    for table in tables:
        table.index = range(start, start + len(table))
        start += len(table)
        # The table would stay in memory beside X if y were a view of it, and blocks if they were still named here.
        block = Block(table[features], table[target].copy())
        del table
        _validation.check_numeric(block.X)
        yield block
        del block


class _Parquet(NamedTuple):
    path: Path

    def n_rows(self):
        with self._open() as file:
            return file.metadata.num_rows

    def glance(self):
        """The columns and their types, in a table without rows and without an index."""
        with self._open() as file:
            if file.metadata.num_rows == 0:
                raise _empty(self.path)
            schema = file.schema_arrow
            index = [c for c in (schema.pandas_metadata or {}).get("index_columns", ()) if isinstance(c, str)]
            return schema.empty_table().drop_columns(index).to_pandas(ignore_metadata=True)

    def tables(self, columns, text, n_rows):
        with self._open() as file:
            batches = file.iter_batches(n_rows, columns=columns)
            # Unlike a loop, map keeps no batch while it waits.
            yield from map(methodcaller("to_pandas", ignore_metadata=True), batches)

    def _open(self):
        parquet = _validation.import_parquet("read_blocks of a Parquet file")
        # By default pyarrow keeps all that it has read of the file, and without a buffer a whole row group.
        try:
            return parquet.ParquetFile(self.path, pre_buffer=False, buffer_size=1 << 16)
        except ValueError as error:
            raise _unreadable(self.path, error) from error


class _Csv(NamedTuple):
    path: Path
    separator: str

    def n_rows(self):
        """Not known before the end."""

    def glance(self):
        """The first rows, from which the types are guessed, without an index."""
        pd = _validation.import_pandas("read_blocks")
        try:
            with warnings.catch_warnings(action="error", category=pd.errors.ParserWarning):
                first = self._read(nrows=_GLANCE, na_values=_MISSING)
        except pd.errors.EmptyDataError:
            raise _empty(self.path) from None
        except (pd.errors.ParserError, UnicodeDecodeError) as error:
            raise _unreadable(self.path, error) from error
        except pd.errors.ParserWarning:
            raise ValueError(
                f"{self.path} must have as many names in its first line as cells in the others; it has fewer. "
                "Name every column, that of row names too."
            ) from None
        if not len(first):
            raise _empty(self.path)
        return first.drop(columns=_NAMELESS, errors="ignore")

    def tables(self, columns, text, n_rows):
        missing = {c: [""] if c in text else _MISSING for c in columns}
        types = dict.fromkeys(text, str)
        pd = _validation.import_pandas("read_blocks")
        try:
            with self._read(usecols=columns, dtype=types, na_values=missing, chunksize=n_rows) as tables:
                yield from tables
        except (pd.errors.ParserError, UnicodeDecodeError) as error:
            raise _unreadable(self.path, error) from error

    def _read(self, **how):
        pd = _validation.import_pandas("read_blocks")
        # Else pandas may take the first column for an index, and guess the type of a column piece by piece.
        fixed = dict(index_col=False, low_memory=False, keep_default_na=False)
        return pd.read_csv(self.path, sep=self.separator, **fixed, **how)


def _source(path) -> _Parquet | _Csv:
    """Who reads a file, by its suffix."""
    path = _validation.check_path("path", path)
    suffix = next((s for s in _SUFFIXES if path.name.lower().endswith(s)), None)
    if suffix is None:
        raise ValueError(f"path must end in {', '.join(_SUFFIXES)}; got {path.name!r}. Convert it to one of these.")
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {path}. Check the path.")
    return _Parquet(path) if suffix == ".parquet" else _Csv(path, _SEPARATORS[suffix])


def _unreadable(path, error):
    return ValueError(f"{path} cannot be read as a table: {' '.join(str(error).split())}. Check the file.")


def _empty(path):
    return ValueError(f"{path} has no rows, so there is nothing to read.")
