"""What models write for the probes `paraphrase` and `language`: rewordings and translations."""

from collections.abc import Generator
from functools import partial

from bias_tasks.contract.written_texts import CollectedTexts, TextRequest, Writing, WrittenText
from bias_tasks.digests import digest
from bias_tasks.parsing.written_text import InvalidReplyError, excerpt_reply, parse_text
from bias_tasks.probing import rewordings
from bias_tasks.probing.items import ProbedItem
from bias_tasks.probing.rewordings import PASSED, Kind, Row
from bias_tasks.prompts.templates import fill, template
from bias_tasks.unicode_text import encodable

_MAX_REPLY = 50_000
"""Characters of a reply; a longer one is refused."""


def write_rewording(item: ProbedItem, task: str, original: str, language: str | None) -> Writing:
    """Request a rewording or translation of an item, and collect its row.

    The model that writes confirms that the rewording, or the translation of the translation, asks
    the same. The row keeps a rejected text for review.

    Args:
        item: The item.
        task: Name of its task.
        original: The language of the item.
        language: The language to translate into; None for a paraphrase.
    """
    kind: Kind = "language" if language else "paraphrase"
    unsuitable = rewordings.reason_not_to_reword(item)
    if unsuitable is not None:
        columns: dict[str, object] = {"by": "nobody", "checks": {"text": unsuitable}}
    elif language is None:
        prompt = _fill("paraphrase", given=item.text)
        result = yield TextRequest(
            prompt, partial(_parse, item, kind), partial(_ask_same, item), checks_itself=True
        )
        columns = _describe(result, result)
    else:
        columns = yield from _translate(item, original, language)
    columns |= {
        "task": task,
        "kind": kind,
        "original_language": original,
        "language": language,
        "item": item.id,
        "original": encodable(item.text),
        "digest": rewordings.item_digest(item),
    }
    row = Row.model_validate(columns)
    refusal = row.find_refusal(item)
    reasons: dict[str, str | None] = {kind: None if refusal is None else str(refusal)}
    return CollectedTexts([row.model_dump(mode="json")], reasons)


def _translate(
    item: ProbedItem, source: str, target: str
) -> Generator[TextRequest, WrittenText, dict[str, object]]:
    """Request a translation and its back translation, and return the columns about them.

    The request for the back translation does not have the original text.
    """
    prompt = _fill("translate", given=item.text, language=source, into=target)
    result = yield TextRequest(prompt, partial(_parse, item, "language"))
    if result.text is None:
        return _describe(result, result)
    prompt = _fill("translate", given=result.text, language=target, into=source)
    back = yield TextRequest(
        prompt, partial(_parse, item, None), partial(_ask_same, item), checks_itself=True
    )
    text = excerpt_reply(back.last_reply) if back.text is None else back.text
    return {**_describe(result, back), "back_translation": text}


def _parse(item: ProbedItem, kind: Kind | None, reply: str) -> str:
    """Return the text of a reply, which can replace the item's as a rewording of the kind."""
    one_line = "\n" not in item.text
    text = parse_text(reply, item.text, max_characters=_MAX_REPLY, one_line=one_line)
    if kind is not None and (defect := rewordings.find_defect(item, text, kind)):
        raise InvalidReplyError(defect)
    return text


def _ask_same(item: ProbedItem, text: str) -> str:
    return _fill("same", first=item.text, second=text)


def _describe(result: WrittenText, compared: WrittenText) -> dict[str, object]:
    """Return the columns about a text; `compared` has the text that is compared with the item's."""
    text = excerpt_reply(result.last_reply) if result.text is None else result.text
    checks = {"text": compared.invalid or PASSED}
    if compared.text is not None:
        checks["same"] = compared.objection or PASSED
    return {
        "reworded": text or None,
        "made": digest(text) if text else None,
        "checks": checks,
        "attempts": len(result.steps[0]["replies"]),
        "by": "model",
        "model": result.steps[0]["model"],
    }


def _fill(name: str, **fields: str) -> str:
    return fill(template(f"probing/{name}.txt"), **fields)
