"""Displays draw what the summary says, whatever the names are, on any axes."""

import json
import subprocess
import sys

import matplotlib
import numpy as np
import pytest
from report_cases import summary_of
from sklearn.datasets import load_wine
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import SelectKBest
from sklearn.naive_bayes import GaussianNB

from tamis import (
    BlanketSelector,
    ClassDistance,
    CrowdLabels,
    HardLabels,
    NoisyLabels,
    RankingSelector,
    SequentialSelector,
)
from tamis.datasets import flip_uniform
from tamis.views import summarise, summarise_audit
from tamis.views.figures import ClassTreeDisplay, NoiseDisplay, PathDisplay, RolesDisplay, SuspectsDisplay

matplotlib.use("Agg")
import matplotlib.pyplot as plt

HOSTILE = ["$x^2$", "$\\broken{$", "a\nb\tc", "\x00\x1b[31m", "x" * 10_000, "\n" * 10_000, "", "_^{}", 3, "<b>"]
DISPLAYS = [PathDisplay, RolesDisplay, NoiseDisplay, SuspectsDisplay, ClassTreeDisplay]


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def wine():
    X, y = load_wine(return_X_y=True, as_frame=True)
    y = np.array(["Barolo", "Grignolino", "Barbera"])[y]
    return X, flip_uniform(y, 0.2, random_state=0).y


@pytest.fixture(scope="module")
def blanket(wine):
    """A selector that every display can be made of."""
    paths = {"Barolo": "nebbiolo/Barolo", "Grignolino": "others/Grignolino", "Barbera": "others/Barbera"}
    how = {"judge": GaussianNB(), "cv": 2, "n_repeats": 2, "random_state": 0}
    return BlanketSelector(
        labels="noisy", class_distance=ClassDistance.from_paths(paths), n_conditioning=3, n_bins=10, **how
    ).fit(*wine)


@pytest.fixture(scope="module")
def crowd(wine):
    answers = [flip_uniform(wine[1], e, random_state=a).y for a, e in enumerate((0.1, 0.6, 0.3))]
    return CrowdLabels().fit(None, np.column_stack(answers))


def texts(display):
    display.figure_.canvas.draw()
    return [text.get_text() for text in display.ax_.findobj(matplotlib.text.Text) if text.get_text()]


def path_of(scores, **changes):
    data = {"sizes": range(len(scores), 0, -1), "values": scores, "n_selected": 1, "ylabel": "score"}
    return PathDisplay(**data | changes)


def nodes_of(distance):
    return [dict(zip(("name", "parent", "length", "class"), node, strict=True)) for node in distance.nodes()]


@pytest.mark.parametrize("display", DISPLAYS)
def test_an_estimator_its_summary_and_a_file_are_drawn_alike(display, blanket):
    summary = json.loads(json.dumps(summarise(blanket)))
    drawn = [display.from_estimator(blanket), display.from_summary(summary)]
    assert texts(drawn[0]) == texts(drawn[1])
    data = [{k: v for k, v in vars(d).items() if not k.endswith("_")} for d in drawn]
    assert data[0] == data[1]
    again = display(**data[0]).plot()
    assert texts(again) == texts(drawn[0])
    assert again.figure_ is again.ax_.figure


@pytest.mark.parametrize("display", DISPLAYS)
def test_axes_given_are_drawn_on_and_nothing_else(display, blanket):
    figure, (one, other) = plt.subplots(1, 2, figsize=(5, 4))
    drawn = display.from_estimator(blanket, ax=other)
    assert drawn.ax_ is other
    assert drawn.plot(other) is drawn
    assert not one.has_data()
    assert plt.get_fignums() == [figure.number]
    assert figure.get_size_inches().tolist() == [5, 4]


def test_a_matrix_of_wrong_shares_only(wine):
    model = NoisyLabels(transition="full", random_state=0).fit(wine[0].to_numpy(), wine[1])
    display = NoiseDisplay.from_estimator(model)
    shares = display.im_.get_array()
    assert shares.mask.tolist() == np.eye(3, dtype=bool).tolist()
    np.testing.assert_array_equal(shares.filled(0), np.where(np.eye(3), 0, model.transition_))
    assert display.im_.get_clim()[1] == shares.max()
    wrong = [label.get_text() for label in display.ax_.get_yticklabels()]
    assert [text.split(" (")[0] for text in wrong] == model.classes_.tolist()
    assert wrong[0].endswith(f"({100 * model.noise_rates_[0]:.0f} % wrong)")
    assert len(display.ax_.texts) == 9
    assert {display.ax_.get_xlabel(), display.ax_.get_ylabel()} == {"recorded as", "true class"}


def noise(n, **changes):
    T = np.full((n, n), 0.1 / (n - 1))
    np.fill_diagonal(T, 0.9)
    pairs = [{"true": f"c{i}", "recorded": f"c{i + 1}", "rate": 0.1, "rows": n - i} for i in range(n - 1)]
    data = {"classes": [f"c{i}" for i in range(n)], "rates": [0.1] * n, "transition": T.tolist(), "confusions": pairs}
    return NoiseDisplay(**data | changes)


def test_many_classes_have_no_numbers_and_more_of_them_bars():
    assert len(noise(12).plot().ax_.texts) == 144
    many = noise(30).plot()
    assert not many.ax_.texts
    assert many.im_ is not None
    for display in (noise(31).plot(), noise(3, transition=None).plot()):
        assert display.im_ is None
        assert [bar.get_width() for bar in display.bars_] == [c["rows"] for c in display.confusions][:30]
        assert "c0 -> c1" in texts(display)
    for confusions in ([], None):
        nothing = noise(31, confusions=confusions).plot()
        assert texts(nothing) == ["No two classes are confused"]
        assert nothing.bars_ is None


def test_intervals_are_written_beside_the_shares():
    pair = {"true": "a", "recorded": "b", "rate": 0.2, "rows": 40}
    display = NoiseDisplay(confusions=[pair | {"low": 0.148, "high": 0.262}, pair | {"low": None, "high": None}, pair])
    assert [text for text in texts(display.plot()) if "%" in text] == ["20 % (15-26 %)", "20 %", "20 %"]


def test_what_is_not_known_is_not_drawn():
    display = NoiseDisplay.from_summary(summary_of("not_known"))
    assert texts(display) == ["Which classes are confused is not known"]


def test_labels_without_mistakes():
    display = noise(3, transition=np.eye(3).tolist(), rates=[0, 0, 0]).plot()
    assert texts(display).count("0") == 6


def test_annotators_the_least_reliable_on_top(crowd):
    display = NoiseDisplay.from_estimator(crowd)
    np.testing.assert_array_equal([bar.get_width() for bar in display.bars_], np.sort(crowd.reliabilities_))
    bottom, top = display.ax_.get_ylim()
    assert bottom > top
    assert display.ax_.get_yticklabels()[0].get_text() == "1"
    many = [{"name": f"a{i}", "answers": 5, "reliability": i / 200} for i in range(200)]
    display = NoiseDisplay(annotators=many).plot()
    assert len(display.bars_) == 30
    assert "The 30 least reliable of 200 annotators" in texts(display)


def test_suspects_are_the_first_rows_of_the_summary(blanket):
    suspects = summarise(blanket)["labels"]["suspects"]
    display = SuspectsDisplay.from_estimator(blanket, n_rows=3)
    assert [bar.get_width() for bar in display.bars_] == [s["p_wrong"] for s in suspects[:3]]
    first = suspects[0]
    said = texts(display)
    assert f"row {first['row']}: {first['recorded']} -> {first['likely']}" in said
    assert f"The 3 most doubtful of {len(suspects)} rows: recorded -> likely" in said
    assert len(SuspectsDisplay.from_summary(summarise(blanket)).bars_) == min(20, len(suspects))


def test_no_suspects_are_said_to_be_none():
    display = SuspectsDisplay(suspects=[]).plot()
    assert texts(display) == ["No label is more likely wrong than right"]
    assert display.bars_ is None


@pytest.mark.parametrize("scale", [1.0, 1e300, 1e-300])
def test_names_are_names_whatever_is_in_them(scale):
    n = len(HOSTILE)
    pairs = [{"true": a, "recorded": b, "rate": 0.1, "rows": 3, "cost": 1} for a in HOSTILE[:4] for b in HOSTILE[4:]]
    distance = ClassDistance(scale * (1 - np.eye(n)), HOSTILE)
    suspects = [{"row": 1, "recorded": p["true"], "likely": p["recorded"], "p_wrong": 0.9} for p in pairs]
    displays = [
        ClassTreeDisplay(nodes=nodes_of(distance), confusions=pairs),
        path_of([scale, -scale], ylabel="$\\broken{$"),
    ]
    others = [
        ClassTreeDisplay(nodes=[node | {"name": "$\\broken{$"} for node in nodes_of(distance)]),
        noise(n, classes=HOSTILE),
        noise(n, transition=None, confusions=pairs),
        NoiseDisplay(annotators=[{"name": name, "answers": 2, "reliability": 0.5} for name in HOSTILE]),
        SuspectsDisplay(suspects=suspects),
        RolesDisplay(needed=[{"name": name, "frequency": 0.5, "instead": []} for name in HOSTILE]),
    ]
    for display in displays + (others if scale == 1 else []):
        said = texts(display.plot())
        assert max(map(len, said)) < 100
        assert not any(sign in text for text in said for sign in "\t\x00\x1b")


def test_matplotlib_is_imported_when_something_is_drawn(monkeypatch):
    code = "import sys, tamis.views.figures; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r"PathDisplay needs matplotlib.*pip install 'tamis\[plots\]'"):
        path_of([1.0]).plot()


def hard(wine):
    return RankingSelector(n_features_to_select=2).fit(*wine)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda w, c: NoiseDisplay.from_estimator(hard(w)),
            "noisy, probabilities or answers of a crowd; got labels of kind 'hard'. Fit",
        ),
        (lambda w, c: NoiseDisplay.from_estimator(HardLabels().fit(*w)), "got labels of kind 'hard'"),
        (lambda w, c: SuspectsDisplay.from_estimator(c), "taken as noisy; got labels of kind 'crowd'"),
        (
            lambda w, c: SuspectsDisplay.from_estimator(RankingSelector("laplacian", n_features_to_select=2).fit(w[0])),
            "got a selection without labels",
        ),
        (
            lambda w, c: ClassTreeDisplay.from_estimator(hard(w)),
            r"got a selection without. Fit BlanketSelector\(class_distance=",
        ),
        (
            lambda w, c: ClassTreeDisplay.from_estimator(
                BlanketSelector(n_features_to_select=2, n_conditioning=3, n_bins=10).fit(*w)
            ),
            "ClassTreeDisplay needs distances between the classes",
        ),
        (
            lambda w, c: PathDisplay.from_estimator(c),
            "needs a fitted selector of tamis; got CrowdLabels. Of a pipeline",
        ),
        (
            lambda w, c: NoiseDisplay.from_estimator(SelectKBest()),
            "a fitted selector or label model of tamis; got SelectK",
        ),
        (
            lambda w, c: PathDisplay.from_summary(summarise_audit(c)),
            "the summary of a selection; got tamis.audit/3. Pass",
        ),
        (lambda w, c: NoiseDisplay.from_summary("selection.json"), "needs a summary that tells about labels; got str"),
        (lambda w, c: SuspectsDisplay.from_summary({}), "got a dictionary without schema"),
        (lambda w, c: SuspectsDisplay(suspects=[]).plot(n_rows=0), "n_rows must be"),
        (
            lambda w, c: RolesDisplay.from_estimator(hard(w)),
            "judged on rows left out; got n_features_to_select=2. Fit with n_features_to_select='auto'",
        ),
        (lambda w, c: RolesDisplay.from_summary(summary_of("too_few_rows")), "got too few rows to leave some out"),
        (lambda w, c: RolesDisplay.from_summary(summarise_audit(c)), "the summary of a selection; got tamis.audit/3"),
        (lambda w, c: RolesDisplay(needed=[]).plot(n_rows=0), "n_rows must be"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_the_way_out(call, message, wine, crowd):
    with pytest.raises(ValueError, match=message):
        call(wine, crowd)
    assert not plt.get_fignums()


@pytest.mark.parametrize("estimator", [SequentialSelector(), NoisyLabels()])
def test_what_is_not_fitted_is_refused(estimator):
    with pytest.raises(NotFittedError):
        NoiseDisplay.from_estimator(estimator)
