"""From predictions for rows left out to losses, a size and an error."""

import numpy as np
import pytest
from samples import one_hot
from scipy.optimize import minimize_scalar
from scipy.stats import ttest_1samp
from sklearn.metrics import balanced_accuracy_score

from tamis._validation import Rows
from tamis.evidence.curves import Curves, enough, one_sided
from tamis.evidence.held_out import HeldOut


def held_out(rows, targets, shares, *predictions, about=None):
    """What judges have said: of each, probabilities of shape (n_subsets, n_rows, n_classes)."""
    predicted = np.array(predictions, dtype=np.float32)
    return HeldOut(np.asarray(rows), targets, shares, predicted, Rows() if about is None else about)


def random_repeats(targets, *, n_subsets=3, n_folds=4, n_repeats=2, seed=0, better=0.5):
    """Predictions that have something to do with the targets, and the shares of each fold."""
    rng = np.random.default_rng(seed)
    n, n_classes = targets.shape
    said = []
    for _ in range(n_repeats):
        folds = []
        for rows in np.array_split(rng.permutation(n), n_folds):
            rows = np.sort(rows)
            shares = np.delete(targets, rows, axis=0).mean(axis=0)
            noise = rng.dirichlet(np.ones(n_classes), size=(n_subsets, len(rows)))
            folds.append((rows, shares, better * targets[rows] + (1 - better) * noise))
        said.append(folds)
    return said


def curves_of(said, targets, tolerance=0.01):
    repeats = [[held_out(rows, targets[rows], shares, P) for rows, shares, P in folds] for folds in said]
    return Curves(repeats, tolerance, one_class=True)


@pytest.mark.parametrize("seed", range(3))
def test_losses_and_gains_written_out(seed):
    """Every row: the loss of the shares, and of the prediction pulled to them as the other folds like it best."""
    rng = np.random.default_rng(seed)
    targets = rng.dirichlet(np.ones(3), size=30)
    said = random_repeats(targets, seed=seed)
    alone, gain = np.zeros(30), np.zeros((3, 30))
    for folds in said:
        for place, (rows, shares, P) in enumerate(folds):
            others = [fold for other, fold in enumerate(folds) if other != place]
            for row in rows:
                alone[row] += sum((targets[row] - shares) ** 2) / len(said)
            for subset in range(3):

                def loss(a, folds, subset=subset):
                    return sum(
                        sum((targets[r] - s - a * (p - s)) ** 2)
                        for rows, s, Q in folds
                        for r, p in zip(rows, Q[subset], strict=True)
                    )

                a = minimize_scalar(loss, bounds=(0, 1.5), args=(others,), method="bounded", options={"xatol": 1e-10}).x
                for row, p in zip(rows, P[subset], strict=True):
                    before = sum((targets[row] - shares) ** 2)
                    gain[subset, row] += (before - sum((targets[row] - shares - a * (p - shares)) ** 2)) / len(said)
    curves = curves_of(said, targets)
    np.testing.assert_allclose(curves.gains(), gain, atol=1e-7)
    assert curves.loss_of_nothing() == pytest.approx(alone.mean())
    loss, error = curves.losses()
    np.testing.assert_allclose(loss, (alone - gain).mean(axis=1), atol=1e-7)
    np.testing.assert_allclose(error, (alone - gain).std(axis=1, ddof=1) / np.sqrt(30), atol=1e-7)


def test_predictions_that_say_nothing_cost_nothing():
    targets = one_hot(np.arange(40) % 2)
    folds = [(np.arange(k, 40, 4), np.full(2, 0.5), 1 - targets[None, k::4]) for k in range(4)]  # always wrong
    curves = curves_of([folds], targets)
    assert not curves.gains().any()
    assert curves.choice == 0


@pytest.mark.parametrize(
    ("gains", "tolerance", "choice"),
    [
        ([0.1, 0.2, 0.3, 0.3], 0.0, 2),
        ([0.1, 0.2, 0.3, 0.2], 0.0, 2),
        ([0.1, 0.29, 0.3, 0.2], 0.01, 2),
        ([0.1, 0.29, 0.3, 0.2], 0.05, 1),
        ([0.2, 0.1, 0.3], 0.5, 0),
        ([0.0, 0.0, 0.0], 0.01, 0),
        ([0.3, 0.3], 0.01, 0),
    ],
)
def test_the_smallest_subset_that_keeps_nearly_all_of_the_best_gain(gains, tolerance, choice):
    curves = Curves([exact(gains)], tolerance, one_class=True)
    np.testing.assert_allclose(curves.gains().mean(axis=1), gains, atol=1e-6)
    assert curves.choice == choice


def exact(gains, n=42):
    """Folds in which each subset gains exactly so much in every row, of 2/3 that can be gained."""
    targets, shares, folds = one_hot(np.arange(n) % 3), np.full(3, 1 / 3), []
    along = np.asarray(gains, dtype=float)[:, None, None] / (2 / 3)
    for rows in np.array_split(np.arange(n), 4):
        off = targets[rows] - shares
        across = (np.roll(off, 1, axis=1) - np.roll(off, -1, axis=1)) / np.sqrt(3)  # as long, at a right angle
        folds.append(held_out(rows, targets[rows], shares, shares + along * off + np.sqrt(along - along**2) * across))
    return folds


def test_a_size_within_one_standard_error_is_good_enough():
    rng = np.random.default_rng(0)
    gain = np.array([0.10, 0.25, 0.28, 0.30])
    for se, tolerance, choice in ((0.01, 0.05, 3), (0.021, 0.05, 2), (0.06, 0.05, 1), (1.0, 0.05, 1), (1.0, 0.2, 0)):
        assert enough(gain, np.full(4, se) * (gain < 0.3), tolerance) == choice  # at most five times the tolerance
    assert enough(gain, np.full(4, 1.0), tolerance=0.0) == 3
    targets = one_hot(rng.integers(0, 2, 60))
    curves = curves_of(random_repeats(targets, n_subsets=4, seed=4, better=0.2), targets)
    behind = curves.gains()[curves.gains().mean(axis=1).argmax()] - curves.gains()
    np.testing.assert_allclose(curves.behind_se(), behind.std(axis=1, ddof=1) / np.sqrt(60))


def test_judges_are_mixed_by_what_they_gain_on_the_other_folds():
    """One that says nothing useful has no weight; two that are equally good count alike."""
    targets = one_hot(np.arange(60) % 2)
    said = random_repeats(targets, n_repeats=1, seed=5)[0]
    noise = random_repeats(targets, n_repeats=1, seed=6, better=0.0)[0]
    pairs = list(zip(said, noise, strict=True))
    folds = {
        "alone": [held_out(rows, targets[rows], s, P) for (rows, s, P), _ in pairs],
        "mixed": [held_out(rows, targets[rows], s, P, Q) for (rows, s, P), (*_, Q) in pairs],
    }
    alone, mixed = (Curves([folds[kind]], 0.0, one_class=True).gains() for kind in ("alone", "mixed"))
    np.testing.assert_allclose(mixed, alone, atol=1e-3)
    twice = [held_out(rows, targets[rows], s, P, P) for rows, s, P in said]
    np.testing.assert_allclose(Curves([twice], 0.0, one_class=True).gains(), alone, atol=1e-6)


def test_the_nested_choice_of_a_fold_does_not_see_the_losses_of_its_rows():
    """Predictions that are much too near the shares are all pushed away by the largest factor, whatever the rows."""
    targets, moved = one_hot(np.random.default_rng(1).integers(0, 2, 40)), 0
    for seed in range(30):
        said = random_repeats(targets, n_subsets=5, seed=seed, better=0.4)
        said = [[(rows, s, s + 0.01 * (P - s)) for rows, s, P in folds] for folds in said]
        changed, rows = targets.copy(), said[0][0][0]
        changed[rows] = 1 - changed[rows]
        before, after = (curves_of(said, T, tolerance=0.1) for T in (targets, changed))
        assert before._nested[0] == after._nested[0]
        moved += before.choice != after.choice
    assert moved  # while the choice by all rows does see them


def test_balanced_error_of_classes_is_that_of_scikit_learn():
    rng = np.random.default_rng(2)
    codes = rng.choice(3, p=[0.6, 0.3, 0.1], size=60)
    said = random_repeats(one_hot(codes), n_repeats=1, seed=3)
    for place, (error, _) in enumerate(curves_of(said, one_hot(codes)).errors()):
        decided = np.empty(60, dtype=int)
        for rows, _, P in said[0]:
            decided[rows] = P[place].argmax(axis=1)
        assert error == pytest.approx(1 - balanced_accuracy_score(codes, decided))


def test_balanced_error_of_memberships_is_the_expected_one():
    """Three rows, worked out: class 0 has a weight of 1.7, of which 0.2 is missed; class 1 1.3, of which 0.5 is."""
    targets = np.array([[1.0, 0.0], [0.5, 0.5], [0.2, 0.8]])
    predictions = np.array([[[0.9, 0.1], [0.6, 0.4], [0.3, 0.7]]])
    folds = [held_out([k], targets[[k]], np.array([0.5, 0.5]), predictions[:, [k]]) for k in range(3)]
    (error, _), *_ = Curves([folds], 0.01, one_class=True).errors()
    assert error == pytest.approx((0.2 / 1.7 + 0.5 / 1.3) / 2)


def test_balanced_error_of_label_sets_is_over_presence_and_absence():
    """Label a: one of two missed, none of one wrongly given. Label b: none of one missed, one of two wrongly given."""
    targets = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 0.0]])
    predictions = np.array([[[0.9, 0.8], [0.2, 0.7], [0.1, 0.4]]])
    shares = np.array([0.5, 0.5])
    folds = [held_out([k], targets[[k]], shares, predictions[:, [k]]) for k in range(3)]
    curves = Curves([folds], 0.01, one_class=False)
    assert curves.errors()[0][0] == pytest.approx((1 / 2 + 0 + 0 + 1 / 2) / 4)
    assert curves.error_of_nothing() == 0.5


def decisions(codes, wrong, n_repeats=1, about=None):
    """Curves of one subset whose decisions are right but for some rows."""
    targets = one_hot(codes)
    P = targets.copy()
    P[wrong] = np.roll(P[wrong], 1, axis=1)
    shares = targets.mean(axis=0)
    about = Rows() if about is None else about
    parts = np.array_split(np.arange(len(codes)), 4)
    folds = [held_out(rows, targets[rows], shares, P[None, rows], about=about.of(rows)) for rows in parts]
    return Curves([folds] * n_repeats, 0.01, one_class=True)


@pytest.mark.parametrize(("n", "n_wrong"), [(20, 2), (100, 20), (100, 2), (400, 80)])
def test_with_equal_classes_the_interval_is_wilsons(n, n_wrong):
    """As many errors in either class."""
    error, (low, high) = decisions(np.arange(n) % 2, np.arange(n_wrong)).errors()[0]
    p, z = n_wrong / n, 1.959963984540054
    middle = (p + z**2 / (2 * n)) / (1 + z**2 / n)
    far = z / (1 + z**2 / n) * np.sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    assert (error, low, high) == pytest.approx((p, middle - far, middle + far))


@pytest.mark.parametrize("n_wrong", [0, 4, 100])
def test_intervals_contain_the_estimate_and_shrink_with_more_rows(n_wrong):
    widths = []
    for n in (100, 400, 1600):
        error, (low, high) = decisions(np.arange(n) % 2, np.arange(n_wrong * n // 100)).errors()[0]
        assert low - 1e-12 <= error <= high + 1e-12
        assert 0 <= low < high <= 1
        widths.append(high - low)
    assert sorted(widths, reverse=True) == widths


@pytest.mark.parametrize("n_repeats", [1, 5])
def test_repetitions_are_no_more_rows(n_repeats):
    """Saying the same again makes nothing surer, nor does it at an error of zero."""
    codes = np.repeat([0, 1, 2], [60, 30, 10])
    for wrong in ([], [0, 1, 65, 66, 95]):
        once, again = decisions(codes, wrong).errors()[0], decisions(codes, wrong, n_repeats).errors()[0]
        assert again[0] == pytest.approx(once[0])
        assert again[1] == pytest.approx(once[1])


def test_rare_classes_make_a_balanced_error_less_certain():
    equal, unequal = np.arange(100) % 2, (np.arange(100) < 5).astype(int)
    assert decisions(unequal, []).errors()[0][1][1] > 3 * decisions(equal, []).errors()[0][1][1]


def test_knowing_nothing():
    targets = one_hot(np.arange(40) % 3)
    curves = curves_of(random_repeats(targets), targets)
    assert curves.error_of_nothing() == pytest.approx(2 / 3)


def test_the_p_value_is_students():
    gains = np.random.default_rng(0).normal(0.1, 1, 50)
    assert one_sided(gains) == pytest.approx(ttest_1samp(gains, 0, alternative="greater").pvalue)
    assert one_sided(np.zeros(5)) == one_sided(np.full(5, -1.0)) == 1.0
    assert one_sided(np.full(5, 0.25)) == pytest.approx(2.0**-5)  # all right: the sign test


def test_of_equally_probable_classes_the_first_is_decided_for():
    """Right in one row of two: class 0 is never missed, class 2 always."""
    targets, shares = one_hot(np.array([0, 2, 0, 2])), np.full(3, 1 / 3)
    P = np.array([[[0.4, 0.2, 0.4], [0.4, 0.2, 0.4]]])
    folds = [held_out(rows, targets[rows], shares, P) for rows in ([0, 1], [2, 3])]
    assert Curves([folds], 0.0, one_class=True).errors()[0][0] == 0.5


def test_of_label_sets_every_label_is_decided_upon():
    targets = np.array([[1.0, 1.0], [0.0, 0.0]])
    P = np.array([[[0.6, 0.4], [0.2, 0.5]]])  # the second label is missed once; one half is no label
    folds = [held_out(rows, targets, np.full(2, 0.5), P) for rows in ([0, 1], [2, 3])]
    assert Curves([folds], 0.0, one_class=False).errors()[0][0] == 0.25


COUNTS = np.random.default_rng(7).integers(1, 5, 40)
COPIES = np.repeat(np.arange(40), COUNTS)


def weighted_and_repeated(targets, *, one_class=True, group=None):
    """The same predictions, of rows with weights and of copies of the rows; and with groups of rows beside."""
    said = random_repeats(targets, seed=3, better=0.3, n_repeats=3)
    first = np.searchsorted(COPIES, np.arange(40))
    rows = {"weighted": Rows(weight=COUNTS.astype(float), group=group)}
    rows["repeated"] = Rows(group=COPIES if group is None else group[COPIES])
    plain, again = [], []
    for folds in said:
        plain.append([held_out(r, targets[r], s, P, about=rows["weighted"].of(r)) for r, s, P in folds])
        again.append([])
        for r, s, P in folds:
            copies = np.concatenate([first[one] + np.arange(COUNTS[one]) for one in r])
            of = COPIES[copies]
            P = P[:, np.searchsorted(r, of)]
            again[-1].append(held_out(copies, targets[of], s, P, about=rows["repeated"].of(copies)))
    return tuple(Curves(repeats, 0.01, one_class=one_class) for repeats in (plain, again))


def soft(n, n_classes=3):
    return np.random.default_rng(9).dirichlet(np.full(n_classes, 0.5), size=n)


def unmixed(n):
    """As labels that are corrected for noise: below zero, and above one."""
    return np.array([[1.2, -0.2], [-0.3, 1.3]])[np.random.default_rng(9).integers(0, 2, n)]


CODES = np.random.default_rng(8).integers(0, 3, 40)
GROUP = np.random.default_rng(5).integers(0, 12, 40)


def same(a, b):
    """All that is said of them."""
    np.testing.assert_allclose(a.losses(), b.losses())
    np.testing.assert_allclose(a.behind_se(), b.behind_se(), atol=1e-12)
    assert a.choice == b.choice
    assert a._nested == b._nested
    assert a.loss_of_nothing() == pytest.approx(b.loss_of_nothing())
    assert a.p_value_of_nothing() == pytest.approx(b.p_value_of_nothing())
    for one, other in zip([*a.errors(), a.expected_error()], [*b.errors(), b.expected_error()], strict=True):
        assert one[0] == pytest.approx(other[0])
        assert one[1] == pytest.approx(other[1])


@pytest.mark.parametrize("group", [None, GROUP], ids=["alone", "groups"])
@pytest.mark.parametrize("targets", [one_hot(CODES), soft(40), unmixed(40)], ids=["classes", "soft", "unmixed"])
def test_a_weight_is_copies_of_a_row_that_are_one_group(targets, group):
    weighted, repeated = weighted_and_repeated(targets, group=group)
    same(weighted, repeated)
    assert weighted.n_units == repeated.n_units == (40 if group is None else len(np.unique(GROUP)))


def test_a_weight_is_copies_of_a_row_of_label_sets():
    same(*weighted_and_repeated((np.random.default_rng(1).random((40, 3)) < 0.4).astype(float), one_class=False))


@pytest.mark.parametrize("targets", [one_hot(CODES), soft(40), unmixed(40)], ids=["classes", "soft", "unmixed"])
@pytest.mark.parametrize("about", [Rows(group=np.arange(40)), Rows(weight=np.full(40, 2.5))], ids=["group", "weight"])
def test_groups_of_one_and_equal_weights_are_as_nothing(targets, about):
    said = random_repeats(targets, seed=3, better=0.3)
    plain = [[held_out(rows, targets[rows], s, P) for rows, s, P in folds] for folds in said]
    other = [[held_out(rows, targets[rows], s, P, about=about.of(rows)) for rows, s, P in folds] for folds in said]
    same(*(Curves(repeats, 0.01, one_class=True) for repeats in (plain, other)))


def test_copies_that_are_one_group_make_nothing_surer():
    """Four copies of each row: without groups the interval is half as wide."""
    codes, wrong = np.arange(40) % 2, [0, 1, 6, 9]
    once = decisions(codes, wrong).errors()[0]
    copies = np.repeat(np.arange(40), 4)
    bare, grouped = (
        decisions(codes[copies], np.isin(copies, wrong), about=about) for about in (None, Rows(None, copies))
    )
    assert grouped.errors()[0][0] == pytest.approx(once[0])
    assert grouped.errors()[0][1] == pytest.approx(once[1])
    widths = [np.diff(curves.errors()[0][1])[0] for curves in (bare, grouped)]
    assert widths[0] < 0.6 * widths[1]


def test_if_one_row_has_all_weight_the_interval_is_that_of_one_row():
    weight = np.ones(40)
    weight[5] = 1e9
    (error, (low, high)) = decisions(np.arange(40) % 2, [], about=Rows(weight=weight)).errors()[0]
    n, z = 4 / (1 / 20 + 1 / 1), 1.959963984540054  # one class is twenty rows, the other one
    assert (error, low, high) == pytest.approx((0, 0, z**2 / (n + z**2)), abs=1e-6)


def test_a_group_may_be_judged_in_several_folds():
    """As folds that go forward in time do; where every group is in every fold, other rows choose the size."""
    targets = one_hot(np.arange(40) % 2)
    said = random_repeats(targets, n_repeats=1, n_folds=4)
    about = Rows(group=np.arange(40) % 3)
    folds = [held_out(rows, targets[rows], s, P, about=about.of(rows)) for rows, s, P in said[0]]
    error, (low, high) = Curves([folds], 0.01, one_class=True).expected_error()
    assert 0 <= low <= error <= high <= 1


def test_other_rows_of_a_group_do_not_choose_its_size():
    """Two folds have rows of ten groups in common, and the choice for the first one does without them."""
    targets = one_hot(np.arange(60) % 2)
    said = random_repeats(targets, n_subsets=4, n_repeats=1, n_folds=3, better=0.2)[0]
    group = np.arange(60)
    group[said[1][0][:10]] = group[said[0][0][:10]]
    about = Rows(group=group)
    curves = Curves([[held_out(r, targets[r], s, P, about=about.of(r)) for r, s, P in said]], 0.01, one_class=True)
    rest = ~np.isin(group, group[said[0][0]])
    assert rest.sum() == 30
    assert curves._nested[0] == curves._choose(curves.gains()[:, rest], about.of(rest))
