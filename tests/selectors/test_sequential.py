"""SequentialSelector as scikit-learn users meet it."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from checks import is_a_scikit_learn_selector
from samples import CHEAP, CHEAP_OF_FEW, gaussians, mixed, one_hot
from sklearn.base import clone
from sklearn.feature_selection import SelectFromModel
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline

from tamis import BayesRisk, Criterion, HardLabels, MutualInformation, NoisyLabels, SequentialSelector, SoftLabels

X, CODES = gaussians(120, 6, 3, seed=6, informative=3)


@pytest.mark.parametrize(
    "selector",
    [
        SequentialSelector(n_repeats=1),
        SequentialSelector(direction="forward", **CHEAP_OF_FEW),
        SequentialSelector(labels="soft", **CHEAP_OF_FEW),
        SequentialSelector("bayes_risk", scale=None, n_jobs=2, n_features_to_select=1),
        SequentialSelector(labels=NoisyLabels(None, refit="each-step"), **CHEAP_OF_FEW),
    ],
    ids=str,
)
def test_check_estimator(selector):
    is_a_scikit_learn_selector(selector)


def test_finds_the_informative_features():
    for direction in ("backward", "forward"):
        selector = SequentialSelector(direction=direction, n_features_to_select=3).fit(X, CODES)
        assert set(np.flatnonzero(selector.support_)) <= {0, 1, 2}
        assert selector.transform(X).shape == (120, 3)


def test_fitted_attributes():
    selector = SequentialSelector(n_features_to_select=2).fit(X, CODES)
    path = selector.path_
    assert path.sizes.tolist() == [6, 5, 4, 3, 2, 1]
    assert selector.n_features_ == selector.support_.sum() == 2
    np.testing.assert_array_equal(np.flatnonzero(selector.support_), path.subset(2))
    assert sorted(selector.ranking_.tolist()) == [1, 1, 2, 3, 4, 5]
    assert selector.ranking_[path.order[0]] == 5
    assert np.isfinite(selector.scores_).all()
    np.testing.assert_array_equal(selector.classes_, [0, 1, 2])
    np.testing.assert_array_equal(selector.memberships_, one_hot(CODES))


@pytest.mark.parametrize(("n", "expected"), [(0.5, 3), (2, 2), (1.0, 6), (0.01, 1), (6, 6), (np.int64(1), 1)])
def test_n_features_to_select(n, expected):
    assert SequentialSelector(n_features_to_select=n).fit(X, CODES).support_.sum() == expected


def test_tables_keep_their_names():
    names = [f"f{j}" for j in range(6)]
    frame = pd.DataFrame(X, columns=names)
    selector = SequentialSelector(n_features_to_select=2, required_features=["f5"]).fit(frame, CODES)
    kept = selector.get_feature_names_out().tolist()
    assert "f5" in kept
    assert selector.set_output(transform="pandas").transform(frame).columns.tolist() == kept
    plain = SequentialSelector(n_features_to_select=2, required_features=[5]).fit(X, CODES)
    assert plain.path_.scores.tobytes() == selector.path_.scores.tobytes()
    polars_frame = pl.DataFrame(X, schema=names)
    out = clone(selector).set_output(transform="polars").fit(polars_frame, CODES).transform(polars_frame)
    assert isinstance(out, pl.DataFrame)
    assert out.columns == kept
    assert selector.path_.to_frame(names)["removed"].isna().sum() == 1


def test_pipeline_grid_search_and_cross_validation():
    pipeline = make_pipeline(SequentialSelector(direction="forward"), LogisticRegression())
    search = GridSearchCV(
        pipeline,
        {
            "sequentialselector__n_features_to_select": [1, 3],
            "sequentialselector__criterion": [MutualInformation(), BayesRisk()],
        },
        cv=3,
    ).fit(X, CODES)
    assert search.best_score_ > 0.5
    assert search.best_estimator_[0].support_.sum() == search.best_params_["sequentialselector__n_features_to_select"]
    nested = SequentialSelector(MutualInformation(), n_features_to_select=3).set_params(criterion__n_neighbors=5)
    assert nested.criterion.n_neighbors == 5
    assert clone(nested).criterion.n_neighbors == 5
    assert cross_val_score(make_pipeline(nested, LogisticRegression()), X, CODES, cv=3).mean() > 0.5


def test_memberships_are_routed_through_a_pipeline():
    P = mixed(CODES)
    with sklearn.config_context(enable_metadata_routing=True):
        selector = SequentialSelector(labels="soft", random_state=0, **CHEAP).set_fit_request(memberships=True)
        pipeline = make_pipeline(selector, LogisticRegression()).fit(X, CODES, memberships=P)
        scores = cross_val_score(pipeline, X, CODES, cv=3, params={"memberships": P})
    np.testing.assert_allclose(pipeline[0].memberships_, P)
    assert scores.mean() > 0.5
    alone = SequentialSelector(labels="soft", random_state=0, **CHEAP).fit(X, P)
    np.testing.assert_array_equal(alone.support_, pipeline[0].support_)
    np.testing.assert_array_equal(alone.path_.scores, pipeline[0].path_.scores)


def test_soft_labels_name_their_classes():
    P = mixed(CODES)
    names = np.array(["a", "b", "c"])
    selector = SequentialSelector(labels="soft", n_features_to_select=2)
    assert selector.fit(X, names[CODES], memberships=P).classes_.tolist() == ["a", "b", "c"]
    assert selector.fit(X, pd.DataFrame(P, columns=names)).classes_.tolist() == ["a", "b", "c"]
    assert selector.fit(X, P).classes_.tolist() == [0, 1, 2]


def test_required_features_by_index_name_and_mask():
    by_index = SequentialSelector(n_features_to_select=2, required_features=[-1]).fit(X, CODES)
    mask = np.arange(6) == 5
    by_mask = SequentialSelector(n_features_to_select=2, required_features=mask, direction="forward").fit(X, CODES)
    assert by_index.support_[5]
    assert by_mask.support_[5]
    assert by_index.path_.sizes.tolist() == [6, 5, 4, 3, 2, 1]
    everything = SequentialSelector(n_features_to_select=6, required_features=range(6)).fit(X, CODES)
    assert everything.path_.sizes.tolist() == [6]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (dict(n_features_to_select=7), "whole number from 1 to 6 .* got 7"),
        (dict(n_features_to_select=0), "got 0"),
        (dict(n_features_to_select=1.5), "got 1.5"),
        (dict(n_features_to_select=True), "got True"),
        (dict(n_features_to_select=1, required_features=[0, 1]), "asks for 1; got 2"),
        (dict(required_features=["f1"]), "can use names only when X is a table"),
        (dict(required_features=[6]), "indices from 0 to 5 or column names; got 6"),
        (dict(required_features=[True, False]), "as a mask must have 6 entries"),
        (dict(direction="sideways"), "direction must be one of"),
        (dict(scale="minmax"), "scale must be one of"),
        (dict(criterion="gini"), "criterion must be one of"),
        (dict(criterion=MutualInformation(0)), "n_neighbors must be"),
        (dict(criterion=BayesRisk("worst")), "kind must be one of"),
        (dict(labels="wrong"), "labels must be one of"),
    ],
)
def test_bad_parameters_are_named(parameters, message):
    with pytest.raises(ValueError, match=message):
        SequentialSelector(**parameters).fit(X, CODES)


def test_unknown_column_name_is_refused():
    with pytest.raises(ValueError, match="'age' is not one of"):
        SequentialSelector(required_features=["age"]).fit(pd.DataFrame(X).add_prefix("f"), CODES)


def test_interruption_keeps_the_part_done():
    class Impatient(MutualInformation):
        def scorer(self, *args, **kwargs):
            scorer = super().scorer(*args, **kwargs)
            plain = scorer.without_each

            def without_each(subset):
                if len(subset) == 4:
                    raise KeyboardInterrupt
                return plain(subset)

            scorer.without_each = without_each
            return scorer

    selector = SequentialSelector(Impatient())
    with pytest.raises(KeyboardInterrupt):
        selector.fit(X, CODES)
    assert selector.path_.sizes.tolist() == [6, 5, 4]
    whole = SequentialSelector(n_features_to_select=1).fit(X, CODES).path_
    np.testing.assert_array_equal(selector.path_.order, whole.order[:2])


def test_callbacks_see_every_step_and_can_stop():
    pytest.importorskip("sklearn.callback")

    class Watch:
        """Counts steps; asks to stop after a number of them."""

        def __init__(self, most=None):
            self.most, self.steps = most, 0

        def setup(self, estimator, context):
            self.total = context.max_subtasks

        def on_fit_task_begin(self, estimator, context):
            pass

        def on_fit_task_end(self, estimator, context):
            self.steps += context.task_name == "step"
            return self.steps == self.most

        def teardown(self, estimator, context):
            pass

    watch = Watch()
    SequentialSelector(n_features_to_select=2).set_callbacks(watch).fit(X, CODES)
    assert watch.steps == watch.total == 6
    stopped = SequentialSelector(n_features_to_select=1).set_callbacks(Watch(most=3)).fit(X, CODES)
    assert stopped.path_.sizes.tolist() == [6, 5, 4]
    assert stopped.n_features_ == 4
    for most in (1, 3):  # no warning that nothing was found: nobody looked
        undecided = SequentialSelector(random_state=0).set_callbacks(Watch(most=most)).fit(X, CODES)
        assert undecided.n_features_ == 7 - most


def test_verbose_shows_a_bar(capsys):
    SequentialSelector(n_features_to_select=2, verbose=1).fit(X, CODES)
    said = capsys.readouterr().err
    assert "] step 6 of 6, " in said
    assert said.split("\r")[-1].startswith("SequentialSelector [####################] ")


def test_one_feature_and_two_features():
    for d in (1, 2):
        for direction in ("backward", "forward"):
            selector = SequentialSelector(direction=direction, n_features_to_select=0.5).fit(X[:, :d], CODES)
            assert selector.support_.sum() == 1
            auto = SequentialSelector(direction=direction, random_state=0, **CHEAP).fit(X[:, 1 : 1 + d], CODES)
            assert auto.support_.any()
            assert len(auto.pvalues_) == d


@pytest.mark.parametrize("criterion", [MutualInformation(), BayesRisk("count"), BayesRisk("expected")], ids=str)
@pytest.mark.parametrize("direction", ["backward", "forward"])
def test_a_constant_and_a_copy_are_not_kept(criterion, direction):
    ugly = np.column_stack([X[:, :3], X[:, 0], np.full(len(X), 3.3)])
    kept = SequentialSelector(criterion, direction=direction, n_features_to_select=2).fit(ugly, CODES)
    chosen = set(np.flatnonzero(kept.support_))
    assert 4 not in chosen
    assert not {0, 3} <= chosen


def test_scale_none_takes_the_units_given():
    wide = X * [1, 1, 1, 1, 1, 1e4]
    assert SequentialSelector(scale="standard", n_features_to_select=2).fit(wide, CODES).path_.scores == pytest.approx(
        SequentialSelector(n_features_to_select=2).fit(X, CODES).path_.scores, abs=1e-9
    )
    raw = SequentialSelector(scale=None, n_features_to_select=2).fit(wide, CODES)
    assert raw.path_.order[0] == 5  # nothing else is seen while it is in


def test_data_are_not_changed_and_labels_objects_are_not_fitted():
    A, P = X.copy(), mixed(CODES)
    A.setflags(write=False)
    model = SoftLabels()
    SequentialSelector(labels=model, n_features_to_select=2).fit(A, P)
    assert not hasattr(model, "classes_")
    SequentialSelector(labels=HardLabels(), n_features_to_select=2).fit(A, CODES)


def test_a_criterion_of_ones_own():
    class MeanGap(Criterion):
        def score(self, X, memberships):
            means = memberships.T @ X / memberships.sum(axis=0)[:, None]
            return float(np.ptp(means, axis=0).sum())

    selector = SequentialSelector(MeanGap(), n_features_to_select=2).fit(X, CODES)
    gaps = np.ptp([X[CODES == s].mean(axis=0) / X.std(axis=0) for s in range(3)], axis=0)
    assert set(np.flatnonzero(selector.support_)) == set(np.argsort(gaps)[-2:])
    with pytest.raises(NotImplementedError):
        Criterion().score(X, one_hot(CODES))


def test_our_selector_can_be_wrapped():
    wrapped = SelectFromModel(LogisticRegression()).fit(
        SequentialSelector(n_features_to_select=3).fit_transform(X, CODES), CODES
    )
    assert wrapped.transform(SequentialSelector(n_features_to_select=3).fit_transform(X, CODES)).shape[0] == 120
