"""How a case may end: with a finite answer that comes again, or with a sentence. Everything else is bad."""

import dataclasses
import hashlib
import linecache
import os
import tempfile
import traceback
import warnings
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import sklearn
from scipy import sparse
from sklearn.base import BaseEstimator

import tamis

OURS = tuple(str(Path(package.__file__).parent) for package in (tamis, sklearn))
REFUSALS = (ValueError, TypeError, ImportError, FileExistsError, FileNotFoundError, NotImplementedError)
MAY_BE_NAN = (
    "noise_rate_",
    "scores_",
    "].score",
    "gains",
    "pvalues_",
    "adds",
    "to_frame",
    "missing_.pvalues",
    "drift_",
    "transformed",
)
"""Where the documentation says what NaN stands for."""
MAY_BE_INFINITE = (
    *("scores", "gains", "adds", "entropy", "score", "information", "to_frame"),
    *("log_density", ".noise", ".noise_kept", ".bound"),
)


def leaves(value, at=""):
    """(place, value as bytes or text) of everything inside, in an order of its own."""
    if isinstance(value, np.ma.MaskedArray):
        yield from leaves(value.filled(), at)
        yield from leaves(np.ma.getmaskarray(value), f"{at}.mask")
    elif isinstance(value, np.ndarray):
        if value.dtype.hasobject:
            yield from leaves(value.tolist(), at)
        elif value.dtype == np.longdouble:  # has bytes that mean nothing
            yield from leaves(value.astype(float), at)
        else:
            yield at, (value.dtype.str, value.shape, value.tobytes())
    elif sparse.issparse(value):
        value = value.tocoo()
        yield from leaves([value.data, *value.coords], at)
    elif hasattr(value, "columns") and hasattr(value, "to_numpy"):
        for place, name in enumerate(value.columns):
            column = value.iloc[:, place] if hasattr(value, "iloc") else value[name]
            yield from leaves(np.asarray(column), f"{at}.{name}")
    elif isinstance(value, BaseEstimator):
        fitted = {name: v for name, v in vars(value).items() if name.endswith("_") and not name.startswith("_")}
        yield from leaves(fitted, at)
    elif isinstance(value, Mapping):
        for key in sorted(value, key=repr):
            yield from leaves(value[key], f"{at}.{key}")
    elif dataclasses.is_dataclass(value) or type(value).__module__.startswith("tamis"):
        inside = value._asdict() if hasattr(value, "_asdict") else getattr(value, "__dict__", {})
        yield from leaves({k: v for k, v in inside.items() if not k.startswith("_")}, at)
    elif isinstance(value, (set, frozenset)):
        yield at, sorted(map(repr, value))
    elif isinstance(value, (list, tuple)):
        for place, inside in enumerate(value):
            yield from leaves(inside, f"{at}[{place}]" if len(value) < 10 else at + "[]")
        yield at, len(value)
    elif isinstance(value, memoryview):
        yield at, value.tobytes()
    elif isinstance(value, (str, bytes, int, float, complex, np.generic, type(None), Path)):
        yield at, repr(value)
    elif hasattr(value, "to_numpy"):
        yield from leaves(np.asarray(value.to_numpy()), at)
    else:
        yield at, type(value).__name__


def prints(value):
    """A fingerprint of each place."""
    found: dict = {}
    for place, content in leaves(value):
        found.setdefault(place, hashlib.sha256()).update(repr(content).encode())
    return {place: digest.hexdigest() for place, digest in found.items()}


def _numbers(value):
    for place, content in leaves(value):
        if isinstance(content, tuple) and np.dtype(content[0]).kind in "fc":
            yield place, np.frombuffer(content[2], dtype=content[0])
        elif isinstance(content, str) and content.strip("-") in ("nan", "inf", "np.float64(nan)", "np.float64(inf)"):
            yield place, np.array([float(content.removeprefix("np.float64(").removesuffix(")"))])


def not_finite(answer):
    """The first place with a number that is none, where nothing says that there may be one."""
    for place, numbers in _numbers(answer):
        if np.isnan(numbers).any() and not any(name in place for name in MAY_BE_NAN):
            return f"NaN in {place}"
        if np.isinf(numbers).any() and not any(name in place for name in MAY_BE_INFINITE):
            return f"infinity in {place}"
    return None


def raised_on_purpose(error):
    """Whether it is a sentence of ours or of scikit-learn's: from a line that says `raise`, not from inside numpy."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    line = linecache.getline(frame.filename, frame.lineno).strip()
    return frame.filename.startswith(OURS) and line.startswith("raise") and len(str(error).split()) >= 3


def told(error):
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename.startswith(OURS[0])]
    where = f" at {Path(frames[-1].filename).relative_to(OURS[0])}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}{where}"


def outcome_of(build, number):
    """("answered" | "refused" | "bad", what was drawn, what happened) of a case."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with np.errstate(all="ignore"):
            first, second = build(number, threads=1), build(number, threads=2)
    said = ", ".join([first.name, *first.notes])
    before = prints(first.inputs)
    one = _attempt(first.call)
    if prints(first.inputs) != before:
        return "bad", said, "an input was changed"
    if one[0] == "bad":
        return one[0], said, one[1]
    other = _attempt(second.call)
    if one[0] != other[0]:
        return "bad", said, f"{one[0]} first ({one[1]}), then {other[0]} ({other[1]})"
    if one[0] == "answered":
        answers = prints(one[1]), prints(other[1])
        if answers[0] != answers[1]:
            places = [p for p in {**answers[0], **answers[1]} if answers[0].get(p) != answers[1].get(p)]
            return "bad", said, f"another answer the second time: {places[:3]}"
        return "answered", said, ""
    return one[0], said, one[1]


def _attempt(call):
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        os.chdir(folder)
        try:
            answer = call()
        except REFUSALS as error:
            outcome = ("refused" if raised_on_purpose(error) else "bad", told(error))
        except Exception as error:
            outcome = "bad", told(error)
        else:
            wrong = not_finite(answer)
            outcome = ("bad", wrong) if wrong else ("answered", answer)
        finally:
            os.chdir(here)
    loud = [w for w in caught if not issubclass(w.category, UserWarning)]
    if loud and outcome[0] != "bad":
        w = loud[0]
        return "bad", f"{w.category.__name__}: {str(w.message)[:150]} at {w.filename}:{w.lineno}"
    return outcome
