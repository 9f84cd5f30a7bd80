"""Label models, and what they can be asked."""

import numpy as np
from fuzz.subjects_of_samples import GAPS, draw_codes
from fuzz.ugly_parameters import BAD, draw_model, draw_parameters
from fuzz.ugly_rows import draw_rows
from fuzz.ugly_samples import draw_samples
from fuzz.ugly_targets import draw_target

from tamis import answers_of


def _model(draw, kind):
    codes = draw_codes(draw)
    model = draw_model(draw, kind)
    X = draw_samples(draw, codes, gaps=GAPS) if kind in ("noisy", "multilabel") else None
    y = draw_target(draw, kind, codes, wrong=0.2)
    beside = draw.chance(0.1) if kind == "soft" else draw.wrong(0.02)
    memberships = draw_target(draw, "soft", codes, what="memberships") if beside else None
    beside = {"memberships": memberships} | draw_rows(draw, codes, ["sample_weight", "groups"])
    return model, X, y, beside


def hard_labels(draw):
    return _plain(draw, "hard")


def soft_labels(draw):
    return _plain(draw, "soft")


def multi_labels(draw):
    return _plain(draw, "multilabel")


def _plain(draw, kind):
    model, X, y, beside = _model(draw, kind)
    return (X, y, beside), lambda: (model.fit(X, y, **beside), model.search_memberships())


def crowd_labels(draw):
    model, X, y, beside = _model(draw, "crowd")
    other = draw_target(draw, "crowd", np.arange(5) % 3, what="other y") if draw.wrong(0.2) else y

    def call():
        model.fit(X, y, **beside)
        return model, model.annotators(), model.posterior(other), model.rates()

    return (y, beside, other), call


def noisy_labels(draw):
    model, X, y, beside = _model(draw, "noisy")
    n = draw.value("n", BAD) if draw.wrong(0.1) else draw.among([None, 0, 3, 10**9])
    others = draw_samples(draw, np.arange(7) % 3, what="others") if draw.wrong(0.1) else draw.among([None, X])

    def call():
        model.fit(X, y, **beside)
        return model, model.suspects(n), model.ask_next(n, X=others), model.search_memberships()

    return (X, y, beside, others), call


def long_answers(draw):
    rows = draw.rng.integers(0, 5, 8)
    who, said = np.array(["ann", "bob", "cyd"])[rows % 3], rows % 2
    columns = [rows, who, said]
    if draw.wrong(0.3):
        which = draw.rng.integers(3)
        columns[which] = draw_target(draw, "hard", rows, what=("row", "annotator", "label")[which], wrong=0.7)
    asked = draw_parameters(
        draw, {"n_rows": (5, 7, None), "annotators": (["ann", "bob", "cyd"], ["dan", "cyd", "bob", "ann"])}, bad=0.1
    )
    return columns, lambda: answers_of(*columns, **asked)


SUBJECTS = [
    (hard_labels, 0.5),
    (soft_labels, 0.7),
    (multi_labels, 1),
    (crowd_labels, 1),
    (noisy_labels, 2),
    (long_answers, 0.5),
]
