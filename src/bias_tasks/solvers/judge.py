"""Asking the judge under test."""

from __future__ import annotations

from inspect_ai.model import ResponseSchema
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import JSONSchema


@solver
def judge(structured: bool = True) -> Solver:
    """Ask the judge for its answer in the form that the sample names.

    The second judgement of a response is asked whatever is cached: its prompt is the first one's,
    and a cache would leave no noise to measure.

    Args:
        structured: force the form of the answer where the provider can. Turn it off for servers
            that refuse a response schema: `--solver bias_tasks/judge -S structured=false`.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        schema = state.metadata["schema"] if structured else None
        form = None if schema is None else _response_schema(schema)
        if state.metadata["facts"]["afresh"]:
            return await generate(state, cache=False, response_schema=form)
        return await generate(state, response_schema=form)

    return solve


def _response_schema(schema: dict[str, object]) -> ResponseSchema:
    return ResponseSchema(name="judgement", json_schema=JSONSchema.model_validate(schema))
