"""A class per row, taken at face value."""

import numpy as np

from .. import _validation
from .base import LabelModel


class HardLabels(LabelModel, name="hard"):
    """One class per row: strings, integers, booleans or a categorical column.

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
        self.classes_, codes = _validation.check_classes(y, classes)
        self.memberships_ = np.eye(len(self.classes_))[codes]
        return self
