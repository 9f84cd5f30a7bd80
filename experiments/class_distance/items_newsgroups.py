"""Table III and Fig. 8: 20 newsgroups."""

from __future__ import annotations

import numpy as np

from experiments.class_distance import figures_losses as figures
from experiments.class_distance import newsgroups
from experiments.class_distance.losses import BEYOND, CURVES, SPLIT_RULE, differences, gap, mostly_below, share_below
from experiments.class_distance.topics import PRINTED, TOPICS
from experiments.reproduction import Check, Finding, Item


def check_topics(records):
    if not len(records):
        return None
    record = next(iter(records))
    groups, names = np.array(record["groups"]), np.array(record["cells"])
    cells = {frozenset(groups[names == name].tolist()) for name in names}
    same, alike = names[:, None] == names, np.array(record["alike"])
    apart, D = ~np.eye(len(groups), dtype=bool), np.array(record["distances"])
    lead, p = within_lead(names, alike)
    nearest = np.where(apart, alike, -np.inf).argmax(axis=1)
    company = [i for i in range(len(groups)) if same[i].sum() > 1]
    together = sum(names[nearest[i]] == names[i] for i in company)
    printed = {group for cell in PRINTED for group in cell}
    checks = [
        Check(
            "the newsgroups are those printed", set(groups.tolist()) == printed, f"{len(groups)} groups", "20 groups"
        ),
        Check("the cells are those printed", cells == set(map(frozenset, PRINTED)), f"{len(cells)} cells", "6 cells"),
        Check(
            "0.2 within a cell, 1 between cells",
            bool(np.allclose(D[same & apart], 0.2) and np.allclose(D[~same], 1.0)),
            "a metric, and a tree",
            "0.2 and 1",
        ),
        Check("about 20,000 documents", abs(record["documents"] / 20000 - 1) < 0.1, f"{record['documents']}", "20,000"),
        Check(
            "groups of a cell are more alike than others",
            bool(lead > 0 and p < 0.05),
            f"cosine {lead:+.2f}, p = {p:.4f}",
        ),
        Check(
            "the nearest group is mostly of the same cell", 2 * together > len(company), f"{together} of {len(company)}"
        ),
    ]
    return Finding(
        "once",
        f"{len(groups)} groups in {len(cells)} cells, {record['documents']} documents",
        "20 in 6, 20,000",
        checks,
    )


def within_lead(names, alike, draws=2000):
    """How much more alike groups of one cell are in the mean, and its p by permuting the groups."""
    pairs, rng = np.triu_indices(len(names), 1), np.random.default_rng(0)

    def lead(names):
        same = names[pairs[0]] == names[pairs[1]]
        return alike[pairs][same].mean() - alike[pairs][~same].mean()

    found = lead(names)
    return found, (1 + sum(lead(rng.permutation(names)) >= found for _ in range(draws))) / (draws + 1)


def check_newsgroups(records):
    """By the levels and Euclidean distance; the split by date decides, over its test documents."""
    blocks = differences(records, "blocks", "W", "KL", [0])
    if not len(blocks):
        return None
    by_size = [gap(size) for size in blocks[0]]
    overall = gap(blocks[0].mean(axis=0))
    random = differences(records, "losses", "W", "KL", range(1, newsgroups.SPLITS + 1))
    checks = [
        Check(
            "W below KL at most numbers of words, split by date",
            mostly_below([g.mean for g in by_size]),
            ", ".join(f"{n}: {g}" for n, g in zip(newsgroups.SIZES, by_size, strict=True)),
            CURVES,
        ),
        Check(f"{BEYOND} numbers of words (test documents)", overall.below, f"W - KL {overall}"),
    ]
    if len(random):
        split = gap(random[:, 0].mean(axis=1), newsgroups.OVERLAP)
        cells = random[:, 0].mean(axis=0)
        says = "random splits: W below KL at most numbers of words"
        checks.append(Check(says, mostly_below(cells), f"{share_below(cells)}; mean {split}"))
    others = differences(records, "losses", "W", "KL", [0])[0].mean(axis=1)
    told = [f"{metric} on {on} {others[i]:+.2f}" for i, (on, metric) in enumerate(newsgroups.JUDGES) if i]
    ours = f"W - KL, hundredths: {overall}; {', '.join(told)}"
    return Finding(f"split by date, {len(random)} random ones", ours, "W lower in most cases", checks)


TABLE_3 = Item(
    number="Table III",
    claim="The 20 newsgroups in six cells; topics of a cell are closely related, those of different cells are not.",
    rule="Names and cells must be equal. Documents within 10 % of the printed number. Alike: cosine of mean tf-idf "
    "vectors larger within cells (permutation of the groups, p < 0.05), and the most similar group of the same cell "
    "for more than half of the groups that have company.",
    experiments=(TOPICS,),
    check=check_topics,
    draw=figures.topics_figure,
)

FIG_8 = Item(
    number="Fig. 8",
    claim="20 newsgroups, top-1 cost by number of words: W is lower than KL in most cases.",
    rule="Ten neighbours by Euclidean distance of the levels. Most: at more than half of 10, 20, 50, 100, 200 and 500 "
    "words. Intervals of the split by date are over test documents. " + SPLIT_RULE,
    experiments=(newsgroups.NEWSGROUPS,),
    check=check_newsgroups,
    draw=figures.newsgroups_figure,
)
