"""A set of labels per row."""

from __future__ import annotations

import numpy as np
from sklearn.base import clone

from .. import _validation
from ._pruning import Pruning, choose
from .base import LabelModel

_AUTO_SIZES = (5, 20)
_NOTHING = "(none)"


class MultiLabels(LabelModel, name="multilabel"):
    """Several labels per row: a matrix of zeros and ones with a column per label, or a list of sets.

    Parameters
    ----------
    min_class_size : int or "auto", default="auto"
        Label sets of fewer rows are pruned: those rows are left out of the estimates, never of the result. "auto"
        chooses the size from 5 (or `n_neighbors` + 1) to 20 for which information tells features best from permuted
        ones (Doquire and Verleysen, 2013, section 4).
    transform : {"powerset", "copy"}, default="powerset"
        Every set of labels that is left is a class; or a row counts once for each of its labels, as if it were copied,
        and nothing is pruned. Only what counts rows can take copies: `BlanketSelector`.
    n_neighbors : int or "auto", default=4
        Of the estimates of information that the choice rests on; smaller than any class. "auto" chooses it too.
    n_folds : int, default=20
        Estimates per choice, each without one fold of the rows.
    n_repeats : int, default=3
        Choices made, each with other folds and permutations; their mean decides.
    printed : bool, default=False
        Whether the size is chosen as the paper prints it: estimates by distances, each from one fold alone. That needs
        folds in which two sets have more than `n_neighbors` rows, and raises an error where there are none.
    n_jobs : int, default=None
        Threads; the result does not depend on it.
    random_state : int, RandomState instance or None, default=None
        For folds and permutations.

    Attributes
    ----------
    labels_ : ndarray of shape (n_labels,)
        Labels that occur.
    classes_ : ndarray of shape (n_classes,)
        The sets that are kept, as text: "calm + sad". With copies, the labels.
    label_sets_ : list of tuple
        The same as labels.
    memberships_ : ndarray of shape (n_samples, n_classes)
        One-hot; zero for rows of pruned sets. With copies, a one for each label.
    min_class_size_ : int
        The smallest size that prunes like the one chosen.
    min_class_size_range_ : tuple of int
        All sizes that do, the smallest and the largest.
    n_neighbors_ : int
    n_pruned_ : int
        Rows of pruned sets.
    n_unlabelled_ : int
        Rows without a target: None in place of a set, or NaN in all columns. They are left out of the estimates.
    t_statistics_ : dict from (size, n_neighbors) to float
        With "auto": how well information separates the best feature from its permutation, the mean of the repeats.
    sureness_ : float
        With "auto": the share of the repeats that would have made this choice. It is often low, since t varies
        as much between seeds as between sizes.

    Notes
    -----
    A row without labels has the empty set, which is a class like others, "(none)"; with copies it is left out, with a
    warning that counts such rows. Sizes that leave the same sets are evaluated once: the choice costs
    n_repeats * n_folds * 2 estimates of the information of every single feature for each of them.

    References
    ----------
    Doquire and Verleysen (2013). Mutual information-based feature selection for multilabel classification.

    Examples
    --------
    >>> from tamis import MultiLabels
    >>> sets = [{"calm", "sad"}, {"sad"}, {"sad"}, {"sad", "calm"}, {"happy"}]
    >>> model = MultiLabels(2, n_neighbors=1).fit(None, sets)
    >>> model.classes_.tolist(), model.n_pruned_
    (['calm + sad', 'sad'], 1)
    >>> MultiLabels(transform="copy").fit(None, [{"calm", "sad"}, {"sad"}, {"calm"}]).memberships_
    array([[1., 1.],
           [0., 1.],
           [1., 0.]])
    """

    def __init__(
        self,
        min_class_size="auto",
        transform="powerset",
        *,
        n_neighbors=4,
        n_folds=20,
        n_repeats=3,
        printed=False,
        n_jobs=None,
        random_state=None,
    ):
        self.min_class_size = min_class_size
        self.transform = transform
        self.n_neighbors = n_neighbors
        self.n_folds = n_folds
        self.n_repeats = n_repeats
        self.printed = printed
        self.n_jobs = n_jobs
        self.random_state = random_state

    has_label_sets = True

    def fit(self, X, y=None, *, memberships=None, sample_weight=None, groups=None):
        """Learn the label sets of y; X, in which values may be missing, is used only to choose `min_class_size`.

        With `sample_weight` a row of weight w counts as w rows of its label set, and one of weight zero is left out;
        `groups` are used only to choose the size: estimates do not compare rows of one group, and folds and
        permutations keep groups whole.
        """
        _validation.check_no_memberships(memberships, "multilabel")
        self._check()
        X, y, _ = self._present(X, y, None, sample_weight, groups)
        self.labels_, has, labelled = _validation.check_label_sets(y)
        self._has, self._labelled = has.astype(float), labelled
        self.n_unlabelled_ = int((~labelled).sum())
        self.__dict__.pop("t_statistics_", None)
        self.__dict__.pop("sureness_", None)
        if self.transform == "copy":
            self.classes_, self.memberships_, self.n_pruned_ = self.labels_, has.astype(float), 0
            self.label_sets_ = [(label,) for label in self.labels_.tolist()]
            _validation.warn_of_rows_left_out(~has.any(axis=1), "label")
            return self
        _validation.warn_of_rows_left_out(~labelled, "label")
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
        if self.transform == "powerset" and self.min_class_size == "auto":
            least = max(self.min_class_size_, self.n_neighbors_ + 1)  # prunes all rows alike, and is allowed
            fixed.set_params(min_class_size=least, n_neighbors=self.n_neighbors_)
        return fixed

    def learned(self, whole, rows):
        rows = rows[whole._labelled[rows]]
        return rows, whole._has[rows]

    def judged(self, whole, rows):
        rows = rows[whole._labelled[rows]]
        return rows, whole._has[rows]

    def _prune(self, X, pruning, labelled):
        """Which sets are kept, by a size given or chosen."""
        if self.min_class_size != "auto":
            size = self.min_class_size
            self.n_neighbors_ = size - 1 if self.n_neighbors == "auto" else self.n_neighbors
            _validation.check_pruning(pruning.counts, [size])
        else:
            least, most = _AUTO_SIZES
            sizes = range(least if self.n_neighbors == "auto" else max(least, self.n_neighbors + 1), most + 1)
            _validation.check_pruning(pruning.counts, sizes)
            X = _validation.check_samples(X, missing=True)
            _validation.check_rows_match(X, labelled)
            chosen = choose(
                X[labelled],
                pruning,
                sizes,
                self.n_neighbors,
                n_folds=self.n_folds,
                n_repeats=self.n_repeats,
                printed=bool(self.printed),
                random_state=self.random_state,
                n_threads=_validation.check_threads(self.n_jobs),
            )
            size, self.n_neighbors_ = chosen.size, chosen.n_neighbors
            self.t_statistics_, self.sureness_ = chosen.t_statistics, chosen.sureness
        self.min_class_size_range_ = pruning.same_as(size)
        self.min_class_size_ = self.min_class_size_range_[0]
        return pruning.kept(size)

    def _check(self):
        _validation.check_choice("transform", self.transform, ("powerset", "copy"))
        _validation.check_count("n_folds", self.n_folds, least=2)
        _validation.check_count("n_repeats", self.n_repeats)
        _validation.check_flag("printed", self.printed)
        if not isinstance(self.n_neighbors, str) or self.n_neighbors != "auto":
            _validation.check_count("n_neighbors", self.n_neighbors)
        if not isinstance(self.min_class_size, str) or self.min_class_size != "auto":
            size = _validation.check_count("min_class_size", self.min_class_size, least=2)
            if self.transform == "powerset" and self.n_neighbors != "auto" and self.n_neighbors >= size:
                raise ValueError(
                    f"n_neighbors must be smaller than min_class_size = {size}, so that every class has enough rows; "
                    f"got {self.n_neighbors}. Lower n_neighbors or raise min_class_size."
                )
        elif self.n_neighbors != "auto" and self.n_neighbors >= _AUTO_SIZES[1]:
            raise ValueError(f"n_neighbors must be below 20 to choose a size up to 20; got {self.n_neighbors}.")
