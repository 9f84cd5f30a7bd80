"""The table of docs/rows.md: who takes missing values, weights and groups, compared with the program."""

import inspect
import re
from pathlib import Path

import numpy as np
import pytest
from samples import CHEAP, gaussians
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator
from sklearn.utils import get_tags

import tamis

PAGE = Path(__file__).parents[1] / "docs" / "rows.md"
BASES = {"AdditiveCriterion", "Criterion", "LabelModel"}
"""What people derive classes of their own from."""

X, CODES = gaussians(60, 3, 3, seed=1)
GAPS = np.where(np.random.default_rng(2).random(X.shape) < 0.2, np.nan, X)
INFINITE = X.copy()
INFINITE[4, 1] = np.inf
CLASSES = np.array(["a", "b", "c"])[CODES]
SOFT = 0.7 * np.eye(3)[CODES] + 0.1
ANSWERS = np.column_stack([CODES, CODES, np.roll(CODES, 1)])
SETS = np.array([[1, 0, 0], [1, 1, 0], [0, 0, 1]])[CODES]
SETS[:6] = [0, 1, 1]
ROWS = {"sample_weight": 1 + np.arange(60) % 3, "groups": np.arange(60) // 4}


def selected(selector):
    return lambda X, **rows: selector.fit(X, CLASSES, **rows).scores_


def ranked(criterion):
    return selected(tamis.RankingSelector(criterion, n_features_to_select=1))


def modelled(model, y):
    return lambda X, **rows: model.fit(X, y, **rows).memberships_


def compared(X, **rows):
    how = {"n_folds": 2, "n_repeats": 1, "n_neighbors": 4, "random_state": 0}
    by_loss = tamis.MultiLabels(**how).fit(X, SETS, **rows).losses_
    tested = tamis.MultiLabels(size_method="permutation", **how).fit(X, SETS, **rows).t_statistics_
    return np.array([*by_loss.values(), *tested.values()])


def called(function, **asked):
    return lambda X, **rows: function(X, CLASSES, **asked, **rows)


RESULTS = {
    "SequentialSelector": selected(tamis.SequentialSelector(n_features_to_select=1)),
    "RankingSelector": ranked("mutual_information"),
    "BlanketSelector": selected(tamis.BlanketSelector(n_features_to_select=1, n_bins=3, n_conditioning=3)),
    "MutualInformation": ranked(tamis.MutualInformation()),
    "NeighborCost": ranked(tamis.NeighborCost()),
    "BayesRisk": ranked(tamis.BayesRisk()),
    "WeightedLaplacian": ranked(tamis.WeightedLaplacian()),
    "LaplacianScore": ranked(tamis.LaplacianScore()),
    "ChiSquare": ranked(tamis.ChiSquare("quantile", n_bins=3)),
    "HardLabels": modelled(tamis.HardLabels(), CLASSES),
    "SoftLabels": modelled(tamis.SoftLabels(), SOFT),
    "NoisyLabels": modelled(tamis.NoisyLabels(None), CLASSES),
    "CrowdLabels": modelled(tamis.CrowdLabels(random_state=0), ANSWERS),
    "MultiLabels": compared,
    "mutual_information": called(tamis.mutual_information),
    "bayes_risk": called(tamis.bayes_risk),
    "class_posterior": lambda X, **rows: tamis.class_posterior(X, CLASSES, **rows).posterior,
    "weighted_laplacian_score": called(tamis.weighted_laplacian_score),
    "subset_divergence": lambda X, **rows: (
        tamis.subset_divergence(X, CLASSES, [0], n_bins=3, n_permutations=0, **rows).lost
    ),
    "entropy": lambda X, **rows: tamis.entropy(X, **rows),
    "MLkNNClassifier": lambda X, **rows: tamis.MLkNNClassifier().fit(X, SETS, **rows).posteriors_,
}
"""What each public name says of a table, with or without something known of its rows."""


def table():
    """The rows of the table, by public name: missing values, sample_weight, groups."""
    lines = re.findall(r"^\| `(\w+)` \|(.*)\|(.*)\|(.*)\|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return {name: [cell.strip() for cell in cells] for name, *cells in lines}


TABLE = table()


def parameters_of(name):
    """Names of what a function, the fit of an estimator, or of a selector with a criterion, can be given."""
    found = getattr(tamis, name)
    if issubclass(type(found), type) and issubclass(found, tamis.Criterion):
        found = tamis.RankingSelector
    return inspect.signature(getattr(found, "fit", found)).parameters


def refused(name, X, said, **rows):
    with pytest.raises(ValueError, match=said) as refusal:
        RESULTS[name](X, **rows)
    sentence = str(refusal.value)
    assert len(sentence.split()) > 6
    assert sentence.endswith(".")


def test_every_public_name_that_takes_samples_has_a_row():
    takes = set()
    for name in tamis.__all__:
        found = getattr(tamis, name)
        methods = [getattr(found, method) for method in ("fit", "score") if hasattr(found, method)]
        asked = methods if isinstance(found, type) else [found]
        if any("X" in inspect.signature(function).parameters for function in asked):
            takes.add(name)
    assert takes - BASES == set(TABLE) == set(RESULTS)


@pytest.mark.parametrize("name", TABLE)
def test_missing_values(name):
    word = re.split(r"[:,]", TABLE[name][0])[0]
    if word == "no":
        refused(name, GAPS, "missing|NaN")
    elif word == "do not matter":
        np.testing.assert_array_equal(RESULTS[name](GAPS), RESULTS[name](X))
    else:
        assert word == "used"
        with_gaps = RESULTS[name](GAPS)
        assert np.isfinite(with_gaps).all()
        assert not np.array_equal(with_gaps, RESULTS[name](X))
        refused(name, INFINITE, "(?i)infinity.*column.* 1 ")


@pytest.mark.parametrize(("place", "argument"), [(1, "sample_weight"), (2, "groups")])
@pytest.mark.parametrize("name", TABLE)
def test_weights_and_groups(name, place, argument):
    words = re.split(r"[:,] ?", TABLE[name][place])
    is_there, given = argument in parameters_of(name), {argument: ROWS[argument]}
    if words[0] == "no":
        if is_there:
            refused(name, X, f"no {argument}", **given)
        return
    assert is_there
    without, by_rows = RESULTS[name](X), RESULTS[name](X, **given)
    if words[0] in ("no effect", "folds only") or words[1:2] in (["no effect"], ["nothing is estimated"]):
        np.testing.assert_array_equal(by_rows, without)
    else:
        assert words == ["yes"]
        assert np.isfinite(by_rows).all()
        assert not np.array_equal(by_rows, without)


def test_groups_that_only_folds_see():
    """The evidence of a search that counts rows depends on which rows are left out together."""
    names = [name for name, (_, _, groups) in TABLE.items() if groups.startswith("folds only")]
    assert names == ["BlanketSelector"]
    selector = tamis.BlanketSelector(random_state=0, n_conditioning=3, n_bins=10, **CHEAP)
    losses = [selector.fit(X, CLASSES, groups=groups).evidence_.loss for groups in (None, ROWS["groups"])]
    assert not np.array_equal(*losses)


def test_tags_and_requests_of_estimators():
    """scikit-learn knows of what the table says: the tag of missing values, and requests for weights and groups."""
    for name, (missing, *said) in TABLE.items():
        found = getattr(tamis, name)
        if not (isinstance(found, type) and hasattr(found, "fit") and issubclass(found, BaseEstimator)):
            continue
        if name.endswith("Selector"):
            assert get_tags(found()).input_tags.allow_nan == missing.startswith("used"), name
        requests = found().get_metadata_routing().fit.requests
        for argument, words in zip(("sample_weight", "groups"), said, strict=True):
            assert (argument in requests) == (not words.startswith("no:")), (name, argument)


def test_missing_values_are_not_stored_in_sparse_matrices():
    with pytest.raises(ValueError, match=r"what is not stored is zero.*column .* has NaN"):
        tamis.RankingSelector().fit(csr_array(GAPS), CLASSES)


def test_partial_fit_takes_missing_values_and_weights():
    whole, blocks = tamis.RankingSelector(n_features_to_select=1), tamis.RankingSelector(n_features_to_select=1)
    weight = ROWS["sample_weight"]
    for rows in (slice(0, 30), slice(30, 60)):
        blocks.partial_fit(GAPS[rows], CLASSES[rows], classes=["a", "b", "c"], sample_weight=weight[rows])
    np.testing.assert_allclose(blocks.scores_, whole.fit(GAPS, CLASSES, sample_weight=weight).scores_)
