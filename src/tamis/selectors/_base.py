"""What all selectors share."""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted

from .. import _validation
from ..labels import NoLabels, label_kind, resolve_labels
from ..relevance import criterion_kind
from ._progress import CallbackSupportMixin


class BaseSelector(CallbackSupportMixin, SelectorMixin, BaseEstimator):
    """Labels, required features and tags. A selector sets `support_`."""

    def _fresh_labels(self):
        """A label model; it gets this selector's seed and threads unless it has its own."""
        labels = resolve_labels(self.labels)
        own = labels.get_params(deep=False)
        shared = {name: getattr(self, name) for name in ("random_state", "n_jobs") if own.get(name, 0) is None}
        return labels.set_params(**shared)

    def _uses_labels(self) -> bool:
        return getattr(criterion_kind(self.criterion), "uses_labels", True)

    def _fitted_labels(self, X, y, memberships):
        """What is known of the target; nothing if there is no use for it."""
        labels = self._fresh_labels() if self._uses_labels() else NoLabels()
        labels.fit(X, y, memberships=memberships)
        _validation.check_rows_match(X, labels.memberships_)
        if self._uses_labels():
            self.classes_ = labels.classes_
        return labels

    def _required(self, n_selected) -> frozenset[int]:
        names = getattr(self, "feature_names_in_", None)
        required = _validation.check_features("required_features", self.required_features, self.n_features_in_, names)
        if len(required) > n_selected:
            raise ValueError(
                f"required_features must not be more than n_features_to_select, which asks for {n_selected}; got "
                f"{len(required)}. Ask for more features or require fewer."
            )
        return frozenset(required.tolist())

    def _keep(self, n_selected):
        """Fitted attributes from the path; the nearest size on it if the search ended early."""
        sizes = self.path_.sizes
        self.n_features_ = int(sizes[np.argmin(np.abs(sizes - n_selected))])
        self.support_ = np.isin(np.arange(self.n_features_in_), self.path_.subset(self.n_features_))
        self.scores_ = self.path_.gains()
        # Of those that left, the last is the first to join again; those that never moved are last.
        shrinks = self.path_.sizes[0] > self.path_.sizes[-1]
        order = self.path_.order[::-1] if shrinks else self.path_.order
        waiting = order[~self.support_[order]]
        self.ranking_ = np.where(self.support_, 1, 2 + len(waiting))
        self.ranking_[waiting] = np.arange(2, 2 + len(waiting))

    def _get_support_mask(self):
        check_is_fitted(self, "support_")
        return self.support_

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = self._uses_labels()
        tags.target_tags.two_d_labels = not getattr(label_kind(self.labels), "one_class_a_row", False)
        return tags


def constant_columns(X) -> frozenset[int]:
    """Columns that cannot tell anything, whatever a criterion makes of them."""
    return frozenset(np.flatnonzero(np.ptp(X, axis=0) == 0).tolist())
