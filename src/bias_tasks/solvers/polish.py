"""Prompt polishing: the prompt rewritten "to improve understanding" (section 3.4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from inspect_ai.model import Model, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver

from bias_tasks.instruction_boundary.plan import POLISHER
from bias_tasks.instruction_boundary.prompts.ask import polish_request
from bias_tasks.instruction_boundary.prompts.polished import lost_in
from bias_tasks.names import encodable
from bias_tasks.prompts.cued import with_cue
from bias_tasks.reading.reasoning import without_reasoning
from bias_tasks.solvers._questions import ask_foreign, editing, question_of, under_setting
from bias_tasks.solvers.inspect_host import SolverError, refusing

_ATTEMPTS = 3
Lost = Callable[[str], Sequence[str]]
"""What a rewritten prompt has lost, in words."""


@solver
@refusing(SolverError)
def polish(live: bool | None = None) -> Solver:
    """Ask with a polished prompt.

    With `live` the model in the role `polisher` rewrites the vanilla prompt; without it the
    paper's polished template is used. Another task's samples are always polished live.

    Args:
        live: rewrite with the polisher, where not the task's `polish`.

    Raises:
        PrerequisiteError: live, and no model is bound to the role `polisher`.
        RuntimeError: three times the polisher lost the question, a fact, or an option with its
            number.
    """
    mode = None if live is None else ("live" if live else "template")

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        question = question_of(state)
        if question is None:
            polisher = get_model(role=POLISHER, required=True)

            async def rewrite(prompt: str) -> str:
                return await _polished(polisher, polish_request(prompt), lambda text: ())

            return await ask_foreign(state, editing(generate, rewrite))
        asked = under_setting(state, question, "prompt_polishing", polish=mode)
        if asked is None:
            return await generate(state)
        if asked.params.polish == "live":
            polisher = get_model(role=POLISHER, required=True)
            request = polish_request(state.user_prompt.text)
            lost = partial(lost_in, asked=asked.asked(), item=asked.item)
            text = await _polished(polisher, request, lost)
            state.user_prompt.text = with_cue(text) if asked.params.base else text
        return await generate(state)

    return solve


async def _polished(polisher: Model, request: str, lost_in_text: Lost) -> str:
    lost: Sequence[str] = ()
    for _ in range(_ATTEMPTS):
        text = without_reasoning(encodable((await polisher.generate(request)).completion))
        lost = lost_in_text(text) if text else ("everything",)
        if not lost:
            return text
    raise RuntimeError(
        f"the polisher {polisher} changed what is asked in {_ATTEMPTS} attempts; the last one lost "
        + "; ".join(lost)
    )
