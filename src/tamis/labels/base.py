"""The one thing that all label models give: memberships."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone

_BY_NAME: dict[str, type[LabelModel]] = {}


class LabelModel(BaseEstimator):
    """Turns a target into memberships.

    A subclass gives itself a `name` and a `fit` that sets `classes_` (sorted) and `memberships_`.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    memberships_ : ndarray of shape (n_samples, n_classes), rows sum to one
    """

    classes_: np.ndarray
    memberships_: np.ndarray
    refit = "once"
    """Whether a search asks `fit_again` for memberships at each step ("each-step")."""

    def __init_subclass__(cls, name: str | None = None, **kwargs: Any):
        super().__init_subclass__(**kwargs)
        if name is not None:
            _BY_NAME[name] = cls

    def fit(self, X, y=None, *, memberships=None) -> LabelModel:
        raise NotImplementedError

    def rates(self) -> tuple[float, ...] | None:
        """Rates of wrong labels by class, for those that estimate them."""
        rates = getattr(self, "noise_rates_", None)
        return None if rates is None else tuple(rates.tolist())

    def search_memberships(self) -> np.ndarray:
        """The memberships as a search sees them."""
        return self.memberships_


def resolve_labels(labels) -> LabelModel:
    """A fresh label model from a name or an object."""
    if isinstance(labels, LabelModel):
        return clone(labels)
    if isinstance(labels, str) and labels in _BY_NAME:
        return _BY_NAME[labels]()
    raise ValueError(f"labels must be one of {sorted(_BY_NAME)} or a label model; got {labels!r}.")
