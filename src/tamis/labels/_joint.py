"""True classes from annotators' answers and features together."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from scipy.special import logsumexp, softmax

from ._confusions import ALIKE_PEOPLE, Confusions, Others, average_of, counted, indicators, mostly_gold
from ._evidence import centred_logs
from ._tempered import Tempered
from ._weights import ALIKE, mean_of, number_of, sum_of

_FIRST_RATE = 0.2
"""Of wrong answers: how far they are believed beside the features before anything is known."""
_FIRST_STRENGTH = 4.0
"""Of the confusions in the gold rows, where there are some: answers in each class that are added to those of each."""

_FEWEST_ITERATIONS = 5
MOST_ROUNDS = 4
_DRAWS = 8
_PART_OF_DRAWS, _PART_OF_FEATURES = 0.45, 0.1
"""Of the memberships; chosen on simulated answers for how often rows above .95 are right."""


class Together(NamedTuple):
    """Where the EM came to.

    `memberships` are of all evidence, `by_answers` of the answers alone, whose likelihood has the power `trust`.
    """

    memberships: np.ndarray
    by_answers: np.ndarray
    confusions: Confusions
    trust: float
    log_likelihood: np.ndarray
    converged: bool


class _State(NamedTuple):
    memberships: np.ndarray
    log_features: np.ndarray
    confusions: Confusions
    trust: float
    log_likelihood: list[float]
    converged: bool


class JointEM:
    r"""EM over the true class of each row, with classifiers that are trained again on what it finds.

    The posterior of a row is :math:`p(s) \propto q(s|x) \prod_a \pi_a(y_a|s)^\alpha`: the tempered probabilities of
    classifiers that have not seen it (`Tempered`), times what its answers say by confusions that are estimated from
    the other rows (`Others`). It ends, as that of `NoisyLabels`, when the share of wrong answers moves by less than its
    standard error: the likelihood goes on rising where the classes get worse.

    `gold` are true classes, -1 where they are not known. `classify(codes)` gives out-of-sample probabilities of
    classifiers that learn the rows whose code is not -1; it is called in each of the `rounds`, or fewer if not more
    codes change than the standard error of the number of wrong answers.
    """

    def __init__(self, answers, gold, classify, rows=ALIKE, *, rounds=MOST_ROUNDS):
        self._answers, self._gold, self._classify, self._rounds = answers, gold, classify, rounds
        self._given = indicators(answers)
        self._others = Others(answers, rows)
        n_classes = len(answers.classes)
        self._votes = self._given @ np.tile(np.eye(n_classes), (len(answers.annotators), 1))
        self._answered = self._votes.any(axis=1)
        self._known = self._answered | (gold >= 0)
        weight = rows.weights(answers.n_rows)
        self._rows = rows if self._known.all() else replace(rows, weight=weight * self._known)
        self._weight = weight[answers.row]

    def run(self, *, max_iter, random) -> Together:
        """From the majority of the answers to the memberships."""
        crowds = random.exponential(size=(_DRAWS, len(self._answers.annotators)))
        self._at_first = self._first_opinion()
        ties = 1e-3 * random.uniform(size=self._votes.shape)
        codes = self._likeliest(self._pinned(self._at_first + ties))
        logs = self._logs(codes)
        state = self._em(self._first(logs), logs, max_iter, self._learned)
        trace = state.log_likelihood
        for _ in range(self._rounds - 1):
            codes, before = self._likeliest(state.memberships), codes
            if self._is_chance(self._rate(state.memberships), mean_of(codes != before, self._rows)):
                break
            logs = self._logs(codes)
            state = self._em(state.memberships, logs, max_iter, self._learned)
            trace = trace + state.log_likelihood
        averaged = self._averaged(state, logs, max_iter, crowds)
        alone = self._answers_alone(state)
        return Together(averaged, alone, state.confusions, state.trust, np.array(trace), state.converged)

    def _likeliest(self, memberships):
        """Codes for the classifiers to learn, -1 where nothing is known of a row but its features."""
        return np.where(self._known, memberships.argmax(axis=1), -1)

    def _logs(self, codes):
        return [centred_logs(p) for p in self._classify(codes)]

    def _first_opinion(self):
        """What answers say before anything is known of those who gave them; by the gold rows, if there are any."""
        n_classes = self._votes.shape[1]
        if not (self._gold >= 0).any():
            return np.log((1.0 - _FIRST_RATE) / (_FIRST_RATE / (n_classes - 1))) * self._votes
        shares = self._votes / np.maximum(self._votes.sum(axis=1, keepdims=True), 1.0)
        believed = mostly_gold(self._pinned(shares), self._gold, self._rows)
        confusions = self._confusions(believed)._replace(strength=_FIRST_STRENGTH)
        return self._others.log_likelihoods(confusions, believed)

    def _first(self, logs):
        return self._pinned(softmax(sum(logs) / len(logs) + self._at_first, axis=1))

    def _pinned(self, memberships):
        gold = self._gold >= 0
        memberships[gold] = np.eye(memberships.shape[1])[self._gold[gold]]
        return memberships

    def _em(self, memberships, logs, max_iter, learn, drawn=None):
        """Until the share of wrong answers stays; `learn` finds the confusions, and the trust in what they say."""
        view, rate, converged = Tempered(logs, self._rows), 0.0, False
        trace: list[float] = []
        while len(trace) < max_iter and not converged:
            log_q = view.fitted(memberships)
            confusions, trust = learn(memberships, log_q)
            by_answers = self._others.log_likelihoods(confusions, memberships, drawn)
            log_joint = log_q + trust * by_answers
            evidence = logsumexp(log_joint, axis=1, keepdims=True)
            memberships = self._pinned(np.exp(log_joint - evidence))
            trace.append(float(sum_of(evidence[:, 0], self._rows)))
            before, rate = rate, self._rate(memberships)
            converged = len(trace) >= _FEWEST_ITERATIONS and self._is_chance(rate, rate - before)
        return _State(memberships, log_q, confusions, trust, trace, converged)

    def _learned(self, memberships, log_q):
        confusions = self._others.strongest(self._confusions(memberships), memberships, log_q)
        return confusions, self._others.trust(confusions, memberships, log_q)

    def _of_crowd(self, drawn, state, logs, max_iter):
        """The memberships that EM would find if the answers of each annotator counted so many times."""

        def learn(memberships, _):
            return self._confusions(memberships, drawn)._replace(strength=state.confusions.strength), state.trust

        return self._em(self._first(logs), logs, max_iter, learn, drawn).memberships

    def _confusions(self, memberships, drawn=None):
        counts = counted(self._given, self._rows.weighted(memberships))
        if drawn is not None:
            counts *= drawn[:, None, None]
        return Confusions(counts, average_of(counts), 1.0, ALIKE_PEOPLE)

    def _rate(self, memberships):
        right = memberships[self._answers.row, self._answers.label]
        return 1.0 - float(np.average(right, weights=self._weight))

    def _is_chance(self, rate, change):
        """Whether a share of the rows is within the standard error of this share of wrong answers."""
        error = np.sqrt(max(rate, 1e-3) * (1.0 - rate) / number_of(self._votes, self._rows))
        return bool(abs(change) <= error)

    def _averaged(self, state, logs, max_iter, crowds):
        """The memberships of EM with those of crowds drawn from this one, and of the features alone, in part.

        EM is surer than it can be: it takes the confusions that it has found for known. A crowd of other annotators
        might have led it elsewhere, and so might none. Which class is the most probable one is left to EM, which knows
        all answers.
        """
        others = _PART_OF_FEATURES * np.exp(state.log_features)
        for drawn in crowds:
            others += _PART_OF_DRAWS / _DRAWS * self._of_crowd(drawn, state, logs, max_iter)
        part = _PART_OF_DRAWS + _PART_OF_FEATURES
        return self._pinned(mixed(state.memberships, others / part, part))

    def _answers_alone(self, state):
        prior = np.log(np.maximum(mean_of(state.memberships, self._rows), 1e-12))
        by_answers = self._others.log_likelihoods(state.confusions, state.memberships)
        found = softmax(prior + state.trust * by_answers, axis=1)
        found[~self._answered] = 0.0
        return self._pinned(found)


def mixed(first, second, part):
    """Both memberships, the second to this part: less where another class than that of the first would lead."""
    top = first.argmax(axis=1)[:, None]
    lead, its_lead = (np.take_along_axis(p, top, axis=1) - p for p in (first, second))
    with np.errstate(divide="ignore", invalid="ignore"):
        most = np.where(its_lead < 0, lead / (lead - its_lead), np.inf).min(axis=1, keepdims=True)
    part = np.minimum(part, 0.99 * most)
    return (1.0 - part) * first + part * second
