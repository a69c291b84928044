"""A disk that is full as far as this process goes: no file of it may grow past a size."""

import resource
from contextlib import contextmanager


@contextmanager
def full_disk(most):
    """While it lasts what is written past so many bytes of a file fails, after what fits."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
