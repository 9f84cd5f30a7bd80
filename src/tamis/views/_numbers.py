"""Numbers as text: in a page the same from Python and from its script."""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal, localcontext
from typing import NamedTuple


def fixed(value: float, digits: int, form: str = "f") -> str:
    """As JavaScript writes it (toFixed, toExponential): halves go away from zero; and what rounds to zero has no sign.

    Halves are those of the number itself, not of its shortest form: 0.125 is one, 1.005 (1.00499...) is not.
    """
    with localcontext(rounding=ROUND_HALF_UP):
        text = f"{Decimal(value):.{digits}{form}}"
    return text if any(sign in "123456789" for sign in text.partition("e")[0]) else text.removeprefix("-")


class Digits(NamedTuple):
    """How many digits follow the point in all scores of a summary; of very large or small ones, in powers of ten."""

    after_point: int
    in_powers: bool = False

    @classmethod
    def for_values(cls, values: Iterable[float | None]) -> Digits:
        """Enough for three or four digits of the largest."""
        largest = max((abs(v) for v in values if v is not None), default=0.0)
        if largest == 0:
            return cls(3)
        power = math.floor(math.log10(largest))
        if not -6 <= power < 6:
            return cls(2, True)
        return cls(3 if power in (-1, 0) else max(0, 2 - power))

    def of(self, value: float | None) -> str:
        if value is None:
            return "–"
        if value == 0:
            return fixed(0.0, self.after_point) + ("e+0" if self.in_powers else "")
        return fixed(value, self.after_point, "e" if self.in_powers else "f")
