"""Shared by the tests of the commands: models that answer as a test defines, and runs."""

import json

from bias_tasks.commands.batch_requests.runner import InspectRunner
from tests.bias_tasks.command_line import typed
from tests.bias_tasks.mocks import mock


class Requests(list):
    """The requests of a run, as (role, prompt); `answer` makes the replies."""

    def __init__(self, monkeypatch, answer):
        super().__init__()
        self.answer = answer

        def open_model(runner, role, name, **config):
            def reply(prompt):
                self.append((role, prompt))
                return self.answer(prompt)

            return mock(reply, name)

        monkeypatch.setattr(InspectRunner, "model", open_model)

    @property
    def prompts(self):
        return [prompt for _, prompt in self]


def run(*words):
    """Run a command that calls models, without Inspect's display."""
    return typed(*words, "--display", "none", columns=200)


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def read(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
