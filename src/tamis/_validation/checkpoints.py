"""Files of interrupted work."""

from __future__ import annotations

import hashlib
import json
import math
import os
import stat
from pathlib import Path
from typing import NamedTuple

_CONTENT = ["format", "settings", "data", "seed", "records", "parts"]
_FAMILY = "tamis.checkpoint/"


class SavedSteps(NamedTuple):
    """What the records of a search look like.

    A record is a step, [feature, score, noise rates, adds, alone], for a blanket [step, companions, raw
    delta]; the first ones of a ranking are scores of so many features each (`batches`). In each pass of a backward
    search so many features leave (`passes`). Features are groups if there are groups.
    """

    kind: str  # "backward", "forward", "ranking" or "blanket"
    n_features: int
    required: frozenset[int]
    n_classes: int
    batches: tuple[int, ...] = ()
    passes: tuple[int, ...] = ()

    @property
    def shrinks(self) -> bool:
        return self.kind in ("backward", "blanket")


def check_path(name, path) -> Path:
    """A path, from text or a path."""
    if not isinstance(path, (str, os.PathLike)) or "\x00" in os.fsdecode(path):
        raise ValueError(f"{name} must be a path, such as 'folder/file'; got {path!r}.")
    return Path(os.fsdecode(path))


def check_folder_of(name, file):
    """A file that is there, or that can be made: the system takes its name, and its folder can be written to."""
    way_out = "Choose another place."
    try:
        path = Path(file)
        found = _status(path)
        if found is None and not path.parent.is_dir():
            why, way_out = "there is no such folder", "Make the folder first."
        elif found is not None and not stat.S_ISREG(found.st_mode):
            why = "it is no file"
        elif not os.access(path.parent, os.W_OK | os.X_OK):
            why = "its folder is read-only"
        else:
            return
    except (OSError, TypeError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
    raise ValueError(f"{name} must be a file in a folder that is there; got {str(file)!r} ({why}). {way_out}")


def check_checkpoint(file, form, identity) -> dict:
    """The content of a checkpoint that was written, whole, for the same settings and data."""
    try:
        content = json.loads(file.read_bytes())
        given = content.pop("sha256", None)
        older = content.get("format") != form and str(content.get("format")).startswith(_FAMILY)
        whole = list(content) == _CONTENT and isinstance(content["parts"], dict)
        known = older or (whole and content["format"] == form and given == digest(content))
    except OSError as error:
        raise ValueError(f"checkpoint must be a readable file; {file} is not ({error.strerror}).") from error
    except (ValueError, AttributeError, TypeError, RecursionError):
        known = older = False
    if not known or older:
        why = f"is of {content['format']}, not of {form}" if older else "is not, or was changed"
        raise ValueError(
            f"checkpoint must be a whole file of this version of tamis; {file} {why}. Remove it to start anew."
        )
    _check_identity(file, content, identity)
    return content


def digest(content) -> str:
    """The checksum of a content, as JSON has it."""
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()


def check_records(file, records, search: SavedSteps):
    """Records are those of such a search, in an order that it can have taken."""
    wrong = _first_wrong(records, search) if isinstance(records, list) else 0
    if wrong is not None:
        raise ValueError(
            f"checkpoint must hold the steps of this search; record {wrong + 1} of {file} is none of them. Remove it "
            "to start anew."
        )


def _check_identity(file, content, identity):
    given, now = content["settings"], identity["settings"]
    given = given if isinstance(given, dict) else {}
    other = next((name for name in sorted({*given, *now}) if given.get(name) != now.get(name)), None)
    if other is not None:
        raise ValueError(
            f"checkpoint must have been written with the same settings; {file} was with {other}={given.get(other)}, "
            f"now it is {now.get(other)}. Use the settings of then, or another file."
        )
    if content["data"] != identity["data"]:
        raise ValueError(
            f"checkpoint must have been written for the same data; {file} was for others. Use another file; with "
            "labels that are estimated, give a random_state."
        )
    seed = content["seed"]
    if type(seed) is not int or not 0 <= seed < 2**31 or ("random_state" in now and seed != identity["seed"]):
        raise ValueError(f"checkpoint must hold the seed of this search; {file} does not. Remove it to start anew.")


def _first_wrong(records, search) -> int | None:
    """The place of the first record that is no step, or one that cannot follow those before it."""
    scored, replay = len(search.batches), _Replay(search)
    for place, record in enumerate(records):
        fits = _are_scores(record, search.batches[place]) if place < scored else replay.takes(record)
        if not fits:
            return place
    return None


class _Replay:
    """The features that are left as the steps of a search are read, and those that can still move."""

    def __init__(self, search: SavedSteps):
        self._search = search
        self._rated: bool | None = None
        self._left = set(range(search.n_features))
        self._free = self._left - (set() if search.kind == "ranking" else search.required)
        self._least = max(1, len(search.required)) if search.shrinks else 0
        self._starts = search.shrinks or (search.kind == "forward" and bool(search.required))
        # Of each step after the first: whether it begins its pass, whether it ends it.
        self._edges = [(place == 0, place == n - 1) for n in search.passes for place in range(n)]

    def takes(self, record) -> bool:
        against: list = []
        if self._search.kind == "blanket":
            if not (_is_list(record, 3) and _are_numbers([record[2]])):
                return False
            record, against, _ = record
        if not (_is_list(record, 5) and _are_numbers([record[1]])):
            return False
        feature, score, rates, adds, alone = record
        n_before, begins, ends = len(self._left), True, True
        if feature is not None and self._edges:
            begins, ends = self._edges.pop(0)
        return (
            self._moves(feature)
            and self._has_rates(rates)
            and (adds is None or (self._search.shrinks and begins and _are_numbers(adds, n_before)))
            and (alone is None if begins and ends else _are_numbers([alone]))
            and (ends or math.isnan(score))
            and self._are_left(against)
            and len(self._left) >= self._least
        )

    def _moves(self, feature) -> bool:
        starts, self._starts = self._starts, False
        if starts or type(feature) is not int or feature not in self._free:
            return starts and feature is None
        self._free.remove(feature)
        self._left.remove(feature)
        return True

    def _has_rates(self, rates) -> bool:
        """One per class in every step of a greedy search, or none in any."""
        if self._rated is None:
            self._rated = rates is not None and self._search.kind in ("backward", "forward")
        return _are_numbers(rates, self._search.n_classes) if self._rated else rates is None

    def _are_left(self, against) -> bool:
        return (
            isinstance(against, list)
            and all(type(f) is int and f in self._left for f in against)
            and len(set(against)) == len(against)
        )


def _is_list(value, length) -> bool:
    return isinstance(value, list) and len(value) == length


def _are_numbers(values, length=1) -> bool:
    return _is_list(values, length) and all(type(value) is float for value in values)


def _are_scores(rows, length) -> bool:
    """A score and its tie-break for each feature."""
    return _is_list(rows, length) and all(_are_numbers(row, 2) and max(row) < math.inf for row in rows)


def _status(path):
    try:
        return os.stat(path)
    except FileNotFoundError:
        return None
