"""Bytes of any usual encoding as UTF-8."""

from __future__ import annotations

import codecs

from .refused import Refused

_MARKS = (  # UTF-32 first: its mark starts with that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROLS = bytes([*range(0x09), *range(0x0E, 0x1A), *range(0x1C, 0x20)])
_CHUNK = 1 << 20


def glance(head: bytes) -> str:
    """The first characters, good enough to look for delimiters."""
    return head.decode(_marked(head) or "utf-8", errors="replace")


def to_utf8(data: bytes | bytearray, name: str) -> tuple[bytes | bytearray, tuple[str, ...]]:
    """The same text in UTF-8 without a mark, and a note if it came in something else.

    What is not UTF-8 and has no mark is cp1252, or latin-1 where that has no such character: every byte is then some
    character, so bytes that text never has tell binary files.
    """
    encoding = _marked(data)
    if encoding in ("utf-16", "utf-32"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError as error:
            raise _broken(name, encoding, error.start) from error
        return _no_nul(text.encode(), name), (f"encoding {encoding}",)
    if encoding:
        data = data[len(codecs.BOM_UTF8) :]
    _no_nul(data, name)
    wrong = _first_wrong(data)
    if wrong is None:
        return data, ()
    if encoding:
        raise _broken(name, "utf-8", wrong + len(codecs.BOM_UTF8))
    if len(data.translate(None, _CONTROLS)) < len(data):
        raise _binary(name)
    for encoding in ("cp1252", "latin-1"):
        try:
            return data.decode(encoding).encode(), (f"encoding {encoding}, as byte {wrong + 1:,} is not UTF-8",)
        except UnicodeDecodeError:
            continue
    raise AssertionError("latin-1 has all bytes")


def _marked(data) -> str | None:
    return next((encoding for mark, encoding in _MARKS if data.startswith(mark)), None)


def _no_nul(data, name):
    if b"\0" in data:
        raise _binary(name)
    return data


def _first_wrong(data) -> int | None:
    """Place of the first byte that is not UTF-8."""
    if data.isascii():
        return None
    decoder = codecs.getincrementaldecoder("utf-8")()
    view = memoryview(data)
    for start in range(0, len(data), _CHUNK):
        held = len(decoder.getstate()[0])  # bytes of a character cut by the last chunk
        try:
            decoder.decode(view[start : start + _CHUNK], start + _CHUNK >= len(data))
        except UnicodeDecodeError as error:
            return start - held + error.start
    return None


def _broken(name, encoding, place):
    return Refused(f"{name} must be {encoding} text, as its first bytes say; byte {place + 1:,} is not. Save it again.")


def _binary(name):
    return Refused(f"{name} must be text, Parquet or ARFF; it has bytes that no text has. Save it as CSV in UTF-8.")
