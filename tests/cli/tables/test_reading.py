"""Tables of every kind come back as written; whatever is in a file, it is a table or a sentence."""

import contextlib
import csv
import gzip
import io
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from written import PLAIN, rows

from tamis.cli.tables import Refused, limits, read

# Encodings, compression, standard input


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252", "latin-1"])
def test_encodings(put, encoding):
    table = read(put("größe,kind\n1,é\n2,ü\n".encode(encoding)))
    assert rows(table) == [["größe", "kind"], [1, "é"], [2, "ü"]]
    assert [n.split(",")[0] for n in table.notes] == {
        "utf-16": ["encoding utf-16"],
        "utf-32": ["encoding utf-32"],
        "cp1252": ["encoding cp1252"],
        "latin-1": ["encoding cp1252"],
    }.get(encoding, [])


def test_latin_1_where_cp1252_has_no_character(put):
    assert read(put(b"a,b\n1,\xe9\x81\n")).notes == ("encoding latin-1, as byte 7 is not UTF-8",)


def test_encoding_of_a_long_file_is_judged_to_its_end(put):
    data = b"a,b\n" + "é,1\n".encode() * 400_000
    assert read(put(data)).notes == ()
    assert read(put(data + b"\xe9,1\n")).notes == (f"encoding cp1252, as byte {len(data) + 1:,} is not UTF-8",)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"a,b\n1,\0\n", "bytes that no text has"),
        (b"a,b\n\x01\x02,\xff\xfe\n", "bytes that no text has"),
        (b"\xef\xbb\xbfa,b\n1,\xff\n", "must be utf-8 text, as its first bytes say; byte 10 is not"),
        ("a,b\n1,2".encode("utf-16")[:-1], "must be utf-16 text"),
        (b"PK\x03\x04xxxx", "an Excel workbook"),
        (b"\x80\x04\x95xxxx", "a Python pickle"),
        (b"<!DOCTYPE html><html>404</html>", "a web page"),
        (b'{\n "a": [1, 2],\n "b": [3, 4]\n}', "JSON"),
        (gzip.compress(gzip.compress(PLAIN, mtime=0), mtime=0), "compressed twice"),
        (gzip.compress(PLAIN * 100, mtime=0)[:-20], "its gzip data are broken"),
        (b"\x1f\x8bnothing", "its gzip data are broken"),
        (b"", "it is empty"),
        (b"\n \n", "it is empty"),
        (gzip.compress(b"", mtime=0), "it is empty"),
    ],
)
def test_bytes_that_are_no_table(refusal, data, said):
    assert said in refusal(data)


@pytest.mark.parametrize("name", ["t.csv.gz", "t.csv", "t.data", "t"])
def test_gzip_by_its_first_bytes_and_any_ending(put, name):
    assert rows(read(put(gzip.compress(PLAIN, mtime=0), name))) == rows(read(put(PLAIN, name)))


def test_standard_input(monkeypatch, put):
    frame = pd.DataFrame({"x": [1.0, 2.0], "kind": ["a", "b"]})
    arff = b"@relation r\n@attribute x numeric\n@attribute kind string\n@data\n1,a\n2,b\n"
    csv_bytes = frame.to_csv(index=False).encode()
    for data in (csv_bytes, gzip.compress(csv_bytes, mtime=0), frame.to_parquet(), arff):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        assert rows(read("-")) == [["x", "kind"], [1, "a"], [2, "b"]]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    with pytest.raises(Refused, match="standard input must have a header and rows; it is empty"):
        read("-")


# Parquet


def test_parquet(put):
    frame = pd.DataFrame(
        {
            "x": [1.5, None, 2.5],
            "n": [1, 2, 3],
            "truth": [True, False, True],
            "text": ["a", None, "NA"],
            "kind": pd.Categorical(["u", "v", "u"], categories=["v", "u"]),
            "day": pd.to_datetime(["2020-01-01", "2020-01-02", None]),
        },
        index=pd.Index([7, 8, 9], name="patient"),
    )
    table = read(put(frame.to_parquet(), "t.bin"))
    got = table.frame
    assert table.notes == ("index left out: 'patient'",)
    assert got["truth"].tolist() == [1, 0, 1]
    assert got["text"].fillna("none").tolist() == ["a", "none", "NA"]
    assert got["kind"].cat.categories.tolist() == ["v", "u"]
    assert got["day"].tolist()[0].startswith("2020-01-01")
    pd.testing.assert_frame_equal(got[["x", "n"]], frame[["x", "n"]].reset_index(drop=True))


def test_parquet_refused(put, refusal, monkeypatch):
    good = pd.DataFrame({"x": [1.0, 2.0], "y": ["a", "b"]})
    assert "it is broken" in refusal(good.to_parquet()[:-30], "t.parquet")
    assert "its first bytes are not of such a file" in refusal(PLAIN, "t.parquet")
    assert "must have rows and columns; it has 0 rows" in refusal(good[:0].to_parquet(), "t.parquet")
    assert "'v' is of type 'list<element: int64>'" in refusal(pd.DataFrame({"v": [[1], [2]]}).to_parquet(), "t.parquet")
    monkeypatch.setattr(limits, "MAX_CELLS", 3)
    assert "at most 3 cells; it has 2 rows of 2" in refusal(good.to_parquet(), "t.parquet")


# Round trip


QUOTINGS = [csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]
LETTERS = st.characters(codec="utf-8", exclude_categories=("Cs", "Cc", "Nd"), exclude_characters=",;\t| ^~:¦§\"'+-")
WORDS = ("inf", "infinity", "nan", "true", "false", "na", "n/a", "null", "<na>", "?", "-", "")


@st.composite
def tables(draw):
    """A delimiter, a way of quoting, names and columns.

    Cells without quotes have only the delimiter of the file inside: with others they would be ambiguous.
    """
    sign, quoting = draw(st.sampled_from(",;\t| ")), draw(st.sampled_from(QUOTINGS))
    signs = '"\n' + (sign if quoting == csv.QUOTE_MINIMAL else ",;\t| ")
    text = st.text(LETTERS | st.sampled_from(signs), min_size=1, max_size=8)
    text = text.filter(lambda t: t.strip(" \t") == t and t.lower() not in WORDS and t[0] not in "<[{@%")
    names = draw(st.lists(text, min_size=2, max_size=5, unique=True))
    n = draw(st.integers(1, 6))
    number = st.integers(-(2**62), 2**62) | st.floats(allow_nan=False)
    columns = [
        draw(st.lists(cell | st.none(), min_size=n, max_size=n))
        for cell in draw(st.lists(st.sampled_from([number, text]), min_size=len(names), max_size=len(names)))
    ]
    return sign, quoting, names, columns


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(tables())
def test_what_is_written_comes_back(tmp_path_factory, table):
    sign, quoting, names, columns = table
    path = tmp_path_factory.getbasetemp() / "round.csv"
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter=sign, quoting=quoting)
        writer.writerow(names)
        writer.writerows([["NA" if c is None else c for c in row] for row in zip(*columns, strict=True)])
    frame = read(path).frame
    assert frame.columns.tolist() == names
    for name, column in zip(names, columns, strict=True):
        got = [None if pd.isna(v) else v for v in frame[name].tolist()]
        if any(isinstance(v, float) for v in column) or None in column:
            column = [float(v) if isinstance(v, int) else v for v in column]
        assert got == column


# Anything at all


def samples():
    frame = pd.DataFrame({"x": [1.5, None, 2.5], "n": [1, 2, 3], "t": ["a", None, "é"], "b": [True, False, True]})
    text = frame.to_csv(index=False)
    arff = (
        "@relation r\n@attribute 'x y' numeric\n@attribute k {a,'b c'}\n@attribute s string\n"
        "@data\n1,a,'u\\'v'\n{1 'b c', 2 w}\n?,?,?\n"
    )
    return {
        "csv": text.encode(),
        "semicolon": frame.to_csv(index=False, sep=";", decimal=",").encode("cp1252"),
        "spaces": b"  a   b\n  1  10\n 22   3 \n",
        "utf16": text.encode("utf-16"),
        "gzip": gzip.compress(text.encode(), mtime=0),
        "parquet": frame.to_parquet(),
        "plain parquet": frame.to_parquet(compression=None),
        "arff": arff.encode(),
    }


@pytest.mark.parametrize("kind", samples())
def test_changed_bytes_give_a_table_or_a_sentence(put, kind):
    rng = np.random.default_rng(0)
    good = samples()[kind]
    assert len(read(put(good)).frame)
    for _ in range(100):
        data = bytearray(good)
        for _ in range(rng.integers(1, 6)):
            at = int(rng.integers(len(data)))
            what = rng.integers(4)
            if what == 0:
                data[at] = rng.integers(256)
            elif what == 1:
                data[at] = rng.choice(list(b"\",;\t| \n\r'{}\\@%?\0"))
            elif what == 2:
                data[at : at + int(rng.integers(1, 9))] = b"x"
            else:
                data[at:at] = data[: int(rng.integers(1, 9))]
        with contextlib.suppress(Refused):
            assert len(read(put(bytes(data))).frame)


def test_importing_it_imports_no_tables():
    """The command's help starts fast, as far as this folder goes: tamis itself is replaced by an empty package."""
    import tamis

    code = (
        "import sys, types; package = types.ModuleType('tamis'); "
        f"package.__path__ = {list(tamis.__path__)!r}; sys.modules['tamis'] = package; import tamis.cli.tables; "
        "print([m for m in ('pandas', 'sklearn', 'pyarrow', 'numpy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
