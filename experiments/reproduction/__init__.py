"""Run declared experiments, and say of each table and figure of a paper whether it comes out.

    Experiment -> tasks -> records (JSON lines) -> Item.check -> Finding -> verdict
                                                -> Item.draw  -> SVG

An experiment knows nothing of papers: it turns a task into numbers. An item (a numbered table or figure) knows what is
claimed, and reads records only: verdicts and figures can be made again from the files at any time.
"""

from .declaring import Check, Experiment, Finding, Item, Paper, Task
from .records import Records

__all__ = ["Check", "Experiment", "Finding", "Item", "Paper", "Records", "Task"]
