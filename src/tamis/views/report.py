"""A fitted selector or label model as a page to show to others."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .. import _validation
from ..labels import CrowdLabels, NoisyLabels
from ..search.checkpoint import replace_file
from ..selectors._base import BaseSelector
from .audit import SCHEMA as AUDIT
from .audit import summarise_audit
from .html import page
from .summary import SCHEMA as SELECTION
from .summary import summarise


def report(estimator, path, *, overwrite: bool = False, **about) -> Path:
    """Write what was found to one HTML file, which needs no server, no network and no other file.

    Parameters
    ----------
    estimator : fitted selector, NoisyLabels or CrowdLabels
        Or what `tamis.views.summarise` made of it, such as the content of selection.json.
    path : str or path
        The file; `.html` is a good ending.
    overwrite : bool, default=False
        Whether a file that is there already is replaced.
    **about
        As in `tamis.views.summarise`: names of the features, what is known about the `data`, numbers of the `rows`,
        `warnings`.

    Returns
    -------
    pathlib.Path

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from sklearn.datasets import load_wine
    >>> from tamis import SequentialSelector, report
    >>> X, y = load_wine(return_X_y=True, as_frame=True)
    >>> selector = SequentialSelector(random_state=0).fit(X, y)
    >>> with TemporaryDirectory() as folder:
    ...     file = report(selector, Path(folder) / "wine.html")
    ...     file.stat().st_size < 100_000
    True
    """
    file = _validation.check_path("path", path)
    _validation.check_folder_of("path", file)
    if file.exists() and not overwrite:
        raise FileExistsError(f"{file} exists already. Replace it with overwrite=True, or choose another name.")
    replace_file(file, page(_summary_of(estimator, about)).encode())
    return file


def _summary_of(estimator, about) -> Mapping[str, Any]:
    if isinstance(estimator, Mapping) and estimator.get("schema") in (SELECTION, AUDIT):
        if about:
            raise TypeError(f"a summary has been told everything; got {next(iter(about))!r}. Tell it to summarise.")
        return estimator
    if isinstance(estimator, (NoisyLabels, CrowdLabels)):
        return summarise_audit(estimator, **about)
    if isinstance(estimator, BaseSelector):
        return summarise(estimator, **about)
    raise TypeError(
        "report needs a fitted selector, NoisyLabels or CrowdLabels, or a summary of one; got "
        f"{type(estimator).__name__}."
    )
