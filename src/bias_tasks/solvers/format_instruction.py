"""An output format asked for or shown in any task's prompt (FormatEval, section 6)."""

from dataclasses import replace

from inspect_ai.solver import Generate, Solver, TaskState, solver

from bias_tasks.contract.record import facts_in
from bias_tasks.names import names_in
from bias_tasks.output_format.items import Prompting
from bias_tasks.solvers.inspect_host import SolverError, refusing

_WITH_CHOICES = "{question}\n\n{choices}"


@solver
@refusing(SolverError)
def format_instruction(
    format: str,
    repeat: int = 1,
    prompting: Prompting = "zs",
    keys: str | list[str] | None = None,
    demos: int = 0,
    demos_from: str = "core",
    seed: int = 0,
) -> Solver:
    """Ask for the answer in a format, and ask the model: it stands at the end of a chain.

    The format's instruction ends the prompt; a sample's choices are printed with letters before it.
    `format_gated` finds in the sample's metadata what was asked.

    Args:
        format: the format's name, such as `bolding`.
        repeat: how many times the instruction stands in the prompt.
        prompting: `zs`, or `zs_cot` where the prompt has the model reason first: every format but
            a wrapping one is then asked for between <ANSWER> and </ANSWER>.
        keys: what `json` and `yaml` ask for, as a list or separated by commas.
        demos: how many questions, answered in the format, stand before it; never the sample's own.
        demos_from: `core` for items of bias-core, or a file of questions (JSONL, CSV or Parquet).
        seed: seed of which questions are shown.

    A sample is an error where the format can't hold its answer, it is one of ours that is asked in
    a format already, or there are not so many demonstrations.
    """
    # The formats with their readers are loaded once one is asked for.
    from bias_tasks.output_format import foreign
    from bias_tasks.output_format.data.load import training_items
    from bias_tasks.output_format.items import FormatParams
    from bias_tasks.output_format.plan import demonstrations

    name = foreign.known_format(format).name
    params = FormatParams(prompting=prompting, repeat=repeat, demos=demos)
    training = training_items("", seed, demos_from=demos_from, formats=[name]) if demos else []

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        if "format" in (facts_in(state.metadata).get("question") or {}):
            already = f"sample {state.sample_id} is asked in a format already"
            raise ValueError(f"{already}: its task takes repeat= and demos=")
        prompt = state.user_prompt.text
        question = foreign.foreign_question(
            str(state.sample_id),
            state.choices.prompt(prompt, _WITH_CHOICES) if len(state.choices) else prompt,
            name,
            params,
            options=[choice.value for choice in state.choices],
            keys=names_in(keys),
        )
        fitting = foreign.without_itself(question.item, training)
        shown = demonstrations(question.item, fitting, demos)
        state.user_prompt.text = replace(question, demos=shown).prompt()
        state.metadata[foreign.ASKED_FORMAT] = question.to_dict()
        return await generate(state)

    return solve
