"""Annotators: how reliable they are, how sure that is, and what another answer would be worth."""

from __future__ import annotations

import numpy as np
from scipy.stats import beta
from sklearn.utils.validation import check_is_fitted

from .. import _validation
from ..distances.classes import resolve_class_distance
from ._asking import Asking, asking_table, known_or_shares
from ._confusions import Confusions

_LEVEL = 0.95
_RARE = 0.05
"""How improbable it must be that the average annotator gives one answer only, before that is reported."""
_CHANCE = "no better than chance"


class Annotators(Asking):
    """What a fitted model of annotators offers about them."""

    annotators_: np.ndarray
    n_answers_: np.ndarray
    confusion_: np.ndarray
    class_priors_: np.ndarray
    reliabilities_: np.ndarray
    reliability_intervals_: np.ndarray
    _confusions: Confusions
    _trust: float
    _answers: _validation.Answers

    def annotators(self):
        """A pandas table of the annotators, the least reliable first.

        Returns
        -------
        DataFrame with columns
            annotator, n_answers, reliability : who, how many answers, and the probability that one is right
            low, high : ends of the interval that holds the reliability with 95 % probability
            note : "always answers cat", where chance alone would hardly do that; "no better than chance", where the
                interval reaches down to what answers without a look would reach, and not up to the average annotator;
                or nothing
        """
        check_is_fitted(self, "confusion_")
        pd = _validation.import_pandas("CrowdLabels.annotators")
        low, high = self.reliability_intervals_.T
        table = {
            "annotator": self.annotators_,
            "n_answers": self.n_answers_,
            "reliability": self.reliabilities_,
            "low": low,
            "high": high,
            "note": self._notes(),
        }
        return pd.DataFrame(table).sort_values("reliability", kind="stable", ignore_index=True)

    def ask_next(self, n=None, *, X=None, class_distance=None, n_neighbors=10, of="annotator"):
        """Rows by how much the expected loss falls if one more answer is asked for, as a pandas table.

        The expected loss of a row is that of the best decision under its memberships: one minus the largest of them,
        or with a class distance the smallest mean distance of the true class from a class; of a row of weight w, w
        times that.

        Parameters
        ----------
        n : int, default=None
            Number of rows; all by default.
        X : array-like of shape (n_samples, n_features), default=None
            With `of="expert"`: an answer counts for the neighbours of its row too, as in `NoisyLabels.ask_next`.
        class_distance : None, array-like of shape (n_classes, n_classes) or ClassDistance, default=None
            What mistakes cost, in the order of `classes_` if it has no names; None: 1 each.
        n_neighbors : int, default=10
            Neighbours of a row in standardised features, none of them of its group; with X only.
        of : {"annotator", "expert"}, default="annotator"
            Who is asked: another annotator, who is as good as the average one, or somebody who knows the true class.

        Returns
        -------
        DataFrame with columns
            row : position in X, without the rows of weight zero
            gain : expected fall of the total loss; 0 if no answer of one annotator would change the decision. Such rows
                are in the order of their expected loss.
            likely, p_likely : the most probable class, and its probability
            second, p_second : the next one

        Examples
        --------
        >>> from tamis import CrowdLabels
        >>> answers = [["a", "a", "a"], ["b", "b", "b"], ["a", "b", None], ["b", "b", "b"], ["a", "a", "a"]]
        >>> CrowdLabels().fit(None, answers).ask_next(1)["row"].tolist()
        [2]
        """
        check_is_fitted(self, "memberships_")
        if _validation.check_choice("of", of, ("annotator", "expert")) == "expert":
            return super().ask_next(n, X=X, class_distance=class_distance, n_neighbors=n_neighbors)
        if n is not None:
            _validation.check_count("n", n, least=0)
        if X is not None:
            raise ValueError(
                "X is not used by ask_next of an annotator, whose answer is about one row. Use of='expert'."
            )
        P = known_or_shares(self.memberships_)
        distance = resolve_class_distance(class_distance, self.classes_).matrix
        gains, losses = self._gains_of_an_answer(P, distance)
        return asking_table(self.classes_, P, gains, losses).head(n)

    def _gains_of_an_answer(self, P, distance):
        """Of each row, by how much another answer lowers the expected loss, and that loss."""
        losses = (P @ distance).min(axis=1)
        after = np.zeros(len(P))
        # Answers that are believed to a power below one tell less.
        expected = self._average() ** self._trust
        for answered in (expected / expected.sum(axis=1, keepdims=True)).T:
            after += ((P * answered) @ distance).min(axis=1)
        weight = self._rows.weights(len(P))
        gains = np.where(losses - after > 1e-12 * losses, losses - after, 0.0)
        return gains * weight, losses * weight

    def _average(self):
        """How the answers that were given confuse the classes: everybody counts by the number of answers."""
        n = self._confusions.counts.sum(axis=2)
        n = np.where(n.sum(axis=0) > 0, n, 1.0)
        return np.einsum("as,ast->st", n / n.sum(axis=0), self.confusion_)

    def _rate_annotators(self):
        """Reliabilities, and intervals from beta distributions of the same mean and variance."""
        found, priors = self._confusions, self.class_priors_
        alpha = found.concentration
        total, right = alpha.sum(axis=2), np.diagonal(alpha, axis1=1, axis2=2)
        mean = right / total
        self.reliabilities_ = rate = mean @ priors
        n = found.counts.sum(axis=(1, 2))
        # Of the answers in each class; of all of them, as far as their rate decides about a class; of the true classes.
        variance = (mean * (1.0 - mean) / (total + 1.0)) @ priors**2
        if np.isfinite(found.alike):
            variance += ((found.strength / total) @ priors) ** 2 * rate * (1.0 - rate) / (n + found.alike + 1.0)
        variance += self._doubt_of_answers() / (n + 1.0) ** 2
        self.reliability_intervals_ = _beta_interval(rate, variance)
        if len(self.classes_) == 1:  # nobody could give another answer
            self.reliability_intervals_[:] = 0.0, 1.0

    def _doubt_of_answers(self):
        """Of each annotator, the variance of the number of right answers, as far as true classes are not sure."""
        who, row = self._answers.annotator, self._answers.row
        right = known_or_shares(self.memberships_)[row, self._answers.label]
        weight = self._rows.weights(len(self.memberships_))[row]
        return np.bincount(who, right * (1.0 - right) * weight, len(self.annotators_))

    def _notes(self):
        """What is odd about each annotator, in words."""
        answers, n_classes = self._answers, len(self.classes_)
        said = np.zeros((len(self.annotators_), n_classes))
        np.add.at(said, (answers.annotator, answers.label), 1.0)
        low, high = self.reliability_intervals_.T
        by_chance = said / np.maximum(said.sum(axis=1, keepdims=True), 1.0) @ self.class_priors_
        average = float(self.class_priors_ @ np.diag(self._average()))
        notes = np.full(len(said), "", dtype=object)
        notes[(low <= by_chance) & (high < average)] = _CHANCE
        always = self._always(said)
        for a in np.flatnonzero(always):
            notes[a] = f"always answers {self.classes_.tolist()[said[a].argmax()]}"
        return notes

    def _always(self, said):
        """Who gave one answer only, though the average annotator would hardly have done so for the same rows."""
        answers = self._answers
        expected = known_or_shares(self.memberships_)[answers.row] @ self._average()
        logs = np.log(np.maximum(expected[np.arange(len(expected)), answers.label], 1e-300))
        probability = np.exp(np.bincount(answers.annotator, logs, minlength=len(said)))
        return (np.count_nonzero(said, axis=1) == 1) & (probability < _RARE)


def _beta_interval(mean, variance):
    """Ends of the beta distributions of these moments."""
    size = np.clip(mean * (1.0 - mean) / np.maximum(variance, 1e-300) - 1.0, 1e-6, 1e12)
    tail = (1.0 - _LEVEL) / 2.0
    a, b = np.maximum(mean * size, 1e-9), np.maximum((1.0 - mean) * size, 1e-9)
    return np.column_stack([beta.ppf(tail, a, b), beta.ppf(1.0 - tail, a, b)])
