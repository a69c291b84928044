"""Plans and scores `self_preference`: does a model prefer its own answers more than a jury does?

A framework collects both answers and the judges' replies, and stores them as the sample's output
(`Comparisons`), so that every log has them. Outcomes are computed from there.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import Enum

from pydantic import TypeAdapter, ValidationError

from bias_tasks.contract.outcomes import Answer, Outcome
from bias_tasks.contract.questions import Plan, Question, Request
from bias_tasks.digests import content_hash
from bias_tasks.judge_bias.data.load import load_prompts
from bias_tasks.judge_bias.items import (
    Author,
    JudgeBiasData,
    JudgeBiasExtra,
    JudgeBiasParams,
    JudgedPrompt,
    Verdicts,
)
from bias_tasks.judge_bias.outcomes import select_preferred
from bias_tasks.judge_bias.prompts.judge_prompt import PAIR_SLOTS, load_template
from bias_tasks.parsing.answer import parse_answer
from bias_tasks.parsing.parsed_answer import TIE
from bias_tasks.prompts.templates import fill
from bias_tasks.randomness import find_unused_mark

SELF_PREFERENCE = "self_preference"
"""Name of the task, and the variant of its questions."""
SELF: Author = "own"
"""The evaluated model as an author."""
OTHER: Author = "other"
"""The other model as an author."""
ORDERS: tuple[Author, ...] = (SELF, OTHER)
"""The display orders of a comparison, by the author whose answer is first."""
JUDGE = "judge"
"""Name of the evaluated model as a judge."""
JURY = "jury"
"""Name of a single juror; several jurors are `jury1`, `jury2` and so on."""
OTHER_ROLE, JURY_ROLE = "other", "jury"
"""Model roles of the other author and of the jurors."""
SAME_ANSWER = "same"
"""`Outcome.answer` if both answers are the same, so that no preference is possible."""


class NotComparable(Enum):
    """Why two answers cannot be compared; the values are the explanations for people."""

    SAME_ANSWER = "both answers are the same"
    NO_ANSWERS = "no answer: own and other"
    NO_OWN_ANSWER = "no answer: own"
    NO_OTHER_ANSWER = "no answer: other"


@dataclass(frozen=True, slots=True)
class AnswersToCompare:
    """A prompt, and the template of the comparisons of its answers."""

    item: JudgedPrompt
    template: str

    def render(self, own_answer: str, other_answer: str, first: Author) -> str:
        """Return the prompt of a comparison, which does not reveal the authors.

        Args:
            own_answer: The evaluated model's answer.
            other_answer: The other model's answer.
            first: The author whose answer is displayed first.
        """
        answers = (own_answer, other_answer) if first == SELF else (other_answer, own_answer)
        # One mark for both orders: they differ in nothing but the order.
        mark = find_unused_mark((self.item.prompt, own_answer, other_answer))
        return fill(
            self.template,
            prompt=self.item.prompt,
            response_a=answers[0],
            response_b=answers[1],
            mark=mark,
        )


@dataclass(frozen=True, slots=True)
class JudgeReply:
    """A judge's reply to one comparison."""

    judge: str
    """`judge` for the evaluated model, else a juror's name."""
    first: Author
    """The author whose answer was displayed first."""
    text: str
    truncated: bool = False
    """Whether the reply ended at a token limit."""


@dataclass(frozen=True, slots=True)
class Comparisons:
    """Two answers to a prompt, and the judges' replies."""

    own_answer: str
    other_answer: str
    replies: tuple[JudgeReply, ...] = ()

    def to_text(self) -> str:
        """Return the comparisons as JSON, which `score_comparisons` reads."""
        return json.dumps(asdict(self), ensure_ascii=False)

    def check_comparable(self) -> NotComparable | None:
        """Return why the answers cannot be compared; None if they can."""
        own_answer, other_answer = self.own_answer.strip(), self.other_answer.strip()
        if not own_answer:
            return NotComparable.NO_OWN_ANSWER if other_answer else NotComparable.NO_ANSWERS
        if not other_answer:
            return NotComparable.NO_OTHER_ANSWER
        return NotComparable.SAME_ANSWER if own_answer == other_answer else None


_ADAPTER = TypeAdapter(Comparisons)


def name_jurors(count: int) -> Sequence[str]:
    """Return the names of the given number of jurors."""
    return [JURY] if count == 1 else [f"{JURY}{number}" for number in range(1, count + 1)]


def plan_self_preference(params: JudgeBiasParams) -> Plan:
    """Plan one question per prompt; it covers both answers and all comparisons.

    Args:
        params: The parameters of the run.

    Raises:
        DataError: The prompts or the template cannot be loaded.
    """
    template, records = load_template(params.template, PAIR_SLOTS)
    loaded = load_prompts(params.data, params.seed, params.n)
    return Plan(
        questions=tuple(_build_question(AnswersToCompare(item, template)) for item in loaded.items),
        provenance=(*loaded.provenance, *records),
        data=params.data,
        later_templates=(template,),
    )


def _build_question(source: AnswersToCompare) -> Question:
    item = source.item
    answers: Mapping[Author, str | None] = {SELF: item.own_answer, OTHER: item.other_answer}
    data = JudgeBiasData(
        item=item.id,
        cluster=item.cluster or item.id,
        variant=SELF_PREFERENCE,
        columns=dict(item.extra_columns),
        answer_hashes={
            author: content_hash(text) for author, text in answers.items() if text is not None
        },
    )
    return Question.from_scoring_data(data, item.prompt, source=source)


def list_requests(source: AnswersToCompare, answer: str) -> tuple[Request, ...]:
    """Return the model calls of one prompt with a jury of one.

    Args:
        source: The prompt and its recorded answers.
        answer: Stands for each answer that is not recorded.
    """
    item = source.item
    requests = []
    if item.own_answer is None:
        requests.append(Request(item.prompt))
    if item.other_answer is None:
        requests.append(Request(item.prompt, OTHER_ROLE))
    own_answer = answer if item.own_answer is None else item.own_answer
    other_answer = answer if item.other_answer is None else item.other_answer
    for role in (None, JURY_ROLE):
        for first in ORDERS:
            requests.append(Request(source.render(own_answer, other_answer, first), role))
    return tuple(requests)


def score_comparisons(data: JudgeBiasData, answer: Answer) -> Outcome[JudgeBiasExtra]:
    """Score the comparisons of one prompt: which answer does the evaluated model prefer?

    Args:
        data: The question's scoring data.
        answer: Its text is the JSON of `Comparisons.to_text`.

    Returns:
        The outcome. Its score is `compute_self_win_rate` of the evaluated model's verdicts.
    """
    try:
        comparisons = _ADAPTER.validate_json(answer.text)
    except ValidationError:
        return _build_outcome(data, answer, {}, "no record of comparisons")
    problem = comparisons.check_comparable()
    if problem is not None:
        outcome = _build_outcome(data, answer, {}, problem.value)
        if problem is NotComparable.SAME_ANSWER:
            return replace(outcome, answer=SAME_ANSWER, reason=None)
        return replace(outcome, reason=answer.abnormal_reason("no_response", unparsed=True))
    verdicts: dict[str, dict[str, str | None]] = {}
    for reply in comparisons.replies:
        by_order = verdicts.setdefault(reply.judge, dict.fromkeys(ORDERS))
        by_order[reply.first] = _parse_preferred_author(reply)
    unparsed = [
        f"{judge} ({first} first)"
        for judge, by_order in verdicts.items()
        for first, verdict in by_order.items()
        if verdict is None
    ]
    explanation = f"no verdict of {', '.join(unparsed)}" if unparsed else "both answers compared"
    return _build_outcome(data, answer, verdicts, explanation)


def example_comparison(data: JudgeBiasData) -> Outcome[JudgeBiasExtra]:
    """Return the outcome of a prompt with a jury of one that calls a tie.

    A run of such outcomes has a value for every metric.
    """
    self_preferred: Verdicts = dict.fromkeys(ORDERS, SELF)
    tie: Verdicts = dict.fromkeys(ORDERS, TIE)
    return _build_outcome(data, Answer(), {JUDGE: self_preferred, JURY: tie}, "")


def compute_self_win_rate(verdicts: Verdicts) -> float | None:
    """Return how often a judge prefers the evaluated model's answer; a tie counts as half.

    Returns:
        A share from 0 to 1; None unless both orders have a verdict.
    """
    if len(verdicts) < len(ORDERS) or None in verdicts.values():
        return None
    wins = sum(verdict == SELF for verdict in verdicts.values())
    ties = sum(verdict == TIE for verdict in verdicts.values())
    return (wins + ties / 2) / len(ORDERS)


def _parse_preferred_author(reply: JudgeReply) -> str | None:
    """Return the author whose answer a judge prefers, or `tie`; None for an unparsed reply."""
    second = OTHER if reply.first == SELF else SELF
    verdict = parse_answer(reply.text, form="verdict", truncated=reply.truncated).label
    return select_preferred(verdict, reply.first, second)


def _build_outcome(
    data: JudgeBiasData, answer: Answer, verdicts: Mapping[str, Verdicts], explanation: str
) -> Outcome[JudgeBiasExtra]:
    win_rate = compute_self_win_rate(verdicts.get(JUDGE, {}))
    reason = None
    if win_rate is None:
        unparsed = "invalid_response_format" if answer.text.strip() else "no_response"
        reason = answer.abnormal_reason(unparsed, unparsed=True)
    return Outcome[JudgeBiasExtra].from_answer(
        data,
        answer,
        answer=_name_preferred_author(win_rate),
        score=win_rate,
        explanation=explanation,
        reason=reason,
        extra=JudgeBiasExtra(verdicts=verdicts),
    )


def _name_preferred_author(win_rate: float | None) -> str | None:
    """Return the author whose answer wins over both orders, or `tie`; None without a rate.

    Only a win in both orders counts: a win and a tie is a tie.
    """
    if win_rate is None:
        return None
    if win_rate == 1:
        return SELF
    return OTHER if win_rate == 0 else TIE
