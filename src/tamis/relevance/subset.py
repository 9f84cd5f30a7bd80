"""What a subset of the features loses, and what wrong labels can do to that: the objective of the blanket."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .. import _validation
from ..distances.classes import resolve_class_distance
from ..distances.levels import BINS, level_columns
from ..estimates.blanket import DIVERGENCES
from ..estimates.subset import CellDivergence
from ..labels import NoisyLabels, fit_labels, fresh_labels


@dataclass(frozen=True)
class SubsetDivergence:
    r"""What `subset_divergence` returns: numbers in units of the class distance, or in nats for "kl".

    Attributes
    ----------
    lost : float
        :math:`d_1(\theta) = E\,W[p(Y|X), p(Y|X_\theta)]`, what is lost with the features outside the subset.
    lost_by_chance : float or None
        Mean of the same if those features predicted nothing beyond the subset. None without permutations.
    lost_noisy : float or None
        :math:`d_2(\theta)`: `lost`, of the noisy labels. None without noisy labels, as the next three.
    noise : float or None
        :math:`\epsilon_1 = E\,W[p(Y|X), p(\tilde Y|X)]`
    noise_kept : float or None
        :math:`\epsilon_2 = E\,W[p(Y|X_\theta), p(\tilde Y|X_\theta)]`, at most `noise`.
    bound : float or None
        :math:`\sum p(Y, \tilde Y) D(Y, \tilde Y)`, at least `noise`.
    n_cells, n_cells_kept : int
        Combinations of levels that occur, of all features and of the subset.
    """

    lost: float
    lost_by_chance: float | None
    lost_noisy: float | None
    noise: float | None
    noise_kept: float | None
    bound: float | None
    n_cells: int
    n_cells_kept: int


def subset_divergence(
    X,
    y,
    subset,
    *,
    y_noisy=None,
    labels="hard",
    class_distance=None,
    divergence="wasserstein",
    bins="auto",
    n_bins=10,
    n_permutations=20,
    memberships=None,
    sample_weight=None,
    n_jobs=None,
    random_state=None,
) -> SubsetDivergence:
    r"""Measure what a subset of the features loses, and how far two labelings of the same rows are apart.

    Features become levels as in `BlanketSelector`; rows with equal levels are a cell, and class distributions are the
    shares in the cells: empirical and exact.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        A sparse matrix must not be negative. Missing values are a level of their own.
    y : array-like of shape (n_samples,) or (n_samples, n_classes)
        Classes, or what the label model takes.
    subset : array-like of int, str or bool
        Indices, names or a mask of the features kept; an empty list keeps none.
    y_noisy : array-like of shape (n_samples,) or (n_samples, n_classes), default=None
        Another labeling of the same rows: classes among those of y, or probabilities of these. With `labels="noisy"`
        y is the noisy one and the memberships are the other, unless something else is given here.
    labels : {"hard", "noisy", "soft", "crowd", "multilabel"} or label model, default="hard"
        ``MultiLabels(transform="copy")`` counts each label of a set, as `BlanketSelector` can; not with `y_noisy`.
    class_distance : None, array-like of shape (n_classes, n_classes) or ClassDistance, default=None
        Distances between the classes, in sorted order if they have no names; None: 1 between any two.
    divergence : {"wasserstein", "kl"}, default="wasserstein"
        With "kl" `lost` is the information I(Y; X) - I(Y; subset); between two labelings it is infinite as soon as a
        class of one is missing in a cell of the other.
    bins : {"auto", "quantile", "uniform", None}, default="auto"
        How features of more than `n_bins` values become levels; with None every value is a level.
    n_bins : int, default=10
    n_permutations : int, default=20
        For `lost_by_chance`; 0 leaves it out.
    memberships : array-like of shape (n_samples, n_classes), default=None
    sample_weight : array-like of shape (n_samples,), default=None
        How often each row counts; an integer is the row repeated.
    n_jobs : int, default=None
        Threads of label models that use them.
    random_state : int, RandomState instance or None, default=None
        For permutations, and for label models that draw random numbers and have no seed of their own.

    Returns
    -------
    SubsetDivergence

    Notes
    -----
    A cell of one row has a point mass as its distribution, so with many features most cells say only what was recorded:
    `lost` then comes near to its value if nothing could be predicted without all features, and `noise` to `bound`. Look
    at `n_cells`; ``lost - lost_by_chance`` is what the features predict beyond chance, the correction that
    `BlanketSelector` makes for one feature at a time. The differences between two labelings have no such correction,
    since permuted labels would be no noisy copy of the others; use fewer features or bins.

    For every subset ``noise_kept <= noise <= bound`` and ``|lost - lost_noisy| <= 2 * noise``; the subset of least
    `lost_noisy` among all of one size loses at most ``4 * noise`` more than the best one (Theorems 1 and 2 of the
    reference). They hold for these empirical values, up to rounding.

    References
    ----------
    Li. Feature selection based on Wasserstein distance, section III.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from tamis import subset_divergence
    >>> from tamis.datasets import flip_uniform
    >>> X, y = load_wine(return_X_y=True)
    >>> X = X[:, [0, 6, 9]]
    >>> noisy = flip_uniform(y, 0.1, random_state=0).y
    >>> found = subset_divergence(X, y, [0, 1], y_noisy=noisy, n_bins=3, random_state=0)
    >>> round(found.lost, 3), round(found.lost_by_chance, 3), found.n_cells
    (0.126, 0.058, 24)
    >>> round(found.noise_kept, 3), round(found.noise, 3), round(found.bound, 3)
    (0.101, 0.101, 0.101)
    """
    names = _validation.column_names(X)
    X = _validation.check_samples(X, sparse=True, missing=True)
    _validation.check_not_negative(X)
    subset = _validation.check_features("subset", [] if subset is None else subset, X.shape[1], names)
    _validation.check_choice("divergence", divergence, DIVERGENCES)
    _validation.check_choice("bins", bins, BINS)
    n_bins = _validation.check_count("n_bins", n_bins, least=2)
    n_permutations = _validation.check_count("n_permutations", n_permutations, least=0)
    rng = _validation.check_seed(random_state)
    X, y, memberships, rows, y_noisy = _present(X, y, memberships, sample_weight, y_noisy)
    model = fit_labels(fresh_labels(labels, random_state=random_state, n_jobs=n_jobs), X, y, memberships, rows)
    _validation.check_label_model(model, X.shape[0])
    classes = np.asarray(model.classes_)
    noisy, P, known = y_noisy, model.memberships_, model.memberships_.any(axis=1)
    if noisy is None and isinstance(model, NoisyLabels):
        known = known & model.has_record()
        noisy = rows.of(known).weighted(model.recorded()[known])
    elif noisy is not None:
        _validation.check_one_unit_a_row(P)
        noisy = _validation.check_labeling("y_noisy", noisy, classes, len(P))[known]
        noisy = rows.of(known).weighted(noisy)
    weight = rows.of(known).weight
    columns = level_columns(X[known], bins=bins, n_bins=n_bins, weight=weight)
    P = rows.weighted(P)[known]
    cells, kept = columns.cells(range(columns.n_units)), columns.cells(subset.tolist())
    between = CellDivergence(divergence, resolve_class_distance(class_distance, classes))
    chance = between.by_chance(cells, kept, P, n_permutations, rng, weight=weight) if n_permutations else None
    return SubsetDivergence(
        lost=between.lost(cells, kept, P),
        lost_by_chance=chance,
        lost_noisy=None if noisy is None else between.lost(cells, kept, noisy),
        noise=None if noisy is None else between.noise(cells, P, noisy),
        noise_kept=None if noisy is None else between.noise(kept, P, noisy),
        bound=None if noisy is None else between.noise(np.arange(len(P)), P, noisy),
        n_cells=int(cells.max()) + 1,
        n_cells_kept=int(kept.max()) + 1,
    )


def _present(X, y, memberships, sample_weight, y_noisy):
    """The arguments without rows of weight zero."""
    given = {"sample_weight": sample_weight}
    X_present, y_present, memberships_present, rows = _validation.present_rows(X, y, memberships, **given)
    if y_noisy is not None:
        y_noisy = _validation.present_rows(X, y_noisy, None, **given)[1]
    return X_present, y_present, memberships_present, rows, y_noisy
