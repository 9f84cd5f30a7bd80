"""Dask arrays on a real cluster of two worker processes, and without one."""

from functools import partial

import numpy as np
import pytest
from samples import gaussians, mixed
from scipy import sparse

from tamis import BlanketSelector, CrowdLabels, RankingSelector, SequentialSelector

da = pytest.importorskip("dask.array")
distributed = pytest.importorskip("distributed")

X, CODES = gaussians(3000, 6, 3, seed=7)
NAMES = np.array(["a", "b", "c"])[CODES]
P = mixed(CODES)
CHUNKS = (450, 3)


@pytest.fixture(scope="module")
def cluster():
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def test_two_worker_processes_give_the_result_of_one_array(cluster):
    data = da.from_array(X, chunks=CHUNKS)
    by_cluster = RankingSelector(n_features_to_select=2).fit(data, da.from_array(NAMES, chunks=700))
    assert len(cluster.scheduler_info()["workers"]) == 2
    whole = RankingSelector(n_features_to_select=2).fit(X, NAMES)
    np.testing.assert_allclose(by_cluster.scores_, whole.scores_, rtol=1e-10)
    np.testing.assert_array_equal(by_cluster.support_, whole.support_)
    assert by_cluster.classes_.tolist() == ["a", "b", "c"]
    assert by_cluster.n_features_in_ == 6
    with cluster.as_current():
        ids = cluster.run(lambda: __import__("os").getpid())
    assert len(set(ids.values())) == 2


def test_the_same_bits_for_any_number_of_workers(cluster):
    data, target = da.from_array(X, chunks=CHUNKS), da.from_array(P, chunks=(450, 1))
    on_cluster = RankingSelector(labels="soft").fit(data, target)
    import dask

    with dask.config.set(scheduler="synchronous"):
        here = RankingSelector(labels="soft").fit(data, target)
    assert on_cluster.scores_.tobytes() == here.scores_.tobytes()


def test_blocks_may_follow(cluster):
    selector = RankingSelector().fit(da.from_array(X[:2000], chunks=CHUNKS), NAMES[:2000])
    selector.partial_fit(X[2000:], NAMES[2000:])
    np.testing.assert_allclose(selector.scores_, RankingSelector().fit(X, NAMES).scores_, rtol=1e-10)


def test_a_bad_block_is_named_from_the_worker(cluster):
    bad = X.copy()
    bad[2500, 1] = np.inf
    with pytest.raises(ValueError, match="infinity"):
        RankingSelector().fit(da.from_array(bad, chunks=CHUNKS), NAMES)
    with pytest.raises(ValueError, match="sum to one"):
        RankingSelector(labels="soft").fit(da.from_array(X, chunks=CHUNKS), da.from_array(2 * P, chunks=500))


@pytest.fixture
def alone():
    import dask

    with dask.config.set(scheduler="synchronous"):
        yield


@pytest.mark.usefixtures("alone")
def test_targets_of_every_kind_that_comes_in_blocks():
    data = da.from_array(X, chunks=CHUNKS)
    beside = RankingSelector(labels="soft").fit(data, NAMES, memberships=da.from_array(P, chunks=500))
    np.testing.assert_allclose(beside.scores_, RankingSelector(labels="soft").fit(X, P).scores_, rtol=1e-10)
    assert beside.classes_.tolist() == ["a", "b", "c"]
    answers = np.column_stack([NAMES, np.roll(NAMES, 1), NAMES]).astype(object)
    answers[:450][answers[:450] == "c"] = None  # nobody says so in the first block
    for labels in (CrowdLabels("share"), CrowdLabels(estimator=None)):
        with pytest.warns(UserWarning, match="have no answer"):
            voted = RankingSelector(labels=labels).fit(data, answers)
        with pytest.warns(UserWarning, match="have no answer"):
            plain = RankingSelector(labels=labels).fit(X, answers)
        np.testing.assert_allclose(voted.scores_, plain.scores_, rtol=1e-10)


@pytest.mark.usefixtures("alone")
def test_sparse_chunks_and_lazy_columns():
    holes = np.where(X > 0.8, X, 0)
    data = da.from_array(holes, chunks=(500, 6)).map_blocks(sparse.csr_matrix)
    selector = RankingSelector(n_features_to_select=2).fit(data, NAMES)
    np.testing.assert_allclose(selector.scores_, RankingSelector().fit(holes, NAMES).scores_, rtol=1e-10)
    lazy = selector.transform(da.from_array(X, chunks=CHUNKS))
    assert isinstance(lazy, da.Array)
    np.testing.assert_array_equal(lazy.compute(), X[:, selector.support_])


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize(
    ("selector", "y", "message"),
    [
        (RankingSelector(labels="noisy"), NAMES, "a noise model compares each row with all others"),
        (RankingSelector(labels="crowd"), NAMES, "CrowdLabels\\(estimator=None\\), which gathers the answers only"),
        (RankingSelector("mutual_information"), NAMES, "need a criterion that is a sum over rows"),
        (RankingSelector(), None, "target y is None"),
        (RankingSelector(), NAMES[:-1], "inconsistent"),
        (RankingSelector(n_features_to_select=7), NAMES, "from 1 to 6"),
    ],
)
def test_what_cannot_be_done_is_said(selector, y, message):
    with pytest.raises(ValueError, match=message):
        selector.fit(da.from_array(X, chunks=CHUNKS), y)


@pytest.mark.usefixtures("alone")
def test_one_class_is_told():
    with pytest.warns(UserWarning, match="y has only one class, 'a'"):
        fitted = RankingSelector().fit(da.from_array(X, chunks=CHUNKS), np.repeat("a", 3000))
    np.testing.assert_array_equal(fitted.scores_, 0.0)


@pytest.mark.parametrize(
    "selector",
    [SequentialSelector, partial(BlanketSelector, n_conditioning=3, n_bins=10)],
    ids=["sequential", "blanket"],
)
def test_who_needs_all_rows_at_once_gathers_them_and_says_so(selector):
    data = da.from_array(X[:300], chunks=CHUNKS)
    with pytest.warns(UserWarning, match="needs all rows at once: the dask array X, 0 MiB, is gathered"):
        fitted = selector(n_features_to_select=2).fit(data, da.from_array(NAMES[:300], chunks=100))
    here = selector(n_features_to_select=2).fit(X[:300], NAMES[:300])
    assert fitted.path_.scores.tobytes() == here.path_.scores.tobytes()
    lazy = fitted.transform(data)
    assert isinstance(lazy, da.Array)
    np.testing.assert_array_equal(lazy.compute(), here.transform(X[:300]))
