"""Figures with matplotlib, as scikit-learn's displays are: `plot` draws, and `ax_` and `figure_` are there to go on.

Each is made of a fitted estimator (`from_estimator`) or of its summary (`from_summary`), such as a selection.json that
was read. matplotlib is imported when something is drawn: `pip install 'tamis[plots]'`.
"""

from .class_tree import ClassTreeDisplay
from .noise import NoiseDisplay
from .path import PathDisplay
from .roles import RolesDisplay
from .suspects import SuspectsDisplay

__all__ = ["ClassTreeDisplay", "NoiseDisplay", "PathDisplay", "RolesDisplay", "SuspectsDisplay"]
