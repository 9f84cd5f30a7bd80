"""Signals in child processes."""

import signal


def heed_signals():
    """What a child does first: tests may run where signals are ignored, as with nohup, and children inherit that."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
