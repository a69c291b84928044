"""Whether a run is under way that looks at its own answers: then what is shown needs no interval.

Intervals are worked out at the looks, and once more at the end. Set by whatever looks, in the
context in which the host asks the run's samples, and so known to all that belongs to that run.
"""

from contextvars import ContextVar

UNDER_WAY: ContextVar[bool] = ContextVar("a run looks at its answers", default=False)
