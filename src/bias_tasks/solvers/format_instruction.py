"""Requests or demonstrates an output format in any task's prompt (FormatEval, section 6)."""

from dataclasses import replace

from inspect_ai.solver import Generate, Solver, TaskState, solver

from bias_tasks.output_format.items import Prompting
from bias_tasks.solvers.framed_prompt import frame_prompt
from bias_tasks.solvers.inspect_api import SolverError, checks_arguments
from bias_tasks.user_names import parse_names


@solver
@checks_arguments(SolverError)
def format_instruction(
    format: str,
    repeat: int = 1,
    prompting: Prompting = "zs",
    keys: str | list[str] | None = None,
    demos: int = 0,
    demos_from: str = "core",
    seed: int = 0,
) -> Solver:
    """Request the answer in a format.

    A later solver calls the model. The instruction ends the prompt, after whatever template that
    solver applies; that of `character` and `text` begins it. The requested format is stored in the
    sample's metadata for the scorer `format_gated`. The template of `multiple_choice` requests
    `ANSWER: $LETTER`, too: `with_setting` displays the choices without this request.

    Args:
        format: Name of the format, such as `bolding`.
        repeat: Number of times that the prompt contains the instruction.
        prompting: `zs`, or `zs_cot` if the prompt requests reasoning first: every format except the
            wrapping ones is then requested between <ANSWER> and </ANSWER>.
        keys: Keys of a mapping in `json` and `yaml`, as a list or separated by commas.
        demos: Number of other questions that the prompt shows first, with answers in the format.
        demos_from: `core` for items of bias-core, or a file of items (JSONL, CSV or Parquet).
        seed: Seed of the selection of these questions.

    Raises:
        SolverError: An argument is not valid, or demonstrations are not available. A sample is an
            error if the format does not support its answer, a format is already requested, there
            are too few demonstrations, the sample is answered already, or no later solver calls the
            model.
    """
    # Imported here: the formats with their parsers are only loaded if one is requested.
    from bias_tasks.output_format import any_task
    from bias_tasks.output_format.data.load import training_items
    from bias_tasks.output_format.items import FormatParams
    from bias_tasks.output_format.plan import select_demonstrations

    name = any_task.find_format(format).name
    params = FormatParams(prompting=prompting, repeat=repeat, demos=demos)
    training = training_items("", seed, demos_from=demos_from, formats=[name]) if demos else ()

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        if any_task.find_format_data(state.metadata) is not None:
            raise ValueError(
                f"the prompt of sample {state.sample_id} already requests a format: set repeat= "
                "and demos= of its task instead"
            )
        question = any_task.question_for_any_task(
            str(state.sample_id),
            state.user_prompt.text,
            name,
            params,
            options=[choice.value for choice in state.choices],
            keys=parse_names(keys),
        )
        candidates = any_task.exclude_item(question.item, training)
        examples = select_demonstrations(question.item, candidates, demos)
        before, after = any_task.split_prompt(replace(question, demos=examples))
        frame_prompt(state, "format_instruction", before, lambda _: after)
        state.metadata[any_task.REQUESTED_FORMAT] = question.scoring_data().to_dict()
        return state

    return solve
