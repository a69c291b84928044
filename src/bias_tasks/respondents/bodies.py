"""Bodies of requests, read within limits: one that never comes must not be waited for."""

from __future__ import annotations

import asyncio

from starlette.requests import Request

IDLE_SECONDS = 10.0
"""How long the next part of a request may take."""
WHOLE_SECONDS = 60.0
"""How long a whole body may take."""
MOST_BYTES = 16 * 2**20


class BodyError(Exception):
    """A body that is not read to its end; the connection is closed.

    Attributes:
        status: the response's status.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


async def read_body(request: Request) -> bytes:
    """The body of a request.

    Raises:
        BodyError: it is too large, or does not come in time.
    """
    body = bytearray()
    parts = request.stream()
    try:
        async with asyncio.timeout(WHOLE_SECONDS):
            while True:
                async with asyncio.timeout(IDLE_SECONDS):
                    part = await anext(parts, None)
                if part is None:
                    return bytes(body)
                body += part
                if len(body) > MOST_BYTES:
                    raise BodyError(413, f"the body has more than {MOST_BYTES:,} bytes")
    except TimeoutError as error:
        raise BodyError(408, "the body did not come in time") from error
