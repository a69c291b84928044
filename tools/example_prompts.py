"""Writes example prompts: an item of the core set under several variants, as a model sees it.

The prompt of the first variant is printed in full; of each other variant, only the lines that the
first does not have. On a family's page, the prompts are between `<!-- prompts NAME -->` and
`<!-- end -->`. Examples that the page does not have go to `docs/reference/FAMILY.md`. Run by
`tools/tables.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

from bias_tasks.contract.family import Family
from bias_tasks.contract.questions import Question
from bias_tasks.families import load_family

_FENCE = re.compile(r"`{3,}")
_BLOCK = re.compile(r"(<([\w ]+-[0-9a-f]{10})>\n)(.*?)(\n</\2>)", re.DOTALL)
_BLOCK_MARK = re.compile(r"\b[0-9a-f]{10}\b")
_CONTEXT_LINES = 1
"""Unchanged lines that are printed around a change, to show where it belongs."""
_MAX_CONTEXT_LINE = 80
"""Characters of an unchanged line above which only its beginning is printed."""
_MAX_SINGLE_CHANGE = 2
"""Lines of a change that is printed without context if it is the only one."""
_MAX_LINE = 200
"""Characters of a line above which only its beginning is printed."""
_MAX_BLOCK = 1
"""Lines of a marked block, such as a response, above which only its beginning is printed."""
_MAX_OPEN = 2000
"""Characters of a first prompt above which it is folded, too."""
_ANSWER = "[the model's answer]"
"""Stands for the model's answer in the prompts of later rounds."""


@dataclass(frozen=True, slots=True)
class Example:
    """A task whose first item is printed."""

    family: str
    name: str
    """Name of the block on the family's page."""
    task: str
    params: Mapping[str, Any] = field(default_factory=dict)
    """Parameters of the task that are not the defaults."""
    variants: tuple[str, ...] = ()
    """Printed variants of the item, the first in full; all variants if empty."""


EXAMPLES = (
    Example(
        "instruction_boundary",
        "conformity",
        "conformity",
        {"form": "choice", "suggest": "wrong"},
        ("vanilla", "conformity"),
    ),
    Example("instruction_boundary", "judging", "instruction_boundary", {"form": "judging"}),
    Example("instruction_boundary", "choice", "instruction_boundary", {"form": "choice"}),
    Example(
        "binary_qa",
        "variants",
        "binaryqa",
        {"data": "core", "domains": "reading"},
        ("original",),
    ),
    Example("output_format", "mcq", "format_mcq"),
    Example(
        "output_format",
        "wrapping",
        "format_wrapping",
        variants=("special_character", "bolding"),
    ),
    Example("output_format", "list", "format_list"),
    Example("output_format", "mapping", "format_mapping"),
    Example(
        "complex_eval",
        "basic",
        "complexeval_basic",
        variants=("reference/rejected~reference",),
    ),
    Example("complex_eval", "math", "complexeval_math", variants=("full/original", "full/format")),
    Example(
        "complex_eval",
        "writing",
        "complexeval_writing",
        variants=("full/original", "full/criteria_loophole"),
    ),
    Example(
        "judge_bias",
        "pairwise",
        "judge_pairwise",
        variants=("baseline", "authority"),
    ),
    Example("judge_bias", "single", "judge_single", variants=("baseline/wrong",)),
)


def with_prompts(family: str, text: str) -> str:
    """Return a family's page with its blocks of prompts written anew."""
    for example in EXAMPLES:
        if example.family == family and _mark(example) in text:
            block = re.compile(rf"{_mark(example)}\n.*?<!-- end -->", re.DOTALL)
            new_block = f"{_mark(example)}\n{build_block(example)}\n<!-- end -->"
            text = block.sub(lambda _, new_block=new_block: new_block, text)
    return text


def build_reference(family: str, page: str) -> str:
    """Return the examples that are not on a family's page, one section per task."""
    missing = [
        example for example in EXAMPLES if example.family == family and _mark(example) not in page
    ]
    return "\n".join(
        f"## `{example.task}`{', ' + example.name if example.params else ''}\n\n"
        f"{build_block(example)}\n"
        for example in missing
    )


def _mark(example: Example) -> str:
    return f"<!-- prompts {example.name} -->"


def build_block(example: Example) -> str:
    """Return the prompts of an item's variants as foldable parts, one below the other."""
    family = load_family(example.family)
    first, *others = _select_questions(family, example)
    baseline = (first.variant, render_prompt(family, first))
    parts = [_fold(first, baseline[1], None, first.gold)]
    for question in others:
        gold = question.gold if question.gold != first.gold else None
        parts.append(_fold(question, render_prompt(family, question), baseline, gold))
    return "\n\n".join(parts)


def _select_questions(family: Family, example: Example) -> Iterator[Question]:
    """Yield the first item's questions in the task's order, or in that of `variants`."""
    spec = family.tasks[example.task]
    parameters = {parameter.name for parameter in spec.parameters}
    data = {name: "synthetic" for name in parameters if name == "data"}
    plan = family.plan(example.task, spec.values({**data, "n": len(data) or 1, **example.params}))
    item = plan.questions[0].item
    by_variant = {
        question.variant: question for question in plan.questions if question.item == item
    }
    yield from (by_variant[name] for name in example.variants or by_variant)


def render_prompt(family: Family, question: Question) -> str:
    """Return the prompt of the evaluated model; several rounds are one below the other."""
    requests = family.requests(question, _ANSWER)
    prompts = [request.prompt for request in requests if request.role is None]
    if len(prompts) == 1:
        return prompts[0]
    return "\n\n".join(f"[round {n}]\n{text}" for n, text in enumerate(prompts, start=1))


def _fold(question: Question, text: str, first: tuple[str, str] | None, gold: str | None) -> str:
    """Return a prompt as a foldable part; one with few changed lines is not folded.

    Args:
        question: The question.
        text: Its prompt.
        first: Variant and prompt of the first question, of which only differences are printed; None
            for the first question itself.
        gold: The printed correct answer, if any.
    """
    name = f"`{question.variant}`" + (f" (gold: {gold})" if gold else "")
    if first is not None and text == first[1]:
        return f"{name}: the same prompt again."
    lines = text if first is None else select_new_lines(text, *first)
    body = _BLOCK.sub(_shorten_block, _shorten_lines(lines))
    fence = "`" * max(3, *(len(ticks) + 1 for ticks in _FENCE.findall(body)), 3)
    if first is not None and body.startswith(_single_change_note(first[0])):
        changed = body.removeprefix(_single_change_note(first[0]) + "\n")
        if "\n" in changed or "`" in changed:
            changed = f"\n\n{fence}text\n{changed}\n{fence}"
        else:
            changed = f" `{changed}`"
        return f"Only under {name}:{changed}"
    summary = f"<summary>{_html_code(name)}</summary>"
    is_open = " open" if first is None and len(text) < _MAX_OPEN else ""
    code = f"{fence}text\n{body}\n{fence}"
    return f'<details markdown="1"{is_open}>\n{summary}\n\n{code}\n\n</details>'


def _html_code(text: str) -> str:
    """Return a text with its code in HTML, since Markdown is not rendered in a summary."""
    return re.sub(r"`([^`]*)`", r"<code>\1</code>", text)


def _single_change_note(first: str) -> str:
    return f"[as in {first}, but for]"


def _shorten_lines(text: str) -> str:
    lines = (
        line if len(line) <= _MAX_LINE else f"{line[: _MAX_LINE // 4]} [...]"
        for line in text.splitlines()
    )
    return "\n".join(lines)


def _shorten_block(block: re.Match[str]) -> str:
    """Return a marked block, all but its first lines replaced by a note."""
    begin, _, text, end = block.groups()
    lines = text.splitlines()
    if len(lines) <= _MAX_BLOCK + 1:
        return block[0]
    note = f"[... {len(lines) - _MAX_BLOCK} more lines ...]"
    return begin + "\n".join([*lines[:_MAX_BLOCK], note]) + end


def select_new_lines(text: str, name: str, first: str) -> str:
    """Return the lines of a prompt that the first prompt does not have.

    Args:
        text: The prompt.
        name: Variant of the first prompt, which a note in place of longer unchanged parts names.
        first: The first prompt.
    """
    lines, printed = text.splitlines(), list[str]()
    matcher = SequenceMatcher(None, _without_marks(first), _without_marks(text), autojunk=False)
    changes = matcher.get_opcodes()
    changed = [lines[start:end] for kind, _, _, start, end in changes if kind != "equal"]
    if len(changed) == 1 and 0 < len(changed[0]) <= _MAX_SINGLE_CHANGE:
        return "\n".join([_single_change_note(name), *changed[0]])
    for kind, _, _, start, end in changes:
        part = lines[start:end]
        printed += _abridge(part, name) if kind == "equal" else part
    return "\n".join(printed)


def _without_marks(text: str) -> list[str]:
    """Return the lines without the random marks around blocks, which differ between prompts."""
    return _BLOCK_MARK.sub("MARK", text).splitlines()


def _abridge(lines: Sequence[str], name: str) -> list[str]:
    """Return unchanged lines, all but the first and last ones replaced by a note."""
    context = [
        line if len(line) <= _MAX_CONTEXT_LINE else f"{line[: _MAX_CONTEXT_LINE - 6]} [...]"
        for line in lines
    ]
    if len(lines) <= 2 * _CONTEXT_LINES + 1:
        return context
    n_omitted = len(lines) - 2 * _CONTEXT_LINES
    note = f"[... {n_omitted} lines as in {name} ...]"
    return [*context[:_CONTEXT_LINES], note, *context[-_CONTEXT_LINES:]]
