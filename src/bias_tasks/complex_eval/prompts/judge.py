"""What a judge is told and asked, and the form of its answer (ComplexEval, section 4).

Whatever comes from a data set or a model stands in marked blocks. The mark occurs in none of
their texts, so that no response can close its block and go on as if it were the prompt.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, get_args

from bias_tasks.complex_eval.items import Criterion, JudgedItem, JudgedKind
from bias_tasks.hashing import content_hash
from bias_tasks.prompts.templates import fill, template

AUXILIARY: Mapping[str, tuple[str, ...]] = {
    "none": (),
    "reference": ("reference",),
    "rubric": ("rubric",),
    "full": ("background", "reference", "rubric"),
}
"""The blocks that each auxiliary condition adds, where the item has them."""
SCORE_RANGE = (1, 10)
"""Lowest and highest score of a basic response, and of each criterion of creative writing."""
SEVERITY_RANGE = (1, 10)
"""Lowest and highest severity of a flaw."""

_BLOCK = re.compile(r"<([a-z]+)-([0-9a-f]{10})>\n(.*?)\n</\1-\2>", re.DOTALL)
_MARK = re.compile(r"^What you need .*?<NAME-([0-9a-f]{10})>", re.MULTILINE)
_SET = ("What you need stands below, in blocks.", "Answer with one JSON object and nothing else")
_PARTS = "\n---\n"
"""Between what a family's template says before the blocks and behind them."""


def judge_prompt(item: JudgedItem, aux: str, response: str) -> str:
    """The prompt that asks for a judgement of one response.

    `aux` is a key of `AUXILIARY`; `full` gives all that the item has.

    Raises:
        ValueError: `aux` is unknown, or is `reference` or `rubric` and the item has none.
    """
    blocks = _blocks(item, aux, response)
    mark = _mark(blocks.values())
    task, _, closing = _text(item.family).partition(_PARTS)
    about = _lines("blocks")
    return fill(
        _text("frame"),
        task=task,
        mark=mark,
        listed="\n".join(f"- {name}: {about[name]}" for name in blocks),
        blocks="\n\n".join(
            f"<{name}-{mark}>\n{text}\n</{name}-{mark}>" for name, text in blocks.items()
        ),
        closing=fill(closing, kind=_kind(item.domain), use=_use(blocks)),
    )


def read_blocks(prompt: str) -> dict[str, str]:
    """The texts of a judge's prompt by their blocks' names; empty for any other prompt."""
    marked = _MARK.search(prompt)
    if marked is None:
        return {}
    blocks = _BLOCK.finditer(prompt, marked.end())
    return {found[1]: found[3] for found in blocks if found[2] == marked[1]}


@cache
def set_lines() -> tuple[str, ...]:
    """What stands in the prompts word for word, whatever is judged: how they begin and close."""
    families = get_args(JudgedKind)
    parts = [_text(family).partition(_PARTS) for family in families]
    tasks = [task for task, _, _ in parts]
    forms = [closing.rpartition("\n")[2] for _, _, closing in parts]
    return (*tasks, *forms, *_SET)


def rubric_text(item: JudgedItem) -> str | None:
    """The rubric as it is shown: its text, or its criteria one after the other."""
    if item.rubric is not None or not item.criteria:
        return item.rubric
    return "\n\n".join(f"{part.name}:\n{part.description}" for part in item.criteria)


def answer_schema(item: JudgedItem) -> dict[str, Any]:
    """The JSON schema of the answer, for hosts and providers that can force one."""
    low, high = SCORE_RANGE
    score = {"type": "number", "minimum": low, "maximum": high}
    if item.family == "math":
        return _object({"first_error": {"type": "integer", "minimum": -1}})
    if item.family == "creative_writing":
        return _object({"scores": _object({part.name: score for part in item.criteria})})
    if item.family == "role_playing":
        return _object({"flaws": {"type": "array", "items": _flaw(item.criteria)}})
    return _object({"score": score})


def _blocks(item: JudgedItem, aux: str, response: str) -> dict[str, str]:
    if aux not in AUXILIARY:
        raise ValueError(f"aux={aux!r} is unknown: expected one of {', '.join(AUXILIARY)}")
    told = {"background": item.background, "reference": item.reference, "rubric": rubric_text(item)}
    shown = {name: text for name in AUXILIARY[aux] if (text := told[name]) is not None}
    if aux in told and not shown:
        raise ValueError(f"item {item.id} has no {aux}")
    return {"request": item.query, **shown, "response": response}


def _mark(texts: Iterable[str]) -> str:
    """Ten hex digits that occur in none of the texts, whatever the case; the same each time."""
    folded = [text.casefold() for text in texts]
    marks = (content_hash(attempt, *folded) for attempt in itertools.count())
    return next(mark for mark in marks if not any(mark in text for text in folded))


def _kind(domain: str) -> str:
    kind = _lines("kinds").get(domain.casefold().replace("_", " "))
    return "" if kind is None else f"{kind} "


def _use(blocks: Mapping[str, str]) -> str:
    """The sentence that names the auxiliary blocks, if there are any."""
    named = [name for name in blocks if name not in ("request", "response")]
    if not named:
        return ""
    listed = f"blocks {', '.join(named[:-1])} and {named[-1]}" if named[1:] else f"block {named[0]}"
    return f" You may use the {listed} to judge by."


def _flaw(criteria: tuple[Criterion, ...]) -> dict[str, Any]:
    low, high = SEVERITY_RANGE
    return _object(
        {
            "dimension": {"type": "string", "enum": [part.name for part in criteria]},
            "severity": {"type": "integer", "minimum": low, "maximum": high},
            "quote": {"type": "string"},
        }
    )


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _lines(name: str) -> dict[str, str]:
    """A template of lines `name: text`."""
    lines = (line.partition(": ") for line in _text(name).split("\n"))
    return {key: text for key, _, text in lines}


def _text(name: str) -> str:
    return template(f"complex_eval/{name}.txt")
