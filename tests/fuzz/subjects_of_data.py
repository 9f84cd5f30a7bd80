"""Data sets, figures and reports."""

import numpy as np
from fuzz.subjects_of_samples import draw_codes
from fuzz.ugly_objects import QuietBayes
from fuzz.ugly_parameters import BAD, DISTANCES, ODD_DISTANCES, SEED, draw_distance, draw_model, draw_parameters
from fuzz.ugly_samples import draw_samples
from fuzz.ugly_targets import draw_target
from sklearn.naive_bayes import GaussianNB

from tamis import (
    BlanketSelector,
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
FLIPS = [
    *("flip_uniform", "flip_per_class", "flip_by_transition", "flip_near", "flip_within"),
    *("flip_by_probabilities", "flip_near_boundary"),
]


def flip(draw):
    codes = draw_codes(draw)
    y = draw_target(draw, "hard", codes)
    asked = {"random_state": 0} | draw_parameters(draw, {"random_state": SEED})
    name = draw.among(FLIPS)
    draw.notes.append(name)
    more = [draw.value("rate", BAD if draw.wrong(0.1) else RATE)]
    if name == "flip_per_class":
        good = (lambda d: np.linspace(0, 1, d.classes), lambda d: [0.2] * d.classes, {})
        more = [draw.value("rates", ({"ant": 0.5}, {0: 1.0}, *BAD) if draw.wrong(0.2) else good)]
    elif name == "flip_by_transition":
        good = (lambda d: np.eye(d.classes), lambda d: np.full((d.classes, d.classes), 1 / d.classes))
        more = [draw.value("transition", BAD if draw.wrong(0.2) else good)]
    elif name == "flip_near":
        near = {"X": draw_samples(draw, codes)} if draw.chance(0.5) else {}
        near = near or {"class_distance": draw.value("class_distance", ODD_DISTANCES if draw.wrong(0.2) else DISTANCES)}
        asked |= near | draw_parameters(draw, {"n_near": (1,)})
    elif name == "flip_within":
        more += [
            draw_distance(draw),
            draw.value("distance", (0.5, *BAD)) if draw.wrong(0.2) else draw.among([1, 1e308]),
        ]
    elif name == "flip_by_probabilities":
        good = (
            lambda d: np.eye(d.classes)[np.unique(codes, return_inverse=True)[1]],
            lambda d: np.full((len(codes), d.classes), 1 / d.classes),
        )
        more = [draw.value("probabilities", (lambda d: np.eye(2), *BAD) if draw.wrong(0.2) else good)]
    elif name == "flip_near_boundary":
        more += [draw_samples(draw, codes)]
        asked["estimator"] = draw.value("estimator", BAD) if draw.wrong(0.1) else QuietBayes()
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
    asked = {"random_state": 0, "n_samples": 20} | draw_parameters(draw, good, bad=0.1)
    draw.notes.append(name)
    return None, lambda: getattr(datasets, name)(**asked)


def expert(draw):
    y = draw_target(draw, "hard", draw_codes(draw))
    doubt = draw.value("doubt", (*RATE, *BAD)) if draw.wrong(0.2) else draw.among([0.3, 0.5, np.float32(0.4)])
    good = {"variance": (0.01, 1e-300, 0.2), "reading": ("alternative", "literal"), "random_state": SEED}
    asked = {"random_state": 0} | draw_parameters(draw, good, bad=0.05)
    return y, lambda: datasets.uncertain_expert(y, doubt, **asked)


def blocks_of_a_file(draw):
    odd = ("a,b,y\n", "", "a\n1\n", "a,b,y\n1,x,p\n", "a,a,y\n1,2,3\n", "\x00", "a,b,y\n1,2\n1,2,3,4\n", "a;b\n")
    text = draw.value("text", odd if draw.wrong(0.2) else ("a,b,y\n1,2,p\n3,4,q\n", "a,b,y\n1e300,-0,r\n.5,4,q\n"))
    name = draw.value("path", ("t.parquet", "t.xyz", "no.csv", ".", *BAD)) if draw.wrong(0.15) else "t.csv"
    target = draw.value("target", ("z", *BAD)) if draw.wrong(0.15) else draw.among(["y", ["y"]])
    asked = draw_parameters(draw, {"features": (["a"], ["b", "a"]), "n_rows": (1, 2)}, bad=0.1)

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
    what = draw.among([PathDisplay, NoiseDisplay, SuspectsDisplay, ClassTreeDisplay, report])
    fitting = {PathDisplay: ["selector"], ClassTreeDisplay: ["selector"], SuspectsDisplay: ["selector", "model"]}
    kind = draw.among(fitting.get(what, ["selector", "model", "crowd"]))
    kind = draw.among(["selector", "model", "unfitted", "crowd", "other"]) if draw.wrong(0.2) else kind
    n_rows = draw.value("n_rows", BAD) if draw.wrong(0.1) else draw.among([1, 20])
    about = draw_parameters(draw, {"rows": (range(30),), "warnings": (["look"],)}, bad=0.1)
    path = draw.value("path", (".", "no/r.html", *BAD)) if draw.wrong(0.15) else "r.html"
    crowd, unfitted, other = draw_model(draw, "crowd"), draw.among([RankingSelector(), NoisyLabels()]), draw.among(BAD)
    made = {
        "selector": lambda: BlanketSelector(
            labels=NoisyLabels(GaussianNB()), random_state=0, n_conditioning=3, n_bins=10
        ).fit(X, codes),
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
