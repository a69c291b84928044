"""Whether work stays linear in its input, without a look at a clock.

A test that compares seconds with a limit fails on a busy machine. Two other measures stand in:

- `steps` counts the bytecode instructions that a call executes: the same number on any machine.
  `growth` compares two sizes of input; linear work on four times as much takes four times the
  steps, quadratic work sixteen times. What runs in C (patterns, `str.find`, `in`, numpy) counts as
  one step however long it takes.
- `cpu_limit` ends what uses more processor time than it is given, C included. It is for inputs so
  large that quadratic work takes many times the limit, and linear work less than a fiftieth of it:
  waiting for a busy machine costs nothing, and no machine is fifty times slower than another.
"""

import signal
import sys
import threading
from contextlib import contextmanager

TIMES = 4
"""How much larger the larger input of `growth` is."""


class TooMuchWorkError(BaseException):
    """More processor time than the limit. No `except Exception` of the tested code holds it."""


def steps(call):
    """How many bytecode instructions `call()` executes in this thread."""
    count = 0

    def each(frame, event, _arg):
        nonlocal count
        count += event == "opcode"
        return each

    def entered(frame, _event, _arg):
        frame.f_trace_lines, frame.f_trace_opcodes = False, True
        return each

    before = sys.gettrace()
    sys.settrace(entered)
    try:
        call()
    finally:
        sys.settrace(before)
    return count


def growth(make, size):
    """How many times the steps `make(TIMES * size)()` takes of `make(size)()`.

    Args:
        make: prepares a call for an input of a size; what it does itself does not count.
        size: the smaller one.
    """
    make(size)()  # what is only done once: imports, caches
    small, large = make(size), make(TIMES * size)
    return steps(large) / steps(small)


@contextmanager
def cpu_limit(seconds, what=""):
    """Ends the block after so many seconds of this process's own processor time.

    Args:
        seconds: at least fifty times what the block should take.
        what: what is named when the limit is reached.

    Raises:
        TooMuchWorkError: the limit was reached.
    """
    assert threading.current_thread() is threading.main_thread()
    reached = False

    def stop(_signal, _frame):
        nonlocal reached
        reached = True
        raise TooMuchWorkError(f"{what}: not done within {seconds} s of processor time")

    before = signal.signal(signal.SIGVTALRM, stop)
    # Again and again: what is raised in a destructor is lost.
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, 0.5)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    if reached:
        raise TooMuchWorkError(f"{what}: not done within {seconds} s of processor time")
