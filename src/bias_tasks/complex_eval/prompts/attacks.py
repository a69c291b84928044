"""Prompts of models that attack responses, check attacks, or write references and rubrics.

The templates follow appendix A.3; see `templates/attacks/SOURCE.md`.
"""

from collections.abc import Iterable, Mapping

from bias_tasks.complex_eval.items import ATTACKS, JudgedItem, JudgedKind
from bias_tasks.complex_eval.prompts.judge import load_lines
from bias_tasks.prompts.templates import fill, template

_OPEN_QA = "open qa"
_WITH_EXTRACTION: Mapping[JudgedKind, tuple[str, ...]] = {
    "basic": (),
    "math": ATTACKS["math"],
    "role_playing": ("format", "solution_fixation", "stereotype_amplification"),
    "creative_writing": ATTACKS["creative_writing"],
}
"""Attacks that extract features with a first prompt; the others take one prompt."""


class MissingAuxiliaryError(ValueError):
    """The item lacks what the prompt shows; the message names it."""


def build_extraction_request(item: JudgedItem, name: str) -> str | None:
    """Return the request to the model that attacks for the features of an item.

    Args:
        item: The item to attack.
        name: The attack.

    Returns:
        The prompt; None if the attack takes one prompt.

    Raises:
        MissingAuxiliaryError: The item lacks what the prompt shows.
    """
    if name not in _WITH_EXTRACTION[item.family]:
        return None
    return _fill_template(f"{item.family}/{name}_extraction", item)


def build_attack_request(item: JudgedItem, name: str, features: str | None) -> str:
    """Return the request to the model that attacks for the attacked response.

    Args:
        item: The item to attack.
        name: The attack.
        features: The reply to `build_extraction_request`; None if the attack takes one prompt.

    Raises:
        MissingAuxiliaryError: The item lacks what the prompt shows.
    """
    return _fill_template(_find_attack_template(item.family, item.domain, name), item, features)


def build_reference_request(item: JudgedItem) -> str:
    """Return the request for a better answer (appendix A.2)."""
    return fill(_load_template("write_reference"), query=item.query)


def build_rubric_request(domain: str, examples: Iterable[str], queries: Iterable[str]) -> str:
    """Return the request for a domain's rubric (appendix A.2).

    Args:
        domain: The domain.
        examples: Rubrics of other domains.
        queries: Some requests of the domain.
    """
    return fill(
        _load_template("write_rubric"),
        domain=domain,
        examples="\n\n".join(examples),
        queries="\n\n".join(f"- {query}" for query in queries),
    )


def build_check_request(item: JudgedItem, name: str, attacked: str) -> str:
    """Return the question to the role `checker`: Is the attack within the limits of appendix A.3?

    Args:
        item: The attacked item.
        name: The attack.
        attacked: The attacked response.
    """
    limits = load_lines("attacks/limits")
    return fill(
        _load_template("check"),
        limits=limits.get(f"{item.family} {name}") or limits[item.family],
        query=item.query,
        response=item.responses[item.attack_target],
        attacked=attacked,
    )


def _find_attack_template(family: JudgedKind, domain: str, name: str) -> str:
    if family == "creative_writing" and name != "solution_fixation":
        return "creative_writing/camouflage"
    if family == "basic" and name == "rubric" and domain.casefold() == _OPEN_QA:
        return "basic/rubric_open_qa"
    return f"{family}/{name}_camouflage" if name in _WITH_EXTRACTION[family] else f"{family}/{name}"


def _fill_template(name: str, item: JudgedItem, features: str | None = None) -> str:
    fields = {
        "query": item.query,
        "response": item.responses[item.attack_target],
        "reference": item.reference,
        "rubric": item.rubric or _format_criteria(item),
        "background": item.background,
        "features": features,
    }
    try:
        return fill(_load_template(name), **{field: text for field, text in fields.items() if text})
    except KeyError as error:
        raise MissingAuxiliaryError(f"the item has no {error.args[0]}") from error


def _format_criteria(item: JudgedItem) -> str:
    return "\n\n".join(f"{criterion.name}: {criterion.description}" for criterion in item.criteria)


def _load_template(name: str) -> str:
    return template(f"complex_eval/attacks/{name}.txt")
