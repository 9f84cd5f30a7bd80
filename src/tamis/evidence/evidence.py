"""What is known about how many features are needed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .curves import enough


@dataclass(frozen=True)
class Evidence:
    """What rows that a search has not seen say about the number of features.

    The whole procedure (scaling, label model, search) is repeated on folds. Classifiers, the judges, learn the subsets
    of each path on the rows that it has seen and predict the others. Errors are balanced: the mean over the classes of
    the share of wrong predictions (of label sets, over the presence and the absence of each label), expected under what
    is believed of the true classes. Intervals are of 95 %.

    Attributes
    ----------
    sizes : ndarray of shape (n_sizes,)
        Numbers of features that were judged; if these move in groups, as the search on all rows counts them.
    loss, loss_se : ndarray of shape (n_sizes,)
        Expected squared loss of the predicted probabilities (Brier) and its standard error. With a `class_distance` it
        is the expected distance to a draw of the predicted classes, less half of that between two such draws.
    behind_se : ndarray of shape (n_sizes,)
        Standard error of the difference between each loss and the smallest one.
    error : ndarray of shape (n_sizes,)
    error_interval : ndarray of shape (n_sizes, 2)
    cost : ndarray of shape (n_sizes,) or None
        With a `class_distance`: the mean distance between the true class and the one that is predicted, which is that
        of the smallest expected distance. Losses have the units of the distance then, too.
    loss_of_nothing, error_of_nothing : float
        Of an answer that ignores the features.
    cost_of_nothing : float or None
        The same of the cost.
    n_chosen : int
        The size chosen: the smallest one that keeps nearly all of the best gain over knowing nothing. It may be behind
        by the tolerance, or by one standard error of the difference if that is no more than five times as much.
    expected_error : float
    expected_error_interval : tuple of float
        Of the whole procedure, choosing a size included: the size for each fold is chosen by the losses of other rows.
    p_value : float
        Of both tests whether the features say anything about the target: twice the smallest p-value of a single feature
        times the number of features, or four times that of the agreement of predictions and targets on rows left out
        (folds share rows, so that it is too small), whichever is smaller.
    found : bool
        Whether that is at most alpha; otherwise nothing was found, and the smallest size is chosen.
    frequency : ndarray of shape (n_features,)
        Share of the folds in which a feature is selected, at the size chosen.
    frequency_over_sizes : ndarray of shape (n_features,)
        The same, averaged over all sizes.
    stability : float
    stability_interval : tuple of float
        Agreement of the selections of the folds, see `stability_of`: 1 is always the same one, 0 is chance.
    n_folds, n_repeats : int
    n_runs : int
        Folds that all of this rests on: `n_folds * n_repeats`, unless there was no time for one whole repetition.
    judges : tuple of str
    reaches_all : bool
        Whether the last size is all features; if not, there were too many to be judged together.
    n_units : int
        Rows that were judged or, where rows belong together, groups of them: standard errors, intervals and the test
        are of so many. Unequal weights make them worth fewer.
    forward : bool
        Whether the folds go forward in time: each search sees only what was before the rows that it is judged on, and
        most see fewer rows than `n_folds` suggests. Such folds are not repeated. What is chosen for a fold, its size
        included, rests on the other folds, later ones among them.
    """

    sizes: np.ndarray
    loss: np.ndarray
    loss_se: np.ndarray
    behind_se: np.ndarray
    error: np.ndarray
    error_interval: np.ndarray
    cost: np.ndarray | None
    loss_of_nothing: float
    error_of_nothing: float
    cost_of_nothing: float | None
    n_chosen: int
    expected_error: float
    expected_error_interval: tuple[float, float]
    p_value: float
    found: bool
    frequency: np.ndarray
    frequency_over_sizes: np.ndarray
    stability: float
    stability_interval: tuple[float, float]
    n_folds: int
    n_runs: int
    n_repeats: int
    judges: tuple[str, ...]
    reaches_all: bool
    n_units: int
    forward: bool

    def size_at(self, tolerance) -> int:
        """The size that another tolerance would choose; `path_.subset` of a selector has its features."""
        return int(self.sizes[enough(self.loss_of_nothing - self.loss, self.behind_se, tolerance) if self.found else 0])

    def __repr__(self):
        low, high = self.expected_error_interval
        return (
            f"Evidence({self.n_chosen} chosen of {self.sizes[-1]}, expected error {self.expected_error:.3f} "
            f"({low:.3f}-{high:.3f}), without features {self.error_of_nothing:.3f}, stability {self.stability:.2f})"
        )
