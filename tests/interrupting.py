"""A search that ends in one of its folds, by Ctrl-C or, run as a program, by a kill: interrupting.py FILE FOLD."""

import os
import signal
import sys

from samples import CHEAP, gaussians

from tamis import MutualInformation, SequentialSelector
from tamis.search import checkpoint

X, CODES = gaussians(150, 7, 3, seed=6, informative=3)


class Counted(MutualInformation):
    """Counts its searches and their passes, and ends one of them in its third pass; 0 is the search on all rows."""

    searches, passes, ends_in, end = 0, 0, None, None

    @classmethod
    def start(cls, ends_in=None, end=None):
        cls.searches, cls.passes, cls.ends_in, cls.end = 0, 0, ends_in, end

    def scorer(self, *args, **kwargs):
        scorer, number = super().scorer(*args, **kwargs), Counted.searches
        plain, mine = scorer.without_each, []
        Counted.searches += 1

        def without_each(subset):
            mine.append(subset)
            if number == Counted.ends_in and len(mine) == 3:
                Counted.end()
            Counted.passes += 1
            return plain(subset)

        scorer.without_each = without_each
        return scorer


def selector(file=None, **how):
    return SequentialSelector(Counted(), random_state=0, checkpoint=file, **(CHEAP | {"cv": 4} | how))


if __name__ == "__main__":
    checkpoint._SECONDS = 0.0
    Counted.start(int(sys.argv[2]), lambda: os.kill(os.getpid(), signal.SIGKILL))
    selector(sys.argv[1]).fit(X, CODES)
