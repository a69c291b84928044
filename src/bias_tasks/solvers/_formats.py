"""What the format solvers share: asking a sample of any other task in a format."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from inspect_ai.solver import Generate, TaskState

from bias_tasks.output_format.foreign import ASKED_FORMAT, foreign_prompt, foreign_question
from bias_tasks.output_format.items import FormatItem
from bias_tasks.output_format.questions import FormatParams

_WITH_CHOICES = "{question}\n\n{choices}"


async def ask_in_format(
    state: TaskState,
    generate: Generate,
    format: str,
    params: FormatParams,
    keys: Sequence[str],
    demos: Callable[[FormatItem], Sequence[FormatItem]] = lambda item: (),
) -> TaskState:
    """Put the sample's prompt in the format, note that for the scorer, and ask the model.

    Raises:
        ValueError: the sample is asked in a format already, or the format can't hold its answer.
    """
    if "format" in (state.metadata.get("question") or {}):
        raise ValueError(
            f"sample {state.sample_id} is asked in a format already: its task takes repeat= and "
            "demos="
        )
    prompt = state.user_prompt.text
    question = foreign_question(
        str(state.sample_id),
        state.choices.prompt(prompt, _WITH_CHOICES) if len(state.choices) else prompt,
        format,
        params,
        options=[choice.value for choice in state.choices],
        keys=keys,
    )
    state.user_prompt.text = foreign_prompt(question, demos(question.item))
    state.metadata[ASKED_FORMAT] = question.to_dict()
    return await generate(state)
