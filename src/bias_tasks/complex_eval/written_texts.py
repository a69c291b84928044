"""What models write for ComplexEval: attacks on responses, references and rubrics (appendix A)."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

from bias_tasks.complex_eval.attack_checks import MISSING, check_attack
from bias_tasks.complex_eval.attack_replies import parse_attacked
from bias_tasks.complex_eval.data.converters import load_rubric
from bias_tasks.complex_eval.items import JudgedItem, JudgedKind
from bias_tasks.complex_eval.prompts import attacks as prompts
from bias_tasks.contract.json_data import JsonObject
from bias_tasks.contract.written_texts import (
    CollectedTexts,
    ItemToWrite,
    TextRequest,
    Writing,
    WrittenText,
)
from bias_tasks.parsing.written_text import InvalidReplyError, parse_text

AuxiliaryKind = Literal["reference", "rubric"]
WRITTEN_AUXILIARY: Mapping[AuxiliaryKind, Sequence[JudgedKind]] = {
    "reference": ("basic", "math", "creative_writing"),
    "rubric": ("basic",),
}
"""Kinds of items whose references and rubrics a model can write. Role playing has the book's
reference, and the other kinds have criteria instead of a rubric."""
_EXAMPLE_DOMAINS = ("Open QA", "Summarization")
"""Domains whose rubrics are examples in the prompt; the first is the paper's own example."""
_N_QUERIES, _QUERY_LENGTH = 3, 500
"""Number of a domain's requests in the prompt, and characters of each."""


def write_attacks(item: JudgedItem, names: Sequence[str], *, existing: bool) -> Writing:
    """Request the attacks on an item, and collect its row with the valid ones.

    Args:
        item: The item.
        names: The attacks.
        existing: Whether the attacks in the data are checked, and no model attacks.
    """
    attacked = {name: text for name, text in item.attacked.items() if name not in names}
    reasons: dict[str, str | None] = {}
    records: JsonObject = dict(item.provenance.get("attacks", {}))
    for name in names:
        result = yield from (_check_existing if existing else _write_attack)(item, name)
        reasons[name] = result.reason
        if result.text is not None and result.reason is None:
            attacked[name] = result.text
        records[name] = {
            "by": item.attackers.get(name, "data") if existing else "model",
            "rejected": result.reason,
            "steps": result.steps,
        }
    row = _build_row(replace(item, attacked=attacked), {"attacks": records})
    return CollectedTexts([row], reasons)


def _write_attack(item: JudgedItem, name: str) -> Generator[TextRequest, WrittenText, WrittenText]:
    """Request features, if the attack needs them, and then the attack (appendix A.3)."""
    steps: list[JsonObject] = []
    try:
        extraction = prompts.build_extraction_request(item, name)
        text = None
        if extraction is not None:
            features = yield TextRequest(extraction, parse_text)
            steps, text = features.steps, features.text
            if text is None:
                reason = f"the features could not be extracted: {features.invalid}"
                return WrittenText(invalid=reason, steps=steps)
        prompt = prompts.build_attack_request(item, name, text)
    except prompts.MissingAuxiliaryError as error:
        return WrittenText(invalid=f"the item lacks what the prompt shows: {error}")

    def parse(reply: str) -> str:
        attacked = parse_attacked(reply, item, item.responses[item.attack_target])
        if reason := check_attack(item, name, attacked):
            raise InvalidReplyError(reason)
        return attacked

    result = yield TextRequest(prompt, parse, partial(prompts.build_check_request, item, name))
    return replace(result, steps=[*steps, *result.steps])


def _check_existing(
    item: JudgedItem, name: str
) -> Generator[TextRequest, WrittenText, WrittenText]:
    """Request a check of the attack in the data, if it passes the mechanical check."""
    text = item.attacked.get(name)
    reason = MISSING if text is None else check_attack(item, name, text)
    if reason is not None:
        return WrittenText(invalid=reason)
    build_check = partial(prompts.build_check_request, item, name)
    return (yield TextRequest("", parse_text, build_check, existing=text))


def group_auxiliary(kind: AuxiliaryKind, items: Sequence[JudgedItem]) -> list[ItemToWrite]:
    """Return the references of items, or the rubrics of their domains, that a model writes.

    Raises:
        ValueError: No model writes such texts for items of this kind.
    """
    allowed, family = WRITTEN_AUXILIARY[kind], items[0].family
    if family not in allowed:
        raise ValueError(f"kind={kind} is for {', '.join(allowed)}, not for {family}")
    groups: dict[str, list[JudgedItem]] = {}
    for item in items:
        groups.setdefault(item.domain if kind == "rubric" else item.id, []).append(item)
    return [
        ItemToWrite(name, partial(_write_auxiliary, kind, group)) for name, group in groups.items()
    ]


def _write_auxiliary(kind: AuxiliaryKind, items: Sequence[JudgedItem]) -> Writing:
    """Request the reference of an item or the rubric of a domain, and collect rows of its items.

    There are no rows without a valid text.
    """
    if kind == "rubric":
        domain = items[0].domain
        others = [name for name in _EXAMPLE_DOMAINS if name.casefold() != domain.casefold()]
        queries = [item.query[:_QUERY_LENGTH] for item in items[:_N_QUERIES]]
        prompt = prompts.build_rubric_request(domain, [*map(load_rubric, others)], queries)
    else:
        prompt = prompts.build_reference_request(items[0])
    result = yield TextRequest(prompt, parse_text)
    if result.text is None:
        return CollectedTexts([], {kind: result.reason})
    text: JsonObject = {kind: result.text}
    rows = [_build_row(replace(item, **text), {kind: result.steps[0]}) for item in items]
    return CollectedTexts(rows, {kind: None})


def _build_row(item: JudgedItem, provenance: JsonObject) -> JsonObject:
    """Return the row of an item, and how its texts were written, now and earlier."""
    return {**item.to_row(), "provenance": {**item.provenance, **provenance}}
