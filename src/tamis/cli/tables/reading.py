"""Any table that somebody may have, as a data frame; what cannot be read is refused in one sentence.

    bytes -> sources -> Parquet, ARFF or rows of text, told by what is inside -> columns -> Table

Nothing of a file is run, unpickled or fetched.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from . import arff, delimited, delimiters, mulan, parquet, sources, text
from .refused import Refused

if TYPE_CHECKING:
    import pandas as pd


_PAGES = {"<!doctype": "a web page", "<html": "a web page", "<?xml": "XML", '{"': "JSON", "[{": "JSON"}


class Table(NamedTuple):
    """A table that was read.

    frame : numbers as numbers, true and false as 1 and 0, text as text, nominal values as categories, NaN or None where
        a cell is missing
    labels : columns that are labels, as a list of labels beside the file says; else none
    notes : what was done or noticed, in plain words
    written : how columns of numbers were written, if not as plain numbers
    """

    frame: pd.DataFrame
    labels: tuple[str, ...]
    notes: tuple[str, ...]
    written: Mapping[str, str] = MappingProxyType({})


def read(path, *, labels_xml=None) -> Table:
    """Read a CSV, Parquet or ARFF file, possibly compressed with gzip; "-" is standard input.

    Parameters
    ----------
    path : path of a file with named columns
        Its content says what it is, whatever its ending.
    labels_xml : path of Mulan's list of labels, default=None
        None is the .xml file of the same name beside an ARFF file, if there is one.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from tamis.cli.tables import read
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "irises.csv"
    ...     _ = path.write_text("width;kind\\n1,5;a\\n;b\\n")
    ...     table = read(path)
    >>> table.frame["width"].tolist()
    [1.5, nan]
    >>> table.notes
    ("delimiter ';'", 'decimal comma', "missing: 1 cell empty in 'width'")
    """
    from ... import _validation

    for needed in (_validation.import_pandas, _validation.import_parquet):
        needed("reading a table")
    with sources.opened(path) as source:
        name = source.name
        try:
            (frame, notes, written), is_arff = _parsed(source)
        except MemoryError as error:
            raise Refused(f"{name} must fit into memory; it does not. Keep fewer rows or columns.") from error
    labels, more = _labels(path, labels_xml, frame, is_arff and name != "standard input")
    return Table(frame, labels, (*notes, *more), written)


def _parsed(source):
    if source.head.startswith(parquet.MAGIC):
        return parquet.parse(source.whole(), source.name), False
    head = text.glance(source.head)
    is_arff = arff.is_arff(head)
    if not is_arff:
        first = "".join(head[:200].split()).lower()
        page = next((what for start, what in _PAGES.items() if first.startswith(start)), None)
        if page:
            raise Refused(f"{source.name} must be a table; it looks like {page}. Save it as CSV.")
        if source.ending in (".parquet", ".arff"):
            raise Refused(
                f"{source.name} must be what its ending says; its first bytes are not of such a file. Rename it."
            )
        if b"\0" in source.head:
            text.to_utf8(source.head, source.name)
        dialect, found = delimiters.detect(head, is_whole=source.is_whole, ending=source.ending, name=source.name)
    data, encoding = text.to_utf8(source.whole(), source.name)
    if is_arff:
        frame, notes, written = arff.parse(data, source.name)
    else:
        frame, notes, written = delimited.parse(data, dialect, source.name)
        notes = (*found, *notes)
    return (frame, (*encoding, *notes), written), is_arff


def _labels(path, labels_xml, frame, look_beside):
    given = labels_xml is not None
    place = labels_xml if given else mulan.beside(path) if look_beside else None
    if place is None:
        return (), ()
    labels = mulan.read_labels(place)
    if labels is not None:
        return mulan.check_labels(labels, frame.columns.tolist(), str(place)), ()
    if given:
        raise Refused(f'{place} must be a list of labels, <labels><label name="..."/></labels>; it is other XML.')
    return (), (f"{place} is no list of labels, so it is not used",)
