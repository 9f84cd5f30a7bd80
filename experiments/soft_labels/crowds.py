"""Crowds whose truth is known: two real ones, whole and thinned, and simulated answers about real tables."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.sparse import csr_array, load_npz
from scipy.special import softmax
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

REAL = {"music": "music_genre_crowd", "polarity": "sentence_polarity_crowd"}
SIMULATED_ON = ("waveform_noise", "glass_full", "wall_following_24", "ecoli_full", "ionosphere")
KINDS = ("plain", "hard", "pair")
_MOST_ROWS, _ANNOTATORS, _ANSWERS = 1000, 60, 3


class Crowd(NamedTuple):
    """Answers in the long form, for rows that all have one; truth and answers are codes."""

    X: np.ndarray | csr_array
    truth: np.ndarray
    row: np.ndarray
    annotator: np.ndarray
    label: np.ndarray

    @property
    def n_classes(self):
        return int(max(self.truth.max(), self.label.max())) + 1


def names():
    """Of all crowds: whole, with so many answers a row, and simulated."""
    real = [name + thin for name in REAL for thin in ("", "/1", "/2", "/3")]
    return real + [f"{name}, {kind}" for name in SIMULATED_ON for kind in KINDS]


def crowd_of(folder, name, seed) -> Crowd:
    """The crowd of this name, its answers drawn by the seed if only some are left, or if they are simulated."""
    if ", " in name:
        return _simulated(folder, *name.split(", "), np.random.default_rng(seed))
    name, _, most = name.partition("/")
    crowd = _real(folder, name)
    return _thinned(crowd, int(most), np.random.default_rng(seed)) if most else crowd


def _real(folder, name):
    stem = REAL[name]
    if name == "music":
        table = pd.read_csv(folder / f"{stem}.csv.gz", keep_default_na=False)
        gold, X = table["label"].to_numpy(), table.drop(columns=["label", "split"]).to_numpy(float)
    else:
        gold = pd.read_csv(folder / f"{stem}_labels.csv.gz")["label"].to_numpy()
        X = csr_array(load_npz(folder / f"{stem}.npz"))
    said = pd.read_csv(folder / f"{stem}_annotations.csv.gz", keep_default_na=False).sort_values("row", kind="stable")
    answered, row = np.unique(said["row"], return_inverse=True)
    classes, truth = np.unique(gold[answered].astype(str), return_inverse=True)
    annotator = np.unique(said["annotator"], return_inverse=True)[1]
    return Crowd(X[answered], truth, row, annotator, np.searchsorted(classes, said["label"].astype(str)))


def _thinned(crowd, most, rng):
    """At most so many answers of each row, drawn at random."""
    order = np.lexsort((rng.uniform(size=len(crowd.row)), crowd.row))
    place = np.arange(len(order)) - np.searchsorted(crowd.row, crowd.row)
    kept = np.sort(order[place < most])
    annotator = np.unique(crowd.annotator[kept], return_inverse=True)[1]
    return crowd._replace(row=crowd.row[kept], annotator=annotator, label=crowd.label[kept])


def _simulated(folder, name, kind, rng):
    """Sixty annotators, three answers a row on average, of whom some answer much and most little.

    A wrong answer is any other class ("plain"), the class most like the true one ("pair"), or any other class, but on
    rows that a classifier finds hard ("hard"): there everybody errs more often.
    """
    table = pd.read_csv(folder / f"{name}.csv.gz", keep_default_na=False)
    table = table.sample(min(len(table), _MOST_ROWS), random_state=rng.integers(2**31))
    truth = np.unique(table["label"], return_inverse=True)[1]
    X = StandardScaler().fit_transform(table.drop(columns=["label", "split"], errors="ignore").to_numpy(float))
    n, n_classes = len(truth), truth.max() + 1
    skill = rng.beta(4.0, 2.5, _ANNOTATORS)
    active = rng.dirichlet(np.full(_ANNOTATORS, 0.5))
    number = np.maximum(1, rng.poisson(_ANSWERS, n))
    row = np.repeat(np.arange(n), number)
    who = np.concatenate([_drawn(rng, active, k) for k in number])
    seen = LogisticRegression(C=0.1, max_iter=1000).fit(X, truth)
    ease = np.zeros(n)
    if kind == "hard":
        doubt = seen.predict_proba(X)[np.arange(n), truth]
        ease = 2.0 * (np.argsort(np.argsort(doubt)) / n - 0.5)
    chance = 1.0 / (1.0 + np.exp(-(np.log(skill / (1 - skill))[who] + 1.5 * ease[row])))
    right = rng.uniform(size=len(row)) < chance
    like = softmax(X @ _means(X, truth).T, axis=1) if kind == "pair" else np.ones((n, n_classes))
    like = np.array([like[truth == s].mean(axis=0) for s in range(n_classes)])
    np.fill_diagonal(like, 0.0)
    other = np.array([rng.choice(n_classes, p=like[s] / like[s].sum()) for s in truth[row]])
    annotator = np.unique(who, return_inverse=True)[1]  # some have never answered
    return Crowd(X, truth, row, annotator, np.where(right, truth[row], other))


def _drawn(rng, active, k):
    return rng.choice(len(active), min(k, np.count_nonzero(active)), replace=False, p=active)


def _means(X, truth):
    return np.array([X[truth == s].mean(axis=0) for s in range(truth.max() + 1)])
