"""How far apart the classes are."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist

from .. import _validation
from .balls import log2_scale
from .learned import between_confusions, between_means
from .trees import Node, Tree, linked, path_lengths, pruned, rooted, tree_of


class ClassDistance:
    """Distances between classes: a metric, so that a mistake costs no more than its detours.

    Parameters
    ----------
    matrix : array-like of shape (n_classes, n_classes)
        Symmetric, zero on the diagonal and positive off it, with the triangle inequality; equality is meant up to a
        factor of 1e-9. A table with names of classes as its header gives `classes`.
    classes : array-like of shape (n_classes,), default=None
        What the rows stand for. Without names they follow the sorted classes of y.

    Attributes
    ----------
    matrix : ndarray of shape (n_classes, n_classes), read-only
    classes : ndarray of shape (n_classes,) or None
    tree : Tree or None
        The edges of the tree whose ways are as long as the distances, if there is such a tree: then distributions are
        compared without a solver. It is looked for in every matrix.
    is_tree : bool

    Examples
    --------
    >>> from tamis import ClassDistance
    >>> distance = ClassDistance.from_paths(["pet/cat", "pet/dog", "car"])
    >>> distance
    ClassDistance(3 classes, tree)
    >>> distance.matrix
    array([[0. , 1. , 2.5],
           [1. , 0. , 2.5],
           [2.5, 2.5, 0. ]])
    """

    def __init__(self, matrix, classes=None):
        checked, names = _validation.check_class_matrix(matrix, classes)
        self._store(checked, names)
        if self.tree is None:  # the ways in a tree are a metric
            _validation.check_triangle(checked, names)

    def _store(self, matrix, classes, given=None):
        _validation.check_lengths(matrix, classes)
        self.matrix, self.classes = np.array(matrix, dtype=float), classes
        self.matrix.flags.writeable = False
        self.tree: Tree | None = tree_of(self.matrix)
        self._given: list[Node] | None = given

    @classmethod
    def _trusted(cls, matrix, classes, given=None) -> ClassDistance:
        """A metric by the way it was made, such as from the nodes of a tree."""
        distance = cls.__new__(cls)
        distance._store(matrix, classes, given)
        return distance

    @classmethod
    def zero_one(cls, classes) -> ClassDistance:
        """All classes are one apart: every mistake is as bad as any other."""
        names = _validation.check_class_names(classes)
        return cls._trusted(1 - np.eye(len(names)), names)

    @classmethod
    def from_paths(cls, paths, *, weights=None, separator="/") -> ClassDistance:
        """Classes in a hierarchy, each given by the way to it from the top.

        Parameters
        ----------
        paths : list of str, or mapping from class to str
            Such as "inbox/primary/discussion". A class may have others below it; groups are paths of two levels.
        weights : list of float, default=None
            Lengths of the edges of each level, the first from the root to the top level. By default 1, 1/2, 1/4 ...
        separator : str, default="/"
        """
        names, parts = _validation.check_paths(paths, separator)
        lengths = _validation.check_level_weights(weights, parts)
        places = dict.fromkeys(place[: level + 1] for place in parts for level in range(len(place)))
        walk: list[tuple] = [((), None, 0.0)]
        # A path is made known after those that it begins with.
        walk += [(place, place[:-1], lengths[len(place) - 1]) for place in places]
        titles = [None, *(place[-1] for place in places)]
        return cls._in_tree(walk, parts, _validation.check_class_names(names), titles)

    @classmethod
    def from_tree(cls, edges, *, classes=None) -> ClassDistance:
        """Classes at nodes of a tree, as far apart as the way between them is long.

        Parameters
        ----------
        edges : iterable of (node, node, weight)
            Classes in an order, such as grades, are a chain: [("low", "middle", 1), ("middle", "high", 1)].
        classes : array-like of shape (n_classes,), default=None
            The nodes that are classes, inner ones too; by default all of them.
        """
        walk = _validation.check_tree(edges)
        nodes = [node for node, _, _ in walk]
        names = _validation.check_class_names(nodes if classes is None else classes)
        _validation.check_nodes(names.tolist(), nodes)
        return cls._in_tree(walk, names.tolist(), names, nodes)

    @classmethod
    def _in_tree(cls, walk, nodes, names, titles) -> ClassDistance:
        place = {node: i for i, (node, _, _) in enumerate(walk)}
        here = [place[node] for node in nodes]
        row = {node: i for i, node in enumerate(nodes)}
        tree = [
            Node(title, None if i == 0 else place[parent], float(weight), row.get(node))
            for i, ((node, parent, weight), title) in enumerate(zip(walk, titles, strict=True))
        ]
        everybody = {i: i for i in range(len(nodes))}
        return cls._trusted(path_lengths(walk)[np.ix_(here, here)], names, pruned(tree, everybody))

    @classmethod
    def from_vectors(cls, vectors, *, classes=None) -> ClassDistance:
        """Classes as far apart as their vectors, such as embeddings of their names (Euclidean).

        Parameters
        ----------
        vectors : array-like of shape (n_classes, n_dimensions)
            No two are equal.
        classes : array-like of shape (n_classes,), default=None
        """
        V, names = _validation.check_vectors(vectors, classes)
        exponent = log2_scale(V)
        unit = np.ldexp(V, -exponent)
        with np.errstate(over="ignore"):  # infinity is refused
            return cls._trusted(np.ldexp(cdist(unit, unit), exponent), names)

    @classmethod
    def from_confusions(cls, confusions, *, classes=None) -> ClassDistance:
        r"""Classes as far apart as the predictions for them differ: confused classes are near, others 1 apart.

        The distance is the total variation distance :math:`\frac12 \sum_c |r_{ic} - r_{jc}|` between the shares of
        the predictions c given the true classes i and j. To the counts of each class one right prediction is added, so
        that a class with few rows is far from the others.

        Parameters
        ----------
        confusions : array-like of shape (n_classes, n_classes)
            Rows are true classes, columns predicted ones, or those that annotators answered: counts, or sums of
            probabilities. Counts are preferred: nothing is added to rates (fractions, each row of which sums to at
            most 1), since the number of rows is not known. A table with names of classes as its header gives
            `classes`.
        classes : array-like of shape (n_classes,), default=None

        Notes
        -----
        No distance between two classes is below 0.001. A class without rows is 1 away from classes that are never
        predicted as it. Use predictions for rows that the classifier has not seen.

        Examples
        --------
        >>> from tamis import ClassDistance
        >>> confusions = [[30, 9, 0], [9, 30, 0], [0, 0, 39]]
        >>> ClassDistance.from_confusions(confusions, classes=["cat", "dog", "car"]).matrix
        array([[0.  , 0.55, 1.  ],
               [0.55, 0.  , 1.  ],
               [1.  , 1.  , 0.  ]])
        """
        C, names = _validation.check_confusions(confusions, classes)
        return cls._trusted(between_confusions(C), names)

    @classmethod
    def from_data(cls, X, y=None, *, memberships=None, classes=None, sample_weight=None) -> ClassDistance:
        """Classes as far apart as their means in the features, in units of the within-class standard deviation.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Numbers, NaN where a value is missing: it counts as the mean of its column.
        y : array-like of shape (n_samples,), default=None
            Classes; None, NaN or an empty text where there is none.
        memberships : array-like of shape (n_samples, n_classes), default=None
            Probabilities of the classes, in place of y.
        classes : array-like of shape (n_classes,), default=None
            All classes there are, or names for the columns of memberships; those of y by default.
        sample_weight : array-like of shape (n_samples,), default=None
            A row of weight w counts as w rows.

        Notes
        -----
        Columns are standardised, then whitened by the pooled within-class covariance (Ledoit and Wolf, 2004; of more
        than 1000 columns that of at most 500 typical rows). Class means are shrunk towards the overall mean according
        to the number of rows (empirical Bayes), and the distance is the root of the expected squared distance of the
        true means: that of a class with few rows is near the average. If nothing shows that means differ, all distances
        are 1. None is below 0.001 of the largest.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from tamis import ClassDistance
        >>> X, y = load_iris(return_X_y=True)
        >>> ClassDistance.from_data(X, y).matrix.round(1)
        array([[ 0. ,  8.1, 11.4],
               [ 8.1,  0. ,  3.6],
               [11.4,  3.6,  0. ]])
        """
        X, names, P, rows = _validation.check_class_data(X, y, memberships, classes, sample_weight)
        return cls._trusted(between_means(X, P, rows), names)

    @property
    def is_tree(self) -> bool:
        return self.tree is not None

    def for_classes(self, classes, *, extra="error") -> ClassDistance:
        """The same distances with a row for each of `classes`, in their order.

        Parameters
        ----------
        classes : array-like of shape (n_classes,)
            Every one must be known here. A distance without names takes these for its rows.
        extra : {"error", "drop"}, default="error"
            What to do with classes known here that are not among them.
        """
        names = _validation.check_class_names(classes)
        if self.classes is None:
            _validation.check_size(len(self.matrix), len(names))
            return self._trusted(self.matrix, names)
        here = _validation.check_classes_match(names.tolist(), self.classes.tolist(), extra)
        given = None if self._given is None else pruned(self._given, {old: new for new, old in enumerate(here)})
        return self._trusted(self.matrix[np.ix_(here, here)], names, given)

    def nodes(self) -> list[Node]:
        """A rooted tree of the classes, to be drawn.

        It is the one that the classes were given in (`from_paths`, `from_tree`), less what holds no class; else the
        tree that has these distances, hung up in the middle of its longest way. If there is none (`is_tree` is false),
        it is that of average linkage, whose ways are only near to the distances.

        Returns
        -------
        list of Node
            With `name`, `parent` (a place in this list, where parents come first), `length` of the edge to the parent
            and `class_`, the row of the matrix, or None.

        Examples
        --------
        >>> from tamis import ClassDistance
        >>> for node in ClassDistance.from_paths({"cat": "pet/cat", "dog": "pet/dog", "car": "car"}).nodes():
        ...     print(node.name, node.parent, node.length, node.class_)
        None None 0.0 None
        pet 0 1.0 None
        cat 1 0.5 0
        dog 1 0.5 1
        car 0 1.0 2
        """
        if self._given is not None:
            found = self._given
        else:
            found = linked(self.matrix) if self.tree is None else rooted(self.tree, self.matrix)
        names = range(len(self.matrix)) if self.classes is None else self.classes.tolist()
        return [node if node.class_ is None else node._replace(name=names[node.class_]) for node in found]

    def scaled(self) -> ClassDistance:
        """The same in units of a power of two, so that no distance is larger than one, and sums are finite."""
        exponent = log2_scale(self.matrix)
        given = None
        if self._given is not None:
            given = [node._replace(length=float(np.ldexp(node.length, -exponent))) for node in self._given]
        return self._trusted(np.ldexp(self.matrix, -exponent), self.classes, given)

    def parts(self, *, with_root=False) -> tuple[np.ndarray, np.ndarray]:
        """The edges of `nodes`: their lengths, and which classes are below each, (n_classes, n_edges).

        Two classes are as far apart as the edges are long that have one of them below: exactly where there is a tree.
        `with_root` adds an edge above the root, as long as the longest: it parts every class from none at all.
        """
        nodes = self.nodes()
        below = np.zeros((len(nodes), len(self.matrix)), dtype=bool)
        for i in reversed(range(len(nodes))):
            if nodes[i].class_ is not None:
                below[i, nodes[i].class_] = True
            if nodes[i].parent is not None:
                below[nodes[i].parent] |= below[i]
        edges = [i for i, node in enumerate(nodes) if node.length > 0]
        lengths = [nodes[i].length for i in edges]
        if with_root:
            edges, lengths = [0, *edges], [max(lengths, default=1.0), *lengths]
        return np.array(lengths), np.ascontiguousarray(below[edges].T)

    def __repr__(self):
        return f"ClassDistance({len(self.matrix)} classes{', tree' if self.is_tree else ''})"


def resolve_class_distance(class_distance, classes, *, extra="error") -> ClassDistance:
    """The distance between these classes: None is 0/1, an array follows their order; `extra` as of `for_classes`."""
    if len(classes) == 1:  # there are no two to be apart
        return ClassDistance._trusted(np.zeros((1, 1)), np.asarray(classes))
    if class_distance is None:
        return ClassDistance.zero_one(classes)
    if not isinstance(class_distance, ClassDistance):
        class_distance = ClassDistance(class_distance)
    found = class_distance.for_classes(classes, extra=extra)
    _validation.check_size(len(found.matrix), len(classes))
    return found
