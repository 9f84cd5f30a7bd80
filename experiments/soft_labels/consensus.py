"""True classes from the answers of a crowd: ours beside CROWDLAB, and methods that do not look at the features.

Usage: python -m experiments.soft_labels.consensus DATA [--repetitions 5] [--only music] [--show]

The real crowds (`crowds.py`) are whole, and thinned to one, two and three answers a row; the others are simulated. A
repetition is another seed of the classifiers and of what is drawn.

tamis           CrowdLabels(), of answers and features
given P         the same, but for the classifiers, which are trained once, on the majority of the answers
alone           CrowdLabels(estimator=None), of the answers
CROWDLAB        of cleanlab, with the mean of the probabilities P of these classifiers
CL ensemble     with both of them
CL retrained    with their mean, trained again on its consensus, three times
crowd-kit DS    Dawid and Skene, in crowd-kit, as are GLAD and MACE

CROWDLAB takes no crowd with one answer a row: the majority stands in for it.
"""

import argparse
import contextlib
import io
import time
import warnings
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from experiments.runs import Runs
from experiments.soft_labels.crowds import crowd_of, names
from tamis import CrowdLabels, answers_of
from tamis.distances.scaling import scaled
from tamis.labels._out_of_sample import opinions_of

RESULTS = Runs(Path(__file__).parent / "results" / "consensus.jsonl")
SURE = 0.95
COMPARED = "CROWDLAB"


class Given:
    """A crowd as every method takes it."""

    def __init__(self, crowd, seed):
        self.crowd, self.seed = crowd, seed
        self.X = scaled(crowd.X, "standard") if isinstance(crowd.X, np.ndarray) else crowd.X
        self.answers = answers_of(crowd.row, crowd.annotator, crowd.label, n_rows=len(crowd.truth))
        votes = CrowdLabels("share").fit(None, self.answers, classes=np.arange(crowd.n_classes)).memberships_
        self.votes = votes + 1e-6 * np.random.default_rng(seed).uniform(size=votes.shape)  # ties are drawn
        self.on_majority = self.opinions(self.votes.argmax(axis=1))

    def opinions(self, codes):
        return opinions_of("auto", self.X, codes, self.crowd.n_classes, seed=self.seed, n_jobs=2)

    def frame(self):
        return pd.DataFrame({"task": self.crowd.row, "worker": self.crowd.annotator, "label": self.crowd.label})

    def wide(self):
        table = np.full((len(self.crowd.truth), self.crowd.annotator.max() + 1), np.nan)
        table[self.crowd.row, self.crowd.annotator] = self.crowd.label
        return table


class Consensus(NamedTuple):
    """The class of each row, how probable it is, and whether an EM ended by itself."""

    codes: np.ndarray
    probability: np.ndarray
    converged: bool | None = None


def likeliest(memberships, converged=None):
    return Consensus(memberships.argmax(axis=1), memberships.max(axis=1), converged)


def ours(**how):
    def found(given):
        X = given.on_majority if how.get("estimator") == "precomputed" else given.X
        model = CrowdLabels(random_state=given.seed, n_jobs=2, **how)
        model.fit(X, given.answers, classes=np.arange(given.crowd.n_classes))
        return likeliest(model.memberships_, model.converged_)

    return found


def crowdlab(*, ensemble=False, rounds=1):
    def found(given):
        from cleanlab import multiannotator

        table, opinions = given.wide(), given.on_majority
        if (~np.isnan(table)).sum(axis=1).max() < 2:
            return likeliest(given.votes)
        how = {"verbose": False, "return_detailed_quality": False, "return_annotator_stats": False}
        for _ in range(rounds):
            if ensemble:
                told = multiannotator.get_label_quality_multiannotator_ensemble(table, np.array(opinions), **how)
            else:
                told = multiannotator.get_label_quality_multiannotator(table, np.mean(opinions, axis=0), **how)
            rows = told["label_quality"]
            codes = rows["consensus_label"].to_numpy(int)
            opinions = given.opinions(codes) if rounds > 1 else opinions
        return Consensus(codes, rows["consensus_quality_score"].to_numpy(float))

    return found


def of_crowd_kit(name, **how):
    def found(given):
        from crowdkit import aggregation

        model = getattr(aggregation, name)(**how)
        model.fit(given.frame())
        probabilities = model.probas_
        memberships = np.zeros((len(given.crowd.truth), given.crowd.n_classes))
        memberships[np.ix_(probabilities.index, probabilities.columns)] = probabilities.to_numpy()
        return likeliest(memberships)

    return found


METHODS = {
    "tamis": ours(),
    "given P": ours(estimator="precomputed"),
    "alone": ours(estimator=None),
    COMPARED: crowdlab(),
    "CL ensemble": crowdlab(ensemble=True),
    "CL retrained": crowdlab(rounds=4),
    "crowd-kit DS": of_crowd_kit("DawidSkene", n_iter=100),
    "GLAD": of_crowd_kit("GLAD", n_iter=100),
    "MACE": of_crowd_kit("MACE", random_state=0),
    "majority": lambda given: likeliest(given.votes),
}


def figures(consensus, truth):
    right, sure = consensus.codes == truth, consensus.probability > SURE
    return {
        "accuracy": right.mean(),
        "expected": consensus.probability.mean(),
        "sure": sure.mean(),
        "right_of_sure": right[sure].mean() if sure.any() else np.nan,
    }


def measure(folder, name, seed):
    """Every method that has not been run on this crowd."""
    done = RESULTS.done()
    todo = [method for method in METHODS if (name, method, seed) not in done]
    if not todo:
        return
    given = Given(crowd_of(folder, name, seed), seed)
    for method in todo:
        start = time.perf_counter()
        with contextlib.redirect_stderr(io.StringIO()):  # progress bars
            found = METHODS[method](given)
        run = {"converged": found.converged, "seconds": round(time.perf_counter() - start, 2)}
        run |= {key: round(float(value), 5) for key, value in figures(found, given.crowd.truth).items()}
        RESULTS.add(data=name, method=method, repetition=seed, **run)


def show():
    runs = pd.DataFrame(RESULTS.read())
    there = [name for name in names() if name in set(runs["data"])]
    for key, title in (
        ("accuracy", "share of rows whose class is right, %"),
        ("right_of_sure", f"the same of rows with a probability above {SURE}, %"),
        ("sure", "how many rows have such a probability, %"),
        ("expected", "mean probability of the class, %"),
    ):
        table = 100 * _table(runs, key).loc[there]
        print(f"{title}\n{table.to_string(float_format='{:.1f}'.format, na_rep='-')}\n")
    error = 1.0 - _table(runs, "accuracy")
    ratios = error.div(error[COMPARED], axis=0)
    simulated = [name for name in there if ", " in name]
    for what, chosen in (("real", [n for n in there if n not in simulated]), ("simulated", simulated)):
        mean = ratios.loc[chosen].mean().map("{:.2f}".format)
        print(f"error, {COMPARED} = 1, mean of {what} crowds: {', '.join(f'{m} {x}' for m, x in mean.items())}")
    joint = runs[runs["method"] == "tamis"]
    done = runs.groupby("data")["repetition"].nunique()
    print(f"EM ended by itself in {joint['converged'].sum()} of {len(joint)} runs; repetitions: {done.min()} or more")


def _table(runs, key):
    """Means over the repetitions: a row for each crowd, a column for each method."""
    return runs.pivot_table(key, "data", "method").reindex(columns=list(METHODS))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, help="folder of the data sets")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--only", default="", help="crowds whose name begins so")
    parser.add_argument("--show", action="store_true", help="print the tables only")
    asked = parser.parse_args()
    if not asked.show:
        warnings.simplefilter("ignore")
        for seed in range(asked.repetitions):
            for name in names():
                if name.startswith(asked.only):
                    measure(asked.data, name, seed)
    show()


if __name__ == "__main__":
    main()
