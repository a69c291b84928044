"""What a judge is asked, and the form of its answer (ComplexEval, section 4).

Whatever comes from a data set or a model stands in marked blocks. The mark occurs in none of their
texts, so that no response can close its block. In the answer the reasoning comes first, so that a
verdict written token by token follows from it and is not defended by it.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Literal

from bias_tasks.complex_eval.items import JudgedItem, JudgedKind
from bias_tasks.prompts.templates import fill, template, unused_mark

Caution = Literal["none", "reference_may_err"]
"""What the judge is warned of beside: nothing, or that the reference may err (appendix C)."""
Wording = Literal["plain", "guarded"]
"""Of the prompt: plain, or with warnings against orders in a response, its length and the
reference's wording."""
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


def judge_prompt(
    item: JudgedItem,
    aux: str,
    response: str,
    caution: Caution = "none",
    wording: Wording = "plain",
) -> str:
    """The prompt that asks for a judgement of one response. A ValueError where `aux` is `reference`
    or `rubric` and the item has none.

    Its criteria are the item's; `aux` is a key of `AUXILIARY`, of which `full` gives all that the
    item has. Of the reference is warned only where it is shown."""
    blocks = _blocks(item, aux, response)
    mark = unused_mark(blocks.values())
    text = f"{wording}/basic" if item.family == "basic" else item.family
    task, _, closing = _text(text).partition("\n---\n")  # before the blocks, and behind them
    kind = lines_of("kinds").get(item.domain.casefold().replace("_", " "))
    return fill(
        _text(f"{wording}/frame"),
        task=task,
        mark=mark,
        listed="\n".join(
            f"- {name}: {_line(f'{wording}/blocks', name, item.family)}" for name in blocks
        ),
        blocks="\n\n".join(
            f"<{name}-{mark}>\n{text}\n</{name}-{mark}>" for name, text in blocks.items()
        ),
        closing=fill(
            closing,
            kind="" if kind is None else f"{kind} ",
            use=_use(blocks, item.family, caution, wording),
            dimensions="each dimension" if item.criteria[1:] else "the one dimension",
        ),
    )


def answer_schema(item: JudgedItem) -> dict[str, Any]:
    """The JSON schema of the answer: the reasoning, and then the verdict of the item's family."""
    names = [part.name for part in item.criteria]
    low, high = SCORE_RANGE
    score = {"type": "number", "minimum": low, "maximum": high}
    least, most = SEVERITY_RANGE
    flaw = {
        "dimension": {"type": "string", "enum": names},
        "severity": {"type": "integer", "minimum": least, "maximum": most},
        "quote": {"type": "string"},
    }
    verdicts: Mapping[JudgedKind, dict[str, Any]] = {
        "basic": {"score": score},
        "math": {"first_error": {"type": "integer", "minimum": -1}},
        "role_playing": {"flaws": {"type": "array", "items": _object(flaw)}},
        "creative_writing": {"scores": _object(dict.fromkeys(names, score))},
    }
    return _object({"reasoning": {"type": "string"}, **verdicts[item.family]})


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def read_blocks(prompt: str) -> dict[str, str]:
    """The texts of a judge's prompt by their blocks' names; empty for any other prompt."""
    marked = _MARK.search(prompt)
    if marked is None:
        return {}
    blocks = _BLOCK.finditer(prompt, marked.end())
    return {found[1]: found[3] for found in blocks if found[2] == marked[1]}


def rubric_text(item: JudgedItem) -> str | None:
    """The rubric as it is shown: its text, or its criteria one after the other."""
    if item.rubric is not None or not item.criteria:
        return item.rubric
    return "\n\n".join(f"{part.name}:\n{part.description}" for part in item.criteria)


def _blocks(item: JudgedItem, aux: str, response: str) -> dict[str, str]:
    told = {"background": item.background, "reference": item.reference, "rubric": rubric_text(item)}
    shown = {name: text for name in AUXILIARY[aux] if (text := told[name]) is not None}
    if aux in told and not shown:
        raise ValueError(f"item {item.id} has no {aux}")
    return {"request": item.query, **shown, "response": response}


def _use(blocks: Iterable[str], family: JudgedKind, caution: Caution, wording: Wording) -> str:
    """How to use the auxiliary blocks that are shown, each in a sentence, and what to beware of."""
    said = [_line(f"{wording}/use", name, family) for name in blocks]
    if "reference" in blocks and caution != "none":
        said.append(lines_of("cautions")[caution])
    return "".join(f" {sentence}" for sentence in said if sentence)


def _line(name: str, key: str, family: JudgedKind) -> str:
    """What a template of lines says of a key: the family's own line, or that of all; or nothing."""
    lines = lines_of(name)
    return lines.get(f"{key} {family}", lines.get(key, ""))


@cache
def lines_of(name: str) -> dict[str, str]:
    """A template of lines `name: text`."""
    lines = (line.partition(": ") for line in _text(name).split("\n"))
    return {key: text for key, _, text in lines}


def _text(name: str) -> str:
    return template(f"complex_eval/{name}.txt")
