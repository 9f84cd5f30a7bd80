"""What a machine wrote wrong, and what is too large, is refused in one sentence."""

import gzip

import pytest
from written import PLAIN, rows

from tamis.cli.tables import Refused, delimited, limits, read


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


def test_too_many_columns_are_refused_from_the_header(put, monkeypatch):
    path = put(",".join(f"gene {i}" for i in range(100_000)) + "\n" + ("0.25," * 99_999 + "1\n") * 30)
    monkeypatch.delattr(delimited, "parse")  # what reads the rows
    with pytest.raises(Refused, match="at most 20,000 columns; it has 100,000"):
        read(path)


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
