"""Asks a sample as its own task's solvers do, with a probe between these and the model: put into a
prompt behind all that a solver does with it, and taken out of an answer before one reads it."""

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

from bias_tasks.contract.record import facts_in
from bias_tasks.instruction_boundary.plan import POLISHER
from bias_tasks.instruction_boundary.prompts.ask import polish_request
from bias_tasks.names import encodable
from bias_tasks.parsing.reasoning import without_reasoning
from bias_tasks.probing.answers import as_the_task_reads
from bias_tasks.probing.formats import FINAL_FORMATS, lead_in
from bias_tasks.probing.items import is_repeat
from bias_tasks.probing.options import LETTERS, Options, find_options
from bias_tasks.probing.plan import ProbedQuestion, question_from
from bias_tasks.probing.polished import CUT, LOST, still_asks
from bias_tasks.solvers.inspect_host import active_generate_config
from bias_tasks.solvers.probed_items import edited
from bias_tasks.solvers.sample_state import sample_state

NOTED = "bias_tasks_probed"
"""Name in a sample's store of what became of the probe: `prompt`, `labels`, `said`, `refused`;
`marked`, whether the task's solver marked each choice as the answer, which the host does not log;
and `recorded`, the score of an answer that was taken from another log."""
NO_OPTIONS = "the task's prompt does not print the choices behind labels on lines of their own"
OTHER_ORDER = "the task's prompt does not print the choices in the order of the sample's"
OTHER_LABELS = "the task's prompt prints the choices behind labels that are no letters"
NO_QUESTION = "the task's prompt does not hold the sample's question as it stands"
ALREADY = "the task's own prompt looks so already"
_MARKS = (") ", ". ", ": ")

logger = logging.getLogger(__name__)


class NotPlacedError(Exception):
    """A probe can't be put into a task's prompt; the message says why."""


@solver
def probed(own: Sequence[Solver]) -> Solver:
    """Ask each sample by its task's own solvers, under the probe that its metadata name."""
    told: set[tuple[str, str]] = set()

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        question = question_from(facts_in(state.metadata))
        if _taken(state, question):
            return state
        asking = Conversation(question, generate, state.input_text)
        try:
            state = await chain(list(own))(state, asking)
        except Exception:
            if asking.refused is None:
                raise
            state.completed = True  # whatever the task's solver made of a refused probe
        _check_asked(state, asking)
        if asking.refused is not None and (why := (question.variant, asking.refused)) not in told:
            told.add(why)
            logger.warning("probe: %s can't be put in place, which leaves samples out: %s", *why)
        noted = {name: getattr(asking, name) for name in ("prompt", "labels", "said", "refused")}
        marked = [choice.correct for choice in state.choices]
        state.store.set(NOTED, {**noted, "marked": marked})
        return state

    return solve


def _taken(state: TaskState, question: ProbedQuestion) -> bool:
    """Put a plain answer that is at hand into the state; False where the question is asked."""
    known = sample_state()
    if known is None or (log := known.question.source.plain) is None:
        return False
    log.check_run(str(state.model), active_generate_config(), state.epoch)
    if not known.question.source.taken:
        return False
    sample = log.samples[question.item.id]
    state.messages, state.output = list(sample.messages), sample.output
    prompt = next((each.text for each in reversed(sample.messages) if each.role == "user"), "")
    noted = {
        "prompt": prompt,
        "labels": list(_options_in(prompt, question.item.choices)[1]),
        "recorded": log.score_of(question.item.id).model_dump(mode="json"),
    }
    state.store.set(NOTED, {"said": None, "refused": None, **noted})
    return True


def _check_asked(state: TaskState, asking: "Conversation") -> None:
    """Raise where the task's solver asks the model where no probe can stand."""
    told, sample = "the probed task's solver", state.sample_id
    if _calls_of(state) > asking.seen or (asking.refused is None and not asking.seen):
        by_itself = f"{told} asks the model by itself about {sample}"
        raise ValueError(f"{by_itself}, where no probe can be put in place")
    if any(place != choice.original_position for place, choice in enumerate(state.choices)):
        shuffles = f"{told} shuffles the choices of {sample} by itself"
        raise ValueError(f"{shuffles}: have its dataset shuffle them, with a seed")


def _calls_of(state: TaskState) -> int:
    """The calls of the model under evaluation in the running sample, by whomever made."""
    calls = (each for each in transcript().events if isinstance(each, ModelEvent))
    return sum(each.role is None and each.model == str(state.model) for each in calls)


@dataclass(slots=True)
class Conversation:
    """One sample's: a `generate()` that puts the probe in place first."""

    question: ProbedQuestion
    generate: Generate
    text: str
    """The sample's own, as it is asked."""
    seen: int = 0
    """How often it asked the model."""
    prompt: str = ""
    """What the model was asked first, dressed."""
    said: str | None = None
    """The last answer as the model gave it, where the task was handed another."""
    refused: str | None = None
    """Why the probe could not be put in place."""
    labels: list[str] = field(default_factory=list)
    """The task's own labels of the choices shown."""
    lead: str = ""
    """What the task's prompt has an answer begin with."""
    dressed: set[str] = field(default_factory=set)
    """Prompts that are dressed already."""

    async def __call__(
        self,
        state: TaskState,
        tool_calls: Literal["loop", "single", "none"] = "loop",
        **options: Unpack[GenerateConfigArgs],
    ) -> TaskState:
        """Ask the model under the probe; a NotPlacedError where that has no place in the prompt."""
        if is_repeat(self.question.variant):
            options["cache"] = False  # it would be answered with the plain question's answer
        before, again = _calls_of(state), self.question.asked.again
        try:
            await self._put(state)
            state = await self.generate(state, tool_calls, **options)
            if again and not state.completed:
                state.messages.append(ChatMessageUser(content=again))
                self.dressed.add(again)
                state = await self.generate(state, tool_calls, **options)
        except NotPlacedError as error:
            self.refused = str(error)
            raise
        finally:
            self.seen += _calls_of(state) - before
        self._read(state)
        return state

    async def _put(self, state: TaskState) -> None:
        """Dress the last message of the user, unless the conversation goes on behind one."""
        asked = self.question.asked
        users = [p for p, each in enumerate(state.messages) if isinstance(each, ChatMessageUser)]
        if not users:
            raise NotPlacedError(NO_QUESTION)
        if not any(state.messages[place].text in self.dressed for place in users):
            message: Any = state.messages[users[-1]]
            self._check(message.text, state.messages)
            self.lead = lead_in(message.text)
            prompt = await self._polished(message.text) if asked.polish else message.text
            dressed = edited(message, self._dress(prompt))
            state.messages[users[-1]] = dressed
            self.dressed.add(dressed.text)
            self.prompt = self.prompt or dressed.text
        systems = [each.text for each in state.messages if isinstance(each, ChatMessageSystem)]
        if asked.system and asked.system not in systems:
            state.messages.insert(0, ChatMessageSystem(content=asked.system))

    async def _polished(self, prompt: str) -> str:
        """The prompt as the polisher, or else the model under evaluation, has rewritten it; limits
        of the task's answers are none of a prompt."""
        set_ = active_generate_config()
        longest = None if set_.max_tokens is None else max(set_.max_tokens, 1_000 + len(prompt))
        config = GenerateConfig(max_tokens=longest, stop_seqs=None if not set_.stop_seqs else [])
        named = POLISHER in model_roles()
        polisher = get_model(role=POLISHER, required=True) if named else get_model()
        answer = await polisher.generate(polish_request(prompt), config=config)
        if answer.stop_reason in ("max_tokens", "model_length", "content_filter"):
            raise NotPlacedError(CUT)
        polished = without_reasoning(encodable(answer.completion))
        shown = self.question.asked.shown(self.question.item)
        printed = shown if self.labels or _lists(prompt, shown) else ()
        own = find_options(self.text)
        question = self.text if own is None else self.text[: own.begin]
        if not still_asks(prompt, polished, question, printed, self.labels):
            raise NotPlacedError(LOST)
        return polished

    def _dress(self, prompt: str) -> str:
        asked = self.question.asked
        if asked.dress is not None:
            dressed = asked.dress.prompt(prompt, len(self.question.item.choices))
            if dressed == prompt:
                raise NotPlacedError(ALREADY)
            prompt = dressed
        return "\n\n".join(filter(None, (asked.beginning, prompt, asked.ending)))

    def _check(self, prompt: str, messages: list[ChatMessage]) -> None:
        """Raise where the task's solver has not put into the prompt what the probe changes."""
        asked, shown = self.question.asked, self.question.asked.shown(self.question.item)
        printed, labels = _options_in(prompt, shown)
        self.labels = list(labels)
        whole = " ".join(each.text for each in messages)
        if asked.text is not None and not _holds(whole, [asked.text]):
            raise NotPlacedError(NO_QUESTION)
        if asked.format and FINAL_FORMATS[asked.format].choices and not labels:
            raise NotPlacedError(NO_OPTIONS)
        if asked.dress is not None and printed is None:
            raise NotPlacedError(NO_OPTIONS)
        if asked.order and not labels and not _lists(prompt, shown):
            raise NotPlacedError(OTHER_ORDER)
        if self.question.variant == "suggest" and labels != LETTERS[: len(shown)]:
            raise NotPlacedError(OTHER_ORDER if printed is None else OTHER_LABELS)

    def _read(self, state: TaskState) -> None:
        """Hand the task the answer as it reads it, in the output and in the conversation."""
        asked, item = self.question.asked, self.question.item
        labels = self.labels or LETTERS[: len(item.choices)]
        said = state.output.completion
        read = as_the_task_reads(asked, said, labels, item, self.lead)
        if read == said:
            return
        self.said = said
        if (last := state.messages[-1]).role == "assistant":
            last.text = as_the_task_reads(asked, last.text, labels, item, self.lead)
        state.output.completion = read


def _options_in(prompt: str, shown: tuple[str, ...]) -> tuple[Options | None, tuple[str, ...]]:
    """The options of a prompt, if they are the choices in their order, and their labels: letters,
    too, where choices of several lines stand behind them."""
    if not shown:
        return None, ()
    found = find_options(prompt, len(shown))
    if found is not None and list(map(str.split, found.texts)) == list(map(str.split, shown)):
        return found, found.labels
    letters = LETTERS[: len(shown)]
    lists = ([f"{a}{mark}{b}" for a, b in zip(letters, shown, strict=False)] for mark in _MARKS)
    return None, letters if any(_holds(prompt, each) for each in lists) else ()


def _lists(prompt: str, shown: tuple[str, ...]) -> bool:
    """Whether a prompt has the choices in their order, each at the end of a line."""
    place = 0
    for line in prompt.splitlines():
        place += place < len(shown) and line.strip().endswith(shown[place].strip())
    return place == len(shown)


def _holds(text: str, parts: Sequence[str]) -> bool:
    """Whether parts stand in a text in their order, whatever the blanks between words are."""
    told, place = " ".join(text.split()), 0
    for part in (" ".join(part.split()) for part in parts):
        place = told.find(part, place)
        if place < 0:
            return False
        place += len(part)
    return True
