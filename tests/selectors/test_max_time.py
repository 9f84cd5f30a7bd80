"""A fit that must end in time gives the best answer that fits, and says what it left out."""

import json
import re

import joblib
import numpy as np
import pytest
from samples import gaussians
from sklearn.naive_bayes import GaussianNB
from slow import Clock, Slow, SlowJudge

from tamis import BlanketSelector, RankingSelector, SequentialSelector, _validation
from tamis.search import Pace, Plan, Unhurried, backward, batch_sizes
from tamis.search.pace import now as real_clock

X, CODES = gaussians(90, 30, 3, seed=6, informative=4)
SEARCH = sum(m + 25 for m in range(2, 31))
"""Seconds of a search that removes one feature after the other."""
FOLD = 0.64 * SEARCH + 10 * 13
"""About the seconds of a fold: a search on four fifths of the rows, and judges of 13 sizes."""


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    monkeypatch.setattr("tamis.search.pace.now", Clock.tell)
    monkeypatch.setattr("tamis.selectors._how_many.judge_seconds", lambda coordinates, sizes, *_: 10.0 * len(sizes))
    Clock.now, Slow.passes = 0.0, []


def selector(**how):
    return SequentialSelector(Slow(), random_state=0, **({"judge": SlowJudge(), "n_repeats": 1} | how))


def same(one, other):
    assert one.path_.order.tolist() == other.path_.order.tolist()
    assert one.path_.scores.tobytes() == other.path_.scores.tobytes()
    np.testing.assert_array_equal(one.support_, other.support_)
    for name in ("loss", "error", "frequency", "n_chosen", "n_runs"):
        if hasattr(one, "evidence_"):
            np.testing.assert_array_equal(getattr(one.evidence_, name), getattr(other.evidence_, name))


def time_of(**how):
    """Seconds of a fit that nobody hurries, after its search and in all."""
    Clock.now = 0.0
    whole = selector(**how).fit(X, CODES)
    return whole, Clock.now


def test_the_cost_of_a_plan_in_closed_form():
    plan = Plan(lambda left: 1, lambda left, moved: left, 10, 1)
    assert [plan.rest(left) for left in (1, 2, 3, 10)] == [0, 0, 2, sum(range(2, 10))]
    assert plan.total == sum(range(2, 11))
    halves = Plan(lambda left: left // 2, lambda left, moved: left + moved, 16, 1)
    assert halves.total == 16 + (8 + 8) + (4 + 4) + (2 + 2)
    assert [halves.size(left) for left in (16, 3, 2)] == [8, 1, 1]


def test_nothing_depends_on_a_clock_without_max_time(monkeypatch):
    found = selector().fit(X, CODES)
    assert found.limited_ is None
    monkeypatch.setattr("tamis.search.pace.now", real_clock)
    same(found, selector().fit(X, CODES))


def test_enough_time_changes_nothing():
    whole, seconds = time_of()
    Clock.now = 0.0
    found = selector(max_time=2 * seconds).fit(X, CODES)
    assert found.limited_ is None
    same(whole, found)


def test_what_is_said_to_take_so_long_does(capsys):
    selector(n_features_to_select=3, verbose=1, n_jobs=1).fit(X, CODES)
    said = capsys.readouterr().err
    assert Clock.now == SEARCH
    assert re.findall(r"90 rows, 30 features, 1 thread: about (\d+ \w+) *\n", said) == [f"{SEARCH / 60:.0f} min"]
    assert said.count("\n") == 2


def test_the_bar_is_linear_in_time(capsys):
    _, seconds = time_of(n_repeats=2)
    Clock.now = 0.0
    selector(n_repeats=2, verbose=1).fit(X, CODES)
    bars = [
        (len(found[1]), found[2]) for found in re.finditer(r"\[(#*)\.*\] (fold \d+) of 10", capsys.readouterr().err)
    ]
    assert [where for _, where in bars] == [f"fold {n}" for n in range(1, 11)]
    for filled, where in bars:  # roles and correlations, which take no time here, are planned for
        passed = SEARCH + int(where[5:]) * (seconds - SEARCH) / 10
        assert abs(filled - 20 * passed / seconds) <= 1.5


def test_repetitions_that_may_not_be_needed_are_at_most(capsys, monkeypatch):
    monkeypatch.setattr("tamis.selectors._how_many._seconds", lambda *how: 1.0)
    monkeypatch.setattr("tamis.selectors._how_many.judge_seconds", lambda *how: 0.0)
    for n_repeats, said in (("auto", "1 thread: about "), (2, "1 thread: about ")):
        selector(n_repeats=n_repeats, cv=4, verbose=1, n_jobs=1).fit(X, CODES)
        assert said in capsys.readouterr().err
    monkeypatch.setattr("tamis.selectors._how_many._seconds", lambda *how: 0.01)
    selector(n_repeats="auto", cv=2, verbose=1, n_jobs=1).fit(X, CODES)
    assert "1 thread: at most about " in capsys.readouterr().err


@pytest.mark.parametrize("step", ["auto", 1, 2, 0.2])
def test_a_search_takes_larger_steps_to_end_in_time(step):
    Clock.now = 0.0
    whole = selector(n_features_to_select=3, step=step).fit(X, CODES)
    seconds = Clock.now
    shares = []
    for part in (0.9, 0.5, 0.2):
        Clock.now = 0.0
        found = selector(n_features_to_select=3, step=step, max_time=part * seconds).fit(X, CODES)
        assert Clock.now <= part * seconds
        assert sorted([*found.path_.order, *found.path_.subset(1)]) == list(range(30))
        assert found.n_features_ == 3
        assert str(found.limited_).startswith(f"stopped by max_time={part * seconds:g} s: up to ")
        shares.append(int(re.search(r"up to (\d+) %", found.limited_.cut[0])[1]))
        whole_steps = [s for s in whole.path_.steps if not np.isnan(s.score)]
        assert sum(not np.isnan(s.score) for s in found.path_.steps) < len(whole_steps)
    assert shares == sorted(shares)


def test_no_time_at_all_is_one_pass():
    found = selector(n_features_to_select=3, max_time=1e-9).fit(X, CODES)
    assert Clock.now == 30 + 25
    assert found.limited_.cut == (
        "up to 97 % of the features left moved in one pass",
        "it is not known which features are correlated",
    )
    assert (found.correlated_, found.n_compared_) == (None, 0)
    exact = SequentialSelector(n_features_to_select=29).fit(X, CODES)
    assert found.path_.order[0] == exact.path_.order[0]
    alone = [step.alone for step in found.path_.steps[1:]]
    assert alone == sorted(alone)


def test_required_features_and_groups_stay_in_a_hurry():
    groups = [[3 * g, 3 * g + 1, 3 * g + 2] for g in range(10)]
    how = {"feature_groups": groups, "required_features": [27, 28, 29], "n_features_to_select": 6}
    found = selector(max_time=1.0, **how).fit(X, CODES)
    assert found.support_[27:].all()
    assert found.n_features_ == 6
    assert found.limited_ is not None


def test_the_search_leaves_time_for_two_folds():
    whole, seconds = time_of()
    fold = (seconds - SEARCH) / 5
    Clock.now = 0.0
    found = selector(max_time=0.6 * SEARCH + 2.5 * fold).fit(X, CODES)
    assert "of the features left moved in one pass" in found.limited_.cut[0]
    assert found.evidence_.n_runs >= 2
    assert whole.evidence_.n_runs == 5


def test_folds_search_as_the_search_in_a_hurry_did():
    """The whole procedure is judged: the same subsets are scored on folds."""
    found = selector(max_time=SEARCH + FOLD).fit(X, CODES)
    on_all = [m for n_rows, m in Slow.passes if n_rows == 90]
    assert 2 < len(on_all) < 29
    assert [m for n_rows, m in Slow.passes if n_rows != 90] == on_all * found.evidence_.n_runs


def test_folds_of_a_search_that_went_on_in_a_hurry(tmp_path):
    """Passes from a checkpoint count as well."""
    file = tmp_path / "search.json"
    selector(checkpoint=file, n_features_to_select="auto", n_repeats=1, cv=2).fit(X, CODES)
    content = json.loads(file.read_text())
    del content["sha256"]
    content |= {"records": content["records"][:13], "parts": {}}
    file.write_text(json.dumps({**content, "sha256": _validation.digest(content)}))
    Clock.now, Slow.passes = 0.0, []
    found = selector(checkpoint=file, cv=2, max_time=1000.0).fit(X, CODES)
    begins = [place for place, (n_rows, _) in enumerate(Slow.passes) if n_rows != 90]
    assert "moved in one pass" in found.limited_.cut[0]
    taken = [m for _, m in Slow.passes[begins[0] :]]
    first, second = taken[: len(taken) // 2], taken[len(taken) // 2 :]
    assert first == second == [*range(30, 18, -1), *(m for _, m in Slow.passes[: begins[0]])]


def test_sizes_of_another_search_are_followed():
    score = SequentialSelector(n_features_to_select=1).fit(X, CODES).path_  # any order will do
    worth = {f: place for place, f in enumerate(score.order.tolist())}

    class Scorer:
        sampling = None

        def of(self, subset):
            return np.array([float(sum(worth.get(f, 99) for f in subset)), 0.0])

        def without_each(self, subset):
            return np.array([[self.of(subset)[0] - worth.get(f, 99), 0.0] for f in subset])

    taken = list(backward(Scorer(), 30, pace=Unhurried([30, 20, 8, 4])))
    ends = [place for place, step in enumerate(taken) if not np.isnan(step.score)]
    assert [30 - place for place in ends] == [30, 20, 8, 4, 3, 2, 1]
    assert [step.feature for step in taken[1:]] == score.order.tolist()


@pytest.mark.parametrize("n_folds", [2, 3, 4])
def test_folds_end_where_time_does(n_folds):
    whole, seconds = time_of()
    fold = (seconds - SEARCH) / 5
    Clock.now = 0.0
    limit = SEARCH + (n_folds + 0.5) * fold
    found = selector(max_time=limit).fit(X, CODES)
    assert Clock.now <= limit
    assert found.limited_.cut == (f"{n_folds} of 5 folds were judged",)
    assert (found.evidence_.n_runs, found.evidence_.n_folds, found.evidence_.n_repeats) == (n_folds, 5, 1)
    assert found.path_.scores.tobytes() == whole.path_.scores.tobytes()
    low, high = found.evidence_.expected_error_interval
    wide = whole.evidence_.expected_error_interval
    assert high - low > wide[1] - wide[0]


def test_fewer_sizes_are_judged_if_two_folds_do_not_fit():
    """A fold takes 130 seconds, all of them those of 13 sizes."""
    how = {"judge": SlowJudge(), "n_repeats": 1, "random_state": 0}
    all_sizes = SequentialSelector(max_time=300.0, **how).fit(X, CODES)
    Clock.now = 0.0
    found = SequentialSelector(max_time=150.0, **how).fit(X, CODES)
    assert Clock.now == 120
    assert all_sizes.limited_.cut == ("2 of 5 folds were judged",)
    assert found.limited_.cut == ("6 of 13 sizes were judged; 2 of 5 folds were judged",)
    at = np.searchsorted(all_sizes.evidence_.sizes, found.evidence_.sizes)
    assert found.evidence_.sizes.tolist() == all_sizes.evidence_.sizes[at].tolist()
    assert found.evidence_.sizes[[0, -1]].tolist() == [1, 30]
    assert found.evidence_.loss.tobytes() == all_sizes.evidence_.loss[at].tobytes()


def test_whole_repetitions_count_and_others_are_not_begun():
    once, _ = time_of(n_repeats=1)
    _, seconds = time_of(n_repeats=3)
    Clock.now = 0.0
    found = selector(n_repeats=3, max_time=SEARCH + 0.6 * (seconds - SEARCH)).fit(X, CODES)
    same(once, found)
    assert found.limited_.cut == ("the folds were repeated 1 of 3 times",)
    assert Clock.now < SEARCH + 0.4 * (seconds - SEARCH)


def test_workers_do_whole_repetitions_or_none():
    how = {"judge": GaussianNB(), "cv": 3, "n_repeats": 2, "random_state": 0}
    whole = SequentialSelector(**how).fit(X, CODES)
    with joblib.parallel_config(backend="loky", n_jobs=2):
        same(whole, SequentialSelector(max_time=1000.0, **how).fit(X, CODES))
        with pytest.warns(UserWarning, match="max_time is too short for folds"):
            none = SequentialSelector(max_time=1.0, **how).fit(X, CODES)
    assert none.limited_.cut == ("no folds were judged",)
    same(SequentialSelector(n_features_to_select=30).fit(X, CODES), none)


def test_without_folds_it_is_not_known_how_many():
    with pytest.warns(UserWarning, match="max_time is too short for folds, so that it is not known how many"):
        found = selector(max_time=250.0).fit(X, CODES)
    assert "no folds were judged" in found.limited_.cut
    assert found.n_features_ == 30
    assert not hasattr(found, "evidence_")


def test_roles_are_left_out_when_nothing_is_left(monkeypatch):
    whole, seconds = time_of()
    monkeypatch.setattr("tamis.search.pace._AFTER", 0.0)
    Clock.now = 0.0
    found = selector(max_time=seconds).fit(X, CODES)
    assert found.limited_.cut == (
        "it is not known which features can replace which",
        "it is not known which features are correlated",
    )
    assert set(found.roles_[found.support_]) == {"needed"}
    assert set(found.roles_[~found.support_]) == {"not known"}
    assert found.swaps_ == {}
    np.testing.assert_array_equal(found.support_, whole.support_)


def test_a_growing_search_ends_early():
    whole = selector(direction="forward", n_features_to_select=12).fit(X, CODES)
    seconds = Clock.now
    Clock.now = 0.0
    found = selector(direction="forward", n_features_to_select=12, max_time=0.5 * seconds).fit(X, CODES)
    n = found.n_features_
    assert 1 <= n < 12
    assert found.limited_.cut[0] == f"the search ended with {12 - n} features still to add"
    np.testing.assert_array_equal(found.path_.order, whole.path_.order[:n])


def test_a_growing_search_on_folds_goes_as_far():
    found = selector(direction="forward", max_time=12_000.0).fit(X, CODES)
    n = found.path_.sizes.max()
    assert n < 30
    assert found.evidence_.sizes[-1] == n
    assert found.evidence_.n_runs >= 2


def test_a_ranking_is_always_whole():
    how = {"n_features_to_select": "auto", "judge": SlowJudge(), "random_state": 0, "cv": 3, "n_repeats": 1}
    with pytest.warns(UserWarning, match="max_time is too short for folds"):
        found = RankingSelector(Slow(), max_time=1.0, **how).fit(X, CODES)
    assert len(found.path_.order) == 30
    assert found.limited_.cut[0] == "no folds were judged"


@pytest.fixture
def slow_deltas(monkeypatch):
    from tamis.estimates.blanket import BlanketJudge

    plain = BlanketJudge.deltas

    def deltas(judge, features, companions):
        Clock.now += len(features)
        return plain(judge, features, companions)

    monkeypatch.setattr(BlanketJudge, "deltas", deltas)


def test_a_blanket_elimination_lets_several_leave_at_once(slow_deltas, tmp_path):
    whole = BlanketSelector(n_features_to_select=3, n_conditioning=3, n_bins=10).fit(X, CODES)
    seconds = Clock.now
    Clock.now, file = 0.0, tmp_path / "search.json"
    how = {"n_features_to_select": 3, "random_state": 0, "checkpoint": file}
    found = BlanketSelector(max_time=0.5 * seconds, n_conditioning=3, n_bins=10, **how).fit(X, CODES)
    assert Clock.now < seconds
    assert "moved in one pass" in found.limited_.cut[0]
    assert sorted([*found.path_.order, *found.path_.subset(1)]) == list(range(30))
    same(whole, BlanketSelector(n_conditioning=3, n_bins=10, **how).fit(X, CODES))


def test_features_by_themselves(slow_deltas, capsys):
    """A search that is expected to take no time."""
    how = {"n_conditioning": 0, "n_bins": 10, "random_state": 0, "judge": SlowJudge(), "n_repeats": 1}
    found = BlanketSelector(max_time=1e6, verbose=1, **how).fit(X, CODES)
    assert found.limited_ is None
    same(BlanketSelector(**how).fit(X, CODES), found)


@pytest.mark.parametrize(
    ("how", "limit"),
    [
        ({"n_features_to_select": 3}, 0.5 * SEARCH),
        ({}, 0.5 * SEARCH + 2 * FOLD),
        ({}, SEARCH + 4 * FOLD),
        ({}, SEARCH + FOLD),
        ({"direction": "forward"}, 12_000.0),
        ({"direction": "forward", "n_features_to_select": 8}, 2000.0),
    ],
)
def test_a_run_that_was_cut_goes_on_with_more_time(how, limit, tmp_path):
    whole, _ = time_of(**how)
    file = tmp_path / "search.json"
    Clock.now = 0.0
    cut = selector(checkpoint=file, max_time=limit, **how).fit(X, CODES)
    assert cut.limited_ is not None
    kept = json.loads(file.read_text())
    Clock.now = 0.0
    again = selector(checkpoint=file, **how).fit(X, CODES)
    assert again.limited_ is None
    same(whole, again)
    done = json.loads(file.read_text())
    assert done["records"][: len(kept["records"])] == kept["records"]
    assert all(done["parts"][number][: len(part)] == part for number, part in kept["parts"].items())


def test_folds_that_are_kept_are_not_searched_again(tmp_path):
    how = {"checkpoint": tmp_path / "search.json"}
    whole, seconds = time_of()
    for _ in range(4):
        Clock.now = 0.0
        found = selector(max_time=0.6 * seconds, **how).fit(X, CODES)
    assert found.limited_ is None
    same(whole, found)


@pytest.mark.parametrize("value", [0, -1, "10m", True, float("nan"), float("inf"), [1]])
def test_times_that_are_none(value):
    for kind in (SequentialSelector, RankingSelector, BlanketSelector):
        with pytest.raises(ValueError, match="max_time must be a positive number of seconds, or None"):
            kind(max_time=value).fit(X, CODES)


def test_a_pace_that_nobody_asks_plans_nothing():
    def refuse(share):
        raise AssertionError

    pace = Pace()
    pace.begin_search(refuse)
    assert [pace.scored(left, 1) for left in (3, 2)] == [1, 1]
    assert pace.to_go() is None
    assert sum(batch_sizes(1, 3)) == 2
