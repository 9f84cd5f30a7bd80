"""How many conditioning features and levels: chosen by the loss on rows that a search has not seen."""

import json

import numpy as np
import pandas as pd
import pytest
from samples import CHEAP, gaussians, mixed, one_hot
from scipy import sparse

from tamis import BlanketSelector, ClassDistance, MultiLabels, NoisyLabels
from tamis.search import checkpoint
from tamis.selectors import _conditioning, blanket
from tamis.selectors._conditioning import Conditioning

X, CODES = gaussians(200, 6, 3, seed=6, informative=3)
GRID = {Conditioning(n, bins) for n in (1, 2, 3) for bins in (5, 10)}
USUAL = Conditioning(2, 10)
MATRIX = np.array([[0, 1, 4], [1, 0, 4], [4, 4, 0.0]])


def fitted(X=X, y=CODES, *, rows=None, **how):
    how = {"n_features_to_select": 1, "random_state": 0} | how
    return BlanketSelector(**how).fit(X, y, **(rows or {}))


def chosen(selector) -> Conditioning:
    return Conditioning(selector.n_conditioning_, selector.n_bins_)


def same(one, other):
    assert chosen(one) == chosen(other)
    assert one.path_.order.tolist() == other.path_.order.tolist()
    assert one.path_.scores.tobytes() == other.path_.scores.tobytes()
    np.testing.assert_array_equal(one.support_, other.support_)


@pytest.fixture
def calls(monkeypatch):
    """Arguments of every choice, and what was chosen."""
    found = []

    def counted(selector, procedure, columns, labels, distance, rows, seed):
        found.append(
            (
                columns,
                seed,
                _conditioning.choose_conditioning(selector, procedure, columns, labels, distance, rows, seed),
            )
        )
        return found[-1][-1]

    monkeypatch.setattr(blanket, "choose_conditioning", counted)
    return found


@pytest.fixture
def losses(monkeypatch):
    """What was compared: losses of each setting for rows left out, and the place of the usual one."""
    found, better = [], _conditioning._better

    def watched(*args):
        found.append(args)
        return better(*args)

    monkeypatch.setattr(_conditioning, "_better", watched)
    return found


@pytest.mark.parametrize("seed", range(3))
def test_one_of_a_few_settings_is_chosen_and_used(seed):
    Z, codes = gaussians(150, 8, 3, seed=seed)
    found = fitted(Z, codes)
    assert chosen(found) in GRID
    same(found, fitted(Z, codes, n_conditioning=found.n_conditioning_, n_bins=found.n_bins_))
    first = int(found.path_.order[0])
    assert len(found.blanket(first)) == found.n_conditioning_


def test_settings_that_are_given_are_kept(calls):
    given = fitted(n_conditioning=5, n_bins=7)
    assert chosen(given) == (5, 7)
    assert calls == []
    with_levels = fitted(n_bins=7)
    assert with_levels.n_bins_ == 7
    assert with_levels.n_conditioning_ in (1, 2, 3)
    alone = fitted(n_conditioning=0)
    assert alone.n_conditioning_ == 0
    assert alone.n_bins_ in (5, 10)
    assert len(calls) == 2
    assert alone.get_params()["n_bins"] == with_levels.get_params()["n_conditioning"] == "auto"


def test_levels_are_in_question_only_if_there_are_more_values(losses):
    assert fitted(np.clip(np.round(X), -2, 2)).n_bins_ == 10
    assert len(losses[-1][0]) == 3
    fitted()
    assert len(losses[-1][0]) == 6
    few_levels = fitted(np.clip(np.round(X), -2, 2), n_conditioning=1)
    assert chosen(few_levels) == (1, 10)
    assert len(losses) == 2
    assert fitted(np.clip(np.round(X), -2, 2), bins=None).n_bins_ == 10
    assert len(losses[-1][0]) == 3


def test_every_row_is_judged_once_by_each_setting(losses):
    fitted()
    found, usual, rows = losses[0]
    assert [len(loss) for loss in found] == [200] * 6
    assert all((loss >= 0).all() for loss in found)
    assert (rows.group, rows.weight, rows.time) == (None, None, None)
    assert [Conditioning(n, b) for n in (1, 2, 3) for b in (10, 5)][usual] == USUAL


def test_the_usual_setting_is_left_only_for_one_that_is_significantly_better():
    rng, rows = np.random.default_rng(0), _conditioning.Rows()
    usual = rng.uniform(size=100)
    better = usual - 0.1 - 0.1 * rng.normal(size=100)
    slightly = usual - 0.01 + rng.normal(size=100) - 0.0
    slightly += usual.mean() - 0.01 - slightly.mean()
    assert _conditioning._better([usual, better], 0, rows) == 1
    assert _conditioning._better([better, usual], 1, rows) == 0
    assert _conditioning._better([usual, slightly], 0, rows) == 0
    assert _conditioning._better([usual, usual + 1], 0, rows) == 0
    assert _conditioning._better([usual, usual], 1, rows) == 1


def test_numbers_of_threads_and_repetitions_do_not_matter():
    Z, codes = gaussians(200, 10, 4, seed=3)
    first = fitted(Z, codes, n_features_to_select="auto", **CHEAP)
    for n_jobs in (1, 2):
        same(first, fitted(Z, codes, n_features_to_select="auto", n_jobs=n_jobs, **CHEAP))


@pytest.mark.parametrize("matrix", [MATRIX, ClassDistance.from_vectors([[0.0, 0], [1, 0], [5, 7]]).matrix])
def test_the_unit_of_the_distance_does_not_matter(matrix, losses):
    one = fitted(class_distance=matrix)
    for factor in (2, 1e6, 1e-200):
        other = fitted(class_distance=factor * matrix)
        assert chosen(one) == chosen(other)
        assert one.path_.order.tolist() == other.path_.order.tolist()
    scale = [np.mean(found[0][0]) for found in losses]
    for found, mean in zip(losses, scale, strict=True):
        np.testing.assert_allclose(np.array(found[0]) / mean, np.array(losses[0][0]) / scale[0], rtol=1e-4, atol=1e-6)


TWO = pd.DataFrame(X[:, :2], columns=["a", "b"])
TABLES = {
    "sparse": sparse.csr_array(np.where(X > 0, X, 0)),
    "sparse columns": sparse.csc_matrix(np.where(X > 0, X, 0)),
    "missing": np.where(np.random.default_rng(0).random(X.shape) < 0.2, np.nan, X),
    "categories": TWO.assign(kind=pd.Categorical(np.array(list("xyz"))[np.roll(CODES, 5)])),
    "constants": np.column_stack([X, np.ones(200)]),
    "a list": X.tolist(),
}


@pytest.mark.parametrize("kind", TABLES)
def test_every_kind_of_table(kind, calls):
    found = fitted(TABLES[kind])
    assert chosen(found) in GRID
    same(found, fitted(TABLES[kind]))
    assert len(calls) == 2


def test_a_category_counts_as_one_feature():
    table = pd.DataFrame({"kind": pd.Categorical(np.array(list("xyz"))[CODES]), "a": X[:, 0]})
    assert fitted(table).n_conditioning_ == 1


ROWS = {
    "groups": {"groups": np.arange(200) // 4},
    "two groups": {"groups": np.arange(200) % 2},
    "order": {"order": np.arange(200)},
    "one time": {"order": np.zeros(200)},
    "weights": {"sample_weight": np.random.default_rng(0).uniform(0.5, 2, 200)},
    "all": {"groups": np.arange(200) // 4, "order": np.arange(200), "sample_weight": 1 + np.arange(200) % 3},
}


@pytest.mark.parametrize("kind", ROWS)
def test_every_kind_of_rows(kind, calls):
    found = fitted(rows=ROWS[kind])
    assert chosen(found) in GRID
    same(found, fitted(rows=ROWS[kind], n_jobs=2))
    if kind in ("one time", "two groups"):  # nothing is later than anything, or a half has rows of one group
        assert chosen(found) == USUAL


def halves(rows, n=100, known=None, most_rows=1000):
    known = np.ones(n, dtype=bool) if known is None else known
    return _conditioning._halves(known, rows, 0, most_rows)


def test_halves_keep_groups_whole_and_go_forward_in_time():
    group, time = np.arange(100) // 5, np.random.default_rng(0).permutation(100)
    for rows in (_conditioning.Rows(), _conditioning.Rows(group=group)):
        (one, other), (later, earlier) = halves(rows)
        np.testing.assert_array_equal(np.sort([*one, *other]), np.arange(100))
        np.testing.assert_array_equal(one, earlier)
        np.testing.assert_array_equal(other, later)
        if rows.group is not None:
            assert not set(group[one]) & set(group[other])
    ((one, other),) = halves(_conditioning.Rows(time=time))
    assert time[one].max() < time[other].min()
    some = time > 30
    found = halves(_conditioning.Rows(), known=some)
    np.testing.assert_array_equal(np.sort(np.concatenate(found[0])), np.flatnonzero(some))
    assert halves(_conditioning.Rows(), 19) == []
    for n_groups in (2, 3):
        assert halves(_conditioning.Rows(group=np.arange(100) % n_groups)) == []
    assert len(halves(_conditioning.Rows(group=np.arange(100) % 4))) == 2


def test_of_many_rows_some_are_searched_and_judged():
    for train, test in halves(_conditioning.Rows(), most_rows=30):
        assert len(train) == len(test) == 30
        assert not set(train) & set(test)


@pytest.mark.parametrize("n_rows", [2, 6, 19])
def test_of_few_rows_it_is_the_usual_setting(n_rows, losses):
    y = np.arange(n_rows) % 2
    assert chosen(fitted(X[:n_rows], y)) == USUAL
    assert chosen(fitted(X[:n_rows], y, n_bins=7)) == (2, 7)
    assert chosen(fitted(X[:n_rows], y, n_conditioning=0)) == (0, 10)
    assert chosen(fitted(X[:n_rows], y, n_conditioning=3)) == (3, 10)
    assert losses == []


@pytest.mark.parametrize("n_features", [1, 2, 3])
def test_there_are_no_more_conditioning_than_other_features(n_features):
    for y in (CODES, np.arange(200) % 2):
        assert fitted(X[:, :n_features], y).n_conditioning_ <= n_features - 1
        few = fitted(X[:10, :n_features], y[:10])
        assert chosen(few) == (min(2, n_features - 1), 10)
    assert fitted(X[:, :n_features], n_conditioning=3).n_conditioning_ == 3


@pytest.mark.filterwarnings("ignore:y has")
def test_ugly_targets(losses):
    one_class = fitted(y=np.zeros(200, int))
    assert chosen(one_class) == USUAL
    own = fitted(X[:60], np.arange(60))
    assert chosen(own) in GRID
    assert np.isfinite(losses[-1][0]).all()
    line = ClassDistance.from_tree([(c, c + 1, 1.0) for c in range(59)])
    assert chosen(fitted(X[:60], np.arange(60), class_distance=line)) in GRID


@pytest.mark.filterwarnings("ignore:.* rows have no")
def test_every_kind_of_label():
    sets = np.column_stack([X[:, 0] > 0, X[:, 1] > 0, X[:, 2] > 1]).astype(int)
    answers = np.column_stack([CODES, np.roll(CODES, 1), CODES])
    partly = np.where(np.arange(200) % 5 == 0, None, np.array(["a", "b", "c"])[CODES])
    kinds = [
        ("soft", mixed(CODES)),
        (NoisyLabels(None, random_state=0), CODES),
        ("crowd", answers),
        (MultiLabels(transform="copy"), sets),
        ("hard", partly),
    ]
    for labels, y in kinds:
        for matrix in (None, MATRIX):
            assert chosen(fitted(y=y, labels=labels, class_distance=matrix, n_permutations=2)) in GRID
    same(fitted(y=one_hot(CODES), labels="soft"), fitted(y=one_hot(CODES), labels="soft"))


def test_with_a_limit_of_time_nothing_is_chosen(calls):
    cut = fitted(max_time=1e6, n_features_to_select="auto", **CHEAP)
    assert chosen(cut) == USUAL
    assert calls == []
    assert cut.limited_.cut == ("n_conditioning and n_bins were not chosen by the loss on rows left out",)
    usual = fitted(n_conditioning=2, n_bins=10, n_features_to_select="auto", **CHEAP)
    same(usual, cut)
    np.testing.assert_array_equal(usual.evidence_.loss, cut.evidence_.loss)  # folds did as the search
    given = fitted(max_time=1e6, n_conditioning=1, n_bins=10)
    assert given.limited_ is None
    part = fitted(max_time=1e6, n_conditioning=1)
    assert chosen(part) == (1, 10)
    assert part.limited_ is not None
    assert fitted(X[:, :2], max_time=1e6).n_conditioning_ == 1


def test_each_fold_chooses_by_the_rows_that_it_sees(calls):
    """Nothing that is used to choose is used to judge."""
    Z = np.column_stack([X, np.arange(200.0)])
    found = fitted(Z, n_features_to_select="auto", **CHEAP | {"cv": 4, "n_repeats": 2})
    assert len(calls) == 1 + 4 * 2
    assert calls[0][-1] == chosen(found)
    seen = [set(columns.values[:, -1].astype(int)) for columns, *_ in calls]
    assert seen[0] == set(range(200))
    for repeat in (seen[1:5], seen[5:]):
        left_out = [set(range(200)) - rows for rows in repeat]
        assert sum(map(len, left_out)) == 200
        assert set().union(*left_out) == set(range(200))
    seeds = [seed for _, seed, _ in calls]
    assert len(set(seeds)) == len(seeds)


def test_a_number_of_features_needs_one_choice(calls):
    fitted(n_features_to_select=2)
    assert len(calls) == 1


def test_searches_of_the_choice_leave_the_selector_and_its_required_features_alone():
    selector = BlanketSelector(
        n_features_to_select=3, required_features=[5], random_state=0, checkpoint=None, verbose=0
    )
    before = selector.get_params()
    selector.fit(X, CODES)
    assert selector.get_params() == before
    assert selector.support_[5]


def test_a_search_goes_on_with_what_was_chosen(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoint, "_SECONDS", 0.0)
    file, how = tmp_path / "search.json", {"n_features_to_select": "auto", **CHEAP}
    Z, codes = gaussians(150, 7, 3, seed=4, informative=3)
    whole = fitted(Z, codes, **how)
    same(whole, fitted(Z, codes, checkpoint=file, **how))
    content = json.loads(file.read_text())
    del content["sha256"]
    parts = content.pop("parts")
    assert len(parts) == 2
    for n in range(len(content["records"]) + 1):
        kept = {} if n < len(content["records"]) else {"0": parts["0"]}
        said = content | {"records": content["records"][:n], "parts": kept}
        file.write_text(json.dumps({**said, "sha256": checkpoint._validation.digest(said)}))
        again = fitted(Z, codes, checkpoint=file, **how)
        same(whole, again)
        np.testing.assert_array_equal(whole.evidence_.loss, again.evidence_.loss)
    for n_jobs in (1, 2):
        same(whole, fitted(Z, codes, checkpoint=file, n_jobs=n_jobs, **how))


def test_without_a_seed_that_of_the_file_chooses(tmp_path):
    file = tmp_path / "search.json"
    first = fitted(checkpoint=file, random_state=None)
    same(first, fitted(checkpoint=file, random_state=None))


@pytest.mark.parametrize("asked", ["auto", 2])
def test_what_was_done_without_time_to_choose_is_not_kept(asked, tmp_path, monkeypatch):
    """With more time another setting may be the better one."""
    other = Conditioning(1, 5)
    monkeypatch.setattr(blanket, "choose_conditioning", lambda *args: other)
    file, how = tmp_path / "search.json", {"n_features_to_select": asked, **CHEAP}
    whole = fitted(**how)
    assert chosen(whole) == other
    cut = fitted(max_time=1e6, checkpoint=file, **how)
    assert chosen(cut) == USUAL
    kept = json.loads(file.read_text())
    assert kept["records"] == []
    assert kept["parts"] == {}
    same(whole, fitted(checkpoint=file, **how))
    saved = json.loads(file.read_text())["records"]
    again = fitted(max_time=1e6, checkpoint=file, **how)
    same(whole, again)
    assert again.limited_ is None
    assert json.loads(file.read_text())["records"] == saved


@pytest.mark.parametrize("value", ["many", -1, 1.5, True, [1, 2], None, np.array([1, 2]), np.array(["auto"] * 2)])
@pytest.mark.parametrize(("name", "least"), [("n_conditioning", 0), ("n_bins", 2)])
def test_what_is_no_number_is_refused(name, least, value):
    with pytest.raises(ValueError, match=f"^{name} must be a whole number of at least {least}; got "):
        fitted(**{name: value})


@pytest.mark.parametrize(("name", "value"), [("n_bins", 0), ("n_bins", 1), ("n_conditioning", np.nan)])
def test_numbers_that_are_too_small_are_refused(name, value):
    with pytest.raises(ValueError, match=f"{name} must be a whole number"):
        fitted(**{name: value})
