"""Tables in blocks: all rows, in order, one block at a time; and what is refused."""

import sys
import weakref

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tamis.datasets import read_blocks, read_matrix
from tamis.datasets.blocks import _blocks

N = 250
RNG = np.random.default_rng(0)
TABLE = pd.DataFrame(
    {
        "width": RNG.normal(size=N),
        "label": RNG.integers(1, 4, size=N).astype(str),
        "count": RNG.integers(0, 9, size=N),
        "p of a": RNG.uniform(size=N),
        "height": RNG.normal(size=N).round(3),
    }
)
TABLE["p of b"] = 1 - TABLE["p of a"]

WRITERS = {
    ".parquet": lambda table, path: table.to_parquet(path, row_group_size=60),
    ".csv": lambda table, path: table.to_csv(path, index=False),
    ".csv.gz": lambda table, path: table.to_csv(path, index=False),
    ".tsv": lambda table, path: table.to_csv(path, index=False, sep="\t"),
    ".tsv.gz": lambda table, path: table.to_csv(path, index=False, sep="\t"),
}
every_format = pytest.mark.parametrize("suffix", WRITERS)


@pytest.fixture
def write(tmp_path):
    def write(table, suffix):
        path = tmp_path / f"table{suffix}"
        WRITERS[suffix](table, path)
        return path

    return write


def read_whole(path):
    if path.suffix == ".parquet":
        return pd.read_parquet(path)
    return pd.read_csv(path, sep="\t" if ".tsv" in path.suffixes else ",", dtype={"label": str})


def joined(blocks):
    blocks = list(blocks)
    return pd.concat([b.X for b in blocks]), pd.concat([b.y for b in blocks])


@every_format
@pytest.mark.parametrize("n_rows", [1, 60, 64, 249, 250, 1000])
def test_blocks_make_up_the_table(write, suffix, n_rows):
    path = write(TABLE, suffix)
    blocks = list(read_blocks(path, "label", n_rows=n_rows))
    full, rest = divmod(N, n_rows)
    assert [len(b.X) for b in blocks] == [n_rows] * full + [rest] * (rest > 0)
    X, y = joined(blocks)
    whole = read_whole(path)
    pd.testing.assert_frame_equal(X, whole.drop(columns="label"), check_index_type=False)
    pd.testing.assert_series_equal(y, whole["label"], check_index_type=False)
    # Some versions of pandas read a few numbers one unit in the last place off.
    np.testing.assert_allclose(X, TABLE.drop(columns="label"), rtol=1e-15, atol=1e-15)
    assert y.tolist() == TABLE["label"].tolist()


@every_format
def test_several_targets_make_a_table(write, suffix):
    path = write(TABLE, suffix)
    targets = ["p of b", "p of a"]
    X, y = joined(read_blocks(path, targets, features=["count", "width"], n_rows=64))
    pd.testing.assert_frame_equal(y, read_whole(path)[targets], check_index_type=False)
    pd.testing.assert_frame_equal(X, read_whole(path)[["count", "width"]], check_index_type=False)


@every_format
def test_features_keep_the_order_asked_for(write, suffix):
    path = write(TABLE, suffix)
    block = next(read_blocks(path, "label", features=["height", "width", "count"]))
    assert block.X.columns.tolist() == ["height", "width", "count"]
    assert block.y.name == "label"


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int8, np.int64, np.uint16, bool])
def test_parquet_keeps_the_types(write, dtype):
    path = write(pd.DataFrame({"a": np.array([0, 1, 1], dtype=dtype), "label": [3, 1, 2]}), ".parquet")
    block = next(read_blocks(path, "label"))
    assert block.X["a"].dtype == dtype
    assert block.y.tolist() == [3, 1, 2]


def test_classes_of_a_csv_file_are_text_and_only_an_empty_one_is_missing(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("label,a,b\n01,1,2\nNA,NA,3\n,4,\n")
    X, y = joined(read_blocks(path, "label", n_rows=1))
    assert y[:2].tolist() == ["01", "NA"]
    assert y.isna().tolist() == [False, False, True]
    assert X.isna().to_numpy().tolist() == [[False, False], [True, False], [False, True]]


def test_answers_may_be_missing(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,first,second\n1,cat,\n2,NA,dog\n")
    y = next(read_blocks(path, ["first", "second"])).y
    assert y.isna().to_numpy().tolist() == [[False, True], [True, False]]


@pytest.mark.parametrize("names", [["f", "f.1"], ["f.1", "f"]])
def test_a_name_may_begin_like_another(write, names):
    table = pd.DataFrame({"f": [1.0, 2.0], "f.1": [3.0, 4.0], "label": ["x", "y"]})
    block = next(read_blocks(write(table, ".parquet"), "label", features=names[:1]))
    pd.testing.assert_frame_equal(block.X, table[names[:1]], check_index_type=False)


def test_a_written_index_is_no_feature(tmp_path):
    odd = TABLE[TABLE["count"] % 2 == 1]
    odd.to_parquet(tmp_path / "t.parquet")
    odd.to_csv(tmp_path / "t.csv")
    for name in ("t.parquet", "t.csv"):
        X, _ = joined(read_blocks(tmp_path / name, "label", n_rows=30))
        assert X.columns.tolist() == TABLE.columns.drop("label").tolist()
        np.testing.assert_allclose(X, odd.drop(columns="label"), rtol=1e-15, atol=1e-15)


def test_row_names_without_a_name_are_refused_not_shifted(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,b,label\n1,5,6,x\n2,7,8,y\n")
    with pytest.raises(ValueError, match=r"as many names in its first line .* Name every column"):
        read_blocks(path, "label")


def test_a_csv_file_is_read_no_further_than_asked(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,label\n" + "1,x\n" * 1000 + "oops,x\n")
    blocks = read_blocks(path, "label", n_rows=10)
    assert len(next(blocks).X) == 10
    with pytest.raises(ValueError, match=r"column 'a' is of type .* \(row 1000: 'oops'\)"):
        list(blocks)


def test_a_wide_csv_file_has_one_type_per_column(tmp_path):
    """So wide that pandas would guess types piece by piece within a block."""
    path = tmp_path / "t.csv"
    names = [f"f{j}" for j in range(63)]
    path.write_text(",".join([*names, "label"]) + "\n" + ("1," * 63 + "x\n") * 20_000 + "oops" + ",1" * 62 + ",x\n")
    with pytest.raises(ValueError, match=r"column 'f0' is of type .* \(row 20000: 'oops'\)"):
        next(read_blocks(path, "label"))


def test_a_parquet_file_is_read_no_further_than_asked(tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"a": RNG.normal(size=1000), "label": ["x"] * 1000}), path, row_group_size=100)
    last = pq.ParquetFile(path).metadata.row_group(9).column(0)
    with path.open("r+b") as file:
        file.seek(last.dictionary_page_offset or last.data_page_offset)
        file.write(b"\xff" * last.total_compressed_size)
    blocks = read_blocks(path, "label", n_rows=10)
    assert len(next(blocks).X) == 10
    with pytest.raises(OSError, match="page header"):
        list(blocks)


def test_only_one_block_is_in_memory():
    seen = []

    def table(_):
        assert all(thing() is None for thing in seen)
        values = RNG.normal(size=(10, 4))
        seen.append(weakref.ref(values))
        return pd.DataFrame(values, columns=["a", "b", "c", "label"], copy=False)

    # In another order, as pandas makes X a view of the table where it can, which costs nothing.
    blocks = _blocks(map(table, range(3)), ["b", "a", "c"], "label")
    for _ in range(3):
        block = next(blocks)
        assert seen[-1]() is None
        seen.append(weakref.ref(block.X))
        del block
    assert len(seen) == 6


@pytest.mark.parametrize("row_group_size", [10_000, 200_000])
def test_little_of_a_parquet_file_is_in_memory(tmp_path, row_group_size):
    """A file of 16 MB, in small row groups or in a single one, most of which older versions of pyarrow hold."""
    path = tmp_path / "t.parquet"
    columns = {f"f{j}": RNG.normal(size=200_000) for j in range(10)}
    label = ["x", "y"] * 100_000
    pq.write_table(pa.table({**columns, "label": label}), path, row_group_size=row_group_size, use_dictionary=False)
    before = pa.total_allocated_bytes()
    most = max(pa.total_allocated_bytes() for _ in read_blocks(path, "label", n_rows=1000))
    holds_groups = int(pa.__version__.partition(".")[0]) < 23
    assert most - before < 16e6 / (1 if holds_groups and row_group_size == 200_000 else 2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (dict(target="lable"), "'lable' is not one of .*'label'.*; did you mean 'label'"),
        (dict(target="zzz"), r"target must name columns of the file; 'zzz' is not one of \['width', 'label', .*\]\."),
        (dict(target=["p of a", "p of c"]), "target must name columns of the file; 'p of c' is not one of"),
        (dict(target=[]), "target must name at least one column"),
        (dict(target=3), "target must be a list of column names; got 3"),
        (dict(features=["widht"]), "features must name columns .* did you mean 'width'"),
        (dict(features="width"), r"features must be a list of column names; got 'width'. Write \['width'\]"),
        (dict(features=["width", "width"]), "features must name each column once; 'width' comes 2 times"),
        (dict(features=[]), "features must name at least one column"),
        (dict(features=["width", "label"]), "features must not contain the target; 'label' is in both"),
        (dict(n_rows=0), "n_rows must be a whole number of at least 1; got 0"),
    ],
)
@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
def test_bad_arguments_are_refused_at_the_call(write, suffix, arguments, message):
    path = write(TABLE, suffix)
    with pytest.raises(ValueError, match=message):
        read_blocks(path, **{"target": "label", **arguments})


@pytest.mark.parametrize(
    "values",
    [["Paris", "Rome"], pd.to_datetime(["2020-01-01", "2020-01-02"]), pd.Categorical(["Paris", "Rome"])],
    ids=["text", "dates", "categories"],
)
@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
def test_a_column_that_is_not_numeric_is_refused_at_the_call(write, suffix, values):
    path = write(pd.DataFrame({"a": [1, 2], "city": values, "label": ["x", "y"]}), suffix)
    with pytest.raises(ValueError, match=r"features must be numeric; column 'city' is .* Leave it out .* or encode"):
        read_blocks(path, "label")
    assert next(read_blocks(path, "label", features=["a"])).X["a"].tolist() == [1, 2]


@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
def test_a_table_without_rows_is_refused_at_the_call(write, suffix):
    path = write(TABLE[:0], suffix)
    with pytest.raises(ValueError, match="has no rows"):
        read_blocks(path, "label")


def test_an_empty_file_is_refused_at_the_call(tmp_path):
    (tmp_path / "t.csv").touch()
    with pytest.raises(ValueError, match="has no rows"):
        read_blocks(tmp_path / "t.csv", "label")


def test_a_missing_file_and_a_folder_are_refused_at_the_call(tmp_path):
    (tmp_path / "folder.csv").mkdir()
    for name in ("nowhere.parquet", "folder.csv"):
        with pytest.raises(FileNotFoundError, match=f"there is no file .*{name}"):
            read_blocks(tmp_path / name, "label")


def test_an_unknown_suffix_is_refused_with_those_that_are_read(tmp_path):
    (tmp_path / "t.xlsx").touch()
    with pytest.raises(ValueError, match=r"path must end in .parquet, .csv, .csv.gz, .tsv, .tsv.gz; got 't.xlsx'"):
        read_blocks(tmp_path / "t.xlsx", "label")


@pytest.mark.parametrize("module", ["pandas", "pyarrow"])
def test_a_library_that_is_not_installed_is_named(write, monkeypatch, module):
    path = write(TABLE, ".parquet")
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=f"read_blocks .*needs {module}: pip install {module}"):
        read_blocks(path, "label")


NO_TABLES = [("t.csv", b"a,y\n1,2\n1,2,3\n"), ("t.csv", b"a,y\n1,\xff\n"), ("t.parquet", b"a")]


@pytest.mark.parametrize(("name", "content"), NO_TABLES)
def test_a_file_that_is_no_table(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(ValueError, match=f"{name} cannot be read as a table"):
        list(read_blocks(path, "y"))


@every_format
def test_a_matrix_has_the_values_of_the_blocks(write, suffix):
    path = write(TABLE, suffix)
    X, y = read_matrix(path, "label", n_rows=70)
    blocks = list(read_blocks(path, "label", n_rows=70))
    assert X.dtypes.eq(np.float32).all()
    assert X.columns.tolist() == blocks[0].X.columns.tolist()
    np.testing.assert_array_equal(X, np.vstack([block.X for block in blocks]).astype(np.float32))
    assert y.tolist() == [label for block in blocks for label in block.y]
    assert y.index.tolist() == X.index.tolist() == list(range(N))


@pytest.mark.parametrize(
    ("values", "message"),
    [([1e9, 1e9 + 1, 1e9 + 2], "digits that float32 has.*Subtract"), ([1.0, 2.0, 1e39], "fit into float32; 1e\\+39")],
)
def test_what_float32_cannot_hold_is_refused(tmp_path, values, message):
    pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": values, "kind": list("xyx")}).to_csv(tmp_path / "t.csv", index=False)
    with pytest.raises(ValueError, match=f"column 'b' must .*{message}"):
        read_matrix(tmp_path / "t.csv", "kind")
