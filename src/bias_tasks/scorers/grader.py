"""Requests a verdict of a grader, another model, on an answer that the rules cannot parse."""

from inspect_ai.model import GenerateConfig, ResponseSchema, get_model
from inspect_ai.util import JSONSchema

from bias_tasks.contract.family import AnyFamily
from bias_tasks.contract.outcomes import Answer, AnyOutcome
from bias_tasks.contract.questions import ScoringData
from bias_tasks.names import encodable
from bias_tasks.parsing.reasoning import without_reasoning

GRADER = "grader"
"""The grader's model role."""
MAX_ATTEMPTS = 3
"""Requests per answer until the grader gives a verdict in the requested form."""


async def grade_answer(
    family: AnyFamily, data: ScoringData, answer: Answer, unparsed: AnyOutcome
) -> AnyOutcome | None:
    """Return the outcome of an answer by a grader's verdict.

    Args:
        family: The family that scores the answer.
        data: The question's scoring data.
        answer: The answer, without reasoning.
        unparsed: Its outcome by the rules, returned if no grader is used for such an answer.

    Returns:
        None if the grader gives no verdict in `MAX_ATTEMPTS` attempts.
    """
    request = family.verdict_request(data, answer)
    if request is None:
        return unparsed
    model = get_model(role=GRADER, required=True)
    schema = JSONSchema.model_validate(dict(request.schema))
    config = GenerateConfig(response_schema=ResponseSchema(name="verdict", json_schema=schema))
    for _ in range(MAX_ATTEMPTS):
        reply = await model.generate(request.prompt, config=config)
        verdict = without_reasoning(encodable(reply.completion))
        outcome = family.parse_verdict(data, answer, verdict)
        if outcome is not None:
            return outcome
    return None
