"""The tables and figures of the paper."""

from experiments.reproduction import Paper

PAPER = Paper(
    name="label_noise",
    title="Wrong labels: Frénay, Doquire, Verleysen, *Estimating mutual information for feature selection in the "
    "presence of label noise* (2014)",
    items=(),
)
