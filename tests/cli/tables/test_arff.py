"""ARFF files, dense and sparse, and Mulan's lists of labels."""

import gzip

import pandas as pd
import pytest

from tamis.cli.tables import Refused, limits, read

FLOWERS = r"""% a comment
@RELATION 'some flowers'

@attribute 'petal length' NUMERIC
@Attribute	width	real
@attribute count integer
@attribute 'it\'s "quoted", \\ {odd}' {setosa, 'iris virginica', "it's"}
@attribute remark string
@attribute seen date "yyyy-MM-dd"
@attribute grade {1,2,3}
@attribute wild {TRUE,FALSE}
@data
1.4, .2, 3, setosa, 'a, \'b\'\n%', 2020-01-01, 1, TRUE
% another
?,1e1,4,'iris virginica', ?, "2020-01-02", 3, false
2.5,-1,5,"it's",'?',?,?,?
"""
MULTI = """@relation m
@attribute x numeric
@attribute 'y z' numeric
@attribute cold {0,1}
@attribute 'very hot' {0,1}
@attribute kind {a,b}
@attribute text string
@data
{0 1.5, 3 1}
{}
{1 ?,2 1, 4 b, 5 'u, v'}
"""
LABELS = '<?xml version="1.0"?>\n<labels xmlns="http://mulan.sourceforge.net/labels">{}</labels>'


@pytest.fixture
def put(put):
    return lambda data, name="table.arff": put(data, name)


def refusal(path, **how):
    with pytest.raises(Refused) as caught:
        read(path, **how)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def values(series):
    return [None if pd.isna(v) else v for v in series.tolist()]


@pytest.mark.parametrize("name", ["t.arff", "t.txt"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_dense(put, name, ends):
    table = read(put(FLOWERS.replace("false", "FALSE").replace("\n", ends), name))
    frame = table.frame
    kinds = 'it\'s "quoted", \\ {odd}'
    assert frame.columns.tolist() == ["petal length", "width", "count", kinds, "remark", "seen", "grade", "wild"]
    assert values(frame["petal length"]) == [1.4, None, 2.5]
    assert values(frame["width"]) == [0.2, 10, -1]
    assert frame["count"].dtype.kind == "i"
    assert frame[kinds].cat.categories.tolist() == ["setosa", "iris virginica", "it's"]
    assert values(frame[kinds]) == ["setosa", "iris virginica", "it's"]
    assert values(frame["remark"]) == ["a, 'b'\n%", None, "?"]
    assert values(frame["seen"]) == ["2020-01-01", "2020-01-02", None]
    assert values(frame["grade"]) == [1, 3, None]
    assert values(frame["wild"]) == [1, 0, None]
    assert table.notes == ("missing: 5 cells that say '?'",)


def test_sparse(put):
    frame = read(put(gzip.compress(MULTI.encode()), "t.arff.gz")).frame
    assert values(frame["x"]) == [1.5, 0, 0]
    assert values(frame["y z"]) == [0, 0, None]
    assert values(frame["cold"]) == [0, 0, 1]
    assert values(frame["very hot"]) == [1, 0, 0]
    assert values(frame["kind"]) == ["a", "a", "b"]
    assert values(frame["text"]) == [None, None, "u, v"]


def test_spaces_and_tabs_between_fields(put):
    frame = read(put("@relation r\n@attribute a real\n@attribute b real\n@data\n1 2\n3\t?\n")).frame
    assert values(frame["a"]) == [1, 3]
    assert values(frame["b"]) == [2, None]


HEAD = "@relation r\n@attribute a real\n@attribute b {u,v}\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HEAD + "@data\n1,u\n2\n", "line 6 of {} is not ARFF: a row has a field per attribute, 2; got 1"),
        (HEAD + "@data\n1,u,3\n", "line 5 of {} is not ARFF: a row has a field per attribute, 2; got 3"),
        (HEAD + "@data\n% x\nx,u\n", "line 6 of {} is not ARFF: 'a' must be a number; got 'x'"),
        (HEAD + "@data\n1_0,u\n", "'a' must be a number; got '1_0'"),
        (HEAD + "@data\n1,w\n", "'b' must be one of 'u', 'v'; got 'w'"),
        (HEAD + "@data\n1,'u\n", "quotes are closed on the same line"),
        (HEAD + "@data\n1,'u'v\n", "a comma follows a closed quote; got 'v'"),
        (HEAD + "@data\n{2 1}\n", "places of a sparse row are 0 to 1; got 2"),
        (HEAD + "@data\n{0 1, 0 2}\n", "has each place once; got 0 twice"),
        (HEAD + "@data\n{x 1}\n", "pairs of a place and a value; got 'x 1'"),
        (HEAD + "@data\n{99999999999999 1}\n", "pairs of a place and a value"),
        (HEAD + "@data\n", "it has 2 attributes and no row"),
        (HEAD, "it has 2 attributes and no row"),
        (HEAD + "1,u\n", "line 4 of {} is not ARFF: a header has @relation, @attribute and @data; got '1,u'"),
        (HEAD + "@attribute c\n", "has a name and a type; got 'c'"),
        (HEAD + "@attribute\n", "has a name and a type"),
        (HEAD + "@attribute c relational\n", "the type of 'c' is numeric, real, integer, string, date or values"),
        (HEAD + "@attribute c {u,v\n", "stand in braces; the second one is missing"),
        (HEAD + "@attribute c {u,u}\n", "are named once each"),
        (HEAD + "@attribute a real\n@data\n1,u,2\n", "each column once; 'a' is the name of columns 1 and 3"),
        ("a,b\n1,2\n", "its first bytes are not of such a file"),
    ],
)
def test_broken(put, text, said):
    path = put(text)
    assert said.replace("{}", str(path)) in refusal(path)


def test_limits(put, monkeypatch):
    many = "@relation r\n" + "".join(f"@attribute a{i} real\n" for i in range(limits.MAX_COLUMNS + 1)) + "@data\n{}\n"
    assert "at most 20,000 columns" in refusal(put(many))
    monkeypatch.setattr(limits, "MAX_CELLS", 17)
    assert "at most 17 cells; it has 3 rows of 6" in refusal(put(MULTI))
    monkeypatch.setattr(limits, "MAX_CELL", 3)
    assert "a cell has at most 3 characters; got 4" in refusal(put(MULTI))


# Labels


def test_labels_beside(put):
    path = put(MULTI, "multi.arff")
    assert read(path).labels == ()
    put(LABELS.format('<label name="cold"><label name="very hot"/></label>'), "multi.xml")
    assert read(path).labels == ("cold", "very hot")
    assert read(put(gzip.compress(MULTI.encode()), "multi.arff.gz")).labels == ("cold", "very hot")


def test_labels_given(put):
    other = put(LABELS.format('<label name="cold"></label>'), "some.labels")
    assert read(put(MULTI), labels_xml=other).labels == ("cold",)
    assert read(put("hot,cold\n1,0\n0,1\n", "t.csv"), labels_xml=other).labels == ("cold",)
    marked = put(LABELS.format('<label name="cold"/>').encode("utf-16"), "marked.xml")
    assert read(put(MULTI), labels_xml=marked).labels == ("cold",)


def test_other_xml_beside_is_noted_and_not_used(put):
    other = put("<project/>", "table.xml")
    table = read(put(MULTI))
    assert table.labels == ()
    assert table.notes[-1] == f"{other} is no list of labels, so it is not used"
    assert "it is other XML" in refusal(put(MULTI), labels_xml=other)


BOMB = '<!DOCTYPE labels [<!ENTITY a "x"><!ENTITY b "&a;&a;">]>' + LABELS[22:].format('<label name="&b;"/>')


@pytest.mark.parametrize(
    ("xml", "said"),
    [
        (BOMB, "it declares a document type or entities"),
        (BOMB.encode("utf-16"), "it declares a document type or entities"),
        (BOMB.lower(), "it declares a document type or entities"),
        (LABELS.format('<label name="&b;"/>'), "it is broken (undefined entity"),
        (LABELS.format("<label name='cold'>"), "it is broken (mismatched tag"),
        (LABELS.format("<label/>"), "label 1 has no name"),
        (LABELS.format(""), "it names none"),
        (LABELS.format('<label name="colt"/>'), "'colt' is not one; did you mean 'cold'?"),
        (LABELS.format('<label name="cold"/><label name="cold"/>'), "each column once; 'cold'"),
        (b"\0\1", "bytes that no text has"),
    ],
)
def test_labels_refused(put, xml, said):
    assert said in refusal(put(MULTI), labels_xml=put(xml, "labels.xml"))


def test_labels_missing(put, tmp_path):
    assert "there is no file" in refusal(put(MULTI), labels_xml=tmp_path / "no.xml")
