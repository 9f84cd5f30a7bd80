"""Tables of every kind and delimiter come back as written; whatever is wrong is refused in one sentence."""

import contextlib
import csv
import gzip
import io
import subprocess
import sys
import time

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tamis.cli.tables import OddCell, Refused, limits, odd_cells, read

PLAIN = b"width,kind\n1.5,a\n2,b\n,c\n"


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


def rows(table):
    frame = table.frame
    return [frame.columns.tolist(), *frame.astype(object).where(frame.notna(), None).to_numpy(object).tolist()]


# Delimiters


@pytest.mark.parametrize("sign", [",", ";", "\t", "|", " "])
def test_every_delimiter_is_found(put, sign):
    table = read(put(f"a{sign}b{sign}c\n1{sign}2.5{sign}x\n3{sign}4.5{sign}y\n"))
    assert rows(table) == [["a", "b", "c"], [1, 2.5, "x"], [3, 4.5, "y"]]
    assert table.labels == ()
    assert table.notes == (
        () if sign == "," else (f"delimiter {({chr(9): 'tab', ' ': 'space'}).get(sign, repr(sign))}",)
    )


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a;b\n1,5;2,5\n3,5;4,5\n", [["a", "b"], [1.5, 2.5], [3.5, 4.5]]),
        ("a b\n1,5 2,5\n3,5 4,5\n", [["a", "b"], [1.5, 2.5], [3.5, 4.5]]),
        ("id,full name\n1,Ann Lee\n2,Bob Ray\n", [["id", "full name"], [1, "Ann Lee"], [2, "Bob Ray"]]),
        ('a,b\n1,"x;y;z"\n2,"x;y"\n', [["a", "b"], [1, "x;y;z"], [2, "x;y"]]),
        ('a, b\n1, "x, y"\n2, "z, w"\n', [["a", "b"], [1, "x, y"], [2, "z, w"]]),
        ("  a   b\n  1  10\n 22   3 \n", [["a", "b"], [1, 10], [22, 3]]),
        ("a b c\n1  3\n4 5 6\n", [["a", "b", "c"], [1, None, 3], [4, 5, 6]]),
        ("a,b\r\n1,2\r\n\r\n3,4\r\n", [["a", "b"], [1, 2], [3, 4]]),
        ("a,b\r1,2\r3,4", [["a", "b"], [1, 2], [3, 4]]),
        ('";",";;"\n"0","1"\n', [[";", ";;"], [0, 1]]),
        ('a,b\n5" pipe,1\n', [["a", "b"], ['5" pipe', 1]]),
        ("time,x\n12:30,1\n13:30,2\n", [["time", "x"], ["12:30", 1], ["13:30", 2]]),
    ],
)
def test_delimiters_that_mislead(put, text, wanted):
    assert rows(read(put(text))) == wanted


@pytest.mark.parametrize("name", ["t.tsv", "t.tab", "t.TSV"])
def test_tab_by_its_ending(put, name):
    assert rows(read(put("a, x\tb, y\nu, v\tw, z\n", name))) == [["a, x", "b, y"], ["u, v", "w, z"]]


def test_one_column_is_noted(put):
    table = read(put("weight\n1\n2\n"))
    assert rows(table) == [["weight"], [1], [2]]
    assert table.notes == ("one column only",)
    assert rows(read(put("name\nAnn Lee\nBob Ray\n"))) == [["name"], ["Ann Lee"], ["Bob Ray"]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a;b;c\n1,2,3\n4,5,6\n", "3 names separated by ';', its rows 3 fields separated by ','"),
        ("a;b;c\n1\n2\n", "as many fields as the header, 3 (delimiter ';'); row 1 has 1"),
        ("a^b\n1^2\n3^4\n", "seems to be by '^'"),
        ("My export\na,b,c\n1,2,3\n", "as the header, 1 (delimiter ','); row 1 has 3"),
    ],
)
def test_wrong_delimiters(refusal, text, said):
    assert said in refusal(text)


# Cells


def test_decimal_comma(put):
    table = read(put("a;b;c\n1,5;x;1\n-2,25;y;2\nNA;z;3\n"))
    assert rows(table)[1:] == [[1.5, "x", 1], [-2.25, "y", 2], [None, "z", 3]]
    assert table.notes[:2] == ("delimiter ';'", "decimal comma")


def test_commas_beside_decimal_points_stay_text(put):
    table = read(put("a;b\n1,500;0.5\n2,250;1.5\n"))
    assert rows(table)[1:] == [["1,500", 0.5], ["2,250", 1.5]]
    assert "left as text for their commas, as 'b' has decimal points: 'a'" in table.notes


def test_missing_words(put):
    table = read(put("a,b,c\n1,x,+\nNA,?,-\nN/A,y,+\nnull,-,+\n,NaN,-\n"))
    assert rows(table)[1:] == [[1, "x", "+"], [None, None, "-"], [None, "y", "+"], [None, None, "+"], [None, None, "-"]]
    assert set(table.notes) == {
        "missing: 1 cell 'NA' in 'a'",
        "missing: 1 cell 'N/A' in 'a'",
        "missing: 1 cell 'null' in 'a'",
        "missing: 1 cell empty in 'a'",
        "missing: 1 cell '?' in 'b'",
        "missing: 1 cell '-' in 'b'",
        "missing: 1 cell 'NaN' in 'b'",
    }


def test_kinds_of_columns(put):
    table = read(
        put(
            "whole,real,big,truth,gap,none,hex,inf\n1,1e3,99999999999999999999,True,TRUE,,0x1F,inf\n+2,.5,1,False,,NA,0x2,-1\n"
        )
    )
    assert [d.kind for d in table.frame.dtypes][:6] == list("fffiff")
    assert table.frame["truth"].tolist() == [1, 0]
    assert table.frame["gap"].tolist()[0] == 1.0
    assert table.frame["hex"].tolist() == ["0x1F", "0x2"]
    assert table.frame["inf"].tolist() == [np.inf, -1]
    assert "nothing but missing cells: 'none'" in table.notes


def test_spaces_around_cells(put):
    table = read(put("a , b\n 1 , yes\n2,yes \n"))
    assert rows(table) == [["a", "b"], [1, "yes"], [2, "yes"]]
    assert table.notes == ("spaces around cells removed: 'b'",)


@pytest.mark.parametrize("odd", ["n/a", "unknown", "1,5", "12 mg", "None", "1_000"])
def test_a_few_odd_cells_keep_a_column_text(put, odd):
    ages = [str(age) for age in range(20, 40)]
    ages[16] = odd
    ages[3] = "NA"
    table = read(put("age,x\n" + "".join(f'"{age}",1\n' for age in ages)))
    assert table.frame["age"].tolist()[0] == "20"
    assert odd_cells(table.frame, "age") == OddCell(17, odd, 18, 19)
    assert odd_cells(table.frame, "x") is None


def test_odd_cells_of_decimal_commas(put):
    table = read(put("a;b\n1,5;x\n2,5;y\nunknown;z\n"))
    assert odd_cells(table.frame, "a") == OddCell(3, "unknown", 2, 3)
    assert odd_cells(table.frame, "b") == OddCell(1, "x", 0, 3)


def test_header_of_numbers_is_noted(put):
    assert "is the first line a header?" in read(put("5.1,3.5,a\n4.9,3.0,a\n")).notes[0]


def test_nameless_columns(put, refusal):
    table = read(put(",a\n0,x\n1,y\n"))
    assert table.frame.columns.tolist() == ["column 1", "a"]
    assert table.notes == ("without a name: 'column 1'",)
    table = read(put("a,b,\n1,2,\n3,4,\n"))
    assert rows(table) == [["a", "b"], [1, 2], [3, 4]]
    assert "delimiter at the end of the lines" in table.notes[1]
    assert "each column once; 'column 1' is the name of columns 1 and 2" in refusal(",column 1\n1,2\n")


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


# What a machine wrote wrong


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,b\n", "must have rows below its header"),
        ("a,b", "must have rows below its header"),
        ("a\n", "must have rows below its header"),
        ("a,b,a\n1,2,3\n", "each column once; 'a' is the name of columns 1 and 3"),
        ("a,b\n1,2\n3,4,5\n6,7\n", "the header, 2 (delimiter ','); row 2 has 3. Quote cells"),
        ("a,b,c\n1,2,3\n\n4,5\n6,7,8\n", "the header, 3 (delimiter ','); row 2 has 2. Complete or remove"),
        ('a,b\n1,"x\n2,y\n3,z\n', "quotes of"),
    ],
)
def test_broken_rows(refusal, text, said):
    assert said in refusal(text)


def test_paths(tmp_path, put):
    path = put(PLAIN, "flowers.csv")
    for wrong, said in (
        (tmp_path / "flower.csv", f"there is no file {tmp_path / 'flower.csv'}; did you mean '{path}'"),
        (tmp_path / "no" / "flower.csv", "and no folder"),
        (tmp_path, "it is a folder"),
        ("https://example.org/a.csv", "is an address"),
        ("a\0b.csv", "must be a readable file"),
        ("x" * 5000, "must be a readable file"),
    ):
        with pytest.raises(Refused) as caught:
            read(wrong)
        assert said in str(caught.value)


def test_a_cell_with_line_breaks_is_kept_and_noted(put):
    table = read(put('a,b\n1,"x\ny"\n2,"z\n"\n'))
    assert rows(table)[1:] == [[1, "x\ny"], [2, "z\n"]]
    assert table.notes == ("line breaks inside cells: 'b'",)


# Limits


def test_too_many_columns_are_refused_from_the_header(put):
    path = put(",".join(f"gene {i}" for i in range(100_000)) + "\n" + ("0.25," * 99_999 + "1\n") * 30)
    read_first = put(PLAIN, "small.csv")
    read(read_first)  # imports
    start = time.perf_counter()
    with pytest.raises(Refused, match="at most 20,000 columns; it has 100,000"):
        read(path)
    assert time.perf_counter() - start < 1


def test_other_limits(monkeypatch, put, refusal):
    monkeypatch.setattr(limits, "MAX_CELL", 10)
    assert "row 2 of column 'b' has more" in refusal("a,b\n1,x\n2,xxxxxxxxxxx\n")
    monkeypatch.setattr(limits, "MAX_CELLS", 3)
    assert "at most 3 cells; it has 2 rows of 2" in refusal("a,b\n1,x\n2,y\n")
    monkeypatch.setattr(limits, "MAX_BYTES", 1000)
    assert "at most 1,000 bytes, decompressed; it has 1,204" in refusal("a,b\n" + "1,2\n" * 300)
    monkeypatch.setattr(limits, "HEAD", 100)
    bomb = gzip.compress(b"a,b\n" + b"1,2\n" * 10_000, mtime=0)
    assert len(bomb) < 1000
    assert "at most 1,000 bytes, decompressed; it holds more" in refusal(bomb)


def test_long_cells_and_wide_headers_are_legal(put, monkeypatch):
    long = "x" * 500_000
    assert rows(read(put(f"a b\n1 {long}\n2 y\n")))[1] == [1, long]
    assert rows(read(put(f'a, b\n1, "{long},"\n2, "y,"\n')))[1] == [1, f"{long},"]
    monkeypatch.setattr(limits, "HEAD", 1000)  # a header longer than what is looked at first
    names = [f"name {i}" for i in range(300)]
    wide = read(put(",".join(names) + "\n" + ",".join(["1.50"] * 299) + ",x\n"))
    assert wide.frame.columns.tolist() == names
    assert rows(wide)[1] == [1.5] * 299 + ["x"]


def test_what_does_not_fit_into_memory_is_refused(monkeypatch, refusal):
    def full(*_):
        raise MemoryError

    monkeypatch.setattr("tamis.cli.tables.delimited.parse", full)
    assert "must fit into memory" in refusal(PLAIN)


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


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
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
