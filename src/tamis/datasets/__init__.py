"""Data to try things on: ways to spoil labels on purpose, and a reader of local tables."""

from .spoil import Spoiled, flip_by_transition, flip_near, flip_per_class, flip_uniform
from .tables import Table, read_table

__all__ = [
    "Spoiled",
    "Table",
    "flip_by_transition",
    "flip_near",
    "flip_per_class",
    "flip_uniform",
    "read_table",
]
