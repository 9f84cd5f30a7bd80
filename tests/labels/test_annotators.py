"""How annotators confuse classes, how sure that is, and what another answer is worth."""

import numpy as np
import pandas as pd
import pytest
from crowds import CLASSES, crowd, fitted

from tamis import CrowdLabels, answers_of
from tamis._validation import check_answers
from tamis.labels._confusions import ALIKE_PEOPLE, Confusions, Others, _by_skill, average_of, counted, indicators


def test_intervals_hold_the_reliability_as_often_as_they_say():
    inside = []
    for seed in range(8):
        skill = np.random.default_rng(seed + 100).uniform(0.3, 0.95, 15)
        X, _, answers = crowd(300, a_row=3, seed=seed, skill=skill)
        low, high = fitted(X, answers).reliability_intervals_.T
        inside.append((low <= skill) & (skill <= high))
        assert (high - low < 0.5).all()
    assert 0.88 <= np.mean(inside) < 1.0


def test_odd_annotators_are_named():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 300)
    good = np.where(rng.uniform(size=(300, 4)) < 0.85, truth[:, None], rng.integers(0, 3, (300, 4)))
    y = pd.DataFrame(CLASSES[good], columns=list("abcd"), dtype=object)
    y["always"], y["chance"] = "cow", CLASSES[rng.integers(0, 3, 300)]
    y["few"] = np.where(np.arange(300) < 3, CLASSES[truth], None)
    for X in (None, np.eye(3)[truth] + rng.normal(size=(300, 3))):
        table = fitted(X, y).annotators().set_index("annotator")
        assert table.loc["always", "note"] == "always answers cow"
        assert table.loc["chance", "note"] == "no better than chance"
        assert (table.loc[[*"abcd", "few"], "note"] == "").all()
        assert ((table["low"] < table["reliability"]) & (table["reliability"] < table["high"])).all()
        spread = table["high"] - table["low"]
        assert spread["few"] > spread["a"]


def test_people_are_shrunk_to_the_average_of_their_own_rate():
    counts = np.zeros((41, 2, 2))
    counts[:39] = [[80, 20], [20, 80]]
    counts[39], counts[40] = [[0, 1], [1, 0]], [[200, 0], [0, 0]]
    average = average_of(counts)
    same, own = Confusions(counts, average, 4.0), Confusions(counts, average, 4.0, 4.0)
    np.testing.assert_allclose(same.matrices[39].diagonal(), 0.8 * 4 / 5, atol=0.01)
    expected = 0.8 * 4 / 6  # twice wrong, and four times like the average
    np.testing.assert_allclose(own.matrices[39].diagonal(), expected * 4 / 5, atol=0.01)
    assert same.matrices[40, 1, 1] == pytest.approx(average[1, 1])
    assert own.matrices[40, 1, 1] > 0.98  # always right in the one class is thought better in the other
    for found in (same, own):
        np.testing.assert_allclose(found.matrices.sum(axis=2), 1.0, atol=1e-12)


@pytest.mark.parametrize("skill", [-1.0, -0.5, 0.0, 0.5, 1.0])
def test_skill_moves_the_rate_between_never_and_always(skill):
    average = np.array([[0.7, 0.2, 0.1], [0.3, 0.6, 0.1], [0.25, 0.25, 0.5]])
    found = _by_skill(average, np.diag(average)[:, None], np.eye(3, dtype=bool), skill)
    np.testing.assert_allclose(found.sum(axis=1), 1.0, atol=1e-12)
    rates = np.diag(average)
    np.testing.assert_allclose(np.diag(found), rates + (skill * (1 - rates) if skill > 0 else skill * rates))
    wrong = np.where(np.eye(3, dtype=bool), 0.0, found)
    if skill < 1:  # mistakes keep their proportions
        np.testing.assert_allclose(
            wrong / wrong.sum(axis=1, keepdims=True), (average - np.diag(rates)) / (1 - rates)[:, None]
        )


def test_strength_is_found_by_prediction():
    """Annotators who differ in which class they know, and annotators who differ in nothing."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 900)
    rates = np.where(np.eye(3, dtype=bool)[rng.integers(0, 3, 30)], 0.95, 0.35)
    found = []
    for rate in (rates, np.full((30, 3), 0.6)):
        row, who = np.arange(900).repeat(3), rng.integers(0, 30, 2700)
        right = rng.uniform(size=2700) < rate[who, truth[row]]
        label = np.where(right, truth[row], (truth[row] + rng.integers(1, 3, 2700)) % 3)
        pairs = np.unique(row * 30 + who, return_index=True)[1]
        answers = check_answers(answers_of(row[pairs], who[pairs], label[pairs]))
        memberships = 0.9 * np.eye(3)[truth] + 0.1 / 3
        counts = counted(indicators(answers), memberships)
        start = Confusions(counts, average_of(counts), 1.0, ALIKE_PEOPLE)
        found.append(Others(answers).strongest(start, memberships, np.log(memberships)).strength)
    assert found[0] < 16 < found[1]


@pytest.mark.parametrize("alike", [np.inf, 3.0])
def test_rows_are_left_out_of_their_own_estimate(alike):
    rng = np.random.default_rng(0)
    y = np.array([["a", "b", None], ["b", "b", "a"], [None, "a", None], ["a", "a", "b"]])
    answers, memberships = check_answers(y), rng.dirichlet([1, 1], 4)
    average = np.array([[0.7, 0.3], [0.4, 0.6]])
    counts = counted(indicators(answers), memberships)
    found = Others(answers).log_likelihoods(Confusions(counts, average, 2.0, alike), memberships)
    expected = np.zeros((4, 2))
    for i, row in enumerate(y):
        without = check_answers(np.where(np.arange(4)[:, None] == i, None, y), known=["a", "b"])
        rest = counted(indicators(without), memberships)
        matrices = Confusions(rest, average, 2.0, alike).matrices
        for a, said in enumerate(row):
            if said is not None:
                expected[i] += np.log(matrices[a, :, "ab".index(said)])
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_answers_that_repeat_each_other_count_for_less():
    """Rows that are hard for everybody: wrong together, and the power of the answers falls below one."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 800)
    taken_for = np.where(rng.uniform(size=800) < 0.35, rng.integers(0, 3, 800), truth)
    alone = rng.uniform(size=(800, 6)) < 0.9
    y = CLASSES[np.where(alone, taken_for[:, None], rng.integers(0, 3, (800, 6)))]
    X = np.eye(3)[truth] * 2.5 + rng.normal(size=(800, 3))
    P = fitted(X, y).memberships_
    right, sure = P.argmax(axis=1) == truth, P.max(axis=1) > 0.95
    alone = CrowdLabels(estimator=None).fit(None, y).memberships_
    sure_alone = alone.max(axis=1) > 0.95
    assert (alone.argmax(axis=1) == truth)[sure_alone].mean() < 0.8
    assert right[sure].mean() > (alone.argmax(axis=1) == truth)[sure_alone].mean() + 0.05


# whom to ask next


def test_the_next_answer_is_asked_where_it_helps_most():
    _, _, answers = crowd(200, n_annotators=8, a_row=3)
    model = CrowdLabels(estimator=None).fit(None, answers)
    table = model.ask_next()
    P, average = model.memberships_, model._average()
    for place in (0, 1, 50, 199):
        row, gain = int(table["row"][place]), table["gain"][place]
        p, after = P[row], 0.0
        for answered in range(3):
            after += (p * average[:, answered]).max()
        assert gain == pytest.approx(max(after - p.max(), 0.0), abs=1e-9)
    assert table["gain"].is_monotonic_decreasing
    assert sorted(table["row"]) == list(range(200))
    assert len(model.ask_next(7)) == 7
    costly = model.ask_next(class_distance=10.0 * (1 - np.eye(3)))
    np.testing.assert_allclose(costly["gain"], 10 * table["gain"], atol=1e-9)


def test_experts_are_asked_for_neighbours_too():
    X, _, answers = crowd(100)
    model = fitted(X, answers)
    assert len(model.ask_next(5, X=X, of="expert")) == 5
    with pytest.raises(ValueError, match="X is not used by ask_next of an annotator"):
        model.ask_next(5, X=X)
    with pytest.raises(ValueError, match="of must be one of"):
        model.ask_next(of="friend")
