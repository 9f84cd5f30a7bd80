"""Numbers and dates as people write them."""

import pytest

from tamis.cli.tables import Doubt, numbers_of, read
from tamis.cli.tables.dates import holds_dates, is_date


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (["12 %", "7.5 %"], [12, 7.5]),
        (["12%", "7,5%"], [12, 7.5]),
        (["€ 1,234.50", "€ 5"], [1234.5, 5]),
        (["$5.00", "-$7.10"], [5, -7.1]),
        (["1.234,50 €", "3,00 €"], [1234.5, 3]),
        (["1,234,567", "12"], [1234567, 12]),
        (["1,234", "0,500"], [1.234, 0.5]),
        (["1,234", "1,234.5"], [1234, 1234.5]),
        (["1 234,5", "7"], [1234.5, 7]),
        (["1\u202f234", "7"], [1234, 7]),
        (["1'234.50", "2"], [1234.5, 2]),
        (["24 h", "48 h"], [24, 48]),
        (["3 µg/l", "5 µg/l"], [3, 5]),
        (["0", "1"], [0, 1]),
        (["CHF 12.50", "CHF 3.05"], [12.5, 3.05]),
    ],
)
def test_cells_that_can_be_read_in_one_way(cells, values):
    assert list(numbers_of(cells).values.values()) == values


@pytest.mark.parametrize(
    ("cells", "cell", "why"),
    [
        (["1,234", "999"], "1,234", "it may be 1234 or 1.234"),
        (["7", "$ 1.234"], "$ 1.234", "other cells have no unit"),
        (["$ 7", "$ 1.234"], "$ 1.234", "it may be 1234 or 1.234"),
        (["12 %", "7"], "7", "other cells have '%'"),
        (["5 mg", "3 g"], "3 g", "other cells have 'mg'"),
    ],
)
def test_cells_that_can_be_read_in_two_ways(cells, cell, why):
    assert numbers_of(cells) == Doubt(cell, why)


@pytest.mark.parametrize("cells", [["1a", "1b"], ["A1", "A2"], ["1.2.3"], ["12 %", "much"], ["12,34,5"], [], ["+-3"]])
def test_codes_and_text_are_no_numbers(cells):
    assert numbers_of(cells) is None


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


# Commas and points of a whole file


@pytest.mark.parametrize(
    ("text", "numeric", "note"),
    [
        ("a;b\n1,5;u\n2,25;v\n", ["a"], "decimal comma"),
        ("a;b\n1,234;u\n2,345;v\n", [], "left as text, as their commas may be decimal or set off thousands: 'a'"),
        ("a;b\n1,234;0,5\n2,345;1,5\n", ["a", "b"], "decimal comma"),
        ("a;b\n1.234;0,5\n2.345;1,5\n", ["b"], "left as text, as their points may set off thousands: 'a'"),
        ("a;b\n1.25;0,5\n2.345;1,5\n", ["a"], "left as text for their commas, as 'a' has decimal points: 'b'"),
        ("a;b\n1.234;u\n2.345;v\n", ["a"], "delimiter ';'"),
    ],
)
def test_commas_that_say_more_than_one_thing(put, text, numeric, note):
    table = read(put(text))
    assert [c for c in table.frame.columns if table.frame[c].dtype == float] == numeric
    assert note in table.notes
