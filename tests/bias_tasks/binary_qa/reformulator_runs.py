"""What the tests of the reformulator share: questions, a plain grammar, a model that answers."""

import json

from click.testing import CliRunner

from bias_tasks.binary_qa.reformulation import checks, grammar
from bias_tasks.commands.reformulate import commands
from tests.bias_tasks.mocks import mock

KINDS = ("synonym", "polite", "contradictory", "false")


class ProviderError(RuntimeError):
    """What a provider raises."""


def plain_grammar(monkeypatch):
    """A grammar that knows questions which begin with Is, and checks that want a question mark."""

    def reformulate(question, kind):
        return f"{kind} of {question}" if question.startswith("Is ") else None

    def check(question, kind, text):
        return None if text.endswith("?") else "it is no question"

    monkeypatch.setattr(grammar, "reformulate", reformulate)
    monkeypatch.setattr(checks, "check", check)


def good(prompt):
    """A question that differs with the prompt."""
    return f"Is it so, {abs(hash(prompt))}?"


class Asked(list):
    """The prompts that the command's model got; `answer` makes its replies."""

    def __init__(self, monkeypatch):
        super().__init__()
        self.answer = good

        def reply(prompt):
            self.append(prompt)
            return self.answer(prompt)

        monkeypatch.setattr(commands, "open_model", lambda role, name, limits: mock(reply, name))


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def read(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def questions(n):
    """All but the last are beyond the grammar."""
    made = [
        {"id": f"q{i}", "question": f"Where is {i}?", "answer": ("Yes", "No")[i % 2]}
        for i in range(n - 1)
    ]
    return [*made, {"id": "easy", "question": "Is it here?", "answer": "Yes"}]


def run(*arguments):
    return CliRunner().invoke(commands.reformulate, [str(argument) for argument in arguments])


def with_model(mine, out, *more):
    return run(mine, "--out", out, "--model", "m", *more)
