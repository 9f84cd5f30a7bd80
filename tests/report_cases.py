"""Fits of every kind, and ugly ones, for pages to be made of."""

import warnings
from contextlib import ExitStack
from functools import cache
from types import SimpleNamespace
from unittest import mock

import numpy as np
import pandas as pd
from sklearn.datasets import load_wine, make_classification
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from slow import Clock, SlowJudge

from tamis import (
    BlanketSelector,
    ClassDistance,
    CrowdLabels,
    NoisyLabels,
    RankingSelector,
    SequentialSelector,
)
from tamis.datasets import flip_uniform
from tamis.estimates.association import p_values_of_features
from tamis.views import summarise, summarise_audit
from tamis.views.html import page

EVIL = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\"'><svg onload=alert(1)>",
    "{{ 7 * 7 }} {% raw %} ${x} `",
    "a\x00b\x1b[31m\r\nc\u2028\u202ed\udc80",
    "long " * 2000,
    "&lt;b&gt; &amp; <!-- --> ]]>",
    "=1+1 'quoted' \\n",
    "x" * 10_000,
    " ",
]


@cache
def wines():
    X, y = load_wine(return_X_y=True, as_frame=True)
    rng = np.random.default_rng(0)
    X = X.assign(noise=rng.normal(size=len(X)), cellar=pd.Categorical(rng.choice(["north", "south"], size=len(X))))
    grapes = np.array(["Barolo", "Grignolino", "Barbera"])[y]
    return X, flip_uniform(grapes, 0.2, random_state=0).y


def _few(**others):
    return {"n_features_to_select": 3, "random_state": 0, **others}


def _auto(**others):
    """Held-out rows decide how many features, at little cost."""
    return {"judge": GaussianNB(), "cv": 2, "n_repeats": 2, "random_state": 0, **others}


def backward():
    X, y = wines()
    return summarise(SequentialSelector(labels="noisy", **_auto()).fit(X, y), data={"file": "wine.csv"})


def forward():
    X, y = wines()
    return summarise(SequentialSelector(direction="forward", **_auto()).fit(X, y))


def ranking():
    X, y = wines()
    probabilities = 0.1 + 0.7 * np.eye(3)[np.unique(y, return_inverse=True)[1]]
    return summarise(RankingSelector(labels="soft", n_features_to_select="auto", **_auto()).fit(X, probabilities))


def crowd():
    X, y = wines()
    answers = [flip_uniform(y, e, random_state=a).y for a, e in enumerate((0.1, 0.2, 0.4, 0.6))]
    return summarise(SequentialSelector(labels="crowd", **_few()).fit(X, np.column_stack(answers).astype(object)))


def multilabel():
    X, _ = wines()
    sets = pd.DataFrame({"strong": X["alcohol"] > 13, "dark": X["color_intensity"] > 5, "sour": X["malic_acid"] > 2})
    return summarise(SequentialSelector(labels="multilabel", **_few()).fit(X, sets.astype(int)))


def hierarchy():
    rng = np.random.default_rng(0)
    names = ["plant/flower/rose", "plant/flower/tulip", "plant/tree", "machine/tractor", "machine/car"]
    kind = np.repeat(np.arange(5), 80)
    X = pd.DataFrame(rng.normal(size=(400, 8)), columns=[f"f{j}" for j in range(8)])
    for j in range(4):
        X[f"f{j}"] += 3.0 * (kind > j)
    kind = np.where(rng.uniform(size=400) < 0.3, kind ^ (kind < 2), kind)
    distance = ClassDistance.from_paths(names)
    labels = NoisyLabels(transition="full")
    return summarise(
        BlanketSelector(labels=labels, class_distance=distance, n_conditioning=3, n_bins=10, **_auto()).fit(
            X, np.array(names)[kind]
        )
    )


def vectors():
    X, y = wines()
    distance = ClassDistance.from_vectors([[0, 0], [3, 0], [1, 5]], classes=["Barbera", "Barolo", "Grignolino"])
    return summarise(BlanketSelector(class_distance=distance, n_conditioning=3, n_bins=10, **_few()).fit(X, y))


def each_step():
    X, y = wines()
    labels = NoisyLabels(None, refit="each-step")
    return summarise(SequentialSelector(labels=labels, **_few()).fit(X.iloc[:, :6], y))


def groups():
    X, y = wines()
    how = {
        "feature_groups": [0, 0, 1, 1, 2, 2, 2, 3, 4, 5, 6, 7, 8, 9, 9],
        "required_features": ["ash", "alcalinity_of_ash"],
    }
    return summarise(SequentialSelector(**_few(**how)).fit(X, y))


def unlabelled():
    X, _ = wines()
    return summarise(RankingSelector("laplacian", **_few()).fit(X.drop(columns="cellar")))


def audit():
    X, y = wines()
    X = X.drop(columns="cellar")
    return summarise_audit(NoisyLabels(random_state=0).fit(X, y), n_features=14)


def own_probabilities():
    """An audit of predictions, no features."""
    X, y = wines()
    P = cross_val_predict(GaussianNB(), X.drop(columns="cellar"), y, method="predict_proba")
    table = pd.DataFrame(P, columns=[f"p_{name}" for name in np.unique(y)])
    return summarise_audit(NoisyLabels("precomputed", random_state=0).fit(table, y))


def not_known():
    """Features that do not predict the labels: nothing is said about these."""
    X = np.random.default_rng(0).normal(size=(90, 3))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        model = NoisyLabels(random_state=0).fit(X, np.tile(["a", "b", "c"], 30))
    return summarise_audit(model, n_features=3)


def answers_of_some(errors):
    """Of annotators by their rates of mistakes, the first of whom left out the first rows; the last says one thing."""
    _, y = wines()
    answers = np.column_stack([flip_uniform(y, e, random_state=a).y for a, e in enumerate(errors)] + [y]).astype(object)
    answers[:, -1] = "Barolo"
    answers[:40, 0] = None
    return answers


def crowd_audit():
    return summarise_audit(CrowdLabels().fit(None, answers_of_some((0.1, 0.3, 0.5))))


def large_crowd():
    """Sixty annotators, each of whom answered for every sixth row; some rows have no answer, and some a true class."""
    X, y = wines()
    answers = answers_of_some(np.linspace(0.05, 0.65, 59))
    answers[(np.arange(len(y))[:, None] + np.arange(60)) % 6 > 0] = None
    answers[:5] = None
    gold = np.where(np.arange(len(y)) % 20 == 0, y, np.array(None))
    return summarise_audit(CrowdLabels(random_state=0).fit(X.drop(columns="cellar"), answers, gold=gold), n_features=14)


@cache
def gappy():
    """Wines with gaps, more of them in the ash of Barolo, that change over time, and what `fit` is told of the rows."""
    X, y = wines()
    rng = np.random.default_rng(0)
    n, order = len(X), rng.permutation(len(X))
    X = X.mask(rng.uniform(size=X.shape) < 0.1)
    X.loc[(y == "Barolo") & (rng.uniform(size=n) < 0.5), "ash"] = np.nan
    X, y = X.iloc[order].reset_index(drop=True), y[order]
    bottled = np.arange(n) // 3
    X["magnesium"] += 0.5 * bottled
    X.iloc[7] = np.nan
    return X, y, {"sample_weight": np.linspace(0.5, 2.5, n), "groups": bottled, "order": bottled}


def as_it_is():
    """A table with gaps that predict the target, and weights, groups and times of its rows."""
    X, y, rows = gappy()
    selector = SequentialSelector(missing="indicator", **_auto()).fit(X, y, **rows)
    read_as = dict.fromkeys(X, "number") | {"cellar": "category", "kind": "target", "bottled": "time", "id": "left out"}
    notes = {"alcohol": "percentage: '12 %' as 12; 3 missing", "id": "numbers the rows"}
    columns = [{"name": name, "read_as": kind, "note": notes.get(name)} for name, kind in read_as.items()]
    return summarise(selector, data={"file": "wine.csv", "targets": ["kind"], "columns": columns})


def hostile():
    """Names of features, classes, files and targets that try to be something else."""
    rng = np.random.default_rng(0)
    kind = rng.integers(3, size=90)
    X = rng.normal(size=(90, len(EVIL)))
    X[:, 0] += 4 * kind
    X[:, 1] += 4 * (kind == 1)
    y = np.array(EVIL[:3], dtype=object)[kind]
    selector = SequentialSelector(labels="noisy", **_auto()).fit(X, flip_uniform(y, 0.2, random_state=0).y)
    few = np.full(len(EVIL), 1e-9)  # as if gaps of every feature predicted the target, and every feature had changed
    selector.missing_, selector.drift_ = SimpleNamespace(share=few, pvalues=few, n_empty_rows=1), few
    columns = [{"name": name, "read_as": name, "note": name} for name in EVIL]
    about = {"file": EVIL[0], "targets": EVIL, "notes": EVIL, "columns": columns}
    return summarise(selector, names=EVIL, data=about, warnings=EVIL)


def hostile_crowd():
    """Annotators and classes of such names; one annotator always gives one answer."""
    kind = np.random.default_rng(0).integers(3, size=90)
    names = [name.replace("\udc80", "") for name in EVIL]  # which tables of pandas cannot hold
    answers = np.array([np.array(EVIL, dtype=object)[kind]] * len(EVIL)).T
    for a in range(1, len(EVIL)):
        answers[a::7, a] = EVIL[a % 3]
    answers[:, 2] = EVIL[1]
    answers[(np.arange(90)[:, None] + np.arange(len(EVIL))) % 4 > 0] = None
    about = {"file": EVIL[0], "targets": EVIL, "notes": EVIL}
    model = CrowdLabels().fit(None, pd.DataFrame(answers, columns=names))
    return summarise_audit(model, data=about, warnings=EVIL)


def one_feature():
    X, y = wines()
    return summarise(SequentialSelector(labels="noisy", **_auto()).fit(X[["proline"]], y))


def single_step():
    X, y = wines()
    how = _few(direction="forward", n_features_to_select=1)
    return summarise(SequentialSelector(**how).fit(X, y))


def copies():
    """Two features that decide, two more that carry the same information, and probes."""
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=240)
    X = pd.DataFrame(rng.normal(size=(240, 12)), columns=[f"probe_{j}" for j in range(12)])
    for name, strength in (("first", 2.5), ("second", 1.5)):
        X[name] = strength * (2 * y - 1) / 2 + rng.normal(size=240)
        X[f"{name}_copy"] = X[name] + 0.3 * rng.normal(size=240)
    return summarise(SequentialSelector(**_auto()).fit(X, y))


def copied_groups():
    """The same, in groups of two columns."""
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=240)
    X = rng.normal(size=(240, 8))
    X[:, :2] += 1.5 * y[:, None]
    X[:, 2:4] = X[:, :2] + 0.02 * rng.normal(size=(240, 2))
    return summarise(SequentialSelector(feature_groups=[0, 0, 1, 1, 2, 2, 3, 3], **_auto()).fit(X, y))


def nothing():
    """Pure noise."""
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(80, 6)), rng.integers(2, size=80)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return summarise(SequentialSelector(**_auto()).fit(X, y))


def too_few_rows():
    """One row of the second class: none can be left out."""
    X, y = np.random.default_rng(0).normal(size=(6, 3)), np.array([0, 0, 0, 0, 0, 1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return summarise(RankingSelector(n_features_to_select="auto", **_auto()).fit(X, y))


def too_many_features():
    """A forward search that ends before it has all of them."""
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=60)
    X = rng.normal(size=(60, 70)) + np.where(np.arange(70) < 3, 2.0, 0.0) * y[:, None]
    return summarise(SequentialSelector(direction="forward", **_auto()).fit(X, y))


def limited():
    """Time for two of five folds, and for nothing after tests of each feature, which take a minute."""
    X, y = wines()
    Clock.now = 0.0
    how = _auto(judge=SlowJudge(), cv=5, tolerance=0.3, max_time=250.0)

    def slow_tests(*args, **how):
        Clock.now += 60
        return p_values_of_features(*args, **how)

    patches = {"tamis.search.pace.now": Clock.tell, "tamis.selectors._how_many.p_values_of_features": slow_tests}
    with ExitStack() as stack:
        for name, other in patches.items():
            stack.enter_context(mock.patch(name, other))
        return summarise(SequentialSelector(**how).fit(X, y))


def cut_short():
    """A search that is over before it is asked for as many features as it should have."""
    X, y = wines()
    return summarise(SequentialSelector(direction="forward", max_time=1e-9, **_few()).fit(X, y))


def many_classes():
    """2,000 of them, in a hierarchy."""
    rng = np.random.default_rng(0)
    names = np.array([f"{i % 7}/{i % 49}/{i}" for i in range(2000)])
    kind = np.tile(np.arange(2000), 2)
    X = np.column_stack([kind % 7, kind % 49, rng.normal(size=(4000, 2))])
    distance = ClassDistance.from_paths(np.unique(names))
    P = 0.9 * np.eye(2000)[kind] + 0.1 * np.eye(2000)[(kind + 7) % 2000]
    order = np.argsort(names)
    selector = BlanketSelector(
        labels="soft", class_distance=distance, n_features_to_select=2, correction=None, n_conditioning=3, n_bins=10
    )
    return summarise(selector.fit(X, pd.DataFrame(P[:, order], columns=names[order])))


def wide():
    """More features than are listed, and more kept than have a chip."""
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=40)
    X = rng.normal(size=(40, 600)) + np.linspace(0, 2, 600) * y[:, None]
    return summarise(RankingSelector(n_features_to_select=550, random_state=0).fit(X, y))


def large():
    """5,000 rows of 300 features, and as many suspects as a page may have."""
    how = {"n_clusters_per_class": 1, "class_sep": 3.0, "flip_y": 0.5, "random_state": 0}
    X, y = make_classification(5000, 300, n_informative=12, n_classes=4, **how)
    labels = NoisyLabels(GaussianNB(), random_state=0)
    return summarise(
        BlanketSelector(labels=labels, n_features_to_select=10, random_state=0, n_conditioning=3, n_bins=10).fit(X, y)
    )


KINDS = [
    backward,
    forward,
    ranking,
    crowd,
    multilabel,
    hierarchy,
    vectors,
    each_step,
    groups,
    unlabelled,
    audit,
    own_probabilities,
    not_known,
    crowd_audit,
    large_crowd,
]
AUDITS = ("audit", "own_probabilities", "not_known", "crowd_audit", "large_crowd", "hostile_crowd")
EVIDENCE = [copies, copied_groups, nothing, too_few_rows, too_many_features, limited, cut_short]
UGLY = [hostile, hostile_crowd, one_feature, single_step, many_classes]
CASES = {case.__name__: case for case in (*KINDS, *EVIDENCE, *UGLY)}
APART = {"as_it_is": as_it_is}
"""Looked at in fewer tests."""
LARGE = {case.__name__: case for case in (wide, large)}


@cache
def summary_of(case):
    return (CASES | APART | LARGE)[case]()


@cache
def html_of(case):
    return page(summary_of(case))
