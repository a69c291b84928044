"""What the setting solvers share: asking one of our samples, or a sample of any other task."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, Literal, Unpack

from inspect_ai.model import GenerateConfigArgs
from inspect_ai.solver import Generate, Solver, TaskState, multiple_choice

from bias_tasks.instruction_boundary.items import VANILLA
from bias_tasks.instruction_boundary.plan import SettingQuestion, facts_of
from bias_tasks.instruction_boundary.settings import PARAMETERS
from bias_tasks.record import FACTS, facts_in
from bias_tasks.solvers.carried import carried

_UNDER = "asked_under"
"""Name in a sample's metadata of the setting that a solver put it under."""


def question_of(state: TaskState) -> SettingQuestion | None:
    """The question that one of our samples asks, or None for a sample of another task."""
    sample = carried()
    source = None if sample is None else sample.question.source
    return source if isinstance(source, SettingQuestion) else None


def check_given(name: str, value: Any, declared: str | None = None) -> None:
    """Hold a solver's parameter to what the tasks declare; None leaves it to the task.

    Args:
        name: the parameter's name.
        value: what it was given.
        declared: its name among the tasks' parameters, if another.

    Raises:
        ValueError: the value is not allowed.
    """
    if value is not None:
        replace(PARAMETERS[declared or name], name=name).check(value)


def under_setting(
    state: TaskState, question: SettingQuestion, variant: str, **changed: Any
) -> SettingQuestion | None:
    """Put the sample under the setting `variant`; None for the vanilla twin, left as it is.

    A sample that is under the setting already holds its prompt. A plain vanilla task's sample is
    put under it, and parameters given to the solver (`changed`, where not None) replace the
    sample's. What is asked then is noted in the state, for the scorer.

    Raises:
        ValueError: the sample is already under another setting.
    """
    params = replace(question.params, **{k: v for k, v in changed.items() if v is not None})
    twin = question.variant == VANILLA and question.setting != VANILLA
    under = state.metadata.get(_UNDER, question.variant)
    if not twin and under not in (variant, VANILLA):
        raise ValueError(
            f"sample {question.id} is under {under}: {variant} can only be applied to a vanilla "
            "sample"
        )
    asking = replace(question, params=params, variant=VANILLA if twin else variant)
    if asking != question:
        asked = asking.asked()
        state.user_prompt.text = asked.prompt
        facts = facts_of(asking, asked) | {"variant": question.variant}
        noted = {**facts_in(state.metadata), **facts}
        state.metadata[FACTS] = noted
        state.metadata[_UNDER] = asking.variant
    return None if twin else asking


def setting_solver(name: str, variant: str, why_ours: str, **changed: Any) -> Solver:
    """A solver that puts our samples under a setting and asks.

    Args:
        name: the solver's own name, for its error.
        variant: the setting.
        why_ours: why it makes sense on our own samples alone.
        changed: the solver's parameters, where not None.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        question = question_of(state)
        if question is None:
            raise refuse_foreign(name, why_ours)
        under_setting(state, question, variant, **changed)
        return await generate(state)

    return solve


async def ask_foreign(state: TaskState, generate: Generate) -> TaskState:
    """Ask a sample of another task as Inspect would: as multiple choice where it has choices."""
    if len(state.choices) == 0:
        return await generate(state)
    asking = multiple_choice(multiple_correct=len(state.target) > 1)
    return await asking(state, generate)


def editing(generate: Generate, edit: Callable[[str], Awaitable[str]]) -> Generate:
    """A `generate()` that first edits the prompt, as the other task's own solver has put it."""

    async def edit_and_generate(
        state: TaskState,
        tool_calls: Literal["loop", "single", "none"] = "loop",
        **options: Unpack[GenerateConfigArgs],
    ) -> TaskState:
        state.user_prompt.text = await edit(state.user_prompt.text)
        return await generate(state, tool_calls, **options)

    return edit_and_generate


def refuse_foreign(setting: str, why: str) -> ValueError:
    """The error of a solver that makes sense on our own samples alone."""
    return ValueError(f"{setting} works on the samples of bias_tasks tasks only: {why}")
