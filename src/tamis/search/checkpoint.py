"""Long work that survives: what a search has done so far, in a file that is replaced whole."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import time
import warnings
from pathlib import Path

import numpy as np
from scipy.sparse import issparse

from .. import _validation

FORMAT = "tamis.checkpoint/4"
_SECONDS = 0.5
_NAME = 25  # characters, of up to four bytes each


class Checkpoint:
    """Records of a search, written as they come and read again if the search was interrupted.

    A record is as `SavedSteps` says; floats come back bit by bit. The file has a checksum; what was not written here
    for the same search is refused. It is replaced whole, at most twice a second and at the end, so that whatever
    happens it holds all records up to some moment. A disk that is full ends the writing, with a warning, and not the
    search.

    Parameters
    ----------
    file : path, or None for nothing to be written
    settings : dict
        Parameters by name; a file of others is refused.
    data : sequence of arrays
        Likewise.
    seed : int
        Of this search; that of the file, if there is one, takes its place unless `random_state` is a setting.
    search : SavedSteps
        What the records look like.
    """

    def __init__(self, file, settings, data, seed, search: _validation.SavedSteps):
        self._file = None if file is None else _validation.check_path("checkpoint", file)
        self.seed, self.records, self._parts = seed, [], {}
        if self._file is None:
            return
        _validation.check_folder_of("checkpoint", self._file)
        named = {name: repr(value) for name, value in sorted(settings.items())}
        self._identity = {"settings": named, "data": _hash(data)}
        if self._file.exists():
            known = _validation.check_checkpoint(self._file, FORMAT, {**self._identity, "seed": seed})
            _validation.check_records(self._file, known["records"], search)
            self.seed, self.records, self._parts = known["seed"], known["records"], known["parts"]
        self._saved, self._fails = time.monotonic(), False

    def part(self, number, seed, search: _validation.SavedSteps) -> CheckpointPart:
        """The records of another search that belongs to this one: on some of the rows, say."""
        records = self._parts.setdefault(str(number), [])
        _validation.check_records(self._file, records, search)
        return CheckpointPart(self, seed, records)

    def add(self, record):
        self.add_to(self.records, record)

    def add_to(self, records, record):
        if self._file is None:
            return
        records.append(record)
        if time.monotonic() - self._saved >= _SECONDS:
            self.save()

    def save(self):
        """Write all records, unless this has failed before."""
        if self._file is None or self._fails:
            return
        content = {"format": FORMAT, **self._identity, "seed": self.seed, "records": self.records, "parts": self._parts}
        content["sha256"] = _validation.digest(content)
        try:
            replace_file(self._file, json.dumps(content).encode())
        except OSError as error:
            self._fails = True
            warnings.warn(
                f"the checkpoint {self._file} cannot be written ({error.strerror}); the search goes on without it. "
                "Make room, and start again with it before you stop this one.",
                UserWarning,
                stacklevel=3,
            )
        self._saved = time.monotonic()


class CheckpointPart:
    """Records of a search that belongs to another one, in the file of that one."""

    def __init__(self, whole: Checkpoint, seed, records):
        self._whole, self.seed, self.records = whole, seed, records

    def add(self, record):
        self._whole.add_to(self.records, record)

    def save(self):
        self._whole.save()


class Unsaved:
    """Records of a search that nobody keeps."""

    def __init__(self, seed, search):
        self.seed, self.records = seed, []

    def add(self, record):
        """Nowhere to."""

    def save(self):
        """Nowhere to."""


def replace_file(file: Path, content: bytes):
    """Write a file so that at any moment the old one or the new one is there, whole."""
    part = hidden_beside(file, f"{secrets.token_hex(4)}.part")
    try:
        with part.open("wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)


def hidden_beside(path: Path, mark: str) -> Path:
    """A hidden name beside a path; its own name is cut, as names of most systems have at most 255 bytes."""
    return path.with_name(f".{path.name[:_NAME]}.{mark}")


def _hash(arrays) -> str:
    digest = hashlib.sha256()
    for array in arrays:
        if issparse(array):
            digest.update(_hash([array.data, array.indices, array.indptr]).encode())
            continue
        array = np.ascontiguousarray(array)
        digest.update(f"{array.dtype.str}{array.shape}".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()
