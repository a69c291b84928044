"""What models write for yes/no questions: rewordings, and yes/no forms of questions for numbers."""

from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import partial

from bias_tasks.binary_qa.data.files import record_to_dict
from bias_tasks.binary_qa.data.load import find_missing_reformulations
from bias_tasks.binary_qa.items import (
    BinaryItem,
    PendingNumberQuestion,
    Provenance,
    Reformulation,
)
from bias_tasks.binary_qa.prompts import render
from bias_tasks.binary_qa.rewording_checks import (
    find_number_question_problem,
    find_rewording_problem,
)
from bias_tasks.contract.written_texts import (
    CollectedTexts,
    TextRequest,
    Writing,
    WrittenText,
)
from bias_tasks.parsing.written_text import (
    MAX_QUESTION_CHARACTERS,
    InvalidReplyError,
    excerpt_reply,
    parse_text,
)

_QUESTION = "question"
"""Name of the yes/no form of a question for a number."""


def write_rewordings(item: BinaryItem, kinds: Sequence[Reformulation]) -> Writing:
    """Request the rewordings that a question lacks, and collect its row with them.

    A question for a number is first turned into a yes/no question; without that it has no row.

    Args:
        item: The question.
        kinds: The rewordings that it needs.
    """
    reasons: dict[str, str | None] = {}
    if isinstance(item, PendingNumberQuestion):
        result = yield _request(
            render.number_question_request(item),
            partial(find_number_question_problem, item),
            partial(render.number_meaning_request, item),
        )
        reasons[_QUESTION] = result.reason
        if result.reason is not None:
            return CollectedTexts([], reasons)
        origin = _describe(result)
        origin["turned_from"] = item.question
        values = {field.name: getattr(item, field.name) for field in fields(BinaryItem)}
        values |= {"question": origin["output"], "provenance": {_QUESTION: origin}}
        item = BinaryItem(**values)
    for kind in find_missing_reformulations(item, kinds):
        result = yield _request(
            render.reformulation_request(item.question, kind),
            partial(find_rewording_problem, item.question, kind),
            partial(render.meaning_request, item.question, kind),
        )
        reasons[kind] = result.reason
        item = item.with_rewording(kind, _describe(result))
    return CollectedTexts([record_to_dict(item)], reasons)


def _request(
    prompt: str, find_problem: Callable[[str], str | None], build_check: Callable[[str], str]
) -> TextRequest:
    """Return the request for one line without a visible problem."""

    def parse(reply: str) -> str:
        text = parse_text(reply, max_characters=MAX_QUESTION_CHARACTERS, one_line=True)
        if problem := find_problem(text):
            raise InvalidReplyError(problem)
        return text

    return TextRequest(prompt, parse, build_check)


def _describe(result: WrittenText) -> Provenance:
    """Return the provenance of a text."""
    request = result.steps[0]
    provenance = Provenance(
        by="model" if result.reason is None else "refused",
        output=excerpt_reply(result.last_reply) if result.text is None else result.text,
        model=request["model"],
        prompt=request["prompt"],
        attempts=len(request["replies"]),
    )
    if result.reason is not None:
        provenance["reason"] = result.reason
    return provenance
