"""Operations counted instead of timed: the same on every machine, whatever else it does."""

import sys
from math import log
from pathlib import Path

import tamis

_OURS = str(Path(tamis.__file__).parent)


def operations(call):
    """How many bytecode instructions of tamis a call executes."""
    count = 0

    def trace(frame, event, arg):
        nonlocal count
        if not frame.f_code.co_filename.startswith(_OURS):
            return None
        frame.f_trace_lines, frame.f_trace_opcodes = False, True
        count += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return count


def growth(work, small, large):
    """By what power of the size the operations of `work(size)`, a call, grow between two sizes."""
    few, many = (operations(work(size)) for size in (small, large))
    return log(many / few) / log(large / small)
