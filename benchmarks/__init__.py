"""The work of a greedy search done by tamis and by what people use instead, on the same data, in one run.

python -m benchmarks              the whole, some minutes
python -m benchmarks --quick      reduced sizes, to see that it runs; bars do not apply
python -m benchmarks --only WORD  the sections whose title contains it
python -m benchmarks --out FILE   also as JSON

plan.py       which data, how often, which bars
data.py       the data
timing.py     CPU and wall time, best of several
baselines.py  the same estimates with the neighbours found by scikit-learn and SciPy
backward.py   full backward searches against them
agreement.py  whether a plain search ends in the same order with the same scores
costs.py      soft labels, threads, memory, growth
memory.py     one scan in a process of its own
ties.py       ties and long tails
others.py     forward search and the risk
tolerant.py   what a noise model adds
wide.py       more features than rows: search, whole command, growth
wide_peers.py the same task by other selectors
report.py     rows, as a table or JSON
"""

import os

# Libraries read these as they are loaded, so they are set before anything imports NumPy.
for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_variable] = "1"
