"""Places on paper are where the numbers say."""

from itertools import pairwise

import pytest
from report_cases import summary_of

from tamis.views.charting import MOST_ON_LINEAR_AXIS, Chart, criterion_chart, error_chart

JUDGED = ["backward", "copies", "copied_groups", "nothing", "too_many_features", "one_feature", "hierarchy"]


def chart(values, sizes=None, **how):
    return Chart(sizes or list(range(1, len(values) + 1)), values, 960, 300, **how)


def heights(drawn):
    return [y for _, _, y in drawn.points]


def corners(band):
    return [tuple(map(float, corner.split(","))) for corner in band.split()]


def inside(drawn):
    """Whether all that is drawn is on the paper."""
    places = [*drawn.dots, *((x, y) for _, x, y in drawn.points), *corners(drawn.band)]
    x = [*drawn.x, *(tick.at for tick in drawn.x_ticks), *(x for x, _ in places)]
    y = [*(tick.at for tick in drawn.y_ticks), *(y for _, y in places), *([drawn.level.at] if drawn.level else [])]
    return all(drawn.left <= v <= drawn.right for v in x) and all(drawn.top <= v <= drawn.bottom for v in y)


def is_rising(values):
    return all(a < b for a, b in pairwise(values))


def test_larger_subsets_are_to_the_right_and_larger_values_above():
    drawn = chart([0.1, 0.4, 0.2, 0.9])
    assert is_rising(drawn.x)
    assert sorted(range(4), key=lambda i: -heights(drawn)[i]) == [0, 2, 1, 3]
    steps = [b - a for a, b in pairwise(drawn.x)]
    assert max(steps) - min(steps) <= 0.2
    assert [size for size, _, _ in drawn.points] == [1, 2, 3, 4]
    assert drawn.dots == [(x, y) for _, x, y in drawn.points]
    assert (drawn.band, drawn.level) == ("", None)
    assert inside(drawn)


def test_heights_are_in_proportion():
    y = heights(chart([0.0, 1.0, 4.0]))
    assert (y[0] - y[1]) * 4 == pytest.approx(y[0] - y[2], abs=0.5)


def test_ticks_are_where_the_values_are():
    drawn = chart([0.0, 1.0, 4.0])
    at = {tick.text: tick.at for tick in drawn.y_ticks}
    assert (at["0"], at["4"]) == (heights(drawn)[0], heights(drawn)[2])
    at = {tick.text: tick.at for tick in drawn.x_ticks}
    assert [at[text] for text in "123"] == drawn.x
    at = {tick.text: tick.at for tick in chart([0.0, 0.4], in_percent=True).y_ticks}
    assert (at["0 %"], at["40 %"]) == tuple(heights(chart([0.0, 0.4])))


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


def test_the_line_joins_the_known_values():
    drawn = chart([0.1, None, 0.3, 0.4, None])
    assert [size for size, _, _ in drawn.points] == [1, 3, 4]
    assert drawn.line.split(" L") == [f"{'M' * (i == 0)}{x:g},{y:g}" for i, (_, x, y) in enumerate(drawn.points)]
    assert drawn.dots[1] == (drawn.x[1], drawn.bottom)
    empty = chart([None, None])
    assert (empty.line, empty.points) == ("", [])
    assert inside(empty)


def test_intervals_are_a_band_and_one_alone_has_a_width():
    drawn = chart([0.2, 0.1], intervals=[(0.1, 0.4), (0.05, 0.15)])
    band = corners(drawn.band)
    assert [x for x, _ in band] == [*drawn.x, *drawn.x[::-1]]
    plain = dict(zip((0.05, 0.1, 0.15, 0.4), heights(chart([0.05, 0.1, 0.15, 0.4])), strict=True))
    assert [y for _, y in band] == [plain[v] for v in (0.1, 0.05, 0.15, 0.4)]
    assert inside(drawn)
    alone = chart([0.2], intervals=[(0.1, 0.4)])
    assert min(x for x, _ in corners(alone.band)) < alone.x[0] < max(x for x, _ in corners(alone.band))


def test_values_of_some_sizes_only_have_the_dots_of_the_others():
    drawn = chart([0.3, 0.1], sizes=[1, 2, 3, 4], at=[1, 4], dots_at=[1, 1, 4, 4], level=0.5)
    assert [size for size, _, _ in drawn.points] == [1, 4]
    first, last = ((x, y) for _, x, y in drawn.points)
    assert drawn.dots == [first, first, last, last]
    assert (first[0], last[0]) == (drawn.x[0], drawn.x[3])
    assert drawn.level.text == "50 %"
    assert drawn.level.at < first[1] < last[1]


@pytest.mark.parametrize("case", JUDGED)
def test_errors_are_drawn_at_the_sizes_that_were_judged(case):
    summary = summary_of(case)
    evidence, drawn = summary["evidence"], error_chart(summary, 960, 300)
    judged = evidence["sizes"]
    assert [size for size, _, _ in drawn.points] == [at["size"] for at in judged]
    values = [v for at in judged for v in (at["error"], *at["error_interval"])] + [evidence["error_of_nothing"]]
    band = corners(drawn.band)
    n = len(band) // 2
    low, high = [y for _, y in band[:n]], [y for _, y in band[n:]][::-1]
    if n == len(judged):
        places = [y for i in range(n) for y in (heights(drawn)[i], low[i], high[i])] + [drawn.level.at]
        scale = (max(places) - min(places)) / (max(values) - min(values))
        for value, y in zip(values, places, strict=True):
            assert max(places) - y == pytest.approx(scale * (value - min(values)), abs=0.2)
    sizes = sorted(step["size"] for step in summary["path"])
    assert len(drawn.dots) == len(drawn.x) == len(sizes)
    place_of = {size: (x, y) for size, x, y in drawn.points}
    for size, dot in zip(sizes, drawn.dots, strict=True):
        far = min(abs(size - other) for other in place_of)
        assert dot in [place for other, place in place_of.items() if abs(size - other) == far]
    assert inside(drawn)


@pytest.mark.parametrize("case", ["backward", "forward", "ranking", "hierarchy", "crowd", "groups"])
def test_the_criterion_is_drawn_at_every_size_that_has_one(case):
    summary = summary_of(case)
    drawn = criterion_chart(summary, 960, 300)
    sizes = sorted(step["size"] for step in summary["path"])
    assert {size for size, _, _ in drawn.points} <= set(sizes)
    assert len(drawn.x) == len(sizes)
    assert is_rising(drawn.x)
    if case in ("backward", "forward"):
        score_of = {step["size"]: step["score"] for step in summary["path"] if step["score"] is not None}
        assert sorted(score_of) == [size for size, _, _ in drawn.points]
        best = min(drawn.points, key=lambda point: point[2])[0]
        assert score_of[best] == pytest.approx(max(score_of.values()), abs=0.01)


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
    known = list(zip([score for score in UGLY[kind] if score is not None], heights(drawn), strict=True))
    assert all((a < b) <= (y > z) or y == z for a, y in known for b, z in known)
    assert drawn.x[0] == (drawn.left + drawn.right) / 2 or len(drawn.x) > 1
