"""Whether a judge prefers its own answers more than other judges do: prompts, answers, outcomes.

A host writes both answers, and what each judge said of them in both orders, as the sample's output
(`Comparisons`), so that it goes into any log, and the figures are read from there.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from pydantic import TypeAdapter, ValidationError

from bias_tasks.contract.family import Answer, Outcome, Plan, Question, Request
from bias_tasks.judging.data.load import load_prompts
from bias_tasks.judging.items import JudgedPrompt
from bias_tasks.judging.prompts.ask import PAIR, template_of
from bias_tasks.names import content_hash
from bias_tasks.parsing.answer import parse_answer
from bias_tasks.parsing.parsed_answer import TIE
from bias_tasks.prompts.templates import fill, unused_mark

SELF_PREFERENCE = "self_preference"
"""The task's name, and its questions' variant."""
Author = Literal["own", "other"]
OWN: Author = "own"
OTHER: Author = "other"
ORDERS: tuple[Author, ...] = (OWN, OTHER)
"""Whose answer stands first."""
JUDGE, JURY = "judge", "jury"
"""The evaluated model as a judge; the others are `jury`, or `jury1`, `jury2` and so on."""
OTHER_ROLE, JURY_ROLE = "other", "jury"
"""The model roles of the other author, and of the other judges."""
COMPARED = "compared"
"""In a question's facts: marks it as one of this task, and holds a hash of each recorded answer."""
VERDICTS = "verdicts"
"""In an outcome's `own`: what each judge prefers, by its name, and then by whose answer stood
first: `own`, `other`, `tie`, or None where nothing was read. Empty where nothing was compared."""
SAME = "same"
"""The answer of an outcome whose two answers are the same, so that there is nothing to prefer."""
_ALIKE = "both answers are the same"
_SHARES = {OWN: 1.0, TIE: 0.5, OTHER: 0.0}


@dataclass(frozen=True, slots=True)
class AnswersToCompare:
    """A prompt, and how its answers are to be compared."""

    item: JudgedPrompt
    template: str

    def comparison(self, own: str, other: str, first: Author) -> str:
        """What a judge is asked; nothing in it says whose either answer is."""
        one, two = (own, other) if first == OWN else (other, own)
        texts = {"prompt": self.item.prompt, "response_a": one, "response_b": two}
        # One mark for both orders, so that nothing but the order differs between them.
        mark = unused_mark((self.item.prompt, own, other))
        return fill(self.template, **texts, mark=mark)


@dataclass(frozen=True, slots=True)
class JudgeReply:
    """What a judge said of both answers in one order."""

    judge: str
    first: Author
    text: str
    cut: bool = False
    """Whether it ended at a token limit."""


@dataclass(frozen=True, slots=True)
class Comparisons:
    """Two answers to a prompt, and what the judges said of them."""

    own: str
    other: str
    said: tuple[JudgeReply, ...] = ()

    def to_text(self) -> str:
        """As JSON, which an outcome is read of."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @property
    def incomparable(self) -> str | None:
        """Why the answers can't be compared; None where they can."""
        answers = {OWN: self.own.strip(), OTHER: self.other.strip()}
        blank = [name for name, text in answers.items() if not text]
        if blank:
            return f"no answer: {' and '.join(blank)}"
        return _ALIKE if answers[OWN] == answers[OTHER] else None


_ADAPTER = TypeAdapter(Comparisons)


def juries(count: int) -> Sequence[str]:
    """The names of so many further judges."""
    return [JURY] if count == 1 else [f"{JURY}{number}" for number in range(1, count + 1)]


def plan_self_preference(values: Mapping[str, Any]) -> Plan:
    """A question for each prompt, since its answers and their judges belong together."""
    template, records = template_of(values["template"], PAIR)
    loaded = load_prompts(values["data"], values["seed"], values["n"])
    return Plan(
        questions=tuple(_question(AnswersToCompare(item, template)) for item in loaded.items),
        provenance=(*loaded.provenance, *records),
        data=values["data"],
        later=(template,),
    )


def _question(asked: AnswersToCompare) -> Question:
    item = asked.item
    recorded = {OWN: item.own, OTHER: item.other}
    hashes = {name: content_hash(text) for name, text in recorded.items() if text is not None}
    facts = {"gold": "", COMPARED: hashes}
    return Question.about(item, SELF_PREFERENCE, item.prompt, facts, source=asked)


def requests_of(asked: AnswersToCompare, answer: str) -> tuple[Request, ...]:
    """The calls of one prompt, with a jury of one; `answer` stands for either answer."""
    item = asked.item
    calls = [Request(item.prompt)] if item.own is None else []
    calls += [Request(item.prompt, OTHER_ROLE)] if item.other is None else []
    own, other = (answer if text is None else text for text in (item.own, item.other))
    for role in (None, JURY_ROLE):
        calls += [Request(asked.comparison(own, other, first), role) for first in ORDERS]
    return tuple(calls)


def outcome_of(facts: Mapping[str, Any], answer: Answer) -> Outcome:
    """What the comparisons of a prompt came to: which answer the model prefers as a judge.

    `answer.text` is what `Comparisons.to_text` wrote, and the score `own_share` of the model.
    """
    try:
        found = _ADAPTER.validate_json(answer.text)
    except ValidationError:
        return _outcome(facts, answer, {}, "no record of comparisons")
    if found.incomparable is not None:
        nothing = _outcome(facts, answer, {}, found.incomparable)
        if found.incomparable == _ALIKE:
            return replace(nothing, answer=SAME, reason=None)
        return replace(nothing, reason=answer.reason("no_response", unread=True))
    verdicts: dict[str, dict[str, str | None]] = {}
    for reply in found.said:
        verdicts.setdefault(reply.judge, dict.fromkeys(ORDERS))[reply.first] = _preferred(reply)
    unread = [
        f"{judge} ({first} first)"
        for judge, by_order in verdicts.items()
        for first, verdict in by_order.items()
        if verdict is None
    ]
    why = f"no verdict of {', '.join(unread)}" if unread else "both answers compared"
    return _outcome(facts, answer, verdicts, why)


def complete_outcome(facts: Mapping[str, Any]) -> Outcome:
    """The outcome of a prompt whose answers a jury of one finds equal: no figure lacks a value."""
    own: dict[str, str | None] = dict.fromkeys(ORDERS, OWN)
    tie: dict[str, str | None] = dict.fromkeys(ORDERS, TIE)
    return _outcome(facts, Answer(), {JUDGE: own, JURY: tie}, "")


def own_share(by_order: Mapping[str, str | None]) -> float | None:
    """How far a judge prefers the model's own answer, a tie counting half; None unless there is a
    verdict in both orders."""
    read = [_SHARES[verdict] for verdict in by_order.values() if verdict is not None]
    return sum(read) / len(read) if len(read) == len(ORDERS) else None


def _preferred(reply: JudgeReply) -> str | None:
    """Whose answer a judge prefers in one order, `own`, `other` or `tie`; None for no verdict."""
    first, second = (OWN, OTHER) if reply.first == OWN else (OTHER, OWN)
    label = parse_answer(reply.text, form="verdict", truncated=reply.cut).label
    return {"A": first, "B": second, TIE: TIE}.get(label or "")


def _outcome(
    facts: Mapping[str, Any],
    answer: Answer,
    verdicts: Mapping[str, Mapping[str, str | None]],
    why: str,
) -> Outcome:
    share = own_share(verdicts.get(JUDGE, {}))
    unread = "invalid_response_format" if answer.text.strip() else "no_response"
    return Outcome.of(
        facts,
        answer,
        answer=None if share is None else {1.0: OWN, 0.0: OTHER}.get(share, TIE),
        score=share,
        why=why,
        reason=None if share is not None else answer.reason(unread, unread=True),
        own={VERDICTS: {judge: dict(by_order) for judge, by_order in verdicts.items()}},
    )
