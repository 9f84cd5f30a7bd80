"""The newsgroups of our copy, the cells they are in, and how alike their words are."""

from __future__ import annotations

import numpy as np

from experiments.class_distance.newsgroups import distance_of, read, themes
from experiments.reproduction import Experiment, Task

PRINTED = (
    {
        "comp.graphics",
        "comp.os.ms-windows.misc",
        "comp.sys.ibm.pc.hardware",
        "comp.sys.mac.hardware",
        "comp.windows.x",
    },
    {"rec.autos", "rec.motorcycles", "rec.sport.baseball", "rec.sport.hockey"},
    {"sci.crypt", "sci.electronics", "sci.med", "sci.space"},
    {"misc.forsale"},
    {"talk.politics.misc", "talk.politics.guns", "talk.politics.mideast"},
    {"talk.religion.misc", "alt.atheism", "soc.religion.christian"},
)
"""The cells of the paper's Table III."""


def tasks(quick):
    yield Task({"repetition": 0}, 0, 2.0)


def run(data, key, seed):
    """Groups by cell, number of documents, and the cosine between mean tf-idf vectors of training documents."""
    documents, cells = read(data, 0, seed), themes(data)
    groups = sorted(cells, key=lambda group: (cells[group], group))
    means = np.array([np.asarray(documents.X[documents.y == g].mean(axis=0)).ravel() for g in groups])
    means /= np.linalg.norm(means, axis=1, keepdims=True)
    distance = distance_of(cells).for_classes(groups)
    return {
        "groups": groups,
        "cells": [cells[g] for g in groups],
        "documents": len(documents.y) + len(documents.y_test),
        "words": documents.X.shape[1],
        "alike": np.round(means @ means.T, 3).tolist(),
        "distances": np.round(distance.matrix, 5).tolist(),
    }


TOPICS = Experiment("class_distance/topics", tasks, run)
