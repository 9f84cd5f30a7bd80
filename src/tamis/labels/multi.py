"""A set of labels per row."""

from __future__ import annotations

import numpy as np
from sklearn.base import clone

from .. import _validation
from ._pruned_search import choose_by_loss
from ._pruning import Pruning, choose
from .base import LabelModel

_SIZES = {"loss": (2, 20), "permutation": (5, 20)}
_TRANSFORMS = {"sets": "labels", "counts": "copy", "classes": "powerset"}
_N_NEIGHBORS = 8
"""Whatever the size: with one less than the smallest class the loss with size 2 was larger, by 3 % on Emotions
(experiments/multilabel)."""
_N_REPEATS = {"loss": 2, "permutation": 3}
_NOTHING = "(none)"
_OF_A_CHOICE = ("min_class_size_", "min_class_size_range_", "losses_", "t_statistics_", "sureness_")


class MultiLabels(LabelModel, name="multilabel"):
    """Several labels per row: a matrix of zeros and ones with a column per label, or a list of sets.

    Parameters
    ----------
    min_class_size : int or "auto", default="auto"
        Label sets of fewer rows are pruned: those rows are left out of the estimates, never of the result. "auto"
        chooses the size by `size_method`. Only "powerset" prunes.
    transform : {"auto", "labels", "powerset", "copy"}, default="auto"
        "labels": every label is a target of its own, a row may have any number of them, and no row is left out.
        "powerset": every set of labels that is kept is a class. "copy": a row counts once for each of its labels, as if
        it were copied. "auto" is what suits the selector and the criterion: "labels" where the criterion takes sets of
        labels, "copy" in `BlanketSelector`, which counts rows, otherwise "powerset".
    size_method : {"loss", "permutation"}, default="loss"
        How "auto" chooses the size. "loss": the smallest one whose loss on rows left out is within one standard error
        of the smallest loss. "permutation": the one for which information separates features best from permuted ones
        (Doquire and Verleysen, 2013, section 4).
    sizes : iterable of int, default=None
        Sizes that "auto" compares. None: from 2 to 20 by the loss, from 5 (or `n_neighbors` + 1) to 20 by permutation.
    n_neighbors : int or "auto", default="auto"
        Of the estimates of information; a criterion that is given by its name takes it over. "auto" is 8, of which a
        smaller class uses the rows there are; the permutation test chooses it too, from 2 to 10.
    n_folds : int, default=20
        Estimates per permutation test, each without one fold of the rows.
    n_repeats : int, default=None
        Repetitions that are averaged, each with other splits of the rows; None: 2 of the loss, 3 of the permutation
        test.
    printed : bool, default=False
        Whether the permutation test is as the paper prints it: estimates by distances, each from one fold alone. That
        needs folds in which two sets have more than `n_neighbors` rows, and raises an error where there are none.
    n_jobs : int, default=None
        Threads; the result does not depend on it.
    random_state : int, RandomState instance or None, default=None
        For the splits of the rows and the permutations.

    Attributes
    ----------
    labels_ : ndarray of shape (n_labels,)
        Labels that occur.
    classes_ : ndarray of shape (n_classes,)
        The sets that are kept, as text: "calm + sad"; the labels if they are not a powerset.
    label_sets_ : list of tuple
        The same as labels.
    memberships_ : ndarray of shape (n_samples, n_classes)
        One-hot; zero for rows of pruned sets. If not a powerset, a one for each label.
    n_neighbors_ : int or None
        Neighbors of the estimates; None if not a powerset.
    n_pruned_ : int
        Rows of pruned sets.
    n_unlabelled_ : int
        Rows without a target: None in place of a set, or NaN in all columns. They are left out of the estimates.
    min_class_size_ : int
        Of a powerset, the smallest size that prunes like the one chosen.
    min_class_size_range_ : tuple of int
        All sizes that do, the smallest and the largest.
    losses_ : dict from size to float
        By the loss: the squared error summed over the labels, of each size that was compared or prunes like one that
        was. Empty if all sizes prune alike.
    t_statistics_ : dict from (size, n_neighbors) to float
        By permutation: how well information separates the best feature from its permutation, the mean of the repeats.
    sureness_ : float
        By permutation: the share of the repeats that would have made this choice. It is often low, since t varies
        as much between seeds as between sizes.

    Notes
    -----
    A row without labels has the empty set: in the powerset a class like others, "(none)"; with "labels" a row that has
    none of them; as copies it is left out, with a warning that counts such rows.

    The loss: the rows are split into halves, groups staying whole and label sets being divided evenly. On the kept rows
    of one half a forward search selects five features, in units of their standard deviations and among the 200 most
    informative ones; the ten nearest neighbors there, of any label set, predict the labels of all rows of the other
    half. At most four sizes are compared, spread by the rows that they keep, as sizes that keep the same sets are one.
    The standard error is that of repeated splits (Nadeau and Bengio, 2003). Of more than 10,000 rows so many are
    drawn. It takes as long as one to four searches. If no size keeps two sets, every set is a class, with a warning.

    The permutation test costs n_repeats * n_folds * 2 estimates of the information of every single feature, for each
    pruning.

    References
    ----------
    Doquire and Verleysen (2013). Mutual information-based feature selection for multilabel classification.
    Nadeau and Bengio (2003). Inference for the generalization error. Machine Learning 52.

    Examples
    --------
    >>> from tamis import MultiLabels
    >>> sets = [{"calm", "sad"}, {"sad"}, {"sad"}, {"sad", "calm"}, {"happy"}]
    >>> model = MultiLabels(2).fit(None, sets)
    >>> model.classes_.tolist(), model.n_pruned_
    (['calm + sad', 'sad'], 1)
    >>> MultiLabels(transform="labels").fit(None, [{"calm", "sad"}, {"sad"}, {"calm"}, set()]).memberships_
    array([[1., 1.],
           [0., 1.],
           [1., 0.],
           [0., 0.]])
    """

    def __init__(
        self,
        min_class_size="auto",
        transform="auto",
        *,
        size_method="loss",
        sizes=None,
        n_neighbors="auto",
        n_folds=20,
        n_repeats=None,
        printed=False,
        n_jobs=None,
        random_state=None,
    ):
        self.min_class_size = min_class_size
        self.transform = transform
        self.size_method = size_method
        self.sizes = sizes
        self.n_neighbors = n_neighbors
        self.n_folds = n_folds
        self.n_repeats = n_repeats
        self.printed = printed
        self.n_jobs = n_jobs
        self.random_state = random_state

    has_label_sets = True

    def suited(self, use):
        return self if self.transform != "auto" else clone(self).set_params(transform=_TRANSFORMS[use])

    def fit(self, X, y=None, *, memberships=None, sample_weight=None, groups=None):
        """Learn the label sets of y; X, in which values may be missing, is used only to choose `min_class_size`.

        With `sample_weight` a row of weight w counts as w rows of its label set, and one of weight zero is left out;
        `groups` are used only to choose the size: rows of one group are not compared with each other, and splits and
        permutations keep groups whole.
        """
        _validation.check_no_memberships(memberships, "multilabel")
        self._check()
        X, y, _ = self._present(X, y, None, sample_weight, groups)
        self.labels_, has, labelled = _validation.check_label_sets(y)
        self._has, self._labelled = has.astype(float), labelled
        self.n_unlabelled_ = int((~labelled).sum())
        for name in _OF_A_CHOICE:
            self.__dict__.pop(name, None)
        left_out = ~has.any(axis=1) if self.transform == "copy" else ~labelled
        _validation.warn_of_rows_left_out(left_out, "label")
        if not self._is_powerset():
            self.classes_, self.memberships_, self.n_pruned_ = self.labels_, has.astype(float), 0
            self.label_sets_ = [(label,) for label in self.labels_.tolist()]
            self.n_neighbors_ = None
            return self
        sets, codes = np.unique(has[labelled], axis=0, return_inverse=True)
        rows = self._rows if labelled.all() else self._rows.of(labelled)
        kept = self._prune(X, Pruning(codes.ravel(), len(sets), rows), labelled)
        self.label_sets_ = [tuple(self.labels_[row].tolist()) for row in sets[kept]]
        names = np.array([" + ".join(map(str, labels)) or _NOTHING for labels in self.label_sets_])
        order = np.argsort(names, kind="stable")
        self.classes_, self.label_sets_ = names[order], [self.label_sets_[s] for s in order]
        self.memberships_ = np.zeros((len(has), len(kept)))
        self.memberships_[labelled] = codes.reshape(-1, 1) == kept[order]
        self.n_pruned_ = int((~self.memberships_[labelled].any(axis=1)).sum())
        _validation.warn_of_one_class("y", self.classes_)
        return self

    def recorded(self):
        """The labels of each row: zeros and ones."""
        return self._has

    def has_record(self):
        """Rows that were given labels, or the empty set of them."""
        return self._labelled

    def for_part(self):
        """The same choice of sets, which takes long, for some of the rows."""
        fixed = clone(self)
        if not self._is_powerset() or self.min_class_size != "auto":
            return fixed
        if self.size_method == "loss":
            return fixed.set_params(sizes=(self.min_class_size_,))
        return fixed.set_params(min_class_size=self.min_class_size_, n_neighbors=self.n_neighbors_)

    def learned(self, whole, rows):
        rows = rows[whole._labelled[rows]]
        return rows, whole._has[rows]

    judged = learned

    def _is_powerset(self):
        return self.transform in ("auto", "powerset")

    def _prune(self, X, pruning, labelled):
        """Which sets are kept, by a size given or chosen."""
        self.n_neighbors_ = _N_NEIGHBORS if self.n_neighbors == "auto" else self.n_neighbors
        if self.min_class_size != "auto":
            size = _validation.check_pruning(pruning.counts, self.min_class_size)
        elif _validation.keeps_two_sets(pruning.counts, self._sizes):
            size = self._choose(X, pruning, labelled)
        else:
            size = 0
        self.min_class_size_range_ = pruning.same_as(size)
        self.min_class_size_ = self.min_class_size_range_[0]
        return pruning.kept(size)

    def _choose(self, X, pruning, labelled):
        """The size, by the loss or by permutation."""
        X = _validation.check_samples(X, missing=True)
        _validation.check_rows_match(X, labelled)
        how = {
            "n_repeats": _N_REPEATS[self.size_method] if self.n_repeats is None else self.n_repeats,
            "random_state": self.random_state,
            "n_threads": _validation.check_threads(self.n_jobs),
        }
        if self.size_method == "loss":
            has, k = self._has[labelled], self.n_neighbors_
            size, self.losses_ = choose_by_loss(X[labelled], has, pruning, self._sizes, k, **how)
            return size
        how |= {"n_folds": self.n_folds, "printed": bool(self.printed)}
        chosen = choose(X[labelled], pruning, self._sizes, self.n_neighbors, **how)
        self.n_neighbors_ = chosen.n_neighbors
        self.t_statistics_, self.sureness_ = chosen.t_statistics, chosen.sureness
        return chosen.size

    def _check(self):
        _validation.check_choice("transform", self.transform, ("auto", *_TRANSFORMS.values()))
        method = _validation.check_choice("size_method", self.size_method, tuple(_SIZES))
        _validation.check_count("n_folds", self.n_folds, least=2)
        if self.n_repeats is not None:
            _validation.check_count("n_repeats", self.n_repeats)
        _validation.check_flag("printed", self.printed)
        n_neighbors = self.n_neighbors
        if not isinstance(n_neighbors, str) or n_neighbors != "auto":
            _validation.check_count("n_neighbors", n_neighbors)
        if not isinstance(self.min_class_size, str) or self.min_class_size != "auto":
            _validation.check_count("min_class_size", self.min_class_size)
        elif method == "permutation":
            self._sizes = _validation.check_sizes(self.sizes, _SIZES[method], n_neighbors)
        else:
            self._sizes = _validation.check_sizes(self.sizes, _SIZES[method])
