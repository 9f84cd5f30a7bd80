"""Rows to ask about next: expected losses by hand, class distances, neighbours, and whether asking pays."""

import numpy as np
import pytest
from noise_models import model, separated
from samples import gaussians

from tamis import ClassDistance, CrowdLabels, NoisyLabels
from tamis.datasets import flip_uniform
from tamis.labels._asking import asking_table, expected_gains, known_or_shares

CLASSES = np.array(["ant", "bee", "cat"])
ZERO_ONE = 1 - np.eye(3)
P = np.array([[0.98, 0.01, 0.01], [0.5, 0.5, 0.0], [0.4, 0.3, 0.3], [0.0, 0.0, 1.0], [0.2, 0.8, 0.0]])


def test_the_gain_is_the_expected_loss():
    np.testing.assert_allclose(expected_gains(P, ZERO_ONE), [0.02, 0.5, 0.6, 0, 0.2])
    table = asking_table(CLASSES, P, expected_gains(P, ZERO_ONE))
    assert table["row"].tolist() == [2, 1, 4, 0, 3]
    assert table["likely"].tolist() == ["ant", "ant", "bee", "ant", "cat"]
    assert table["second"].tolist() == ["bee", "bee", "ant", "bee", "ant"]
    np.testing.assert_allclose(table["p_likely"], [0.4, 0.5, 0.8, 0.98, 1.0])
    np.testing.assert_allclose(table["p_second"], [0.3, 0.5, 0.2, 0.01, 0.0])


def test_costly_mistakes_are_asked_about_first():
    """Ant and bee are near, cat is far: a doubt between the first two costs little."""
    distance = ClassDistance.from_tree([("ant", "bee", 1), ("bee", "cat", 9)], classes=CLASSES)
    memberships = np.array([[0.5, 0.5, 0], [0.0, 0.9, 0.1]])
    np.testing.assert_allclose(expected_gains(memberships, distance.matrix), [0.5, 0.9])
    np.testing.assert_allclose(expected_gains(memberships, ZERO_ONE), [0.5, 0.1])
    # The best decision need not be the most probable class: the middle one may be.
    grades = np.abs(np.subtract.outer([0, 5, 10], [0, 5, 10]))
    np.testing.assert_allclose(expected_gains(np.array([[0.45, 0.1, 0.45]]), grades), 4.5)


def test_every_loss_is_that_of_the_best_decision():
    rng = np.random.default_rng(0)
    memberships = rng.dirichlet(np.ones(4) / 2, 50)
    distance = ClassDistance.from_vectors(rng.normal(size=(4, 3))).matrix
    for row, gain in zip(memberships, expected_gains(memberships, distance), strict=True):
        assert gain == pytest.approx(min(sum(row[s] * distance[s, t] for s in range(4)) for t in range(4)))


def test_neighbours_count_where_the_answer_would_surprise():
    memberships = np.array([[0.6, 0.4], [0.6, 0.4], [0.7, 0.3], [1.0, 0.0]])
    near = np.array([[1, 2], [3, 3], [0, 1], [0, 1]])
    gains = expected_gains(memberships, 1 - np.eye(2), near)
    np.testing.assert_allclose(gains, [0.4 + 0.4 * 0.35, 0.4, 0.3 + 0.3 * 0.4, 0])


def test_rows_of_which_nothing_is_known_have_the_shares_of_the_classes():
    given = np.array([[1.0, 0, 0], [0, 1.0, 0], [0, 0, 0], [0.5, 0, 0.5]])
    np.testing.assert_allclose(known_or_shares(given)[2], [0.5, 1 / 3, 1 / 6])
    np.testing.assert_array_equal(known_or_shares(given)[[0, 1, 3]], given[[0, 1, 3]])
    crowd = [["a", "a"], ["a", "b"], [None, None], ["b", "b"], ["b", "b"]]
    with pytest.warns(UserWarning, match="1 of 5 rows have no answer"):
        table = CrowdLabels("share").fit(None, crowd).ask_next(2)
    assert sorted(table["row"]) == [1, 2]


def test_of_a_fitted_model():
    X, codes = gaussians(400, 4, 3, seed=1)
    recorded = flip_uniform(codes, 0.2, random_state=0).y
    fitted = model("default").fit(X, recorded)
    alone, together = fitted.ask_next(), fitted.ask_next(X=X)
    assert sorted(alone["row"]) == sorted(together["row"]) == list(range(400))
    assert alone["gain"].is_monotonic_decreasing
    assert together["gain"].is_monotonic_decreasing
    assert alone["gain"].sum() == pytest.approx((1 - fitted.memberships_.max(axis=1)).sum())
    more = together.set_index("row")["gain"] - alone.set_index("row")["gain"]
    assert (more >= 0).all()
    np.testing.assert_array_equal(fitted.ask_next(7)["row"], alone["row"][:7])
    assert len(fitted.ask_next(0)) == 0
    named = NoisyLabels(random_state=0).fit(X, CLASSES[recorded]).ask_next(7, class_distance=ZERO_ONE)
    np.testing.assert_array_equal(named["row"], alone["row"][:7])
    assert set(named["likely"]) <= set(CLASSES)


def test_units_of_features_and_of_the_distance_do_not_matter():
    X, codes = gaussians(200, 3, 2, seed=2)
    fitted = model("default").fit(X, flip_uniform(codes, 0.1, random_state=0).y)
    first = fitted.ask_next(X=X)
    other = fitted.ask_next(X=X * [1e6, 1, 1e-9] + 3, class_distance=5 * (1 - np.eye(2)))
    np.testing.assert_array_equal(first["row"][:50], other["row"][:50])
    np.testing.assert_allclose(5 * first["gain"], other["gain"])


def test_asking_by_gain_corrects_more_than_at_random_or_by_suspicion():
    left = {"gain": 0, "with X": 0, "suspects": 0, "random": 0}
    for seed in range(4):
        X, codes = separated(seed)
        X -= 2 * np.eye(3, 4)[codes]  # three standard deviations apart
        fitted = model("default", random_state=seed).fit(X, flip_uniform(codes, 0.2, random_state=seed).y)
        ways = {
            "gain": fitted.ask_next(30)["row"],
            "with X": fitted.ask_next(30, X=X)["row"],
            "suspects": fitted.suspects(30)["row"],
            "random": np.random.default_rng(seed).permutation(300)[:30],
        }
        for name, asked in ways.items():
            corrected = fitted.memberships_.argmax(axis=1)
            corrected[asked] = codes[asked]
            left[name] += (corrected != codes).sum()
    assert left["gain"] < 0.85 * min(left["random"], left["suspects"])
    assert left["with X"] < 0.85 * min(left["random"], left["suspects"])


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (dict(n=-1), "n must be a whole number of at least 0; got -1"),
        (dict(X=np.ones((5, 2))), "inconsistent numbers of samples"),
        (dict(X=np.ones((300, 2)), n_neighbors=0), "n_neighbors must be a whole number of at least 1; got 0"),
        (dict(class_distance=1 - np.eye(2)), "3 x 3"),
    ],
)
def test_bad_input_is_named(asked, message):
    X, codes = separated(1)
    fitted = model("neighbours").fit(X, codes)
    with pytest.raises(ValueError, match=message):
        fitted.ask_next(**asked)
