"""The tables and figures of the paper."""

from experiments.label_noise import figures, gaussians, sets
from experiments.label_noise.curves import LITERAL, PLAIN
from experiments.label_noise.gaussians import GAUSSIANS
from experiments.label_noise.panels import LARGE, SMALL
from experiments.reproduction import Item, Paper

SIGNIFICANT = (
    "“Significantly” means, as in the paper's figures: at half or more of the sizes 2 to d - 1 the mean is lower and "
    "the 95 % intervals of the two means do not overlap. Beside it: the difference of the means over these sizes, with "
    "the p of a paired t test and the number of repetitions."
)
COSTS = (
    f"“Little” is not significant, or less than {SMALL:.0f} point in the mean over sizes; “much” is {LARGE:.0f} points "
    "at some size."
)

ITEMS = (
    Item(
        "Fig. 1",
        "Iris: a fifth of wrong labels makes the selected features worse at every size, and less stable.",
        "For 1, 2 and 3 features: the 95 % intervals do not overlap. With all 4 the curves are equal by construction. "
        "“Much wider”: 1.5 times or more at each of these sizes.",
        (PLAIN,),
        figures.check_iris,
        figures.draw_iris,
    ),
    Item(
        "Fig. 2",
        "One wrong label among forty has a very low density, and lowers the estimate of mutual information.",
        "Over all draws: the density is the lowest of all in more than half; the estimate is lower by a paired t test "
        "at 5 %; the two printed values lie between the 5 % and 95 % quantiles (shown: 10, 50 and 90 %).",
        (GAUSSIANS,),
        gaussians.check_before,
        gaussians.draw_before,
    ),
    Item(
        "Fig. 3",
        "With the noise model the density of that sample is at the level of its true class, the error probabilities "
        "are close to the true ones and the information is better estimated.",
        "In more than half of the draws: the density rises; by half of the way to what it is with the right label; "
        "both error probabilities are within 0.05 of the truth; the estimate is nearer to that of right labels, also "
        "by a paired t test of the distances. The printed value lies between the 5 % and 95 % quantiles.",
        (GAUSSIANS,),
        gaussians.check_after,
        gaussians.draw_after,
    ),
    Item(
        "Table 1",
        "Eleven data sets: rows, features, classes and imbalance (eq. 31).",
        "The first three are equal, the imbalance within 0.005.",
        (sets.SETS,),
        sets.check_sets,
    ),
    Item(
        "Fig. 4",
        "Iris, Segment, Vehicle, Vertebral Column: wrong labels make the plain search worse, and the tolerant one is "
        "better; with a tenth of wrong labels except on Vertebral Column.",
        f"{SIGNIFICANT} {COSTS}",
        (PLAIN, LITERAL),
        figures.check(figures.check_better, figures.FIG_4),
        figures.draw(figures.FIG_4),
    ),
    Item(
        "Fig. 5",
        "Wall Robot, Waveform, Wine, Yeast: the same; with a tenth of wrong labels except on Wall Robot. Noise costs "
        "little on Yeast.",
        f"{SIGNIFICANT} {COSTS}",
        (PLAIN, LITERAL),
        figures.check(figures.check_better, figures.FIG_5),
        figures.draw(figures.FIG_5),
    ),
    Item(
        "Fig. 6",
        "Ecoli, Glass, Page: the tolerant search is no better than the plain one. Noise has no effect on Ecoli, and "
        "one on both searches on the others.",
        f"{SIGNIFICANT} {COSTS}",
        (PLAIN, LITERAL),
        figures.check(figures.check_equal, figures.FIG_6),
        figures.draw(figures.FIG_6),
    ),
)

PAPER = Paper(
    name="label_noise",
    title="Wrong labels: Frénay, Doquire, Verleysen, *Estimating mutual information for feature selection in the "
    "presence of label noise* (2014)",
    items=ITEMS,
    readings=(
        "Normalised: mean 0 and variance 1 over all rows, before the split.",
        "The paper has 100 repetitions of everything. Its own search takes minutes on Page, Wall Robot and Waveform, "
        "where 20 are declared here: intervals are wider, and fewer differences significant. The number behind each "
        "check is in brackets; a handful decides little, for or against a claim.",
        "Vehicle has 752 rows in the paper: eight of the nine files of the data set. Which one was left out is not "
        "said; here it is the last. Yeast: the four classes have 1299 rows, not 1296.",
        "Classes of the k nearest neighbours of the classifier that are equally frequent: the one met first.",
        "How often EM is started is not said: five times. It starts from the recorded labels, ends when no error "
        "probability moves by more than 1e-4, or after 100 iterations. The run of highest likelihood counts.",
        "EM may take all samples but one from a class, and then there is no estimate; such a repetition is left out "
        "(`left_out` in results/literal.jsonl).",
        "Self: Algorithm 1 counts a sample as its own neighbour, eq. 6 does not. Both as printed, so that the "
        "estimates of figures 2 and 3 differ by about 1/7 for equal labels.",
        "Figs. 2 and 3: twenty samples of each class; the noise model has k = 8 as the estimate, since the k = 3 of "
        "section 6 is introduced later (both are run). The draw that is shown is the one whose first two estimates are "
        "nearest to those printed.",
        "All searches of a repetition share split, wrong labels and jitter, so that differences are paired; ours has "
        "no jitter.",
    ),
)
