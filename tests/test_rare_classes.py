"""A rare class is never an error: what is too small to estimate from is left out of the estimate, and named."""

import warnings

import numpy as np
import pytest
import reference
from samples import gaussians, one_hot
from scipy.special import digamma
from sklearn.naive_bayes import GaussianNB

from tamis import (
    BayesRisk,
    BlanketSelector,
    ChiSquare,
    CrowdLabels,
    HardLabels,
    LaplacianScore,
    MultiLabels,
    MutualInformation,
    NeighborCost,
    NoisyLabels,
    RankingSelector,
    SequentialSelector,
    SoftLabels,
    WeightedLaplacian,
    bayes_risk,
    class_posterior,
    mutual_information,
    report,
    subset_divergence,
    weighted_laplacian_score,
)
from tamis._validation import Rows
from tamis.datasets import flip_uniform
from tamis.distances.balls import BallScan
from tamis.views import summarise, summarise_audit

N = 24
X, BASE = gaussians(N, 3, 3, seed=2)
PLACE = np.arange(N)
CASES = {
    "one row": np.where(PLACE == 5, 3, BASE),
    "two rows": np.where(PLACE < 2, 3, BASE),
    "one class": np.zeros(N, dtype=int),
    "two classes": (BASE > 0).astype(int),
    "n/2 classes": PLACE // 2,
    "n classes": PLACE,
}
CRITERIA = {
    "count": MutualInformation(),
    "distance": MutualInformation(estimator="distance"),
    "include self": MutualInformation(include_self=True),
    "risk, count": BayesRisk("count"),
    "risk, expected": BayesRisk("expected"),
    "neighbor cost": NeighborCost(),
    "weighted laplacian": WeightedLaplacian(),
    "laplacian": LaplacianScore(),
    "chi-square": ChiSquare("quantile"),
    "chi-square, per label": ChiSquare("mdl", per_label="max"),
}
ESTIMATES = ("count", "distance", "include self", "risk, count", "risk, expected")
SEARCHES = {
    "backward": lambda *args, **asked: SequentialSelector(*args, direction="backward", **asked),
    "forward": lambda *args, **asked: SequentialSelector(*args, direction="forward", **asked),
    "ranking": RankingSelector,
}


def text(codes):
    return np.array([f"k{c:02d}" for c in codes])


def shared(y):
    """Probabilities, in a third of the rows of two classes."""
    P = one_hot(np.unique(y, return_inverse=True)[1])
    P[::3] = 0.8 * P[::3] + 0.2 * np.roll(P[::3], 1, axis=1)
    return P


def answers(y):
    """Three annotators, of whom the third is confused and the second often silent."""
    table = np.array([y, y, np.roll(y, 1)], dtype=object).T
    table[PLACE % 3 == 0, 1] = None
    return table


def sets(y):
    return [{str(label)} for label in y]


LABELS = {
    "hard": (HardLabels(), np.asarray),
    "soft": (SoftLabels(), shared),
    "soft, refined": (SoftLabels(GaussianNB(), random_state=0), shared),
    "noisy": (NoisyLabels(GaussianNB(), random_state=0), np.asarray),
    "noisy, soft": (NoisyLabels(GaussianNB(), soft=True, random_state=0), np.asarray),
    "noisy, neighbours": (NoisyLabels(None), np.asarray),
    "noisy, each step": (NoisyLabels(None, refit="each-step"), np.asarray),
    "noisy, literal": (NoisyLabels.literal(n_init=2, max_iter=5, random_state=0), np.asarray),
    "crowd": (CrowdLabels(estimator=GaussianNB(), random_state=0), answers),
    "crowd, shares": (CrowdLabels("share"), answers),
    "multilabel": (MultiLabels(random_state=0), sets),
    "multilabel, powerset": (MultiLabels(transform="powerset", n_repeats=1, random_state=0), sets),
}
CELLS = [(case, kind) for case in CASES for kind in LABELS]
FIRST = ("count", "neighbor cost", "weighted laplacian")
WITH_CRITERIA = [
    (*cell, criterion) for cell in CELLS for criterion in CRITERIA if cell[1] == "hard" or criterion in FIRST
]
"""Every criterion with classes, every kind of label with criteria that take memberships in different ways."""


def heard(call, *args, **kwargs):
    """What a call returns, and what it warns of."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        found = call(*args, **kwargs)
    return found, [str(one.message) for one in said]


def target(kind, y):
    """Arguments of a fit; a single column of probabilities would be a column of classes."""
    prepared = LABELS[kind][1](y)
    is_column = kind.startswith("soft") and prepared.shape[1] == 1
    return {"y": None, "memberships": prepared} if is_column else {"y": prepared}


def tells_of_one_class(said):
    """In the words of classes, or of labels."""
    return any("only one class" in one or "occur in every row" in one for one in said)


def check_said(case, kind, criterion, said):
    """Classes that are left out are named once for each estimate they are left out of, and others are not."""
    together = " ".join(said)
    n_left_out = sum("has 1 sample" in one or "have 1 sample each" in one for one in said)
    if case == "one class":
        assert tells_of_one_class(said)
    if case in ("one row", "n classes"):
        names = "class 'k03' has 1 sample" if case == "one row" else "'k00', 'k01'"
        is_estimate, is_noisy = criterion in ESTIMATES, kind.startswith("noisy")
        if kind == "hard" or is_noisy:
            assert n_left_out >= is_estimate + is_noisy
            assert n_left_out == 0 or names in together
    elif kind == "hard":
        assert n_left_out == 0


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize(("case", "kind", "criterion"), WITH_CRITERIA)
def test_every_cell_of_the_table(case, kind, criterion, search):
    asked = {"labels": LABELS[kind][0], "n_features_to_select": 2, "random_state": 0}
    selector = SEARCHES[search](CRITERIA[criterion], **asked)
    fitted, said = heard(selector.fit, X, **target(kind, text(CASES[case])))
    assert np.isfinite(fitted.path_.scores).all()
    assert fitted.support_.sum() == 2
    if criterion != "laplacian":
        check_said(case, kind, criterion, said)
    if case == "one class" and criterion != "laplacian":
        np.testing.assert_array_equal(fitted.path_.scores, 0.0)
    if case == "n classes" and kind in ("hard", "noisy") and criterion in ("count", "distance", "include self"):
        np.testing.assert_array_equal(fitted.path_.scores, 0.0)


@pytest.mark.parametrize("divergence", ["wasserstein", "kl"])
@pytest.mark.parametrize(("case", "kind"), CELLS)
def test_every_kind_of_label_with_a_blanket(case, kind, divergence):
    asked = {"n_permutations": 3, "n_features_to_select": 2, "random_state": 0}
    selector = BlanketSelector(divergence, labels=LABELS[kind][0], n_conditioning=3, n_bins=10, **asked)
    fitted, said = heard(selector.fit, X, **target(kind, text(CASES[case])))
    assert np.isfinite(fitted.path_.scores).all()
    assert case != "one class" or tells_of_one_class(said)


@pytest.mark.parametrize("search", [*SEARCHES, "blanket"])
@pytest.mark.parametrize("kind", ["hard", "noisy"])
@pytest.mark.parametrize("case", CASES)
def test_classes_that_are_whole_numbers(case, kind, search):
    """The same answer as for text."""
    one = BlanketSelector(n_permutations=3, n_conditioning=3, n_bins=10) if search == "blanket" else SEARCHES[search]()
    one.set_params(labels=LABELS[kind][0], n_features_to_select=2, random_state=0)
    paths = [heard(one.fit, X, y)[0].path_ for y in (CASES[case], text(CASES[case]))]
    assert paths[0] == paths[1]


FEW = {"judge": GaussianNB(), "cv": 3, "n_repeats": 1}
NOT_KNOWN = "it is not known how many features are needed: all are kept"


@pytest.mark.parametrize("kind", ["hard", "noisy", "noisy, each step", "soft", "crowd"])
@pytest.mark.parametrize("case", CASES)
def test_how_many_features(case, kind, tmp_path):
    """All, with a warning, where no rows can be left out; and whatever was found can be shown."""
    selector = SequentialSelector(labels=LABELS[kind][0], random_state=0, **FEW)
    fitted, said = heard(selector.fit, X, **target(kind, text(CASES[case])))
    undecided = any(NOT_KNOWN in one for one in said)
    assert not any("class 3 " in one for one in said)  # classes have their names
    if kind != "noisy, each step":  # which moves rows to other classes
        assert undecided is (case in ("one class", "n/2 classes", "n classes"))
    if undecided:
        assert fitted.n_features_ == 3
        assert not hasattr(fitted, "evidence_")
    else:
        assert set(fitted.roles_) <= {"needed", "interchangeable", "no evidence"}
        assert fitted.pvalues_.shape == (3,)
    assert summarise(fitted)["selected"]
    assert report(fitted, tmp_path / "page.html").exists()


FUNCTIONS = {
    "count": lambda y, **how: mutual_information(X, y, **how),
    "distance": lambda y, **how: mutual_information(X, y, estimator="distance", **how),
    "risk": lambda y, **how: bayes_risk(X, y, **how),
    "risk, count": lambda y, **how: bayes_risk(X, y, kind="count", **how),
    "posterior": lambda y, **how: class_posterior(X, y, **how).posterior,
    "decision": lambda y, **how: class_posterior(X, y, include_self=True, **how).posterior,
    "laplacian": lambda y, **how: weighted_laplacian_score(X, y, **how),
    "lost": lambda y, **how: subset_divergence(X, y, [0], n_bins=3, n_permutations=2, random_state=0, **how).lost,
}


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize(("case", "kind"), CELLS)
def test_every_function(case, kind, function):
    found, said = heard(FUNCTIONS[function], **target(kind, text(CASES[case])), labels=LABELS[kind][0])
    assert np.isfinite(found).all()
    if case == "one class":
        assert tells_of_one_class(said)
        np.testing.assert_array_equal(found, function in ("posterior", "decision"))


# What is estimated


def rows_of(kind):
    rng = np.random.default_rng(1)
    groups = np.unique(rng.integers(0, 9, N), return_inverse=True)[1]
    return {
        "alike": Rows(),
        "groups": Rows(group=np.where(PLACE == 5, groups.max() + 1, groups)),
        "weights": Rows(weight=rng.uniform(0.3, 3, N)),
        "a class of little weight": Rows(weight=np.where(BASE == 2, 1e-3, 1.0)),
        "both": Rows(weight=rng.integers(1, 4, N).astype(float), group=groups),
    }[kind]


@pytest.mark.parametrize("include_self", [False, True])
@pytest.mark.parametrize("quantity", ["count", "distance", "risk"])
@pytest.mark.parametrize("rows", ["alike", "groups", "weights", "a class of little weight", "both"])
@pytest.mark.parametrize("labels", [one_hot, shared])
@pytest.mark.parametrize("case", CASES)
def test_kernels_agree_with_their_twins(case, labels, rows, quantity, include_self):
    P, known = labels(CASES[case]), rows_of(rows)
    scan = BallScan(X, P, quantity, rows=known, n_neighbors=3, include_self=include_self)
    how = {"k": 3, "include_self": include_self, "rows": known}
    whole = reference.twin(quantity, X, P, **how)
    np.testing.assert_allclose(scan.of([0, 1, 2]), whole, atol=1e-9)
    np.testing.assert_allclose(scan.with_each([0, 1], [2])[0], whole, atol=1e-9)
    two, one = (reference.twin(quantity, X[:, columns], P, **how) for columns in ([0, 2], [1]))
    np.testing.assert_allclose(scan.without_each([0, 1, 2])[1], two, atol=1e-9)
    np.testing.assert_allclose(scan.alone([1])[0], one, atol=1e-9)


def far_apart(sizes):
    """Classes far from each other, along a line."""
    codes = np.repeat(np.arange(len(sizes)), sizes)
    return (1000.0 * codes + np.arange(len(codes)))[:, None], codes


@pytest.mark.parametrize("labels", [one_hot, lambda codes: 0.5 * one_hot(codes) + 0.5 * one_hot(codes)])
@pytest.mark.parametrize("estimator", ["count", "distance"])
def test_information_of_classes_far_apart(estimator, labels):
    """Without overlap a row of class s adds psi(n) - psi(n_s), and one of a class of its own nothing."""
    sizes = [9, 12, 1, 1]
    line, codes = far_apart(sizes)
    expected = sum(n * (digamma(23) - digamma(n)) for n in sizes if n > 1) / 23
    with pytest.warns(UserWarning, match="classes 2, 3 have 1 sample each: left out of the information, except as"):
        found = MutualInformation(3, estimator=estimator).score(line, labels(codes))
    if estimator == "count":
        assert found == pytest.approx(expected, abs=1e-12)
    assert found == pytest.approx(reference.mutual_information(line, labels(codes), 3, estimator), abs=1e-9)


def test_a_lonely_row_stays_among_the_others():
    """It has no term of its own: the mean is that of the terms of the other rows, in whose balls it counts."""
    codes = CASES["one row"]
    Z = X.copy()
    Z[5] = Z[6]  # next to a row of another class
    value, said = heard(mutual_information, Z, codes)
    assert sum("left out" in one for one in said) == 1
    away = Z.copy()
    away[5] = 1e6
    assert value < heard(mutual_information, away, codes)[0]
    assert value == pytest.approx(reference.mutual_information(Z, one_hot(codes)), abs=1e-9)


def test_a_class_in_one_group_or_of_little_weight_is_named():
    codes = text(CASES["two rows"])
    groups = np.where(PLACE < 2, 0, PLACE)
    found, said = heard(mutual_information, X, codes, groups=groups)
    assert "class 'k03' is in one group only: left out of the information" in said[0]
    P = one_hot(CASES["two rows"])
    assert found == pytest.approx(reference.mutual_information(X, P, rows=Rows(group=groups)), abs=1e-9)
    weight = np.where(PLACE < 2, 0.4, 1.0)
    found, said = heard(mutual_information, X, codes, sample_weight=weight)
    assert "class 'k03' weighs less than one row besides its heaviest row: left out of the information" in said[0]
    assert found == pytest.approx(reference.mutual_information(X, P, rows=Rows(weight=weight)), abs=1e-9)


def test_a_class_of_one_row_has_a_density_elsewhere_only():
    """At the row next to it, but not at its own row, where another class is decided for."""
    line, codes = far_apart([6, 6, 1])
    line[:6, 0] += 11_000  # beyond the lonely row
    line[-1] = line[6] - 0.25
    with pytest.warns(UserWarning, match="class 2 has 1 sample: next to no density at its own row, where another"):
        found = class_posterior(line, codes, n_neighbors=3)
    assert found.posterior[12, 2] == 0
    assert np.isneginf(found.log_density[12, 2])
    assert found.decision[6] == 2  # its ball reaches no farther than the lonely row
    assert heard(bayes_risk, line, codes, kind="count", n_neighbors=3)[0] == pytest.approx(2 / 13)
    with pytest.warns(UserWarning, match="class 2 has 1 sample: at its own row nothing else counts"):
        assert class_posterior(line, codes, n_neighbors=3, include_self=True).decision[12] == 2


def test_where_nobody_else_is_known_all_classes_are_equally_probable():
    found, said = heard(class_posterior, X[:4], ["a", "b", None, None], groups=[0, 0, 1, 2], n_neighbors=1)
    assert found.posterior[:2].tolist() == [[0.5, 0.5]] * 2
    assert "classes 'a', 'b' are in one group each" in " ".join(said)
    risk, _ = heard(bayes_risk, X[:4], ["a", "b", None, None], groups=[0, 0, 1, 2], n_neighbors=1)
    assert risk == 0.5


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("labels", ["hard", NoisyLabels(GaussianNB(), random_state=0)])
def test_a_perfect_feature_stays_first_although_half_of_the_classes_are_singletons(labels, search):
    rng = np.random.default_rng(0)
    n, n_alone = 80, 4
    y = np.array([f"large {i % n_alone}" for i in range(n)], dtype=object)
    Z = rng.normal(size=(n, 5))
    Z[:, 3] += 8 * (np.arange(n) % n_alone)
    y[rng.choice(n, n_alone, replace=False)] = [f"alone {i}" for i in range(n_alone)]
    fitted, said = heard(SEARCHES[search](labels=labels, n_features_to_select=1, random_state=0).fit, Z, y)
    assert fitted.support_.tolist() == [False, False, False, True, False]
    assert search == "ranking" or any("'alone 0', 'alone 1', 'alone 2', 'alone 3' have 1" in one for one in said)


def test_many_classes_are_not_all_written_out():
    _, said = heard(mutual_information, X, text(PLACE))
    assert "'k08', 'k09' and 14 more have 1 sample each: left out of" in said[-1]
    assert "Merge them with another class to count them." in said[-1]
    page = np.where(PLACE == 5, "x" * 10_000, "k")
    assert max(map(len, heard(mutual_information, X, page)[1])) < 300


# Noise models

ROWS = 90
Z, TRUE = gaussians(ROWS, 4, 3, seed=8)
RECORDED = text(flip_uniform(TRUE, 0.15, random_state=0).y)
ALONE = np.arange(ROWS) == 40
MODELS = {
    "auto": NoisyLabels(random_state=0),
    "classifier": NoisyLabels(GaussianNB(), random_state=0),
    "pairs": NoisyLabels(GaussianNB(), transition="full", random_state=0),
    "neighbours": NoisyLabels(None),
    "literal": NoisyLabels.literal(n_init=2, random_state=0),
}


@pytest.mark.parametrize("unlabelled", [False, True])
@pytest.mark.parametrize("model", MODELS)
def test_rates_are_those_without_the_lonely_class(model, unlabelled):
    """To the last bit: its row takes no part in the estimate."""
    y = RECORDED.astype(object)
    if unlabelled:
        y[[3, 50]] = None
    with_one = np.where(ALONE, "an only one", y)
    found, said = heard(MODELS[model].fit, Z, with_one)
    found_rates = [found.noise_rate_, found.noise_rate_interval_, found.identified_, found.log_likelihood_.tolist()]
    assert "class 'an only one' has 1 sample, too few for a noise model: its label is trusted." in " ".join(said)
    assert found.trusted_classes_.tolist() == [True, False, False, False]
    assert found.memberships_[40].tolist() == [1.0, 0.0, 0.0, 0.0]
    assert found.transition_[0].tolist() == [1.0, 0.0, 0.0, 0.0]
    assert found.class_priors_.sum() == pytest.approx(1)
    assert found.class_priors_[0] == pytest.approx(1 / (ROWS - 2 * unlabelled))
    memberships, transition = found.memberships_[~ALONE], found.transition_[1:, 1:]
    without = heard(MODELS[model].fit, Z[~ALONE], y[~ALONE])[0]
    rates = [without.noise_rate_, without.noise_rate_interval_, without.identified_, without.log_likelihood_.tolist()]
    assert found_rates == rates
    np.testing.assert_array_equal(memberships[:, 1:], without.memberships_)
    np.testing.assert_array_equal(transition, without.transition_)
    assert not memberships[:, 0].any()


def test_a_class_in_one_group_takes_no_part():
    groups = np.where(np.isin(np.arange(ROWS), (40, 41)), 999, np.arange(ROWS) // 2)
    y = np.where(np.isin(np.arange(ROWS), (40, 41)), "one group", RECORDED)
    weight = 1 + np.arange(ROWS) % 3
    some = y != "one group"
    model = NoisyLabels(GaussianNB(), random_state=0)
    found, said = heard(model.fit, Z, y, groups=groups, sample_weight=weight)
    assert "class 'one group' is in one group only, too few for a noise model" in said[0]
    rate, memberships = found.noise_rate_, found.memberships_
    without = model.fit(Z[some], y[some], groups=groups[some], sample_weight=weight[some])
    assert rate == without.noise_rate_
    np.testing.assert_array_equal(memberships[some][:, :3], without.memberships_)


def test_tables_for_people_have_the_trusted_rows_too():
    found, _ = heard(NoisyLabels(GaussianNB(), random_state=0).fit, Z, np.where(ALONE, "an only one", RECORDED))
    suspects, actions = found.suspects().set_index("row"), found.relabelled().set_index("row")
    assert len(suspects) == len(actions) == ROWS
    assert suspects.loc[40, "p_wrong"] == 0
    assert actions.loc[40, "action"] == "keep"
    assert "an only one" not in found.confusions()["true"].tolist()
    labels = summarise_audit(found)["labels"]
    assert [rate["rate"] is None for rate in labels["rates"]] == [True, False, False, False]
    assert found.search_memberships()[40].tolist() == [1.0, 0.0, 0.0, 0.0]
    assert np.isin(found.search_memberships(), (0.0, 1.0)).all()  # a class of one row is no reason for probabilities


@pytest.mark.parametrize("model", [*MODELS, "precomputed"])
@pytest.mark.parametrize("y", [["same"] * N, ["same"] * (N - 2) + ["x", "y"], [f"k{i}" for i in range(N)]])
def test_without_two_classes_it_is_not_known_how_many_labels_are_wrong(model, y):
    data, one = X, MODELS.get(model, NoisyLabels("precomputed"))
    if model == "precomputed":
        data = 0.5 * one_hot(np.unique(y, return_inverse=True)[1]) + 0.5 / len(set(y))
    found, said = heard(one.fit, data, y)
    assert found.memberships_.argmax(axis=1).tolist() == [found.classes_.tolist().index(c) for c in y]
    if model != "precomputed" or len(set(y)) == 1:
        assert np.isnan(found.noise_rate_)
        assert found.noise_rate_interval_ == (0.0, 1.0)
        assert not found.identified_
        assert found.n_iter_ == 0
        assert "fewer than two classes have rows to be compared" in said[-1]
        np.testing.assert_array_equal(found.transition_, np.eye(len(found.classes_)))
    table = found.ask_next(2)
    assert found.suspects(2)["p_likely"].min() >= 0
    assert len(set(y)) > 1 or table["second"].tolist() == [None, None]
    assert summarise_audit(found)["labels"]["kind"] == "noisy"


def test_classes_of_few_rows_do_not_tell_the_order_of_columns():
    """Predictions for them agree with any column by chance."""
    P = np.random.default_rng(0).dirichlet(np.ones(N // 2), N)
    assert heard(NoisyLabels("precomputed").fit, P, PLACE // 2)[0].memberships_.shape == (N, N // 2)


def test_answers_of_one_class():
    crowd, said = heard(CrowdLabels(random_state=0).fit, X, answers(["same"] * N))
    assert "y has only one class, 'same'" in said[0]
    assert crowd.memberships_.tolist() == [[1.0]] * N
    assert crowd.reliability_intervals_.tolist() == [[0.0, 1.0]] * 3
    assert summarise_audit(crowd)["labels"]["n_annotators"] == 3


def test_weights_are_part_of_nothing_where_a_class_is_left_out():
    """A row of weight two is two rows that are not compared with each other: the class has nobody else."""
    weight = np.where(PLACE == 5, 2.0, 1.0)
    found, said = heard(mutual_information, X, CASES["one row"], sample_weight=weight)
    assert "class 3 weighs less than one row besides its heaviest row" in said[0]
    twice = np.append(PLACE, 5)
    groups = np.append(PLACE, 5)
    again, _ = heard(mutual_information, X[twice], CASES["one row"][twice], groups=groups)
    assert found == pytest.approx(again, abs=1e-12)
