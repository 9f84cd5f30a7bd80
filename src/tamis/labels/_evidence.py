"""What the features say about the true class: neighbour densities, or classifiers."""

from __future__ import annotations

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold

from .. import _validation
from ..distances.scaling import tamed

LEAST = 1e-3
"""Probabilities of a classifier are taken to be at least this: none of them is sure of more."""

SHARPEST = 20.0
"""The largest exponent that a classifier's probabilities are given, and the largest shift of a class."""

FOLDS = 5

_FLOAT32 = 100
"""Forests take numbers below 2**128, and a linear model multiplies them."""


class NeighbourEvidence:
    """Densities of the classes from nearest neighbours: the evidence of the paper."""

    def __init__(self, densities):
        self._densities = densities

    def restart(self):
        """Nothing is remembered."""

    def least_mass(self, size):
        """Half of the samples: densities of free shape run away, and a class that shrinks shrinks on."""
        return size / 2

    def log_joint(self, memberships, log_label):
        with np.errstate(divide="ignore"):
            log_prior = np.log(memberships.mean(axis=0))
        return self._densities.log(memberships, log_label + log_prior) + log_prior


class ClassifierEvidence:
    r"""Posteriors of classifiers, :math:`q(s|x) \propto e^{a_s} \prod_m p_m(s|x)^{\beta_m}`, with a and beta fitted.

    The probabilities must be of samples that the classifier has not seen. A classifier of spoiled labels is never
    surer than the share of right ones, and where classes are spoiled unequally it leans to those that gain; beta undoes
    the first and a, where `shifts`, the second. Beyond them nothing is free to imitate noise, and so its rate is
    identifiable.
    """

    def __init__(self, probabilities, *, shifts):
        logs = np.log(np.clip(np.asarray(probabilities), LEAST, 1.0))
        self._n_classifiers, n, n_classes = logs.shape
        if shifts:
            logs = np.concatenate([logs, np.broadcast_to(np.eye(n_classes)[:, None], (n_classes, n, n_classes))])
        # What is fitted multiplies the lines of this.
        self._flat = (logs - logs.mean(axis=2, keepdims=True)).reshape(len(logs), -1)
        self._shape = n, n_classes
        self._least = np.full(len(logs), -SHARPEST)
        self._least[: self._n_classifiers] = 0.0
        self.restart()

    def restart(self):
        """Forget what was fitted."""
        self._beta = np.zeros(len(self._flat))
        self._beta[: self._n_classifiers] = 1.0 / self._n_classifiers

    def least_mass(self, size):
        """Two samples: of a rare class most recorded labels may be wrong indeed."""
        return np.minimum(size / 2, 2.0)

    def log_joint(self, memberships, log_label):
        """One Newton step towards the memberships, halved until it is no step back."""
        log_q = self._log_posterior(self._beta)
        value = (memberships * log_q).sum()
        step = self._newton_step(memberships, np.exp(log_q))
        for _ in range(20):
            tried = np.clip(self._beta + step, self._least, SHARPEST)
            log_q_tried = self._log_posterior(tried)
            if (memberships * log_q_tried).sum() >= value:
                self._beta = tried
                return log_q_tried
            step = step / 2
        return log_q

    def _log_posterior(self, beta):
        z = (beta @ self._flat).reshape(self._shape)
        z -= z.max(axis=1, keepdims=True)
        return z - np.log(np.exp(z).sum(axis=1, keepdims=True))

    def _newton_step(self, memberships, q):
        gradient = self._flat @ (memberships - q).ravel()
        weighted = self._flat * q.ravel()
        mean = weighted.reshape(-1, *self._shape).sum(axis=2)
        hessian = weighted @ self._flat.T - mean @ mean.T
        # What is at a bound and wants to leave stays.
        free = ~((self._beta <= self._least) & (gradient < 0)) & ~((self._beta >= SHARPEST) & (gradient > 0))
        # Shifts are determined up to a common one only, hence the damping.
        damped = hessian[np.ix_(free, free)] + 1e-6 * len(q) * np.eye(free.sum())
        step = np.zeros_like(gradient)
        step[free] = np.linalg.solve(damped, gradient[free])
        return step


def probabilities_of(estimator, X, codes, *, seed, n_jobs) -> list[np.ndarray]:
    """Of each classifier, probabilities of the classes for every sample from a fit without it."""
    if isinstance(estimator, str) and estimator == "auto":
        classifiers, X = _default_classifiers(seed, n_jobs), tamed(X, far=_FLOAT32)
    else:
        classifiers = list(estimator) if isinstance(estimator, (list, tuple)) else [estimator]
    for one in classifiers or [()]:
        decides = not isinstance(one, type) and hasattr(one, "fit") and is_classifier(one)
        if not (decides and hasattr(one, "predict_proba")):
            raise ValueError(
                f"estimator must be 'auto', None, or classifiers with predict_proba; got {one!r}. Wrap it in "
                "CalibratedClassifierCV if it only decides."
            )
    return [_out_of_sample(seeded(one, seed), X, codes, seed) for one in classifiers]


def seeded(classifier, seed):
    """A copy in which everything that draws random numbers and has no seed of its own has this one."""
    copy = clone(classifier)
    names = [name for name, value in copy.get_params().items() if name.endswith("random_state") and value is None]
    return copy.set_params(**dict.fromkeys(names, seed))


def _default_classifiers(seed, n_jobs):
    """A forest and a linear model: they err in different places, and their exponents decide whom to believe."""
    forest = RandomForestClassifier(100, min_samples_leaf=5, oob_score=True, random_state=seed, n_jobs=n_jobs)
    return [forest, LogisticRegression(max_iter=1000)]


def _out_of_sample(classifier, X, codes, seed) -> np.ndarray:
    """Out of bag where the classifier offers that (`oob_score=True`), else by stratified cross-validation."""
    n_classes = int(codes.max()) + 1
    if getattr(classifier, "oob_score", False):
        fitted = clone(classifier)
        fitted.fit(X, codes)
        given = fitted.oob_decision_function_
        found = _validation.check_out_of_sample(classifier, given, len(X), n_classes, gaps=True)
    else:
        folds = StratifiedKFold(min(FOLDS, np.bincount(codes).min()), shuffle=True, random_state=seed)
        found = np.empty((len(X), n_classes))
        for train, test in folds.split(X, codes):
            fitted = clone(classifier)
            fitted.fit(X[train], codes[train])
            given = fitted.predict_proba(X[test])
            found[test] = _validation.check_out_of_sample(classifier, given, len(test), n_classes)
    # A sample that was in every bag knows nothing.
    return np.where(np.isfinite(found), found, 1.0 / found.shape[1])
