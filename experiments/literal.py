"""Each paper's method as printed: five constructors.

Defaults of the library differ where that serves users; these do not. What is printed wrongly, or not at all, is read as
follows (`PAPERS[...].readings` has what concerns the experiments only):

- label noise: c_d is printed as the surface of the unit sphere; it is the volume, and cancels. A ball that would need
  more than all samples stops at the last. EM starts from the recorded labels; "several" random starts are five.
- risk: which k is not printed; 8, as in the paper on label noise by the same authors.
- weighted Laplacian score: nothing. (Equations 11 and 12, which generate data, are in `tamis.datasets`.)
- Wasserstein: "return to (1)" means (2), since correlations do not change. W is exact, not Sinkhorn's, which is not
  zero for equal distributions and so contradicts the paper's own Proposition 1.
- label sets: estimates for the choice of p are from one fold alone ("non-overlapping subsets"). Where no fold has two
  label sets of more than K samples (Emotions), they do not exist, and `min_class_size="auto"` raises an error.
"""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator, clone

from tamis import (
    BayesRisk,
    BlanketSelector,
    MultiLabels,
    MutualInformation,
    NoisyLabels,
    RankingSelector,
    SequentialSelector,
)


class Jittered(BaseEstimator):
    """A selector fitted to features with a little Gaussian noise, as the papers do where values repeat.

    Parameters
    ----------
    selector : selector
    deviation : float
        Standard deviation of the noise. 1e-3 in the paper on label noise; sqrt(1e-3) in the one on risk.
    random_state : int
    """

    def __init__(self, selector, deviation, random_state=0):
        self.selector = selector
        self.deviation = deviation
        self.random_state = random_state

    def fit(self, X, y):
        noise = np.random.default_rng(self.random_state).standard_normal(X.shape)
        self.selector_ = clone(self.selector).fit(X + self.deviation * noise, y)
        return self

    @property
    def path_(self):
        return self.selector_.path_


def plain(criterion, direction="backward", **how):
    """A greedy search over all sizes, with features as they are."""
    how = {"n_features_to_select": 1, "step": 1, "scale": None} | how
    return SequentialSelector(criterion, direction=direction, **how)


def label_noise(random_state=None, *, jitter=1e-3, tolerant=True):
    """Frenay et al. (2014), Algorithm 2; without `tolerant` the search that it is compared with (eq. 6)."""
    if tolerant:
        criterion = MutualInformation(8, estimator="distance", include_self=True)
        labels = NoisyLabels.literal(scale=None)
    else:
        criterion, labels = MutualInformation(8, estimator="distance"), "hard"
    return _with(jitter, plain(criterion, labels=labels, random_state=random_state), random_state)


def risk(criterion="count", random_state=None, *, jitter=1e-3**0.5):
    """Doquire et al. (2013): "count" (eq. 10), "expected" (eq. 11) or "mutual_information" (eq. 8)."""
    if criterion == "mutual_information":
        return _with(jitter, plain(MutualInformation(8, estimator="distance")), random_state)
    return _with(jitter, plain(BayesRisk(criterion, printed=True)), random_state)


def weighted_laplacian(labels="soft"):
    """Doquire and Verleysen (2012), eq. 5."""
    return RankingSelector("weighted_laplacian", labels=labels, n_features_to_select=1)


def wasserstein(class_distance=None, divergence="wasserstein", **how):
    """Li, Table I; "kl" is what it is compared with. Features are cut into ten levels by quantiles."""
    how = {"n_features_to_select": 1, "n_bins": 10} | how
    return BlanketSelector(divergence, class_distance=class_distance, n_conditioning=3, correction=None, **how)


def multilabel(min_class_size="auto", direction="forward", n_features_to_select=None, random_state=None, **how):
    """Doquire and Verleysen (2013): pruned label sets, eq. 7 with K = 4, greedy search."""
    labels = MultiLabels(
        min_class_size, "powerset", size_method="permutation", n_neighbors=4, n_repeats=1, printed=True
    )
    criterion, n = MutualInformation(4, estimator="distance"), n_features_to_select or 1
    return plain(criterion, direction, labels=labels, n_features_to_select=n, random_state=random_state, **how)


def _with(jitter, selector, random_state):
    return selector if jitter is None else Jittered(selector, jitter, random_state or 0)
