"""What a model is asked that attacks responses, or writes a reference or a rubric (appendix A.3;
`templates/attacks/SOURCE.md`)."""

from collections.abc import Iterable, Mapping

from bias_tasks.complex_eval.items import BIASES, JudgedItem, JudgedKind, attacked_response
from bias_tasks.complex_eval.prompts.judge import lines_of
from bias_tasks.prompts.templates import fill, template

_OPEN_QA = "open qa"
_EXTRACTED: Mapping[JudgedKind, tuple[str, ...]] = {
    "basic": (),
    "math": BIASES["math"],
    "role_playing": ("format", "solution_fixation", "stereotype_amplification"),
    "creative_writing": BIASES["creative_writing"],
}
"""The attacks whose features are extracted before; the others are asked with one prompt."""


class MissingAuxiliaryError(ValueError):
    """The item lacks what the prompt shows; the message says what."""


def extraction_request(item: JudgedItem, name: str) -> str | None:
    """The request to the role `attacker` for the features of one item; None where there is none.

    `name` is what is attacked toward (`ATTACKS`) or with (`BIASES`). Raises a MissingAuxiliaryError
    where the item has no such auxiliary information.
    """
    if name not in _EXTRACTED[item.family]:
        return None
    return _filled(f"{item.family}/{name}_extraction", item)


def attack_request(item: JudgedItem, name: str, features: str | None) -> str:
    """The request to the role `attacker` for the attacked response; `features` is the reply to
    `extraction_request`, where there is one. Raises as that."""
    return _filled(_attack_template(item.family, item.domain, name), item, features)


def reference_request(item: JudgedItem) -> str:
    """The request to the role `reference_writer` for a better answer (A.2)."""
    return fill(_text("write_reference"), query=item.query)


def rubric_request(domain: str, examples: Iterable[str], queries: Iterable[str]) -> str:
    """The request to the role `rubric_writer` for a domain's rubrics, with examples of other
    domains' and some of its own requests (A.2)."""
    return fill(
        _text("write_rubric"),
        domain=domain,
        examples="\n\n".join(examples),
        queries="\n\n".join(f"- {query}" for query in queries),
    )


def check_request(item: JudgedItem, name: str, attacked: str) -> str:
    """The question to the role `checker`: did the attack keep within A.3's limits? Yes or no."""
    limits = lines_of("attacks/limits")
    return fill(
        _text("check"),
        limits=limits.get(f"{item.family} {name}") or limits[item.family],
        query=item.query,
        response=item.responses[attacked_response(item)],
        attacked=attacked,
    )


def _attack_template(family: JudgedKind, domain: str, name: str) -> str:
    if family == "creative_writing" and name != "solution_fixation":
        return "creative_writing/camouflage"
    if family == "basic" and name == "rubric" and domain.casefold() == _OPEN_QA:
        return "basic/rubric_open_qa"
    return f"{family}/{name}_camouflage" if name in _EXTRACTED[family] else f"{family}/{name}"


def _filled(name: str, item: JudgedItem, features: str | None = None) -> str:
    fields = {
        "query": item.query,
        "response": item.responses[attacked_response(item)],
        "reference": item.reference,
        "rubric": item.rubric or _criteria(item),
        "background": item.background,
        "features": features,
    }
    try:
        return fill(_text(name), **{field: text for field, text in fields.items() if text})
    except KeyError as error:
        raise MissingAuxiliaryError(f"the item has no {error.args[0]}") from error


def _criteria(item: JudgedItem) -> str:
    return "\n\n".join(f"{part.name}: {part.description}" for part in item.criteria)


def _text(name: str) -> str:
    return template(f"complex_eval/attacks/{name}.txt")
