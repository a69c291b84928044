"""What a model may reply to the request for one question, and what is done with anything else."""

import asyncio
import json

import pytest

from bias_tasks.commands.model_calls.attempts import UnusableReplyError
from bias_tasks.commands.model_calls.model import Limits, ModelFailedError, open_model
from bias_tasks.commands.model_calls.texts import MOST_CHARACTERS, read_reply
from bias_tasks.commands.reformulate.ask import ROLE, ask
from tests.bias_tasks.effort import cpu_limit
from tests.bias_tasks.hostile import hostile_answers, sized_answers
from tests.bias_tasks.mocks import mock


@pytest.mark.parametrize(
    ("reply", "question"),
    [
        ("Is it so?", "Is it so?"),
        ("\n  Is it  so?\n\n", "Is it so?"),
        ('"Is it so?"', "Is it so?"),
        ("“Is it so?”", "Is it so?"),
        ("Reworded question: Is it so?", "Is it so?"),
        ('Question: "Is it so?"', "Is it so?"),
        ('Is "A" before "B"?', 'Is "A" before "B"?'),
        ('"A" or not? "B"', '"A" or not? "B"'),
        ("Is it\u00a0so?", "Is it so?"),
    ],
)
def test_one_question_is_read(reply, question):
    assert read_reply(reply) == question


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "it is empty"),
        (" \n ", "it is empty"),
        ('""', "it is empty"),
        ("Question:", "it is empty"),
        ("Sure!\nIs it so?", "it has several lines"),
        ("```\nIs it so?\n```", "it has several lines"),
        ("Is it so?\u2028Yes.", "it has several lines"),
        ("Is it\x00 so?", "it holds control characters"),
        ("Is it \u202eso?", "it holds control characters"),
        ("Is it \ud800?", "it holds control characters"),
        ("x" * (MOST_CHARACTERS + 1), "it has 2,001 characters"),
    ],
)
def test_anything_else_is_refused(reply, reason):
    with pytest.raises(UnusableReplyError, match=reason):
        read_reply(reply)


def _asked(answers, refusal=lambda text: None):
    prompts = []

    def reply(prompt):
        prompts.append(prompt)
        return answers[min(len(prompts), len(answers)) - 1]

    return asyncio.run(ask(mock(reply), "Reword it.", refusal)), prompts


def test_a_refused_reply_is_shown_to_the_model_with_the_reason():
    origin, prompts = _asked(["Well,\nI won't.", "Is it so?"])
    assert origin == {
        "by": "model",
        "output": "Is it so?",
        "model": "mockllm/model",
        "prompt": "Reword it.",
        "attempts": 2,
    }
    assert prompts == [
        "Reword it.",
        "To the request below you replied \"Well, I won't.\", which can't be used: it has several "
        "lines.\n\nReword it.",
    ]


def test_huge_replies_are_cut_wherever_they_go():
    for kind, text in sized_answers(200_000):
        with cpu_limit(30, kind):
            origin, prompts = _asked([text])
        assert origin["by"] == "refused"
        assert max(map(len, prompts)) < MOST_CHARACTERS + 200
        assert len(origin["output"]) <= MOST_CHARACTERS
        assert origin["reason"] == f"it has {len(text):,} characters"


def test_hostile_replies_are_questions_of_one_line_or_refused():
    for _, text in hostile_answers(300, seed=1):
        origin, prompts = _asked([text])
        for kept in (*prompts, json.dumps(origin, ensure_ascii=False)):
            kept.encode()
        assert origin["output"].isprintable()
        assert len(origin["output"]) <= MOST_CHARACTERS


def test_a_question_with_braces_is_passed_on_as_it_is():
    _, prompts = _asked(["{reason} {0}"], lambda text: "no {request}")
    assert '"{reason} {0}", which can\'t be used: no {request}.' in prompts[1]


def test_the_model_is_asked_at_temperature_0_in_its_role():
    model = open_model(ROLE, "mockllm/some", Limits(7, 2, 50))
    assert (model.role, str(model)) == ("reformulator", "mockllm/some")
    assert (model.config.temperature, model.config.max_connections) == (0, 7)
    assert (model.config.max_retries, model.config.timeout) == (2, 50)
    assert model.config.attempt_timeout == 50  # a server may also take a request and never answer


def test_a_model_without_its_key_is_told_in_plain_text(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ModelFailedError, match=r"the model openai/x: .* OPENAI_API_KEY,"):
        open_model(ROLE, "openai/x", Limits(1, 0, 1))
