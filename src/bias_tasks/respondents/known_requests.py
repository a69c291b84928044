"""Requests of the attack tool, recognised by their own words and taken apart again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from bias_tasks.complex_eval.items import JUDGED_KINDS, ORIGINAL, REJECTED, JudgedItem, attack_names
from bias_tasks.complex_eval.items import JudgedKind as Family
from bias_tasks.complex_eval.prompts.attacks import (
    attack_request,
    extraction_request,
    reference_request,
    rubric_request,
)

Kind = Literal["extract", "attack", "reference", "rubric"]

_DOMAINS = ("", "Open QA")
"""Two: one domain's request has words of its own."""
_FIELD = re.compile("\0([a-z]+)\0")


@dataclass(frozen=True, slots=True)
class Request:
    """A request, and what it shows."""

    kind: Kind
    family: Family
    name: str
    """What to attack toward or with; empty for what is written before. All of creative writing's
    attacks are asked for in the same words, so that its `name` is the first of them."""
    shown: Mapping[str, str]
    """The parts shown, by their names: query, response, reference, rubric, background, features,
    domain, examples, queries."""


def read_request(prompt: str) -> Request | None:
    """The last request that the prompt makes; None for any other prompt."""
    for kind, family, name, form in _forms():
        shown = _shown(form, prompt)
        if shown is not None:
            return Request(kind, family, name, shown)
    return None


@cache
def _forms() -> tuple[tuple[Kind, Family, str, tuple[str, ...]], ...]:
    """Each request with its words and the names of its parts, by turns."""
    return tuple(
        (kind, family, name, tuple(_FIELD.split(text))) for kind, family, name, text in _texts()
    )


def _texts() -> Iterator[tuple[Kind, Family, str, str]]:
    for family in JUDGED_KINDS:
        for domain in _DOMAINS:
            item = _template_item(family, domain)
            for name in attack_names(family):
                extraction = extraction_request(item, name)
                if extraction is not None:
                    yield "extract", family, name, extraction
                yield "attack", family, name, attack_request(item, name, _field("features"))
    yield "reference", "basic", "", reference_request(_template_item("basic", ""))
    written = rubric_request(_field("domain"), [_field("examples")], [_field("queries")])
    yield "rubric", "basic", "", written


def _template_item(family: Family, domain: str) -> JudgedItem:
    """An item whose parts are their own names."""
    return JudgedItem(
        id="",
        family=family,
        domain=domain,
        source="",
        cluster="",
        query=_field("query"),
        responses={REJECTED if family == "basic" else ORIGINAL: _field("response")},
        reference=_field("reference"),
        rubric=_field("rubric"),
        background=_field("background"),
    )


def _field(name: str) -> str:
    return f"\0{name}\0"


def _shown(form: tuple[str, ...], prompt: str) -> dict[str, str] | None:
    """The parts of a prompt that ends in a request of this form, else None."""
    first, last = form[0], form[-1]
    start = prompt.rfind(first)
    if start < 0 or not prompt.endswith(last):
        return None
    place, end = start + len(first), len(prompt) - len(last)
    shown = {}
    words = form[2:-1:2]
    for name, closing in zip(form[1::2], [*words, ""], strict=True):
        until = prompt.find(closing, place, end) if closing else end
        if until < place:
            return None
        shown[name] = prompt[place:until]
        place = until + len(closing)
    return shown
