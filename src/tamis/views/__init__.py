"""What a fit found, as a plain dictionary, and that dictionary as something to look at.

    fitted selector -> summary -> console
    label model     -> audit   -> console

Only `summary` and `audit` know estimators; what they return is JSON (docs/selection.md, docs/audit.md), and the rest
knows only that.
"""

from .audit import summarise_audit
from .summary import summarise

__all__ = ["summarise", "summarise_audit"]
