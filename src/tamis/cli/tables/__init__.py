"""Any table that somebody may have, as a data frame; what cannot be read is refused in one sentence."""

from .columns import OddCell, odd_cells
from .reading import Table, read
from .refused import Refused

__all__ = ["OddCell", "Refused", "Table", "odd_cells", "read"]
