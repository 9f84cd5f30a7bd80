"""How many cases the fuzzers tried, and how they ended."""

import os
from collections import Counter

OUTCOMES = ("answered", "refused", "bad")
_counts: Counter = Counter()


def cases(default: int, share: float = 1.0) -> int:
    """How many cases a test tries: its default, or a share of TAMIS_FUZZ if that is set."""
    wanted = os.environ.get("TAMIS_FUZZ")
    return max(1, round(share * int(wanted))) if wanted else default


def add(name: str, outcome: str, times: int = 1) -> None:
    """Count a case of a fuzzer: it was answered, refused with a sentence, or neither."""
    assert outcome in OUTCOMES, outcome
    _counts[name, outcome] += times


def taken() -> list[tuple[str, str, int]]:
    """The counts since the last call, as they travel from the processes of pytest-xdist."""
    rows = [(*key, times) for key, times in _counts.items()]
    _counts.clear()
    return rows


def lines() -> list[str]:
    """A line for each fuzzer."""
    return [
        f"fuzz {name}: {sum(_counts[name, outcome] for outcome in OUTCOMES):,} tried, "
        + ", ".join(f"{_counts[name, outcome]:,} {outcome}" for outcome in OUTCOMES)
        for name in dict.fromkeys(name for name, _ in _counts)
    ]
