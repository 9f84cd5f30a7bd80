"""Features that leave before a search begins, where there are more of them than rows."""

from __future__ import annotations

import numpy as np

from ..estimates.association import p_values_of_features

MOST_SEARCHED = 200


def first_to_leave(columns, labels, required, rows) -> list[int]:
    """Groups that are not searched, the least related to the target first.

    Where there are more groups than rows a joint estimate says little about most of them: searched are the 200 that
    are most related by themselves to the target as the search sees it, cleaned of noise if there is a model of it.
    Other numbers, and levels of a test, are compared in experiments/wide.
    """
    n_groups = len(columns.groups)
    if n_groups <= max(len(labels.memberships_), MOST_SEARCHED):
        return []
    memberships = labels.search_memberships()
    p_values = p_values_of_features(columns, memberships, memberships.any(axis=1), rows=rows)
    of_group = [np.nanmin([1.0, *p_values[list(group)]]) for group in columns.groups]
    order = sorted((g for g in range(n_groups) if g not in required), key=lambda g: (-of_group[g], -g))
    return order[: n_groups - max(len(required) + 1, MOST_SEARCHED)]
