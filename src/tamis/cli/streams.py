"""Standard streams that may be full, closed or without a reader."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from .errors import Unprinted


@contextmanager
def guarded() -> Iterator[None]:
    """Writing to standard output works or raises `Unprinted`; to standard error it works or is lost."""
    _occupy()
    out, err = sys.stdout, sys.stderr
    for stream in (out, err):
        with contextlib.suppress(AttributeError):  # names that a terminal cannot show do not end the work
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    sys.stdout, sys.stderr = _Output(out), _Errors(err)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = out, err


def _occupy() -> None:
    """Open what is closed, so that no file of ours gets the number of a standard stream."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free


class _Stream(io.TextIOBase):
    """Text for another stream, which is None if it was closed; without a buffer that others could write to."""

    def __init__(self, stream):
        self._stream = stream

    @property
    def encoding(self):  # type: ignore[override]
        return getattr(self._stream, "encoding", None) or "utf-8"

    def isatty(self) -> bool:
        return self._stream is not None and self._stream.isatty()

    def fileno(self) -> int:
        return super().fileno() if self._stream is None else self._stream.fileno()

    def writable(self) -> bool:
        return True

    def write(self, text) -> int:
        if not isinstance(text, str):  # others try bytes to see what a stream takes
            raise TypeError(f"text must be str; got {type(text).__name__}.")
        if text and self._stream is None:
            self._fail("it is closed")
        elif text:
            self._try(self._stream.write, text)
        return len(text)

    def flush(self) -> None:
        if self._stream is not None:
            self._try(self._stream.flush)

    def _try(self, do, *args) -> None:
        try:
            do(*args)
        except OSError as error:
            with contextlib.suppress(OSError):  # what is still buffered is lost, so that Python ends in peace
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, self._stream.fileno())
                os.close(nowhere)
            self._stream = None
            self._fail(f"it is not ({error.strerror or error})", error)

    def _fail(self, why: str, error: OSError | None = None) -> None:
        """Nothing, by default."""


class _Errors(_Stream):
    """Its words are lost if they cannot be written."""


class _Output(_Stream):
    """Says so if it cannot be written, and again whenever something is written after that."""

    _said: Unprinted | None = None

    def _fail(self, why: str, error: OSError | None = None) -> None:
        if self._said is None and isinstance(error, BrokenPipeError):
            self._said = Unprinted("the output has ended early, as its reader has gone.", Unprinted.no_reader)
        elif self._said is None:
            self._said = Unprinted(f"standard output must be writable; {why}. Send it elsewhere, or use --quiet.")
        raise self._said
