"""Signals that end a command as Ctrl-C does, so that nothing half-written is left behind."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_NAMES = ("SIGHUP", "SIGINT", "SIGTERM")
_held = 0
_waiting: int | None = None
_last: int = signal.SIGINT


class Ended(KeyboardInterrupt):
    """A signal came."""


@contextmanager
def heeded() -> Iterator[None]:
    """Let signals raise `Ended`; those that are ignored, as with nohup, stay so."""
    before = {}
    if threading.current_thread() is threading.main_thread():
        usual = (signal.SIG_DFL, signal.default_int_handler)
        numbers = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
        before = {number: signal.getsignal(number) for number in numbers if signal.getsignal(number) in usual}
    for number in before:
        signal.signal(number, _handle)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def held() -> Iterator[None]:
    """Let signals wait for the end of what must be done whole."""
    global _held, _waiting
    _held += 1
    try:
        yield
    finally:
        _held -= 1
        if not _held and _waiting is not None:
            number, _waiting = _waiting, None
            _handle(number, None)


def exit_code() -> int:
    """Of a command that the last signal ended, as shells have it."""
    return 128 + _last


def interrupted() -> str:
    """What the last signal did, in words; Ctrl-C needs no name."""
    return "interrupted" if _last == signal.SIGINT else f"interrupted by {signal.Signals(_last).name}"


def _handle(number, frame):
    global _last, _waiting
    if _held:
        _waiting = number
        return
    _last = number
    raise Ended
