"""A criterion whose labels are estimated again for every subset that a search varies."""

from __future__ import annotations

from .. import _validation


class RefittingScorer:
    """Algorithm 2 of Frenay et al. (2014): one noise model per step, the same for all candidates.

    The model is estimated on the features that the step starts from; on all of them if there are none yet. It comes
    fitted on all of them.
    """

    def __init__(self, criterion, labels, X, scaled, *, n_threads=1):
        self._criterion, self._labels = criterion, labels
        self._X, self._scaled, self._threads = X, scaled, n_threads
        self._subset = tuple(range(X.shape[1]))  # that the labels are fitted on
        self._scorer = scorer_of(criterion, labels, scaled, n_threads=n_threads)

    def of(self, subset):
        return self._at(subset).of(subset)

    def without_each(self, subset):
        return self._at(subset).without_each(subset)

    def with_each(self, subset, candidates):
        return self._at(subset).with_each(subset, candidates)

    def _at(self, subset):
        subset = tuple(subset) or tuple(range(self._X.shape[1]))
        if subset != self._subset:
            self._labels.fit_again(self._X[:, subset])
            self._scorer = scorer_of(self._criterion, self._labels, self._scaled, n_threads=self._threads)
            self._subset = subset
        return self._scorer


def scorer_of(criterion, labels, X, *, n_threads=1):
    """The scorer of a criterion for what a label model makes of the target.

    Rows without any membership, of which nothing is known, are left out.
    """
    X, memberships = known_rows(X, labels.search_memberships())
    return criterion.scorer(X, memberships, classes=labels.classes_, n_threads=n_threads)


def known_rows(X, memberships, *, counts=False):
    """The rows that belong to some class; only what `counts` rows can take those that belong to several in full."""
    if not counts:
        _validation.check_one_unit_a_row(memberships)
    known = memberships.any(axis=1)
    return (X, memberships) if known.all() else (X[known], memberships[known])
