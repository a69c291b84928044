"""What is left of runs that are killed, run out of disk or share a folder, in both frameworks.

A server on this machine answers slowly. A process is killed (SIGKILL) in the middle of its calls,
or may write only a few kilobytes per file, and the same command is repeated. Two processes also
write to one log folder at the same time. Printed are exit statuses, calls, and what
`bias-tasks results` says before and after.

    python -m benchmarks.robustness.interrupted_runs [killed] ['disk full'] ['two processes']
"""

import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ITEMS = 40
DELAY = 0.2
MAX_SECONDS = 90
MAX_FILE_BYTES = 20_000
RESULTS = (sys.executable, "-c", "from bias_tasks.cli import main; main()", "results")
calls: list[float] = []


class Handler(BaseHTTPRequestHandler):
    """Answers every chat completion with Yes, slowly."""

    def do_POST(self) -> None:
        """Answer a request."""
        self.rfile.read(int(self.headers["Content-Length"]))
        calls.append(time.time())
        time.sleep(DELAY)
        message = {"role": "assistant", "content": "Yes"}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        body = {"id": "1", "object": "chat.completion", "created": 1, "model": "slow"}
        content = json.dumps({**body, "choices": [choice]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        with suppress(BrokenPipeError):  # the process was killed
            self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing."""


def limit_files() -> None:
    """Let a process write no file beyond a size, as on a disk that is full."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_FILE_BYTES, MAX_FILE_BYTES))


def start(
    command: Sequence[str], port: int, prepare: Callable[[], None] | None = None
) -> subprocess.Popen[str]:
    """Start a command that calls the server."""
    url = f"http://127.0.0.1:{port}/v1"
    environment = {**os.environ, "SLOW_API_KEY": "x", "SLOW_BASE_URL": url, "OPENAI_API_KEY": "x"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    return subprocess.Popen(
        [sys.executable, "-m", *command], env=environment, text=True, preexec_fn=prepare, **pipes
    )


def finish(process: subprocess.Popen[str]) -> str:
    """Wait for a process; return its exit status, its calls, and its last line if it failed."""
    before = len(calls)
    try:
        output, _ = process.communicate(timeout=MAX_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        output = f"{process.communicate()[0]}\nnot done after {MAX_SECONDS} s"
    lines = [line for line in output.splitlines() if line.strip()]
    last = f", {lines[-1][:150]}" if process.returncode and lines else ""
    return f"exit {process.returncode}, {len(calls) - before} calls{last}"


def kill_in_the_middle(process: subprocess.Popen[str]) -> str:
    """Kill a process after a third of its calls."""
    before, end = len(calls), time.time() + 120
    while len(calls) < before + ITEMS // 3 and time.time() < end and process.poll() is None:
        time.sleep(0.05)
    process.kill()
    process.communicate()
    return f"killed after {len(calls) - before} calls"


def results(folder: Path) -> str:
    """Return what `bias-tasks results` says of a folder, in short."""
    command = [*RESULTS, str(folder), "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    rows = json.loads(done.stdout) if done.stdout.startswith("[") else []
    runs = [row for row in rows if row["headline"]]
    described = [f"n={run['items']} of {run['samples_total']} samples" for run in runs]
    reasons = [line.rpartition("/")[2] for line in done.stderr.splitlines()]
    return f"exit {done.returncode}, {len(runs)} runs {described} {reasons}"


def commands(folder: Path, port: int) -> dict[str, list[str]]:
    """Return the command of each framework."""
    metadata = json.dumps({"data": "synthetic", "n": ITEMS})
    task = ["bias_tasks/binaryqa_qa", "-T", "data=synthetic", "-T", f"n={ITEMS}"]
    options = ["--model", "openai-api/slow/model", "--max-connections", "2", "--display", "none"]
    model = f"model=slow,base_url=http://127.0.0.1:{port}/v1/chat/completions,num_concurrent=2"
    return {
        "inspect": [
            *("inspect_ai", "eval-set", *task, *options, "--log-dir", str(folder / "inspect")),
            *("--log-buffer", "5", "--retry-attempts", "1", "--retry-wait", "1"),
        ],
        "lm_eval": [
            *("lm_eval", "--model", "local-chat-completions", "--model_args", model),
            *("--tasks", "binaryqa_qa", "--metadata", metadata),
            *("--apply_chat_template", "--log_samples", "--output_path", str(folder / "lm_eval")),
            *("--use_cache", str(folder / "cache")),
        ],
    }


def main() -> None:
    """Print what each interruption leaves."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    port = server.server_address[1]
    for interruption in sys.argv[1:] or ("killed", "disk full", "two processes"):
        with tempfile.TemporaryDirectory() as name:
            for framework, command in commands(Path(name), port).items():
                folder = Path(name) / framework
                folder.mkdir()
                print(f"{framework}, {interruption}")
                if interruption == "killed":
                    print("  first:", kill_in_the_middle(start(command, port)))
                elif interruption == "disk full":
                    print("  first:", finish(start(command, port, limit_files)))
                else:
                    processes = [start(command, port), start(command, port)]
                    print("  both:", *map(finish, processes), sep="\n    ")
                print("  results:", results(folder))
                print("  again:", finish(start(command, port)))
                print("  results:", results(folder))


if __name__ == "__main__":
    main()
