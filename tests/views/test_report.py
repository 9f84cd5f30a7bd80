"""Reports: where they come from, and where they go."""

import sys

import numpy as np
import pandas as pd
import pytest
from report_cases import wines
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import RFE
from sklearn.linear_model import LogisticRegression

import tamis
from tamis import Criterion, CrowdLabels, HardLabels, NoisyLabels, RankingSelector, SequentialSelector
from tamis.views import html, summarise
from tamis.views.html import page


@pytest.fixture(scope="module")
def selector():
    X, y = wines()
    return SequentialSelector(labels="noisy", n_features_to_select=2, random_state=0).fit(X[["ash", "proline"]], y)


def test_a_report_is_written_and_nothing_is_replaced_unless_asked(selector, tmp_path):
    file = tmp_path / "found.html"
    assert tamis.report(selector, file) == file
    assert file.read_bytes() == page(summarise(selector)).encode()
    file.write_text("mine")
    with pytest.raises(FileExistsError, match=r"exists already. Replace it with overwrite=True"):
        tamis.report(selector, str(file))
    assert file.read_text() == "mine"
    tamis.report(selector, str(file), overwrite=True)
    assert file.read_bytes() == page(summarise(selector)).encode()
    assert [f.name for f in tmp_path.iterdir()] == ["found.html"]


def test_a_folder_must_be_there(selector, tmp_path):
    for place in (tmp_path / "no" / "found.html", tmp_path):
        with pytest.raises(ValueError, match="path must be a file in a folder that is there"):
            tamis.report(selector, place, overwrite=True)
    assert list(tmp_path.iterdir()) == []


def test_summaries_and_label_models_are_reported_too(selector, tmp_path):
    about = {"data": {"file": "wines.csv"}, "rows": np.arange(178) + 1000, "names": ["a", "b"]}
    one = tamis.report(selector, tmp_path / "one.html", **about)
    other = tamis.report(summarise(selector, **about), tmp_path / "other.html")
    assert one.read_bytes() == other.read_bytes()
    assert "wines.csv" in one.read_text(encoding="utf-8")
    noisy = tamis.report(selector.labels_, tmp_path / "noisy.html", n_features=2)
    assert "Suspect rows" in noisy.read_text(encoding="utf-8")
    crowd = CrowdLabels().fit(None, np.array([["a", "a"], ["b", "b"], ["a", "b"]], dtype=object))
    assert "Annotators" in tamis.report(crowd, tmp_path / "crowd.html").read_text(encoding="utf-8")


def test_what_is_no_report_is_said_in_a_sentence(selector, tmp_path):
    file = tmp_path / "found.html"
    for unfitted in (RankingSelector(), SequentialSelector(), NoisyLabels(), CrowdLabels()):
        with pytest.raises(NotFittedError):
            tamis.report(unfitted, file)
    rfe = RFE(LogisticRegression(), n_features_to_select=1).fit(np.arange(20).reshape(10, 2), np.arange(10) % 2)
    for wrong in (
        rfe,
        HardLabels().fit(None, [0, 1]),
        {"schema": "other/1"},
        {},
        None,
        "selection.json",
        pd.DataFrame(),
    ):
        with pytest.raises(TypeError, match=f"report needs a fitted selector.*got {type(wrong).__name__}"):
            tamis.report(wrong, file)
    with pytest.raises(TypeError, match="Tell it to summarise"):
        tamis.report(summarise(selector), file, names=["a", "b"])
    assert list(tmp_path.iterdir()) == []


def test_without_jinja2_it_is_said_what_to_install(selector, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    html._environment.cache_clear()
    with pytest.raises(ImportError, match=r"a report needs jinja2: pip install jinja2, or 'tamis\[report\]'"):
        tamis.report(selector, tmp_path / "found.html")
    assert list(tmp_path.iterdir()) == []


class Impatient(Criterion):
    """The sum of the means of its columns, as long as it is not asked too often."""

    n_left = 1 + 4

    def score(self, X, memberships):
        Impatient.n_left -= 1
        if Impatient.n_left < 0:
            raise KeyboardInterrupt
        return float(X.mean(axis=0).sum())


def test_what_was_interrupted_is_not_fitted(tmp_path, monkeypatch):
    monkeypatch.setattr(Impatient, "n_left", 1 + 4)
    X, y = np.random.default_rng(0).normal(size=(30, 4)), np.repeat([0, 1], 15)
    selector = SequentialSelector(Impatient(), n_features_to_select=1)
    with pytest.raises(KeyboardInterrupt):
        selector.fit(X, y)
    with pytest.raises(NotFittedError):
        tamis.report(selector, tmp_path / "found.html")
