"""A respondent over HTTP on this machine, in a thread, that counts its requests."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from bias_tasks.respondents.commands import items_of
from bias_tasks.respondents.faults import Faults
from bias_tasks.respondents.personas import make_respondent
from bias_tasks.respondents.serve import bind, make_app, make_server

PERSONA = "conformist"
TASK = "conformity"


class Served:
    """Where a respondent is served, and how often it was asked."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.requests = 0


@contextmanager
def serving(faults: Faults, given: dict[str, Any]) -> Iterator[Served]:
    """Serves what knows the items of a run until it is left."""
    app: Any = make_app(
        make_respondent(PERSONA, {}), PERSONA, known=items_of([TASK], given), faults=faults
    )
    listening = bind("127.0.0.1", 0)
    served = Served(f"http://127.0.0.1:{listening.getsockname()[1]}/v1")

    async def counting(scope: Any, receive: Any, send: Any) -> None:
        served.requests += scope["type"] == "http" and scope["method"] == "POST"
        await app(scope, receive, send)

    ready = threading.Event()
    server = make_server(counting, ready.set)  # type: ignore[arg-type]
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    ready.wait()
    try:
        yield served
    finally:
        server.should_exit = True
        thread.join()
