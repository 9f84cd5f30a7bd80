"""Dates and times as people write them."""

from datetime import datetime, timedelta

import numpy as np
import pytest

from tamis.cli.tables import Dates, Doubt, dates_of
from tamis.cli.tables.dates import holds_dates, is_date

DATES = """2024-01-31 2024/1/31 31.12.2024 31.12.24 12/31/2024 31/12/24 2024-01-01T12:00 2024-01-01T12:00:00Z 2024-05
12:30 08:15:30"""
LONG_DATES = ["2024-01-01 00:00:00.000000", "1 Jan 2024", "3. März 2024", "Jan 12, 2024", "12/31/2024 3:04 PM"]


@pytest.mark.parametrize("text", [*DATES.split(), *LONG_DATES])
def test_dates(text):
    assert is_date(text)


@pytest.mark.parametrize(
    "text", ["13.13.2024", "2024-13-01", "0.1.2024", "12.5", "1:10", "1:100", "v1.2.3", "", "2024"]
)
def test_no_dates(text):
    assert not is_date(text)


def test_most_cells_decide_whether_a_column_is_of_dates():
    assert holds_dates(["2024-01-31", "unknown"], [5, 5])
    assert not holds_dates(["2024-01-31", "unknown"], [4, 5])
    assert not holds_dates([], [])


# What they are

FORMS = {
    "%Y-%m-%d": "day",
    "%Y/%m/%d": "day",
    "%Y%m%d": "day",
    "%d.%m.%Y": "day",
    "%d.%m.%y": "day",
    "%d %b %Y": "day",
    "%d-%B-%Y": "day",
    "%b %d, %Y": "day",
    "%Y-%m-%d %H:%M": "time",
    "%Y-%m-%dT%H:%M:%S.%f": "time",
    "%d.%m.%Y, %H:%M:%S": "time",
    "%B %d, %Y %I:%M %p": "time",
    "%Y-%m-%dT%H:%MZ": "time",
    "%d/%m/%Y": "day",
    "%m/%d/%Y": "day",
    "%m-%d-%y %I:%M:%S %p": "time",
}


@pytest.mark.parametrize("form", FORMS)
def test_dates_come_back_from_how_they_were_written(form):
    rng = np.random.default_rng(0)
    moments = [datetime(1980, 1, 1, 1) + timedelta(seconds=int(s)) for s in rng.integers(0, 50 * 365 * 86_400, 60)]
    cells = {moment.strftime(form): datetime.strptime(moment.strftime(form), form) for moment in moments}
    assert dates_of(cells) == Dates(cells, FORMS[form])


@pytest.mark.parametrize(
    ("cell", "time", "finest"),
    [
        ("2024-05", datetime(2024, 5, 1), "month"),
        ("3. März 2024", datetime(2024, 3, 3), "day"),
        ("1 Dez 24", datetime(2024, 12, 1), "day"),
        ("1.1.69", datetime(1969, 1, 1), "day"),
        ("1.1.68", datetime(2068, 1, 1), "day"),
        ("5/5/2024", datetime(2024, 5, 5), "day"),
        ("2024-02-29 24:00", datetime(2024, 3, 1), "day"),
        ("2024-01-01T00:30+02:00", datetime(2023, 12, 31, 22, 30), "time"),
        ("2024-01-01 00:30-0130", datetime(2024, 1, 1, 2), "time"),
        ("1/13/2024 12:00 a.m.", datetime(2024, 1, 13), "day"),
        ("08:15:30.5", datetime(1970, 1, 1, 8, 15, 30, 500_000), "clock"),
        ("24:00", datetime(1970, 1, 2), "clock"),
    ],
)
def test_a_date_by_itself(cell, time, finest):
    assert dates_of([cell]) == Dates({cell: time}, finest)


@pytest.mark.parametrize(
    ("cells", "at", "why"),
    [
        (["01/02/2024"], 0, "it may be 2024-02-01 or 2024-01-02"),
        (["5/5/2024", "1-2-2024"], 1, "it is not written like '5/5/2024'"),
        (["2024-01-31", "31.01.2024"], 1, "it is not written like '2024-01-31'"),
        (["2024-01-01 08:00Z", "2024-01-01 08:00"], 1, "it is not written like '2024-01-01 08:00Z'"),
        (["13/01/2024", "1/1/2024", "01/13/2024"], 2, "day and month are not in the order of '13/01/2024'"),
        (["2024-01-01", "soon"], 1, "it is no date or time that can be read"),
        (["2024-01-31", "2023-02-29"], 1, "there is no such day or time"),
        (["2024-01-31 25:00"], 0, "there is no such day or time"),
        (["2024-01-31 08:60"], 0, "there is no such day or time"),
        (["1/13/2024 0:30 PM"], 0, "there is no such day or time"),
        (["0000-01-01"], 0, "there is no such day or time"),
        (["9999-12-31 24:00"], 0, "there is no such day or time"),
        (["20241301"], 0, "there is no such day or time"),
    ],
)
def test_dates_that_cannot_be_read_in_one_way(cells, at, why):
    assert dates_of(cells) == Doubt(cells[at], why)


def test_points_have_the_day_first_unless_that_is_no_date():
    assert dates_of(["01.02.2024"]).values == {"01.02.2024": datetime(2024, 2, 1)}
    assert dates_of(["01.02.2024", "01.13.2024"]).values["01.02.2024"] == datetime(2024, 1, 2)


def test_whatever_looks_like_a_date_is_one_or_doubted():
    rng = np.random.default_rng(0)
    signs = [*"0123456789 0123456789 /-.:T+Z", "Jan", "pm", "2024"]
    for _ in range(3000):
        cell = "".join(rng.choice(signs, rng.integers(1, 12)))
        read = dates_of([cell])
        assert isinstance(read, Dates) or (read.cell, bool(read.why)) == (cell, True)
