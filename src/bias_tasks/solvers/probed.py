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
    ChatMessage,
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
from bias_tasks.probing.displayed_options import LETTERS, Options, find_options, keeps_content
from bias_tasks.probing.family import FAMILY
from bias_tasks.probing.formats import FINAL_FORMATS, find_lead
from bias_tasks.probing.items import ProbeData, is_repeat
from bias_tasks.prompts.edits import POLISHER, render_polish_request
from bias_tasks.solvers.generation import answer_text, without_tool_loop
from bias_tasks.solvers.inspect_api import active_generate_config
from bias_tasks.solvers.probed_items import replace_text

PROBE_STATE = "bias_tasks_probed"
"""Name in a sample's store of what the scorer needs: an object with

- `prompt`: the first prompt with the probe,
- `labels`: the task's labels of the displayed choices,
- `raw_answer`: the model's last answer, if the task got another text,
- `refused`: why the probe could not be put into the prompt,
- `marked`: whether the task's solver marked each choice as the answer, which Inspect does not log.

Until the task's solver has finished, the object has nothing but `calls_made`.
"""
NO_OPTIONS = "the task's prompt does not display the choices after labels on lines of their own"
OTHER_ORDER = "the task's prompt does not display the choices in the sample's order"
OTHER_LABELS = "the task's prompt displays the choices after labels that are not letters"
NO_QUESTION = "the task's prompt does not contain the sample's question unchanged"
ALREADY_SO = "the task's own prompt already looks so"
TRUNCATED = "the polisher's answer was truncated"
CONTENT_CHANGED = "the polisher lost or changed the question, the choices or their labels"
_LABEL_ENDS = (") ", ". ", ": ")

logger = logging.getLogger(__name__)


class ProbePlacementError(Exception):
    """A probe cannot be put into a task's prompt; the message is the reason."""


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
        except Exception:
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
        names = ("prompt", "labels", "raw_answer", "refused")
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
    raw_answer: str | None = None
    """The model's last answer, if the task got another text."""
    refused: str | None = None
    """Why the probe could not be put into the prompt."""
    labels: list[str] = field(default_factory=list)
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
            self._check_prompt(message.text, state.messages)
            self.lead = find_lead(message.text)
            prompt = message.text
            if perturbation.polish:
                prompt = await self._polish(prompt)
            finished = perturbation.finish_prompt(prompt, len(self.question.choices))
            if finished == prompt and perturbation.option_style is not None:
                raise ProbePlacementError(ALREADY_SO)
            perturbed = replace_text(message, finished)
            state.messages[users[-1]] = perturbed
            self.finished_prompts.add(perturbed.text)
            self.prompt = self.prompt or perturbed.text
        systems = [m.text for m in state.messages if isinstance(m, ChatMessageSystem)]
        if perturbation.system and perturbation.system not in systems:
            state.messages.insert(0, ChatMessageSystem(content=perturbation.system))

    async def _polish(self, prompt: str) -> str:
        """Return the prompt as the polisher, by default the evaluated model, rewrites it.

        Limits of the task's answers do not apply to a prompt.
        """
        config = active_generate_config()
        max_tokens = config.max_tokens
        if max_tokens is not None:
            max_tokens = max(max_tokens, 1_000 + len(prompt))
        stop_seqs: list[str] | None = [] if config.stop_seqs else None
        if POLISHER in model_roles():
            polisher = get_model(role=POLISHER, required=True)
        else:
            polisher = get_model()
        answer = await polisher.generate(
            render_polish_request(prompt),
            config=GenerateConfig(max_tokens=max_tokens, stop_seqs=stop_seqs),
        )
        if answer.stop_reason in ("max_tokens", "model_length", "content_filter"):
            raise ProbePlacementError(TRUNCATED)
        polished = without_reasoning(answer_text(answer))
        choices = self.question.displayed_choices
        if not self.labels and not _has_choice_lines(prompt, choices):
            choices = ()
        own_options = find_options(self.text)
        question = self.text if own_options is None else self.text[: own_options.start]
        if not keeps_content(prompt, polished, question, choices, self.labels):
            raise ProbePlacementError(CONTENT_CHANGED)
        return polished

    def _check_prompt(self, prompt: str, messages: list[ChatMessage]) -> None:
        """Raise if the task's solver did not put into the prompt what the probe changes."""
        perturbation = self.question.perturbation
        choices = self.question.displayed_choices
        options, labels = _find_displayed(prompt, choices)
        self.labels = list(labels)
        conversation = " ".join(message.text for message in messages)
        if perturbation.text is not None and not _contains_all(conversation, [perturbation.text]):
            raise ProbePlacementError(NO_QUESTION)
        if perturbation.format and FINAL_FORMATS[perturbation.format].needs_choices and not labels:
            raise ProbePlacementError(NO_OPTIONS)
        if perturbation.option_style is not None and options is None:
            raise ProbePlacementError(NO_OPTIONS)
        if perturbation.order and not labels and not _has_choice_lines(prompt, choices):
            raise ProbePlacementError(OTHER_ORDER)
        if self.question.variant == "suggest" and labels != LETTERS[: len(choices)]:
            raise ProbePlacementError(OTHER_ORDER if options is None else OTHER_LABELS)

    def _restore_answer(self, state: TaskState) -> None:
        """Give the task the answer in its own form, in the output and in the conversation."""
        question = self.question
        labels = self.labels or LETTERS[: len(question.choices)]
        raw = state.output.completion
        restored = restore_task_form(question, raw, labels, self.lead)
        if restored == raw:
            return
        self.raw_answer = raw
        if (last := state.messages[-1]).role == "assistant":
            last.text = restore_task_form(question, last.text, labels, self.lead)
        state.output.completion = restored


def _find_displayed(
    prompt: str, choices: tuple[str, ...]
) -> tuple[Options | None, tuple[str, ...]]:
    """Return a prompt's options, if they are the choices in their order, and their labels.

    Choices of several lines after letters have labels, but cannot be restyled.
    """
    if not choices:
        return None, ()
    options = find_options(prompt, len(choices))
    if options is not None and list(map(str.split, options.texts)) == list(map(str.split, choices)):
        return options, options.labels
    letters = LETTERS[: len(choices)]
    for end in _LABEL_ENDS:
        labelled = [f"{a}{end}{b}" for a, b in zip(letters, choices, strict=False)]
        if _contains_all(prompt, labelled):
            return None, letters
    return None, ()


def _has_choice_lines(prompt: str, choices: tuple[str, ...]) -> bool:
    """Return whether a prompt has the choices in their order, each at the end of a line."""
    n_matched = 0
    for line in prompt.splitlines():
        if n_matched < len(choices) and line.strip().endswith(choices[n_matched].strip()):
            n_matched += 1
    return n_matched == len(choices)


def _contains_all(text: str, parts: Sequence[str]) -> bool:
    """Return whether a text contains the parts in their order, whatever its blanks are."""
    text, position = " ".join(text.split()), 0
    for part in (" ".join(part.split()) for part in parts):
        position = text.find(part, position)
        if position < 0:
            return False
        position += len(part)
    return True
