"""Connections of the served respondent: one on which no request comes is dropped."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

from bias_tasks.respondents import bodies

HANG_UP = "hang_up"
"""In the state of a request: what ends its connection without a response."""


class Connection(H11Protocol):
    """A connection that is dropped when the head of a request is not whole in time.

    The server itself waits for one without an end. Bodies have a limit of their own, and between
    requests the server's applies.
    """

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begins to wait for the first request."""
        self.app_state = {**self.app_state, HANG_UP: transport.abort}
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Goes on waiting unless a request has begun."""
        super().data_received(data)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Waits no longer."""
        self._stop()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._answering():
            self._stop()
        elif self._waiting is None:
            self._waiting = self.loop.call_later(bodies.IDLE_SECONDS, self._drop)

    def _stop(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _drop(self) -> None:
        self._waiting = None
        if not self._answering():
            self.transport.close()

    def _answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete
