"""The code of a report, run with the data at hand, finds the same again."""

import numpy as np
import pandas as pd
import pytest
import report_cases
from report_cases import APART, CASES, gappy, summary_of, wines
from samples import gaussians
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from tamis import (
    BayesRisk,
    BlanketSelector,
    ChiSquare,
    ClassDistance,
    Criterion,
    CrowdLabels,
    MutualInformation,
    NoisyLabels,
    RankingSelector,
    SequentialSelector,
    WeightedLaplacian,
)
from tamis.views import summarise, summarise_audit
from tamis.views.code import python_code


def code_of(summary):
    return "".join(python_code(summary))


def again(code, **names):
    """What there is after the code was run, with these names at hand."""
    exec(compile(code, "report", "exec"), names)
    return names


@pytest.mark.parametrize("kind", [*CASES, *APART])
def test_it_can_be_compiled_and_ends_with_the_size(kind):
    summary = summary_of(kind)
    before, size, after = python_code(summary)
    compile(before + size + after, kind, "exec")
    if "search" in summary:
        assert int(size) == summary["search"]["n_selected"]
        assert before.endswith("path_.subset(")


@pytest.fixture
def given(monkeypatch):
    """Runs a case, and gives what its selector or its last label model was fitted on."""
    seen = []

    def note(fitted, *args, **how):
        seen.append((fitted.n_features_in_, fitted))
        return summarise(fitted, *args, **how)

    monkeypatch.setattr(report_cases, "summarise", note)
    return seen


@pytest.mark.parametrize(
    "kind", ["backward", "forward", "each_step", "vectors", "groups", "one_feature", "single_step", "as_it_is"]
)
def test_the_same_features_are_found_again(given, kind, capsys):
    X, y, rows = gappy() if kind in APART else (*wines(), {})
    summary = (CASES | APART)[kind]()
    n_features, selector = given[0]
    X = X[["proline"]] if kind == "one_feature" else X.iloc[:, :n_features]
    found = again(code_of(summary), X=X, y=y, **rows)["selector"]
    assert (found.support_ == selector.support_).all()
    assert found.path_.order.tolist() == selector.path_.order.tolist()
    np.testing.assert_allclose(found.path_.scores, selector.path_.scores, atol=1e-9)
    assert capsys.readouterr().out == f"{np.flatnonzero(selector.support_)}\n"


X, CODES = gaussians(120, 5, 3, informative=2)


class Spread(Criterion):
    """How far apart the means of the columns of the first class are."""

    def __init__(self, weight=1.0):
        self.weight = weight

    def score(self, X, memberships):
        return float(self.weight * np.ptp(X[memberships[:, 0] > 0.5].mean(axis=0)) + X.shape[1])


Spread.__module__ = "__main__"
FEW = {"n_features_to_select": 2, "random_state": 0}
OBJECTS = {
    "classifier": SequentialSelector(labels=NoisyLabels(LogisticRegression(C=0.5), random_state=0), **FEW),
    "criterion": SequentialSelector(MutualInformation(4), direction="forward", **FEW),
    "risk": SequentialSelector(BayesRisk(), **FEW),
    "chi2": RankingSelector(ChiSquare("mdl"), **FEW),
    "graph": RankingSelector(WeightedLaplacian(), alpha=0.1, **FEW),
    "groups": SequentialSelector(feature_groups=[[0, 4], [1], [2, 3]], required_features=np.array([1]), **FEW),
    "array": BlanketSelector(
        class_distance=np.array([[0, 1, 2], [1, 0, 3], [2, 3, 0]]), n_conditioning=3, n_bins=10, **FEW
    ),
    "frame": BlanketSelector(
        class_distance=pd.DataFrame([[0, 1, 2.5], [1, 0, 2], [2.5, 2, 0]]), n_conditioning=3, n_bins=10, **FEW
    ),
    "chain": BlanketSelector(
        class_distance=ClassDistance.from_tree([(0, 1, 0.1), (1, 2, 0.7)]), n_conditioning=3, n_bins=10, **FEW
    ),
    "paths": BlanketSelector(
        "kl", class_distance=ClassDistance.from_paths({0: "a/b", 1: "a", 2: "c"}), n_conditioning=3, n_bins=10, **FEW
    ),
    "pipeline": SequentialSelector(
        labels=NoisyLabels(make_pipeline(FunctionTransformer(), LogisticRegression())), **FEW
    ),
    "kernel": SequentialSelector(
        labels=NoisyLabels(GaussianProcessClassifier(kernel=RBF(2.0), random_state=0), random_state=0), **FEW
    ),
    "my criterion": SequentialSelector(Spread(2.0), **FEW),
}


@pytest.mark.parametrize("kind", OBJECTS)
def test_objects_are_made_again(kind):
    selector = OBJECTS[kind].fit(X, CODES)
    code = code_of(summarise(selector))
    at_hand = {"Spread": Spread, "RBF": RBF} if kind in ("my criterion", "kernel") else {}
    found = again(code, X=X, y=CODES, **at_hand)["selector"]
    assert (found.support_ == selector.support_).all()
    np.testing.assert_allclose(found.path_.scores, selector.path_.scores, atol=1e-9)


def test_what_no_module_has_is_said_to_be_at_hand():
    code = code_of(summarise(SequentialSelector(Spread(2.0), **FEW).fit(X, CODES)))
    assert "# Spread: as in this run" in code
    assert "__main__" not in code
    assert "criterion=Spread(weight=2.0)" in code


@pytest.mark.parametrize(
    "names", [["red", "node 0", "node 1", "x'y\"\\"], [True, False], [-1, 7, 10**15], [1.0, 2.0]], ids=str
)
def test_classes_of_any_name(names):
    y = np.array(names, dtype=object if isinstance(names[0], str) else None)[np.arange(120) % len(names)]
    chain = list(zip(names, names[1:], range(1, len(names)), strict=False))
    for distance in (ClassDistance.from_tree(chain), ClassDistance.zero_one(names)):
        selector = BlanketSelector(class_distance=distance, n_conditioning=3, n_bins=10, **FEW).fit(X, y)
        found = again(code_of(summarise(selector)), X=X, y=y)
        assert found["selector"].class_distance_.matrix == pytest.approx(selector.class_distance_.matrix)
        assert (found["selector"].support_ == selector.support_).all()


def test_distances_that_no_tree_has():
    vectors = ClassDistance.from_vectors([[0, 0], [3, 0], [0, 4], [3, 4]], classes=range(4))
    y = np.arange(120) % 4
    selector = BlanketSelector(class_distance=vectors, n_conditioning=3, n_bins=10, **FEW).fit(X, y)
    found = again(code_of(summarise(selector)), X=X, y=y)
    assert (found["distance"].matrix == vectors.matrix).all()
    assert (found["selector"].support_ == selector.support_).all()


def test_too_many_distances_are_not_written():
    table, y = np.vstack([X, X]), np.arange(240) % 102
    points = np.random.default_rng(0).normal(size=(102, 5))
    distance = ClassDistance.from_vectors(points, classes=range(102))
    code = code_of(
        summarise(
            BlanketSelector(class_distance=distance, correction=None, n_conditioning=3, n_bins=10, **FEW).fit(table, y)
        )
    )
    compile(code, "report", "exec")
    assert "distance = ...  # the distances of this run: too many to be written here" in code


@pytest.mark.parametrize("state", [None, np.random.RandomState(0)], ids=["none", "generator"])
def test_chance_that_was_left_open_is_said(state):
    selector = SequentialSelector(n_features_to_select=2, random_state=state).fit(X, CODES)
    code = code_of(summarise(selector))
    assert "# random_state was left open" in code
    assert "0x" not in code
    assert (again(code, X=X, y=CODES)["selector"].support_ == selector.support_).all()
    fixed = SequentialSelector(n_features_to_select=2, random_state=0).fit(X, CODES)
    assert "left open" not in code_of(summarise(fixed))


def test_names_of_columns_and_arrays():
    table = pd.DataFrame(X, columns=["a", "b'", "c", "d", "e"])
    how = {"required_features": table.columns[1:2], "feature_groups": pd.Series([0, 1, 2, 2, 3])}
    selector = SequentialSelector(n_features_to_select=3, random_state=0, **how).fit(table, CODES)
    code = code_of(summarise(selector))
    assert 'required_features=["b\'"]' in code
    assert (again(code, X=table, y=CODES)["selector"].support_ == selector.support_).all()


def test_audits(capsys):
    model = NoisyLabels(LogisticRegression(), transition="full", random_state=0).fit(X, CODES)
    found = again(code_of(summarise_audit(model)), X=X, y=CODES)["model"]
    pd.testing.assert_frame_equal(found.suspects(), model.suspects())
    own = NoisyLabels("precomputed", random_state=0).fit(P := np.eye(len(set(CODES)))[CODES], CODES)
    code = code_of(summarise_audit(own))
    assert "# P and y: the probabilities and the labels of this run" in code
    pd.testing.assert_frame_equal(again(code, P=P, y=CODES)["model"].suspects(), own.suspects())
    answers = np.array([["a", "b", "a"], ["b", "b", None], ["a", "a", "a"]], dtype=object)
    crowd = CrowdLabels(smoothing=0.5).fit(None, answers)
    found = again(code_of(summarise_audit(crowd)), y=answers)["model"]
    pd.testing.assert_frame_equal(found.annotators(), crowd.annotators())
    assert "reliability" in capsys.readouterr().out
