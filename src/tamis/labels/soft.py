"""A probability per class and row, as given or refined with the features."""

import numpy as np
from scipy.sparse import issparse

from .. import _validation
from ..distances.scaling import scaled
from ._out_of_sample import opinions_of
from ._refined import refined
from .base import LabelModel, one_hot


class SoftLabels(LabelModel, name="soft"):
    """Probabilities of the classes in each row.

    They come as `memberships`, beside a plain y for the estimators of a pipeline that need one, or in place of y when
    there is no such need. A y of classes means certainty. `memberships_of` makes them from classes with a confidence,
    candidates, rankings and votes. Rows of zeros, or without any value, say nothing: estimates leave them out unless an
    `estimator` predicts them, and a warning counts them.

    Parameters
    ----------
    estimator : None, "auto", classifier or list of classifiers, default=None
        None takes the probabilities as they are. Otherwise each row is taken to be of one class, of which they are a
        doubtful report: they are combined with what classifiers, as in `NoisyLabels`, predict for rows that they have
        not seen. Not for targets that are distributions in truth.
    n_jobs : int, default=None
        Threads of the classifiers; the result does not depend on it.
    random_state : int, RandomState instance or None, default=None
        For the classifiers.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    memberships_ : ndarray of shape (n_samples, n_classes)
    trust_ : float
        The power that the given probabilities have, 1 without an estimator: below one they are surer than right.
    n_unlabelled_ : int
        Rows that say nothing.

    Examples
    --------
    >>> from tamis import SoftLabels
    >>> SoftLabels().fit(None, [[0.9, 0.1], [0.2, 0.8]]).memberships_
    array([[0.9, 0.1],
           [0.2, 0.8]])
    """

    def __init__(self, estimator=None, *, n_jobs=None, random_state=None):
        self.estimator = estimator
        self.n_jobs = n_jobs
        self.random_state = random_state

    takes_sparse = True

    @property
    def uses_samples(self):  # type: ignore[override]
        return self.estimator is not None

    def why_not_in_blocks(self):
        if self.estimator is None:
            return None
        return (
            "how far the probabilities are to be trusted depends on all rows. Fit SoftLabels on all of them first and "
            "pass its memberships_ with labels='soft'"
        )

    def fit(self, X, y=None, *, memberships=None, sample_weight=None, groups=None, classes=None):
        """Check the probabilities and name their classes; X, in which values may be missing, is for the estimator.

        `sample_weight` leaves out rows of weight zero; otherwise weights and groups change nothing without an
        estimator. With one they are those of its training: no classifier is asked about a group that it has seen.
        `classes` are those of the columns, when y is a block.
        """
        X, y, memberships = self._present(X if self.uses_samples else None, y, memberships, sample_weight, groups)
        self.classes_, given = self._checked(y, memberships, classes)
        silent, self.trust_ = ~given.any(axis=1), 1.0
        self.n_unlabelled_ = int(silent.sum())
        predicts = self.uses_samples and len(self.classes_) > 1
        instead = ("their classes are predicted",) if predicts else ()
        _validation.warn_of_rows_left_out(silent, "label", *instead)
        self.memberships_ = self._given = given
        if predicts:
            self.memberships_, self._given, self.trust_ = self._refined(X, given)
        return self

    def recorded(self):
        """The probabilities as they were given, to the power `trust_`; they owe nothing to the features of the row."""
        return self._given

    def judged(self, whole, rows):
        """What was given for other rows."""
        rows = rows[whole.has_record()[rows]]
        return rows, whole.recorded()[rows]

    def _checked(self, y, memberships, classes):
        """Classes and memberships."""
        if memberships is None and y is not None and _validation.has_columns(y):
            memberships, y = y, None
        if memberships is None:
            names, codes = _validation.check_labelled(y, classes, least=1)
            return names, one_hot(codes, len(names))
        if classes is not None:
            classes = _validation.check_class_names(classes)
            names, found = _validation.check_memberships(memberships, classes)
            return _validation.check_same_classes(names, classes), found
        if y is not None and not _validation.has_columns(y):
            classes = np.unique(_validation.labelled_cells(y)[0])
        least = 1 if classes is None or len(classes) == 1 else 2
        return _validation.check_memberships(memberships, classes, least=least)

    def _refined(self, X, given):
        how = {"accept_sparse": "csr", "order": "C", "missing": True, "dtype": _validation.number_types(X)}
        X = _validation.check_numbers("X", X, estimator=self, **how)
        _validation.check_rows_match(X, given)
        X = X if issparse(X) else scaled(X, "standard", self._rows.weight)
        seed = _validation.check_seed(self.random_state).randint(np.iinfo(np.int32).max)
        ask = {"seed": seed, "n_jobs": _validation.check_threads(self.n_jobs), "rows": self._rows}
        return refined(given, lambda codes: opinions_of(self.estimator, X, codes, given.shape[1], **ask), self._rows)
