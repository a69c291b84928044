"""A chat server on loopback that answers as a test defines."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

Reply = str | tuple[int, str]
"""The text of an answer; or a status, and the body as it is sent."""


@contextmanager
def chat_server(
    reply: Callable[[str], Reply], requests: list[dict[str, Any]] | None = None
) -> Iterator[str]:
    """Run a server with the API of OpenAI until the block ends.

    Args:
        reply: Returns the reply to a prompt.
        requests: Gets the body of each request.

    Yields:
        The base URL.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send(404, "{}")

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if requests is not None:
                requests.append(request)
            answer = reply(request["messages"][-1]["content"])
            self.send(*((200, completion(answer)) if isinstance(answer, str) else answer))

        def send(self, status: int, body: str) -> None:
            content = body.encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            if status in (301, 302):
                self.send_header("Location", "/elsewhere")
            kind = "text/html" if body.startswith("<") else "application/json"
            self.send_header("Content-Type", kind)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()


def completion(text: str) -> str:
    """Return the body of a response of OpenAI's chat API."""
    choice = {
        "index": 0,
        "finish_reason": "stop",
        "message": {"role": "assistant", "content": text},
    }
    usage = {"prompt_tokens": 10, "completion_tokens": 1, "total_tokens": 11}
    common = {"id": "1", "object": "chat.completion", "created": 0, "model": "m"}
    return json.dumps({**common, "choices": [choice], "usage": usage})


def error(message: str, **details: object) -> str:
    """Return the body of an error of OpenAI's API."""
    return json.dumps({"error": {"message": message, **details}})
