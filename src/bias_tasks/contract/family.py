"""What a family of tasks brings, and all that a host needs to know of it: it plans the questions of
a run, reads one answer, and works out the figures of many. It knows no host."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

from bias_tasks.contract.figures import Figure, declared_figures
from bias_tasks.contract.parameters import Parameter, TaskSpec, declared
from bias_tasks.data.tables import noted
from bias_tasks.names import encodable
from bias_tasks.parsing.failures import explain_failure
from bias_tasks.parsing.json_values import find_objects
from bias_tasks.parsing.parsed_answer import (
    Level,
    ParsedAnswer,
    StopReason,
    UnparsedReason,
)
from bias_tasks.parsing.reasoning import VisibleText
from bias_tasks.prompts.grader import UNREADABLE, VerdictRequest, values_request
from bias_tasks.statistics.estimate import Estimate

JsonObject = dict[str, Any]
"""Plain JSON values under names."""
JUDGED = "judged"
"""In an outcome's `own`: whether a grader read the answer, and no rule."""


@dataclass(frozen=True, slots=True)
class Question:
    """One prompt of a run: a sample of Inspect, a document of the LM Evaluation Harness."""

    id: str
    """`<item>/<variant>`, unique within a run and the same in both hosts."""
    item: str
    """Id of what is asked about; its questions are compared with each other."""
    cluster: str
    """Of items that share something (a passage, a scene), so that they count together."""
    variant: str
    """Which way of asking this is."""
    prompt: str
    gold: str
    """The right answer in a few characters; empty where there is none."""
    facts: Mapping[str, Any]
    """What reading the answer and the figures take beside it, as plain JSON values."""
    schema: Mapping[str, Any] | None = None
    """JSON schema of the answer, for hosts that can force its form."""
    repeats: bool = False
    """Whether its prompt is another question's, so that no cache may answer it."""
    source: Any = field(default=None, compare=False, repr=False)
    """The family's own object behind the question, for solvers that ask about it again."""
    known: tuple[Any, ...] = field(default=(), compare=False, repr=False)
    """The items that a simulated model answers from; nothing else looks at them."""

    @classmethod
    def about(
        cls, item: Any, variant: str, prompt: str, facts: Mapping[str, Any], **more: Any
    ) -> "Question":
        """A question about a family's item; `facts`, among them its right answer as `gold`, are its
        own beside those that every question has, and `more` are further fields."""
        shared = {"item": item.id, "cluster": item.cluster or item.id, "variant": variant}
        gold = "" if facts["gold"] is None else str(facts["gold"])
        more = {"known": (item,), "facts": {**shared, **facts, **noted(item.further)}, **more}
        return cls(f"{item.id}/{variant}", prompt=prompt, gold=gold, **shared, **more)


@dataclass(frozen=True, slots=True)
class Plan:
    """The questions of a run, an item's side by side, and what its log must say of it."""

    questions: tuple[Question, ...]
    provenance: tuple[Mapping[str, Any], ...]
    """Where the items come from: one record of plain JSON values a source."""
    data: str
    """What the items were asked for by: `paper`, `synthetic`, a path, or names of data sets."""
    notes: tuple[str, ...] = ()
    """What must be said wherever the figures are shown, such as domains that are left out."""
    later: tuple[str, ...] = ()
    """Templates of what may be asked once there are answers: a next round, a rewording, a judge."""
    stops: tuple[str, ...] = ()
    """Texts at which an answer ends, for models that do not end it themselves."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a host got for a question."""

    text: str = ""
    """Kept without halves of surrogate pairs, so that whatever is made of it can be written."""
    stop: StopReason | None = None
    """None where the host doesn't say."""
    likelihoods: tuple[float, ...] = ()
    """Log-likelihoods of the answers on offer, where these were asked for instead of a text."""
    epoch: int = 1
    """Which of several runs of the whole plan it belongs to."""
    prompt: str = ""
    """What the model was asked last; empty where the host doesn't say."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", encodable(self.text))

    def without_reasoning(self) -> "Answer":
        """The answer as readers take it: what it says, without reasoning that stands in it."""
        return replace(self, text=VisibleText.from_text(self.text).text)

    def reason(self, found: str | None, *, unread: bool) -> str | None:
        """Why the answer is abnormal: `found` by the parser (None where it saw nothing abnormal),
        but a refusal where a filter said so and nothing was parsed."""
        return "refusal" if unread and self.stop == "refused" else found


_SINCE_0_16 = ("level", "unparsed_reason")
"""Fields of outcomes that earlier versions do not write."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one answer came to. It goes to plain JSON and back, the same in both hosts' logs."""

    item: str
    cluster: str
    variant: str
    gold: str | None
    answer: str | None
    """What was read; None where nothing could be."""
    score: float | None
    """On the family's scale, or 1 for a right answer and 0 for any other; None: there is none."""
    why: str
    """By which rule the answer was read, or why it could not be."""
    reason: str | None = None
    """The host's word for an abnormal answer: refusal, no_response, invalid_response_format."""
    span: tuple[int, int] | None = None
    """Where in the text the reading rests: first character, and the one behind the last."""
    epoch: int = 1
    own: Mapping[str, Any] = field(default_factory=dict)
    """What else the family's figures take, as plain JSON values."""
    level: str | None = None
    """Where in the text the value is: the code of a `Level`; None if no such parser found it."""
    unparsed_reason: str | None = None
    """Why nothing was parsed: the code of an `UnparsedReason`; None if something was."""

    @classmethod
    def of(
        cls,
        facts: Mapping[str, Any],
        answer: Answer,
        /,
        parsed: ParsedAnswer | None = None,
        **read: Any,
    ) -> "Outcome":
        """Return what an answer to the question with these facts came to.

        Args:
            facts: The question's.
            answer: What the framework got.
            parsed: The parsed answer, which says where the value is or why there is none.
            read: Further fields of the outcome.
        """
        fields = {name: facts[name] for name in ("item", "cluster", "variant", "gold")}
        fields["epoch"] = answer.epoch
        if parsed is not None:
            fields |= {
                "why": parsed.explanation,
                "reason": answer.reason(parsed.reason, unread=parsed.unparsed),
                "span": parsed.span,
                "level": None if parsed.level is None else parsed.level.code,
                "unparsed_reason": parsed.unparsed_reason and parsed.unparsed_reason.code,
            }
        return cls(**{**fields, **read})

    def to_dict(self) -> JsonObject:
        """The outcome as values that JSON can hold; `from_dict` reads it back."""
        return {name: getattr(self, name) for name in self.__slots__}

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> "Outcome":
        """The outcome that `to_dict` wrote; a KeyError where a value is missing.

        Outcomes written by version 0.15 have no level and no reason for being unparsed.
        """
        span = row["span"] and tuple(row["span"])
        row = {**dict.fromkeys(_SINCE_0_16), **row}
        return cls(**{name: row[name] for name in cls.__slots__} | {"span": span})


@dataclass(frozen=True, slots=True)
class Request:
    """One call of a model that a question takes, as far as it is known before there are answers."""

    prompt: str
    role: str | None = None
    """The model role that is asked; None for the model that is evaluated."""
    answer: str | None = None
    """What its answer is about as long as; None for an answer as the task's others are."""
    reworded: Callable[[str], str] | None = field(default=None, compare=False)
    """Of an answer that takes the place of the question's prompt: the prompt that it makes, or a
    ValueError that says what of the question it lost."""


class Family(ABC):
    """One paper's tasks."""

    name: ClassVar[str]
    """Name of its folder; of a family that another package brings, the name of its module."""
    version: ClassVar[int]
    """Moves when its tasks' numbers can move."""
    roles: ClassVar[tuple[str, ...]] = ()
    """The model roles that its tasks ask, beside a grader."""
    measures_form: ClassVar[bool] = False
    """Whether an answer in another form than asked for is what its tasks measure."""
    mitigations: ClassVar[frozenset[str]] = frozenset()
    """Parameters that lessen the bias by asking otherwise: runs that differ in them alone are
    compared to see what that does."""

    @property
    def tasks(self) -> Mapping[str, TaskSpec]:
        """Its tasks by name, with their parameters: of the `tasks.yaml` in its folder."""
        return declared(self.package).tasks

    @property
    def in_groups(self) -> tuple[Parameter, ...]:
        """Parameters that every task takes in a group of the LM Evaluation Harness, whether it has
        a use for them or not."""
        return declared(self.package).in_groups

    @property
    def figures(self) -> tuple[Figure, ...]:
        """Every figure that its tasks have: of the `figures.yaml` in its folder."""
        return declared_figures(self.package)

    @property
    def package(self) -> str:
        """Its folder."""
        return type(self).__module__.rpartition(".")[0]

    @abstractmethod
    def plan(self, task: str, values: Mapping[str, Any], *, likelihoods: bool = False) -> Plan:
        """The questions of a run of a task by the values of all of its parameters, checked
        (`TaskSpec.values`); with `likelihoods` answers are compared by these, and none is written.
        A ValueError or DataError where the values do not fit each other, or the items can't be had.
        """

    def requests(self, question: Question, answer: str) -> tuple[Request, ...]:
        """The calls that a question takes in a host that makes them all in one run; `answer` stands
        for each answer of the model, where a later prompt quotes it."""
        return (Request(question.prompt),)

    @abstractmethod
    def read(self, facts: Mapping[str, Any], answer: Answer) -> Outcome:
        """What an answer without reasoning in it came to; `facts` are the question's."""

    def outcome(self, facts: Mapping[str, Any], answer: Answer) -> Outcome:
        """What a host's answer came to: hosts ask here. Reasoning in the text is passed over; the
        outcome's span is of the whole text."""
        visible = VisibleText.from_text(answer.text)
        outcome = self.read(facts, replace(answer, text=visible.text))
        if outcome.span is not None:
            return replace(outcome, span=visible.span(*outcome.span))
        if outcome.answer is not None or answer.likelihoods:
            return outcome
        reason, why = _unparsed_reason(outcome, visible, answer), outcome.why
        if reason is not UnparsedReason.NO_VALUE and reason.code != outcome.unparsed_reason:
            why = f"{why} ({reason.value})" if why else reason.value
        return replace(outcome, why=why, unparsed_reason=reason.code)

    @abstractmethod
    def scorecard(
        self, outcomes: Sequence[Outcome], options: Mapping[str, Any]
    ) -> dict[str, Estimate]:
        """Every figure of a run with its 95 % interval, by its name, of outcomes in any order.

        `options` are the values of the parameters that figures depend on (`TaskSpec.for_figures`).
        A ValueError where outcomes contradict each other, or an option is not what it can be."""

    def beyond_chance(self, outcomes: Sequence[Outcome]) -> dict[str, Estimate]:
        """`above_chance` and `can_tell` of the plain answers, where right ones are known."""
        from bias_tasks.statistics.knowledge import above_chance

        plain = [each for each in outcomes if self.compared_with(each.variant) is None]
        return above_chance(plain or outcomes)

    def outcome_with_all_figures(self, facts: Mapping[str, Any]) -> Outcome:
        """An example outcome of a run with these facts: all figures follow from its like."""
        return self.read(facts, Answer())

    def compared_with(self, variant: str) -> str | None:
        """The variant that answers under `variant` are set against to see what moved; None for that
        variant itself, and where a family's variants are all alike."""
        return None

    def normalized_score(self, outcome: Outcome) -> float | None:
        """Where an answer stands from 0 (wrong, or the least of a scale) to 1, beside others about
        the same item; None where there is none that can be set beside another."""
        return None if outcome.answer is None else outcome.score

    def answer_text(self, facts: Mapping[str, Any], answer: str) -> str:
        """What was read in an answer, for a reader who does not see the item."""
        return answer

    def right(self, outcome: Outcome) -> bool | None:
        """Whether an answer is right; None where there is no right or wrong."""
        return outcome.score == 1 if outcome.gold else None

    def sayable(self, facts: Mapping[str, Any]) -> Sequence[str]:
        """What an answer can say, each value as a grader is to write it, or one line that describes
        them; none where no grader reads its answers."""
        return ()

    def verdict_request(self, facts: Mapping[str, Any], answer: Answer) -> VerdictRequest | None:
        """What to ask a grader of an unread answer, which comes without reasoning; None where
        nobody is asked."""
        values = self.sayable(facts)
        asked = values and answer.text.strip()
        return values_request(answer.prompt, answer.text, values) if asked else None

    def read_verdict(self, facts: Mapping[str, Any], answer: Answer, reply: str) -> Outcome | None:
        """The outcome by a grader's `reply`, marked as judged; None where it, or the
        field `verdict` of an object in it, is no answer in the form asked for. What the grader
        can't read either stays unread."""
        fields = [each["verdict"] for each in find_objects(reply) if "verdict" in each]
        said = reply if not fields else str(fields[-1]) if isinstance(fields[-1], str | int) else ""
        if said.strip(" .\n\"'").lower() == UNREADABLE:
            return self.read(facts, answer)
        found = self.read(facts, replace(answer, text=said, stop="stop", prompt=""))
        if found.answer is None or found.level not in _VERDICT_LEVELS:
            return None
        own = {**found.own, JUDGED: True}
        return replace(found, why="a grader's verdict", span=None, own=own)


_VERDICT_LEVELS = (Level.WHOLE.code, Level.FIELD.code)
"""Where in a grader's reply its verdict must be."""


def _unparsed_reason(outcome: Outcome, visible: VisibleText, answer: Answer) -> UnparsedReason:
    """Return the most specific reason why an answer is unparsed."""
    if visible.unfinished and not visible.text.strip():
        return UnparsedReason.UNFINISHED_REASONING
    if not visible.text.strip():
        return UnparsedReason.EMPTY
    reason = UnparsedReason[(outcome.unparsed_reason or "no_value").upper()]
    if reason is UnparsedReason.NO_VALUE and answer.stop == "truncated":
        reason = UnparsedReason.TRUNCATED
    return explain_failure(reason, visible.text, answer.prompt)


def judge_usage(outcomes: Sequence[Outcome]) -> dict[str, Estimate]:
    """The figure `judge_usage`: the share of answers that a grader read; none where none was."""
    judged, n = sum(bool(each.own.get(JUDGED)) for each in outcomes), len(outcomes)
    return {"judge_usage": Estimate(judged / n, math.nan, math.nan, n)} if judged else {}
