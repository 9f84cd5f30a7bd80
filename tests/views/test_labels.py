"""Which class is taken for which, and what it costs: against sums over rows, and bounds."""

import numpy as np
import pandas as pd
import pytest
from samples import gaussians

from tamis import BlanketSelector, ClassDistance, CrowdLabels, HardLabels, NoisyLabels, RankingSelector, SoftLabels
from tamis.datasets import flip_uniform
from tamis.views import summarise
from tamis.views.labels import MOST_CONFUSIONS, describe_confusions, describe_labels, mistaken_rows


@pytest.fixture(scope="module")
def probabilities():
    P = np.random.default_rng(0).dirichlet([0.4] * 4, size=120)
    return pd.DataFrame(P, columns=list("abcd"))


@pytest.fixture(scope="module")
def answers():
    truth = np.random.default_rng(0).choice(list("abc"), size=90)
    answers = np.column_stack([flip_uniform(truth, e, random_state=a).y for a, e in enumerate((0.1, 0.3, 0.6))])
    answers = answers.astype(object)
    answers[:40, 1] = None
    return answers


@pytest.fixture(scope="module")
def crowd(answers):
    return CrowdLabels().fit(None, answers)


@pytest.fixture(scope="module")
def noisy():
    X, codes = gaussians(400, 3, 4, informative=3)
    return NoisyLabels(transition="full", random_state=0).fit(3 * X, flip_uniform(codes, 0.3, random_state=0).y)


def by_hand(rows, names):
    """All pairs of classes that half a row or more is mistaken of, the largest first."""
    pairs = [(s, t) for s in range(len(names)) for t in range(len(names)) if s != t and rows[s][t] >= 0.5]
    pairs.sort(key=lambda pair: -rows[pair[0]][pair[1]])
    return [
        {"true": names[s], "recorded": names[t], "rate": rows[s][t] / sum(rows[s]), "rows": rows[s][t]}
        for s, t in pairs
    ]


def same(found, expected):
    assert [(c["true"], c["recorded"]) for c in found] == [(c["true"], c["recorded"]) for c in expected]
    for key in ("rate", "rows"):
        assert [c[key] for c in found] == pytest.approx([c[key] for c in expected], abs=1e-9)


def test_of_probabilities_the_most_probable_class_counts_as_recorded(probabilities):
    rows = [[0.0] * 4 for _ in range(4)]
    for row in probabilities.to_numpy().tolist():
        for s in range(4):
            rows[s][row.index(max(row))] += row[s]
    found = describe_confusions(SoftLabels().fit(None, probabilities))
    assert len(found) == 12
    same(found, by_hand(rows, list("abcd")))


def test_a_crowd_answers_as_the_mean_of_all_answers_for_a_class(answers, crowd):
    """Who answered more often for rows of a class counts for more there, and only there."""
    rows = [[0.0] * 3 for _ in range(3)]
    for answered, memberships in zip(answers.tolist(), crowd.memberships_.tolist(), strict=True):
        for s in range(3):
            for t in range(3):
                rows[s][t] += memberships[s] * answered.count("abc"[t])
    of_class = crowd.memberships_.sum(axis=0)
    rows = [[of_class[s] * n / sum(rows[s]) for n in rows[s]] for s in range(3)]
    found = describe_confusions(crowd)
    for c in found:
        assert c["rows"] == pytest.approx(rows["abc".index(c["true"])]["abc".index(c["recorded"])], rel=1e-3)
    assert len(found) == 6
    wrong = 1 - crowd.reliabilities_ @ [90, 50, 90] / 230
    assert sum(c["rows"] for c in found) / 90 == pytest.approx(wrong, abs=0.05)


def test_noisy_rows_are_those_of_the_estimate(noisy):
    rows = mistaken_rows(noisy)
    assert rows.sum() == pytest.approx(400)
    assert rows.sum(axis=1) == pytest.approx(400 * noisy.class_priors_)
    same(describe_confusions(noisy), by_hand(rows.tolist(), noisy.classes_.tolist()))
    off = rows.sum() - np.trace(rows)
    assert off / 400 == pytest.approx(describe_labels(noisy)["share_wrong"], abs=1e-9)


def test_noisy_rows_are_sums_over_rows_with_intervals(noisy):
    rows = [[0.0] * 4 for _ in range(4)]
    for row, label in zip(noisy.memberships_.tolist(), noisy.suspects().sort_values("row")["label"], strict=True):
        for s in range(4):
            rows[s][label] += row[s]
    assert mistaken_rows(noisy) == pytest.approx(np.array(rows))
    found, table = describe_confusions(noisy), noisy.confusions()
    for c, expected in zip(found, table.to_dict("records"), strict=False):
        assert {key: c[key] for key in ("true", "recorded")} == {key: expected[key] for key in ("true", "recorded")}
        assert [c["low"], c["high"]] == pytest.approx([expected["low"], expected["high"]])
        assert c["low"] < c["rate"] < c["high"]


def test_a_budget_is_of_the_most_doubtful_rows(noisy):
    p_wrong = noisy.suspects()["p_wrong"].to_numpy()
    doubtful = int((p_wrong > 0.05).sum())
    budget = describe_labels(noisy)["budget"]
    assert [b["rows"] for b in budget] == sorted({n for n in (10, 20, 50, 100, 200) if n <= doubtful} | {doubtful})
    for b in budget:
        assert b["mistakes"] == pytest.approx(p_wrong[: b["rows"]].sum())
        assert b["mistakes"] == pytest.approx(noisy.expected_mistakes(b["rows"]))


def test_nothing_is_said_about_labels_that_features_do_not_predict():
    X = np.random.default_rng(0).normal(size=(90, 3))
    with pytest.warns(UserWarning, match="do not predict"):
        model = NoisyLabels(random_state=0).fit(X, np.tile([0, 1, 2], 30))
    assert mistaken_rows(model) is None
    labels = describe_labels(model)
    assert [labels[key] for key in ("transition", "actions", "confusions")] == [None] * 3
    assert np.isnan(labels["share_wrong"])
    assert labels["budget"] == []


def test_labels_that_are_taken_as_right_have_no_confusions():
    assert describe_labels(HardLabels().fit(None, list("aabb"))) == {"kind": "hard", "confusions": None}
    assert describe_confusions(None) is None


def test_certain_probabilities_have_none_either():
    assert describe_confusions(SoftLabels().fit(None, pd.DataFrame(np.eye(3), columns=list("abc")))) == []


def test_a_class_that_nobody_is_of_does_no_harm():
    P = pd.DataFrame([[0.6, 0.4, 0.0]] * 10, columns=list("abc"))
    assert describe_confusions(SoftLabels().fit(None, P)) == [
        {"true": "b", "recorded": "a", "rate": pytest.approx(1.0), "low": None, "high": None, "rows": pytest.approx(4)}
    ]


def test_of_many_classes_the_matrix_is_left_out_and_the_most_frequent_pairs_are_there():
    codes = np.repeat(np.arange(150), 12)
    X = np.column_stack([codes % 15, codes // 15]) + np.random.default_rng(0).normal(scale=0.05, size=(1800, 2))
    recorded = np.where(np.arange(1800) % 12 < 3, (codes + 1) % 150, codes)
    selector = RankingSelector(labels=NoisyLabels(None, transition="full"), n_features_to_select=1).fit(X, recorded)
    labels = summarise(selector)["labels"]
    assert labels["transition"] is None
    assert len(labels["rates"]) == 150
    assert len(labels["confusions"]) == MOST_CONFUSIONS
    rows = mistaken_rows(selector.labels_)
    np.fill_diagonal(rows, 0.0)
    assert [c["rows"] for c in labels["confusions"]] == np.sort(rows, axis=None)[::-1][:MOST_CONFUSIONS].tolist()


# What mistakes cost


DISTANCES = {
    "paths": ClassDistance.from_paths({0: "a/b", 1: "a/c", 2: "d", 3: "d/e"}),
    "chain": ClassDistance.from_tree([(0, 1, 1.0), (1, 2, 2.0), (2, 3, 4.0)]),
    "vectors": ClassDistance.from_vectors([[0, 0], [3, 0], [0, 4], [3, 4]], classes=range(4)),
    "array": np.array([[0, 1, 2, 3], [1, 0, 2, 3], [2, 2, 0, 3], [3, 3, 3, 0]]),
}


@pytest.fixture(scope="module")
def blankets():
    X, codes = gaussians(600, 4, 4, informative=3)
    y = flip_uniform(codes, 0.3, random_state=0).y
    labels = NoisyLabels(transition="full", random_state=0)
    how = {"labels": labels, "n_features_to_select": 2, "random_state": 0}
    return {
        name: (
            selector := BlanketSelector(class_distance=D, n_conditioning=3, n_bins=10, **how).fit(2 * X, y),
            summarise(selector)["class_distance"],
        )
        for name, D in DISTANCES.items()
    }


@pytest.mark.parametrize("kind", DISTANCES)
def test_the_costs_of_all_pairs_sum_to_the_bound(blankets, kind):
    selector, found = blankets[kind]
    rows = mistaken_rows(selector.labels_)
    np.fill_diagonal(rows, 0.0)
    left_out = (np.where(rows < 0.5, rows, 0.0) / 600 * selector.class_distance_.matrix).sum()
    costs = [c["cost"] for c in found["confusions"]]
    assert costs == sorted(costs, reverse=True)
    assert sum(costs) + left_out == pytest.approx(found["noise_bound"], rel=1e-9)
    for c in found["confusions"]:
        assert c["distance"] == selector.class_distance_.matrix[c["true"], c["recorded"]]
        assert c["cost"] == pytest.approx(c["rows"] / 600 * c["distance"])


@pytest.mark.parametrize("kind", DISTANCES)
def test_ways_in_the_tree_are_as_long_as_the_distances(blankets, kind):
    """Unless no tree has them: then the matrix is there."""
    _, found = blankets[kind]
    given = DISTANCES[kind] if kind == "array" else DISTANCES[kind].matrix
    assert (found["matrix"] is None) == found["is_tree"] == (kind != "vectors")
    if not found["is_tree"]:
        assert found["matrix"] == given.tolist()
        return
    nodes = found["tree"]
    ways = []
    for node in nodes:
        ways.append({} if node["parent"] is None else ways[node["parent"]] | {len(ways): node["length"]})
    at = {node["class"]: way for node, way in zip(nodes, ways, strict=True) if node["class"] is not None}
    for s in range(4):
        for t in range(4):
            apart = sum(length for edge, length in {**at[s], **at[t]}.items() if (edge in at[s]) != (edge in at[t]))
            assert apart == pytest.approx(given[s, t], abs=1e-9)


def test_distances_that_nobody_gave_are_not_drawn():
    X, codes = gaussians(100, 3, 3)
    found = summarise(BlanketSelector(n_features_to_select=1, n_conditioning=3, n_bins=10).fit(X, codes))[
        "class_distance"
    ]
    assert found == {
        "classes": [0, 1, 2],
        "is_tree": True,
        "tree": None,
        "matrix": None,
        "confusions": None,
        "noise_bound": None,
    }
