"""Cases of the library's fuzzer: what is asked of each public name, drawn by the number of the case.

    python -m fuzz.estimators 123           shows case 123
    python -m fuzz.estimators 100 200 file  appends the outcomes of cases 100 to 199 to a file, a line each

from the folder tests. Each subject draws its arguments and returns them with a function that uses them.
"""

import json
import resource
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from fuzz import subjects_of_classes, subjects_of_data, subjects_of_labels, subjects_of_samples
from fuzz.drawing import Draw
from fuzz.outcomes import outcome_of

SUBJECTS = [
    *subjects_of_samples.SUBJECTS,
    *subjects_of_labels.SUBJECTS,
    *subjects_of_classes.SUBJECTS,
    *subjects_of_data.SUBJECTS,
]
MOST_MEMORY = 6 << 30


@dataclass
class Case:
    name: str
    notes: list[str]
    inputs: Any
    call: Callable[[], Any]


def build(number, *, threads=1) -> Case:
    """The case of this number, drawn anew."""
    draw = Draw(number, threads)
    weights = np.array([weight for _, weight in SUBJECTS], dtype=float)
    subject = SUBJECTS[draw.rng.choice(len(SUBJECTS), p=weights / weights.sum())][0]
    inputs, call = subject(draw)
    return Case(subject.__name__, draw.notes, inputs, call)


def run(first, last, file):
    """Outcomes of some cases, each written before the next begins: if the process dies, the next one did it."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    with open(file, "a", buffering=1) as out:
        for number in range(first, last):
            out.write(json.dumps([number, *outcome_of(build, number)]) + "\n")


def show(number):
    print(*outcome_of(build, number), sep="\n")
    try:
        print(build(number).call())
    except Exception:
        traceback.print_exc()


if __name__ == "__main__":
    if len(sys.argv) == 2:
        show(int(sys.argv[1]))
    else:
        run(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
