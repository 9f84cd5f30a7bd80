"""A clock that only work moves: each pass of a search and each fit of a judge takes a known time."""

from typing import ClassVar

from sklearn.naive_bayes import GaussianNB

from tamis import MutualInformation


class Clock:
    """Seconds since the beginning of a test."""

    now = 0.0

    @classmethod
    def tell(cls):
        return cls.now


class Slow(MutualInformation):
    """A pass over m features takes m + 25 seconds for 90 rows, as planned, and grows with the square of the rows.

    `passes` has the rows and the features of each.
    """

    passes: ClassVar[list[tuple[int, int]]] = []

    def scorer(self, X, *args, **kwargs):
        scorer, unit = super().scorer(X, *args, **kwargs), (len(X) / 90) ** 2
        without_each, with_each = scorer.without_each, scorer.with_each

        def shrink(subset):
            Slow.passes.append((len(X), len(subset)))
            Clock.now += unit * (len(subset) + 25)
            return without_each(subset)

        def grow(subset, candidates):
            Clock.now += unit * (len(candidates) + 25) * (1 + 20 / (len(subset) + 1))
            return with_each(subset, candidates)

        scorer.without_each, scorer.with_each = shrink, grow
        return scorer


class SlowJudge(GaussianNB):
    """Learns a subset in ten seconds."""

    def fit(self, X, y, sample_weight=None):
        Clock.now += 10
        return super().fit(X, y, sample_weight)
