"""NoisyLabels: what it must find, against its slow twin and known truths."""

import warnings

import numpy as np
import pytest
import reference
from samples import gaussians
from scipy.special import logsumexp
from sklearn.datasets import load_iris
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.utils.estimator_checks import check_estimator

from tamis import HardLabels, NoisyLabels
from tamis.datasets import flip_by_transition, flip_per_class, flip_uniform
from tamis.distances.balls import log2_scale

KINDS = {
    "default": {},
    "per-class": {"transition": "per-class"},
    "full": {"transition": "full"},
    "neighbours": {"estimator": None},
    "literal": None,
}


def model(kind, **parameters):
    if KINDS[kind] is None:
        return NoisyLabels.literal(**({"n_init": 2, "random_state": 0} | parameters))
    return NoisyLabels(**({"random_state": 0} | KINDS[kind] | parameters))


def separated(seed, n=300, n_classes=3, n_features=4):
    """Classes five standard deviations apart."""
    codes = np.arange(n) % n_classes
    centres = 5 * np.eye(n_classes, n_features)
    return np.random.default_rng(seed).normal(size=(n, n_features)) + centres[codes], codes


def share(fitted):
    return float(fitted.noise_rates_ @ fitted.class_priors_)


# ---- known truths -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "rate"), [("default", 0.1), ("default", 0.2), ("default", 0.3), ("per-class", 0.2), ("full", 0.2)]
)
def test_the_share_of_wrong_labels_among_separated_classes(kind, rate):
    errors = []
    for seed in range(20):
        X, codes = separated(seed)
        spoiled, changed = flip_uniform(codes, rate, random_state=seed)
        errors.append(share(model(kind).fit(X, spoiled)) - len(changed) / len(codes))
    assert abs(np.mean(errors)) < 0.03


def test_neighbour_densities_find_the_share_at_moderate_noise():
    """At 30 % the few iterations that serve detection best stop short of it: only 10 and 20 % are asked."""
    for rate in (0.1, 0.2):
        errors = []
        for seed in range(20):
            X, codes = separated(seed)
            fitted = model("neighbours", dimension="ambient", transition="per-class").fit(
                X, flip_uniform(codes, rate, random_state=seed).y
            )
            errors.append(share(fitted) - rate)
        assert abs(np.mean(errors)) < 0.03


@pytest.mark.parametrize("kind", ["default", "neighbours"])
def test_wrong_labels_are_found_and_the_true_class_is_named(kind):
    X, codes = separated(1)
    spoiled, changed = flip_uniform(codes, 0.2, random_state=1)
    table = model(kind).fit(X, spoiled).suspects(len(changed))
    found = table["row"].isin(changed).to_numpy()
    assert found.mean() > 0.95
    assert (table["likely"].to_numpy() == codes[table["row"]])[found].mean() > 0.95


@pytest.mark.parametrize("kind", ["default", "per-class"])
def test_unequal_rates_are_told_apart(kind):
    X, codes = separated(2, n=900)
    fitted = model(kind).fit(X, flip_per_class(codes, [0.4, 0.0, 0.1], random_state=0).y)
    np.testing.assert_allclose(fitted.noise_rates_, [0.4, 0.0, 0.1], atol=0.02)


def test_confusions_are_told_apart():
    X, codes = separated(2, n=900)
    truth = np.array([[0.7, 0.3, 0.0], [0.0, 1.0, 0.0], [0.1, 0.1, 0.8]])
    spoiled = flip_by_transition(codes, truth, random_state=0).y
    realised = [[(spoiled[codes == s] == t).mean() for t in range(3)] for s in range(3)]
    fitted = model("full").fit(X, spoiled)
    np.testing.assert_allclose(fitted.transition_, realised, atol=0.02)
    np.testing.assert_allclose(fitted.noise_rates_, 1 - np.diag(fitted.transition_))


def test_equal_rates_stay_equal_by_default():
    X, codes = separated(3)
    fitted = model("default").fit(X, flip_uniform(codes, 0.2, random_state=3).y)
    assert np.ptp(fitted.noise_rates_) < 1e-12


@pytest.mark.parametrize("kind", KINDS)
def test_clean_labels_are_left_alone(kind):
    X, codes = separated(3)
    fitted = model(kind).fit(X, codes)
    assert share(fitted) < 0.01
    np.testing.assert_array_equal(fitted.search_memberships().argmax(axis=1), codes)
    if not fitted.soft:
        np.testing.assert_array_equal(fitted.search_memberships(), HardLabels().fit(X, codes).memberships_)


# ---- the paper ----------------------------------------------------------------------------------


def two_gaussians(seed):
    """Section 3.2: 20 + 20 samples at -1.5 and 1.5, one of class 0 labelled 1."""
    codes = np.repeat([0, 1], 20)
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 1)) + np.where(codes, 1.5, -1.5)[:, None]
    wrong = int(rng.integers(20))
    noisy = codes.copy()
    noisy[wrong] = 1
    return X, codes, noisy, wrong


def test_the_density_of_a_mislabelled_sample_rises(capsys):
    """Figs. 2 and 3 over seeds, eq. 30 before and after.

    It rises in nearly all draws, as the paper shows for one, but not "to the level of its true class", which the rate
    of one wrong label in forty forbids: a fifth of the way at most.
    """
    before, after, level = [], [], []
    for seed in range(40):
        X, codes, noisy, wrong = two_gaussians(seed)
        plain, clean = (reference.class_log_densities(X, np.eye(2)[y], 8) for y in (noisy, codes))
        fitted = NoisyLabels(None, n_neighbors=3, dimension="ambient", transition="per-class", scale=None).fit(X, noisy)
        density = reference.class_log_densities(X, fitted.memberships_, 8)
        joint = density + np.log(fitted.class_priors_) + np.log(fitted.transition_[:, noisy].T + 1e-300)
        before.append(plain[wrong, 1])
        after.append(logsumexp(joint[wrong]) - np.log(np.mean(noisy == 1)))
        level.append(clean[wrong, 0])
    with capsys.disabled():
        medians = np.median([before, after, level], axis=1).round(2)
        print("\nlog-density of the mislabelled sample, medians: plain {}, tolerant {}, true class {}".format(*medians))
    assert np.mean(np.array(after) > before) >= 0.9
    assert np.median(level) - np.median(before) > 1


def test_mutual_information_of_the_illustration_over_seeds(capsys):
    """The paper prints one draw: .58 noisy, .63 clean, .61 tolerant. Ours are distributions, printed."""
    from tamis import mutual_information

    values = []
    for seed in range(100):
        X, codes, noisy, _ = two_gaussians(seed)
        tolerant = NoisyLabels(None, n_neighbors=3, dimension="ambient", transition="per-class", soft=True)
        values.append(
            [
                mutual_information(X, y, labels=labels, estimator="distance")
                for y, labels in ((noisy, "hard"), (codes, "hard"), (noisy, tolerant))
            ]
        )
    noisy, clean, tolerant = np.quantile(values, [0.1, 0.5, 0.9], axis=0).T.round(2)
    with capsys.disabled():
        print(f"\nMI of section 3.2, 10/50/90 %: noisy {noisy}, clean {clean}, tolerant {tolerant}")
    assert noisy[1] == pytest.approx(0.53, abs=0.04)
    assert clean[1] == pytest.approx(0.59, abs=0.04)
    assert noisy[1] < tolerant[1]


@pytest.mark.parametrize("include_self", [False, True])
def test_neighbour_em_is_that_of_the_slow_twin(ugly, include_self):
    X, codes = ugly
    X = np.ldexp(X, -log2_scale(X))
    start = np.full(codes.max() + 1, 0.25)
    first = next(reference.noise_em(X, codes, start, 3, 1, include_self))[0]
    trusted = np.flatnonzero(first.sum(axis=0) < np.bincount(codes) / 2)
    wanted = list(reference.noise_em(X, codes, start, 3, 3, include_self, trusted=trusted))
    for n_iter in (1, 3):
        fitted = NoisyLabels(
            None,
            transition="per-class",
            n_neighbors=3,
            include_self=include_self,
            dimension="ambient",
            initial_rate=0.25,
            max_iter=n_iter,
            tol=0.0,
            scale=None,
        )
        found = _quietly(fitted.fit, X, codes)
        kept = int(np.argmax(found.log_likelihood_))  # the best iterate is kept
        gamma, rates = wanted[kept]
        np.testing.assert_allclose(found.memberships_, gamma, atol=2e-5)
        np.testing.assert_allclose(found.noise_rates_, rates, atol=2e-5)


def _quietly(call, *args):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return call(*args)


# ---- EM -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["default", "per-class", "full"])
def test_the_likelihood_never_falls_with_classifiers(kind):
    X, codes = gaussians(200, 4, 3, seed=5)
    trace = model(kind).fit(X, flip_uniform(codes, 0.2, random_state=0).y).log_likelihood_
    assert len(trace) > 3
    assert (np.diff(trace) > -1e-8 * abs(trace[0])).all()


def test_restarts_cannot_make_the_likelihood_worse():
    X, codes = gaussians(120, 3, 3, seed=6)
    spoiled = flip_uniform(codes, 0.2, random_state=0).y
    few, many = (NoisyLabels(None, n_init=n, max_iter=20, random_state=0).fit(X, spoiled) for n in (1, 6))
    assert many.log_likelihood_.max() >= few.log_likelihood_.max()


@pytest.mark.parametrize(("kind", "tolerance"), [("neighbours", 1e-9), ("literal", 1e-9), ("default", 0.02)])
def test_names_of_classes_do_not_matter(kind, tolerance):
    X, codes = separated(4, n=150)
    spoiled = flip_uniform(codes, 0.2, random_state=0).y
    other = np.array(["z", "m", "a"])[spoiled]  # sorted the other way round
    # Random starts are drawn in the order of the classes: take one that is the same for all.
    parameters = {"initial_rate": 0.3, "n_init": 1} if kind == "literal" else {}
    first, second = model(kind, **parameters).fit(X, spoiled), model(kind, **parameters).fit(X, other)
    np.testing.assert_allclose(second.memberships_[:, ::-1], first.memberships_, atol=tolerance)
    np.testing.assert_allclose(second.transition_[::-1, ::-1], first.transition_, atol=tolerance)


@pytest.mark.parametrize("kind", ["neighbours", "literal"])
def test_order_of_rows_and_common_scale_do_not_matter(kind):
    X, codes = separated(5, n=150)
    spoiled, rows = flip_uniform(codes, 0.2, random_state=0).y, np.random.default_rng(0).permutation(150)
    first = model(kind).fit(X, spoiled)
    second = model(kind).fit(1e3 * X[rows] + 7, spoiled[rows])
    np.testing.assert_allclose(second.memberships_, first.memberships_[rows], atol=1e-8)


def test_the_seed_decides_and_threads_do_not():
    X, codes = separated(6, n=150)
    spoiled = flip_uniform(codes, 0.2, random_state=0).y
    first, second = (NoisyLabels(random_state=3, n_jobs=n).fit(X, spoiled) for n in (1, 2))
    assert first.memberships_.tobytes() == second.memberships_.tobytes()


@pytest.mark.parametrize(
    "estimator",
    [
        LogisticRegression(),
        GaussianNB(),
        RandomForestClassifier(60, oob_score=True, random_state=0),
        [ExtraTreesClassifier(50, min_samples_leaf=5, random_state=0), GaussianNB()],
    ],
    ids=["linear", "bayes", "out of bag", "two"],
)
def test_classifiers_of_ones_own(estimator):
    X, codes = separated(7)
    spoiled, changed = flip_uniform(codes, 0.2, random_state=0)
    fitted = NoisyLabels(estimator, random_state=0).fit(X, spoiled)
    assert fitted.suspects(len(changed))["row"].isin(changed).mean() > 0.9
    assert share(fitted) == pytest.approx(0.2, abs=0.1)  # that of a linear model is too low by 0.05


# ---- degenerate data ----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_ugly_data_never_give_nan(ugly, kind):
    X, codes = ugly
    fitted = _quietly(model(kind).fit, X, codes)
    assert np.isfinite(fitted.memberships_).all()
    np.testing.assert_allclose(fitted.memberships_.sum(axis=1), 1)
    np.testing.assert_allclose(fitted.transition_.sum(axis=1), 1)


def test_a_class_that_would_be_swallowed_at_once_is_trusted_and_named():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 2))
    y = np.where(np.arange(120) < 12, "rare", "common")
    with pytest.warns(UserWarning, match="class 'rare' would be swallowed by others.*Merge it"):
        fitted = NoisyLabels(None, dimension="ambient").fit(X, y)
    np.testing.assert_array_equal(fitted.memberships_[:12], np.tile([0.0, 1.0], (12, 1)))


def test_when_a_class_is_swallowed_later_the_estimate_before_is_kept():
    """Two Gaussians that overlap, in many dimensions, run to convergence."""
    rng = np.random.default_rng(1)
    codes = np.arange(200) % 2
    X = rng.normal(size=(200, 20)) + 3 * np.eye(2, 20)[0] * codes[:, None]
    spoiled = np.array(["left", "right"])[flip_uniform(codes, 0.2, random_state=1).y]
    with pytest.warns(
        UserWarning, match="class '(left|right)' was swallowed by others in iteration .* Merge the class"
    ):
        fitted = NoisyLabels(None, max_iter=200, dimension="ambient", tol=0.0).fit(X, spoiled)
    assert (fitted.memberships_.sum(axis=0) >= np.unique(spoiled, return_counts=True)[1] / 2).all()
    assert fitted.n_iter_ > 0


def test_random_labels_are_kept_with_a_warning():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(200, 3)), rng.integers(0, 2, 200)
    with pytest.warns(UserWarning, match="features tell nothing about the recorded labels"):
        fitted = NoisyLabels(random_state=0).fit(X, y)
    np.testing.assert_array_equal(fitted.memberships_, np.eye(2)[y])
    np.testing.assert_array_equal(fitted.noise_rates_, [0, 0])


@pytest.mark.parametrize("kind", KINDS)
def test_two_samples_a_class_are_enough(kind):
    X = np.array([[0.0, 0], [0, 1], [5, 5], [5, 6], [9, 0], [9, 1]])
    fitted = _quietly(model(kind).fit, X, [0, 0, 1, 1, 2, 2])
    assert np.isfinite(fitted.memberships_).all()


@pytest.mark.parametrize(("kind", "wanted"), [("default", 5), ("neighbours", 6)])
def test_a_small_class_is_named(kind, wanted):
    X, codes = separated(0, n=60)
    y = np.where(np.arange(60) < 3, "rare", np.where(codes == 0, "a", "b"))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        model(kind).fit(X, y)
    assert f"class 'rare' has fewer than the {wanted} samples" in str(said[0].message)


def test_convergence_is_told():
    X, codes = gaussians(150, 4, 2, seed=2)
    spoiled = flip_uniform(codes, 0.1, random_state=0).y
    assert NoisyLabels(GaussianNB(), random_state=0).fit(X, spoiled).converged_
    assert not NoisyLabels(GaussianNB(), random_state=0, max_iter=2).fit(X, spoiled).converged_


@pytest.mark.parametrize(
    ("parameters", "y", "message"),
    [
        ({}, ["a", "a", "b", "b", "c"] * 2 + ["d"], "class 'd' has 1 sample; a noise model needs at least 2. Merge it"),
        ({}, ["a"] * 11, "at least two classes"),
        (
            {"transition": "none"},
            [0, 1] * 5 + [0],
            "transition must be one of 'auto' or 'common' or",
        ),
        ({"refit": "always"}, [0, 1] * 5 + [0], "refit must be one of"),
        ({"estimator": SGDClassifier()}, [0, 1] * 5 + [0], "CalibratedClassifierCV"),
        ({"estimator": "forest"}, [0, 1] * 5 + [0], "estimator must be 'auto', None, or classifiers"),
        ({"initial_rate": 2}, [0, 1] * 5 + [0], "initial_rate must be a number from 0 to 1"),
        ({"max_iter": 0}, [0, 1] * 5 + [0], "max_iter must be a whole number"),
    ],
)
def test_bad_input_is_refused_with_the_way_out(parameters, y, message):
    X = np.random.default_rng(0).normal(size=(11, 2))
    with pytest.raises(ValueError, match=message):
        NoisyLabels(**parameters).fit(X, y)


def test_memberships_are_not_taken():
    with pytest.raises(ValueError, match="memberships are not used when labels='noisy'"):
        NoisyLabels().fit(np.eye(4), [0, 1, 0, 1], memberships=np.eye(4)[:, :2])


# ---- a scikit-learn estimator ---------------------------------------------------------------------


def test_suspects_are_sorted_and_complete():
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    table = NoisyLabels(random_state=0).fit(X, names).suspects()
    assert sorted(table["row"]) == list(range(150))
    assert (np.diff(table["p_wrong"]) <= 0).all()
    assert (table["label"] != table["likely"]).all()
    assert (table["p_likely"] <= table["p_wrong"] + 1e-12).all()
    assert table["label"].tolist() == names[table["row"]].tolist()


@pytest.mark.parametrize("kind", ["default", "neighbours"])
def test_scikit_learns_own_checks(kind):
    _quietly(check_estimator, model(kind))
