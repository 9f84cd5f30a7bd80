"""The tables and figures of the paper."""

from experiments.reproduction import Paper

PAPER = Paper(
    name="multilabel",
    title="Label sets: Doquire, Verleysen, *Mutual information-based feature selection for multilabel "
    "classification* (2013)",
    items=(),
)
