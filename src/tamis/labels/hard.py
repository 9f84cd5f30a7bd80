"""A class per row, taken at face value."""

from .. import _validation
from .base import LabelModel, one_hot


class HardLabels(LabelModel, name="hard"):
    """One class per row: strings, integers, booleans or a categorical column.

    Rows without a label (None, NaN or an empty text) have zero memberships, which estimates leave out; a warning counts
    them. A target of one class is named in a warning.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    memberships_ : ndarray of shape (n_samples, n_classes)
    n_unlabelled_ : int
        Rows without a label.

    Examples
    --------
    >>> from tamis import HardLabels
    >>> HardLabels().fit(None, ["cat", "dog", "cat"]).memberships_
    array([[1., 0.],
           [0., 1.],
           [1., 0.]])
    """

    one_class_a_row = True
    uses_samples = False

    def why_not_in_blocks(self):
        return None

    def fit(self, X, y=None, *, memberships=None, sample_weight=None, groups=None, classes=None):
        """Learn the classes of y; X is not used.

        `sample_weight` leaves out rows of weight zero; otherwise weights and groups change nothing. `classes` are all
        of them, when y is a block that may lack some.
        """
        _validation.check_no_memberships(memberships, "hard")
        _, y, _ = self._present(None, y, None, sample_weight, groups)
        self.classes_, codes = _validation.check_labelled(y, classes, least=1)
        self.memberships_ = one_hot(codes, len(self.classes_))
        self.n_unlabelled_ = int((codes < 0).sum())
        _validation.warn_of_rows_left_out(codes < 0, "label")
        return self
