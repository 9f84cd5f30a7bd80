"""Annotators' answers and features together: against a known truth, a slow twin, and on input that is odd."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from scipy.special import softmax
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from tamis import CrowdLabels, RankingSelector, answers_of
from tamis._validation import Rows, check_answers
from tamis.labels._confusions import ALIKE_PEOPLE, Confusions, Others, _by_skill, average_of, counted, indicators
from tamis.labels._joint import mixed

CLASSES = np.array(["ant", "bee", "cow"])


def crowd(n=300, n_annotators=20, a_row=2, seed=0, skill=None):
    """X, true codes, and the answers of annotators of this skill (from .3 to .95 by default) in the long form."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n)
    X = np.eye(3)[truth] * 1.5 + rng.normal(size=(n, 3))
    skill = rng.uniform(0.3, 0.95, n_annotators) if skill is None else np.asarray(skill)
    row = np.repeat(np.arange(n), a_row)
    who = np.concatenate([rng.choice(len(skill), a_row, replace=False) for _ in range(n)])
    right = rng.uniform(size=len(row)) < skill[who]
    label = np.where(right, truth[row], (truth[row] + rng.integers(1, 3, len(row))) % 3)
    return X, truth, answers_of(row, who, CLASSES[label], n_rows=n)


def fitted(X, answers, estimator=None, **how):
    estimator = LogisticRegression() if estimator is None else estimator
    fit = {name: how.pop(name) for name in ("gold", "sample_weight", "groups", "classes") if name in how}
    return CrowdLabels(estimator=estimator, random_state=0, **how).fit(X, answers, **fit)


def accuracy(model, truth):
    return (model.memberships_.argmax(axis=1) == truth).mean()


def test_features_find_what_answers_alone_do_not():
    X, truth, answers = crowd(600, seed=2)
    both, alone = CrowdLabels(random_state=0).fit(X, answers), CrowdLabels(estimator=None).fit(X, answers)
    assert accuracy(both, truth) > accuracy(alone, truth) + 0.05
    assert both.converged_
    assert len(both.log_likelihood_) == both.n_iter_
    np.testing.assert_allclose(both.memberships_.sum(axis=1), 1.0, atol=1e-12)
    np.testing.assert_allclose(both.confusion_.sum(axis=2), 1.0, atol=1e-12)


def test_probabilities_are_hardly_surer_than_right():
    """Answers of one row are independent here, which is not believed before it is seen: some doubt is left over."""
    claimed, found = [], []
    for seed in range(5):
        X, truth, answers = crowd(500, seed=seed)
        P = fitted(X, answers).memberships_
        claimed.append(P.max(axis=1))
        found.append(P.argmax(axis=1) == truth)
    claimed, found = np.concatenate(claimed), np.concatenate(found)
    assert found.mean() - 0.08 < claimed.mean() < found.mean() + 0.02
    assert found[claimed > 0.95].mean() > 0.95
    assert (claimed > 0.95).mean() > 0.1


def test_features_that_know_nothing_change_little():
    _, truth, answers = crowd(600, a_row=5)
    noise = np.random.default_rng(0).normal(size=(600, 3))
    with_noise, alone = fitted(noise, answers), CrowdLabels(estimator=None).fit(None, answers)
    assert accuracy(with_noise, truth) > accuracy(alone, truth) - 0.02


def test_the_same_seed_gives_the_same_answer_for_any_number_of_threads():
    X, _, answers = crowd(150)
    one, two = (CrowdLabels(random_state=3, n_jobs=jobs).fit(X, answers) for jobs in (1, 2))
    assert one.memberships_.tobytes() == two.memberships_.tobytes()


def test_long_and_wide_tables_are_one():
    X, _, answers = crowd(120)
    wide = fitted(X, answers.to_frame())
    assert fitted(X, answers).memberships_.tobytes() == wide.memberships_.tobytes()


def test_without_samples_answers_are_alone():
    _, _, answers = crowd(120)
    expected = CrowdLabels(estimator=None).fit(None, answers).memberships_
    assert CrowdLabels().fit(None, answers).memberships_.tobytes() == expected.tobytes()


# rows that have few answers, or none


def test_rows_without_answers_get_the_opinion_of_the_features():
    X, truth, _ = crowd(400)
    answers = answers_of(np.arange(300), np.arange(300) % 7, CLASSES[truth[:300]], n_rows=400)
    model = fitted(X, answers)
    assert model.n_unanswered_ == 100
    by_features = LogisticRegression().fit(X[:300], truth[:300])
    agree = model.memberships_[300:].argmax(axis=1) == by_features.predict(X[300:])
    assert agree.mean() > 0.9
    assert not model.recorded()[300:].any()
    with pytest.warns(UserWarning, match="100 of 400 rows have no answer; they are left out"):
        left_out = fitted(X, answers, unanswered="drop")
    assert not left_out.memberships_[300:].any()
    assert left_out.memberships_[:300].any(axis=1).all()
    with pytest.raises(ValueError, match="100 of 400 rows have no answer"):
        fitted(X, answers, unanswered="error")


def test_one_answer_a_row_is_corrected_by_the_features():
    X, truth, answers = crowd(600, a_row=1, skill=[0.7] * 10)
    given = np.searchsorted(CLASSES, np.array([next(a for a in row if a) for row in np.asarray(answers)]))
    assert accuracy(fitted(X, answers), truth) > (given == truth).mean() + 0.06


def test_one_annotator():
    X, truth, answers = crowd(300, n_annotators=1, a_row=1, skill=[0.8])
    model = fitted(X, answers)
    assert model.annotators_.tolist() == [0]
    assert accuracy(model, truth) > 0.8
    assert 0.6 < model.reliabilities_[0] < 0.95


def test_annotators_who_never_answer_are_taken_for_the_average():
    X, _, _ = crowd(200)
    row, who, said = np.arange(200).repeat(2), np.tile(["a", "b"], 200), np.tile(CLASSES[:2], 200)
    answers = answers_of(row, who, said, annotators=["a", "silent", "b"])
    model = fitted(X, answers)
    assert model.n_answers_.tolist() == [200, 0, 200]
    average = model._average()
    np.testing.assert_allclose(model.confusion_[1], model._confusions.average, atol=1e-12)
    assert np.isfinite(average).all()
    assert model.annotators()["note"].tolist().count("") >= 1


def test_a_class_that_nobody_names():
    X, truth, answers = crowd(200)
    model = fitted(X, answers, classes=[*CLASSES, "dog"])
    assert model.classes_.tolist() == [*CLASSES, "dog"]
    assert model.memberships_[:, 3].max() < 0.05
    assert accuracy(model, truth) > accuracy(fitted(X, answers), truth) - 0.02


def test_a_class_with_few_rows_is_not_lost():
    """Classifiers do not learn it; its answers count all the same."""
    X, truth, _ = crowd(200)
    truth[:3], truth[3:] = 2, truth[3:] % 2
    row = np.arange(200).repeat(3)
    answers = answers_of(row, np.tile(np.arange(3), 200), CLASSES[truth[row]])
    assert (fitted(X, answers).memberships_.argmax(axis=1) == truth).all()


# what is known


def test_gold_pins_rows_and_shows_who_is_right():
    X, truth, answers = crowd(300, n_annotators=6)
    gold = np.where(np.arange(300) < 100, CLASSES[truth], None)
    for given in (X, None):
        model = CrowdLabels(estimator=LogisticRegression(), random_state=0).fit(given, answers, gold=gold)
        np.testing.assert_array_equal(model.memberships_[:100], np.eye(3)[truth[:100]])
        without = CrowdLabels(estimator=LogisticRegression(), random_state=0).fit(given, answers)
        rest = np.arange(100, 300)
        right = (model.memberships_[rest].argmax(axis=1) == truth[rest]).mean()
        assert right >= (without.memberships_[rest].argmax(axis=1) == truth[rest]).mean() - 0.01


def test_gold_turns_a_crowd_that_is_wrong_together():
    """Most confuse two classes in the same way: only known classes can show it."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 400)
    swapped = np.array([1, 0, 2])[truth]
    y = CLASSES[np.column_stack([swapped, swapped, swapped, truth])]
    gold = np.where(np.arange(400) < 60, CLASSES[truth], None)
    assert accuracy(CrowdLabels(estimator=None).fit(None, y), truth) < 0.5
    assert accuracy(CrowdLabels(estimator=None).fit(None, y, gold=gold), truth) > 0.98
    noise = rng.normal(size=(400, 2))
    assert accuracy(fitted(noise, y), truth) < 0.5
    assert accuracy(fitted(noise, y, gold=gold), truth) > 0.98


def test_all_gold_is_counting():
    X, truth, answers = crowd(200, n_annotators=4)
    model = CrowdLabels(estimator=None, smoothing=0).fit(None, answers, gold=CLASSES[truth])
    table = np.asarray(answers)
    for a in range(4):
        for s in range(3):
            of_class = table[truth == s, a]
            said = of_class[of_class != np.array(None)]
            np.testing.assert_allclose(model.confusion_[a, s], [(said == c).mean() for c in CLASSES], atol=1e-9)
    together = fitted(X, answers, gold=CLASSES[truth])
    np.testing.assert_array_equal(together.memberships_.argmax(axis=1), truth)


def test_an_expert_is_gold():
    X, truth, answers = crowd(200, n_annotators=5)
    wide = answers.to_frame().rename(columns=str)
    wide["expert"] = np.where(np.arange(200) % 3 == 0, CLASSES[truth], None)
    by_expert = fitted(X, wide, expert="expert")
    by_gold = fitted(X, answers, gold=wide["expert"])
    assert by_expert.memberships_.tobytes() == by_gold.memberships_.tobytes()
    assert by_expert.annotators_.tolist() == list("01234")
    again = fitted(X, wide, expert="expert", gold=wide["expert"])
    assert again.memberships_.tobytes() == by_gold.memberships_.tobytes()


@pytest.mark.parametrize(
    ("gold", "message"),
    [
        (["ant"] * 4, "gold must have an entry per row, None where the class is not known; got 4 for 6 rows"),
        ([None] * 6, "gold must know the class of some row; it is empty"),
        (["dog", *[None] * 5], "gold must have classes that annotators answer with; 'dog' is not one of"),
        (np.full((6, 2), "ant"), "gold must be one column"),
    ],
)
def test_gold_that_cannot_be_is_named(gold, message):
    answers = [["ant", "bee"], ["bee", "bee"], ["ant", "ant"]] * 2
    with pytest.raises(ValueError, match=message):
        CrowdLabels().fit(None, answers, gold=gold)


def test_unknown_classes_of_gold_can_be_declared():
    answers = [["ant", "bee"], ["bee", "bee"], ["ant", "ant"]] * 2
    model = CrowdLabels().fit(None, answers, gold=["dog", *[None] * 5], classes=["ant", "bee", "dog"])
    np.testing.assert_array_equal(model.memberships_[0], [0, 0, 1])


def test_experts_that_cannot_be_are_named():
    y = pd.DataFrame({"a": ["ant", "bee", "ant"], "b": ["ant", "bee", None]})
    with pytest.raises(ValueError, match="gold must not contradict expert='b'; for row 1 they say 'ant' and 'bee'"):
        CrowdLabels(expert="b").fit(None, y, gold=[None, "ant", None])
    with pytest.raises(ValueError, match="annotators must be known; 'c' is not one of"):
        CrowdLabels(expert="c").fit(None, y)
    with pytest.raises(ValueError, match="y must have answers of others beside those of expert='a'"):
        CrowdLabels(expert="a").fit(None, y[["a"]])


# annotators


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


# laws


def test_a_weight_is_a_row_repeated():
    X, truth, answers = crowd(90, n_annotators=6)
    P = softmax(X, axis=1)
    weight = np.random.default_rng(0).integers(0, 4, 90)
    repeated = np.repeat(np.arange(90), weight)
    weighted = CrowdLabels(estimator="precomputed", random_state=0).fit(P, answers, sample_weight=weight)
    again = CrowdLabels(estimator="precomputed", random_state=0).fit(P[repeated], answers[repeated])
    first = np.concatenate([[True], np.diff(repeated) > 0])
    np.testing.assert_allclose(weighted.memberships_, again.memberships_[first], atol=1e-9)
    np.testing.assert_allclose(weighted.confusion_, again.confusion_, atol=1e-9)
    np.testing.assert_allclose(weighted.recorded(), again.recorded()[first], atol=1e-9)
    gold = np.where(np.arange(90) < 30, CLASSES[truth], None)
    pinned = CrowdLabels(estimator="precomputed", random_state=0).fit(P, answers, sample_weight=weight, gold=gold)
    np.testing.assert_array_equal(pinned.memberships_[: (weight[:30] > 0).sum()].max(axis=1), 1.0)


def test_the_order_of_rows_does_not_matter():
    X, _, answers = crowd(90, n_annotators=6)
    P, order = softmax(X, axis=1), np.random.default_rng(0).permutation(90)
    plain = CrowdLabels(estimator="precomputed", random_state=0).fit(P, answers)
    moved = CrowdLabels(estimator="precomputed", random_state=0).fit(P[order], answers[order])
    np.testing.assert_allclose(moved.memberships_, plain.memberships_[order], atol=1e-9)


def test_groups_are_never_learned_from_and_asked_about():
    """Copies of a row, one of them answered wrongly: a classifier that has seen the others would believe itself."""
    rng = np.random.default_rng(0)
    X, group = rng.normal(size=(60, 5)).repeat(4, axis=0), np.arange(60).repeat(4)
    codes = rng.integers(0, 2, 60).repeat(4)
    y = CLASSES[codes][:, None]
    model = fitted(X, y, estimator=GaussianNB(), groups=group)
    assert np.isfinite(model.memberships_).all()
    asked = []

    class Watching(GaussianNB):
        def fit(self, X, y):
            self.seen = {tuple(row) for row in X}
            return super().fit(X, y)

        def predict_proba(self, X):
            asked.append(not self.seen & {tuple(row) for row in X})
            return super().predict_proba(X)

    fitted(X, y, estimator=Watching(), groups=group)
    assert asked
    assert all(asked)


def test_sparse_samples_are_taken_as_they_are():
    X, _, answers = crowd(150)
    counts = np.maximum(np.round(X), 0)
    dense = RankingSelector(labels=CrowdLabels(estimator=LogisticRegression(), random_state=0))
    assert fitted(csr_array(counts), answers).memberships_.shape == (150, 3)
    assert dense.fit(csr_array(counts), answers).scores_.shape == (3,)


def test_gaps_in_the_features_are_no_matter():
    X, truth, answers = crowd(400)
    X[np.random.default_rng(0).uniform(size=X.shape) < 0.2] = np.nan
    assert accuracy(CrowdLabels(random_state=0).fit(X, answers), truth) > 0.75


def test_the_most_probable_class_stays_that_of_em():
    rng = np.random.default_rng(0)
    first, second = rng.dirichlet(np.full(4, 0.4), 500), rng.dirichlet(np.full(4, 0.4), 500)
    found = mixed(first, second, 0.55)
    np.testing.assert_array_equal(found.argmax(axis=1), first.argmax(axis=1))
    np.testing.assert_allclose(found.sum(axis=1), 1.0, atol=1e-12)
    agree = first.argmax(axis=1) == second.argmax(axis=1)
    np.testing.assert_allclose(found[agree], (0.45 * first + 0.55 * second)[agree], atol=1e-12)


@pytest.mark.parametrize(
    ("method", "soft", "seen"),
    [("dawid-skene", None, False), ("dawid-skene", True, True), ("share", None, True), ("share", False, False)],
)
def test_a_search_sees_memberships_if_asked_to_or_if_they_are_shares(method, soft, seen):
    X, _, answers = crowd(150)
    model = fitted(X, answers, method=method, soft=soft)
    P = model.search_memberships()
    if seen:
        np.testing.assert_array_equal(P, model.memberships_)
    else:
        assert set(np.unique(P)) == {0.0, 1.0}
        np.testing.assert_array_equal(P.argmax(axis=1), model.memberships_.argmax(axis=1))


def test_few_iterations_do_not_converge():
    X, _, answers = crowd(150)
    with pytest.warns(ConvergenceWarning, match=r"did not converge in max_iter = 1 iterations. Raise max_iter\.$"):
        assert not fitted(X, answers, max_iter=1).converged_


@pytest.mark.parametrize(
    ("X", "message"),
    [(np.ones((5, 2)), "X and y must have as many rows; got 5 and 150"), (np.full((150, 2), np.inf), "infinity")],
)
def test_samples_that_cannot_be_are_named(X, message):
    _, _, answers = crowd(150)
    with pytest.raises(ValueError, match=message):
        fitted(X, answers)


def test_other_rows_are_judged_by_answers_alone():
    X, _, answers = crowd(150)
    model = fitted(X, answers)
    P = model.posterior(answers[:10])
    assert P.shape == (10, 3)
    np.testing.assert_allclose(P.sum(axis=1), 1.0)
    assert isinstance(model._rows, Rows)
