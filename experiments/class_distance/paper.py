"""The tables and figures of the paper."""

from experiments.reproduction import Paper

PAPER = Paper(
    name="class_distance",
    title="Class distances: Li, *Feature selection based on Wasserstein distance* (2024)",
    items=(),
)
