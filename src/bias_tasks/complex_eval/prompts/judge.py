"""The judge's prompt, and the JSON schema of its answer (ComplexEval, section 4).

All texts of a data set or a model are in marked blocks. The mark occurs in none of these texts, so
that no response can close its block. The answer has the reasoning first, so that a verdict that is
written token by token follows from the reasoning instead of being defended by it.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Literal

from bias_tasks.complex_eval.items import NONE, JudgedItem, JudgedKind
from bias_tasks.contract.json_data import JsonObject
from bias_tasks.prompts.templates import fill, template
from bias_tasks.randomness import find_unused_mark

Caution = Literal["none", "reference_may_err"]
"""An additional warning: none, or that the reference may contain errors (appendix C)."""
Wording = Literal["plain", "guarded"]
"""Wording of the prompt: `plain`, or with warnings against orders in a response, against its length
and against comparing the wording of a reference."""
AUXILIARY: Mapping[str, tuple[str, ...]] = {
    "none": (),
    "reference": ("reference",),
    "rubric": ("rubric",),
    "no_background": ("reference", "rubric"),
    "full": ("background", "reference", "rubric"),
}
"""Blocks that each auxiliary condition adds, as far as the item has them."""
SCORE_RANGE = (1, 10)
"""Lowest and highest score of a basic response, and of each criterion of creative writing."""
SEVERITY_RANGE = (1, 10)
"""Lowest and highest severity of a flaw."""

_BLOCK = re.compile(r"<([a-z]+)-([0-9a-f]{10})>\n(.*?)\n</\1-\2>", re.DOTALL)
_MARK = re.compile(r"^What you need .*?<NAME-([0-9a-f]{10})>", re.MULTILINE)


def build_judge_prompt(
    item: JudgedItem,
    aux: str,
    response: str,
    caution: Caution = "none",
    wording: Wording = "plain",
) -> str:
    """Return the prompt that requests a judgement of one response.

    Args:
        item: The judged item, with the criteria to judge by.
        aux: A key of `AUXILIARY`; `full` shows all auxiliary information that the item has.
        response: Text of the response.
        caution: The additional warning; it appears only next to a reference.
        wording: The wording of the prompt.

    Raises:
        ValueError: `aux` is `reference` or `rubric`, and the item has none.
    """
    blocks = _select_blocks(item, aux, response)
    mark = find_unused_mark(blocks.values())
    name = f"{wording}/basic" if item.family == "basic" else item.family
    task, _, closing = _load_template(name).partition("\n---\n")  # before and after the blocks
    kind = load_lines("kinds").get(item.domain.casefold().replace("_", " "))
    return fill(
        _load_template(f"{wording}/frame"),
        task=task,
        mark=mark,
        listed="\n".join(
            f"- {name}: {_find_line(f'{wording}/blocks', name, item.family)}" for name in blocks
        ),
        blocks="\n\n".join(
            f"<{name}-{mark}>\n{text}\n</{name}-{mark}>" for name, text in blocks.items()
        ),
        closing=fill(
            closing,
            kind="" if kind is None else f"{kind} ",
            use=_explain_use(blocks, item.family, caution, wording),
            dimensions="each dimension" if item.criteria[1:] else "the one dimension",
        ),
    )


def build_answer_schema(item: JudgedItem) -> JsonObject:
    """Return the JSON schema of the answer: the reasoning, then the verdict of the item's kind."""
    names = [criterion.name for criterion in item.criteria]
    min_score, max_score = SCORE_RANGE
    score = {"type": "number", "minimum": min_score, "maximum": max_score}
    min_severity, max_severity = SEVERITY_RANGE
    flaw = {
        "dimension": {"type": "string", "enum": names},
        "severity": {"type": "integer", "minimum": min_severity, "maximum": max_severity},
        "quote": {"type": "string"},
    }
    verdicts: Mapping[JudgedKind, JsonObject] = {
        "basic": {"score": score},
        "math": {"first_error": {"type": "integer", "minimum": -1}},
        "role_playing": {"flaws": {"type": "array", "items": _object_schema(flaw)}},
        "creative_writing": {"scores": _object_schema(dict.fromkeys(names, score))},
    }
    return _object_schema({"reasoning": {"type": "string"}, **verdicts[item.family]})


def _object_schema(properties: JsonObject) -> JsonObject:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def read_blocks(prompt: str) -> dict[str, str]:
    """Return the texts of a judge's prompt by block; empty for any other prompt."""
    mark = _MARK.search(prompt)
    if mark is None:
        return {}
    blocks = _BLOCK.finditer(prompt, mark.end())
    return {block[1]: block[3] for block in blocks if block[2] == mark[1]}


def format_rubric(item: JudgedItem) -> str | None:
    """Return the rubric as the prompt shows it: its text, or its criteria one after the other."""
    if item.rubric is not None or not item.criteria:
        return item.rubric
    return "\n\n".join(f"{criterion.name}:\n{criterion.description}" for criterion in item.criteria)


def _select_blocks(item: JudgedItem, aux: str, response: str) -> dict[str, str]:
    available = {
        "background": item.background,
        "reference": item.reference,
        "rubric": format_rubric(item),
    }
    selected = {name: text for name in AUXILIARY[aux] if (text := available[name]) is not None}
    if aux in available and not selected:
        raise ValueError(f"item {item.id} has no {aux}")
    if aux == NONE and item.family != "basic" and item.criteria:  # the answer needs their names
        selected = {"rubric": "\n".join(criterion.name for criterion in item.criteria)}
    return {"request": item.query, **selected, "response": response}


def _explain_use(
    blocks: Iterable[str], family: JudgedKind, caution: Caution, wording: Wording
) -> str:
    """Return one sentence on the use of each auxiliary block, and the additional warning."""
    sentences = [_find_line(f"{wording}/use", name, family) for name in blocks]
    if "reference" in blocks and caution != "none":
        sentences.append(load_lines("cautions")[caution])
    return "".join(f" {sentence}" for sentence in sentences if sentence)


def _find_line(name: str, key: str, family: JudgedKind) -> str:
    """Return the line of a key: the line of the kind, else the common line, else nothing."""
    lines = load_lines(name)
    return lines.get(f"{key} {family}", lines.get(key, ""))


@cache
def load_lines(name: str) -> dict[str, str]:
    """Return a template of lines `key: text` as texts by key."""
    lines = (line.partition(": ") for line in _load_template(name).split("\n"))
    return {key: text for key, _, text in lines}


def _load_template(name: str) -> str:
    return template(f"complex_eval/{name}.txt")
