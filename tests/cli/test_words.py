"""What a newcomer's table holds: each column that will not do is named, with the way out, and what is done is said."""

import numpy as np
import pandas as pd
import pytest

RANK = ("--labels", "hard", "--search", "ranking", "--features", "1.0", "--json")


@pytest.fixture
def with_column(run, put):
    """Select from a table with one good column and another one."""

    def with_column(cells, *args, name="z", file="table.csv"):
        n = len(cells)
        table = pd.DataFrame({"x": np.arange(n) / 7, name: cells, "kind": ["a", "b"] * (n // 2)})
        if file.endswith(".parquet"):
            table.to_parquet(file)
        else:
            put(table, file)
        return run("select", file, "-t", "kind", *RANK, "--force", *args)

    return with_column


def notes(ran):
    return " | ".join(ran.json["data"]["notes"])


def features(ran):
    return [feature["name"] for feature in ran.json["features"]]


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (["12 %", "7.5 %"], "'z' ('12 %' as 12)"),
        (["€ 1,234.50", "€ 5"], "'z' ('€ 1,234.50' as 1234.5)"),
        (["$5.00", "$7.10"], "'z' ('$5.00' as 5)"),
        (["1 234,5", "7"], "'z' ('1 234,5' as 1234.5)"),
        (["1,5", "2"], "'z' ('1,5' as 1.5)"),
    ],
)
def test_written_numbers_are_read_and_it_is_said(with_column, cells, said):
    ran = with_column(cells * 6)
    assert f"text read as numbers: {said}" in notes(ran)
    assert "categories" not in notes(ran)
    assert features(ran) == ["x", "z"]


@pytest.mark.parametrize("file", ["table.csv", "table.parquet"])
def test_numbers_that_can_be_two_are_refused(with_column, file):
    ran = with_column(["999", "1,234"] * 6, file=file)
    assert ran.code == 3
    assert (
        "column 'z' must have numbers that can be read in one way; row 2 says '1,234': it may be 1234 or 1.234. Write "
        "plain numbers such as 1234.5, or use --drop or --categorical 'z'." in ran.err
    )
    assert "categories: 'z'" in notes(with_column(["999", "1,234"] * 6, "--categorical", "z", file=file))
    assert features(with_column(["999", "1,234"] * 6, "--drop", "z", file=file)) == ["x"]


def test_mixed_units_are_refused(with_column):
    ran = with_column(["5 mg", "3 g"] * 6)
    assert (ran.code, "row 2 says '3 g': other cells have 'mg'" in ran.err) == (3, True)


def test_zeros_and_ones_of_text_are_numbers(with_column):
    ran = with_column(["0", "1"] * 6, file="table.parquet")
    assert "text read as numbers: 'z' ('0' as 0)" in notes(ran)


DATES = {
    "iso": [f"2024-01-{day:02}" for day in range(1, 13)],
    "german": [f"{day:02}.01.2024" for day in range(1, 13)],
    "american": [f"01/{day:02}/2024" for day in range(1, 13)],
    "with times": [f"2024-01-{day:02} 08:15" for day in range(1, 13)],
    "some missing": ["unknown"] * 3 + [f"2024-01-{day:02}" for day in range(1, 10)],
    "digits": [20240100 + day for day in range(1, 13)],
}


@pytest.mark.parametrize("kind", DATES)
def test_dates_are_left_out_and_it_is_said(with_column, kind):
    ran = with_column(DATES[kind])
    assert "left out, as they hold dates: 'z'. Use them with --dates days or --dates parts" in notes(ran)
    assert features(ran) == ["x"]


def test_dates_of_parquet_are_left_out(with_column):
    ran = with_column(pd.date_range("2024-01-01", periods=12), file="table.parquet")
    assert "left out, as they hold dates: 'z'" in notes(ran)


def test_dates_that_are_wanted(with_column):
    ran = with_column(DATES["iso"], "--require", "z")
    assert (ran.code, "--require must name features that can be used; 'z' holds dates" in ran.err) == (2, True)
    kept = with_column(["2024-01-01", "2024-02-01"] * 6, "--categorical", "z")
    assert (features(kept), "categories: 'z'" in notes(kept)) == (["x", "z"], True)
    assert features(with_column(DATES["digits"], "--require", "z")) == ["x", "z"]


def test_nothing_but_dates(with_column):
    ran = with_column(DATES["iso"], "--drop", "x")
    assert (ran.code, "none is left but 'z', which number the rows, hold dates or no values" in ran.err) == (3, True)


# Targets


def target(run, put, values):
    put(pd.DataFrame({"x": np.arange(len(values)) / 7, "kind": values}))
    return run("select", "table.csv", "-t", "kind", *RANK, "--force")


@pytest.mark.parametrize(
    "values",
    [
        np.r_[np.linspace(0, 1, 38), 0, 1].round(3),
        [f"{v:.2f} %" for v in np.linspace(0, 100, 40)],
        [f"{v:,.1f}" for v in np.linspace(1000, 9000, 40)],
    ],
    ids=["few repeated", "percent", "thousands"],
)
def test_a_measurement_is_no_target(run, put, values):
    ran = target(run, put, values)
    assert ran.code == 3
    assert "the target must have classes; 'kind' has" in ran.err
    assert "like a measurement. Cut it into classes such as low, middle and high" in ran.err


def test_dates_are_no_target(run, put):
    ran = target(run, put, [f"2024-01-{day:02}" for day in range(1, 31)] * 2)
    assert (ran.code, "'kind' has 30 different dates. Turn them into classes" in ran.err) == (3, True)


def test_many_numbers_may_be_classes_and_it_is_said(run, put):
    ran = target(run, put, list(range(12)) * 3)
    assert "12 different numbers of 'kind' are taken for classes; cut them into fewer" in notes(ran)


def test_text_among_probabilities_is_named(run, put):
    put(pd.DataFrame({"x": np.arange(4) / 7, "p": ["much", "0.5"] * 2, "q": [0.5] * 4}))
    ran = run("select", "table.csv", "-t", "p", "-t", "q", "--labels", "soft")
    assert (ran.code, "needs columns of probabilities; 'p' is text" in ran.err) == (3, True)
