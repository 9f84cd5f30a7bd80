"""The bytes of a file or of standard input, decompressed; and what cannot be opened."""

from __future__ import annotations

import contextlib
import difflib
import gzip
import io
import os
import sys
import zlib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from . import limits
from .refused import Refused, shown

_CHUNK = 16 << 20
_GZIP = b"\x1f\x8b"
_FOREIGN = {
    b"PK\x03\x04": "an Excel workbook or another zip archive",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook",
    b"BZh91AY&SY": "compressed with bzip2",
    b"\xfd7zXZ": "compressed with xz",
    b"\x28\xb5\x2f\xfd": "compressed with zstd",
    b"\x89HDF": "an HDF5 file",
    b"SQLite format 3": "an SQLite database",
    b"ARROW1": "an Arrow file",
    b"%PDF": "a PDF document",
    b"\x80\x04\x95": "a Python pickle, which could run anything",
    b"\x80\x05\x95": "a Python pickle, which could run anything",
    _GZIP: "compressed twice",
}


class Source:
    """A table's bytes: a head to look at, and the whole when wanted; `name` stands for it in messages."""

    def __init__(self, name: str, ending: str, stream: BinaryIO):
        self.name, self.ending, self._stream = name, ending, stream
        self.head = self._read(limits.HEAD)
        foreign = next((what for magic, what in _FOREIGN.items() if self.head.startswith(magic)), None)
        if foreign:
            raise Refused(f"{name} must be a CSV, Parquet or ARFF file; it is {foreign}. Save it as CSV.")
        if not self.head.strip():
            raise Refused(f"{name} must have a header and rows; it is empty.")

    @property
    def is_whole(self) -> bool:
        """Whether there is nothing after the head."""
        return len(self.head) < limits.HEAD

    def whole(self) -> bytearray:
        data = bytearray(self.head)
        while chunk := self._read(_CHUNK):
            data += chunk
            limits.check_bytes(len(data), self.name, "holds more")
        return data

    def _read(self, size: int) -> bytes:
        try:
            parts = []
            while size and (part := self._stream.read(size)):
                parts.append(part)
                size -= len(part)
            return b"".join(parts)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise Refused(f"{self.name} must be whole; its gzip data are broken ({error}). Copy it again.") from error


@contextlib.contextmanager
def opened(path) -> Iterator[Source]:
    """The source of a path, or of standard input if it is "-"."""
    text = os.fspath(path)
    if text == "-":
        yield _source("standard input", "", _all_of_stdin())
        return
    if "://" in text:
        raise Refused(f"the file must be on this computer; {shown(text)} is an address. Download it first.")
    try:
        file = open(text, "rb")  # noqa: SIM115  (closed below)
    except (OSError, ValueError) as error:
        raise _unopened(text, error) from error
    with file:
        limits.check_bytes(os.fstat(file.fileno()).st_size, text, "has {:,}")
        ending = Path(text.lower().removesuffix(".gz")).suffix
        try:
            yield _source(text, ending, file)
        except OSError as error:
            raise Refused(f"{text} must be readable; it is not ({error.strerror or error}).") from error


def _source(name, ending, file: io.BufferedReader) -> Source:
    packed = file.peek(2)[:2] == _GZIP
    return Source(name, ending, gzip.GzipFile(fileobj=file) if packed else file)  # type: ignore[arg-type]


def _all_of_stdin() -> io.BufferedReader:
    if sys.stdin is None:
        raise Refused("standard input must be open; it is closed. Name a file instead of -.")
    try:
        data = sys.stdin.buffer.read(limits.MAX_BYTES + 1)
    except OSError as error:
        raise Refused(f"standard input must be readable; it is not ({error.strerror or error}).") from error
    limits.check_bytes(len(data), "standard input", "has more")
    return io.BufferedReader(io.BytesIO(data))


def _unopened(text: str, error: Exception) -> Refused:
    if isinstance(error, IsADirectoryError):
        return Refused(f"{text} must be a file; it is a folder. Name one of the files in it.")
    if not isinstance(error, FileNotFoundError):
        return Refused(f"{shown(text, 200)} must be a readable file; it is not ({getattr(error, 'strerror', error)}).")
    folder = Path(text).parent
    try:
        near = difflib.get_close_matches(Path(text).name, islice(os.listdir(folder), 10_000), n=1)
    except OSError:
        return Refused(f"there is no file {text}, and no folder {folder}. Check the path.")
    return Refused(
        f"there is no file {text}{f'; did you mean {str(folder / near[0])!r}?' if near else '. Check the path.'}"
    )
