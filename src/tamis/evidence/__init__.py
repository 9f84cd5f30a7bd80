"""How many features, and how sure: the whole procedure, repeated on rows left out.

    folds      which rows are left out when
    trial      the procedure on each fold, and judges for the subsets it found
    judges     classifiers that score subsets, fitted to memberships
    held_out   their predictions for the rows left out
    curves     losses, errors and the choice of a size
    stability  how much the same features are selected
    roles      needed, interchangeable, no evidence

Nothing that was used to choose is used to judge: scaling, label model and search happen inside the fold.
"""

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
    "exchange",
    "judge_seconds",
    "judged_sizes",
    "repeats_for",
    "resolve_judges",
    "spread_out",
    "stability_of",
]
