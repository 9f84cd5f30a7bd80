"""A browser for the tests of HTML pages, one for each process."""

import pytest
from browser import started
from report_cases import html_of, summary_of


@pytest.fixture(scope="session")
def page():
    """A `browser.Page`; the test is skipped where no browser is installed."""
    with started() as page:
        yield page


@pytest.fixture(scope="session")
def show(page, tmp_path_factory):
    """Open the report of a case; gives its summary."""
    folder = tmp_path_factory.mktemp("reports")

    def show(case, **how):
        file = folder / f"{case}.html"
        if not file.exists():
            file.write_text(html_of(case), encoding="utf-8")
        page.open(file, **how)
        return summary_of(case)

    return show
