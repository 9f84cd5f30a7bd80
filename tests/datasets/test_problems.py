"""The artificial problems: their geometry, and the figures published for them."""

import numpy as np
import pytest
from scipy.stats import chisquare, kstest

from tamis.datasets import make_circle, make_spheres, make_squares, make_y4, make_y5, uncertain_expert

CENTRES = [(0.25, 0.25, 0.25), (0.25, 0.75, 0.75), (0.75, 0.75, 0.25), (0.75, 0.25, 0.75)]


def slices(output, n_classes):
    """Classes of equal size by the rank of the output, for numbers of samples that they divide."""
    return np.argsort(np.argsort(output)) // (len(output) // n_classes)


def y4(f1, f2, f3, f4):
    return slices(np.cos(2 * f1) * np.cos(2 * f2) * np.exp(2 * f3) * np.exp(2 * f4), 3)


def y4_printed(f1, f3, f4):
    return slices(np.cos(2 * f1) * np.cos(f3) * np.exp(2 * f3) * np.exp(2 * f4), 3)


def y5_printed(f1, f2, f3, f4, f5):
    return slices(10 * np.sin(f1 * f2) + 20 * (f3 - 0.5) ** 2 + 10 * f4 + 5 * f5, 2)


# Each with the rule of its classes, as a function of the relevant features and nothing else.
PROBLEMS = {
    "spheres": (
        lambda n, **kw: make_spheres(n, **kw),
        lambda *f: np.argmin([sum((f[j] - c[j]) ** 2 for j in range(3)) for c in CENTRES], axis=0),
        [0, 1, 2],
    ),
    "squares": (lambda n, **kw: make_squares(n, **kw), lambda f1, f2: 2 * (f1 >= 0.5) + (f2 >= 0.5), [0, 1]),
    "circle": (
        lambda n, **kw: make_circle(n, **kw),
        lambda f1, f2: ((f1 - 0.5) ** 2 + (f2 - 0.5) ** 2 < 0.16).astype(int),
        [0, 1],
    ),
    "Y4": (lambda n, **kw: make_y4(n, **kw), y4, [0, 1, 2, 3]),
    "Y4 printed": (lambda n, **kw: make_y4(n, printed=True, **kw), y4_printed, [0, 2, 3]),
    "Y5": (lambda n, **kw: make_y5(n, **kw), lambda *f: slices(sum(f), 2), [0, 1, 2, 3, 4]),
    "Y5 printed": (lambda n, **kw: make_y5(n, printed=True, **kw), y5_printed, [0, 1, 2, 3, 4]),
}
each = pytest.mark.parametrize(("make", "rule", "relevant"), PROBLEMS.values(), ids=PROBLEMS)


@each
def test_the_relevant_features_decide_and_each_is_needed(make, rule, relevant):
    X, y, found = make(1200, random_state=0)
    assert found.tolist() == relevant
    assert y.dtype.kind == "i"
    assert set(y) == set(range(y.max() + 1))
    np.testing.assert_array_equal(y, rule(*X[:, relevant].T))
    for j in relevant:
        changed = X.copy()
        changed[:, j] = np.roll(X[:, j], 1)
        assert (rule(*changed[:, relevant].T) != y).any()


@each
def test_the_other_features_are_uniform_in_every_class(make, rule, relevant):
    X, y, _ = make(1200, random_state=0)
    others = np.setdiff1d(np.arange(X.shape[1]), relevant)
    assert len(others) >= 3
    p = [kstest(X[y == s, j], "uniform").pvalue for s in np.unique(y) for j in others]
    assert min(p) > 1e-3 / len(p)


@each
def test_the_seed_decides(make, rule, relevant):
    first, again, other = (make(60, random_state=s) for s in (1, 1, 2))
    np.testing.assert_array_equal(first.X, again.X)
    np.testing.assert_array_equal(first.y, again.y)
    assert (first.X != other.X).any()


@pytest.mark.parametrize(
    ("make", "shape"),
    [
        (make_spheres, (50, 6)),
        (make_squares, (100, 6)),
        (make_circle, (500, 6)),
        (make_y4, (300, 10)),
        (make_y5, (300, 10)),
    ],
)
def test_sizes_are_those_of_the_paper_unless_told(make, shape):
    X, y, _ = make(random_state=0)
    assert X.shape == shape
    assert y.shape == shape[:1]
    assert make(7, n_features=5, random_state=0).X.shape == (7, 5)


def test_every_point_is_inside_its_sphere_and_each_sphere_gets_as_many():
    X, y, _ = make_spheres(4000, random_state=0)
    radii = np.linalg.norm(X[:, :3] - np.array(CENTRES)[y], axis=1)
    # The cube of the radius is uniform where points are spread evenly over a sphere.
    assert kstest((radii / 0.25) ** 3, "uniform").pvalue > 1e-3
    assert chisquare(np.bincount(y)).pvalue > 1e-3


def test_the_squares_are_of_equal_size_and_filled_evenly():
    X, y, _ = make_squares(4000, random_state=0)
    assert chisquare(np.bincount(y)).pvalue > 1e-3
    assert min(kstest(X[:, j], "uniform").pvalue for j in range(2)) > 1e-3


@pytest.mark.parametrize(("radius", "gap"), [(0.4, 0.05), (0.2, 0.3), (0.5, 0)])
def test_the_ring_is_empty_and_the_rest_filled_evenly(radius, gap):
    X, y, _ = make_circle(4000, radius=radius, gap=gap, random_state=0)
    distance = np.linalg.norm(X[:, :2] - 0.5, axis=1)
    assert distance[y == 1].max() < radius
    assert distance[y == 0].min() > radius + gap
    assert kstest((distance[y == 1] / radius) ** 2, "uniform").pvalue > 1e-3
    inside = np.pi * radius**2 / (1 - np.pi * ((radius + gap) ** 2 - radius**2))
    assert abs(y.mean() - inside) < 4 * np.sqrt(inside * (1 - inside) / len(y))


@pytest.mark.parametrize("make", [make_y4, make_y5])
@pytest.mark.parametrize("printed", [False, True])
@pytest.mark.parametrize("n_samples", [3, 299, 300, 301])
def test_sliced_classes_are_of_equal_size(make, printed, n_samples):
    sizes = np.bincount(make(n_samples, printed=printed, random_state=0).y)
    assert len(sizes) == (3 if make is make_y4 else 2)
    assert sizes.sum() == n_samples
    assert sizes.max() - sizes.min() == (n_samples % len(sizes) > 0)


def scores(X, memberships):
    """Weighted Laplacian score: how much a feature varies within classes, compared with the rest; low is good."""
    centred = X - X.mean(axis=0)
    similar = (memberships @ memberships.sum(axis=0)) @ centred**2 - ((memberships.T @ centred) ** 2).sum(axis=0)
    return similar / (len(X) * (centred**2).sum(axis=0) - similar)


def percentages(make, doubt, n_times=200):
    """Relevant features among the best, in %, from the memberships, from the likeliest and from the recorded class."""
    found = []
    for seed in range(n_times):
        X, y, relevant = make(random_state=seed)
        memberships, recorded, _ = uncertain_expert(y, doubt, random_state=seed + 10_000)
        one_hot = np.eye(memberships.shape[1])
        tries = memberships, one_hot[memberships.argmax(axis=1)], one_hot[recorded]
        found.append([np.isin(np.argsort(scores(X, P))[: len(relevant)], relevant).mean() for P in tries])
    return 100 * np.array(found)


@pytest.mark.parametrize(
    ("make", "doubt", "published"),
    [
        (make_spheres, 0.45, (91.33, 80, 80)),
        (make_squares, 0.5, (96, 81, 78)),
        (make_circle, 0.4, (80, 72, 64)),
        (make_y4, 0.25, (95.5, 94.5, 88.5)),
        (make_y5, 0.25, (96.8, 93.6, 91.6)),
    ],
)
def test_the_published_figures_come_out(make, doubt, published):
    """Tables 1-5 of Doquire and Verleysen (2012), each a mean of 50 repetitions, within 3 standard errors."""
    found = percentages(make, doubt)
    error = found.std(axis=0) * np.sqrt(1 / 50 + 1 / len(found))
    assert (np.abs(found.mean(axis=0) - published) < 3 * error).all()


def test_equation_12_as_printed_hides_a_feature():
    """The mean of f3 is the same in both classes: it comes fifth as often as any of the five irrelevant ones."""
    hidden, seen = [], []
    for seed in range(200):
        for printed, found in ((True, hidden), (False, seen)):
            X, y, _ = make_y5(printed=printed, random_state=seed)
            found.append(2 in np.argsort(scores(X, np.eye(2)[y]))[:5])
    assert abs(np.mean(hidden) - 1 / 6) < 4 * np.sqrt(5 / 36 / 200)
    assert all(seen)


def test_the_circle_is_seen_only_if_its_inside_is_the_larger_class():
    for radius, seen in ((0.4, True), (0.3, False)):
        problems = [make_circle(radius=radius, random_state=seed) for seed in range(20)]
        best = [set(np.argsort(scores(X, np.eye(2)[y]))[:2].tolist()) for X, y, _ in problems]
        assert sum(b == {0, 1} for b in best) == (20 if seen else 0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: make_spheres(0), "n_samples must be a whole number of at least 1; got 0"),
        (lambda: make_spheres(n_features=2), "n_features must be a whole number of at least 3; got 2"),
        (lambda: make_squares(n_features=1), "n_features must be a whole number of at least 2; got 1"),
        (lambda: make_y4(2), "n_samples must be a whole number of at least 3; got 2"),
        (lambda: make_y4(n_features=3), "n_features must be a whole number of at least 4; got 3"),
        (lambda: make_y5(n_features=4), "n_features must be a whole number of at least 5; got 4"),
        (lambda: make_circle(radius=0), "radius must be a positive number; got 0"),
        (lambda: make_circle(gap=-0.1), "gap must be a number of at least 0; got -0.1"),
        (lambda: make_circle(radius=0.4, gap=0.2), r"radius \+ gap must be at most 0.5, .* got 0.4 \+ 0.2. Lower one"),
    ],
)
def test_bad_input_is_refused_with_the_way_out(call, message):
    with pytest.raises(ValueError, match=message):
        call()
