"""What is measured: the full run, and a quick one that only shows that everything works."""

from __future__ import annotations

from dataclasses import dataclass

from .data import Shape
from .report import Bar


@dataclass(frozen=True)
class BackwardCase:
    """A full backward search and how many times as long, at least, the same work takes elsewhere."""

    shape: Shape
    repetitions: int
    brute: Bar | None = None
    trees: Bar | None = None


@dataclass(frozen=True)
class Plan:
    """Sizes of everything; `bars` tells whether the bars, which hold for the full sizes only, apply."""

    bars: bool
    backward: tuple[BackwardCase, ...]
    agreement: Shape
    soft: tuple[Shape, ...]
    in_doubt: Shape
    crowd: Shape
    answers: tuple[Shape, ...]
    threads: Shape
    memory: Shape
    growth_in_d: tuple[Shape, ...]
    growth_in_n: tuple[Shape, ...]
    ties: tuple[Shape, ...]
    forward: tuple[Shape, ...]
    n_features_forward: int
    risk: tuple[Shape, ...]
    tolerant: tuple[Shape, ...]
    size: Shape
    sampled: Shape
    n_seeds: int
    growth_sampled: tuple[Shape, ...]
    long: tuple[tuple[Shape, float], ...]
    size_soft: Shape
    laplacian: Shape
    laplacian_growth: tuple[Shape, ...]
    file: Shape
    univariate: tuple[Shape, ...]
    wide: Shape
    probes: Shape
    wide_growth: tuple[Shape, ...]
    wide_peers: tuple[Shape, ...]
    n_classes: int
    n_columns: int
    repetitions: int

    def bar(self, sense: str, limit: float) -> Bar | None:
        return Bar(sense, limit) if self.bars else None


FULL = Plan(
    bars=True,
    backward=(
        BackwardCase(Shape(500, 20, 3), 5, Bar(">=", 60), Bar(">=", 60)),
        BackwardCase(Shape(2310, 18, 7), 3, Bar(">=", 30), Bar(">=", 60)),
        BackwardCase(Shape(5000, 40, 3), 2, Bar(">=", 60), Bar(">=", 300)),
    ),
    agreement=Shape(500, 20, 3),
    soft=(Shape(500, 20, 3), Shape(2310, 18, 7), Shape(5000, 40, 3)),
    in_doubt=Shape(2310, 18, 7),
    crowd=Shape(1000, 60, 10),
    answers=(Shape(250_000, 2500, 10), Shape(500_000, 5000, 10)),
    threads=Shape(5000, 40, 3),
    memory=Shape(20000, 10, 3),
    growth_in_d=tuple(Shape(1000, d, 3) for d in (20, 40, 80, 160)),
    growth_in_n=tuple(Shape(n, 10, 3) for n in (500, 1000, 2000, 4000, 8000)),
    ties=(Shape(2000, 30, 3), Shape(4601, 57, 2)),
    forward=(Shape(2310, 18, 7), Shape(1200, 100, 3)),
    n_features_forward=10,
    risk=(Shape(500, 20, 3), Shape(2310, 18, 7)),
    tolerant=(Shape(2310, 18, 7), Shape(5000, 40, 3)),
    size=Shape(1000, 40, 3),
    sampled=Shape(50_000, 30, 3),
    n_seeds=20,
    growth_sampled=tuple(Shape(n, 20, 5) for n in (10_000, 100_000, 1_000_000)),
    long=((Shape(100_000, 50, 5), 3), (Shape(1_000_000, 50, 5), 15)),
    size_soft=Shape(1240, 250, 5),
    laplacian=Shape(4000, 100, 10),
    laplacian_growth=tuple(Shape(n, 50, 5) for n in (25_000, 50_000, 100_000, 200_000, 400_000)),
    file=Shape(2_000_000, 100, 5),
    univariate=(Shape(1000, 40, 3), Shape(20_000, 40, 3)),
    wide=Shape(200, 10_000, 2),
    probes=Shape(2600, 500, 2),
    wide_growth=tuple(Shape(200, d, 2) for d in (1000, 2000, 4000, 8000, 16_000)),
    wide_peers=(Shape(200, 10_000, 2), Shape(20_000, 50, 2)),
    n_classes=2000,
    n_columns=100_000,
    repetitions=3,
)

QUICK = Plan(
    bars=False,
    backward=(
        BackwardCase(Shape(200, 8, 3), 2),
        BackwardCase(Shape(400, 10, 7), 1),
        BackwardCase(Shape(600, 12, 3), 1),
    ),
    agreement=Shape(200, 8, 3),
    soft=(Shape(200, 8, 3),),
    in_doubt=Shape(400, 10, 7),
    crowd=Shape(200, 15, 5),
    answers=(Shape(10_000, 200, 5),),
    threads=Shape(1000, 20, 3),
    memory=Shape(4000, 10, 3),
    growth_in_d=tuple(Shape(300, d, 3) for d in (10, 20, 40)),
    growth_in_n=tuple(Shape(n, 10, 3) for n in (250, 500, 1000)),
    ties=(Shape(400, 10, 3),),
    forward=(Shape(400, 10, 7), Shape(300, 30, 3)),
    n_features_forward=5,
    risk=(Shape(200, 8, 3),),
    tolerant=(Shape(400, 10, 7),),
    size=Shape(300, 12, 3),
    sampled=Shape(12_000, 12, 3),
    n_seeds=2,
    growth_sampled=tuple(Shape(n, 5, 5) for n in (10_000, 20_000)),
    long=((Shape(12_000, 6, 3), 3),),
    size_soft=Shape(200, 30, 5),
    laplacian=Shape(800, 30, 5),
    laplacian_growth=tuple(Shape(n, 20, 5) for n in (5000, 10_000, 20_000)),
    file=Shape(100_000, 20, 5),
    univariate=(Shape(500, 10, 3),),
    wide=Shape(60, 500, 2),
    probes=Shape(200, 40, 2),
    wide_growth=tuple(Shape(60, d, 2) for d in (300, 600, 1200)),
    wide_peers=(Shape(60, 300, 2), Shape(500, 30, 2)),
    n_classes=200,
    n_columns=30_000,
    repetitions=2,
)
