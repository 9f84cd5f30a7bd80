"""How things are named in messages."""

from __future__ import annotations

import numpy as np


def either(choices):
    return " or ".join(repr(c) for c in choices)


def named(classes, mask):
    return ", ".join(repr(c) for c in np.asarray(classes)[mask].tolist())


def a_few(classes, mask, most=10):
    """The classes of a mask as the subject of a sentence: "class 'a'", "classes 'a', 'b'"; of many, the first ones."""
    names = np.asarray(classes)[mask].tolist()
    shown = ", ".join(_short(repr(name)) for name in names[:most])
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return f"{'class' if len(names) == 1 else 'classes'} {shown}{more}"


def _short(text, most=80):
    return text if len(text) <= most else f"{text[: most - 4]}...{text[-1]}"


def either_way(mask, one, several):
    """Words that agree with the number of classes in a mask."""
    return one if np.count_nonzero(mask) == 1 else several


def some(names, most=8):
    shown = ", ".join(repr(n) for n in list(names)[:most])
    return f"[{shown}{', ...' if len(names) > most else ''}]"
