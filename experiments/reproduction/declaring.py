"""What is run, what is claimed, and how a claim is decided."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .records import Records

REPRODUCED, IN_PART, NOT, CANNOT, NOT_RUN = "reproduced", "in part", "not", "cannot be", "not run"

RULE = (
    "Each claim is split into checks, and each check has a rule that can be read below. All checks hold: "
    f"*{REPRODUCED}*; some: *{IN_PART}*; none: *{NOT}*. What cannot be run is *{CANNOT}*, with the reason."
)


@dataclass(frozen=True)
class Task:
    """One run of an experiment, told from the others by its key.

    Attributes
    ----------
    key : mapping from field to value
        Such as data, method and repetition; part of the record.
    seed : int
        All that the run may draw random numbers from.
    seconds : float
        About how long it takes, for the time left.
    """

    key: Mapping[str, str | int | float]
    seed: int
    seconds: float = 1.0


@dataclass(frozen=True)
class Experiment:
    """Tasks, and a function that turns one into numbers.

    Attributes
    ----------
    name : str
        "folder/name": records are in experiments/folder/results/name.jsonl.
    tasks : callable
        `tasks(quick)`: in order of importance. Quick ones are among the others, with the same keys and seeds.
    run : callable
        `run(data, key, seed)`: a dict of numbers, texts and lists of them. A function of a module, since workers
        import it. `data` is the folder of data sets.
    """

    name: str
    tasks: Callable[[bool], Iterable[Task]]
    run: Callable[[Path, Mapping, int], dict]
    needs_data: bool = True


@dataclass(frozen=True)
class Check:
    """A statement that our numbers support or not."""

    says: str
    holds: bool
    ours: str
    printed: str = "no number"


@dataclass(frozen=True)
class Finding:
    """What came out for a table or figure: how often it was run, the main figures, and every check."""

    ran: str
    ours: str
    printed: str
    checks: list[Check]


@dataclass(frozen=True)
class Item:
    """A numbered table or figure.

    Attributes
    ----------
    number : str
        "Table 1", "Fig. 4".
    claim : str
        What the paper says of it, in our words.
    rule : str
        When a check holds; written before the run.
    experiments : tuple of Experiment
    check : callable
        From the records of the experiments (one argument each) to a finding; None where there are no records.
    draw : callable, optional
        From the same records to a matplotlib figure.
    cannot : str
        Why it cannot be reproduced, if so. What stands in for it is still run and shown.
    """

    number: str
    claim: str
    rule: str
    experiments: tuple[Experiment, ...]
    check: Callable[..., Finding | None]
    draw: Callable[..., Figure] | None = None
    cannot: str = ""

    def finding(self, records: Mapping[str, Records]) -> Finding | None:
        return self.check(*(records[e.name] for e in self.experiments))

    def verdict(self, finding: Finding | None) -> str:
        """By `RULE`."""
        if self.cannot:
            return f"{CANNOT}: {self.cannot}"
        if finding is None:
            return NOT_RUN
        held = [check.holds for check in finding.checks]
        return REPRODUCED if all(held) else IN_PART if any(held) else NOT


@dataclass(frozen=True)
class Paper:
    """A paper: its items in the order of its pages."""

    name: str
    title: str
    items: tuple[Item, ...]
    readings: tuple[str, ...] = field(default=())
    """Places where the paper is silent, ambiguous or misprinted, and what was done there."""

    def figure(self, item: Item) -> str:
        """Where the drawing of an item is kept, from the folder of the experiments."""
        return f"{self.name}/figures/{re.sub(r'[^a-z0-9]+', '_', item.number.lower())}.svg"

    def experiments(self) -> list[Experiment]:
        """Without repetition, in the order of the items."""
        return list({e.name: e for item in self.items for e in item.experiments}.values())
