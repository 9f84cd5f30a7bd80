"""Values that JSON has."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

_WHOLE = 10**6
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_MOST_VALUES = 10_000
_PLAIN_LIST = re.compile(r"\[\n\s*([^\[\]{}]*?)\n\s*\]")


def plain(value: Any) -> Any:
    """The same in numbers, text, lists and dictionaries: null for NaN and infinity, {"python": ...} for objects.

    Arrays and columns of more than 10,000 values are not written out, and no addresses of objects.
    """
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if hasattr(value, "__array__"):
        value = np.asarray(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray) and value.size > _MOST_VALUES:
        return {"python": f"<array of shape {value.shape}>"}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [plain(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return [plain(item) for item in sorted(value, key=str)]
    told = value.__repr__(N_CHAR_MAX=_WHOLE) if isinstance(value, BaseEstimator) else repr(value)
    return {"python": _ADDRESS.sub("", told)}


def json_text(summary: Mapping[str, Any], *, ascii_only: bool = True) -> str:
    """JSON for people too: a line for each key, and lists of numbers or names on one."""
    text = json.dumps(summary, indent=1, allow_nan=False, ensure_ascii=ascii_only)
    # In JSON a line break is never part of a text.
    return _PLAIN_LIST.sub(lambda found: "[" + " ".join(map(str.strip, found[1].split("\n"))) + "]", text)
