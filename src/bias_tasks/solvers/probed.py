"""Runs another task's solvers on a sample under a probe.

The probe is between those solvers and the model: it is put into a prompt after all that a solver
does with it, and removed from an answer before a solver reads it.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Unpack

from inspect_ai.event import ModelEvent
from inspect_ai.log import transcript
from inspect_ai.model import (
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    GenerateConfigArgs,
    get_model,
    model_roles,
)
from inspect_ai.solver import Generate, Solver, TaskState, chain, solver

from bias_tasks.contract.logged_outcomes import scoring_data_of
from bias_tasks.contract.planned_calls import CALLS_MADE
from bias_tasks.parsing.reasoning import without_reasoning
from bias_tasks.probing.answers import restore_task_form
from bias_tasks.probing.displayed_options import LETTERS
from bias_tasks.probing.family import FAMILY
from bias_tasks.probing.formats import find_lead
from bias_tasks.probing.items import ProbeData, is_repeat
from bias_tasks.probing.placement import (
    NO_QUESTION,
    ProbePlacementError,
    check_polished,
    check_prompt,
    finish_prompt,
)
from bias_tasks.prompts.edits import POLISHER, render_polish_request
from bias_tasks.solvers.generation import answer_text, without_tool_loop
from bias_tasks.solvers.inspect_api import active_generate_config
from bias_tasks.solvers.probed_items import replace_text

PROBE_STATE = "bias_tasks_probed"
"""Name in a sample's store of what the scorer needs: an object with

- `prompt`: the first prompt with the probe,
- `labels`: the task's labels of the displayed choices,
- `refused`: why the probe could not be put into the prompt,
- `marked`: whether the task's solver marked each choice as the answer, which Inspect does not log.

Until the task's solver has finished, the object has nothing but `calls_made`.
"""
TRUNCATED = "the polisher's answer was truncated"

logger = logging.getLogger(__name__)


@solver
def probed(own: Sequence[Solver]) -> Solver:
    """Run the solvers of each sample's own task, under the probe in the sample's metadata.

    Args:
        own: The solvers of the probed task.
    """
    reported: set[tuple[str, str]] = set()

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        question: ProbeData = scoring_data_of(FAMILY, state.metadata)
        state.store.set(PROBE_STATE, {CALLS_MADE: 0})
        conversation = Conversation(question, without_tool_loop(generate), state.input_text)
        try:
            state = await chain(list(own))(state, conversation)
        except Exception as error:
            if question.perturbation.system and "system" in str(error).lower():
                raise ValueError(
                    f"the call with the system message of the probe {question.variant} failed; if "
                    "the server has no system role, leave out the probes system and persona "
                    f"(probes=...): {error}"
                ) from error
            if conversation.refused is None:
                raise
            state.completed = True  # the task's solver failed because the probe was refused
        _check_calls(state, conversation)
        refused = conversation.refused
        if refused is not None and (question.variant, refused) not in reported:
            reported.add((question.variant, refused))
            logger.warning(
                "probe: %s cannot be put into prompts, and such samples are unscored: %s",
                question.variant,
                refused,
            )
        names = ("prompt", "labels", "refused")
        values = {name: getattr(conversation, name) for name in names}
        values["marked"] = [choice.correct for choice in state.choices]
        state.store.set(PROBE_STATE, values)
        return state

    return solve


def _check_calls(state: TaskState, conversation: "Conversation") -> None:
    """Raise a ValueError if the task's solver bypassed the probe.

    That is if it called the model by itself, so that the probe did not change the prompt, or
    shuffled the choices, whose order the probe must know.
    """
    solver_name, sample = "the probed task's solver", state.sample_id
    n_calls = _count_calls(state)
    never_called = conversation.refused is None and not conversation.n_calls
    if n_calls > conversation.n_calls or never_called:
        raise ValueError(
            f"{solver_name} calls the model itself about {sample}, so that no probe can be put "
            "into the prompt: probe another task"
        )
    if any(index != choice.original_position for index, choice in enumerate(state.choices)):
        raise ValueError(
            f"{solver_name} shuffles the choices of {sample} itself: shuffle them in its dataset, "
            "with a seed"
        )


def _count_calls(state: TaskState) -> int:
    """Return the number of all calls of the evaluated model in the running sample."""
    calls = (event for event in transcript().events if isinstance(event, ModelEvent))
    return sum(call.role is None and call.model == str(state.model) for call in calls)


@dataclass(slots=True)
class Conversation:
    """The conversation of one sample: a `generate()` that puts the probe into the prompt first."""

    question: ProbeData
    generate: Generate
    text: str
    """The sample's own text under the probe."""
    n_calls: int = 0
    """Number of calls of the model."""
    prompt: str = ""
    """The first prompt with the probe."""
    refused: str | None = None
    """Why the probe could not be put into the prompt."""
    labels: tuple[str, ...] = ()
    """The task's labels of the displayed choices."""
    lead: str = ""
    """What the task's prompt requires an answer to begin with."""
    finished_prompts: set[str] = field(default_factory=set)
    """Prompts that have the probe already."""

    async def __call__(
        self,
        state: TaskState,
        tool_calls: Literal["loop", "single", "none"] = "loop",
        **options: Unpack[GenerateConfigArgs],
    ) -> TaskState:
        """Call the model under the probe.

        Raises:
            ProbePlacementError: The probe cannot be put into the prompt.
        """
        if is_repeat(self.question.variant):
            options["cache"] = False  # the cache has the baseline's answer to the same prompt
        calls_before, follow_up = _count_calls(state), self.question.perturbation.follow_up
        try:
            await self._perturb(state)
            state = await self.generate(state, tool_calls, **options)
            if follow_up and not state.completed:
                state.messages.append(ChatMessageUser(content=follow_up))
                self.finished_prompts.add(follow_up)
                state = await self.generate(state, tool_calls, **options)
        except ProbePlacementError as error:
            self.refused = str(error)
            raise
        finally:
            self.n_calls += _count_calls(state) - calls_before
        self._restore_answer(state)
        return state

    async def _perturb(self, state: TaskState) -> None:
        """Perturb the user's last message, unless an earlier message has the probe already."""
        perturbation = self.question.perturbation
        users = [i for i, m in enumerate(state.messages) if isinstance(m, ChatMessageUser)]
        if not users:
            raise ProbePlacementError(NO_QUESTION)
        if not any(state.messages[index].text in self.finished_prompts for index in users):
            message: Any = state.messages[users[-1]]
            prompt = message.text
            conversation = " ".join(message.text for message in state.messages)
            self.labels = check_prompt(self.question, prompt, conversation)
            self.lead = find_lead(prompt)
            if perturbation.polish:
                polished = await _polish(prompt)
                check_polished(self.question, prompt, polished, self.text)
                prompt = polished
            prompt = finish_prompt(perturbation, prompt, len(self.question.choices))
            state.messages[users[-1]] = replace_text(message, prompt)
            self.finished_prompts.add(prompt)
            self.prompt = self.prompt or prompt
        systems = [m.text for m in state.messages if isinstance(m, ChatMessageSystem)]
        if perturbation.system and perturbation.system not in systems:
            state.messages.insert(0, ChatMessageSystem(content=perturbation.system))

    def _restore_answer(self, state: TaskState) -> None:
        """Give the task the answer in its own form, in the output and in the conversation."""
        question = self.question
        labels = self.labels or LETTERS[: len(question.choices)]
        raw = state.output.completion
        restored = restore_task_form(question, raw, labels, self.lead)
        if restored == raw:
            return
        if (last := state.messages[-1]).role == "assistant":
            last.text = restore_task_form(question, last.text, labels, self.lead)
        state.output.completion = restored


async def _polish(prompt: str) -> str:
    """Return the prompt as the polisher, by default the evaluated model, rewrites it.

    Limits of the task's answers do not apply to a prompt.
    """
    config = active_generate_config()
    max_tokens = config.max_tokens
    if max_tokens is not None:
        max_tokens = max(max_tokens, 1_000 + len(prompt))
    stop_seqs: list[str] | None = [] if config.stop_seqs else None
    is_other = POLISHER in model_roles()
    polisher = get_model(role=POLISHER, required=True) if is_other else get_model()
    answer = await polisher.generate(
        render_polish_request(prompt),
        config=GenerateConfig(max_tokens=max_tokens, stop_seqs=stop_seqs),
    )
    if answer.stop_reason in ("max_tokens", "model_length", "content_filter"):
        raise ProbePlacementError(TRUNCATED)
    return without_reasoning(answer_text(answer))
