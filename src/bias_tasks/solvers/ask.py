"""Prompts the model as the family of the sample requires: once, after a rewording, or in rounds."""

import logging

from inspect_ai.model import GenerateConfigArgs, ResponseSchema, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import JSONSchema

from bias_tasks.contract.planned_calls import CALLS_MADE
from bias_tasks.contract.questions import Question, Request
from bias_tasks.contract.record import low_limit_notice
from bias_tasks.parsing.written_text import InvalidReplyError
from bias_tasks.solvers.follow_up import begin_next_round
from bias_tasks.solvers.generation import answer_text, without_tool_loop
from bias_tasks.solvers.inspect_api import SolverError, active_token_limit, checks_arguments
from bias_tasks.solvers.sample_state import running_sample
from bias_tasks.solvers.until_valid import MAX_ATTEMPTS, ask_until_valid

logger = logging.getLogger(__name__)


@solver
@checks_arguments(SolverError)
def ask(structured: bool = True) -> Solver:
    """Prompt the model with the question of the sample.

    A repeated prompt bypasses the cache, which would make every model perfectly consistent with
    itself. The model in the family's role rewords prompts that are reworded during the run. Each
    round of several is one message that quotes the last answer, or the next turn of a dialogue.
    Earlier answers are kept in the sample's metadata, under `previous_answers`, and why each ended
    under `previous_stop_reasons`. `calls_made` counts the calls that got an answer: a sample with
    fewer than its question plans is not scored.

    Args:
        structured: Enforce the form of the answer if the question has a JSON schema and the
            provider supports it. Turn it off for servers that reject a response schema:
            `--solver bias_tasks/ask -S structured=false`.
    """

    warned_models: set[str] = set()

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        generate, sample = without_tool_loop(generate), running_sample()
        if sample is None or sample.family is None:
            return await generate(state)
        notice = low_limit_notice(sample.answer_limit, active_token_limit())
        if notice is not None and str(state.model) not in warned_models:
            warned_models.add(str(state.model))
            logger.warning("%s", notice)
        question, settings = sample.question, _generation_settings(sample.question, structured)
        requests = sample.family.requests(question, "")
        state.metadata[CALLS_MADE] = 0
        for request in requests:
            if request.parse_rewording is not None:
                state.user_prompt.text = await generate_rewording(request)
                state.metadata[CALLS_MADE] += 1
        system_messages = [message for message in state.messages if message.role == "system"]
        state = await generate(state, **settings)
        state.metadata[CALLS_MADE] += 1
        n_rounds = sum(request.role is None for request in requests)
        for index in range(1, n_rounds):
            answered = sample.family.requests(question, answer_text(state.output))
            next_round = [request for request in answered if request.role is None][index]
            history = state.messages if next_round.continues else system_messages
            begin_next_round(state, next_round.prompt, history)
            state = await generate(state, **settings)
            state.metadata[CALLS_MADE] += 1
        return state

    return solve


async def generate_rewording(request: Request) -> str:
    """Return a prompt reworded by the model of a request's role.

    Args:
        request: The request for a rewording.

    Raises:
        RuntimeError: Each of `MAX_ATTEMPTS` replies lost a part of the prompt.
    """

    def parse(reply: str) -> str:
        if not reply:
            raise InvalidReplyError("everything")
        try:
            return reply if request.parse_rewording is None else request.parse_rewording(reply)
        except ValueError as error:
            raise InvalidReplyError(str(error)) from error

    model = get_model(role=request.role, required=True)
    reply = await ask_until_valid(model, request.prompt, parse)
    if reply.value is None:
        raise RuntimeError(
            f"the {request.role} {model} changed the content of the prompt in {MAX_ATTEMPTS} "
            f"attempts; the last one lost {reply.invalid}. Set another model for the role"
        )
    return reply.value


def _generation_settings(question: Question, structured: bool) -> GenerateConfigArgs:
    settings: GenerateConfigArgs = {"cache": False} if question.repeats else {}
    if structured and question.schema is not None:
        schema = JSONSchema.model_validate(dict(question.schema))
        settings["response_schema"] = ResponseSchema(name="judgement", json_schema=schema)
    return settings
