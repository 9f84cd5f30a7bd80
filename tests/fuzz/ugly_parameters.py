"""Parameters: for each name some good values; the bad ones are the same for all."""

from pathlib import Path

import numpy as np
import pandas as pd
from fuzz.ugly_objects import own_classifier, own_criterion, own_labels
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from tamis import (
    BayesRisk,
    ChiSquare,
    ClassDistance,
    CrowdLabels,
    HardLabels,
    LaplacianScore,
    MultiLabels,
    MutualInformation,
    NoisyLabels,
    SoftLabels,
    WeightedLaplacian,
)

BAD = (
    None, 0, -1, 1.5, -0.5, np.nan, np.inf, -np.inf, 1j, True, False, "", "x", "auto", b"x", (), [], [1, 2], {}, set(),
    object, lambda d: object(), lambda d: np.array(3), lambda d: np.array([1.0, np.nan]), lambda d: np.zeros((2, 2)),
    np.int64(2), np.float32(0.25), np.bool_(True), np.str_("x"), 2**31, 2**63, 2**70, -(2**70), 1e300, "\x00",
    lambda d: ["x", None], [[0], [1]], lambda d: pd.Series([1, 2]), lambda d: np.datetime64("2020-01-01"), range(2),
    10**400, 5e-324, [True], [0, 0],
)  # fmt: skip
LONG = {"n_permutations", "max_iter", "n_init", "n_folds", "n_repeats", "n_samples", "n_features", "n_rows"}
"""Where a large number asks for as much work, and gets it."""

COUNT = (1, 2, 5, np.int32(3), 40, 10**6)
SEED = (0, np.int64(7), lambda d: np.random.RandomState(3))
SELECTOR = {
    "n_features_to_select": ("auto", 1, 2, 0.5, 1.0, np.int64(1)),
    "judge": ("auto", GaussianNB(), [GaussianNB(), KNeighborsClassifier(1)]),
    "tolerance": (0, 0.01, 0.5, np.float32(0.1)),
    "cv": (2, 3, 50, np.int64(2)),
    "n_repeats": ("auto", 1, 2),
    "alpha": (0.01, 0.4, np.float32(0.1)),
    "required_features": ([0], [-1], [], lambda d: np.array([0]), lambda d: np.arange(d.width) == 0),
    "feature_groups": (
        lambda d: [list(range(d.width))],
        lambda d: [[0], *([f] for f in range(1, d.width))],
        lambda d: np.arange(d.width) // 2,
        lambda d: ["a"] * d.width,
    ),
    "categorical_features": (None, lambda d: np.zeros(d.width, dtype=bool), [], [0]),
    "random_state": SEED,
    "checkpoint": ("steps.json", Path("steps.json")),
    "max_time": (10**6, 1e300, np.float32(1e6)),
    "verbose": (0,),
}
MISSING = {"missing": ("indicator", "indicator", "error", "use", np.str_("use"))}
CRITERIA = {
    MutualInformation: {"n_neighbors": COUNT, "estimator": ("count", "distance"), "include_self": (True,)},
    BayesRisk: {"kind": ("expected", "count"), "n_neighbors": COUNT, "include_self": (True,)},
    WeightedLaplacian: {},
    LaplacianScore: {"n_neighbors": COUNT, "width": (1.0, 1e-300, 1e300), "squared": (True,), "scale": (None,)},
    ChiSquare: {"n_bins": (2, 3, 50), "max_inconsistency": (0, 0.3), "per_label": (None, "mean", "max")},
}
BINS = {name: (lambda name=name: {"bins": name}) for name in ("mdl", "quantile", "chi2")}
MODELS = {
    "hard": (HardLabels, {}),
    "soft": (SoftLabels, {}),
    "crowd": (
        CrowdLabels,
        {
            "method": ("dawid-skene", "share"),
            "estimator": ("auto", None, None),
            "smoothing": (0, 0.1, 1e300, 1e-300),
            "unanswered": ("drop", "predict"),
            "soft": (None, True, False),
            "missing_value": (None, -1, "eel", np.nan),
            "max_iter": (1, 3),
            "tol": (0, 0.1, 1),
        },
    ),
    "noisy": (
        NoisyLabels,
        {
            "transition": ("auto", "common", "per-class", "full"),
            "refit": ("once", "each-step"),
            "scale": ("standard", None),
            "soft": (True,),
            "n_neighbors": COUNT,
            "include_self": (True,),
            "dimension": ("intrinsic", "ambient"),
            "initial_rate": ("random", 0, 0.5, 1),
            "n_init": (1, 2),
            "max_iter": (1, 5),
            "tol": (0, 1e-3, 1),
        },
    ),
    "multilabel": (
        MultiLabels,
        {
            "min_class_size": (2, 5, "auto"),
            "transform": ("auto", "labels", "powerset", "copy"),
            "size_method": ("loss", "permutation"),
            "n_neighbors": (1, "auto"),
            "n_folds": (2, 3),
            "n_repeats": (1,),
        },
    ),
}
DISTANCES = (
    lambda d: 1 - np.eye(d.classes),
    lambda d: (1 - np.eye(d.classes)).tolist(),
    lambda d: (1 - np.eye(d.classes)) * 1e-300,
    lambda d: (1 - np.eye(d.classes)) * 5e307,
    lambda d: (1 - np.eye(d.classes)) * 5e-324,
    lambda d: np.abs(np.subtract.outer(np.arange(d.classes), np.arange(d.classes))),
    lambda d: np.abs(np.subtract.outer(2.0 ** -np.arange(0, 1000, 100), 2.0 ** -np.arange(0, 1000, 100)))[
        : d.classes, : d.classes
    ],
    lambda d: ClassDistance(1 - np.eye(d.classes)),
    lambda d: ClassDistance.from_vectors(np.random.default_rng(0).normal(size=(d.classes, 2))),
)
ODD_DISTANCES = (
    lambda d: [[0, 3, 4], [3, 0, 5], [4, 5, 0]],
    lambda d: (1 - np.eye(3)) * 1e308,
    lambda d: np.abs(np.subtract.outer([0, 1, 1e-12], [0, 1, 1e-12])),
    lambda d: np.abs(np.subtract.outer(np.arange(3.0), np.arange(3.0))) ** 2,
    lambda d: ClassDistance.zero_one(["ant", "bee", "cat"]),
    lambda d: ClassDistance.from_paths({"ant": "a/b", "bee": "a/c", "cat": "d"}),
    lambda d: pd.DataFrame(1 - np.eye(3), columns=["ant", "bee", "cat"]),
    lambda d: np.full((3, 3), np.nan),
    lambda d: np.zeros((3, 3)),
    lambda d: np.eye(3),
    lambda d: -(1 - np.eye(3)),
    lambda d: np.triu(np.ones((3, 3)), 1),
    lambda d: np.zeros((3, 0)),
    lambda d: [[0, 1], [1, "x"]],
    *BAD,
)


def draw_parameters(draw, good, *, usual=0.75, bad=0.03):
    """Some of the parameters, mostly good ones."""
    drawn = {}
    for name, values in good.items():
        if draw.wrong(bad):
            drawn[name] = _bad(draw, name)
        elif not draw.chance(usual):
            drawn[name] = draw.value(name, values)
    return drawn


def _bad(draw, name):
    while True:
        value = draw.among(BAD)
        long = isinstance(value, (int, float)) and not isinstance(value, bool) and value > 1000
        if not (long and name in LONG) and not (name == "random_state" and value is None):
            return draw.value(name, (value,))


def draw_threads(draw, bad=0.03):
    """Threads: those of the run, unless they are wrong."""
    return _bad(draw, "n_jobs") if draw.wrong(bad) else draw.threads


def draw_model(draw, kind):
    """A label model with some parameters."""
    model, good = MODELS[kind]
    parameters = draw_parameters(draw, good)
    if kind == "noisy":
        forest = draw.chance(0.02)
        parameters["estimator"] = "auto" if forest else None if draw.chance(0.5) else own_classifier(draw)
        draw.notes.append(f"estimator={parameters['estimator']}")
    if kind in ("noisy", "multilabel"):
        parameters |= {"n_jobs": draw_threads(draw), "random_state": 0}
    return model(**parameters)


def draw_labels(draw):
    """Labels as a name or an object, mostly right; and the kind of target that they take."""
    kind = draw.among(sorted(MODELS))
    if draw.wrong(0.02):
        return _bad(draw, "labels"), kind
    if draw.chance(0.1):
        labels = own_labels(draw)
        draw.notes.append(f"labels={labels}")
        return labels, kind
    if kind != "noisy" and draw.chance(0.5):
        draw.notes.append(f"labels={kind}")
        return kind, kind
    draw.notes.append(f"labels of class {MODELS[kind][0].__name__}")
    return draw_model(draw, kind), kind


def draw_criterion(draw, own=0.1, bad=0.02):
    if draw.wrong(bad):
        return _bad(draw, "criterion")
    if draw.chance(own):
        criterion = own_criterion(draw)
    else:
        kind = draw.among(list(CRITERIA))
        criterion = kind(**draw_parameters(draw, CRITERIA[kind]), **(draw.form("", BINS) if kind is ChiSquare else {}))
    draw.notes.append(f"criterion={criterion}")
    return criterion


def draw_distance(draw):
    return draw.value("class_distance", ODD_DISTANCES if draw.wrong(0.25) else (None, *DISTANCES))
