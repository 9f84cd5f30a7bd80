"""How things are named in messages."""

from __future__ import annotations

import numpy as np


def either(choices):
    return " or ".join(repr(c) for c in choices)


def named(classes, mask):
    return ", ".join(repr(c) for c in np.asarray(classes)[mask].tolist())


def some(names, most=8):
    shown = ", ".join(repr(n) for n in list(names)[:most])
    return f"[{shown}{', ...' if len(names) > most else ''}]"
