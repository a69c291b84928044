"""A simulated respondent behind OpenAI's and Anthropic's HTTP interfaces."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from bias_tasks.respondents import wire
from bias_tasks.respondents.bodies import BodyError, read_body
from bias_tasks.respondents.completion import NOTHING
from bias_tasks.respondents.connections import HANG_UP, Connection
from bias_tasks.respondents.faults import Fault, Faults
from bias_tasks.respondents.known_items import KnownItems
from bias_tasks.respondents.persona import Respondent
from bias_tasks.respondents.request_log import LogError, RequestLog

NO_FAULTS = Faults()
_LONG = 50_000
"""Bytes of a body that is answered beside the others, so that these need not wait."""

Endpoint = Callable[[Respondent, KnownItems, wire.Json], wire.Json]
Handler = Callable[[Request], Awaitable[Response]]

_ENDPOINTS: Mapping[str, Endpoint] = {
    "/v1/chat/completions": wire.chat_completions,
    "/v1/completions": wire.completions,
    "/v1/messages": wire.messages,
}
_TOKENIZER: Mapping[str, Callable[[wire.Json], wire.Json]] = {
    "/tokenize": wire.tokenize,
    "/detokenize": wire.detokenize,
}
_ERRORS: Mapping[Fault | None, tuple[int, wire.Json]] = {
    "error_200": (200, wire.error("api_error", "internal error (on request)")),
    "error_429": (429, wire.error("rate_limit_error", "too many requests (on request)")),
    "error_500": (500, wire.error("api_error", "internal error (on request)")),
    "error_503": (503, wire.error("overloaded_error", "not available (on request)")),
}
# Clients back off for half a second and more unless they are told.
_RETRY_SOON = {"retry-after": "0", "retry-after-ms": "10"}


def make_app(
    respondent: Respondent,
    name: str,
    *,
    known: KnownItems = NOTHING,
    faults: Faults = NO_FAULTS,
    log: Path | None = None,
) -> Starlette:
    """The application that serves a respondent.

    Args:
        respondent: who answers.
        name: the model's name in `/v1/models`.
        known: the items that it answers from.
        faults: what goes wrong, and how often; the tokenizer, which is no part of the respondent,
            makes no faults.
        log: a file to which a JSON line is added for each request: its running number, its path,
            its fault (or null) and its body.

    Raises:
        DataError: the log can't be written.
    """
    numbers = count()
    requests = None if log is None else RequestLog(log)
    # One thread: long requests wait for each other, and leave time to the short ones.
    aside = ThreadPoolExecutor(max_workers=1, thread_name_prefix="long-request")

    async def answered(raw: bytes, answer: Callable[[], Response]) -> Response:
        if len(raw) <= _LONG:
            return answer()
        return await asyncio.get_running_loop().run_in_executor(aside, answer)

    def answering(path: str, endpoint: Endpoint) -> Handler:
        async def handle(request: Request) -> Response:
            number = next(numbers)
            fault = faults.of(number)
            raw = await read_body(request)
            if requests is not None:
                requests.write(number, path, fault, raw)
            await asyncio.sleep(faults.latency)
            if fault in _ERRORS:
                status, error = _ERRORS[fault]
                return _JSONResponse(error, status, _RETRY_SOON if faults.retry_after else None)
            if fault == "garbage":
                return Response("<html>not what you asked for", media_type="application/json")
            if fault in ("drop", "stall"):
                return await _unanswered(request, at_once=fault == "drop")
            kind = _WAYS.get(fault, _JSONResponse)
            return await answered(raw, lambda: kind(endpoint(respondent, known, _body(raw))))

        return handle

    def tokenizing(endpoint: Callable[[wire.Json], wire.Json]) -> Handler:
        async def handle(request: Request) -> Response:
            raw = await read_body(request)
            return await answered(raw, lambda: _JSONResponse(endpoint(_body(raw))))

        return handle

    def telling(answer: wire.Json) -> Handler:
        async def handle(request: Request) -> Response:
            return _JSONResponse(answer)

        return handle

    posts = {path: answering(path, endpoint) for path, endpoint in _ENDPOINTS.items()}
    posts |= {path: tokenizing(endpoint) for path, endpoint in _TOKENIZER.items()}
    gets = {"/v1/models": wire.models(name), "/tokenizer_info": wire.tokenizer_info()}
    return Starlette(
        routes=[
            *(Route(path, handle, methods=["POST"]) for path, handle in posts.items()),
            *(Route(path, telling(answer)) for path, answer in gets.items()),
        ],
        exception_handlers={
            wire.BadRequestError: _refuse,
            BodyError: _hang_up,
            LogError: _tell_failure,
        },
    )


def bind(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 takes a free one.

    Raises:
        OSError: the port is taken, or the host is not this machine's.
        ValueError: the host is empty, or no name.
    """
    if not host.strip():  # which the system takes for every address of this machine
        raise ValueError("the host is empty; give 127.0.0.1, or 0.0.0.0 for every address")
    try:
        listening = socket.create_server((host, port), backlog=2048)
    except (TypeError, UnicodeError) as error:  # longer than a name may be, for instance
        raise ValueError(f"no host has such a name ({error})") from error
    # Connections inherit it; without it, a response's body waits 40 ms for its headers' receipt.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def make_server(app: Starlette, on_ready: Callable[[], None]) -> uvicorn.Server:
    """A server whose `run(sockets=[...])` serves until it is interrupted.

    Args:
        app: the application.
        on_ready: called once when requests are taken.
    """
    # A connection cut on purpose is an error to uvicorn, and would be reported each time.
    config = uvicorn.Config(app, http=Connection, log_level="critical", timeout_graceful_shutdown=1)
    return _Server(config, on_ready)


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, on_ready: Callable[[], None]) -> None:
        super().__init__(config)
        self.on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.on_ready()


class _JSONResponse(JSONResponse):
    """In ASCII, since a text that comes back from a request may hold lone surrogates."""

    def render(self, content: Any) -> bytes:
        return json.dumps(content).encode("ascii")


class _CutResponse(_JSONResponse):
    """Announces the whole body, sends half of it and ends, which makes the server hang up."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        start = {"status": self.status_code, "headers": self.raw_headers}
        await send({"type": "http.response.start", **start})
        half = bytes(self.body[: len(self.body) // 2])
        await send({"type": "http.response.body", "body": half, "more_body": True})


class _TruncatedResponse(_JSONResponse):
    """Half of the body, announced as all of it."""

    def render(self, content: Any) -> bytes:
        whole = super().render(content)
        return whole[: len(whole) // 2]


_WAYS: Mapping[Fault | None, type[_JSONResponse]] = {
    "cut": _CutResponse,
    "truncated": _TruncatedResponse,
}


async def _unanswered(request: Request, *, at_once: bool) -> Response:
    """Waits for the client to hang up, or hangs up at once; nobody gets the response."""
    if at_once:
        request.scope["state"][HANG_UP]()
    while (await request.receive())["type"] != "http.disconnect":
        pass
    return Response()


async def _refuse(request: Request, error: Exception) -> Response:
    return _JSONResponse(wire.error("invalid_request_error", str(error)), 400)


async def _hang_up(request: Request, error: Exception) -> Response:
    """The rest of the body is not waited for: the connection can't be used again."""
    status = error.status if isinstance(error, BodyError) else 400
    told = wire.error("invalid_request_error", str(error))
    return _JSONResponse(told, status, {"connection": "close"})


async def _tell_failure(request: Request, error: Exception) -> Response:
    return _JSONResponse(wire.error("api_error", str(error)), 500)


def _body(raw: bytes) -> wire.Json:
    try:
        body = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise wire.BadRequestError(f"the body is not JSON: {error}") from error
    if not isinstance(body, dict):
        raise wire.BadRequestError("the body must be a JSON object")
    return body
