"""Does a feature add more than chance would? A test at every size of a path."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import gammaincc, ndtr, ndtri, stdtr

from ..distances.copies import PermutedCopies
from .greedy import TIE
from .path import Step, Verdict

QUANTILES = (0.05, 0.5, 0.95)
_FIRST = 8
MOST_DRAWS, ENOUGH_DRAWS = 128, 64
"""For a verdict that decides on the size, and for others."""
_CLEAR = 5
_HUGE = 200


class ChanceTest:
    """Whether a group of columns adds more to a subset than permuted copies of it.

    The copies keep what the group shares with the rest of the subset: see `PermutedCopies`. Their seeds are those of
    the size of the subset, so that the answer depends neither on threads nor on the order of the columns.

    Parameters
    ----------
    scorer : Scorer
    coordinates : Coordinates
        What the scorer is of.
    alpha : float
    seed : int
    """

    def __init__(self, scorer, coordinates, *, alpha, seed, n_threads=1):
        self._scorer, self._coordinates, self._threads = scorer, coordinates, n_threads
        self.alpha, self._seed = alpha, seed

    def __call__(self, rest, group, value, n_tests, *, decides=True) -> Verdict:
        """Of a group that makes the `rest` a subset of this value, one of so many that were tested.

        A verdict that `decides` nothing rests on few draws.
        """
        others, block = self._coordinates.of(rest), self._coordinates.of([group])
        reach = self._scorer.reach(rest) if len(rest) and hasattr(self._scorer, "reach") else None
        copies = PermutedCopies(others, block, (self._seed, len(rest)), reach=reach, n_threads=self._threads)
        return weigh(
            value,
            lambda n: self._scorer.beside(rest, copies.draw(n))[:, 0],
            n_tests,
            alpha=self.alpha,
            most=MOST_DRAWS if decides else ENOUGH_DRAWS,
        )


def judge_removals(steps, scorer, test, n_groups, required=()) -> Iterator[Step]:
    """Steps of a backward search with the verdict on the subset that each leaves; the last also with that on its own.

    A verdict answers for `n_tests_of_removals`. Steps that have verdicts keep them. If several features leave in one
    pass, the last of them, which costs most, is tested; the others only if it is significant and no feature before the
    pass was: in their order, up to the first significant one. Their verdict is None if they are not tested.
    """
    subset, n_tests = list(range(n_groups)), n_tests_of_removals(n_groups - len(required))
    value_of = getattr(scorer, "with_last_labels", scorer.of)
    decided = False

    def verdict_on(feature, rest) -> Verdict:
        value = float(value_of(sorted([*rest, feature]))[0])
        return test(rest, feature, value, n_tests, decides=not decided)

    def significant(verdicts) -> bool:
        return any(v is not None and v.p_value <= test.alpha for v in verdicts)

    for batch in _passes(steps):
        before, gone, last, found = subset, [step.feature for step in batch], batch[-1], False
        subset = [g for g in before if g not in gone]
        if not last.verdicts:
            verdicts: list[Verdict | None] = []
            if last.feature is not None:
                verdicts.append(verdict_on(last.feature, subset))
            if len(subset) == max(1, len(required)):
                alone = None if required else test((), subset[0], last.score, n_tests, decides=not decided)
                verdicts.append(alone)
            last = last._replace(verdicts=tuple(verdicts))
        looks_back = not decided and significant(last.verdicts[:1])
        for n_gone, step in enumerate(batch[:-1], start=1):
            if not step.verdicts:
                given = None
                if looks_back and not found:
                    given = verdict_on(step.feature, [g for g in before if g not in gone[:n_gone]])
                step = step._replace(verdicts=(given,))
            found = found or significant(step.verdicts)
            yield step
        decided = decided or found or significant(last.verdicts)
        yield last


def _passes(steps) -> Iterator[list[Step]]:
    """Steps that were taken together: of these only the last has a score."""
    batch: list[Step] = []
    for step in steps:
        batch.append(step)
        if not np.isnan(step.score):
            yield batch
            batch = []


def n_tests_of_removals(n_free) -> float:
    """As many groups as can leave, looked at again at every size.

    Times 1 + 1/2 + 1/3 + ..., as for tests that depend on each other in any way (Benjamini and Yekutieli, 2001).
    """
    return n_free * sum(1 / k for k in range(1, n_free + 1))


def judge_additions(steps, scorer, test, n_groups, required=()) -> Iterator[Step]:
    """Steps of a forward search with the verdicts on the subsets they lead to, up to the first that chance explains.

    A verdict answers for all groups that could have entered instead. Steps that have verdicts keep them.
    """
    rest = sorted(required)
    for step in steps:
        if not step.verdicts:
            given = None if step.feature is None else test(rest, step.feature, step.score, n_groups - len(rest))
            step = step._replace(verdicts=(given,))
        yield step
        if step.feature is not None:
            if step.verdicts[0].p_value > test.alpha:
                return
            rest = sorted([*rest, step.feature])


def judge_ranks(steps, test, required=()) -> Iterator[Step]:
    """Steps of a ranking with the verdicts on its features, each by itself, up to the first that chance explains.

    A verdict answers for all features; on required ones there is none. Steps that have verdicts keep them.
    """
    for step in steps:
        if not step.verdicts:
            given = None if step.feature in required else test((), step.feature, step.score, len(steps))
            step = step._replace(verdicts=(given,))
        yield step
        if step.verdicts[0] is not None and step.verdicts[0].p_value > test.alpha:
            return


def significant_size(path, alpha) -> int | None:
    """The size of a path that chance does not explain: of a shrinking one the largest, of a growing one the last before
    chance does. None if there is none."""
    p_values = path.p_values
    if path.shrinks:
        kept = np.flatnonzero(p_values <= alpha)[:1]
    else:
        stop = np.flatnonzero(p_values > alpha)
        kept = np.arange(stop[0] if len(stop) else len(p_values))[-1:]
    return int(path.sizes[kept[0]]) if len(kept) else None


def weigh(value, draw, n_tests, *, alpha, most=MOST_DRAWS) -> Verdict:
    """Compare a value with values drawn by chance, as many as the answer needs.

    `draw(n)` gives n more of them. There are 8, 16, ... and at most `most`: fewer if chance explains the value even
    when the draws are taken to have been unlucky, or if the corrected p-value is far below alpha.
    """
    null = draw(_FIRST)
    while True:
        chance = Chance(null, value)
        corrected = min(1.0, n_tests * chance.p_value())
        clear = corrected <= alpha / _CLEAR or n_tests * chance.least_p_value() > alpha
        if clear or len(null) >= most:
            quantiles = np.quantile(null, QUANTILES, method="inverted_cdf")
            return Verdict(corrected, tuple(quantiles.tolist()))
        null = np.concatenate([null, draw(len(null))])


class Chance:
    """How a value stands among draws."""

    def __init__(self, null, value):
        finite = np.isfinite(value) and np.isfinite(null).all()
        exponent = np.frexp(max(abs(value), np.abs(null).max()))[1] if finite else 0
        if exponent > _HUGE:  # a power of two keeps squares within the range of floats
            null, value = np.ldexp(null, -exponent), np.ldexp(value, -exponent)
        self._null, self._n = null, len(null)
        self._reached = int((null >= value - TIE * max(1.0, abs(value))).sum())
        spread = null.std(ddof=1) if finite else 0.0
        tells = spread > TIE * max(1.0, abs(value))
        self._far = (value - null.mean()) / spread if tells else None

    def p_value(self) -> float:
        """Probability that chance gives so much.

        The tail is that of a gamma distribution with the mean, the spread and the skewness of the draws (Pearson III).
        As few draws may mislead, it is widened as Student's is, and the skewness raised by a standard error as long as
        more could be drawn. Where draws have reached the value, it is no less than their share.
        """
        share = (1 + self._reached) / (1 + self._n)
        if self._far is None:
            return share
        widened = -ndtri(stdtr(self._n - 1, -self._far / np.sqrt(1 + 1 / self._n)))
        skewness = max(0.0, self._skewness()) + np.sqrt(max(0.0, 6 / self._n - 6 / MOST_DRAWS))
        tail = _gamma_tail(widened, skewness)
        return max(tail, share) if self._reached else tail

    def least_p_value(self) -> float:
        """The same if the draws are two standard errors off, and their tail is no heavier than the normal one."""
        if self._far is None:
            return 1.0 if self._reached else 0.0
        return float(ndtr(-self._far - 2 * np.sqrt((1 + self._far**2 / 2) / self._n)))

    def _skewness(self):
        """Of the distribution that was drawn from: that of the draws is too small by a factor."""
        off, n = self._null - self._null.mean(), self._n
        return np.sqrt(n * (n - 1)) / (n - 2) * np.mean(off**3) / np.mean(off**2) ** 1.5


def _gamma_tail(x, skewness) -> float:
    """Probability beyond x of a gamma distribution of mean 0, variance 1 and this skewness; the normal one at 0."""
    if skewness < 1e-3:
        return float(ndtr(-x))
    shape = 4 / skewness**2
    return float(gammaincc(shape, max(0.0, shape + 2 * x / skewness)))
