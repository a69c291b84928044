"""The answer that a framework got, and its outcome: what was parsed, its score, and why."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Generic, TypeAlias, TypeVar

from bias_tasks.contract.json_data import JsonData, JsonObject
from bias_tasks.contract.questions import ScoringData
from bias_tasks.data.files import RawRecord
from bias_tasks.parsing.answer import AnswerForm
from bias_tasks.parsing.parsed_answer import ParsedAnswer, StopReason, UnparsedReason, unparsed
from bias_tasks.parsing.reasoning import VisibleText
from bias_tasks.statistics.estimate import Estimate
from bias_tasks.unicode_text import encodable

EARLIER_ROUNDS = "earlier_rounds"
"""Where a document of lm-eval has the prompts and answers of the rounds before the last one."""

QUOTED_ANSWER = "quoted_answer"
"""Where it has the model's answer of the previous round, which its prompt quotes."""

_ASSUMED_LIMIT = 64
"""The token limit of a run that records none: the lowest that a task declares."""


def can_be_cut(length: int, max_tokens: int | None) -> bool:
    """Return whether an answer can have ended at its token limit, whatever its stop reason says.

    It cannot if it is far below the limit: some servers report the limit of a batch for the longest
    answer in it. A token has at least one byte, so that an answer of fewer bytes than half of the
    limit did not reach it, whichever tokenizer counts.

    Args:
        length: Bytes of the answer in UTF-8, or its tokens if these are more because they are
            hidden.
        max_tokens: The limit; None if it is not known.
    """
    return 2 * length >= (max_tokens or _ASSUMED_LIMIT)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a framework got for a question."""

    text: str = ""
    """The model's output. Lone halves of surrogate pairs are replaced, so that it can be stored."""
    stop: StopReason | None = None
    """Why generation ended; None if the framework does not report it."""
    likelihoods: tuple[float, ...] = ()
    """Log-likelihoods of the options, if these were requested instead of a text."""
    epoch: int = 1
    """Number of the run of the whole plan that the answer belongs to, from 1."""
    prompt: str = ""
    """The last prompt of the model; empty if the framework does not report it."""
    quoted: str = ""
    """The model's own earlier answer, if the last prompt quotes it."""
    tool_calls: tuple[str, ...] = ()
    """The arguments of each tool that the model calls, as JSON text."""
    tokens: int | None = None
    """Number of output tokens; None if the framework does not report it."""
    seconds: float | None = None
    """Duration of the call; None if the framework does not report it."""
    earlier_rounds: tuple["Answer", ...] = ()
    """The answers before this one, if the model was prompted again with its own answer."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", encodable(self.text))

    @classmethod
    def from_document(cls, document: RawRecord, text: str) -> "Answer":
        """Return the answer to a document of lm-eval, with those of its earlier rounds.

        Args:
            document: The document.
            text: The model's output.
        """
        rounds = document.get(EARLIER_ROUNDS) or ()
        earlier = tuple(cls(earlier["answer"], prompt=earlier["prompt"]) for earlier in rounds)
        quoted = document.get(QUOTED_ANSWER) or ""
        return cls(text, prompt=document["prompt"], quoted=quoted, earlier_rounds=earlier)

    def without_reasoning(self) -> "Answer":
        """Return the answer without the reasoning in its text, as families parse it."""
        return replace(self, text=VisibleText.from_text(self.text).text)

    def parse(self, form: AnswerForm) -> ParsedAnswer:
        """Return what an answer without reasoning says, in the form that its prompt asks for."""
        truncated = self.stop == "truncated"
        return form.parse(self.text, prompt=self.prompt, quoted=self.quoted, truncated=truncated)

    def abnormal_reason(self, parser_reason: str | None, *, unparsed: bool) -> str | None:
        """Return Inspect's `Score.reason` for the answer, None if it is normal.

        Args:
            parser_reason: The reason that the parser found.
            unparsed: Whether the answer has no value. If a content filter refused such an answer,
                the reason is a refusal, whatever its text is.
        """
        return "refusal" if unparsed and self.stop == "refused" else parser_reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Extra(JsonData):
    """What the metrics need of an outcome besides its score. A family adds fields in a subclass."""

    graded: bool = False
    """Whether a grader parsed the answer, because the rules could not."""


ExtraT = TypeVar("ExtraT", bound=Extra, covariant=True)


@dataclass(frozen=True, slots=True)
class Outcome(Generic[ExtraT]):
    """What became of one answer. It goes to plain JSON and back, the same in both frameworks."""

    item: str
    cluster: str
    variant: str
    gold: str | None
    """The correct answer; None or empty if there is none."""
    answer: str | None
    """The parsed answer; None if it is unparsed."""
    score: float | None
    """On the family's scale, or 1 for a correct answer and 0 for another; None if there is none."""
    explanation: str
    """How the answer was parsed, or why it could not be, in words for people."""
    reason: str | None = None
    """Inspect's `Score.reason` of an abnormal answer: refusal, no_response, ..."""
    span: tuple[int, int] | None = None
    """Characters (start, end) of the parsed value in the whole text."""
    epoch: int = 1
    """As in `Answer`."""
    extra: ExtraT = field(kw_only=True)
    """What the family's metrics need besides."""
    level: str | None = None
    """Code of the `Level` at which the value was found; None if no such parser found it."""
    unparsed_reason: str | None = None
    """Code of the `UnparsedReason`; None if the answer is parsed."""

    @classmethod
    def from_answer(
        cls,
        data: ScoringData,
        answer: Answer,
        /,
        parsed: ParsedAnswer | None = None,
        **known: object,
    ) -> "Outcome[ExtraT]":
        """Return the outcome of an answer to the question with this scoring data.

        Args:
            data: The question's scoring data.
            answer: What the framework got.
            parsed: The parsed answer, which says where the value is or why there is none.
            **known: Further fields of the outcome.
        """
        values: JsonObject = {"epoch": answer.epoch}
        values |= {name: getattr(data, name) for name in ("item", "cluster", "variant", "gold")}
        if parsed is not None:
            if answer.stop == "tool_call" and parsed.unparsed_reason is UnparsedReason.EMPTY:
                parsed = unparsed(UnparsedReason.TOOL_CALL)
            values |= {
                "explanation": parsed.explanation,
                "reason": answer.abnormal_reason(parsed.reason, unparsed=parsed.unparsed),
                "span": parsed.span,
                "level": None if parsed.level is None else parsed.level.code,
                "unparsed_reason": parsed.unparsed_reason and parsed.unparsed_reason.code,
            }
        return cls(**{**values, **known})

    def to_dict(self) -> JsonObject:
        """Return the outcome as plain JSON values; `from_dict` reads them."""
        values = {part.name: getattr(self, part.name) for part in fields(self)}
        return values | {"extra": self.extra.to_dict()}

    @classmethod
    def from_dict(cls, values: RawRecord, extra_type: type[ExtraT]) -> "Outcome[ExtraT]":
        """Return the outcome that `to_dict` wrote.

        Args:
            values: Plain JSON values by field.
            extra_type: The family's type of `extra`.

        Raises:
            KeyError: A field is missing.
            ValueError: A field of `extra` is missing or of another type.
        """
        known = {part.name: values[part.name] for part in fields(cls)}
        span = known["span"] and tuple(known["span"])
        return cls(**known | {"span": span, "extra": extra_type.from_dict(known["extra"])})


AnyOutcome: TypeAlias = Outcome[Any]
"""An outcome of a family that is not known, as frameworks and commands use it."""


def judge_usage(outcomes: Sequence[Outcome[Extra]]) -> dict[str, Estimate]:
    """Return the metric `judge_usage`: the share of answers that a grader parsed, if any."""
    graded, n = sum(outcome.extra.graded for outcome in outcomes), len(outcomes)
    return {"judge_usage": Estimate.without_interval(graded / n, n)} if graded else {}
