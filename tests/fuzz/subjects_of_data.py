"""Data sets, figures and reports."""

import numpy as np
from fuzz.subjects_of_samples import draw_codes
from fuzz.ugly_parameters import BAD, SEED, draw_distance, draw_model, draw_parameters
from fuzz.ugly_samples import draw_samples
from fuzz.ugly_targets import draw_target
from sklearn.naive_bayes import GaussianNB

from tamis import (
    ClassTreeDisplay,
    NoiseDisplay,
    NoisyLabels,
    PathDisplay,
    RankingSelector,
    SuspectsDisplay,
    datasets,
    report,
)

RATE = (0, 0.3, 1, np.float32(0.5))


def flip(draw):
    codes = draw_codes(draw)
    y = draw_target(draw, "hard", codes, wrong=0.15)
    asked = {"random_state": 0} | draw_parameters(draw, {"random_state": SEED})
    name = draw.among(["flip_uniform", "flip_per_class", "flip_by_transition", "flip_near", "flip_within"])
    draw.notes.append(name)
    rate = draw.value("rate", (*RATE, *BAD)) if draw.chance(0.3) else 0.3
    more = [rate]
    if name == "flip_per_class":
        more = [draw.value("rates", ([0.1, 0.2], [0.1, 0.2, 0.3], {"ant": 0.5}, {0: 1.0}, {}, *BAD))]
    elif name == "flip_by_transition":
        more = [draw.value("transition", (lambda: np.full((2, 2), 0.5), lambda: np.full((3, 3), 1 / 3), *BAD))]
    elif name == "flip_near":
        asked |= {"X": draw_samples(draw, len(codes), codes)} if draw.chance(0.6) else {}
        asked |= {"class_distance": draw_distance(draw)} if draw.chance(0.4) else {}
        asked |= draw_parameters(draw, {"n_near": (1, 2)})
    elif name == "flip_within":
        more += [draw_distance(draw), draw.value("distance", (1, 0.5, 1e308, *BAD)) if draw.chance(0.5) else 1]
    return (y, more, asked), lambda: getattr(datasets, name)(y, *more, **asked)


def made(draw):
    good = {"n_samples": (1, 2, 7, 50), "n_features": (2, 5, 6, 10), "random_state": SEED}
    odd = {
        "make_spheres": {},
        "make_squares": {},
        "make_circle": {"radius": (0.1, 0.5), "gap": (0, 0.1)},
        "make_y4": {"printed": (True,)},
        "make_y5": {"printed": (True,)},
        "make_multilabel_1": {},
        "make_multilabel_2": {},
    }
    name = draw.among(sorted(odd))
    good = {k: v for k, v in good.items() if k != "n_features" or "multilabel" not in name} | odd[name]
    asked = {"random_state": 0, "n_samples": 20} | draw_parameters(draw, good, bad=0.15)
    draw.notes.append(name)
    return None, lambda: getattr(datasets, name)(**asked)


def expert(draw):
    y = draw_target(draw, "hard", draw_codes(draw), wrong=0.2)
    doubt = draw.value("doubt", (*RATE, *BAD)) if draw.chance(0.5) else 0.3
    good = {"variance": (0.01, 1e-300, 0.2), "reading": ("alternative", "literal"), "random_state": SEED}
    asked = {"random_state": 0} | draw_parameters(draw, good, bad=0.1)
    return y, lambda: datasets.uncertain_expert(y, doubt, **asked)


def blocks_of_a_file(draw):
    text = draw.value(
        "text", ("a,b,y\n1,2,p\n3,4,q\n", "a,b,y\n", "", "a\n1\n", "a,b,y\n1,x,p\n", "a,a,y\n1,2,3\n", "\x00")
    )
    name = (
        draw.value("path", ("t.csv", "t.parquet", "t.xyz", "missing.csv", ".", *BAD)) if draw.chance(0.3) else "t.csv"
    )
    target = draw.value("target", ("y", ["y", "a"], "z", *BAD)) if draw.chance(0.4) else "y"
    asked = draw_parameters(draw, {"features": (["a"], ["a", "b"], ["y"]), "n_rows": (1, 2)}, bad=0.15)

    def call():
        for file in ("t.csv", "t.parquet", "t.xyz"):
            with open(file, "w") as out:
                out.write(text)
        return [tuple(block) for block in datasets.read_blocks(name, target, **asked)]

    return None, call


def table(draw):
    folder = draw.value("folder", (".", "no", *BAD))
    name = draw.value("name", ("iris", *BAD))
    return None, lambda: datasets.read_table(folder, name)


def picture(draw):
    """Figures and reports of something fitted, or not."""
    codes = np.arange(30) % 3
    X = draw.rng.normal(size=(30, 3)) + codes[:, None]
    kind = draw.among(["selector", "model", "unfitted", "crowd", "other"])
    n_rows = draw.value("n_rows", (1, 20, *BAD)) if draw.chance(0.3) else 20
    about = draw_parameters(draw, {"rows": (range(30), [1]), "warnings": (["look"],)}, bad=0.2)
    path = draw.value("path", ("r.html", ".", "no/r.html", *BAD)) if draw.chance(0.3) else "r.html"
    what = draw.among([PathDisplay, NoiseDisplay, SuspectsDisplay, ClassTreeDisplay, report])
    crowd, unfitted, other = draw_model(draw, "crowd"), draw.among([RankingSelector(), NoisyLabels()]), draw.among(BAD)
    made = {
        "selector": lambda: RankingSelector(labels=NoisyLabels(GaussianNB()), random_state=0).fit(X, codes),
        "model": lambda: NoisyLabels(GaussianNB(), random_state=0).fit(X, codes),
        "unfitted": lambda: unfitted,
        "crowd": lambda: crowd.fit(None, np.column_stack([codes, codes, codes % 2])),
        "other": lambda: other,
    }[kind]
    draw.notes.append(f"{what.__name__} of {kind}")

    def call():
        if what is report:
            return report(made(), path, **about).read_text()
        import matplotlib

        matplotlib.use("agg")
        import matplotlib.pyplot as plt

        try:
            what.from_estimator(made(), **({"n_rows": n_rows} if what is SuspectsDisplay else {}))
        finally:
            plt.close("all")
        return None

    return (X, codes), call


SUBJECTS = [(flip, 1), (made, 0.5), (expert, 0.4), (blocks_of_a_file, 0.4), (table, 0.1), (picture, 0.5)]
