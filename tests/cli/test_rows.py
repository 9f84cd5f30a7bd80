"""--weight, --rows-by and --time: what is known of the rows, what will not do, and signs that rows belong together."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tamis.cli import preparing
from tamis.cli.belonging import hints, n_copies
from tamis.cli.errors import WrongUse
from tamis.cli.preparing import read_table
from tamis.cli.tables import Refused, read

RANK = ("--labels", "hard", "--search", "ranking", "--features", 2, "--json", "--force")


@pytest.fixture
def prepared(put, tmp_path):
    """A table with x and kind, and more columns, as a command prepares it."""

    def prepared(n=12, *, file="table.csv", **how):
        columns = how.pop("columns", {})
        table = pd.DataFrame({"x": np.arange(n) / 7, "kind": ["a", "b"] * (n // 2)} | columns)
        put(table, file)
        return preparing.prepare(read(tmp_path / file), target=["kind"], **how)

    return prepared


def read_as(prepared):
    return {column["name"]: (column["read_as"], column["note"]) for column in prepared.columns}


# Weights


def test_weights_are_no_feature_and_rows_of_weight_zero_are_absent(prepared, tmp_path):
    weights = [0, 2, 0.5, 1, 1, 1, 1, 1, 1, 1, 1, 0]
    found = prepared(columns={"w": weights}, weight="w")
    assert list(found.X.columns) == ["x"]
    assert found.rows.tolist() == list(range(2, 12))
    assert found.known["sample_weight"].tolist() == weights[1:-1]
    assert read_as(found)["w"] == ("weight", "from 0.5 to 2")
    assert {"weights of rows: 'w', from 0.5 to 2", "rows left out for weight 0: 2 of 12"} <= set(found.notes)
    X, y, rows = read_table(tmp_path / "table.csv", **found.reading)
    assert (X.equals(found.X), y.equals(found.y), rows.keys()) == (True, True, {"sample_weight"})


def test_weights_as_people_write_them(prepared):
    found = prepared(columns={"w": ["50 %", "12.5 %"] * 6}, weight="w")
    assert set(found.known["sample_weight"]) == {50, 12.5}
    assert "weights of rows: 'w', all 2" in prepared(columns={"w": [2] * 12}, weight="w").notes
    assert read_as(found)["w"][1].startswith("percentage: '50 %' as 50")


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ([1] * 5 + ["much"] + [1] * 6, "must name a column of numbers; row 6 of 'w' says 'much': it is no number"),
        ([1] * 5 + [-1] + [1] * 6, "--weight must not be negative; row 6 of 'w' has -1. Use 0 to leave a row out."),
        ([1] * 5 + [None] + [1] * 6, "'w' has none in 1 of 12 rows (the first is row 6). Fill them, with 0 to leave"),
        ([1] * 5 + [np.inf] + [1] * 6, "column 'w' must have finite numbers; row 6 has infinity"),
        ([1] * 5 + [np.inf] + [1] * 6, "or name another column with --weight"),
        ([1] * 5 + [1e12] + [1] * 6, "--weight must be 0, or from 1e-06 to 1e+09; row 6 of 'w' has 1e+12"),
        ([1] * 5 + [1e-9] + [1] * 6, "row 6 of 'w' has 1e-09. Use 0 to leave a row out, and divide all weights if"),
        ([0] * 12, "--weight must be above zero in some rows; all of 'w' are 0"),
        (["1,234", "999"] * 6, "row 1 of 'w' says '1,234': it may be 1234 or 1.234"),
        ([1] + [0] * 11, "at least two rows; it has 1"),
    ],
    ids=["text", "negative", "missing", "infinite", "way out", "huge", "tiny", "all zero", "two readings", "one row"],
)  # fmt: skip
def test_weights_that_will_not_do(prepared, weights, said):
    with pytest.raises(Refused) as refused:
        prepared(columns={"w": weights}, weight="w")
    assert said in str(refused.value)


def test_rows_keep_their_numbers_when_several_things_leave_some_out(prepared):
    table = {"w": [1, 0] + [1] * 10, "z": [1.5] * 5 + [np.nan] + [2.5] * 6, "kind": [None, *"babababa", "a", "b", "a"]}
    found = prepared(columns=table, weight="w", missing="drop-rows")
    assert found.rows.tolist() == [3, 4, 5, *range(7, 13)]
    assert [note for note in found.notes if note.startswith("rows left out")] == [
        "rows left out for missing labels: 1 of 12",
        "rows left out for weight 0: 1 of 11",
        "rows left out for missing features: 1 of 10",
    ]
    with pytest.raises(Refused, match="row 12 of 'w' has -3"):
        prepared(columns=table | {"w": [1] * 11 + [-3]}, weight="w")


# Groups


def test_groups_are_no_feature(prepared):
    found = prepared(columns={"patient": [f"p{i // 3}" for i in range(12)]}, rows_by="patient")
    assert list(found.X.columns) == ["x"]
    assert found.known["groups"].tolist() == [f"p{i // 3}" for i in range(12)]
    assert read_as(found)["patient"] == ("groups", "4 groups in 12 rows")
    assert "rows that belong together: 'patient': 4 groups in 12 rows" in found.notes
    assert not any("may belong" in note for note in found.notes)


@pytest.mark.parametrize("named", ["text", "numbers"])
def test_a_row_without_a_group_is_one_of_its_own(prepared, named):
    patients = [i // 3 if named == "numbers" else f"p{i // 3}" for i in range(12)]
    patients[4] = patients[11] = None
    found = prepared(columns={"patient": patients}, rows_by="patient")
    assert found.known["groups"][[4, 11]].tolist() == [None, None]
    assert read_as(found)["patient"][1] == "4 groups in 12 rows; 2 rows without one, each a group of its own"


def test_groups_that_say_nothing(prepared):
    with pytest.raises(Refused, match=r"--rows-by must have several groups, .* 'site' is the same in all rows"):
        prepared(columns={"site": ["A"] * 12}, rows_by="site")
    found = prepared(columns={"site": list("ABCDEFGHIJKL")}, rows_by="site")
    assert read_as(found)["site"][1] == "12 groups in 12 rows, each row by itself"


# Times


@pytest.mark.parametrize(
    ("times", "span"),
    [
        ([f"2024-03-{day:02}" for day in range(1, 13)], "from 2024-03-01 to 2024-03-12, 12 different"),
        ([f"{day}.3.24" for day in range(1, 13)], "from 2024-03-01 to 2024-03-12, 12 different"),
        ([f"{day}/3/2024" for day in range(13, 25)], "from 2024-03-13 to 2024-03-24, 12 different"),
        ([20240301 + day for day in range(12)], "from 2024-03-01 to 2024-03-12, 12 different"),
        ([f"2024-{m:02}" for m in range(1, 13)], "from 2024-01 to 2024-12, 12 different"),
        ([f"2024-03-01 {h:02}:30" for h in range(12)], "from 2024-03-01 00:30:00 to 2024-03-01 11:30:00, 12 different"),
        ([1999, 2001] * 6, "from 1999 to 2001, 2 different"),
        ([0.5 + i for i in range(12)], "from 0.5 to 11.5, 12 different"),
    ],
)
def test_times_are_dates_or_numbers(prepared, times, span):
    found = prepared(columns={"when": times}, time="when")
    assert list(found.X.columns) == ["x"]
    assert read_as(found)["when"] == ("time", span)
    assert f"time of rows: 'when', {span}" in found.notes
    order = found.known["order"]
    assert np.argsort(order, kind="stable").tolist() == np.argsort(np.arange(12) if len(set(times)) > 2 else times,
                                                                   kind="stable").tolist()  # fmt: skip


@pytest.mark.parametrize(
    ("at", "cell", "said"),
    [
        (3, "soon", "row 4 says 'soon': it is no date or time that can be read"),
        (3, None, "--time must have a value in every row; 'when' has none in 1 of 12 rows (the first is row 4)"),
        (6, "07.03.2024", "row 7 says '07.03.2024': it is not written like '2024-03-01'"),
        (6, "2024-02-30", "row 7 says '2024-02-30': there is no such day or time"),
    ],
    ids=["unreadable", "missing", "two formats", "no such day"],
)
def test_times_that_cannot_be_read(prepared, at, cell, said):
    times = [f"2024-03-{day:02}" for day in range(1, 13)]
    times[at] = cell
    with pytest.raises(Refused) as refused:
        prepared(columns={"when": times}, time="when")
    assert said in str(refused.value)


def test_times_that_may_be_two(prepared):
    with pytest.raises(Refused, match="row 2 says '02/01/2024': it may be 2024-01-02 or 2024-02-01"):
        prepared(columns={"when": [f"{i:02}/01/2024" for i in range(1, 13)]}, time="when")
    with pytest.raises(Refused, match="row 12 says '03/13/2024': day and month are not in the order of '13/03/2024'"):
        prepared(columns={"when": ["13/03/2024"] * 11 + ["03/13/2024"]}, time="when")


def test_times_that_say_nothing(prepared):
    with pytest.raises(Refused, match="--time must have several times; all of 'when' are 2024-03-01"):
        prepared(columns={"when": ["2024-03-01"] * 12}, time="when")
    with pytest.raises(Refused, match="--time must name a column of dates or numbers; row 1 of 'when' says 'early'"):
        prepared(columns={"when": ["early", "late"] * 6}, time="when")


def test_days_may_be_groups_too(prepared):
    found = prepared(columns={"day": [f"2024-03-{1 + i // 4:02}" for i in range(12)]}, time="day", rows_by="day")
    assert found.known.keys() == {"groups", "order"}
    assert read_as(found)["day"][0] == "groups and time"


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"weight": "kind"}, "--weight must not name what --target names"),
        ({"time": "x", "require": ["x"]}, "--time must not name what --require names"),
        ({"rows_by": "x", "weight": "x"}, "--rows-by must not name what --weight names"),
        ({"rows_by": "X"}, "--rows-by must name a column of the table; 'X' is none: did you mean 'x'?"),
    ],
)
def test_columns_that_are_asked_to_be_two_things(prepared, how, said):
    with pytest.raises(WrongUse) as wrong:
        prepared(**how)
    assert said in str(wrong.value)


def test_a_column_may_be_dropped_as_a_feature_and_say_something_of_rows(prepared):
    found = prepared(columns={"meta_w": [1, 2] * 6, "meta_z": [1, 2] * 6}, drop=["meta_*"], weight="meta_w")
    assert [read_as(found)[c][0] for c in ("meta_w", "meta_z")] == ["weight", "left out"]


# Signs


def test_a_column_that_looks_like_a_patient_is_named(prepared):
    patients = [i // 3 for i in range(60)]
    found = prepared(60, columns={"patient": patients})
    said = "rows may belong together: 'patient' has 20 different values in 60 rows; --rows-by 'patient' keeps them"
    assert any(note.startswith(said) for note in found.notes)
    assert "patient" in found.X.columns
    dropped = prepared(60, columns={"patient": patients}, drop=["patient"])
    assert any(note.startswith(said) for note in dropped.notes)


@pytest.mark.parametrize(
    ("name", "is_said"),
    [("subject_id", True), ("PatientNr", True), ("userid", True), ("ID", True), ("Kunde", False), ("sites", True),
     ("PID", True), ("USUBJID", True), ("mrn", True), ("age", False), ("acidity", False), ("grid", False),
     ("hidden", False), ("website", False)],
)  # fmt: skip
def test_names_of_groups(name, is_said):
    frame = pd.DataFrame({name: [i // 3 for i in range(60)], "x": np.arange(60) / 7})
    assert bool(hints(frame, [name], frame[["x"]])) is is_said


def test_groups_at_all_times_are_told_in_options(run, put):
    x = np.random.default_rng(0).normal(size=60)
    put(pd.DataFrame({"x": x, "patient": np.arange(60) % 10, "visit": np.arange(60) // 10, "kind": ["a", "b"] * 30}))
    asked = "table.csv", "--target", "kind", "--labels", "hard", "--search", "ranking", "--features", "auto", "--json"
    ran = run("select", *asked, "--rows-by", "patient", "--time", "visit")
    (said,) = json.loads(ran.out)["warnings"]
    assert said.startswith("groups are spread over time")
    assert said.endswith("Say how many you want with --features, or fit without --rows-by or without --time.")


def test_what_a_criterion_does_not_take_is_called_as_its_option(run, put):
    numbers = {"x": np.arange(30) / 7, "z": np.arange(30) % 7 / 3, "g": np.arange(30) // 3, "w": [1, 2] * 15}
    put(pd.DataFrame(numbers | {"kind": ["a", "b"] * 15}))
    asked = "table.csv", "--target", "kind", "--labels", "hard", "--search", "ranking", "--features", 1
    for option, column in (("--rows-by", "g"), ("--weight", "w")):
        ran = run("select", *asked, "--criterion", "laplacian", option, column)
        assert (ran.code, f"takes no {option}: " in ran.err, f"Leave {option} out" in ran.err) == (2, True, True)


@pytest.mark.parametrize("values", [range(60), [1.5, 2.5] * 30, [7] * 60, np.arange(60) // 31], ids=str)
def test_columns_that_are_no_groups(values):
    frame = pd.DataFrame({"patient": list(values), "x": np.arange(60) / 7})
    assert hints(frame, ["patient"], frame[["x"]]) == []


def test_copies_of_rows_are_named(prepared):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(40, 3)), columns=list("abc"))
    assert n_copies(X) == 0
    assert n_copies(pd.concat([X, X[:10], X[:10]])) == 30
    found = prepared(80, columns={c: np.r_[X[c], X[c]] for c in "abc"} | {"x": 1.5})
    assert any(note.startswith("rows may belong together: 80 of 80 rows have exactly") for note in found.notes)


def test_rows_that_are_equal_by_chance_are_no_copies():
    rng = np.random.default_rng(0)
    few = pd.DataFrame({"age": rng.integers(20, 80, 600), "sex": rng.integers(0, 2, 600)})
    counts = pd.DataFrame((rng.uniform(size=(200, 40)) < 0.01).astype(int))
    assert [n_copies(few), n_copies(counts), n_copies(few[:0])] == [0, 0, 0]


# Commands


def test_a_selection_with_all_of_it(run, put, plants):
    plants["w"] = np.tile([1, 1, 2, 0.5, 0], 12)
    plants["patient"] = np.arange(60) % 20
    plants["day"] = pd.date_range("2024-03-01", periods=60).strftime("%d.%m.%Y")
    how = ("--weight", "w", "--rows-by", "patient", "--time", "day")
    ran = run("select", put(plants.sample(frac=1, random_state=0)), "-t", "kind", *RANK, *how)
    assert ran.json["selected"] == ["x", "y"]
    assert ran.json["data"]["rows"] == 48
    columns = {column["name"]: column["read_as"] for column in ran.json["data"]["columns"]}
    assert columns == {"x": "number", "y": "number", "z": "number", "kind": "target", "w": "weight",
                       "patient": "groups", "day": "time"}  # fmt: skip
    assert list(pd.read_csv("table-tamis/selected.csv").columns) == ["x", "y", "kind", "w", "patient", "day"]
    reading = ran.json["data"]["reading"]
    assert [reading[name] for name in ("weight", "rows_by", "time")] == ["w", "patient", "day"]


def test_an_audit_with_weights_and_groups(run, put, plants):
    plants["w"] = np.tile([1, 2, 0], 20)
    plants["patient"] = np.arange(60) // 3
    ran = run("audit", put(plants), "-t", "kind", "--weight", "w", "--rows-by", "patient", "--json")
    assert ran.code == 0
    table = pd.read_csv("table-tamis/relabelled.csv")
    assert table["row"].tolist() == [row for row in range(1, 61) if row % 3]
    audit = json.loads(Path("table-tamis/audit.json").read_text())
    assert [c["read_as"] for c in audit["data"]["columns"]] == ["number"] * 3 + ["target", "weight", "groups"]
    wrong = run("audit", "table.csv", "-t", "kind", "--time", "w", "--force")
    assert (wrong.code, "--time" in wrong.err) == (2, True)
