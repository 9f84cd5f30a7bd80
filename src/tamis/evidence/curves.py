"""From held-out predictions to losses, errors and a size."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.stats import norm

from .._validation import Rows
from ..distances.balls import NEGLIGIBLE
from .spaces import PlainSpace
from .units import error_of, mean_of, n_units, one_sided, sums_by_unit

_SHARPEST = 1.5
_SHARPNESS = 8
_MOST_TOLERATED = 5
_LEVEL = 0.95

Share = tuple[float, tuple[float, float]]
"""An estimate with its 95 % interval."""


class Curves:
    """Held-out losses of subsets by row, averaged over repetitions.

    Judges are mixed by what they gain over knowing nothing on the other folds of the repetition, to the power of eight:
    one that gains a tenth less than another has less than half of its weight. The mixture is pulled towards the shares
    of the classes, or pushed away, by a factor that the other folds choose for each subset: being too sure, or not sure
    enough, does not make judges worse than knowing nothing.

    Rows count by their weights. Standard errors, tests and intervals are those of units: groups of rows, or rows.

    Parameters
    ----------
    repeats : list of lists of HeldOut
        The folds of each repetition; subsets are those of the same size, the smallest first, or the same ones.
    tolerance : float
        Share of the achievable gain that may be given up for fewer features.
    one_class : bool
        Whether every row has one class, and not a set of labels.

    Notes
    -----
    Where there are distances between the classes, predictions are places in a space of the classes, and squared losses
    have the units of the distances: between the true class and a draw of the predicted ones, less half of that between
    two such draws.
    """

    def __init__(self, repeats, tolerance, *, one_class):
        repeats = [[_in_space(fold, one_class) for fold in folds] for folds in repeats]
        self._folds = [_mixed(folds, place) for folds in repeats for place in range(len(folds))]
        self._n_repeats, self._tolerance, self._one_class = len(repeats), tolerance, one_class
        self._unit = repeats[0][0].space.unit
        self._rows, first = np.unique(np.concatenate([fold.rows for fold in self._folds]), return_index=True)
        about = zip(*(fold.about.parts() for fold in self._folds), strict=True)
        self._about = Rows(*(None if parts[0] is None else np.concatenate(parts)[first] for parts in about))
        self._gain = self._mean_of([fold.gain for fold in self._folds])
        self._alone = self._mean_of([fold.alone for fold in self._folds])
        costs = [fold.costs for fold in self._folds]
        self._costs = None if costs[0] is None else self._mean_of(costs)

    def _mean_of(self, values) -> np.ndarray:
        """By row, over the folds that the row was left out by."""
        total, count = np.zeros((*values[0].shape[:-1], len(self._rows))), np.zeros(len(self._rows))
        for fold, value in zip(self._folds, values, strict=True):
            places = np.searchsorted(self._rows, fold.rows)
            total[..., places] += value
            count[places] += 1
        return total / count

    @cached_property
    def choice(self) -> int:
        """The place of the smallest subset that is good enough."""
        return self._choose(self._gain, self._about)

    def _choose(self, gain, about) -> int:
        return enough(mean_of(gain, about), _noise_behind(gain, about), self._tolerance)

    @property
    def n_units(self) -> int:
        """How many groups of rows, or rows, were judged."""
        return n_units(self._about, len(self._rows))

    def gains(self) -> np.ndarray:
        """How much smaller the loss of each row is than that of knowing nothing: (n_subsets, n_rows)."""
        return self._gain

    def losses(self) -> tuple[np.ndarray, np.ndarray]:
        """Of each subset, and its standard error."""
        rows = self._alone - self._gain
        return self._unit * mean_of(rows, self._about), self._unit * error_of(rows, self._about)

    def behind_se(self) -> np.ndarray:
        """Standard error of the difference between the loss of each subset and the smallest one."""
        return self._unit * _noise_behind(self._gain, self._about)

    def loss_of_nothing(self) -> float:
        return self._unit * float(mean_of(self._alone, self._about))

    def error_of_nothing(self) -> float:
        """Balanced error of a constant answer."""
        return 1 - 1 / self._folds[0].targets.shape[1] if self._one_class else 0.5

    def costs(self) -> tuple[np.ndarray, float] | None:
        """Mean distance between the true class and the one decided, of each subset and of the best constant answer.

        None without distances between the classes.
        """
        if self._costs is None:
            return None
        means = mean_of(self._costs, self._about)
        return means[:-1], float(means[-1])

    def errors(self) -> list[Share]:
        """Balanced error of each subset."""
        return [self._error([place] * len(self._folds)) for place in range(len(self._gain))]

    @cached_property
    def _nested(self) -> list[int]:
        """For each fold the choice of all rows that are not in it, nor of a group in it."""
        others = [~np.isin(self._rows, fold.rows) for fold in self._folds]
        group = self._about.group
        if group is not None:
            apart = [~np.isin(group, group[~other]) for other in others]
            others = [a if a.any() else other for a, other in zip(apart, others, strict=True)]
        return [self._choose(self._gain[:, other], self._about.of(other)) for other in others]

    def expected_error(self) -> Share:
        """Balanced error of the whole procedure, choosing a size included.

        The losses of the rows judged take no part in the choice; through the factors and weights of the other folds
        they have a little to do with it.
        """
        return self._error(self._nested)

    def p_value_of_nothing(self) -> float:
        """That predictions and targets agree so well, in the mean over all subsets, if they have nothing in common.

        No size is chosen for it, and being too sure does not count, so that weak evidence is seen.
        """
        return self.p_value(self._mean_of([fold.along.mean(axis=0) for fold in self._folds]))

    def p_value(self, gains) -> float:
        """Of a test by units that the mean of these values, one for each row judged, is not above zero."""
        return one_sided(gains, self._about)

    def _error(self, places) -> Share:
        weights, wrong = [], []
        for fold, place in zip(self._folds, places, strict=True):
            targets, decided = fold.targets, fold.decided[place].astype(float)
            if not self._one_class:  # each label is a problem of two classes
                targets, decided = np.hstack([targets, 1 - targets]), np.hstack([decided, 1 - decided])
            targets = fold.about.weighted(targets)
            weights.append((np.searchsorted(self._rows, fold.rows), targets))
            wrong.append(targets * (1 - decided))
        return _balanced(weights, wrong, len(self._rows), self._n_repeats, self._about)


def enough(gain, behind_se, tolerance) -> int:
    """The place of the first gain over knowing nothing that is nearly as large as the largest.

    It may be behind by a share of that, the tolerance, or by one standard error of the difference, if that is no more
    than five times as much: where rows are few, hardly any difference is significant.
    """
    best = gain.max()
    if best <= 0:
        return int(gain.argmax())
    return int(np.argmax(gain >= best - np.clip(behind_se, tolerance * best, _MOST_TOLERATED * tolerance * best)))


def _noise_behind(gain, about) -> np.ndarray:
    return error_of(gain[mean_of(gain, about).argmax()] - gain, about)


def _in_space(fold, one_class):
    return fold if fold.space is not None else replace(fold, space=PlainSpace(one_class))


class Mixed(NamedTuple):
    """One fold, after its judges are mixed.

    `alone` is the loss of knowing nothing for each row, `gain` how much smaller that of each subset is, `along` how far
    its predictions agree with the targets, and `decided` its most probable class; of label sets, all labels that are
    more probable than not. `costs` are those of each subset, and last of knowing nothing; None without distances.
    """

    rows: np.ndarray
    about: Rows
    targets: np.ndarray
    alone: np.ndarray
    gain: np.ndarray
    along: np.ndarray
    decided: np.ndarray
    costs: np.ndarray | None


def _mixed(folds, place) -> Mixed:
    fold, others = folds[place], [fold for other, fold in enumerate(folds) if other != place]
    weights = _weights(others)
    along, beyond = _sums(others, weights)
    factor = np.clip(np.divide(along, beyond, out=np.zeros_like(along), where=beyond > 0), 0, _SHARPEST)[:, None]
    predicted = np.tensordot(weights, fold.predicted, 1)
    along, beyond = _products(fold, predicted)
    space = fold.space
    decided = space.decided(predicted)
    nothing = np.broadcast_to(space.decided(fold.shares[None]), (1, *decided.shape[1:]))
    costs = space.costs(fold.targets, np.concatenate([decided, nothing]))
    alone = ((space.place(fold.targets) - fold.shares)[:, : space.n_scored] ** 2).sum(axis=-1)
    gain = factor * (2 * along - factor * beyond)
    return Mixed(fold.rows, fold.about, fold.targets, alone, gain, along, decided, costs)


def _weights(folds) -> np.ndarray:
    """Of the judges, by the most that each gains with any subset."""
    n_judges = len(folds[0].predicted)
    if n_judges == 1:
        return np.ones(1)
    found = []
    for one in np.eye(n_judges):
        along, beyond = _sums(folds, one)
        gain = np.divide(np.maximum(along, 0.0) ** 2, beyond, out=np.zeros_like(along), where=beyond > 0)
        found.append(gain.max())
    most = max(found)
    weights = (np.array(found) / most) ** _SHARPNESS if most > 0 else np.ones(n_judges)
    return weights / weights.sum()


def _sums(folds, weights):
    parts = [(fold.about.weight, _products(fold, np.tensordot(weights, fold.predicted, 1))) for fold in folds]
    return (sum(p[side].sum(axis=-1) if w is None else p[side] @ w for w, p in parts) for side in (0, 1))


def _products(fold, predicted):
    r"""By subset and row: :math:`(g - s)(p - s)` and :math:`|p - s|^2`, for targets g, shares s and predictions p.

    In a space of the classes these are places.

    The squared loss of :math:`s + a (p - s)` is :math:`|g - s|^2` less 2a times the first plus :math:`a^2` times the
    second, for any factor a.
    """
    scored = slice(fold.space.n_scored)
    off = (fold.space.place(fold.targets) - fold.shares)[:, scored]
    apart = (predicted - fold.shares)[..., scored]
    return (off * apart).sum(axis=-1), (apart**2).sum(axis=-1)


def _balanced(weights, wrong, n_rows, n_repeats, about) -> Share:
    """Mean over the classes of the share of wrong decisions, with an interval.

    By Wilson's formula, for as many units as a mean over classes of these sizes is worth. Where the mean varies more
    between units than a share can, as it does with labels that are corrected for noise, the interval is wider by that.
    """
    total = sum(weight.sum(axis=0) for _, weight in weights)
    met = total > NEGLIGIBLE
    share = sum(missed.sum(axis=0) for missed in wrong)[met] / total[met]
    error = float(np.clip(share.mean(), 0.0, 1.0))
    pull = np.zeros(n_rows)  # of each row on the mean
    for (rows, weight), missed in zip(weights, wrong, strict=True):
        pull[rows] += ((missed[:, met] - weight[:, met] * share) / total[met]).sum(axis=1) / met.sum()
    if about.are_alike:
        n = met.sum() ** 2 / (n_repeats / total[met]).sum()
    else:
        n = met.sum() ** 2 / (1 / _worth(weights, n_rows, n_repeats, about)[met]).sum()
    more = max(0.0, float((sums_by_unit(pull, about) ** 2).sum()) - error * (1 - error) / n)
    z = norm.ppf(0.5 + _LEVEL / 2)
    middle = (error + z**2 / (2 * n)) / (1 + z**2 / n)
    far = z / (1 + z**2 / n) * np.sqrt(error * (1 - error) / n + z**2 / (4 * n**2))
    low, high = (np.hypot(middle + side * far - error, z * np.sqrt(more)) for side in (-1, 1))
    return error, (float(np.clip(error - low, 0.0, error)), float(np.clip(error + high, error, 1.0)))


def _worth(weights, n_rows, n_repeats, about) -> np.ndarray:
    """As how many units each class counts, if all rows of a unit are decided alike.

    Its weight, squared, divided by the sum of squares of what units have of it, each by the mean membership there: a
    row without a weight then counts by its membership, and so many copies of it as one.
    """
    held = np.zeros((weights[0][1].shape[1], n_rows))
    for rows, weight in weights:
        held[:, rows] += weight.T / n_repeats
    of_units, total = sums_by_unit(held, about), held.sum(axis=1)
    by_membership = sums_by_unit(held**2 / about.weights(n_rows), about)
    squares = np.divide(of_units**3, by_membership, out=np.zeros_like(of_units), where=by_membership > 0).sum(axis=1)
    least = total**2 / of_units.shape[1]  # no class counts as more units than there are
    return total**2 / np.maximum(squares, np.where(least > 0, least, 1.0))
