"""Any table that somebody may have, as a data frame; what cannot be read is refused in one sentence."""

from .columns import OddCell, odd_cells
from .dates import Dates, dates_of, holds_dates
from .reading import Table, read
from .refused import Refused
from .written import Doubt, Numbers, numbers_of, truths_of

__all__ = [
    "Dates",
    "Doubt",
    "Numbers",
    "OddCell",
    "Refused",
    "Table",
    "dates_of",
    "holds_dates",
    "numbers_of",
    "odd_cells",
    "read",
    "truths_of",
]
