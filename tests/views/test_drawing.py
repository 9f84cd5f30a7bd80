"""The tree of the classes is drawn as its lengths say; numbers are written as the script of the page writes them."""

import re

import pytest
from counting import growth

from tamis.views._numbers import Digits, fixed
from tamis.views._words import percent
from tamis.views.drawing import TreeDrawing

# The tree


def tree(nodes, classes, confusions=()):
    keys = ("name", "parent", "length", "class")
    return {"tree": [dict(zip(keys, n, strict=True)) for n in nodes], "classes": classes, "confusions": confusions}


GARDEN = [
    (None, None, 0.0, None),
    ("flower", 0, 1.0, None),
    ("rose", 1, 0.5, 0),
    ("tulip", 1, 2.0, 1),
    ("oak", 0, 0.25, 2),
]


def test_classes_are_as_far_to_the_right_as_they_are_from_the_root():
    drawn = TreeDrawing(tree(GARDEN, ["rose", "tulip", "oak"]))
    x = {leaf.name: leaf.x for leaf in [*drawn.leaves, *drawn.inner]}
    unit = (x["tulip"] - 8) / 3
    assert [x[name] - 8 for name in ("flower", "rose", "oak")] == pytest.approx([unit, 1.5 * unit, 0.25 * unit])
    assert len(drawn.edges) == 4
    assert f"H{x['oak']:.1f}" in drawn.edges[-1]


def test_each_class_has_a_line_of_its_own_and_branches_are_between_theirs():
    drawn = TreeDrawing(tree(GARDEN, ["rose", "tulip", "oak"]))
    y = {leaf.name: leaf.y for leaf in [*drawn.leaves, *drawn.inner]}
    assert [y[name] for name in ("rose", "tulip", "oak")] == [11, 33, 55]
    assert y["flower"] == 22
    assert drawn.height == 66


def test_classes_in_a_chain():
    nodes = [("low", None, 0.0, 0), ("middle", 0, 1.0, 1), ("high", 1, 3.0, 2)]
    drawn = TreeDrawing(tree(nodes, ["low", "middle", "high"]))
    assert [leaf.y for leaf in drawn.leaves] == [11, 33, 55]
    begin, middle, end = (leaf.x for leaf in drawn.leaves)
    assert 4 * (middle - begin) == pytest.approx(end - begin)
    assert drawn.inner == []


def test_arcs_join_what_is_confused_the_costliest_the_thickest():
    confusions = [
        {"true": "rose", "recorded": "oak", "cost": 0.2, "rate": 0.1},
        {"true": "tulip", "recorded": "rose", "cost": 0.1, "rate": 0.1},
    ]
    drawn = TreeDrawing(tree(GARDEN, ["rose", "tulip", "oak"], confusions))
    ends = [[float(n) for n in re.findall(r",([\d.]+)", path)] for path, _, _ in drawn.arcs]
    assert [(way[0], way[-1]) for way in ends] == [(11, 55), (33, 11)]
    thick, thin = (width for _, width, _ in drawn.arcs)
    assert thick - 1 == pytest.approx(2 * (thin - 1))
    assert [c for _, _, c in drawn.arcs] == confusions


def wide_tree(n):
    return [("root", None, 0.0, None), *((i, 0, 1.0, i) for i in range(n))]


def deep_tree(n):
    return [(0, None, 0.0, 0), *((i, i - 1, 1.0, i) for i in range(1, n))]


@pytest.mark.parametrize("shape", [wide_tree, deep_tree])
def test_thousands_of_classes_and_deep_chains_are_drawn_line_by_line(shape):
    pairs = [{"true": i, "recorded": 2 * i + 1, "cost": 1.0} for i in range(50)]

    def work(n):
        return lambda: TreeDrawing(tree(shape(n), list(range(n)), pairs))

    assert sorted(leaf.y for leaf in work(2000)().leaves) == [22 * i + 11 for i in range(2000)]
    assert growth(work, 100, 400) < 1.1


# Digits


def test_as_many_digits_as_the_largest_needs():
    sizes = {1e-7: (2, True), 3e-5: (7, False), 0.02: (4, False), 0.2: (3, False), 2: (3, False), 20: (1, False)}
    sizes |= {200: (0, False), 999_999: (0, False), 1e6: (2, True), -0.02: (4, False), 0.0: (3, False)}
    assert {value: tuple(Digits.for_values([value, None, 0.0])) for value in sizes} == sizes
    assert Digits.for_values([]) == Digits.for_values([None]) == (3, False)


def test_numbers_are_written_as_javascript_does():
    """As printed by toFixed(3), toFixed(0), toExponential(2); halves go away from zero, which has no sign."""
    said = {
        0.0625: ("0.063", "0", "6.25e-2"),
        -0.0625: ("-0.063", "0", "-6.25e-2"),
        1.0005: ("1.000", "1", "1.00e+0"),  # a little less than that
        2.5: ("2.500", "3", "2.50e+0"),
        0.0: ("0.000", "0", "0.00e+0"),
        -0.0001: ("0.000", "0", "-1.00e-4"),
        1234567.125: ("1234567.125", "1234567", "1.23e+6"),
        1.125e-9: ("0.000", "0", "1.12e-9"),
    }
    forms = (Digits(3), Digits(0), Digits(2, True))
    assert {value: tuple(form.of(value) for form in forms) for value in said} == said
    assert [form.of(-0.0) for form in forms] == list(said[0.0])
    assert {form.of(None) for form in forms} == {"–"}
    assert [percent(v) for v in (0.125, 0.0125, 0.0004)] == ["13 %", "1.3 %", "<0.1 %"]
    assert fixed(0.125, 2) == "0.13"
