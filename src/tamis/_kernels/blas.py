"""Matrix products that give the same bits whatever the number of threads."""

from functools import cache

from threadpoolctl import ThreadpoolController


def one_blas_thread():
    """A context in which BLAS has one thread: with several it may add in another order."""
    return _pools().limit(limits=1, user_api="blas")


@cache
def _pools() -> ThreadpoolController:
    return ThreadpoolController()
