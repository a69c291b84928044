"""Asks a sample as its own task's solvers do, with a probe between these and the model."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from inspect_ai.event import ModelEvent
from inspect_ai.log import transcript
from inspect_ai.model import GenerateConfig, get_model, model_roles
from inspect_ai.model._generate_config import (
    active_generate_config,  # inspect-evals-lint: ignore[IECQ001] -- no public name
)
from inspect_ai.solver import Generate, Solver, TaskState, chain, solver

from bias_tasks.instruction_boundary.plan import POLISHER
from bias_tasks.instruction_boundary.prompts.ask import polish_request
from bias_tasks.names import encodable
from bias_tasks.probing.plan import ProbedQuestion, question_from
from bias_tasks.probing.polished import CUT
from bias_tasks.reading.reasoning import without_reasoning
from bias_tasks.solvers.plain_log import PlainLog
from bias_tasks.solvers.probe_conversation import (
    Conversation,
    NotPlacedError,
    recorded_prompt,
)
from bias_tasks.solvers.probed_items import PROBED
from bias_tasks.solvers.sample_state import sample_state

NOTED = "bias_tasks_probed"
"""Name in a sample's store of what became of the probe: `prompt`, `labels`, `said`, `refused`;
`facts`, as the sample's metadata had them; and `marked`, whether the task's solver marked each of
the choices as the answer, which the host does not log. `recorded` is the score of an answer that
another log has, which was not asked for."""

logger = logging.getLogger(__name__)


@solver
def probed(own: Sequence[Solver]) -> Solver:
    """Ask each sample by its task's own solvers, under the probe that its metadata name.

    Args:
        own: the probed task's solvers, in their order.
    """
    told: set[tuple[str, str]] = set()

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        facts = state.metadata[PROBED]
        question = question_from(facts)
        if _taken(state, question):
            return state
        rewrite = _rewriting(state, seen := [0])
        asking = Conversation(question, _counted(generate, seen), rewrite, state.input_text)
        before = _calls_of(state)
        try:
            state = await chain(list(own))(state, asking)
        except Exception:
            if asking.refused is None:
                raise
            state.completed = True  # whatever the task's solver made of a refused probe
        _check_asked(state, asking, _calls_of(state) - before - seen[0])
        if asking.refused is not None and (question.variant, asking.refused) not in told:
            told.add((question.variant, asking.refused))
            logger.warning(
                "probe: %s can't be put in place, and such samples stay unscored: %s",
                question.variant,
                asking.refused,
            )
        marked = [choice.correct for choice in state.choices]
        state.store.set(NOTED, _noted(asking) | {"facts": facts, "marked": marked})
        return state

    return solve


def _taken(state: TaskState, question: ProbedQuestion) -> bool:
    """Put a plain answer that is at hand into the state; False where the question is asked.

    Raises:
        ValueError: answers are at hand, but of another model or of other settings.
    """
    known = sample_state()
    log: PlainLog | None = None if known is None else known.question.source.plain
    if known is None or log is None:
        return False
    log.check_run(str(state.model), active_generate_config(), state.epoch)
    if not known.question.source.taken:
        return False
    sample = log.samples[question.item.id]
    state.messages = list(sample.messages)
    state.output = sample.output
    score = log.score_of(question.item.id).model_dump(mode="json")
    noted = recorded_prompt(question, sample.messages)
    state.store.set(NOTED, {**noted, "facts": state.metadata[PROBED], "recorded": score})
    return True


def _counted(generate: Generate, seen: list[int]) -> Generate:
    """A `generate()` that counts into `seen` the calls of the model that it makes itself."""

    async def generate_counted(state: TaskState, *values: Any, **options: Any) -> TaskState:
        before = _calls_of(state)
        asked = await generate(state, *values, **options)
        seen[0] += _calls_of(asked) - before
        return asked

    return generate_counted


def _rewriting(state: TaskState, seen: list[int]) -> Callable[[str], Awaitable[str]]:
    """What asks the polisher, or else the model under evaluation, for another prompt.

    Limits that the task sets to its model's answers are no limits of a prompt.
    """

    async def rewrite(prompt: str) -> str:
        before = _calls_of(state)
        set_ = active_generate_config()
        longest = None if set_.max_tokens is None else max(set_.max_tokens, 1_000 + len(prompt))
        config = GenerateConfig(max_tokens=longest, stop_seqs=None if not set_.stop_seqs else [])
        named = POLISHER in model_roles()
        polisher = get_model(role=POLISHER, required=True) if named else get_model()
        answer = await polisher.generate(polish_request(prompt), config=config)
        seen[0] += _calls_of(state) - before
        if answer.stop_reason in ("max_tokens", "model_length", "content_filter"):
            raise NotPlacedError(CUT)
        return without_reasoning(encodable(answer.completion))

    return rewrite


def _calls_of(state: TaskState) -> int:
    """The calls of the model under evaluation in the running sample, by whomever made."""
    model = str(state.model)
    return sum(
        isinstance(event, ModelEvent) and event.role is None and event.model == model
        for event in transcript().events
    )


def _check_asked(state: TaskState, asking: Conversation, past: int) -> None:
    """Raise where the task's solver asks the model where no probe can stand."""
    if past > 0:
        raise ValueError(
            f"the probed task's solver asks the model by itself ({past} times for "
            f"{state.sample_id}), past the `generate` that it is handed: no probe can be put in "
            "place there"
        )
    if asking.calls == 0:
        raise ValueError(
            f"the probed task's solver never asked the model about {state.sample_id} through the "
            "`generate` that it is handed: no probe could be put in place"
        )
    if any(place != choice.original_position for place, choice in enumerate(state.choices)):
        raise ValueError(
            f"the probed task's solver shuffles the choices of {state.sample_id} by itself, so "
            "that none is asked as the plain one was: have its dataset shuffle them, with a seed"
        )


def _noted(asking: Conversation) -> dict[str, Any]:
    return {
        "prompt": asking.prompt,
        "labels": list(asking.labels),
        "said": asking.said,
        "refused": asking.refused,
    }
