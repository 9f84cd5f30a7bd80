"""Distances between classes: matrices, paths, trees, and what is measured with them."""

from __future__ import annotations

import difflib
from collections.abc import Mapping

import numpy as np

from ._words import some
from .cells import check_numbers, is_missing
from .parameters import check_choice, check_length, check_list, check_positive

TOLERANCE = 1e-9
"""Distances that differ by this factor are equal."""


def check_class_names(classes, size=None) -> np.ndarray:
    """Names of classes, none of them twice."""
    if isinstance(classes, str) or not np.iterable(classes):
        raise ValueError(f"classes must be a list of names; got {classes!r}.")
    given = [c.item() if isinstance(c, np.generic) else c for c in classes]
    odd = [c for c in given if not is_name(c)]
    if odd:
        raise ValueError(f"classes must be a list of names; got {odd[0]!r} among them.")
    if size is not None:
        check_length("classes", given, size, "one per row of class_distance")
    if len(given) < 2:
        raise ValueError(f"classes must name at least two classes; got {given}.")
    twice = [c for c in given if given.count(c) > 1] if len(set(given)) < len(given) else []
    if twice:
        raise ValueError(f"classes must name each class once; {twice[0]!r} comes {given.count(twice[0])} times.")
    if len({type(c) for c in given}) == 1 and isinstance(given[0], (str, int, float)):
        return np.array(given)
    names = np.empty(len(given), dtype=object)  # mixed types would all become text in a plain array
    for s, name in enumerate(given):
        names[s] = name
    return names


def is_name(value) -> bool:
    """Whether it can be looked up: it has a hash, and is equal to itself, unlike NaN."""
    try:
        hash(value)
    except TypeError:
        return False
    return not is_missing(value) or value is None


def check_class_matrix(matrix, classes=None) -> tuple[np.ndarray, np.ndarray | None]:
    """Distances that are symmetric and zero only on the diagonal, and the names of the classes if there are any.

    A table gives the names unless its columns are only numbered.
    """
    D = check_numbers("class_distance", matrix, ensure_min_features=0)
    names = _names_of_square("class_distance", matrix, D, classes)
    return _check_entries(D, np.arange(len(D)) if names is None else names), names


def check_confusions(confusions, classes=None) -> tuple[np.ndarray, np.ndarray | None]:
    """Counts or rates with a row per true class and a column per predicted one, and the names of the classes."""
    C = check_numbers("confusions", confusions, ensure_min_features=0)
    names = _names_of_square("confusions", confusions, C, classes)
    if (C < 0).any():
        i, j = np.argwhere(C < 0)[0]
        shown = np.arange(len(C)) if names is None else names
        raise ValueError(
            f"confusions must not be negative; {_name(shown, i)} predicted as {_name(shown, j)} has {C[i, j]:g}. Pass "
            "counts or rates: confusion_matrix(y, predicted) of scikit-learn."
        )
    return C, names


def _names_of_square(name, given, matrix, classes):
    """Names of the classes of a square table: `classes`, else its header unless that only has numbers; or None."""
    header = list(getattr(given, "columns", []))
    rows = list(given.index) if header and hasattr(given, "index") else header
    n_rows, n_columns = matrix.shape
    if n_rows != n_columns or n_rows < 2:
        raise ValueError(f"{name} must have a row and a column per class, at least two; got {matrix.shape}.")
    if classes is None and header and header != list(range(n_rows)):
        if rows not in (header, list(range(n_rows))):
            raise ValueError(
                f"{name} must have the same names for rows and columns, in the same order; got {some(rows)} and "
                f"{some(header)}."
            )
        classes = header
    return None if classes is None else check_class_names(classes, n_rows)


def _check_entries(D, names):
    wrong = np.argwhere(np.abs(D / 2 - D.T / 2) > TOLERANCE * np.maximum(np.abs(D), np.abs(D.T)) / 2)
    if len(wrong):
        i, j = wrong[0]
        raise ValueError(
            f"class_distance must be symmetric; from {_name(names, i)} to {_name(names, j)} it is {D[i, j]:g}, back "
            f"{D[j, i]:g}. Take their mean: (D + D.T) / 2."
        )
    own = np.abs(D.diagonal())
    if own.max() > TOLERANCE * np.abs(D).max():
        i = own.argmax()
        raise ValueError(
            f"class_distance must be zero on the diagonal; from {_name(names, i)} to itself it is {D[i, i]:g}. Pass "
            "distances, not similarities."
        )
    D = D / 2 + D.T / 2
    np.fill_diagonal(D, 0.0)
    wrong = np.argwhere((D <= 0) & ~np.eye(len(D), dtype=bool))
    if len(wrong):
        i, j = wrong[0]
        raise ValueError(
            f"class_distance must be positive off the diagonal; between {_name(names, i)} and {_name(names, j)} it is "
            f"{D[i, j]:g}. Classes that need not be told apart are one class: merge them."
        )
    return D


def check_lengths(D, names):
    """Distances between different classes that were computed: neither infinite nor zero."""
    names = np.arange(len(D)) if names is None else names
    wrong = np.argwhere(~(np.isfinite(D) & ((D > 0) | np.eye(len(D), dtype=bool))))
    if len(wrong):
        i, j = wrong[0]
        raise ValueError(
            f"class_distance must be positive and finite; between {_name(names, i)} and {_name(names, j)} it is "
            f"{D[i, j]:g} in floating point. Use other units."
        )


def check_triangle(D, names):
    """No detour is shorter than the direct way."""
    names = np.arange(len(D)) if names is None else names
    half = D / 2
    for i, row in enumerate(half):
        # One of two steps that are shorter than the way is shorter than half of it.
        stops = np.flatnonzero(row < row.max() / 2 * (1 + TOLERANCE))
        stops = stops[stops != i]
        if not len(stops):
            continue
        detour = row[stops, None] + half[stops]
        excess = row - detour.min(axis=0) * (1 + TOLERANCE)
        j = int(excess.argmax())
        if excess[j] > 0:
            k = stops[detour[:, j].argmin()]
            one, other = float(D[i, k]), float(D[k, j])
            raise ValueError(
                f"class_distance must satisfy the triangle inequality; from {_name(names, i)} to {_name(names, j)} it "
                f"is {D[i, j]:g}, but by way of {_name(names, k)} {one:g} + {other:g} = {one + other:g}. "
                "Take shortest paths: scipy.sparse.csgraph.shortest_path(D)."
            )


def check_paths(paths, separator) -> tuple[list, list[tuple[str, ...]]]:
    """Names of classes and their places in a hierarchy, from the top down."""
    if not isinstance(separator, str) or not separator:
        raise ValueError(f"separator must be text, such as '/'; got {separator!r}.")
    if isinstance(paths, str) or not np.iterable(paths):
        raise ValueError(f"paths must be a list of paths or a mapping from class to path; got {paths!r}.")
    names = list(paths)
    given = [paths[c] for c in names] if isinstance(paths, Mapping) else names
    parts = []
    for path in given:
        if not isinstance(path, str):
            raise ValueError(f"paths must be text; got {path!r}. Name the classes of other types: {{class: path}}.")
        parts.append(tuple(path.split(separator)))
        if not all(parts[-1]):
            raise ValueError(
                f"paths must have a name at every level; {path!r} has an empty one. Write it like "
                f"'inbox{separator}primary', with no {separator!r} at either end."
            )
    seen: dict = {}
    for name, place in zip(names, parts, strict=True):
        if place in seen:
            raise ValueError(
                f"paths must differ; {separator.join(place)!r} is that of {seen[place]!r} and {name!r}. Merge the two "
                "classes, or add a level that tells them apart."
            )
        seen[place] = name
    return names, parts


def check_level_weights(weights, parts) -> list[float]:
    """A length for the edges of each level, halved from level to level if none are given."""
    deepest = max(parts, key=len, default=())
    if weights is None:
        return [0.5**level for level in range(len(deepest))]
    lengths = [check_positive("weights", w) for w in check_list("weights", weights, "numbers")]
    if len(lengths) < len(deepest):
        raise ValueError(
            f"weights must have a value for each of {len(deepest)} levels, those of {'/'.join(deepest)!r}; got "
            f"{len(lengths)}. Add some, or cut the paths."
        )
    return lengths


def check_tree(edges) -> list[tuple]:
    """(node, its parent, weight) for every node of a tree, parents first; the root has no parent and no weight."""
    ends: dict = {}
    group: dict = {}

    def leader(node):
        while group.setdefault(node, node) != node:
            group[node] = node = group[group[node]]
        return node

    for edge in check_list("edges", edges, "(node, node, weight)"):
        if not isinstance(edge, (tuple, list)) or len(edge) != 3:
            raise ValueError(f"edges must be (node, node, weight); got {edge!r}.")
        one, other, weight = edge
        if not is_name(one) or not is_name(other):
            raise ValueError(f"edges must have names of nodes, such as text; got {edge!r}.")
        weight = check_positive(f"the weight of the edge from {one!r} to {other!r}", weight)
        if leader(one) == leader(other):
            raise ValueError(
                f"edges must form a tree; that from {one!r} to {other!r} closes a circle. Drop an edge of it, or pass "
                "a matrix of shortest paths."
            )
        group[leader(other)] = leader(one)
        ends.setdefault(one, []).append((other, weight))
        ends.setdefault(other, []).append((one, weight))
    if not ends:
        raise ValueError("edges must be at least one; got none.")
    apart = [node for node in ends if leader(node) != leader(next(iter(ends)))]
    if apart:
        raise ValueError(
            f"edges must join all nodes; there is no way from {next(iter(ends))!r} to {apart[0]!r}. Add the missing "
            "edge."
        )
    walk: list[tuple] = [(next(iter(ends)), None, 0.0)]
    for node, parent, _ in walk:
        walk.extend((other, node, weight) for other, weight in ends[node] if other != parent)
    return walk


def check_vectors(vectors, classes) -> tuple[np.ndarray, np.ndarray | None]:
    """A vector per class, no two of them equal."""
    V = check_numbers("vectors", vectors, ensure_min_samples=2)
    names = None if classes is None else check_class_names(classes, len(V))
    _, first, which = np.unique(V, axis=0, return_index=True, return_inverse=True)
    again = np.flatnonzero(first[which.ravel()] != np.arange(len(V)))
    if len(again):
        shown = np.arange(len(V)) if names is None else names
        j = again[0]
        raise ValueError(
            f"vectors must differ; those of {_name(shown, first[which.ravel()[j]])} and {_name(shown, j)} are equal. "
            "Merge the two classes."
        )
    return V, names


def check_nodes(classes, nodes) -> list:
    """Classes that are nodes of a tree."""
    return _places("classes must name nodes of the tree", classes, nodes)


def check_classes_match(classes, known, extra) -> list[int]:
    """Where the classes of y are among those that a distance knows; others are an error unless dropped."""
    check_choice("extra", extra, ("error", "drop"))
    places = _places("class_distance must know every class of y", classes, known)
    others = [c for c in known if c not in set(classes)]
    if others and extra == "error":
        raise ValueError(
            f"class_distance must have only classes of y; {some(others)} {'is' if len(others) == 1 else 'are'} not in "
            "y. Drop them: class_distance.for_classes(np.unique(y), extra='drop')."
        )
    return places


def check_size(n_rows, n_classes):
    """A distance without names has a row per class."""
    if n_rows != n_classes:
        raise ValueError(
            f"class_distance must have a row and a column per class, {n_classes} x {n_classes}; got {n_rows} x "
            f"{n_rows}. Name its classes to use a part of it: ClassDistance(matrix, classes)."
        )


def check_near(near, apart, distance) -> np.ndarray:
    """Which classes are near which others; at least two are."""
    near = near & (apart > 0)
    if not near.any():
        raise ValueError(
            f"distance must reach from some class to another, at least {apart[apart > 0].min():g}; got {distance:g}."
        )
    return near


def _places(rule, classes, known):
    place = {c: s for s, c in enumerate(known)}
    for c in classes:
        if c not in place:
            texts = {str(k): k for k in known}
            near = difflib.get_close_matches(str(c), list(texts), n=1)
            hint = f"; did you mean {texts[near[0]]!r}?" if near else "."
            raise ValueError(f"{rule}; {c!r} is not one of {some(known)}{hint}")
    return [place[c] for c in classes]


def _name(names, i):
    return repr(names.tolist()[i])
