"""A simulated respondent behind OpenAI's and Anthropic's HTTP interfaces."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from bias_tasks.respondents import wire, wire_tokens
from bias_tasks.respondents.completion import NOTHING
from bias_tasks.respondents.faults import Fault, Faults
from bias_tasks.respondents.known_items import KnownItems
from bias_tasks.respondents.persona import Respondent

NO_FAULTS = Faults()

Endpoint = Callable[[Respondent, KnownItems, dict[str, Any]], dict[str, Any]]

_ENDPOINTS: dict[str, Endpoint] = {
    "/v1/chat/completions": wire.chat_completions,
    "/v1/completions": wire.completions,
    "/v1/messages": wire.messages,
}
_TOKENIZER: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "/tokenize": wire_tokens.tokenize,
    "/detokenize": wire_tokens.detokenize,
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
        faults: what goes wrong, and how often.
        log: a file to which a JSON line is added for each request: its running number, its path,
            its fault (or null) and its body.
    """
    numbers = count()

    def route(path: str, endpoint: Endpoint) -> Route:
        def answering(body: dict[str, Any]) -> dict[str, Any]:
            return endpoint(respondent, known, body)

        async def handle(request: Request) -> Response:
            number = next(numbers)
            fault = faults.of(number)
            raw = await request.body()
            if log is not None:
                _write_log(log, number, path, fault, raw)
            await asyncio.sleep(faults.latency)
            return _respond(answering, raw, fault)

        return Route(path, handle, methods=["POST"])

    async def list_models(request: Request) -> Response:
        return _JSONResponse(wire.models(name))

    routes = [route(path, endpoint) for path, endpoint in _ENDPOINTS.items()]
    return Starlette(
        routes=[*routes, Route("/v1/models", list_models), *_tokenizer_routes()],
    )


def _tokenizer_routes() -> list[Route]:
    """Routes of the tokenizer, which makes no faults: it is no part of the respondent."""

    def route(path: str, endpoint: Callable[[dict[str, Any]], dict[str, Any]]) -> Route:
        async def handle(request: Request) -> Response:
            return _answer(endpoint, await request.body())

        return Route(path, handle, methods=["POST"])

    async def info(request: Request) -> Response:
        return _JSONResponse(wire_tokens.tokenizer_info())

    posts = [route(path, endpoint) for path, endpoint in _TOKENIZER.items()]
    return [*posts, Route("/tokenizer_info", info)]


def bind(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 takes a free one.

    Raises:
        OSError: the port is taken, or the host is not this machine's.
    """
    listening = socket.create_server((host, port), backlog=2048)
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
    config = uvicorn.Config(app, log_level="critical", timeout_graceful_shutdown=1)
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


def _respond(
    answering: Callable[[dict[str, Any]], dict[str, Any]], raw: bytes, fault: Fault | None
) -> Response:
    if fault == "error_429":
        return _JSONResponse(
            wire.error("rate_limit_error", "too many requests (on request)"), 429, _RETRY_SOON
        )
    if fault == "error_500":
        return _JSONResponse(
            wire.error("api_error", "internal error (on request)"), 500, _RETRY_SOON
        )
    if fault == "garbage":
        return Response("<html>not what you asked for", media_type="application/json")
    kind = _CutResponse if fault == "cut" else _JSONResponse
    return _answer(answering, raw, kind)


def _answer(
    endpoint: Callable[[dict[str, Any]], dict[str, Any]],
    raw: bytes,
    kind: type[_JSONResponse] = _JSONResponse,
) -> Response:
    try:
        return kind(endpoint(_body(raw)))
    except wire.BadRequestError as error:
        return _JSONResponse(wire.error("invalid_request_error", str(error)), 400)


def _body(raw: bytes) -> dict[str, Any]:
    try:
        body = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise wire.BadRequestError(f"the body is not JSON: {error}") from error
    if not isinstance(body, dict):
        raise wire.BadRequestError("the body must be a JSON object")
    return body


def _write_log(log: Path, number: int, path: str, fault: Fault | None, raw: bytes) -> None:
    row = {
        "request": number,
        "path": path,
        "fault": fault,
        "body": raw.decode("utf-8", "replace"),
    }
    with log.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")
