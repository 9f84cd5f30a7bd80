"""The tree of the classes as it is drawn: where the classes are, and which arcs join them."""

import matplotlib
import numpy as np
import pytest

from tamis import ClassDistance
from tamis.views.figures import ClassTreeDisplay

matplotlib.use("Agg")
import matplotlib.pyplot as plt


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def texts(display):
    display.figure_.canvas.draw()
    return [text.get_text() for text in display.ax_.findobj(matplotlib.text.Text) if text.get_text()]


def nodes_of(distance):
    return [dict(zip(("name", "parent", "length", "class"), node, strict=True)) for node in distance.nodes()]


PATHS = ["mail", "mail/talk", "mail/offer", "sent/friends", "sent/work", "news"]


def test_classes_are_as_far_right_as_they_are_from_the_root():
    nodes = nodes_of(ClassDistance.from_paths(PATHS, weights=[4, 1]))
    display = ClassTreeDisplay(nodes=nodes).plot()
    x, y = display.ax_.lines[0].get_data()
    names = {
        tick: label.get_text()
        for tick, label in zip(display.ax_.get_yticks(), display.ax_.get_yticklabels(), strict=True)
    }
    assert dict(zip((names[row] for row in y), x, strict=True)) == dict(zip(PATHS, [4, 5, 5, 5, 5, 4], strict=True))
    assert sorted(y) == list(range(6))
    assert len(display.lines_.get_segments()) == len(nodes) - 1
    assert "sent" in texts(display)
    assert display.arcs_ == []
    assert display.ax_.get_title(loc="left") == ""


def test_arcs_join_the_confused_and_are_wider_the_costlier():
    confusions = [
        {"true": PATHS[a], "recorded": PATHS[b], "cost": c} for a, b, c in [(1, 2, 0.9), (2, 1, 0.3), (5, 0, 0.1)]
    ]
    display = ClassTreeDisplay(nodes=nodes_of(ClassDistance.from_paths(PATHS)), confusions=confusions).plot()
    widths = [arc.get_linewidth() for arc in display.arcs_]
    assert widths == sorted(widths, reverse=True)
    assert len(set(widths)) == 3
    rows = {
        label.get_text(): tick
        for tick, label in zip(display.ax_.get_yticks(), display.ax_.get_yticklabels(), strict=True)
    }
    for arc, c in zip(display.arcs_, confusions, strict=True):
        assert arc.get_path().vertices[[0, -1], 1].tolist() == [rows[c["true"]], rows[c["recorded"]]]
    assert any("true class -> recorded as" in text for text in texts(display))
    names = max(label.get_window_extent().x1 for label in display.ax_.get_yticklabels())
    assert min(arc.get_window_extent().x0 for arc in display.arcs_) > names


def test_distances_that_no_tree_has_are_told():
    nodes = nodes_of(ClassDistance.from_vectors(np.random.default_rng(0).normal(size=(9, 3))))
    assert any("near to the distances" in text for text in texts(ClassTreeDisplay(nodes=nodes, is_tree=False).plot()))


@pytest.mark.parametrize("shape", ["bushy", "chain", "star"])
def test_two_thousand_classes_fit_on_a_page(shape):
    parent = {"bushy": lambda i: (i - 1) // 3, "chain": lambda i: i - 1, "star": lambda i: 0}[shape]
    nodes = nodes_of(ClassDistance.from_tree([(parent(i), i, 1.0) for i in range(1, 2000)]))
    confusions = [{"true": i, "recorded": 1999 - i, "cost": 1 / (i + 1)} for i in range(50)]
    display = ClassTreeDisplay(nodes=nodes, confusions=confusions).plot()
    display.figure_.set_dpi(40)
    said = texts(display)
    assert display.figure_.get_size_inches()[1] <= 40
    assert "1999" in said
    assert len(display.arcs_) == 15
