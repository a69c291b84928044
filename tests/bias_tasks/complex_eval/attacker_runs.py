"""What the tests of the attacker share: a model that attacks as rules do, and runs with it."""

import json

from click.testing import CliRunner

from bias_tasks.commands.attack import commands
from bias_tasks.complex_eval.attacks.attack import attack
from bias_tasks.complex_eval.data.load import load_judged
from bias_tasks.complex_eval.items import attack_names, attacked_response
from bias_tasks.complex_eval.prompts.attacks import attack_request, extraction_request
from tests.bias_tasks.mocks import mock

FEATURES = "- [Feature 1]: It is short."


def synthetic(family, n, seed=0):
    return load_judged(family, "synthetic", n=n, seed=seed).items


def as_reply(item, text):
    """An attacked response as a model is asked to write it."""
    if item.family == "math":
        steps = [line.partition(": ")[2] for line in text.split("\n")]
        return "```json\n" + json.dumps({"steps": steps}) + "\n```"
    return text


def good_replies(items, names=None):
    """The reply to every prompt of a run: features, and what rules make of the response."""
    replies = {}
    for item in items:
        for name in names or attack_names(item.family):
            extraction = extraction_request(item, name)
            if extraction is not None:
                replies[extraction] = FEATURES
            request = attack_request(item, name, FEATURES if extraction else None)
            replies[request] = as_reply(item, attack(item, name))
    return replies


def bare(item):
    """The unattacked response, which is no valid attack."""
    return as_reply(item, item.responses[attacked_response(item)])


class Asked(list):
    """The requests of a run, as (role, prompt); `answer` makes the replies."""

    def __init__(self, monkeypatch, answer):
        super().__init__()
        self.answer = answer

        def opened(role, name, limits):
            def reply(prompt):
                self.append((role, prompt))
                return self.answer(prompt)

            return mock(reply, name)

        monkeypatch.setattr(commands, "open_model", opened)

    @property
    def prompts(self):
        return [prompt for _, prompt in self]


def run(*arguments):
    return CliRunner().invoke(commands.attack, [str(argument) for argument in arguments])


def read(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def manifest(path):
    return json.loads(path.with_name(path.name + ".manifest.json").read_text(encoding="utf-8"))


def replies_file(path):
    """What a run keeps of the replies, beside its rows."""
    return path.with_name(path.name + ".replies.jsonl")
