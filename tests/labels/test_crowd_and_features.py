"""Annotators' answers and features together: against a known truth, a slow twin, and on input that is odd."""

import numpy as np
import pandas as pd
import pytest
from crowds import CLASSES, accuracy, crowd, fitted
from scipy.sparse import csr_array
from scipy.special import softmax
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from tamis import CrowdLabels, RankingSelector, answers_of
from tamis._validation import Rows
from tamis.labels._joint import mixed


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
