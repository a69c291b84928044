"""An output format asked for in any task's prompt, once or repeatedly (FormatEval, section 6)."""

from __future__ import annotations

from inspect_ai.solver import Generate, Solver, TaskState, solver

from bias_tasks.output_format.foreign import known_format
from bias_tasks.output_format.items import Prompting
from bias_tasks.output_format.questions import FormatParams
from bias_tasks.parameters import names_in
from bias_tasks.solvers._formats import ask_in_format


@solver
def format_instruction(
    format: str, repeat: int = 1, prompting: Prompting = "zs", keys: str | list[str] | None = None
) -> Solver:
    """Ask for the answer in a format, and ask the model.

    The format's instruction ends the prompt. Where the sample has choices, they are printed with
    letters between the instruction to choose and that of the format. `format_gated` then finds in
    the sample's metadata what was asked. It stands at the end of a chain: it calls the model.

    Args:
        format: the format's name, such as `bolding`.
        repeat: how many times the instruction stands in the prompt.
        prompting: `zs`, or `zs_cot` where the prompt has the model reason first: every format but
            a wrapping one is then asked for between <ANSWER> and </ANSWER>.
        keys: what `json` and `yaml` ask for, as a list or separated by commas.

    Raises:
        ValueError: a parameter's value is unknown, the format can't hold a sample's answer, or
            the sample is one of ours that is asked in a format already.
    """
    fmt = known_format(format)
    params = FormatParams(prompting=prompting, repeat=repeat)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        return await ask_in_format(state, generate, fmt.name, params, names_in(keys))

    return solve
