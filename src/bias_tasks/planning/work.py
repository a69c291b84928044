"""The calls of a run and their tokens, counted from the real prompts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bias_tasks.family import Family, Plan
from bias_tasks.planning.tokens import counter_of


@dataclass(frozen=True, slots=True)
class Calls:
    """The calls of one model."""

    calls: int = 0
    tokens_in: float = 0.0
    tokens_out: float = 0.0

    def plus(self, tokens_in: float, tokens_out: float) -> Calls:
        """With one more call."""
        return Calls(self.calls + 1, self.tokens_in + tokens_in, self.tokens_out + tokens_out)

    def times(self, epochs: int) -> Calls:
        """As often as the run is repeated."""
        return Calls(self.calls * epochs, self.tokens_in * epochs, self.tokens_out * epochs)


def work_of(
    family: Family, plan: Plan, *, answer_tokens: int, epochs: int = 1, model: str | None = None
) -> Mapping[str | None, Calls]:
    """The calls by model role, None for the model itself.

    Args:
        family: whose plan it is.
        plan: the questions.
        answer_tokens: how many tokens an answer of the model is taken to have.
        epochs: how often the whole plan is run.
        model: by whose tokens is counted.
    """
    count, per_message = counter_of(model)
    quoted = "word " * answer_tokens
    found: dict[str | None, Calls] = {None: Calls()}
    for question in plan.questions:
        for request in family.requests(question, quoted):
            out = answer_tokens if request.answer is None else count(request.answer)
            before = found.get(request.role, Calls())
            found[request.role] = before.plus(count(request.prompt) + per_message, out)
    return {role: calls.times(epochs) for role, calls in found.items()}
