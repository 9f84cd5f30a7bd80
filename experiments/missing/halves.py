"""One half of the rows to search on, with gaps; the other to judge what was chosen, and complete data to judge with."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

from experiments.judge import FOLDS, Judge
from experiments.missing.gaps import MECHANISMS

TUNED = ("vehicle", "wine", "glass", "ionosphere")
CONFIRMED = ("segment", "sonar", "ecoli", "waveform_noise")
MOST_ROWS, MOST_SIZES = 1000, 5
TREES = 20


def sizes(n_features) -> list[int]:
    """The sizes that are judged: from 2 to all but one, up to five of them, at equal ratios."""
    asked = np.geomspace(2, n_features - 1, min(MOST_SIZES, n_features - 2))
    return sorted(set(np.rint(asked).astype(int).tolist()))


def generator(name, repetition, *more):
    """Random numbers of one set and repetition, whatever else is run."""
    words = [part if isinstance(part, int) else zlib.crc32(part.encode()) for part in (name, *more)]
    return np.random.default_rng([repetition, *words])


@dataclass
class Halves:
    """One stratified split. All that is judged, on both halves, is complete: what is compared is a choice of features.

    Columns are scaled by the half that is searched on.
    """

    name: str
    repetition: int
    X: np.ndarray
    y: np.ndarray
    X_test: np.ndarray
    y_test: np.ndarray
    seed: int
    neighbours: Judge
    _errors: dict = field(default_factory=dict)

    @classmethod
    def draw(cls, data, name, repetition):
        X, y = data
        rng = generator(name, repetition)
        seed = int(rng.integers(2**31))
        half = min(len(y), MOST_ROWS) // 2
        train, test = train_test_split(
            np.arange(len(y)), train_size=half, test_size=half, stratify=y, random_state=seed
        )
        X = standardised(X[train], X)
        folds = rng.permutation(half) % FOLDS
        neighbours = Judge(X[train], y[train], X[test], y[test], folds)
        return cls(name, repetition, X[train], y[train], X[test], y[test], seed, neighbours)

    def with_gaps(self, mechanism, share):
        """The half to search on with gaps, scaled by what is there; the same for every method."""
        rng = generator(self.name, self.repetition, mechanism, round(100 * share))
        X = MECHANISMS[mechanism](self.X, share, rng)
        return standardised(X, X)

    def errors(self, order) -> dict[str, float]:
        """Balanced error in per cent of each judge, the mean over the sizes of the subsets of a path."""
        each = [self._of(tuple(sorted(int(f) for f in order[:size]))) for size in sizes(self.X.shape[1])]
        return {judge: round(float(np.mean([one[judge] for one in each])), 4) for judge in JUDGES}

    def _of(self, subset):
        if subset not in self._errors:
            self._errors[subset] = {judge: error(self, list(subset)) for judge, error in JUDGES.items()}
        return self._errors[subset]


def standardised(X, others):
    """Other rows by the mean and the standard deviation of those values of X that are there; constant columns are 0."""
    there = ~np.isnan(X)
    mean, spread = np.mean(X, axis=0, where=there), np.std(X, axis=0, where=there)
    return (others - mean) / np.where(spread > 0, spread, np.inf)


def _nearest(halves, subset):
    return halves.neighbours.error(subset)


def _of_classifier(make, halves, subset):
    model = make(halves.seed).fit(halves.X[:, subset], halves.y)
    decided = model.predict(halves.X_test[:, subset])
    missed = [(decided[halves.y_test == s] != s).mean() for s in np.unique(halves.y_test)]
    return 100 * float(np.mean(missed))


JUDGES = {
    "nearest neighbours": _nearest,
    "forest": partial(_of_classifier, lambda seed: RandomForestClassifier(TREES, random_state=seed)),
    "logistic": partial(_of_classifier, lambda seed: LogisticRegression(max_iter=500)),
}
