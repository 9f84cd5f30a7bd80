"""How many features, and how sure: the whole procedure, repeated on rows left out.

    folds      which rows are left out when
    forward    the same where rows have times
    trial      the procedure on each fold, and judges for the subsets it found
    judges     classifiers that score subsets, fitted to memberships
    spaces     where classes are, if some mistakes are worse than others
    held_out   their predictions for the rows left out
    curves     losses, errors and the choice of a size
    units      means, their standard errors and tests where rows have weights or belong together
    stability  how much the same features are selected
    roles      needed, interchangeable, no evidence
    drift      features that change over time

Nothing that was used to choose is used to judge: scaling, label model and search happen inside the fold.
"""

from .drift import drift_of
from .evidence import Evidence
from .folds import MOST_SEEN, Fold
from .held_out import spread_out
from .judges import resolve_judges
from .roles import INTERCHANGEABLE, NEEDED, NO_EVIDENCE, NOT_KNOWN, Swap, exchange
from .stability import stability_of
from .trial import LEAST_REPEATS, Searched, Trial, judge_seconds, judged_sizes, repeats_for

__all__ = [
    "INTERCHANGEABLE",
    "LEAST_REPEATS",
    "MOST_SEEN",
    "NEEDED",
    "NOT_KNOWN",
    "NO_EVIDENCE",
    "Evidence",
    "Fold",
    "Searched",
    "Swap",
    "Trial",
    "drift_of",
    "exchange",
    "judge_seconds",
    "judged_sizes",
    "repeats_for",
    "resolve_judges",
    "spread_out",
    "stability_of",
]
