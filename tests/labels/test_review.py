"""Tables for people who go through the labels."""

import numpy as np
import pytest
from noise_models import model, separated
from scipy.stats import beta
from sklearn.linear_model import LogisticRegression

from tamis.datasets import flip_by_transition, flip_uniform
from tamis.labels._review import confusions_table, relabelled_table

CLASSES = np.array(["ant", "bee", "cat"])


def test_what_to_do_with_each_row():
    """Recorded as ant: sure, sure of another, in doubt between the other two, in doubt."""
    memberships = np.array([[0.99, 0.01, 0.0], [0.01, 0.98, 0.01], [0.02, 0.49, 0.49], [0.6, 0.4, 0.0]])
    table = relabelled_table(CLASSES, np.zeros(4, dtype=int), memberships, 0.95)
    assert table["action"].tolist() == ["keep", "correct", "look at", "look at"]
    assert table["likely"].tolist() == ["ant", "bee", "bee", "ant"]
    np.testing.assert_allclose(table["p_wrong"], [0.01, 0.99, 0.98, 0.4])
    np.testing.assert_allclose(table["p_likely"], [0.99, 0.98, 0.49, 0.6])
    assert relabelled_table(CLASSES, np.zeros(4, dtype=int), memberships, 0.0)["action"].tolist() == [
        "keep",
        "correct",
        "look at",
        "keep",
    ]


@pytest.mark.parametrize("confidence", [0.8, 0.9, 0.95, 0.99])
def test_groups_are_as_right_as_asked_and_as_large_as_that_allows(confidence):
    rng = np.random.default_rng(0)
    memberships, codes = rng.dirichlet([0.1, 0.1, 0.1], 500), rng.integers(0, 3, 500)
    table = relabelled_table(CLASSES, codes, memberships, confidence)
    kept, corrected = (table[table["action"] == what] for what in ("keep", "correct"))
    assert 1 - kept["p_wrong"].mean() >= confidence - 1e-9
    assert corrected["p_likely"].mean() >= confidence - 1e-9
    assert (kept["likely"] == kept["label"]).all()
    assert (corrected["likely"] != corrected["label"]).all()
    rest = table[(table["action"] == "look at") & (table["likely"] != table["label"]) & (table["p_likely"] > 0.5)]
    if len(rest):
        more = [*corrected["p_likely"], rest["p_likely"].max()]
        assert np.mean(more) < confidence


def test_a_tie_with_the_recorded_class_is_no_correction():
    table = relabelled_table(CLASSES, np.array([1]), np.array([[0.5, 0.5, 0.0]]), 0.95)
    assert table["likely"].tolist() == ["bee"]


def test_confusions_add_up_and_have_intervals():
    memberships = np.array([[1.0, 0, 0], [0.25, 0.75, 0], [0, 1.0, 0], [0, 0, 1.0]])
    table = confusions_table(CLASSES, np.array([0, 0, 1, 2]), memberships)
    assert table[["true", "recorded"]].to_numpy().tolist() == [["bee", "ant"]]
    row = table.iloc[0]
    assert (row["rows"], row["rate"]) == (0.75, 0.75 / 1.75)
    np.testing.assert_allclose([row["low"], row["high"]], [beta.ppf(0.025, 0.75, 2), beta.ppf(0.975, 1.75, 1)])


def test_of_a_fitted_model():
    X, codes = separated(1, n=600)
    spoiled, changed = flip_uniform(codes, 0.2, random_state=1)
    fitted = model("default").fit(X, spoiled)
    table = fitted.relabelled()
    assert table["row"].tolist() == list(range(600))
    corrected = table[table["action"] == "correct"]
    assert len(corrected) > 100
    assert (corrected["likely"] == codes[corrected["row"]]).mean() >= 0.95
    weight = fitted.sample_weight()
    np.testing.assert_allclose(1 - weight, table["p_wrong"])
    np.testing.assert_allclose((1 - weight).mean(), fitted.noise_rate_, atol=1e-6)
    assert fitted.expected_mistakes(600) == pytest.approx(600 * fitted.noise_rate_, abs=1e-3)
    assert fitted.expected_mistakes(0) == 0
    top = fitted.suspects(100)
    assert fitted.expected_mistakes(100) == pytest.approx(top["p_wrong"].sum())
    assert fitted.expected_mistakes(100) == pytest.approx(np.isin(top["row"], changed).sum(), abs=5)


def test_weights_train_a_better_classifier():
    X, codes = separated(2, n=900)
    wrong = np.array([[0.6, 0.4, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    spoiled = flip_by_transition(codes, wrong, random_state=0).y
    weight = model("default").fit(X, spoiled).sample_weight()
    p_first = [
        LogisticRegression().fit(X, spoiled, sample_weight=w).predict_proba(X)[codes == 0, 0].mean()
        for w in (None, weight)
    ]
    assert p_first[0] < 0.7
    assert p_first[1] > 0.95
