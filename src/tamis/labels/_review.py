"""Tables for people who go through the labels."""

from __future__ import annotations

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .. import _validation
from ._em import joint_counts
from ._statement import share_interval
from ._weights import ALIKE, independence
from .base import one_hot


class Review:
    """What a label model that doubts recorded classes offers to people who go through them."""

    classes_: np.ndarray
    memberships_: np.ndarray
    _codes: np.ndarray
    _rows: _validation.Rows

    def suspects(self, n=None):
        """Labelled rows sorted by the probability that their label is wrong, as a pandas table.

        Parameters
        ----------
        n : int, default=None
            Number of rows; all by default.

        Returns
        -------
        DataFrame with columns
            row : position in X, without the rows of weight zero
            label : the recorded class
            p_wrong : probability that it is not the true one
            likely : the most probable other class; None if there is no other
            p_likely : its probability
        """
        check_is_fitted(self, "memberships_")
        if n is not None:
            _validation.check_count("n", n, least=0)
        return suspects_table(self.classes_, self._codes, self.memberships_).head(n)

    def relabelled(self, confidence=0.95):
        """Every row with its most probable class and what to do about its label, as a pandas table.

        Parameters
        ----------
        confidence : float, default=0.95
            Of the rows to correct, and of those to fill in, at least this share of the suggested classes are expected
            to be right; of those to keep, at least this share of the recorded ones.

        Returns
        -------
        DataFrame with columns
            row : position in X, without the rows of weight zero
            label : the recorded class; None if there is none
            likely : the most probable class, which may be the recorded one; None if nothing is known of the row
            p_likely : its probability
            p_wrong : probability that the recorded class is not the true one; NaN if there is none
            action : "keep", "correct" (to `likely`), "look at" or, for rows without a label, "fill in" (`likely`)
        """
        check_is_fitted(self, "memberships_")
        confidence = _validation.check_share("confidence", confidence)
        return relabelled_table(self.classes_, self._codes, self.memberships_, confidence, self._rows)

    def confusions(self):
        """Pairs of classes by how many rows of the first are recorded as the second, as a pandas table.

        Returns
        -------
        DataFrame with columns
            true, recorded : the two classes
            rows : estimated number of such rows, one of weight w counting w times
            rate : share of the true class
            low, high : 95 % interval of the rate, were the memberships those of other rows of the same kind; how
                uncertain these are is not in it
        """
        check_is_fitted(self, "memberships_")
        return confusions_table(self.classes_, self._codes, self.memberships_, self._rows)

    def sample_weight(self):
        """Probability that each recorded label is right: weights to train a classifier with on the recorded labels.

        Rows without a label have weight zero. Weights that were given to `fit` are not in it: multiply by them.
        """
        check_is_fitted(self, "memberships_")
        return (self.memberships_ * one_hot(self._codes, len(self.classes_))).sum(axis=1)

    def expected_mistakes(self, n):
        """Expected number of wrong labels among the `n` most doubtful rows; one of weight w counts as w rows."""
        check_is_fitted(self, "memberships_")
        _validation.check_count("n", n, least=0)
        doubts = np.where(self._codes >= 0, 1.0 - self.sample_weight(), 0.0)
        if self._rows.weight is None:
            return float(np.sort(doubts)[::-1][:n].sum())
        order = np.argsort(-doubts, kind="stable")
        weight = self._rows.weight[order]
        return float((doubts[order] * np.clip(n - np.cumsum(weight) + weight, 0.0, weight)).sum())


def suspects_table(classes, codes, memberships):
    """Rows sorted by the probability that their label is wrong: see `Review.suspects`."""
    pd = _validation.import_pandas("NoisyLabels.suspects")
    rows = np.flatnonzero(codes >= 0)
    codes, others, places = codes[rows], memberships[rows], np.arange(len(rows))
    others[places, codes] = -1.0
    likely = others.argmax(axis=1)
    wrong = np.clip(others, 0.0, None).sum(axis=1)
    order = np.argsort(-wrong, kind="stable")
    table = {
        "row": rows,
        "label": classes[codes],
        "p_wrong": wrong,
        "likely": classes[likely] if len(classes) > 1 else np.full(len(rows), None),
        "p_likely": np.maximum(others[places, likely], 0.0),
    }
    return pd.DataFrame({name: column[order] for name, column in table.items()})


def relabelled_table(classes, codes, memberships, confidence, counted=ALIKE):
    """Every row with a suggested action: see `Review.relabelled`."""
    pd = _validation.import_pandas("NoisyLabels.relabelled")
    rows, labelled = np.arange(len(codes)), codes >= 0
    wrong = np.where(labelled, 1.0 - memberships[rows, codes], np.nan)
    # In doubt the recorded class.
    likely = np.where(labelled & ~(memberships.max(axis=1) > 1.0 - wrong), codes, memberships.argmax(axis=1))
    p_likely = memberships[rows, likely]
    other = labelled & (likely != codes)
    action = np.full(len(codes), "look at", dtype=object)
    action[_largest(1.0 - wrong, labelled & ~other & (wrong < 0.5), confidence, counted)] = "keep"
    action[_largest(p_likely, other & (p_likely > 0.5), confidence, counted)] = "correct"
    action[_largest(p_likely, ~labelled & (p_likely > 0.5), confidence, counted)] = "fill in"
    known = memberships.any(axis=1)
    return pd.DataFrame(
        {
            "row": rows,
            "label": _or_none(classes, codes, labelled),
            "likely": _or_none(classes, likely, known),
            "p_likely": p_likely,
            "p_wrong": wrong,
            "action": action,
        }
    )


def _or_none(classes, codes, there):
    """The class of each row, None where there is none."""
    return classes[codes] if there.all() else np.where(there, classes.astype(object)[codes], None)


def _largest(probability, candidates, confidence, counted):
    """Of some rows as many of the most probable ones as have a mean probability of at least `confidence`."""
    rows = np.flatnonzero(candidates)
    rows = rows[np.argsort(-probability[rows], kind="stable")]
    if counted.weight is None:
        means = np.cumsum(probability[rows]) / np.arange(1, len(rows) + 1)
    else:
        weight = counted.weight[rows]
        means = np.cumsum(probability[rows] * weight) / np.cumsum(weight)
    # Means of a falling sequence fall, but for rounding.
    return rows[: np.searchsorted(-means, -confidence + 1e-12, side="right")]


def confusions_table(classes, codes, memberships, counted=ALIKE):
    """Pairs of classes by how many rows of the first are recorded as the second: see `Review.confusions`."""
    pd = _validation.import_pandas("NoisyLabels.confusions")
    labelled = codes >= 0
    codes, memberships, counted = codes[labelled], memberships[labelled], counted.of(labelled)
    count = joint_counts(memberships, codes, counted)
    mass = count.sum(axis=1)
    np.fill_diagonal(count, 0.0)
    true, recorded = np.nonzero(count)
    rows, of = count[true, recorded], mass[true]
    order = np.argsort(-rows, kind="stable")
    each = independence(counted, len(codes))
    low, high = share_interval(rows * each, of * each)
    table = {
        "true": classes[true],
        "recorded": classes[recorded],
        "rows": rows,
        "rate": rows / of,
        "low": low,
        "high": high,
    }
    return pd.DataFrame({name: column[order] for name, column in table.items()})
