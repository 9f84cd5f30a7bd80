"""Backward elimination, several features per pass: against a plain twin, and what the path knows of it."""

import json

import numpy as np
import pytest
import reference
from samples import CHEAP, gaussians, make_ugly, mixed, one_hot
from sklearn.base import clone
from sklearn.naive_bayes import GaussianNB

from tamis import BayesRisk, MutualInformation, NoisyLabels, SequentialSelector, _validation
from tamis.search import Path, Step, backward, batch_sizes, checkpoint
from tamis.views import summarise
from tamis.views.charting import criterion_chart

CRITERIA = [MutualInformation(), MutualInformation(estimator="distance"), BayesRisk("count")]
TIE = 1e-9


def plain_score(criterion, X, P):
    """(score, tie_break) by the slow twins."""
    if isinstance(criterion, MutualInformation):
        return reference.mutual_information(X, P, criterion.n_neighbors, criterion.estimator), 0.0
    return tuple(-risk for risk in reference.bayes_risk(X, P, criterion.n_neighbors))


def plain_sizes(step, left, least):
    """Numbers of features left after each pass."""
    while left > least:
        if step == "auto":
            left = left - 1 if left <= 40 else max(40, left - max(1, left // 10))
        else:
            left -= max(1, int(step * left)) if isinstance(step, float) else step
        left = max(left, least)
        yield left


def plain_batches(criterion, X, P, step, groups=None, required=(), idle=()):
    """Of each pass: features in the order they leave, their prices alone, the score after it."""
    groups = groups or [(f,) for f in range(X.shape[1])]

    def score(parts):
        return plain_score(criterion, X[:, [c for g in parts for c in groups[g]]], P)

    subset, passes = list(range(len(groups))), []
    for left in plain_sizes(step, len(groups), max(1, len(required))):
        value = score(subset)[0]
        without = {f: score([g for g in subset if g != f]) for f in subset}
        waiting, leaving = [f for f in subset if f not in required], []
        while len(subset) - len(leaving) > left:
            pool = [f for f in waiting if f in idle] or waiting
            top = max(without[f][0] for f in pool)
            pool = [f for f in pool if without[f][0] > top - TIE]
            top = max(without[f][1] for f in pool)
            leaving.append(max(f for f in pool if without[f][1] > top - TIE))
            waiting.remove(leaving[-1])
        subset = [f for f in subset if f not in leaving]
        passes.append((leaving, [value - without[f][0] for f in leaving], score(subset)[0]))
    return passes


def same_passes(steps, expected):
    steps = list(steps)
    assert steps[0].feature is None
    assert [s.feature for s in steps[1:]] == [f for leaving, _, _ in expected for f in leaving]
    place = 1
    for leaving, alone, score in expected:
        batch = steps[place : place + len(leaving)]
        assert all(np.isnan(s.score) for s in batch[:-1])
        assert all(s.adds is None for s in batch[1:])
        assert batch[0].adds is not None
        assert batch[-1].score == pytest.approx(score, abs=1e-9)
        if len(batch) > 1:
            np.testing.assert_allclose([s.alone for s in batch], alone, rtol=0, atol=1e-9)
        else:
            assert batch[0].alone is None
        place += len(batch)


@pytest.mark.parametrize("criterion", CRITERIA, ids=str)
@pytest.mark.parametrize("labels", [one_hot, mixed])
@pytest.mark.parametrize("kind", ["plain", "ties", "binary", "duplicated_columns", "constant_columns", "all_equal"])
@pytest.mark.parametrize("step", [2, 3, 100, 0.5])
def test_passes_go_the_plain_way(step, kind, labels, criterion):
    X, codes = make_ugly(kind, n=40, d=7)
    P = labels(codes)
    idle = np.flatnonzero(np.ptp(X, axis=0) == 0).tolist()
    scorer = criterion.scorer(X, P, classes=np.arange(3))
    steps = backward(scorer, X.shape[1], step=step, idle=idle)
    same_passes(steps, plain_batches(criterion, X, P, step, idle=idle))


@pytest.mark.parametrize("criterion", CRITERIA, ids=str)
@pytest.mark.parametrize("step", [2, 0.4])
def test_with_groups_required_and_constant_ones(step, criterion):
    X, codes = make_ugly("duplicated_columns", n=40, d=9)
    X[:, 5] = 3.0
    groups, required, idle = [(0, 4), (1,), (2, 8, 9), (3,), (5,), (6, 7), (10,)], {1, 4}, {3, 4}
    X[:, 3] = -1.0
    P = one_hot(codes)
    scorer = criterion.scorer(X, P, classes=np.arange(3), groups=groups)
    expected = plain_batches(criterion, X, P, step, groups, required, idle)
    assert expected[0][0][0] == 3
    same_passes(backward(scorer, 7, step=step, required=required, idle=idle), expected)


def test_a_tenth_while_there_are_many_goes_the_plain_way():
    X, codes = gaussians(30, 47, 2, seed=1, informative=4)
    criterion, P = MutualInformation(), one_hot(codes)
    steps = list(backward(criterion.scorer(X, P, classes=[0, 1]), 47, step="auto", required=set(range(36))))
    same_passes(steps, plain_batches(criterion, X, P, "auto", required=set(range(36))))
    assert [s.alone is not None for s in steps] == [False] + 7 * [True] + 4 * [False]


@pytest.mark.parametrize(
    ("step", "n", "required", "expected"),
    [
        ("auto", 40, 0, (1,) * 39),
        ("auto", 41, 0, (1,) * 40),
        ("auto", 45, 0, (4,) + (1,) * 40),
        ("auto", 60, 50, (6, 4)),
        ("auto", 100, 38, (10, 9, 8, 7, 6, 6, 5, 4, 4, 1, 1, 1)),
        (7, 20, 0, (7, 7, 5)),
        (2**31 - 1, 20, 3, (17,)),
        (0.5, 10, 0, (5, 2, 1, 1)),
        (0.999, 5, 0, (4,)),
        (1e-300, 4, 0, (1, 1, 1)),
        (3, 5, 5, ()),
        ("auto", 1, 0, ()),
    ],
)
def test_how_many_leave(step, n, required, expected):
    assert batch_sizes(step, n, required) == expected
    left = list(plain_sizes(step, n, max(1, required)))
    assert [n - sum(expected[: i + 1]) for i in range(len(expected))] == left


@pytest.mark.parametrize("n_features", [1, 2, 40])
def test_up_to_forty_features_the_default_is_the_exact_search(n_features):
    X, codes = gaussians(60, n_features, 2, seed=2)
    scorer = MutualInformation().scorer(X, one_hot(codes), classes=[0, 1])
    exact = list(backward(scorer, n_features, step=1))
    assert list(backward(scorer, n_features, step="auto")) == exact
    assert list(backward(scorer, n_features)) == exact
    if n_features == 40:  # some scores, none of them unknown
        assert np.isfinite([s.score for s in exact]).all()


def test_the_path_has_nested_subsets_gains_and_adds():
    X, codes = gaussians(80, 11, 3, seed=3)
    criterion, P = MutualInformation(), one_hot(codes)
    scorer = criterion.scorer(X, P, classes=np.arange(3))
    path = Path("backward", 11, tuple(range(11)), tuple(backward(scorer, 11, step=4)))
    assert path.sizes.tolist() == list(range(11, 0, -1))
    for n in range(2, 12):
        assert set(path.subset(n - 1)) < set(path.subset(n))
    assert np.flatnonzero(np.isfinite(path.scores)).tolist() == [0, 4, 8, 10]
    gains, start = path.gains(), list(range(11))
    for leaving, alone, _ in plain_batches(criterion, X, P, 4):
        np.testing.assert_allclose(gains[leaving], alone, rtol=0, atol=1e-9)
        adds = path.adds(len(start))
        np.testing.assert_allclose(adds[[start.index(f) for f in leaving]], alone, rtol=0, atol=1e-9)
        assert all(path.adds(len(start) - n) is None for n in range(1, len(leaving)))
        start = [f for f in start if f not in leaving]
    assert gains[start] == path.scores[-1] == path.adds(1)


def test_infinite_scores_that_are_equal_cost_nothing():
    class Infinite:
        def of(self, subset):
            return np.array([-np.inf, 0.0])

        def without_each(self, subset):
            return np.array([[-np.inf, 0.0]] * len(subset))

    steps = list(backward(Infinite(), 4, step=2))
    assert [s.alone for s in steps] == [None, 0.0, 0.0, None]
    assert [s.feature for s in steps] == [None, 3, 2, 1]


def test_one_pass_scores_each_subset_once():
    class Counting:
        def __init__(self):
            self.passes, self.asked = [], []

        def of(self, subset):
            self.asked.append(len(subset))
            return np.array([float(len(subset)), 0.0])

        def without_each(self, subset):
            self.passes.append(len(subset))
            return np.zeros((len(subset), 2))

    scorer = Counting()
    list(backward(scorer, 20, step=0.25))
    # 20 -> 15 -> 12 -> 9 -> 7 -> 6 -> 5 -> ... -> 1
    assert scorer.passes == [20, 15, 12, 9, 7, 6, 5, 4, 3, 2]
    assert scorer.asked == [20, 15, 12, 9, 7]


def test_a_step_is_saved_with_its_price():
    step = Step(3, 0.5, None, (0.1, 0.2), -1 / 3)
    assert Step.of(json.loads(json.dumps(step.record()))) == step


X, CODES = gaussians(120, 9, 3, seed=6, informative=3)
SELECTORS = {
    "on folds": SequentialSelector(step=3, random_state=0, **CHEAP),
    "a number": SequentialSelector(n_features_to_select=3, step=3),
    "a share": SequentialSelector(n_features_to_select=3, step=0.4),
    "all at once": SequentialSelector(n_features_to_select=2, step=8),
    "groups": SequentialSelector(
        feature_groups=[[0, 1], [2], [3, 4], [5], [6], [7], [8]], step=2, n_features_to_select=4
    ),
    "required": SequentialSelector(required_features=[5, 8], step=3, n_features_to_select=4),
    "noisy": SequentialSelector(labels=NoisyLabels(GaussianNB(), random_state=0), step=3, n_features_to_select=3),
    "noisy, each step": SequentialSelector(
        labels=NoisyLabels(None, refit="each-step"), step=3, random_state=0, **CHEAP
    ),
    "noisy, a number": SequentialSelector(
        labels=NoisyLabels(None, refit="each-step"), step=3, n_features_to_select=4, random_state=0
    ),
}
NO_FEATURE = pytest.mark.filterwarnings("ignore:no feature predicts")


def same(one, other):
    assert repr(one.path_.steps) == repr(other.path_.steps)  # NaN differs from itself
    for name in ("pvalues_", "roles_", "support_", "memberships_", "scores_", "ranking_"):
        np.testing.assert_array_equal(getattr(one, name, None), getattr(other, name, None))


def rewrite(file, records):
    """The same file with other records and the checksum of that."""
    content = json.loads(file.read_text())
    del content["sha256"]
    content["records"] = records
    file.write_text(json.dumps({**content, "sha256": _validation.digest(content)}))


@NO_FEATURE
@pytest.mark.parametrize("kind", SELECTORS)
def test_a_search_goes_on_from_any_record(kind, tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoint, "_SECONDS", 0.0)
    whole = clone(SELECTORS[kind]).fit(X, CODES)
    file = tmp_path / "search.json"
    same(whole, clone(SELECTORS[kind]).set_params(checkpoint=file).fit(X, CODES))
    records = json.loads(file.read_text())["records"]
    for n in range(len(records) + 1):
        rewrite(file, records[:n])
        same(whole, clone(SELECTORS[kind]).set_params(checkpoint=file).fit(X, CODES))
        assert repr(json.loads(file.read_text())["records"]) == repr(records)


@NO_FEATURE
@pytest.mark.parametrize("kind", SELECTORS)
def test_threads_change_no_bit(kind):
    same(clone(SELECTORS[kind]).fit(X, CODES), clone(SELECTORS[kind]).set_params(n_jobs=2).fit(X, CODES))


@pytest.mark.parametrize(
    ("place", "field", "value"),
    [
        (1, 1, 0.5),  # a score within a pass
        (1, 4, None),  # no price of its own
        (1, 4, 1),
        (2, 3, [0.1] * 8),  # adds of a subset within a pass
        (0, 4, 0.5),  # a price of nothing
        (1, 3, []),
    ],
)
def test_records_of_no_such_pass_are_refused(place, field, value, tmp_path):
    file = tmp_path / "search.json"
    clone(SELECTORS["a number"]).set_params(checkpoint=file).fit(X, CODES)
    records = json.loads(file.read_text())["records"]
    records[place][field] = value
    rewrite(file, records)
    with pytest.raises(ValueError, match=f"must hold the steps of this search; record {place + 1} of"):
        clone(SELECTORS["a number"]).set_params(checkpoint=file).fit(X, CODES)


def test_another_step_is_another_search(tmp_path):
    file = tmp_path / "search.json"
    SequentialSelector(n_features_to_select=3, step=2, checkpoint=file).fit(X, CODES)
    with pytest.raises(ValueError, match="was with step=2, now it is 3"):
        SequentialSelector(n_features_to_select=3, step=3, checkpoint=file).fit(X, CODES)


def test_labels_are_estimated_once_per_pass(monkeypatch):
    fitted = []
    fit_again = NoisyLabels.fit_again
    monkeypatch.setattr(NoisyLabels, "fit_again", lambda self, Z: (fitted.append(Z.shape[1]), fit_again(self, Z))[1])
    labels = NoisyLabels(None, refit="each-step")
    found = SequentialSelector(labels=labels, step=3, n_features_to_select=2, random_state=0).fit(X, CODES)
    assert fitted == [6, 3]  # on all nine they come fitted
    rates = found.path_.noise_rates
    assert (rates[1:4] == rates[1]).all()
    assert (rates[4:7] == rates[4]).all()
    assert (rates[1] != rates[4]).any()


@pytest.mark.parametrize("seed", range(6))
def test_informative_features_stay_to_the_last(seed):
    """Each of four shifted features has information that the others have not."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, 400)
    Z = rng.normal(size=(400, 120))
    Z[:, :4] += 1.5 * y[:, None]
    found = SequentialSelector(n_features_to_select=4).fit(Z, y)
    assert found.path_.sizes.tolist() == list(range(120, 0, -1))
    assert np.flatnonzero(found.support_).tolist() == [0, 1, 2, 3]
    assert np.isfinite(found.scores_).all()
    assert np.isfinite(found.path_.scores[found.path_.sizes <= 40]).all()


def test_forward_ignores_it():
    one, other = (SequentialSelector(direction="forward", n_features_to_select=4, step=s).fit(X, CODES) for s in (1, 5))
    same(one, other)


def test_a_chart_joins_the_known_scores():
    summary = summarise(SequentialSelector(n_features_to_select=3, step=3).fit(X, CODES))
    json.dumps(summary, allow_nan=False)
    chart = criterion_chart(summary, 400, 300)
    assert chart.line.count("M") == 1
    assert chart.line.count("L") == 3  # sizes 9, 6, 3 and 1


@pytest.mark.parametrize("step", [0, -1, 1.0, 1.5, 0.0, -0.5, np.nan, np.inf, True, None, "half", "1", [1], 2**31])
def test_steps_that_are_none(step):
    with pytest.raises(ValueError, match=r"step must be 'auto', a whole .* fraction in \(0, 1\).*; got .*\. Use 1"):
        SequentialSelector(n_features_to_select=2, step=step).fit(X, CODES)
