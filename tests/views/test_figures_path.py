"""Displays of the path and of the roles: errors with their band, or the criterion; needed features and replacements."""

import matplotlib
import numpy as np
import pytest
from report_cases import summary_of

from tamis.views._words import counted, percent, points, roles_of
from tamis.views.figures import PathDisplay, RolesDisplay

matplotlib.use("Agg")
import matplotlib.pyplot as plt

JUDGED = ["backward", "forward", "ranking", "hierarchy", "copies", "nothing", "too_many_features", "one_feature"]


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def texts(display):
    display.figure_.canvas.draw()
    return [text.get_text() for text in display.ax_.findobj(matplotlib.text.Text) if text.get_text()]


def path_of(values, **changes):
    data = {"sizes": range(len(values), 0, -1), "values": values, "n_selected": 1, "ylabel": "score"}
    return PathDisplay(**data | changes)


@pytest.mark.parametrize("case", JUDGED)
def test_errors_with_their_band_and_the_error_without_any_feature(case):
    summary = summary_of(case)
    evidence, display = summary["evidence"], PathDisplay.from_summary(summary)
    x, y = display.line_.get_data()
    judged = evidence["sizes"]
    assert x.tolist() == [at["size"] for at in judged]
    assert y.tolist() == [at["error"] for at in judged]
    if len(judged) > 1:
        corners = {tuple(corner) for corner in display.band_.get_paths()[0].vertices.tolist()}
        assert {(at["size"], end) for at in judged for end in at["error_interval"]} <= corners
    assert display.level_.get_ydata()[0] == evidence["error_of_nothing"]
    assert display.chosen_.get_xdata()[0] == summary["search"]["n_selected"]
    said = texts(display)
    without = f"without any feature, {percent(evidence['error_of_nothing'])}"
    selected = f"{counted(summary['search']['n_selected'], 'feature')} selected"
    assert {"balanced error on rows left out", "number of features", "95 % interval", without, selected} <= set(said)


def test_without_evidence_it_is_the_criterion():
    summary = summary_of("crowd")
    display = PathDisplay.from_summary(summary)
    scores = {step["size"]: step["score"] for step in summary["path"] if step["score"] is not None}
    assert dict(zip(*map(np.ndarray.tolist, display.line_.get_data()), strict=True)) == scores
    assert display.ax_.get_ylabel() == "mutual information"
    assert display.band_ is display.level_ is None
    assert display.ax_.get_legend() is None


def test_in_a_blanket_it_is_the_score_of_the_feature_next_to_leave():
    summary = summary_of("vectors")
    display = PathDisplay.from_summary(summary)
    assert display.values[:-1] == [step["score"] for step in summary["path"][1:]]
    (left,) = (f for f in summary["features"] if f["from_size"] == 1)
    assert display.values[-1] == left["score"]
    assert "adds to its conditioning features" in display.ax_.get_ylabel()


def test_in_a_ranking_it_is_the_feature_that_joins():
    display = PathDisplay.from_summary(summary_of("unlabelled"))
    assert display.ax_.get_ylabel() == "score of the feature that joins"


def test_what_is_not_known_is_not_drawn():
    display = path_of([0.5, None, 0.4, 0.3, 0.1])
    assert display.plot().line_.get_ydata().tolist() == [0.1, 0.3, 0.4, 0.5]  # the line joins the known ones
    texts(display)
    texts(path_of([None, None]).plot())


@pytest.mark.parametrize("n", [1, 2, 40, 41, 300, 20_000])
def test_sizes_are_whole_plain_numbers(n):
    display = path_of(np.linspace(0, 1, n).tolist(), intervals=[[0.0, 0.2]] * n, level=0.5).plot()
    assert display.ax_.get_xscale() == ("log" if n > 40 else "linear")
    texts(display)
    ticks = [tick.get_text().replace(",", "") for tick in display.ax_.get_xticklabels()]
    assert str(1 if n < 3 or n > 40 else 5) in ticks
    assert all(tick.lstrip("\N{MINUS SIGN}").isdigit() for tick in ticks)


def test_many_sizes_of_one_decade():
    display = path_of([0.5] * 50, sizes=range(150, 100, -1), n_selected=120).plot()
    texts(display)
    assert len(display.ax_.get_xticklabels()) > 2


# Roles


@pytest.mark.parametrize("case", ["backward", "ranking", "hierarchy", "copies", "copied_groups"])
def test_needed_features_and_what_can_replace_them(case):
    summary = summary_of(case)
    display = RolesDisplay.from_summary(summary)
    features = {f["name"]: f for f in summary["features"]}
    assert sorted(one["name"] for one in display.needed) == sorted(
        n for n, f in features.items() if f["role"] == "needed"
    )
    frequencies = [one["frequency"] for one in display.needed]
    assert frequencies == sorted(frequencies, reverse=True)
    others = [other for one in display.needed for other in one["instead"]]
    assert sorted(o["name"] for o in others) == sorted(n for n, f in features.items() if f["role"] == "interchangeable")
    for one in display.needed:
        for other in one["instead"]:
            swap = features[other["name"]]["swaps"][0]
            assert swap["cost"] == other["cost"]
            replaced = summary["features"][swap["place"]]
            assert replaced["name"] == one["name"] or replaced["group"] is not None
    rows = [row for one in display.needed for row in (one, *one["instead"])]
    assert [bar.get_width() for bar in display.bars_] == [features[row["name"]]["frequency"] for row in rows]
    said = texts(display)
    assert {one["name"] for one in display.needed} <= set(said)
    for other in others:
        assert f"or  {other['name']}" in said
        assert f"{percent(other['frequency'])}, {points(other['cost'])} points" in said
    assert (roles_of(summary) or "Needed features") in said
    colours = {bar.get_facecolor() for bar, row in zip(display.bars_, rows, strict=True) if "cost" not in row}
    assert len(colours) == 1
    assert not colours & {b.get_facecolor() for b, row in zip(display.bars_, rows, strict=True) if "cost" in row}


def test_nothing_needed_is_said():
    display = RolesDisplay.from_summary(summary_of("nothing"))
    assert texts(display) == ["No feature predicts the target better than knowing nothing"]
    assert display.bars_ is None


def test_the_first_of_many():
    needed = [{"name": f"f{i}", "frequency": 1.0, "instead": []} for i in range(100)]
    display = RolesDisplay(needed=needed).plot(n_rows=7)
    assert len(display.bars_) == 7
    assert "Needed features (the first 7 of 100 features)" in texts(display)
