"""Experiments: the five papers run again (`python -m experiments`), and questions of our own beside them.

    reproduction/      the driver: tasks, results, verdicts, figures, one page
    literal.py         each paper's method as printed
    papers.py          the five papers, in the order of VERDICTS.md
    label_noise/ ...   a folder for each paper: `paper.py` lists its tables and figures, `results/` what was measured

`how_many/` and `wide/` belong to no paper. Scripts that no `paper.py` names are run on their own; see the README of
their folder.
"""
