"""How many features: the procedure of a selector, repeated on folds and judged on the rows left out."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.utils import _safe_indexing

from .. import _validation
from .._validation import Rows
from ..distances.balls import NEGLIGIBLE
from ..distances.columns import Columns
from ..estimates.association import p_values_of_features
from ..evidence import (
    INTERCHANGEABLE,
    LEAST_REPEATS,
    MOST_SEEN,
    NEEDED,
    NO_EVIDENCE,
    NOT_KNOWN,
    Searched,
    Trial,
    exchange,
    judge_seconds,
    judged_sizes,
    repeats_for,
    resolve_judges,
    spread_out,
)
from ..search import FoldTimes, Unhurried, Unsaved
from ._progress import Progress, Silence

MOST_FOLDS = 50
_FEW_SIZES = 4
"""Sizes that there should be time for in the folds, one more than are always judged."""


@dataclass
class Work:
    """What a search knows as it ends: its table, its label model, what was asked for, and where it is saved."""

    columns: Columns
    labels: Any
    n_selected: int | None
    required: frozenset[int]
    saved: Any
    progress: Progress | Silence
    pace: Any
    rows: Rows
    rest: Any = None
    n_searched: int | None = None


@dataclass(frozen=True)
class Procedure:
    """A selector with its settings, to be run on some of the rows, here or in a worker."""

    selector: Any
    data: list
    rows: Rows
    sizes: tuple[int, ...] = ()  # of the passes, if the search on all rows was in a hurry

    def __call__(self, fold, part=Unsaved) -> Searched:
        one = clone(self.selector).set_params(random_state=fold.seed)
        X, y, memberships = (None if values is None else _safe_indexing(values, fold.train) for values in self.data)
        rows = self.rows.of(fold.train)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # said of all rows already
            found = one._search(X, y, memberships, rows, Unhurried(self.sizes), part=part)
            known = one._labels_to_predict(found.labels, found.columns, y, memberships, rows)
        return Searched(one.path_.group_order(), known)


def check_settings(selector):
    """The parameters by which a size is chosen."""
    _validation.check_alpha(selector.alpha)
    _validation.check_share("tolerance", selector.tolerance)
    _validation.check_count("cv", selector.cv, least=2)
    resolve_judges(selector.judge)
    if not (isinstance(selector.n_repeats, str) and selector.n_repeats == "auto"):
        _validation.check_count("n_repeats", selector.n_repeats)


def decide(selector, work: Work, X, y, memberships) -> int:
    """How many features: as asked, or by the loss on rows that the search has not seen.

    In that case the selector gets `evidence_`, `roles_`, `swaps_` and `pvalues_`.
    """
    sizes = selector.path_.sizes
    if work.n_selected is not None:
        return work.n_selected
    if work.progress.stopped:
        return int(sizes.min())
    labels = selector._labels_to_predict(work.labels, work.columns, y, memberships, work.rows)
    trial = _trial(selector, work, labels, (X, y, memberships))
    pace = work.pace
    pace.begin_folds(trial.total)
    for _ in work.progress.through(trial.run(pace), trial.total, "fold"):
        pace.fold_done()
    if trial.cut:
        pace.cut["folds"] = "; ".join(trial.cut)
    if not trial.is_done:
        if work.progress.stopped:
            return int(sizes.min())
        why, way_out = ("max_time is too short for folds", "") if trial.cut else (trial.why_not, trial.way_out)
        warnings.warn(
            f"{why}, so that it is not known how many features are needed: all are kept. Say how many you want with "
            f"n_features_to_select{', or ' if way_out else ''}{way_out}.",
            UserWarning,
            stacklevel=3,
        )
        return int(sizes.max())
    columns = work.columns
    selector.pvalues_ = p_values_of_features(columns, labels.recorded(), labels.has_record(), rows=work.rows)
    n_features = dict(zip(selector.path_.n_groups().tolist(), sizes.tolist(), strict=True))
    selector.evidence_ = trial.evidence(columns.groups, n_features, selector.pvalues_, alpha=selector.alpha)
    _give_roles(selector, trial, labels, work)
    chosen = selector.evidence_.n_chosen
    if chosen == selector.evidence_.sizes[-1] and not selector.evidence_.reaches_all:
        warnings.warn(
            f"{chosen} features are kept, the largest number that was judged: more may be better. Ask for more with "
            "n_features_to_select.",
            UserWarning,
            stacklevel=3,
        )
    return chosen


def _trial(selector, work, labels, data) -> Trial:
    groups, n_groups = work.columns.groups, selector.path_.n_groups()
    coordinates = work.columns.coordinates()
    n_to_search = selector._n_to_search(sum(len(groups[g]) for g in work.required))
    if not selector.path_.shrinks:  # it may have ended early
        n_to_search = min(n_to_search, int(selector.path_.sizes.max()))
    how = {"n_features_to_select": n_to_search, "labels": labels.for_part(), "checkpoint": None, "verbose": 0}
    if hasattr(selector, "class_distance_"):
        how["class_distance"] = selector.class_distance_  # with the names of its classes
    if "conditioning" in work.pace.cut:  # a search on a fold has no more time to choose them
        how |= {"n_conditioning": selector.n_conditioning_, "n_bins": selector.n_bins_}
    in_a_hurry = tuple(work.pace.sizes) if work.pace.hurries else ()
    one = clone(selector).set_params(**how)
    procedure = Procedure(one, [with_rows(values) for values in data], work.rows, in_a_hurry)

    def search(fold, number):  # what is done in a hurry is not kept: with more time it would be done otherwise
        return procedure(fold) if in_a_hurry else procedure(fold, lambda *how: work.saved.part(number, *how))

    return Trial(
        search,
        coordinates,
        labels,
        rows=work.rows,
        judges=resolve_judges(selector.judge, _validation.check_threads(selector.n_jobs)),
        least=max(int(n_groups.min()), len(work.required)),
        most=int(n_groups.max()),
        n_folds=int(selector.cv),
        n_repeats=None if isinstance(selector.n_repeats, str) else int(selector.n_repeats),
        seconds=_seconds(selector, coordinates.X.shape[0], len(groups), labels),
        tolerance=float(selector.tolerance),
        seed=work.saved.seed,
        searched=work.n_searched,
        search_elsewhere=None if selector.checkpoint is not None else procedure,
        distance=None if selector.class_distance is None else distance_of_losses(selector.class_distance_, labels),
    )


def distance_of_losses(distance, labels):
    """The distance if it is between what judges predict: classes, or of sets the labels; else None."""
    if labels.has_label_sets and not np.array_equal(distance.classes, labels.labels_):
        return None
    return distance


def _seconds(selector, n_rows, n_groups, labels) -> float:
    """What one search takes, very roughly."""
    noise_model = 0.3 + 1e-5 * n_rows * np.sqrt(n_groups) if labels.uses_samples else 0.0
    classes_a_row = float(np.count_nonzero(labels.search_memberships() >= NEGLIGIBLE, axis=1).mean())
    return noise_model + selector._search_seconds(n_rows, n_groups, classes_a_row)


def fold_times(selector, coordinates, labels, n_searched=None, *, forward=False) -> FoldTimes:
    """What the folds to come take, as far as that is known before the search, which begins with so many groups."""
    n_rows, n_groups, cv = coordinates.X.shape[0], len(coordinates.groups), int(selector.cv)
    sizes = judged_sizes(coordinates, 1, min(n_groups, selector._most_to_judge()), n_searched)
    judges = judge_seconds(coordinates, sizes, len(labels.classes_))
    search = _seconds(selector, n_rows, n_groups, labels)
    is_auto = isinstance(selector.n_repeats, str)
    n_repeats = repeats_for(cv, search + judges) if is_auto else int(selector.n_repeats)
    n_repeats = 1 if forward else n_repeats  # folds in time are not repeated
    seen = min(MOST_SEEN, n_rows * (cv - 1) // cv)
    share = _seconds(selector, seen, n_groups, labels) / search if search else seen / n_rows
    few = sum(judge_seconds(coordinates, [sizes[place]]) for place in spread_out(len(sizes))[:_FEW_SIZES])
    return FoldTimes(cv * n_repeats, is_auto and n_repeats > LEAST_REPEATS, share, judges, few, search)


def _give_roles(selector, trial, labels, work):
    groups, p_values = work.columns.groups, selector.pvalues_
    roles = np.full(selector.n_features_in_, NO_EVIDENCE, dtype="U15")
    swaps: dict[int, list[tuple[int, float]]] = {}
    selector.roles_, selector.swaps_ = roles, swaps
    if not selector.evidence_.found:
        if not work.required:
            warnings.warn(
                "no feature predicts the target better than knowing nothing, on rows left out (level "
                f"{selector.alpha:g}): one is kept. Look for other features, or say how many you want with "
                "n_features_to_select.",
                UserWarning,
                stacklevel=4,
            )
        return
    inside = set(selector.path_.subset(selector.evidence_.n_chosen).tolist())
    roles[list(inside)] = NEEDED
    if work.pace.is_over:
        work.pace.cut["roles"] = "it is not known which features can replace which"
        roles[roles != NEEDED] = NOT_KNOWN
        return
    selected = [g for g in selector.path_.group_order().tolist() if groups[g][0] in inside]
    left_out = set(selected) | work.columns.idle()
    found = exchange(
        trial,
        work.columns.coordinates("standard"),
        labels.search_memberships(),
        selected,
        [g for g in range(len(groups)) if g not in left_out],
        np.array([np.nanmin([1.0, *p_values[list(group)]]) for group in groups]),
        alpha=float(selector.alpha),
        seed=work.saved.seed,
        n_threads=_validation.check_threads(selector.n_jobs),
        rows=work.rows,
    )
    for group, its_swaps in found.items():
        for f in groups[group]:
            roles[f] = INTERCHANGEABLE
            swaps[f] = [(groups[swap.needed][0], swap.cost) for swap in its_swaps]


def with_rows(data):
    """The same data, if need be in a form that rows can be taken from."""
    if issparse(data):
        return data.tocsr()
    has_rows = hasattr(data, "__getitem__") and not isinstance(data, memoryview)
    return data if data is None or has_rows else np.asarray(data)
