"""What a fit found, as a plain dictionary, and that dictionary as something to look at.

    fitted selector -> summary \\
                                > console, figures (matplotlib), html (one offline file)
    label model     -> audit   /

Only `summary` and `audit` know estimators; what they return is JSON (docs/selection.md, docs/audit.md), and the rest
knows only that. `page/` holds the templates, the style and the script of the HTML.
"""

from .audit import summarise_audit
from .summary import summarise

__all__ = ["summarise", "summarise_audit"]
