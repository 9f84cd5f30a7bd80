"""Places on paper are where the numbers say, and numbers are written as the script of the page writes them."""

import math
import re
from itertools import pairwise

import pytest
from counting import growth

from tamis.views._numbers import Digits, fixed
from tamis.views._words import percent
from tamis.views.drawing import MOST_ON_LINEAR_AXIS, PathChart, TreeDrawing


def summary(scores, *, sizes=None, p_values=None, chance=None, direction="forward", alpha=0.05):
    """As much of a summary as a chart needs."""
    n = len(scores)
    steps = zip(sizes or range(1, n + 1), scores, p_values or [None] * n, chance or [None] * n, strict=True)
    path = [
        {"size": size, "moved": [f"f{size}"], "score": score, "p_value": p, "null_quantiles": q}
        for size, score, p, q in steps
    ]
    return {
        "path": path,
        "features": [],
        "search": {"direction": direction, "start": []},
        "asked": {"parameters": {"alpha": alpha}},
    }


def chart(scores, **how):
    return PathChart(summary(scores, **how), 960, 300)


def inside(drawn):
    """Whether all that is drawn is on the paper."""
    x = [*drawn.x, *(tick.at for tick in drawn.x_ticks)]
    y = [*(y for y in drawn.y if y is not None), *(tick.at for tick in drawn.y_ticks)]
    return all(drawn.left <= v <= drawn.right for v in x) and all(drawn.top <= v <= drawn.bottom for v in y)


def is_rising(values):
    return all(a < b for a, b in pairwise(values))


# The path


def test_larger_subsets_are_to_the_right_and_better_ones_above():
    drawn = chart([0.1, 0.4, 0.2, 0.9])
    assert is_rising(drawn.x)
    assert sorted(range(4), key=lambda i: -drawn.y[i]) == [0, 2, 1, 3]
    steps = [b - a for a, b in pairwise(drawn.x)]
    assert max(steps) - min(steps) <= 0.2
    assert drawn.points == [0, 1, 2, 3]
    assert inside(drawn)


def test_heights_are_in_proportion():
    drawn = chart([0.0, 1.0, 4.0])
    assert (drawn.y[0] - drawn.y[1]) * 4 == pytest.approx(drawn.y[0] - drawn.y[2], abs=0.5)


def test_a_path_that_shrinks_is_drawn_from_the_smallest_on():
    given = {"sizes": [3, 2, 1], "p_values": [0.9, 0.04, 0.001]}
    down, up = chart([0.9, 0.5, 0.3], direction="backward", **given), chart([0.3, 0.5, 0.9])
    assert (down.x, down.y, down.line) == (up.x, up.y, up.line)
    assert [better for _, _, better in down.p_points] == [True, True, False]


def test_ticks_are_where_the_values_are():
    drawn = chart([0.0, 1.0, 4.0])
    at = {tick.text: tick.at for tick in drawn.y_ticks}
    assert (at["0"], at["4"]) == (drawn.y[0], drawn.y[2])
    at = {tick.text: tick.at for tick in drawn.x_ticks}
    assert [at[text] for text in "123"] == drawn.x


@pytest.mark.parametrize("n", [MOST_ON_LINEAR_AXIS, MOST_ON_LINEAR_AXIS + 1, 300, 20_000])
def test_many_sizes_are_on_a_logarithmic_scale(n):
    drawn = chart([1.0] * n)
    assert drawn.x_ticks[0].text == "1"
    first, later = drawn.x[1] - drawn.x[0], drawn.x[-1] - drawn.x[-2]
    assert (first > 5 * later) == (n > MOST_ON_LINEAR_AXIS)
    if n > MOST_ON_LINEAR_AXIS:
        widths = [drawn.x[2 * k - 1] - drawn.x[k - 1] for k in (1, 5, 20)]
        assert max(widths) - min(widths) <= 0.3  # as far from k to 2 k, whatever k
    assert len(drawn.x_ticks) <= 20
    assert inside(drawn)


def test_the_line_joins_the_known_scores():
    drawn = chart([0.1, None, 0.3, 0.4, None])
    assert drawn.y[1] is drawn.y[4] is None
    assert re.findall("[ML]", drawn.line) == ["M", "L", "L"]
    assert drawn.line.split(" L") == [f"{'M' * (i == 0)}{drawn.x[i]:g},{drawn.y[i]:g}" for i in (0, 2, 3)]
    empty = chart([None, None])
    assert (empty.line, empty.y) == ("", [None, None])
    assert inside(empty)


def test_what_chance_gives_is_a_band_with_gaps():
    drawn = chart([1.0] * 5, chance=[[0.1, 0.2, 0.3], [0.2, 0.3, 0.4], None, [0, 0.1, 0.2], None])
    corners = [[tuple(map(float, corner.split(","))) for corner in band.split()] for band in drawn.bands]
    assert [len(band) for band in corners] == [4, 4]
    assert [x for x, _ in corners[0]] == [drawn.x[0], drawn.x[1], drawn.x[1], drawn.x[0]]
    assert corners[0][0][1] > corners[0][3][1]  # 5 % is below 95 %
    assert corners[1][0][0] < drawn.x[3] < corners[1][1][0]  # alone, it has a width all the same
    assert re.findall("[ML]", drawn.median) == ["M", "L", "M"]


def test_p_values_are_below_the_curve_the_smallest_on_top():
    drawn = chart([1.0] * 4, p_values=[1e-9, 0.001, 0.05, 1.0])
    plain = chart([1.0] * 4)
    assert (plain.p_points, plain.alpha, plain.foot) == ([], None, plain.bottom)
    heights = [y for _, y, _ in drawn.p_points]
    assert drawn.bottom < heights[0] == heights[1] < heights[2] == drawn.alpha.at < heights[3] == drawn.foot
    assert [better for _, _, better in drawn.p_points] == [True, True, True, False]
    assert heights[2] == pytest.approx(drawn.foot + math.log10(0.05) / 3 * (drawn.foot - heights[0]), abs=0.1)


UGLY = {
    "one": [0.7],
    "zero": [0.0],
    "equal": [0.3, 0.3, 0.3],
    "huge": [-1e300, 1e300, 0.0],
    "tiny": [1e-300, 3e-300, 2e-300],
    "least": [5e-324, 5e-324],
    "negative": [-5.0, -2.0, -9.0],
    "far from zero": [1e6 + 0.001, 1e6 + 0.002, 1e6 + 0.003],
    "one in the last digit": [1.0, 1.0 + 2**-52],
    "none": [None, None, None],
}


@pytest.mark.parametrize("kind", UGLY)
def test_ugly_scores(kind):
    drawn = chart(UGLY[kind])
    assert inside(drawn)
    assert "nan" not in drawn.line
    assert "inf" not in drawn.line
    texts = [tick.text for tick in drawn.y_ticks]
    assert len(set(texts)) == len(texts) <= 12
    known = [(score, y) for score, y in zip(UGLY[kind], drawn.y, strict=True) if score is not None]
    assert all((a < b) <= (y > z) or y == z for a, y in known for b, z in known)
    assert drawn.x[0] == (drawn.left + drawn.right) / 2 or len(drawn.x) > 1


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
