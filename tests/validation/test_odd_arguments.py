"""What the fuzzer found: arguments of a wrong kind, each refused with the sentence that names it."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from samples import gaussians, one_hot
from sklearn.naive_bayes import GaussianNB

from tamis import (
    AdditiveCriterion,
    BayesRisk,
    BlanketSelector,
    ChiSquare,
    ClassDistance,
    Criterion,
    CrowdLabels,
    LaplacianScore,
    MLkNNClassifier,
    MutualInformation,
    NoisyLabels,
    RankingSelector,
    SequentialSelector,
    WeightedLaplacian,
    answers_of,
    noise_bound,
    report,
    top_k_loss,
    wasserstein,
)
from tamis.datasets import flip_per_class, flip_uniform, read_blocks, read_table, uncertain_expert
from tamis.views import summarise

X, CODES = gaussians(40, 3, 2, seed=1)
TWICE = pd.DataFrame(X, columns=["a", "b", "a"])
GRADES = ClassDistance(1 - np.eye(3), [0, "a", None])


def fitted(**asked):
    return RankingSelector(n_features_to_select=1, **asked).fit(X, CODES)


REFUSED = {
    "a node that is not equal to itself": (
        lambda: ClassDistance.from_tree([(float("nan"), "b", 1)]),
        "edges must have names of nodes",
    ),
    "a node without a hash": (lambda: ClassDistance.from_tree([("a", [1], 1)]), "edges must have names of nodes"),
    "a tuple of lists as a node": (lambda: ClassDistance.from_tree([(([],), "b", 1)]), "edges must have names"),
    "rows to transform with pandas' missing values": (
        lambda: (
            fitted().set_params(missing="error").transform(np.array([[pd.NA, 1.0, 2.0], [1.0, 2.0, 3.0]], dtype=object))
        ),
        "column 0 has missing values",
    ),
    "a class that is not equal to itself": (lambda: ClassDistance.zero_one(["a", np.nan]), "got nan among them"),
    "edges that are a number": (lambda: ClassDistance.from_tree(3), "edges must be a list"),
    "weights that are a number": (lambda: ClassDistance.from_paths(["a", "b"], weights=3), "weights must be a list"),
    "a distance of text": (lambda: ClassDistance("x"), "class_distance must be an array or a table of numbers"),
    "a distance of a distance": (lambda: ClassDistance(GRADES), "class_distance must be an array or a table"),
    "a complex distance": (lambda: ClassDistance(1j), "class_distance must be an array or a table of numbers"),
    "a joint that is a dictionary": (lambda: noise_bound(None, {"a": 1}), "joint must be an array or a table"),
    "a ragged distribution": (lambda: wasserstein([[1], [0.5, 0.5]], [1, 0]), "p must have rows of equal length"),
    "rates that are a number": (lambda: flip_per_class(CODES, 0.5), "rates must be a list"),
    "columns of the same name": (lambda: fitted().fit(TWICE, CODES), "'a' comes 2 times"),
    "a dictionary for X": (lambda: MutualInformation().score({"a": X}, None), "X must be an array or a table"),
    "text among numbers": (
        lambda: MLkNNClassifier().fit(pl.DataFrame({"a": X[:, 0], "b": ["x"] * 40}), CODES),
        "column 'b' has text",
    ),
    "an integer too long for X": (lambda: fitted().fit(10**400, CODES), "X must be an array or a table of numbers"),
    "memberships of other rows": (lambda: BayesRisk().score(X, one_hot(CODES)[:9]), "inconsistent numbers of samples"),
    "memberships that are huge": (lambda: BayesRisk().score(X, np.full((40, 2), 1e308)), "memberships must sum to one"),
    "memberships of nobody": (lambda: BayesRisk().score(X, np.zeros((40, 2))), "all are zero"),
    "no X at all": (lambda: MutualInformation().score(None, None), "X must be an array"),
    "a size that is a list": (lambda: fitted().path_.subset([1]), "n must be the size of a subset"),
    "a size that is an array": (lambda: fitted().path_.adds(np.array([1, 2])), "n must be the size of a subset"),
    "a size that is no whole number": (lambda: fitted().path_.subset(1.0), "n must be the size of a subset"),
    "a seed beyond those of NumPy": (lambda: fitted(random_state=2**32), "random_state must be from 0 to 4294967295"),
    "a seed of noise beyond those": (lambda: flip_uniform(CODES, 0.5, random_state=-1), "random_state must be from 0"),
    "groups that are a number": (lambda: fitted(feature_groups=3), "feature_groups must be a list"),
    "verbose that is a list": (lambda: fitted(verbose=[1]), "verbose must be a whole number"),
    "a checkpoint that is a number": (lambda: fitted(checkpoint=3), "checkpoint must be a path"),
    "a report to a number": (lambda: report(fitted(), 3), "path must be a path"),
    "a report to a name that no file can have": (lambda: report(fitted(), "\x00"), "path must be a path"),
    "warnings that are a number": (lambda: summarise(fitted(), warnings=3), "warnings must be a list"),
    "names of too few columns": (lambda: summarise(fitted(), names=["a"]), "names must have 3 values"),
    "a folder that is a number": (lambda: read_table(3, "iris"), "folder must be a path"),
    "a file that is a list": (lambda: read_blocks(["a.csv"], "y"), "path must be a path"),
    "classes of blocks that are a number": (
        lambda: RankingSelector(labels="soft").partial_fit(X, one_hot(CODES), classes=0.5),
        "classes must be a list of names",
    ),
    "answers of different lengths": (
        lambda: CrowdLabels().fit(None, [[1], [1, 2], 3]),
        "rows of equal length",
    ),
    "labels in columns": (lambda: answers_of([0, 1], ["a", "b"], [[1, 2], [3, 4]]), "label must be a plain column"),
    "annotators that cannot be sorted": (lambda: answers_of([0, 1], ["a", None], [1, 2]), "annotator must have names"),
    "annotators that are a number": (lambda: answers_of([0], ["a"], [1], annotators=3), "annotators must be a list"),
    "classes that cannot be sorted": (lambda: top_k_loss([0, "a"], np.eye(2, 3), GRADES), "cannot be sorted"),
    "zeros, ones and gaps": (
        lambda: MLkNNClassifier().fit(X[:2], pd.DataFrame({"p": [1, None], "q": [0, 1]}, dtype="Int64")),
        "Y must have no missing value",
    ),
    "a variance that vanishes": (
        lambda: uncertain_expert(CODES, 0.3, variance=5e-324),
        "variance must not be as small",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused_with_a_sentence_that_names_it(case):
    call, sentence = REFUSED[case]
    with pytest.raises((ValueError, TypeError)) as refused:
        call()
    assert sentence in str(refused.value)


def test_rows_of_a_report_are_those_of_the_model():
    model = NoisyLabels(GaussianNB(), random_state=0).fit(X, CODES)
    for rows in (3, [1, 2]):
        with pytest.raises(ValueError, match="rows must"):
            report(model, "never.html", rows=rows)


@pytest.mark.parametrize("criterion", [MutualInformation(), BayesRisk(), ChiSquare("mdl"), WeightedLaplacian()])
def test_criteria_score_what_selectors_take(criterion):
    P = one_hot(CODES)
    expected = criterion.score(X, P)
    assert criterion.score(pd.DataFrame(X, columns=list("abc")), P.tolist()) == expected
    assert criterion.score(X.tolist(), pd.DataFrame(P)) == expected
    # Rows of which nothing is known are left out.
    more, unknown = np.vstack([X, X[:3] + 1]), np.vstack([P, np.zeros((3, 2))])
    assert criterion.score(more, unknown) == expected


def test_a_criterion_without_labels_takes_tables():
    assert LaplacianScore().score(pd.DataFrame(X)) == LaplacianScore().score(X)


@pytest.mark.parametrize(("kind", "method"), [(Criterion, "score"), (AdditiveCriterion, "sums")])
def test_a_criterion_that_lacks_a_method(kind, method):
    with pytest.raises(NotImplementedError, match=rf"criterion Unfinished must have a method {method}\("):
        RankingSelector(type("Unfinished", (kind,), {})(), n_features_to_select=1).fit(X, CODES)


def test_a_view_of_memory_is_an_array():
    found = BlanketSelector(
        categorical_features=[0], n_features_to_select=1, n_permutations=2, random_state=0, n_conditioning=3, n_bins=10
    )
    ties = np.round(X)
    assert (found.fit(memoryview(ties), CODES).support_ == found.fit(ties, CODES).support_).all()


def test_true_is_a_number_of_verbose(capsys):
    SequentialSelector(n_features_to_select=1, verbose=True).fit(X, CODES)
    assert capsys.readouterr().err
