"""Rows of text: delimiters are found, cells are typed."""

import numpy as np
import pytest
from written import rows

from tamis.cli.tables import OddCell, odd_cells, read

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
    assert odd_cells(table.frame["age"]) == OddCell(17, odd, 18, 19)
    assert odd_cells(table.frame["x"]) is None


def test_odd_cells_of_decimal_commas(put):
    table = read(put("a;b\n1,5;x\n2,5;y\nunknown;z\n"))
    assert odd_cells(table.frame["a"]) == OddCell(3, "unknown", 2, 3)
    assert odd_cells(table.frame["b"]) == OddCell(1, "x", 0, 3)


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
