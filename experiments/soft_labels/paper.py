"""The tables and figures of the paper."""

from experiments.reproduction import Paper

PAPER = Paper(
    name="soft_labels",
    title="Soft labels: Doquire, Verleysen, *Handling imprecise labels in feature selection with graph "
    "Laplacian* (2012)",
    items=(),
)
