"""RankingSelector as scikit-learn users meet it."""

import numpy as np
import pandas as pd
import pytest
import reference
import sklearn
from checks import is_a_scikit_learn_selector
from samples import CHEAP_OF_FEW, gaussians, mixed, one_hot
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.pipeline import make_pipeline

from tamis import (
    BayesRisk,
    Criterion,
    CrowdLabels,
    LaplacianScore,
    MutualInformation,
    NoisyLabels,
    RankingSelector,
    WeightedLaplacian,
    weighted_laplacian_score,
)

X, CODES = gaussians(120, 6, 3, seed=6, informative=3)


@pytest.mark.parametrize(
    "selector",
    [
        RankingSelector(),
        RankingSelector(labels="soft"),
        RankingSelector(labels=CrowdLabels(estimator=BernoulliNB())),
        RankingSelector("laplacian"),
        RankingSelector(n_features_to_select="auto", **CHEAP_OF_FEW),
        RankingSelector("mutual_information", n_jobs=2),
        RankingSelector(BayesRisk("count")),
        RankingSelector(labels=NoisyLabels(GaussianNB())),
    ],
    ids=str,
)
def test_check_estimator(selector):
    is_a_scikit_learn_selector(selector)


def test_scores_are_minus_the_printed_score_and_order_the_features():
    selector = RankingSelector(n_features_to_select=2).fit(X, CODES)
    np.testing.assert_allclose(-selector.scores_, reference.weighted_laplacian(X, one_hot(CODES)), rtol=1e-9)
    np.testing.assert_array_equal(selector.path_.order, np.argsort(-selector.scores_))
    assert selector.n_features_ == selector.support_.sum() == 2
    best = selector.path_.order
    assert selector.ranking_[best].tolist() == [1, 1, 2, 3, 4, 5]
    np.testing.assert_array_equal(np.flatnonzero(selector.support_), np.sort(best[:2]))
    np.testing.assert_array_equal(selector.path_.subset(4), np.sort(best[:4]))
    np.testing.assert_array_equal(selector.memberships_, one_hot(CODES))
    assert selector.classes_.tolist() == [0, 1, 2]


@pytest.mark.parametrize("labels", ["hard", "soft"])
def test_one_feature_at_a_time_is_the_estimate_of_each(labels):
    P = one_hot(CODES) if labels == "hard" else mixed(CODES)
    information = RankingSelector("mutual_information", labels="soft").fit(X, P)
    risk = RankingSelector(BayesRisk("count"), labels="soft").fit(X, P)
    for f in range(6):
        assert information.scores_[f] == pytest.approx(reference.mutual_information(X[:, [f]], P), abs=1e-9)
        assert risk.scores_[f] == pytest.approx(-reference.bayes_risk(X[:, [f]], P)[0], abs=1e-9)


def test_many_features_come_in_batches(capsys):
    wide = np.random.default_rng(0).normal(size=(40, 150))
    selector = RankingSelector("mutual_information", verbose=1).fit(wide, CODES[:40])
    assert "] step 3 of 3, " in capsys.readouterr().err
    one = RankingSelector("mutual_information").fit(wide[:, 140:], CODES[:40])
    assert selector.scores_[140:].tobytes() == one.scores_.tobytes()


def test_no_labels_are_needed_without_a_use_for_them():
    selector = RankingSelector("laplacian", n_features_to_select=2).fit(X)
    assert selector.support_.sum() == 2
    assert not hasattr(selector, "memberships_")
    with pytest.raises(ValueError, match="target y is None"):
        RankingSelector().fit(X)


def test_names_pipelines_and_grids():
    frame = pd.DataFrame(X, columns=[f"f{j}" for j in range(6)])
    selector = RankingSelector(n_features_to_select=2, required_features=["f5"]).fit(frame, CODES)
    assert "f5" in selector.get_feature_names_out()
    assert selector.path_.order[0] == 5
    search = GridSearchCV(
        make_pipeline(RankingSelector(), LogisticRegression()),
        {
            "rankingselector__n_features_to_select": [1, 3],
            "rankingselector__criterion": [WeightedLaplacian(), MutualInformation(), LaplacianScore()],
        },
        cv=3,
    ).fit(X, CODES)
    assert search.best_score_ > 0.5
    P = mixed(CODES)
    with sklearn.config_context(enable_metadata_routing=True):
        routed = make_pipeline(
            RankingSelector(labels="soft").set_fit_request(memberships=True), LogisticRegression()
        ).fit(X, CODES, memberships=P)
    np.testing.assert_allclose(-routed[0].scores_, weighted_laplacian_score(X, P, labels="soft"))


def test_answers_of_annotators_can_be_cross_validated():
    answers = np.where(np.random.default_rng(0).uniform(size=(120, 4)) < 0.7, CODES[:, None], 0)
    pipeline = make_pipeline(RankingSelector(labels="crowd", n_features_to_select=2))
    for rows in (np.arange(0, 120, 2), np.arange(1, 120, 2)):
        assert pipeline.fit(X[rows], answers[rows]).transform(X).shape == (120, 2)
    # Beside a plain y, the answers travel as memberships.
    P = CrowdLabels().fit(None, answers).memberships_
    with sklearn.config_context(enable_metadata_routing=True):
        selector = RankingSelector(labels="soft").set_fit_request(memberships=True)
        scores = cross_val_score(
            make_pipeline(selector, LogisticRegression()), X, CODES, cv=3, params={"memberships": P}
        )
    assert scores.mean() > 0.5


@pytest.mark.parametrize("criterion", ["weighted_laplacian", "mutual_information", BayesRisk("expected"), "laplacian"])
def test_constants_come_last_and_of_copies_the_first_is_better(criterion):
    ugly = np.column_stack([np.full(len(X), 3.3), X[:, 0], X[:, 0], X[:, 4]])
    selector = RankingSelector(criterion, n_features_to_select=1).fit(ugly, CODES)
    assert selector.path_.order[-1] == 0
    order = selector.path_.order.tolist()
    assert order.index(1) + 1 == order.index(2)


@pytest.mark.parametrize("criterion", ["mutual_information", "bayes_risk", "laplacian"])
def test_sparse_is_refused_by_those_who_compare_rows(criterion):
    with pytest.raises(TypeError, match=r"[Ss]parse"):
        RankingSelector(criterion).fit(sparse.csr_array(X), CODES)


def test_interruption_keeps_the_scores_found():
    class Impatient(MutualInformation):
        def scorer(self, *args, **kwargs):
            scorer = super().scorer(*args, **kwargs)
            plain = scorer.with_each

            def with_each(subset, candidates):
                if 64 in candidates:
                    raise KeyboardInterrupt
                return plain(subset, candidates)

            scorer.with_each = with_each
            return scorer

    selector = RankingSelector(Impatient())
    with pytest.raises(KeyboardInterrupt):
        selector.fit(np.random.default_rng(0).normal(size=(40, 100)), CODES[:40])
    assert sorted(selector.path_.order.tolist()) == list(range(64))


def test_callbacks_see_every_batch_and_can_stop():
    pytest.importorskip("sklearn.callback")

    class Once:
        def setup(self, estimator, context):
            self.total = context.max_subtasks

        def on_fit_task_begin(self, estimator, context):
            pass

        def on_fit_task_end(self, estimator, context):
            return context.task_name == "step"

        def teardown(self, estimator, context):
            pass

    wide = np.random.default_rng(0).normal(size=(40, 130))
    watch = Once()
    selector = RankingSelector("mutual_information", n_features_to_select=3).set_callbacks(watch).fit(wide, CODES[:40])
    assert watch.total == 3
    assert len(selector.path_.order) == 64
    assert np.isnan(selector.scores_[64:]).all()
    assert not selector.support_[64:].any()
    assert (selector.ranking_[64:] == selector.ranking_.max()).all()


def test_a_criterion_of_ones_own():
    class Spread(Criterion):
        def score(self, X, memberships):
            return X.var()

    selector = RankingSelector(Spread(), n_features_to_select=1).fit(X, CODES)
    assert np.flatnonzero(selector.support_) == np.argmax(X.var(axis=0))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (dict(n_features_to_select=7), "from 1 to 6"),
        (dict(required_features=[9]), "indices from 0 to 5"),
        (dict(criterion="gini"), "criterion must be one of"),
        (dict(labels="wrong"), "labels must be one of"),
        (dict(criterion=LaplacianScore(0)), "n_neighbors must be"),
        (dict(criterion=LaplacianScore(scale="minmax")), "scale must be one of"),
    ],
)
def test_bad_parameters_are_named(parameters, message):
    with pytest.raises(ValueError, match=message):
        RankingSelector(**parameters).fit(X, CODES)
