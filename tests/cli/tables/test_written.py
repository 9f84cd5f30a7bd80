"""Numbers as people write them, and yes and no."""

import pytest

from tamis.cli.tables import Doubt, numbers_of, read, truths_of


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
        (["(5.00)", "7.10"], [-5, 7.1]),
        (["$ (1,234.50)", "$ 2"], None),
        (["($1,234.50)", "$2.00"], [-1234.5, 2]),
        (["5mg", "7.5mg"], [5, 7.5]),
        (["3 m2", "4.5 m2"], [3, 4.5]),
        (["2 kg/m^3", "4 kg/m^3"], [2, 4]),
        (["1.5e3", "-2E-1"], [1500, -0.2]),
        (["A$5", "A$7"], [5, 7]),
    ],
)
def test_cells_that_can_be_read_in_one_way(cells, values):
    read = numbers_of(cells)
    assert (None if read is None else list(read.values.values())) == values


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


CODES = [
    ["1a", "1b"],
    ["A1", "A2"],
    ["1.2.3"],
    ["12 %", "much"],
    ["12,34,5"],
    [],
    ["+-3"],
    ["(1)", "(2)"],
    ["(-1)", "2"],
]


@pytest.mark.parametrize("cells", [*CODES, ["4H2", "5H2"], ["(", "1"], ["()", "1"]])
def test_codes_and_text_are_no_numbers(cells):
    assert numbers_of(cells) is None


@pytest.mark.parametrize(
    ("cells", "how"),
    [
        (["12 %"], "percentage"),
        (["3 ‰"], "per mille"),
        (["€ 5"], "currency"),
        (["5 mg"], "unit 'mg'"),
        (["1,234.5"], "thousands separators"),
        (["1 234"], "thousands separators"),
        (["0,5", "7"], "decimal comma"),
        (["7"], "text"),
    ],
)
def test_what_a_column_holds(cells, how):
    assert numbers_of(cells).how == how


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (["yes", "no", "NO"], [1, 0, 0]),
        (["f", "t"], [0, 1]),
        (["Sí", "No"], [1, 0]),
        (["yes"], None),
        (["yes", "n"], None),
        (["yes", "no", "maybe"], None),
        ([], None),
    ],
)
def test_yes_and_no(cells, values):
    found = truths_of(cells)
    assert (None if found is None else list(found.values())) == values


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
