"""Data to try things on: artificial problems, ways to spoil labels on purpose, and readers of local tables."""

from .blocks import Block, read_blocks, read_matrix
from .expert import Doubted, uncertain_expert
from .multilabel_problems import MultiLabelProblem, make_multilabel_1, make_multilabel_2
from .problems import Problem, make_circle, make_spheres, make_squares, make_y4, make_y5
from .spoil import Spoiled, flip_by_transition, flip_near, flip_per_class, flip_uniform, flip_within
from .spoil_by_features import flip_by_probabilities, flip_near_boundary
from .tables import Table, read_table

__all__ = [
    "Block",
    "Doubted",
    "MultiLabelProblem",
    "Problem",
    "Spoiled",
    "Table",
    "flip_by_probabilities",
    "flip_by_transition",
    "flip_near",
    "flip_near_boundary",
    "flip_per_class",
    "flip_uniform",
    "flip_within",
    "make_circle",
    "make_multilabel_1",
    "make_multilabel_2",
    "make_spheres",
    "make_squares",
    "make_y4",
    "make_y5",
    "read_blocks",
    "read_matrix",
    "read_table",
    "uncertain_expert",
]
