"""Any table that somebody may have, as a data frame; what cannot be read is refused in one sentence."""

from .columns import OddCell, odd_cells
from .reading import Table, read
from .refused import Refused
from .written import Doubt, Numbers, holds_dates, numbers_of

__all__ = ["Doubt", "Numbers", "OddCell", "Refused", "Table", "holds_dates", "numbers_of", "odd_cells", "read"]
