"""The calls of models that a question of a setting takes, one after the other."""

from __future__ import annotations

from bias_tasks.family import Question, Request
from bias_tasks.instruction_boundary.prompts.ask import ask_again, polish_request
from bias_tasks.instruction_boundary.questions import SettingQuestion

POLISHER = "polisher"
"""The model role that rewrites prompts."""


def requests_of(question: Question, answer: str) -> tuple[Request, ...]:
    """The calls of one question; `answer` stands for what the model says in each round.

    A polisher that loses a part of the prompt is asked again, which nobody knows beforehand.
    """
    first = Request(question.prompt)
    asked = question.source
    if not isinstance(asked, SettingQuestion):
        return (first,)
    if asked.under == "multi_turn":
        again = Request(ask_again(asked.item, asked.params, answer))
        return (first, *[again] * (asked.params.rounds - 1))
    if asked.under == "prompt_polishing" and asked.params.polish == "live":
        return (Request(polish_request(question.prompt), POLISHER, question.prompt), first)
    return (first,)
