"""A set of labels per row."""

import warnings

from .. import _validation
from .base import LabelModel


class MultiLabels(LabelModel, name="multilabel"):
    """Several labels per row: a matrix of zeros and ones with a column per label, or a list of sets.

    Parameters
    ----------
    transform : {"copy"}, default="copy"
        A row counts once for each of its labels, as if it were copied. Only what counts rows can take that:
        `BlanketSelector`.

    Attributes
    ----------
    classes_ : ndarray of shape (n_labels,)
        Labels that occur.
    memberships_ : ndarray of shape (n_samples, n_labels)
        Of zeros and ones; rows sum to the number of their labels.

    Notes
    -----
    Rows without a label are left out of estimates, with a warning that counts them. Correlations between features
    are of rows, each counted once.

    Examples
    --------
    >>> from tamis import MultiLabels
    >>> MultiLabels().fit(None, [{"calm", "sad"}, {"sad"}, {"happy"}]).memberships_
    array([[1., 0., 1.],
           [0., 0., 1.],
           [0., 1., 0.]])
    """

    uses_samples = False

    def __init__(self, transform="copy"):
        self.transform = transform

    def fit(self, X, y=None, *, memberships=None):
        """Learn the labels of y; X is not used."""
        if memberships is not None:
            raise ValueError(
                "memberships are not used when labels='multilabel'. Pass labels='soft', or leave them out."
            )
        _validation.check_choice("transform", self.transform, ("copy",))
        self.classes_, has = _validation.check_label_sets(y)
        self.memberships_ = has.astype(float)
        empty = int((~has.any(axis=1)).sum())
        if empty:
            said = f"{empty} of {len(has)} rows have no label; they are left out of the estimates."
            warnings.warn(said, UserWarning, stacklevel=3)
        return self
