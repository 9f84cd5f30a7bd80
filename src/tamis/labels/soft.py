"""A probability per class and row, as given."""

import numpy as np

from .. import _validation
from .base import LabelModel


class SoftLabels(LabelModel, name="soft"):
    """Probabilities of the classes in each row.

    They come as `memberships`, beside a plain y for the estimators of a pipeline that need one, or in place of y when
    there is no such need. A y of classes means certainty.

    Examples
    --------
    >>> from tamis import SoftLabels
    >>> SoftLabels().fit(None, [[0.9, 0.1], [0.2, 0.8]]).memberships_
    array([[0.9, 0.1],
           [0.2, 0.8]])
    """

    uses_samples = False

    def why_not_in_blocks(self):
        return None

    def fit(self, X, y=None, *, memberships=None, sample_weight=None, groups=None, classes=None):
        """Check the probabilities and name their classes; X is not used.

        `sample_weight` leaves out rows of weight zero; otherwise weights and groups change nothing. `classes` are those
        of the columns, when y is a block.
        """
        _, y, memberships = self._present(None, y, memberships, sample_weight, groups)
        if memberships is None and y is not None and _validation.has_columns(y):
            memberships, y = y, None
        if memberships is None:
            self.classes_, codes = _validation.check_classes(y, classes)
            self.memberships_ = np.eye(len(self.classes_))[codes]
            return self
        if classes is not None:
            classes = _validation.check_class_names(classes)
            names, self.memberships_ = _validation.check_memberships(memberships, classes)
            self.classes_ = _validation.check_same_classes(names, classes)
            return self
        classes = None if y is None or _validation.has_columns(y) else np.unique(_validation.class_column("y", y))
        self.classes_, self.memberships_ = _validation.check_memberships(memberships, classes)
        return self
