"""Selectors, criteria and functions of samples and labels."""

import numpy as np
from fuzz.outcomes import prints
from fuzz.ugly_parameters import (
    BAD,
    BINS,
    COUNT,
    CRITERIA,
    MISSING,
    SELECTOR,
    draw_criterion,
    draw_distance,
    draw_labels,
    draw_parameters,
    draw_threads,
)
from fuzz.ugly_rows import draw_rows
from fuzz.ugly_samples import draw_samples
from fuzz.ugly_targets import draw_target
from samples import CHEAP

from tamis import (
    BlanketSelector,
    ChiSquare,
    MLkNNClassifier,
    RankingSelector,
    SequentialSelector,
    bayes_risk,
    class_posterior,
    entropy,
    mutual_information,
    subset_divergence,
    weighted_laplacian_score,
)


def draw_codes(draw):
    """Classes of some rows, as numbers."""
    n = draw.among([4, 3, 2, 1]) if draw.wrong(0.07) else draw.among([40, 40, 40, 30, 60])
    codes = draw.rng.integers(0, draw.among([2, 3, 3, 5]), n)
    draw.classes, draw.n_rows = max(2, len(np.unique(codes))), n
    return codes


GAPS = 0.25
"""Share of the samples with missing values, where these are used."""


def draw_pair(draw, kinds=("sample_weight", "groups", "order"), **how):
    """Labels, X, y, memberships, and what is known of the rows."""
    codes = draw_codes(draw)
    labels, kind = draw_labels(draw)
    X = draw_samples(draw, codes, gaps=GAPS, **how)
    beside = draw.chance(0.1) if kind == "soft" else draw.wrong(0.02)
    memberships = draw_target(draw, "soft", codes, what="memberships") if beside else None
    y = draw_target(draw, "hard" if beside else kind, codes)
    return labels, X, y, memberships, draw_rows(draw, codes, kinds)


def sequential_selector(draw):
    steps = ("auto", 1, 3, 0.5, np.float32(0.3), np.int64(2))
    good = SELECTOR | MISSING | {"direction": ("forward", "backward"), "scale": ("standard", None), "step": steps}
    return _selector(draw, SequentialSelector, good, criterion=draw_criterion(draw))


def ranking_selector(draw):
    return _selector(draw, RankingSelector, SELECTOR | MISSING, criterion=draw_criterion(draw))


def blanket_selector(draw):
    good = SELECTOR | {
        "divergence": ("wasserstein", "kl"),
        "n_conditioning": (0, 1, 3, 10**6),
        "bins": ("auto", "quantile", "uniform", None),
        "n_bins": (2, 10, 1000),
        "correction": ("null", None),
        "n_permutations": (1, 3),
    }
    return _selector(draw, BlanketSelector, good, class_distance=0.2)


def _selector(draw, kind, good, **given):
    labels, X, y, memberships, rows = draw_pair(draw)
    if "class_distance" in given:
        given["class_distance"] = draw_distance(draw) if draw.chance(given["class_distance"]) else None
    asked = {"random_state": 0, "n_jobs": draw_threads(draw)} | (CHEAP if draw.chance(0.95) else {})
    asked |= draw_parameters(draw, good, usual=0.85, bad=0.015)
    if draw.chance(0.5):
        asked["n_features_to_select"] = 1
    usual = 1
    n = draw.value("n", (2, *BAD)) if draw.wrong(0.1) else usual
    other = draw_samples(draw, np.zeros(3, int), what="other X") if draw.wrong(0.05) else X

    def call():
        selector = kind(labels=labels, **given, **asked).fit(X, y, memberships=memberships, **rows)
        assert selector.support_.any()
        path, sizes = selector.path_, selector.path_.sizes
        n_features = int(sizes[0]) if n is usual and usual not in sizes else n
        rest = [path.subset(n_features)]
        rest += [selector.blanket(0)] if kind is BlanketSelector else []
        return {"selector": selector, "adds": path.adds(n_features), "to_frame": path.to_frame(), "rest": rest} | {
            "transformed": selector.transform(other)
        }

    return (X, y, memberships, rows, other), call


def in_blocks(draw):
    codes = draw_codes(draw)
    kind = "crowd" if draw.wrong(0.05) else draw.among(["hard", "soft"])
    classes = draw.value("classes", ([0, 1, 2], ["ant", "bee", "cat"], *BAD)) if draw.wrong(0.15) else None
    X, y = draw_samples(draw, codes, sparse_too=True, gaps=GAPS), draw_target(draw, kind, codes)
    other = (draw_samples(draw, codes), draw_target(draw, kind, codes)) if draw.wrong(0.2) else (X, y)
    blocks = [(*block, draw_rows(draw, codes, ["sample_weight"], 0.3)) for block in ((X, y), other)]
    good = {k: v for k, v in SELECTOR.items() if k not in ("categorical_features", "n_features_to_select")} | MISSING
    asked = {"n_features_to_select": 1} | draw_parameters(draw, good, usual=0.9, bad=0.01)

    def call():
        selector = RankingSelector(labels=kind, n_jobs=draw.threads, **asked)
        for number, (X, y, rows) in enumerate(blocks):
            selector.partial_fit(X, y, classes=None if number else classes, **rows)
        return selector, selector.get_support()

    return blocks, call


def criterion_score(draw):
    codes = draw_codes(draw)
    kind = draw.among(list(CRITERIA))
    X = draw_samples(draw, codes, gaps=GAPS)
    asked = draw_parameters(draw, CRITERIA[kind]) | (draw.form("", BINS) if kind is ChiSquare else {})
    draw.notes.append(kind.__name__)
    memberships = draw_target(draw, "soft", codes, what="memberships")
    return (X, memberships), lambda: {"score": kind(**asked).score(X, memberships)}


def entropy_of_samples(draw):
    codes = draw_codes(draw)
    X = draw_samples(draw, codes)
    asked = draw_parameters(draw, {"n_neighbors": COUNT}) | {"n_jobs": draw_threads(draw)}
    rows = draw_rows(draw, codes, ["sample_weight", "groups"])
    return (X, rows), lambda: {"entropy": entropy(X, **asked, **rows)}


def _function(draw, function, good, name):
    kinds, is_sum = ["sample_weight", "groups"], function is weighted_laplacian_score
    labels, X, y, memberships, rows = draw_pair(draw, kinds[: 2 - is_sum], sparse_too=is_sum)
    asked = draw_parameters(draw, good) | {"n_jobs": draw_threads(draw), "random_state": 0} | rows
    return (X, y, memberships, rows), lambda: {name: function(X, y, labels=labels, memberships=memberships, **asked)}


def information_function(draw):
    good = {"n_neighbors": COUNT, "estimator": ("count", "distance"), "include_self": (True,)}
    return _function(draw, mutual_information, good, "information")


def risk_function(draw):
    good = {"n_neighbors": COUNT, "kind": ("expected", "count"), "include_self": (True,)}
    return _function(draw, bayes_risk, good, "risk")


def posterior_function(draw):
    return _function(draw, class_posterior, {"n_neighbors": COUNT, "include_self": (True,)}, "posterior")


def subset_function(draw):
    labels, X, y, memberships, rows = draw_pair(draw, ["sample_weight"], sparse_too=True)
    good = {"divergence": ("wasserstein", "kl"), "bins": ("quantile", "uniform", None), "n_bins": (2, 1000)}
    asked = {"n_permutations": 2, "random_state": 0} | draw_parameters(draw, good | {"n_permutations": (0, 1)})
    subset = draw.value("subset", (["a"], [10**6], *BAD)) if draw.wrong(0.1) else draw.among([[], [0]])
    if draw.chance(0.4):
        asked["y_noisy"] = draw_target(draw, "hard", draw_codes(draw), what="y_noisy") if draw.wrong(0.3) else y
    if draw.chance(0.2):
        asked["class_distance"] = draw_distance(draw)
    given = (X, y, memberships, asked.get("y_noisy"), rows)
    return given, lambda: subset_divergence(X, y, subset, labels=labels, memberships=memberships, **asked, **rows)


def nothing_known(draw):
    """Weights of one and groups of one row give the same bits as none, rows of weight zero as tables without them."""
    labels, X, y, memberships, _ = draw_pair(draw, [])
    n, criterion, given = draw.n_rows, draw_criterion(draw), {"memberships": memberships}
    known = {"sample_weight": draw.among([np.ones(n), np.ones(n, int)]), "groups": draw.rng.permutation(n)}
    chosen = np.flatnonzero(draw.rng.random(n) < 0.8)
    absent = draw.chance(0.5) and len(chosen) and isinstance(X, np.ndarray) and isinstance(y, np.ndarray)
    absent = absent and X.shape[:1] == y.shape[:1] == (n,) and memberships is None
    functions = [mutual_information, class_posterior, *([subset_divergence] if absent else [])]
    what = draw.among([RankingSelector, SequentialSelector, BlanketSelector, *functions])
    draw.notes.append(f"{what.__name__}{' without absent rows' if absent else ''}")

    def found(X, y, rows):
        if what in functions:
            more = {"subset": [0], "n_permutations": 1} if what is subset_divergence else {"n_jobs": draw.threads}
            return {"information": what(X, y, labels=labels, random_state=0, **more, **given, **rows)}
        own = {} if what is BlanketSelector else {"criterion": criterion}
        return what(labels=labels, random_state=0, n_jobs=draw.threads, **own, **CHEAP).fit(X, y, **given, **rows)

    def call():
        if absent:
            both = found(X[chosen], y[chosen], {}), found(X, y, {"sample_weight": np.isin(np.arange(n), chosen)})
        else:
            both = found(X, y, {}), found(X, y, known)
        assert prints(both[0]) == prints(both[1]), "other bits"
        return both[0]

    return (X, y, memberships), call


def laplacian_function(draw):
    return _function(draw, weighted_laplacian_score, {}, "scores")


def mlknn(draw):
    codes = draw_codes(draw)
    X, Y = draw_samples(draw, codes, sparse_too=True), draw_target(draw, draw.among(["multilabel", "hard"]), codes)
    other = draw_samples(draw, np.zeros(3, int), what="other X", width=draw.width) if draw.chance(0.2) else X
    asked = draw_parameters(draw, {"n_neighbors": COUNT, "smoothing": (0.1, 1e300, 1e-300)})
    asked["n_jobs"] = draw_threads(draw)

    def call():
        fitted = MLkNNClassifier(**asked).fit(X, Y)
        return fitted, fitted.predict(other), fitted.predict_proba(other)

    return (X, Y, other), call


SUBJECTS = [
    (sequential_selector, 5),
    (ranking_selector, 3),
    (blanket_selector, 4),
    (in_blocks, 1),
    (criterion_score, 2),
    (entropy_of_samples, 1),
    (information_function, 1.5),
    (risk_function, 1.5),
    (posterior_function, 1),
    (subset_function, 1),
    (laplacian_function, 1),
    (nothing_known, 1),
    (mlknn, 1.5),
]
