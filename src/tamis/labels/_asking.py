"""Which rows an expert should be asked about next."""

from __future__ import annotations

import numpy as np
from sklearn.neighbors import NearestNeighbors
from sklearn.utils.validation import check_is_fitted

from .. import _validation
from ..distances import gaps
from ..distances.classes import resolve_class_distance
from ..distances.scaling import has_gaps, scaled
from ._weights import ALIKE


class Asking:
    """What a label model offers to people who can ask for the true class of some rows."""

    classes_: np.ndarray
    memberships_: np.ndarray
    _rows: _validation.Rows

    def ask_next(self, n=None, *, X=None, class_distance=None, n_neighbors=10):
        """Rows by how much the expected loss falls if their true class is asked for, as a pandas table.

        The expected loss of a row is that of the best decision under its memberships: one minus the largest of them,
        or with a class distance the smallest mean distance of the true class from a class; of a row of weight w, w
        times that. An answer takes it away, whatever it is.

        Parameters
        ----------
        n : int, default=None
            Number of rows; all by default.
        X : array-like of shape (n_samples, n_features), default=None
            If given, an answer counts for the neighbours of its row too: where it is not the class that was expected,
            it takes away one of `n_neighbors` parts of the expected loss of each. NaN where a value is missing; without
            the rows that had weight zero in `fit`.
        class_distance : None, array-like of shape (n_classes, n_classes) or ClassDistance, default=None
            What mistakes cost, in the order of `classes_` if it has no names; None: 1 each.
        n_neighbors : int, default=10
            Neighbours of a row in standardised features, none of them of its group; with X only.

        Returns
        -------
        DataFrame with columns
            row : position in X, without the rows of weight zero
            gain : expected fall of the total loss; 0 for a row that is certain
            likely, p_likely : the most probable class, and its probability
            second, p_second : the next one; None and 0 if there is only one class

        Notes
        -----
        This is not `suspects`: a label that is certainly wrong, and whose true class is certain too, need not be asked
        about. A row of which nothing is known has the shares of the classes as its memberships. Answers given, put them
        in the place of the recorded classes, and fit again.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from tamis import NoisyLabels
        >>> from tamis.datasets import flip_uniform
        >>> X, y = load_iris(return_X_y=True)
        >>> recorded = flip_uniform(y, 0.2, random_state=0).y
        >>> model = NoisyLabels(random_state=0).fit(X, recorded)
        >>> table = model.ask_next(15, X=X)
        >>> table.columns.tolist()
        ['row', 'gain', 'likely', 'p_likely', 'second', 'p_second']
        >>> def wrong_after(asked):
        ...     corrected = model.relabelled()["likely"].to_numpy().copy()
        ...     corrected[asked] = y[asked]
        ...     return int((corrected != y).sum())
        >>> wrong_after([]), wrong_after(model.suspects(15)["row"]), wrong_after(table["row"])
        (6, 6, 2)
        """
        check_is_fitted(self, "memberships_")
        if n is not None:
            _validation.check_count("n", n, least=0)
        P = known_or_shares(self.memberships_)
        distance = resolve_class_distance(class_distance, self.classes_).matrix
        if X is None:
            return asking_table(self.classes_, P, expected_gains(P, distance, rows=self._rows)).head(n)
        X = _validation.check_samples(X, missing=True)
        _validation.check_rows_match(X, P)
        near = nearest(X, _validation.check_count("n_neighbors", n_neighbors), self._rows)
        return asking_table(self.classes_, P, expected_gains(P, distance, near, self._rows)).head(n)


def known_or_shares(memberships) -> np.ndarray:
    """Memberships, with the shares of the classes for rows of which nothing is known."""
    known = memberships.any(axis=1, keepdims=True)
    return np.where(known, memberships, memberships.sum(axis=0) / max(1, known.sum()))


def expected_gains(memberships, distance, near=None, rows=ALIKE) -> np.ndarray:
    """Of each row: its expected loss, and its part in that of its neighbours, given as indices."""
    losses = memberships @ distance
    decision = losses.argmin(axis=1)
    places = np.arange(len(losses))
    loss = losses[places, decision]
    if rows.weight is not None:
        loss = loss * rows.weight
    if near is None:
        return loss
    surprise = 1.0 - memberships[places, decision]
    return loss + surprise * (loss / near.shape[1])[near].sum(axis=1)


def nearest(X, n_neighbors, rows=ALIKE) -> np.ndarray:
    """Indices of the nearest rows of other groups in standardised features, (n_samples, at most n_neighbors)."""
    Z = scaled(X, "standard", rows.weight)
    if rows.group is None and not has_gaps(Z):
        k = min(n_neighbors, len(Z) - 1)
        return NearestNeighbors(n_neighbors=k).fit(Z).kneighbors(return_distance=False)
    group = np.arange(len(Z)) if rows.group is None else rows.group
    k = min(n_neighbors, len(Z) - int(np.bincount(group).max()))
    return gaps.nearest(Z, Z, k, gaps.gap_constants(Z, rows.weight), groups=(group, group))[0]


def asking_table(classes, memberships, gains, losses=0.0):
    """Rows sorted by their gain, those of equal ones by their loss: see `Asking.ask_next`."""
    pd = _validation.import_pandas("ask_next")
    rows = np.arange(len(gains))
    first, *others = np.argsort(-memberships, axis=1, kind="stable")[:, :2].T
    second, p_second = np.full(len(rows), None), np.zeros(len(rows))
    if others:
        second, p_second = classes[others[0]], memberships[rows, others[0]]
    order = np.lexsort((rows, -losses * np.ones(len(rows)), -gains))
    table = {
        "row": rows,
        "gain": gains,
        "likely": classes[first],
        "p_likely": memberships[rows, first],
        "second": second,
        "p_second": p_second,
    }
    return pd.DataFrame({name: column[order] for name, column in table.items()})
