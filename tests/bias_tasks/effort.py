"""Whether work stays linear in its input, without a look at a clock: a limit on processor time.

It is for inputs so large that quadratic work takes many times the limit, and linear work less than
a fiftieth of it: waiting for a busy machine costs nothing.
"""

import signal
from contextlib import contextmanager


class TooMuchWorkError(BaseException):
    """More processor time than the limit. No `except Exception` of the tested code holds it."""


@contextmanager
def cpu_limit(seconds, what=""):
    """Ends the block after so many seconds of this process's own processor time."""
    over = TooMuchWorkError(f"{what}: not done within {seconds} s of processor time")
    reached = []

    def stop(_signal, _frame):
        reached.append(over)
        raise over

    before = signal.signal(signal.SIGVTALRM, stop)
    # Again and again: what is raised in a destructor is lost.
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, 0.5)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    if reached:
        raise over
