"""Results of tasks: a line of JSON for each, appended as it comes, so that a run can be stopped and resumed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np


class Records:
    """The records of one experiment, and its file."""

    def __init__(self, path: Path):
        self._path = path
        lines = path.read_text().splitlines() if path.exists() else []
        self._all = [record for line in lines if (record := _parsed(line)) is not None]

    def __iter__(self) -> Iterator[dict]:
        return iter(self._all)

    def __len__(self):
        return len(self._all)

    def add(self, record: dict):
        self._path.parent.mkdir(parents=True, exist_ok=True)
        cut = self._path.exists() and not self._path.read_bytes().endswith(b"\n") and self._path.stat().st_size
        with self._path.open("a") as out:
            out.write(("\n" if cut else "") + json.dumps(record) + "\n")
        self._all.append(record)

    def done(self, keys) -> set[tuple]:
        """Values of these fields in every record."""
        return {tuple(record.get(key) for key in keys) for record in self._all}

    def where(self, **equal) -> list[dict]:
        """Records in which all these fields have these values."""
        return [r for r in self._all if all(r.get(name) == value for name, value in equal.items())]

    def values(self, name, **equal) -> dict[int, np.ndarray]:
        """One result of each repetition that has it, as an array; by repetition."""
        found = {r["repetition"]: np.asarray(r[name], dtype=float) for r in self.where(**equal) if name in r}
        return dict(sorted(found.items()))

    def paired(self, name, first: dict, second: dict) -> tuple[np.ndarray, np.ndarray]:
        """One result under two conditions, in the repetitions that both have."""
        one, other = self.values(name, **first), self.values(name, **second)
        shared = [r for r in one if r in other]
        return np.array([one[r] for r in shared]), np.array([other[r] for r in shared])


def _parsed(line):
    """None for a line that was cut by a kill."""
    try:
        return json.loads(line)
    except json.JSONDecodeError:
        return None
