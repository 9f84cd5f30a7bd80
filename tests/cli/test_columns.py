"""What columns are read as: dates, yes and no, numbers with signs, gaps; and the list of it."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tamis.cli import preparing
from tamis.cli.auditing import coordinates
from tamis.cli.errors import WrongUse
from tamis.cli.options import Dates, Missing, MissingOrIndicator
from tamis.cli.preparing import read_table
from tamis.cli.tables import Refused, dates_of, read

RANK = ("--labels", "hard", "--search", "ranking", "--features", "1.0", "--json", "--force")


@pytest.fixture
def prepared(put, tmp_path):
    """A table of x, of columns and of a target, as a command prepares it."""

    def prepared(columns, *, file="table.csv", **how):
        n = len(next(iter(columns.values())))
        table = pd.DataFrame({"x": np.arange(n) / 7, "kind": (["a", "b"] * n)[:n]} | columns)
        if file.endswith("parquet"):
            table.to_parquet(tmp_path / file)
        else:
            put(table, file)
        return preparing.prepare(read(tmp_path / file), target=["kind"], **how)

    return prepared


def read_as(prepared, name="z"):
    return next((c["read_as"], c["note"]) for c in prepared.columns if c["name"] == name)


def notes(prepared):
    return " | ".join(prepared.notes)


# Numbers as people write them


@pytest.mark.parametrize(
    ("cells", "note", "values"),
    [
        (["12 %", "7.5 %"], "percentage: '12 %' as 12", [12, 7.5]),
        (["$1,234.50", "$5"], "currency: '$1,234.50' as 1234.5", [1234.5, 5]),
        (["(5.00) €", "7.10 €"], None, None),
        (["(5.00)", "7.10"], "text: '(5.00)' as -5", [-5, 7.1]),
        (["US$ 5", "US$ 7.5"], "currency: 'US$ 5' as 5", [5, 7.5]),
        (["5mg", "7.5mg"], "unit 'mg': '5mg' as 5", [5, 7.5]),
        (["12 m2", "7 m2"], "unit 'm2': '12 m2' as 12", [12, 7]),
        (["1e3 mg", "2 mg"], "unit 'mg': '1e3 mg' as 1000", [1000, 2]),
        (["1,234.5", "2"], "thousands separators: '1,234.5' as 1234.5", [1234.5, 2]),
        (["yes", "no"], "'yes' as 1, 'no' as 0", [1, 0]),
        (["N", "Y"], "'Y' as 1, 'N' as 0", [0, 1]),
        (["ja", "nein"], "'ja' as 1, 'nein' as 0", [1, 0]),
        (["t", "f"], "'t' as 1, 'f' as 0", [1, 0]),
        ([True, False], "true as 1, false as 0", [1, 0]),
        (["4H2", "5H2"], None, None),
        (["yes", "maybe"], None, None),
    ],
)
def test_numbers_and_how_they_were_written(prepared, cells, note, values):
    found = prepared({"z": cells * 6})
    assert read_as(found) == (("number" if values else "category"), note)
    if values:
        assert found.X["z"].tolist() == values * 6
        assert note.startswith("true") or "text read as numbers: 'z' (" in notes(found)


def test_numbers_of_other_files_and_delimiters(prepared, tmp_path):
    found = prepared({"z": [True, None, False] * 4, "w": ["1,5", "2,25", None] * 4}, file="t.parquet")
    assert read_as(found) == ("number", "true as 1, false as 0; 4 missing")
    assert read_as(found, "w") == ("number", "decimal comma: '1,5' as 1.5; 4 missing")
    assert found.X["w"].tolist()[:2] == [1.5, 2.25]
    (tmp_path / "t.csv").write_text("z;kind\n1,5;a\n2,5;b\n0,5;a\n")
    assert read_as(preparing.prepare(read(tmp_path / "t.csv"), target=["kind"])) == ("number", "decimal comma")
    (tmp_path / "t.arff").write_text(
        "@relation r\n@attribute z {true,false}\n@attribute kind {a,b}\n@data\ntrue,a\nfalse,b\ntrue,b\n"
    )
    assert read_as(preparing.prepare(read(tmp_path / "t.arff"), target=["kind"])) == ("number", "true as 1, false as 0")


def test_yes_and_no_of_the_target_stay_classes(put, tmp_path):
    put(pd.DataFrame({"x": np.arange(6) / 7, "z": ["no", "yes"] * 3, "kind": ["yes", "no"] * 3}))
    found = preparing.prepare(read(tmp_path / "table.csv"), target=["kind"])
    assert found.y.tolist() == ["yes", "no"] * 3
    insists = preparing.prepare(read(tmp_path / "table.csv"), target=["kind"], categorical=["z"])
    assert read_as(insists) == ("category", None)


def test_every_column_is_listed_in_the_order_of_the_file(prepared):
    n = np.arange(60)
    found = prepared(
        {"id": n, "same": n * 0, "gone": n / 7, "empty": [None] * 60, "day": [f"2024-01-{1 + i % 30:02}" for i in n],
         "place": ["north", "south", None] * 20, "gaps": np.where(n < 3, np.nan, n / 3)},
        drop=["gone"],
    )  # fmt: skip
    assert [(c["name"], c["read_as"], c["note"]) for c in found.columns] == [
        ("x", "number", None),
        ("kind", "target", None),
        ("id", "left out", "numbers the rows"),
        ("same", "number", "the same in all rows"),
        ("gone", "left out", "by --drop"),
        ("empty", "left out", "no value in any row"),
        ("day", "left out", "dates"),
        ("place", "category", "20 missing"),
        ("gaps", "number", "3 missing"),
    ]


# Dates


def test_dates_are_left_out_unless_asked_for(prepared):
    found = prepared({"z": [f"2024-01-{day:02}" for day in range(1, 13)]})
    assert list(found.X.columns) == ["x"]
    assert "left out, as they hold dates: 'z'. Use them with --dates days or --dates parts" in notes(found)


@pytest.mark.parametrize(
    "cells",
    [
        [f"2024-01-{day:02}" for day in range(1, 13)],
        [f"{day}.1.2024" for day in range(1, 13)],
        [f"1/{day}/24" for day in range(9, 21)],
        [f"Jan {day}, 2024" for day in range(1, 13)],
        [20240100 + day for day in range(1, 13)],
    ],
    ids=["iso", "german", "american", "names", "digits"],
)
def test_days_since_the_first(prepared, cells, tmp_path):
    found = prepared({"z": cells}, dates="days")
    assert found.X["z"].tolist() == list(range(12))
    assert read_as(found)[0] == "date"
    assert read_as(found)[1] == f"days since 2024-01-{'09' if '/' in str(cells[0]) else '01'}"
    X, _, _ = read_table(tmp_path / "table.csv", **found.reading)
    pd.testing.assert_frame_equal(X, found.X)


def test_dates_of_parquet_and_with_times(prepared):
    days = pd.date_range("2024-01-01 06:00", periods=12, freq="12h")
    for times in (days, days.tz_localize("UTC"), days.astype(str)):
        found = prepared({"z": times}, file="t.parquet", dates="days")
        assert found.X["z"].tolist() == [0.25 + i / 2 for i in range(12)]
        assert read_as(found)[1] == "days since 2024-01-01"


def test_parts_that_differ_are_features(prepared, tmp_path):
    days = pd.date_range("2023-12-25 08:15", periods=12, freq="26h")
    table = {"z": days.astype(str), "day": days.strftime("%Y-%m"), "clock": days.strftime("%H:%M")}
    found = prepared(table, dates="parts")
    parts = ["z: year", "z: month", "z: day", "z: weekday", "z: hour"]
    assert list(found.X.columns) == ["x", *parts, "day: year", "day: month", "clock"]
    assert read_as(found) == ("date", "year, month, day, weekday, hour")
    assert (read_as(found, "day"), read_as(found, "clock")) == (
        ("date", "year, month"),
        ("date", "hours since midnight"),
    )
    expected = np.c_[days.year, days.month, days.day, days.day_of_week + 1, days.hour + days.minute / 60]
    np.testing.assert_allclose(found.X[parts].to_numpy(float), expected)
    assert found.X["clock"].tolist() == pytest.approx((days.hour + days.minute / 60).tolist())
    assert set(parts) < set(found.frame.columns)
    pd.testing.assert_frame_equal(read_table(tmp_path / "table.csv", **found.reading)[0], found.X)


def test_parts_that_are_the_same_are_left_out(prepared):
    found = prepared({"z": [f"2024-01-{1 + 7 * (i % 4):02}" for i in range(12)]}, dates="parts")
    assert list(found.X.columns) == ["x", "z: day"]
    same = prepared({"z": ["2024-01-01"] * 12}, dates="parts")
    assert (list(same.X.columns), read_as(same)) == (["x"], ("left out", "the same date in all rows"))


def test_missing_dates_are_missing_parts(prepared):
    found = prepared({"z": [None, *(f"2024-01-{day:02}" for day in range(1, 12))]}, dates="days")
    assert np.isnan(found.X["z"][0])
    assert found.X["z"][1:].tolist() == list(range(11))
    assert read_as(found) == ("date", "days since 2024-01-01; 1 missing")
    digits = prepared({"z": [None, *(20240100 + day for day in range(1, 12))]}, dates="days")
    assert digits.X["z"][1:].tolist() == list(range(11))


def test_required_dates(prepared):
    cells = [f"2024-01-{day:02}" for day in range(1, 13)]
    with pytest.raises(WrongUse, match=r"'z' holds dates\. Use them with --dates days"):
        prepared({"z": cells}, require=["z"])
    assert prepared({"z": cells}, require=["z"], dates="parts").required == ["z: day", "z: weekday"]
    assert prepared({"z": cells}, require=["z"], dates="days").required == ["z"]
    digits = prepared({"z": [20240100 + day for day in range(1, 13)]}, require=["z"])
    assert digits.X["z"][0] == 20240101
    with pytest.raises(WrongUse, match="its dates are all the same"):
        prepared({"z": ["2024-01-01"] * 12}, require=["z"], dates="parts")


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (["01/02/2024", "03/02/2024"], "row 1 says '01/02/2024': it may be 2024-02-01 or 2024-01-02"),
        (["2024-02-28", "2024-02-30"], "row 2 says '2024-02-30': there is no such day or time"),
        (
            ["2024-02-28", "unknown"],
            "row 2 says 'unknown': it is no date or time that can be read. Write dates such as",
        ),
        (["2024-02-28", "28.02.2024"], "row 2 says '28.02.2024': it is not written like '2024-02-28'"),
        (["2024-02-28 08:00Z", "2024-02-28 08:00"], "it is not written like '2024-02-28 08:00Z'"),
    ],
)
def test_dates_that_will_not_do_are_refused_when_they_are_asked_for(prepared, cells, said):
    assert list(prepared({"z": cells * 6}).X.columns) == ["x"]
    for dates in ("days", "parts"):
        with pytest.raises(Refused) as refused:
            prepared({"z": cells * 6}, dates=dates)
        assert said in str(refused.value)
        assert "--drop 'z' or --dates drop" in str(refused.value)


def test_parts_have_names_of_their_own(prepared):
    with pytest.raises(Refused, match="the table has 'z: day' already"):
        prepared({"z": [f"2024-01-{day:02}" for day in range(1, 13)], "z: day": range(12)}, dates="parts")


# Missing values


@pytest.fixture
def holed():
    return {"z": [1.5, np.nan, 2.5, np.nan] * 3, "place": ["north", None, "south", "south"] * 3, "whole": [*"uvw"] * 4}


@pytest.mark.parametrize("missing", ["use", "indicator"])
def test_missing_values_are_used(prepared, holed, missing):
    found = prepared(holed, missing=missing)
    assert found.X.isna().sum().to_dict() == {"x": 0, "z": 6, "place": 3, "whole": 0}
    assert isinstance(found.X["place"].dtype, pd.CategoricalDtype)
    said = "missing values are used as such: 9 cells of 'z', 'place', in 6 of 12 rows"
    assert said + ("; whether a value is missing is part" if missing == "indicator" else " |") in notes(found) + " |"
    assert found.reading["missing"] == missing


def test_a_row_without_any_value_is_counted(prepared):
    found = prepared({"x": [1.5] * 3 + [np.nan] + [2.5] * 8, "z": ["u", "v", "u", None] * 3})
    assert "rows without any value: 1 (the first is row 4)" in found.notes
    assert len(found.X) == 12


@pytest.mark.parametrize("missing", ["use", "indicator", "median", "drop-rows", "drop-columns"])
def test_a_column_without_any_value_is_left_out(prepared, missing):
    found = prepared({"z": [None] * 12, "w": [1.5, 2.5] * 6}, missing=missing)
    assert list(found.X.columns) == ["x", "w"]
    assert "left out, as they have no value in any row: 'z'" in found.notes
    assert len(found.X) == 12
    with pytest.raises(WrongUse, match="'z' was left out, as its values are missing"):
        prepared({"z": [None] * 12}, missing=missing, require=["z"])
    with pytest.raises(Refused, match="none is left but 'z'"):
        prepared({"z": [None] * 12}, missing=missing, drop=["x"])


def test_nothing_may_be_missing_if_that_is_asked_for(prepared, holed):
    with pytest.raises(Refused, match=r"9 cells of 'z', 'place' missing \(the first in row 2\)\. Choose --missing use"):
        prepared(holed, missing="error")
    with pytest.raises(Refused, match=r"'z' missing \(the first in row 1\)"):
        prepared({"z": [None] * 12}, missing="error")


@pytest.mark.parametrize("missing", ["use", "indicator", "median", "drop-columns"])
def test_rows_without_a_label_are_used_and_counted(prepared, missing):
    for kinds in (["a", None, "b", "a", "b", None], [1, None, 2, 1, 2, None]):
        found = prepared({"z": [1.5, 2.5] * 3, "kind": kinds}, missing=missing)
        assert found.rows.tolist() == [1, 2, 3, 4, 5, 6]
        assert found.y.dropna().tolist() == [kind for kind in kinds if kind is not None]
        assert found.y.isna().tolist() == [kind is None for kind in kinds]
        assert "rows without a label: 2 of 6 (the first is row 2)" in found.notes
    with pytest.raises(Refused, match="labels must be there in some rows; 'kind' is missing in all 6"):
        prepared({"z": [1.5, 2.5] * 3, "kind": [None] * 6}, missing=missing)


def test_rows_without_a_label_are_left_out_with_drop_rows(prepared):
    found = prepared({"z": [1.5, 2.5] * 3, "kind": ["a", None, "b", "a", "b", None]}, missing="drop-rows")
    assert found.rows.tolist() == [1, 3, 4, 5]
    assert found.X["z"].tolist() == [1.5, 1.5, 2.5, 1.5]
    assert "rows left out for missing labels: 2 of 6" in found.notes


@pytest.mark.parametrize("start", [0, 1])
def test_numbers_of_rows_are_known_where_rows_are_left_out_or_numbers_are_missing(prepared, start):
    number = [start + i if i not in (1, 4) else None for i in range(12)]
    for others in ({}, {"kind": [None, *"abab", None, *"ababab"]}, {"kind": [*"ab" * 5, None, None]}):
        for z in (number, range(start, start + 12)):
            assert read_as(prepared({"z": list(z)} | others)) == ("left out", "numbers the rows")
    for z in ([7, *range(1, 12)], [1, 3, 5, *range(7, 16)], [None, 0, 1, *range(2, 11)]):
        assert read_as(prepared({"z": z}))[0] == "number"


def test_codes_of_missing_categories_are_the_last():
    X = pd.DataFrame(
        {"x": [1.0, np.nan, 3.0], "place": pd.Categorical(["b", None, "a"]), "full": pd.Categorical([*"uvu"])}
    )
    found = coordinates(X) * np.array([1, *[np.sqrt(2)] * 5])
    np.testing.assert_allclose(found, [[1, 0, 1, 0, 1, 0], [np.nan, 0, 0, 1, 0, 1], [3, 1, 0, 0, 1, 0]])


def test_indicators_are_no_matter_of_a_blanket_nor_of_an_audit(run, put, plants):
    plants.loc[[3, 7], "z"] = np.nan
    table = put(plants)
    ran = run("select", table, "-t", "kind", "--search", "blanket", "--missing", "indicator", "--features", 2)
    assert (ran.code, "a blanket takes missing values as a level of their own" in ran.err) == (2, True)
    ran = run("audit", table, "-t", "kind", "--missing", "indicator")
    assert (ran.code, "indicator" in ran.err) == (2, True)
    ran = run("select", table, "-t", "kind", *RANK, "--missing", "indicator")
    assert ran.json["asked"]["parameters"]["missing"] == "indicator"


def test_probabilities_take_the_place_of_features(prepared):
    shares = {"p_a": [0.25, 0.75] * 6, "p_b": [0.75, 0.25] * 6, "w": [1, 2, 0] * 4}
    found = prepared(shares, probabilities=["p_*"], weight="w")
    assert read_as(found, "x") == ("left out", "probabilities take the place of features")
    assert [read_as(found, name)[0] for name in shares] == ["probabilities", "probabilities", "weight"]
    assert [len(found.y), len(found.predicted.tables[0]), len(found.known["sample_weight"])] == [8, 8, 8]


# The page on commands

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "commands.md").read_text(encoding="utf-8")


def test_the_page_names_every_choice():
    told = re.findall(r"^\| (`[^|]+) \|", PAGE, flags=re.MULTILINE)
    named = {word for cell in told for word in re.findall("`([^`]+)`", cell)}
    assert {*MissingOrIndicator, *Missing, *Dates, "--weight", "--rows-by", "--time"} <= named


def test_dates_are_read_in_the_forms_of_the_page():
    told = re.search(r"Dates are read in these forms(.*?)with names of months", PAGE, flags=re.DOTALL)[1]
    forms = re.findall("`([^`]+)`", told)
    assert len(forms) == 9
    for form in forms:
        assert dates_of([form]).finest in ("day", "month")
