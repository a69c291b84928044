"""Asks a grader, another model, about an answer that rules can't read."""

from collections.abc import Mapping
from typing import Any

from inspect_ai.model import GenerateConfig, ResponseSchema, get_model
from inspect_ai.util import JSONSchema

from bias_tasks.contract.family import Answer, Family, Outcome
from bias_tasks.names import encodable
from bias_tasks.parsing.reasoning import without_reasoning

GRADER = "grader"
"""Its model role."""
ATTEMPTS = 3
"""How often it is asked for a verdict at most."""


async def graded(
    family: Family, facts: Mapping[str, Any], answer: Answer, unread: Outcome
) -> Outcome | None:
    """The outcome by the grader's verdict on an answer without reasoning, None where it gave none;
    `unread` where nobody is asked about such an answer."""
    request = family.verdict_request(facts, answer)
    if request is None:
        return unread
    model = get_model(role=GRADER, required=True)
    schema = JSONSchema.model_validate(dict(request.schema))
    config = GenerateConfig(response_schema=ResponseSchema(name="verdict", json_schema=schema))
    for _ in range(ATTEMPTS):
        reply = await model.generate(request.prompt, config=config)
        verdict = without_reasoning(encodable(reply.completion))
        found = family.read_verdict(facts, answer, verdict)
        if found is not None:
            return found
    return None
