"""What all selectors share."""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import check_is_fitted, validate_data

from .. import _validation
from ..distances.classes import resolve_class_distance
from ..distances.columns import Columns
from ..distances.likeness import MOST_COMPARED, n_comparable, staircase
from ..distances.scaling import has_gaps
from ..evidence import drift_of
from ..labels import NoLabels, fit_labels, fresh_labels, label_kind
from ..relevance import NO_ROWS, criterion_for, criterion_kind
from ..search import Checkpoint, Pace, Path
from ._dask import is_dask
from ._gaps import missing_values
from ._how_many import MOST_FOLDS, check_settings, fold_times
from ._progress import CallbackSupportMixin, Progress, Silence

MISSING = ("use", "indicator", "error")


class BaseSelector(CallbackSupportMixin, SelectorMixin, BaseEstimator):
    """Columns, labels, required features, the size and tags. A selector sets `path_`, and calls `_choose`."""

    path_: Path
    missing = "use"
    """How values that are missing are taken; a parameter where there is a choice."""

    def _read(self, X, rows=NO_ROWS, **how) -> Columns:
        """The features of a table, with the categories among them and the groups that they form."""
        _validation.check_choice("missing", self.missing, MISSING)
        how["missing"] = self.missing != "error"
        names = list(X.columns) if hasattr(X, "columns") and hasattr(X, "dtypes") else None
        asked = self.categorical_features
        for earlier in [name for name in vars(self) if name.endswith("_")]:  # an interrupted fit is none
            delattr(self, earlier)
        categorical = np.zeros(1, dtype=bool)
        if asked is not None and (names is not None or not (isinstance(asked, str) and asked == "from_dtype")):
            X = _validation.check_table(X)
            categorical = _validation.check_categorical(asked, X, names)
        if categorical.any():
            values, n_categories = self._mixed(X, categorical, how), [len(c) for c in self._categories]
        else:
            values = _validation.check_numbers("X", X, estimator=self, order="C", **how)
            n_categories = [0] * values.shape[1]
        self._gaps = np.isnan(values) if has_gaps(values) else None
        indicators: tuple[int, ...] = ()
        if self.missing == "indicator" and self._gaps is not None:
            some = self._gaps.any(axis=0) & ~self._gaps.all(axis=0)
            indicators = tuple(np.flatnonzero(some).tolist())
        for f, categories in getattr(self, "categories_", {}).items():
            if categories[-1] is None:
                self._gaps = np.zeros(values.shape, dtype=bool) if self._gaps is None else self._gaps
                self._gaps[:, f] = values[:, f] == len(categories) - 1
        return Columns(values, tuple(n_categories), self._groups(), indicators, rows.weight)

    def _mixed(self, X, categorical, how):
        """Numbers as they are, categories as 0, 1, ... in their sorted order."""
        validate_data(self, X, skip_check_array=True)
        names = self._names()
        values = np.empty(X.shape)
        numbers = np.flatnonzero(~categorical)
        if len(numbers):
            values[:, numbers] = _validation.check_numbers("X", _safe_indexing(X, numbers, axis=1), **how)
        self.categories_ = {}
        for f in np.flatnonzero(categorical).tolist():
            found = _validation.check_categories(X, f, names[f], missing=how["missing"])
            self.categories_[f], values[:, f] = found
        self._categories = [self.categories_.get(f, ()) for f in range(X.shape[1])]
        return values

    def _groups(self):
        return _validation.check_groups(
            self.feature_groups, self.n_features_in_, getattr(self, "feature_names_in_", None)
        )

    def _names(self):
        return getattr(self, "feature_names_in_", np.arange(self.n_features_in_)).tolist()

    def _fresh_labels(self):
        """A label model; it gets this selector's seed and threads unless it has its own."""
        labels = fresh_labels(self.labels, random_state=self.random_state, n_jobs=self.n_jobs)
        return labels.suited(self._use_of_labels())

    def _use_of_labels(self) -> str:
        """How labels are used where a row has a set of them: as "sets", as one of the "classes", or in "counts"."""
        return "sets" if self._asked_criterion().uses_label_sets else "classes"

    def _asked_criterion(self, **how):
        has_sets = getattr(label_kind(self.labels), "has_label_sets", False)
        how = {"n_labels": None if has_sets else 0} | how
        return criterion_for(self.criterion, class_distance=self.class_distance, **how)

    def _criterion_for(self, labels, part=None):
        """The criterion for a label model that was fitted; the selector gets `class_distance_` if there is one."""
        how = {"n_labels": len(labels.labels_)} if labels.has_label_sets else {}
        criterion = self._asked_criterion(n_neighbors=getattr(labels, "n_neighbors_", None), **how)
        self.criterion_ = criterion
        given = criterion.get_params(deep=False).get("class_distance") if criterion.takes_class_distance else None
        if given is not None:
            names = labels.labels_ if labels.has_label_sets else labels.classes_
            extra = "error" if part is None else "drop"  # folds in time may lack classes
            self.class_distance_ = resolve_class_distance(given, names, extra=extra)
            self.criterion_ = clone(criterion).set_params(class_distance=self.class_distance_)
        return self.criterion_

    def _uses_labels(self) -> bool:
        return getattr(criterion_kind(self.criterion), "uses_labels", True)

    def _fitted_labels(self, X, y, memberships, rows=NO_ROWS):
        """What is known of the target; nothing if there is no use for it."""
        labels = self._fresh_labels() if self._uses_labels() else NoLabels()
        fit_labels(labels, X, y, memberships, rows)
        _validation.check_label_model(labels, X.shape[0])
        if self._uses_labels():
            self.classes_ = labels.classes_
        return labels

    def _wanted(self, groups) -> tuple[int | None, frozenset[int]]:
        """How many features, None if held-out rows decide; and which groups are required."""
        _validation.check_verbose(self.verbose)
        check_settings(self)
        for earlier in (
            "evidence_",
            "roles_",
            "swaps_",
            "pvalues_",
            "correlated_",
            "n_compared_",
            "missing_",
            "drift_",
        ):
            self.__dict__.pop(earlier, None)
        n_selected = _validation.check_n_features_to_select(self.n_features_to_select, self.n_features_in_)
        names = getattr(self, "feature_names_in_", None)
        required = _validation.check_features("required_features", self.required_features, self.n_features_in_, names)
        if n_selected is not None and len(required) > n_selected:
            raise ValueError(
                f"required_features must not be more than n_features_to_select, which asks for {n_selected}; got "
                f"{len(required)}. Ask for more features or require fewer."
            )
        _validation.check_unsplit(required.tolist(), groups, self._names())
        return n_selected, frozenset(g for g, group in enumerate(groups) if group[0] in required)

    def _seed(self) -> int:
        return int(_validation.check_seed(self.random_state).randint(np.iinfo(np.int32).max))

    def _pace(self) -> Pace:
        """Of a fit that begins now."""
        max_time = _validation.check_max_time(self.max_time)
        return Pace(max_time, is_shown=_validation.check_verbose(self.verbose))

    def _begin(self, pace, plan, coordinates, labels, rows, n_searched=None):
        """A search by this plan begins; it may be followed by folds."""
        if isinstance(pace, Pace):
            auto, forward = isinstance(self.n_features_to_select, str), rows.time is not None
            times = fold_times(self, coordinates, labels, n_searched, forward=forward) if auto else None
            pace.begin_search(plan, times)

    def _progress(self, n_steps, part, pace, n_rows=None) -> Progress | Silence:
        """Of a fit that begins with a search of so many steps; nothing is told of one that is part of another."""
        if part is not None:
            return Silence()
        about, n_threads = None, _validation.check_threads(self.n_jobs)
        if _validation.check_verbose(self.verbose):
            threads = "1 thread" if n_threads == 1 else f"{n_threads} threads"
            about = "" if n_rows is None else f"{n_rows:,} rows, {self.n_features_in_:,} features, {threads}"
        folds = MOST_FOLDS if isinstance(self.n_features_to_select, str) else 0
        return Progress(self, n_steps, folds, pace=pace, about=about)

    def _end(self, progress, pace):
        self.limited_ = pace.limited()
        progress.close()

    def _checkpoint(self, kind, X, memberships, groups, required, rows, *, part=None, **search) -> Checkpoint:
        """Where a search of this kind is written to as it goes; what its result depends on tells it from others.

        Of a search that is `part` of another one, in the file of that one.
        """
        saved = _validation.SavedSteps(kind, len(groups), required, memberships.shape[1], **search)
        if part is not None:
            return part(self._seed(), saved)
        settings = self.get_params()
        for name in [
            name for name in settings if name.split("__")[-1] in ("n_jobs", "verbose", "checkpoint", "max_time")
        ]:
            del settings[name]
        if not isinstance(self.random_state, (int, np.integer)):
            del settings["random_state"]
        data = [X, memberships, np.array(sorted(required)), *(np.array(group) for group in groups)]
        if not rows.is_nothing:
            data += [np.empty(0) if part is None else part for part in rows.parts()]
        return Checkpoint(self.checkpoint, settings, data, self._seed(), saved)

    def _labels_to_predict(self, labels, columns, y, memberships, rows=NO_ROWS):
        """The label model of a search; one of its own where the criterion has no use for labels."""
        if not isinstance(labels, NoLabels):
            return labels
        if y is None and memberships is None:
            raise ValueError(
                "n_features_to_select='auto' needs a target to predict, and there is none. Give y, or say how many "
                "features you want."
            )
        return fit_labels(self._fresh_labels(), columns.coordinates().X, y, memberships, rows)

    def _n_to_search(self, n_required) -> int:
        """The number of features that a search is asked for, if it is to go as far as it can."""
        return max(1, n_required)

    def _most_to_judge(self) -> int:
        """The largest number of groups that a search may be asked for."""
        return self.n_features_in_

    def _choose(self, n_selected):
        """Fitted attributes from the path, for the largest subset of at most so many features."""
        path, sizes = self.path_, self.path_.sizes
        few = sizes[sizes <= n_selected]
        self.n_features_ = int(few.max() if len(few) else sizes.min())
        self.support_ = np.isin(np.arange(self.n_features_in_), path.subset(self.n_features_))
        self.scores_ = path.gains()
        # Of those that left, the last is the first to join again; those that never moved are last.
        moves = [list(path.members(step.feature)) for step in path.steps if step.feature is not None]
        waiting = [m for m in (moves[::-1] if path.shrinks else moves) if not self.support_[m].any()]
        self.ranking_ = np.where(self.support_, 1, 2 + len(waiting))
        for rank, features in enumerate(waiting, start=2):
            self.ranking_[features] = rank

    def _describe(self, work):
        """What is missing, what belongs together, and what changed over time."""
        rows, labels = work.rows, None if isinstance(work.labels, NoLabels) else work.labels
        self.missing_ = missing_values(self._gaps, labels, rows, self.support_)
        self.weighted_, self.n_groups_ = rows.weight is not None, None
        if rows.group is not None:
            self.n_groups_ = int(rows.group.max()) + 1
        if rows.time is not None:
            self.drift_ = drift_of(work.columns.values, work.columns.n_categories, rows)
        del self._gaps

    def _compare(self, table: Columns, pace, *, most=MOST_COMPARED):
        """Which features are most correlated with which, in the subsets of the path; if there is time."""
        if pace.is_over:
            self.n_compared_, self.correlated_ = 0, None
            pace.cut["correlations"] = "it is not known which features are correlated"
            return
        order = self.path_.lasting()
        self.n_compared_ = n_comparable(table.values, table.n_categories, order, most=most)
        self.correlated_ = None
        if self.n_compared_:
            compared = table.values, table.n_categories, order, self.n_compared_
            self.correlated_ = staircase(*compared, weight=table.weight)

    def transform(self, X):
        """The selected columns of X; lazily so for a dask array."""
        if is_dask(X):
            return X[:, np.flatnonzero(self._get_support_mask())]
        _validation.check_unmasked("X", X)
        try:
            with np.errstate(over="ignore", invalid="ignore"):  # scikit-learn looks for infinity by a sum
                return super().transform(X)
        except TypeError as error:  # of pandas, whose missing values are neither true nor false
            raise TypeError(_validation.explained("X", X, error) or str(error)) from error

    def _get_support_mask(self):
        check_is_fitted(self, "support_")
        return self.support_

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing != "error"
        tags.target_tags.required = self._uses_labels()
        tags.target_tags.two_d_labels = not getattr(label_kind(self.labels), "one_class_a_row", False)
        return tags
