"""Asks a sample's prompt as it stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from inspect_ai.model import ResponseSchema
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import JSONSchema

from bias_tasks.solvers.inspect_host import SolverError, refusing
from bias_tasks.solvers.sample_state import sample_state


@solver
@refusing(SolverError)
def ask(structured: bool = True) -> Solver:
    """Ask the model, in the form that the sample names and past any cache where it must be.

    Some questions repeat another one's prompt (a repeated question, a second judgement). A cache
    would give them the first one's answer, and every model would be perfectly consistent with
    itself.

    Args:
        structured: force the form of the answer where the sample names one and the provider can.
            Turn it off for servers that refuse a response schema:
            `--solver bias_tasks/ask -S structured=false`.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        sample = sample_state()
        schema = None if sample is None or not structured else sample.question.schema
        form = None if schema is None else _response_schema(schema)
        if sample is not None and sample.question.repeats:
            return await generate(state, cache=False, response_schema=form)
        return await generate(state, response_schema=form)

    return solve


def _response_schema(schema: Mapping[str, Any]) -> ResponseSchema:
    return ResponseSchema(name="judgement", json_schema=JSONSchema.model_validate(dict(schema)))
