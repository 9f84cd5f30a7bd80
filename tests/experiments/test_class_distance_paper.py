"""The declared experiments on class distances: exact functions against slow twins, and checks that can fail."""

import os
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from experiment_records import records_of
from reference import transport
from scipy import stats

from experiments.class_distance import (
    bounds,
    confusions,
    graphs,
    hierarchies,
    items_losses,
    items_newsgroups,
    newsgroups,
)
from experiments.class_distance.bounds import inequalities
from experiments.class_distance.enron import KS, NEIGHBORS, SIZES, read
from experiments.class_distance.joints import METRICS, NOISES, Joint, draw, worst_case
from experiments.class_distance.losses import gap, seed_of
from experiments.class_distance.newsgroups import in_blocks
from experiments.class_distance.paper import PAPER
from experiments.class_distance.transport import both_problems, linear_program
from tamis import subset_divergence

DATA = Path(os.environ.get("TAMIS_DATA", "../shared/data"))


# Declarations


def test_every_numbered_item_is_there_in_the_order_of_the_pages():
    assert [item.number for item in PAPER.items] == [
        *("Fig. 1", "Fig. 2", "Table I", "Fig. 3", "Table II", "Theorem 1", "Theorem 2"),
        *("Fig. 4", "Fig. 5", "Fig. 6", "Fig. 7", "Table III", "Fig. 8"),
    ]


@pytest.mark.parametrize("experiment", [bounds, confusions, graphs])
def test_a_task_gives_the_same_whatever_ran_before(experiment):
    first, second = list(experiment.tasks(True))[:2]
    alone = experiment.run(None, first.key, first.seed)
    experiment.run(None, second.key, second.seed)
    assert experiment.run(None, first.key, first.seed) == alone


def test_methods_share_the_rows_of_a_repetition():
    assert seed_of("split", 3) == seed_of("split", 3) != seed_of("split", 4)
    for experiment in PAPER.experiments():
        by_repetition = {}
        for task in experiment.tasks(False):
            if "method" in task.key:
                by_repetition.setdefault(task.key["repetition"], set()).add(task.seed)
        assert all(len(seeds) == 1 for seeds in by_repetition.values())


# Joint distributions


def slow(joint, subset):
    """(eps1, eps2, d1, d2) configuration by configuration, by linear programming."""
    D, found = joint.distance.matrix, np.zeros(4)
    for x, weight, p, q in zip(joint.X, joint.weights, joint.true, joint.recorded, strict=True):
        inside = [i for i, other in enumerate(joint.X) if all(other[f] == x[f] for f in subset)]
        share = joint.weights[inside] / joint.weights[inside].sum()
        kept, kept_noisy = share @ joint.true[inside], share @ joint.recorded[inside]
        pairs = ((p, q), (kept, kept_noisy), (p, kept), (q, kept_noisy))
        found += [weight * transport(a, b, D) for a, b in pairs]
    return found


@pytest.mark.parametrize(("metric", "noise"), [*zip(METRICS, NOISES, strict=True)])
def test_distances_of_a_joint_are_those_of_a_plain_twin(metric, noise):
    joint = draw(metric, noise, np.random.default_rng(3), most_features=3)
    for subset in joint.subsets():
        ours = joint.eps1(), joint.eps2(subset), joint.d1(subset), joint.d2(subset)
        np.testing.assert_allclose(ours, slow(joint, subset), atol=1e-9)


@pytest.mark.parametrize("noise", NOISES)
def test_a_joint_is_made_of_probabilities(noise):
    joint = draw("points", noise, np.random.default_rng(1))
    for p in (joint.weights[None], joint.true, joint.recorded):
        np.testing.assert_allclose(p.sum(axis=1), 1.0)
    np.testing.assert_allclose(joint.both.sum(axis=1), joint.weights @ joint.true)
    np.testing.assert_allclose(joint.both.sum(axis=0), joint.weights @ joint.recorded)


def test_distances_are_those_of_the_library():
    """With rows instead of probabilities: three binary features, four classes."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (200, 3))
    y, noisy = rng.integers(0, 4, (2, 200)) // (1 + X[:, 0])
    cells, cell = np.unique(X, axis=0, return_inverse=True)
    shares = [np.array([np.bincount(part[cell.ravel() == c], minlength=4) for c in range(8)]) for part in (y, noisy)]
    rows = shares[0].sum(axis=1)
    true, recorded = (share / rows[:, None] for share in shares)
    joint = Joint(cells, rows / 200, true, recorded, np.full((4, 4), 1 / 16), graphs.DISTANCE)
    how = {"y_noisy": noisy, "class_distance": graphs.DISTANCE, "n_permutations": 0}
    for subset in joint.subsets():
        found = subset_divergence(X.astype(float), y, list(subset), **how)
        ours = joint.eps1(), joint.eps2(subset), joint.d1(subset), joint.d2(subset)
        np.testing.assert_allclose(ours, [found.noise, found.noise_kept, found.lost, found.lost_noisy], atol=1e-12)


def test_the_bound_of_theorem_2_is_nearly_reached():
    joint = worst_case(0.001)
    assert joint.d2((1,)) < joint.d2((0,))
    assert joint.d1((1,)) - joint.d1((0,)) == pytest.approx(4 * joint.eps1(), rel=0.003)
    assert inequalities(joint)["gap"] == pytest.approx(0.998, abs=1e-3)


def test_an_inequality_that_is_broken_is_counted(monkeypatch):
    joint = draw("hierarchy", "near", np.random.default_rng(0))
    assert inequalities(joint)["eps2_above"] == inequalities(joint)["gap_above"] == 0
    monkeypatch.setattr(type(joint), "eps1", lambda self: 1e-6)
    broken = inequalities(joint)
    assert broken["eps2_above"] == broken["subsets"]
    monkeypatch.setattr(type(joint), "d2", lambda self, subset: 10.0)
    assert inequalities(joint)["sides_above"] == broken["subsets"]


def test_plans_of_the_solver_are_optimal():
    rng = np.random.default_rng(0)
    p, q = rng.dirichlet(np.ones(5), 2)
    D = np.abs(np.subtract.outer(np.arange(5.0), np.arange(5.0)))
    plan = linear_program(p, q, D)
    assert (plan * D).sum() == pytest.approx(transport(p, q, D))
    np.testing.assert_allclose([plan.sum(axis=1), plan.sum(axis=0)], [p, q], atol=1e-9)
    found = both_problems(draw("graph", "by class", rng, most_features=2))
    assert max(found[name] for name in ("apart", "margins", "below")) < 1e-6


# Graphs and hierarchies


def test_the_blanket_is_what_separates_the_target():
    names, joint = graphs.exact(graphs.DRAWN, np.random.default_rng(0))
    members = [names.index(node) for node in graphs.blanket(graphs.DRAWN)]
    assert {names[m] for m in members} == {"parent 1", "parent 2", "child 1", "child 2", "spouse"}
    assert joint.weights.sum() == pytest.approx(1.0)
    assert joint.d1(members) < 1e-14
    assert joint.d1([]) > joint.d1(members[1:]) > 1e-6


def test_a_chain_has_the_neighbours_as_its_blanket():
    chain = {"a": (), "b": ("a",), "A": ("b",), "c": ("A",), "d": ("c",)}
    assert graphs.blanket(chain) == ["b", "c"]
    names, joint = graphs.exact(chain, np.random.default_rng(2))
    assert graphs.delta(joint, names.index("d"), [names.index("c")]) < 1e-14
    assert graphs.delta(joint, names.index("d"), [names.index("b")]) > 1e-6


def test_paths_are_as_long_as_their_edges():
    labels = ("a", "a/b/c", "d/e")
    np.testing.assert_allclose(hierarchies.shortest(labels), [[0, 0.25, 1.2], [0.25, 0, 1.45], [1.2, 1.45, 0]])
    assert hierarchies.siblings(("a", "d", "a/b", "a/c"), hierarchies.shortest(("a", "d", "a/b", "a/c"))) == [
        *(1.0, 0.4, None)
    ]


# Losses and their checks


def test_intervals_are_those_of_student_without_overlap():
    apart = np.random.default_rng(0).normal(size=12)
    low, high = stats.t.interval(0.95, 11, apart.mean(), stats.sem(apart))
    assert (gap(apart).mean - gap(apart).half, gap(apart).mean + gap(apart).half) == pytest.approx((low, high))
    assert gap(apart, 0.5).half > gap(apart).half
    assert not gap([-1.0]).below
    assert gap([-1.0, -1.1, -0.9]).below


def test_blocks_are_parts_of_the_documents():
    paid = np.random.default_rng(0).random((3, 700))
    assert in_blocks(paid).shape == (3, 100)
    np.testing.assert_allclose(in_blocks(paid).mean(axis=1), paid.mean(axis=1))


def enron_records(tmp_path, lead):
    """Losses that rise with k; W's are lower by `lead` times k."""
    rng, records = np.random.default_rng(0), []
    for repetition, method in product(range(6), ("W", "KL")):
        base = 20 + np.array(KS)[:, None] + 0.1 * rng.normal(size=(len(NEIGHBORS), len(KS), len(SIZES)))
        base -= (lead * np.array(KS)[:, None]) if method == "W" else 0.0
        records.append({"method": method, "repetition": repetition, "losses": base.tolist()})
    return records_of(tmp_path / "records.jsonl", records)


def test_the_check_of_enron_follows_the_numbers(tmp_path):
    held = [c.holds for c in items_losses.check_enron(enron_records(tmp_path, 0.3)).checks]
    assert held == [True] * 5
    held = [c.holds for c in items_losses.check_enron(enron_records(tmp_path, -0.3)).checks]
    assert held == [False] * 4 + [True]


def flip_records(tmp_path, rising):
    rng, records = np.random.default_rng(0), []
    sizes = np.array(items_losses.flips.SIZES)
    for repetition, rate, method in product(range(6), items_losses.flips.RATES, ("W", "KL")):
        losses = 30 + 0.01 * rng.normal(size=len(sizes))
        if method == rising:
            losses = losses + 0.01 * np.maximum(sizes - 120, 0) + 5 * rate + 1
        key = {"within": 0.2, "rate": rate, "method": method, "repetition": repetition}
        records.append({**key, "flipped": 25 * rate, "losses": losses.tolist()})
    return records_of(tmp_path / "records.jsonl", records)


def test_the_check_of_flips_follows_the_numbers(tmp_path):
    assert all(c.holds for c in items_losses.check_flips(flip_records(tmp_path, "KL")).checks)
    assert not any(c.holds for c in items_losses.check_flips(flip_records(tmp_path, "W")).checks)


def test_checks_need_records_and_bear_few(tmp_path):
    nothing = records_of(tmp_path / "records.jsonl", [])
    for item in PAPER.items:
        assert item.check(*(nothing for _ in item.experiments)) is None
    blocks = np.full((6, 100), 50.0) + np.random.default_rng(0).random((6, 100))
    few = [
        {"method": m, "repetition": 0, "losses": [[50.0 + less] * 6] * 3, "blocks": (blocks + less).tolist()}
        for m, less in (("W", -3), ("KL", 0))
    ]
    found = items_newsgroups.check_newsgroups(records_of(tmp_path / "records.jsonl", few))
    assert [c.holds for c in found.checks] == [True, True]
    swapped = [record | {"method": "KL" if record["method"] == "W" else "W"} for record in few]
    found = items_newsgroups.check_newsgroups(records_of(tmp_path / "records.jsonl", swapped))
    assert [c.holds for c in found.checks] == [False, False]


@pytest.mark.parametrize("experiment", [e for e in PAPER.experiments() if not e.needs_data], ids=lambda e: e.name)
def test_one_record_is_enough_for_a_finding_and_a_figure(experiment, tmp_path):
    task = next(iter(experiment.tasks(True)))
    losses = {"losses": [1.0] * 9}
    found = losses if "vectors" in experiment.name else experiment.run(None, task.key, task.seed)
    records = records_of(tmp_path / "records.jsonl", [{**task.key, **found}, {**task.key, **found, "method": "KL"}])
    for item in PAPER.items:
        if item.experiments == (experiment,):
            assert item.check(records).checks
            assert item.draw is None or item.draw(records).axes


def test_groups_of_a_cell_are_alike_only_if_they_are():
    names = np.repeat(["a", "b", "c", "d"], 5)
    alike = 0.5 + 0.3 * (names[:, None] == names)
    assert items_newsgroups.within_lead(names, alike, 200)[1] < 0.05
    assert items_newsgroups.within_lead(np.tile(["a", "b", "c", "d"], 5), alike, 200)[1] > 0.05


@pytest.mark.data
@pytest.mark.skipif(not DATA.exists(), reason="no folder of data sets")
def test_enron_is_read_as_the_paper_describes_it():
    mail = read(DATA)
    train, test = mail.split(0, 0)
    assert (mail.X.shape, len(train), len(test)) == ((1648, 1001), 988, 660)
    first, again, other = (mail.split(1, seed)[0] for seed in (5, 5, 6))
    assert len(first) == 988
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()
    X, y = mail.copies(train)
    assert len(X) == len(y) == mail.labels.to_numpy()[train].sum()
    assert len(newsgroups.themes(DATA)) == 20
