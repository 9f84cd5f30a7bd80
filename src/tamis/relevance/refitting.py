"""A criterion whose labels are estimated again for every subset that a search varies."""

from __future__ import annotations

from .. import _validation
from ..distances.scaling import has_gaps
from .base import NO_ROWS, CheckedScorer
from .racing import Sampling


class RefittingScorer:
    """Algorithm 2 of Frenay et al. (2014): one noise model per step, the same for all candidates.

    The model is estimated on the features that the step starts from; on all of them if there are none yet. It comes
    fitted on all of them.
    """

    rescores = True

    def __init__(self, criterion, labels, raw, scaled, **how):
        self._criterion, self._labels = criterion, labels
        self._raw, self._scaled, self._how = raw, scaled, how
        self._subset = tuple(range(len(raw.groups)))  # that the labels are fitted on
        self._before: Sampling | None = None  # of the scorers before
        self._scorer = self._fresh_scorer()

    @property
    def sampling(self):
        """Of all steps."""
        return Sampling.of_all([self._before, self._scorer.sampling])

    def of(self, subset):
        return self._at(subset).of(subset)

    def without_each(self, subset):
        return self._at(subset).without_each(subset)

    def with_each(self, subset, candidates):
        return self._at(subset).with_each(subset, candidates)

    def with_last_labels(self, subset):
        """The subset, with the labels of the step that was scored last."""
        return self._scorer.of(subset)

    def fit_labels(self, subset):
        """Estimate the labels for a step that starts from this subset."""
        subset = tuple(subset) or tuple(range(len(self._raw.groups)))
        if subset != self._subset:
            self._before = self.sampling
            self._labels.fit_again(self._raw.of(subset))
            self._scorer = self._fresh_scorer()
            self._subset = subset

    def _at(self, subset):
        self.fit_labels(subset)
        return self._scorer

    def _fresh_scorer(self):
        X, groups = self._scaled.X, self._scaled.groups
        return scorer_of(self._criterion, self._labels, X, groups=groups, **self._how)


def scorer_of(criterion, labels, X, *, rows=NO_ROWS, **how):
    """The scorer of a criterion for what a label model makes of the target.

    Rows without any membership, of which nothing is known, are left out.
    """
    X, memberships, rows = scored_rows(criterion, X, labels, rows)
    classes = labels.labels_ if _in_label_sets(criterion, labels) else labels.classes_
    _validation.check_takes(criterion, gaps=has_gaps(X), rows=rows)
    if criterion.takes_rows and not rows.are_alike:
        how["rows"] = rows
    if criterion.takes_class_distance and _in_label_sets(criterion, labels):
        how["label_sets"] = True
    return CheckedScorer(criterion, criterion.scorer(X, memberships, classes=classes, **how))


def scored_rows(criterion, X, labels, rows=NO_ROWS):
    """Rows and classes as a criterion sees them: those known, or the labels of each."""
    if _in_label_sets(criterion, labels):
        _validation.check_label_model(labels, X.shape[0])
        known, memberships = labels.has_record(), labels.recorded()
        if not known.all():
            X, memberships, rows = X[known], memberships[known], rows.of(known)
    else:
        X, memberships, rows = known_rows(X, labels, rows)
    return X, rows.weighted(memberships) if criterion.adds_up else memberships, rows


def _in_label_sets(criterion, labels) -> bool:
    return bool(criterion.uses_label_sets and labels.has_label_sets)


def known_rows(X, labels, rows=NO_ROWS, *, counts=False):
    """Rows that belong to some class, the classes as a search sees them, and what else is known of these rows.

    Only what `counts` rows can take those that belong to several in full.
    """
    return rows_of(X, _validation.check_label_model(labels, X.shape[0]), rows, counts=counts)


def rows_of(X, memberships, rows=NO_ROWS, *, counts=False):
    """The same for memberships that were checked."""
    if not counts:
        _validation.check_one_unit_a_row(memberships)
    known = memberships.any(axis=1)
    return (X, memberships, rows) if known.all() else (X[known], memberships[known], rows.of(known))
