"""Answers that are less than a class, as memberships."""

from __future__ import annotations

import warnings

import numpy as np

from .. import _validation
from .base import one_hot


def memberships_of(y=None, *, confidence=None, candidates=None, ranking=None, votes=None, classes=None):
    """Memberships from classes with a confidence, from candidates, rankings or votes.

    Parameters
    ----------
    y, confidence : array-like of shape (n_samples,), default=None
        A class per row and the probability, from 0 to 1, that it is right; the other classes share the rest equally.
        A missing confidence is 1, as a class alone is certain elsewhere; a warning counts such rows.
    candidates : sequence of sets, lists or single classes, default=None
        Classes that come into question in each row, all equally likely.
    ranking : sequence of lists, or table of shape (n_samples, n_places), default=None
        Classes of each row, the most probable first. The k classes named get rank-order centroid weights, that of place
        r being the sum of 1/j for j = r, ..., k, divided by k: the mean of all distributions that have this order.
        Classes that are not named get zero, as with candidates: one that is named alone is certain.
    votes : table of shape (n_samples, n_classes), or sequence of dictionaries, default=None
        Votes for each class, as counts or weights that are not negative; memberships are their shares.
    classes : array-like of shape (n_classes,), default=None
        All classes, if some of them may not be named; those of the columns, if `votes` is an array.

    Returns
    -------
    DataFrame of shape (n_samples, n_classes)
        The y of `labels="soft"`, its columns named by the sorted classes. Rows that say nothing (None, NaN, an empty
        text or set, no votes) are zero: estimates leave them out.

    References
    ----------
    Doquire and Verleysen (2012), section 5.1, for the confidences. Barron and Barrett (1996). Decision quality using
    ranked attribute weights, for the rankings.

    Examples
    --------
    >>> from tamis import memberships_of
    >>> memberships_of(["cat", "dog", "cow"], confidence=[0.8, 1.0, 0.5])
        cat  cow   dog
    0  0.80  0.1  0.10
    1  0.00  0.0  1.00
    2  0.25  0.5  0.25
    >>> memberships_of(candidates=[{"cat", "dog"}, "cow", None])
       cat  cow  dog
    0  0.5  0.0  0.5
    1  0.0  1.0  0.0
    2  0.0  0.0  0.0
    >>> memberships_of(ranking=[["cat", "dog"], ["cow", "cat", "dog"]]).round(2)
        cat   cow   dog
    0  0.75  0.00  0.25
    1  0.28  0.61  0.11
    >>> memberships_of(votes=[{"cat": 3, "dog": 1}, {"dog": 2}])
        cat   dog
    0  0.75  0.25
    1  0.00  1.00
    """
    pd = _validation.import_pandas("memberships_of")
    kinds = {"confidence": confidence, "candidates": candidates, "ranking": ranking, "votes": votes}
    given = [name for name, values in kinds.items() if values is not None]
    if len(given) != 1:
        raise ValueError(
            "exactly one of confidence, candidates, ranking and votes must be given; got "
            f"{' and '.join(given) or 'none'}. Combine the tables afterwards if rows are of several kinds."
        )
    if (y is not None) != (given == ["confidence"]):
        raise ValueError(
            "confidence must come with y, the classes, and only confidence does. Pass both, or neither of them."
        )
    if confidence is not None:
        names, P = _by_confidence(*_validation.check_confidence(y, confidence, classes))
    elif votes is not None:
        names, P = _validation.check_votes(votes, classes)
    elif candidates is not None:
        names, P = _by_weights(_validation.check_named("candidates", candidates, classes), ordered=False)
    else:
        names, P = _by_weights(_validation.check_named("ranking", ranking, classes, ordered=True), ordered=True)
    total = P.sum(axis=1, keepdims=True)
    index = getattr(kinds[given[0]] if y is None else y, "index", None)
    P = P / np.where(total > 0, total, 1.0)
    return pd.DataFrame(P, columns=names, index=index if isinstance(index, pd.Index) else None)


def _by_confidence(classes, codes, confidence):
    silent, n_classes = np.isnan(confidence) & (codes >= 0), len(classes)
    if silent.any():
        warnings.warn(
            f"{silent.sum()} of {len(codes)} rows have a class without a confidence; they count as certain.",
            UserWarning,
            stacklevel=3,
        )
    sure = np.where(np.isnan(confidence), 1.0, confidence)
    doubted = (codes >= 0) & (sure * n_classes < 1.0)
    if doubted.any():
        warnings.warn(
            f"{doubted.sum()} of {len(codes)} rows have a confidence below 1 / {n_classes}, that of a guess: their "
            "class is less probable than the others. Check that confidence is the probability that the class is right.",
            UserWarning,
            stacklevel=3,
        )
    own, rest = one_hot(codes, n_classes), (1.0 - sure) / (n_classes - 1)
    return classes, np.where(own > 0, sure[:, None], rest[:, None]) * (codes >= 0)[:, None]


def _by_weights(named, *, ordered):
    """One for each class that a row names, or what its place in the row weighs."""
    P = np.zeros((named.n_rows, len(named.classes)))
    length = np.bincount(named.row, minlength=named.n_rows)
    place = np.arange(len(named.row)) - (np.cumsum(length) - length)[named.row]
    sums = np.concatenate([[0.0], np.cumsum(1.0 / np.arange(1, length.max() + 1))])
    P[named.row, named.code] = sums[length[named.row]] - sums[place] if ordered else 1.0
    return named.classes, P
