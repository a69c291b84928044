"""A server with OpenAI's chat interface; a function makes its answers."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Server(ThreadingHTTPServer):
    """Answers prompts by a function.

    Attributes:
        prompts: those that were answered, in the order of their answers.
    """

    def __init__(self, answer, fails):
        super().__init__(("127.0.0.1", 0), Handler)
        self.answer, self.fails = answer, fails
        self.asked, self.prompts = 0, []
        self.lock = threading.Lock()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        with self.server.lock:
            number = self.server.asked
            self.server.asked += 1
        status = self.server.fails(number)
        if status is None:
            prompt = body["messages"][-1]["content"]
            said = self.server.answer(prompt)
            self.server.prompts.append(prompt)
            message = {"role": "assistant", "content": said}
            told = {
                "model": "x",
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            }
        else:
            told = {"error": {"message": "as planned"}}
        sent = json.dumps({"id": "x", "object": "chat.completion", "created": 0, **told}).encode()
        self.send_response(status or 200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(sent)))
        self.send_header("retry-after-ms", "10")
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, *_):
        pass


@contextmanager
def serving(answer, fails=lambda number: None):
    """A running server.

    Args:
        answer: the text that answers a prompt.
        fails: the status with which the request of a running number fails; None where it does not.
    """
    server = Server(answer, fails)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
