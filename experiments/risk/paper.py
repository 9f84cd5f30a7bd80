"""The tables and figures of the paper."""

from experiments.reproduction import Paper

PAPER = Paper(
    name="risk", title="Risk: Doquire, Frénay, Verleysen, *Risk estimation and feature selection* (2013)", items=()
)
