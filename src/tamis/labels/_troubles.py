"""What may go wrong in EM, in words."""

from __future__ import annotations

import numpy as np

from .._validation._words import a_few, either_way
from ._em import Fitted


def troubles(run: Fitted, names, what, *, blind) -> list[str]:
    """Sentences about what went wrong, with the class named and the way out.

    `what` are the "features" or "probabilities" that the run rests on; `blind` is whether they do not predict the
    labels.
    """
    said = []
    if len(run.trusted):
        mask = np.isin(np.arange(len(names)), run.trusted)
        its, it = either_way(mask, "its", "their"), either_way(mask, "it", "them")
        said.append(
            f"{a_few(names, mask)} would lose nearly all {its} weight in EM, so {its} recorded labels are trusted. "
            f"Merge {it} with another class to have them examined."
        )
    if len(run.lost):
        kept = "the estimate before that is" if len(run.log_likelihood) else "the recorded labels are"
        said.append(
            f"class {names[run.lost[0]]!r} lost nearly all its weight in iteration {len(run.log_likelihood) + 1} "
            f"of EM; {kept} kept. Merge the class with another, use fewer iterations, or labels='hard'."
        )
    elif blind:
        instead = "those of another model" if what == "probabilities" else "other features, or labels='hard'"
        said.append(
            f"the {what} do not predict the recorded labels, so wrong ones cannot be found: all labels are kept, "
            f"and how many are wrong is not known. Use {instead}."
        )
    return said
