"""Python's search for reference cycles, put off while much is made of which nothing is garbage."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Within this, nobody searches for reference cycles.

    Answers of a log are hundreds of thousands of objects, all of them in use: looking through them
    again and again takes a third of the time that reading or comparing them does.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
