"""The one thing that all label models give: memberships."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.utils import check_consistent_length
from sklearn.utils.validation import has_fit_parameter

from .. import _validation
from .._validation import Rows

_BY_NAME: dict[str, type[LabelModel]] = {}


class LabelModel(BaseEstimator):
    """Turns a target into memberships.

    A subclass gives itself a `name` and a `fit` that sets `classes_` (sorted) and `memberships_`. These are checked
    wherever they are used. A `fit` that has no parameter `sample_weight` or `groups` can be used as long as none are
    given.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    memberships_ : ndarray of float64, shape (n_samples, n_classes), rows sum to one
        Or to zero, if nothing is known of a row: criteria leave it out. There are no rows for those of weight zero.
    """

    classes_: np.ndarray
    memberships_: np.ndarray
    _rows = Rows()
    refit = "once"
    """Whether a search asks `fit_again` for memberships at each step ("each-step")."""
    one_class_a_row = False
    """Whether y is a plain column of classes."""
    uses_samples = True
    """Whether X is looked at, and not only y."""
    takes_sparse = False
    """Whether X may be sparse, if it is looked at."""
    has_label_sets = False
    """Whether a row has a set of labels, each of which can be predicted, rather than one class."""

    def why_not_in_blocks(self) -> str | None:
        """The reason why rows cannot be judged a block at a time.

        None if they can; `fit` then takes `classes`, all of those that other blocks may have.
        """
        return f"{type(self).__name__} may need all rows at once"

    def why_not_in_a_search(self) -> str | None:
        """The reason why a search or a criterion cannot fit this model to its features; None if it can."""
        return None

    def suited(self, use: str) -> LabelModel:
        """The model for a use of its labels: as "sets", as "classes" of which a row has one, or in "counts" of rows."""
        return self

    def __init_subclass__(cls, name: str | None = None, **kwargs: Any):
        super().__init_subclass__(**kwargs)
        if name is not None:
            _BY_NAME[name] = cls

    def fit(self, X, y=None, *, memberships=None, sample_weight=None, groups=None) -> LabelModel:
        """Learn the classes and the memberships.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features) or None
            Features, for models that look at them.
        y : array-like of shape (n_samples,) or (n_samples, n_columns), default=None
            The target.
        memberships : array-like of shape (n_samples, n_classes), default=None
            Probabilities of the classes.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights, not negative: an integer weight is the row repeated, and a row of weight zero is left out, also of
            what is fitted.
        groups : array-like of shape (n_samples,), default=None
            Rows of one group (of a patient, of a site) are not compared with each other.
        """
        raise NotImplementedError

    def _present(self, X, y, memberships, sample_weight, groups):
        """The arguments without the rows of weight zero; remembers weights and groups of the others."""
        given, self._rows = (X, y, memberships), Rows()
        order = np.argsort([values is None for values in given], kind="stable")
        if given[order[0]] is None or (sample_weight is None and groups is None):
            return given
        check_consistent_length(*given)
        *found, self._rows = _validation.present_rows(
            *(given[place] for place in order), sample_weight=sample_weight, groups=groups
        )
        return tuple(found[place] for place in np.argsort(order))

    def rates(self) -> tuple[float, ...] | None:
        """Rates of wrong labels by class, for those that estimate them."""
        rates = getattr(self, "noise_rates_", None)
        return None if rates is None else tuple(rates.tolist())

    def search_memberships(self) -> np.ndarray:
        """The memberships as a search sees them."""
        return self.memberships_

    def recorded(self) -> np.ndarray:
        """The target as it was given, whatever the features say: (n_samples, n_classes)."""
        return self.memberships_

    def has_record(self):
        """Whether anything was given as the target of each row."""
        return np.asarray(self.recorded()).any(axis=1)

    def for_part(self) -> LabelModel:
        """A fresh model for some of the rows."""
        return clone(self)

    def learned(self, whole: LabelModel, rows) -> tuple[np.ndarray, np.ndarray]:
        """What a classifier learns from the rows that this model was fitted to: rows, and their classes in `whole`.

        `whole` is a model of the same kind, fitted to all rows. Rows of which nothing is known are left out.
        """
        found = np.zeros((len(rows), len(whole.classes_)))
        found[:, np.searchsorted(whole.classes_, self.classes_)] = self.search_memberships()
        known = found.any(axis=1)
        return rows[known], found[known]

    def judged(self, whole: LabelModel, rows) -> tuple[np.ndarray, np.ndarray]:
        """What is believed of other rows, to compare predictions with: rows, and their classes."""
        found = whole.memberships_[rows]
        known = found.any(axis=1)
        return rows[known], found[known]


class NoLabels(LabelModel):
    """Nothing known, and nothing asked: all rows are of one class."""

    def fit(self, X, y=None, *, memberships=None, sample_weight=None, groups=None):
        self.classes_, self.memberships_ = np.zeros(1), np.ones((X.shape[0], 1))
        return self


def one_hot(codes, n_classes) -> np.ndarray:
    """A one for the class of each row; zeros for code -1, where it is not known."""
    return np.eye(n_classes + 1, n_classes)[codes]


def label_kind(labels) -> type | None:
    """Its class, for a name or an object; None if it is neither."""
    return _BY_NAME.get(labels) if isinstance(labels, str) else type(labels)


def accept_sparse(labels) -> bool:
    """Whether these labels, a name or an object, allow a sparse X."""
    kind = label_kind(labels)
    return getattr(kind, "takes_sparse", False) or not getattr(kind, "uses_samples", True)


def fresh_labels(labels, *, random_state=None, n_jobs=None) -> LabelModel:
    """A label model that is not fitted; it gets this seed and these threads unless it has its own."""
    model = resolve_labels(labels)
    reason = model.why_not_in_a_search()
    if reason is not None:
        raise ValueError(reason)
    own, shared = model.get_params(deep=False), {"random_state": random_state, "n_jobs": n_jobs}
    return model.set_params(**{name: value for name, value in shared.items() if own.get(name, 0) is None})


def resolve_labels(labels) -> LabelModel:
    """A fresh label model from a name or an object."""
    if isinstance(labels, LabelModel):
        return clone(labels)
    if isinstance(labels, str) and labels in _BY_NAME:
        return _BY_NAME[labels]()
    raise ValueError(f"labels must be one of {sorted(_BY_NAME)} or a label model; got {labels!r}.")


def fit_labels(model, X, y, memberships, rows) -> LabelModel:
    """The model fitted; one of somebody's own may take no weights or groups, which is an error if there are any."""
    given = rows.passed_on()
    unknown = [name for name in given if not has_fit_parameter(model, name)]
    if unknown:
        who = type(model).__name__
        raise ValueError(
            f"labels={who} takes no {unknown[0]}: its fit has no such parameter. Leave {unknown[0]} out, or give fit "
            f"a parameter {unknown[0]}=None."
        )
    return model.fit(X, y, memberships=memberships, **given)
