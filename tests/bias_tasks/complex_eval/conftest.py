"""What the tests of `bias-tasks attack` that run it more than once share."""

import pytest

from bias_tasks.commands.attack import replies as kept_replies
from tests.bias_tasks.complex_eval.attacker_runs import Asked, good_replies, synthetic

MOST_ITEMS = 5
"""Items of the math family that the model knows to attack; a run may have fewer."""


@pytest.fixture
def hurry(monkeypatch):
    """No pauses between attempts."""
    monkeypatch.setattr(kept_replies, "PAUSES", (0.0,) * 4)


@pytest.fixture
def asked(monkeypatch, hurry):
    """The requests of a run, which are answered well."""
    return Asked(monkeypatch, good_replies(synthetic("math", MOST_ITEMS)).__getitem__)


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out.jsonl"
