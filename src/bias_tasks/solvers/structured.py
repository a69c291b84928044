"""Asks for an answer in a mode: free text, prompted JSON, a response schema, a tool, a grammar."""

from collections.abc import Mapping
from typing import Any

from inspect_ai.model import GenerateConfigArgs, ResponseSchema
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolDef, ToolFunction, ToolParams
from inspect_ai.util import JSONSchema, concurrency

from bias_tasks.contract.planned_calls import CALLS_MADE, REFUSED
from bias_tasks.output_format.answer_models import SchemaOrder
from bias_tasks.output_format.any_task import (
    REQUESTED_FORMAT,
    FreeAnswer,
    mode_question_for_any_task,
)
from bias_tasks.output_format.modes import MODES, TOOL
from bias_tasks.output_format.scoring_data import FormatData
from bias_tasks.solvers.generation import without_tool_loop
from bias_tasks.solvers.inspect_api import SolverError, checks_arguments
from bias_tasks.solvers.sample_state import running_sample
from bias_tasks.user_names import parse_names

_REFUSALS = frozenset({400, 404, 405, 415, 422, 501})
"""Statuses with which servers refuse a request for what it asks, whenever it is sent."""
_GRAMMAR_PROVIDERS = ("openai-api", "vllm", "llama-cpp-python", "sglang", "simulated", "mockllm")
"""Providers of servers that may have grammars. Others are not asked in mode `guided`."""


@solver
@checks_arguments(SolverError)
def structured(
    mode: str | None = None,
    answer: FreeAnswer = "text",
    keys: str | list[str] | None = None,
    order: SchemaOrder = "drawn",
    seed: int = 0,
) -> Solver:
    """Ask for the answer in a mode, and call the model once. A tool is never executed.

    Samples of `format_structured` name their modes. A mode that the provider refuses is not asked
    again: its samples have no score, and the results name it. Samples of other tasks are asked in
    `mode`, and are errors if the provider refuses it. The scorer `format_gated` unpacks the answer
    for any other scorer.

    Args:
        mode: `free`, `json`, `schema`, `schema_reasoning`, `schema_reasoning_last`, `tool` or
            `guided`, for samples of other tasks.
        answer: Type of the answer to samples without choices: `text`, `number`, `string_list` or
            `mapping`.
        keys: Keys of a mapping, as a list or separated by commas.
        order: Order of labels and keys in the schema: `drawn` for each sample, or `listed`.
        seed: Seed of the drawn order.

    Raises:
        SolverError: An argument is not valid.
    """
    names = parse_names(keys)
    refused: dict[tuple[str, str], str] = {}
    accepted: set[tuple[str, str]] = set()

    async def solve_own(state: TaskState, generate: Generate, data: FormatData) -> TaskState:
        """Answer a sample of `format_structured`, unless its mode is refused."""
        key = str(state.model), data.format
        state.metadata[CALLS_MADE] = 0
        # The first call of a mode goes alone: a refusal spares all others.
        async with concurrency(f"bias_tasks/structured {' '.join(key)}", 1, visible=False):
            if key not in accepted and key not in refused:
                try:
                    state = await ask_in_mode(state, generate, data)
                except Exception as error:  # each provider has its own
                    if not MODES[data.format].enforced or not _is_refusal(error):
                        raise
                    # Inspect's own message begins with the whole request.
                    message = getattr(error, "provider_message", "") or str(error)
                    refused[key] = " ".join(message.split())[:300]
                else:
                    accepted.add(key)
                    state.metadata[CALLS_MADE] = 1
        if key in refused:
            state.metadata[REFUSED] = refused[key]
        elif not state.metadata[CALLS_MADE]:
            state = await ask_in_mode(state, generate, data)
            state.metadata[CALLS_MADE] = 1
        return state

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        sample = running_sample()
        if sample is not None and isinstance(sample.question.scoring_data, FormatData):
            if mode is not None:
                raise ValueError("format_structured names its modes: set modes= of the task")
            return await solve_own(state, generate, sample.question.scoring_data)
        question = mode_question_for_any_task(
            str(state.sample_id),
            state.user_prompt.text,
            mode,
            options=[choice.value for choice in state.choices],
            several=len(state.target) > 1,
            answer=answer,
            keys=names,
            order=order,
            seed=seed,
        )
        state.user_prompt.text = question.prompt()
        data = question.scoring_data()
        state.metadata[REQUESTED_FORMAT] = data.to_dict()
        return await ask_in_mode(state, generate, data)

    return solve


async def ask_in_mode(state: TaskState, generate: Generate, data: FormatData) -> TaskState:
    """Call the model once with what enforces the mode.

    Args:
        state: The sample, whose prompt is complete.
        generate: Inspect's function.
        data: The scoring data of the question, which names the mode and the order of the schema.

    Raises:
        NotImplementedError: The provider has no parameter for the mode.
    """
    mode, item, labels = MODES[data.format], data.to_item(), data.schema_order or ()
    settings: GenerateConfigArgs = {}
    if mode.enforced == "grammar":
        provider = str(state.model).partition("/")[0]
        if provider not in _GRAMMAR_PROVIDERS:
            raise NotImplementedError(f"the provider {provider} has no grammars")
        settings["extra_body"] = grammar_fields(mode.grammar(item, labels))
    elif mode.enforced == "schema":
        schema = JSONSchema.model_validate(mode.schema(item, labels))
        settings["response_schema"] = ResponseSchema(name="answer", json_schema=schema, strict=True)
    elif mode.enforced == "tool":
        parameters = ToolParams.model_validate(mode.schema(item, labels))
        state.tools = [_build_tool(parameters)]
        state.tool_choice = ToolFunction(TOOL)
        return await generate(state, "none")
    return await without_tool_loop(generate)(state, **settings)


def grammar_fields(grammar: str) -> dict[str, Any]:
    """Return the fields of a request that constrain the answer by a grammar.

    Servers ignore those that they do not know: `grammar` is llama.cpp's, `structured_outputs`
    vLLM's, and `guided_grammar` that of vLLM before 0.12.

    Args:
        grammar: The grammar (GBNF).
    """
    return {
        "grammar": grammar,
        "structured_outputs": {"grammar": grammar},
        "guided_grammar": grammar,
    }


def _build_tool(parameters: ToolParams) -> Any:
    async def answer(**_: Mapping[str, Any]) -> str:
        raise RuntimeError("the tool is never executed")

    definition = ToolDef(answer, TOOL, "Give the answer.", parameters=parameters)
    return definition.as_tool()


def _is_refusal(error: Exception) -> bool:
    """Return whether a provider or its server refuses a request, whenever it is sent."""
    status = getattr(error, "status_code", None)
    return status in _REFUSALS or isinstance(error, NotImplementedError)
