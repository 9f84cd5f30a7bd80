"""Methods of selectors that can take rows in blocks."""


class NotInBlocksError(ValueError, AttributeError):
    """Rows cannot come in blocks. To scikit-learn such a selector has no such method; to people it says why."""


class where_rows_add_up:  # noqa: N801
    """A method that exists unless the selector has a reason against it, `_why_not_in_blocks()`."""

    def __init__(self, method):
        self._method = method

    def __get__(self, selector, kind=None):
        if selector is None:
            return self._method
        if (reason := selector._why_not_in_blocks()) is not None:
            raise NotInBlocksError(reason)
        return self._method.__get__(selector, kind)
