"""The five papers, in the order of VERDICTS.md."""

from experiments.class_distance.paper import PAPER as CLASS_DISTANCE
from experiments.label_noise.paper import PAPER as LABEL_NOISE
from experiments.multilabel.paper import PAPER as MULTILABEL
from experiments.risk.paper import PAPER as RISK
from experiments.soft_labels.paper import PAPER as SOFT_LABELS

PAPERS = (LABEL_NOISE, RISK, SOFT_LABELS, CLASS_DISTANCE, MULTILABEL)
