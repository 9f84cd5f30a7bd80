"""Run a search on a cluster: the backend that joblib is given does the work.

    python examples/cluster.py                        two worker processes of this machine
    python examples/cluster.py tcp://scheduler:8786   a dask cluster that is running

The answer has the same bits as with threads. Backends that Ray and Spark register with joblib are used in the same way.
Needs `tamis[dask]`.
"""

import sys

import joblib
from dask.distributed import Client, LocalCluster
from sklearn.datasets import make_classification

from tamis import SequentialSelector


def main(address=None):
    X, y = make_classification(1500, 10, n_informative=3, n_redundant=2, shuffle=False, random_state=0)
    cluster = address or LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0")
    with Client(cluster), joblib.parallel_config(backend="dask"):
        on_cluster = SequentialSelector(random_state=0, n_repeats=1).fit(X, y)
    print(f"{on_cluster.n_features_} of 10 features: {on_cluster.get_support(indices=True).tolist()}")
    here = SequentialSelector(random_state=0, n_repeats=1).fit(X, y)
    print("the same bits with threads:", on_cluster.path_.scores.tobytes() == here.path_.scores.tobytes())


if __name__ == "__main__":
    main(*sys.argv[1:])
