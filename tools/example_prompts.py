"""Writes what is asked: an item of the core set under several variants, as a model sees it.

The first variant's prompt stands in full; of the others there is what the first has not. A family's
page has `<!-- asked NAME -->` where prompts begin and `<!-- end -->` where they end; prompts that
its page does not show go to `docs/reference/FAMILY.md`. Run by `tools/tables.py`.
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
_MARK = re.compile(r"\b[0-9a-f]{10}\b")
_SAME = 1
"""Lines that are alike and stand, so that one sees where the others belong."""
_FEW = 2
"""Lines that stand by themselves where nothing else is changed."""
_TEXT = 300
"""Characters from which a line is an item's text, of which the beginning stands."""
_LONG = 2000
"""Characters from which a first prompt is folded, too."""
_ANSWER = "[the model's answer]"
"""Stands in later rounds where the model sees what it answered."""


@dataclass(frozen=True, slots=True)
class Shown:
    """An item of a task on a page."""

    family: str
    name: str
    """Of the block, where the page has it."""
    task: str
    given: Mapping[str, Any] = field(default_factory=dict)
    variants: tuple[str, ...] = ()
    """Which of the item's variants, the first in full; all where empty."""


SHOWN = (
    Shown("instruction_boundary", "judging", "instruction_boundary", {"form": "judging"}),
    Shown("instruction_boundary", "choice", "instruction_boundary", {"form": "choice"}),
    Shown(
        "binary_qa",
        "variants",
        "binaryqa",
        {"data": "core", "domains": "reading"},
        ("original",),
    ),
    Shown("output_format", "mcq", "format_mcq"),
    Shown("output_format", "wrapping", "format_wrapping"),
    Shown("output_format", "list", "format_list"),
    Shown("output_format", "mapping", "format_mapping"),
    Shown(
        "complex_eval",
        "basic",
        "complexeval_basic",
        variants=("none/chosen", "reference/rejected", "reference/rejected~reference"),
    ),
    Shown("complex_eval", "math", "complexeval_math", variants=("full/original", "full/format")),
    Shown(
        "complex_eval",
        "writing",
        "complexeval_writing",
        variants=("full/original", "full/criteria_loophole"),
    ),
    Shown(
        "judge_bias",
        "pairwise",
        "judge_pairwise",
        variants=("baseline", "position", "authority"),
    ),
    Shown("judge_bias", "single", "judge_single", variants=("baseline/wrong",)),
)


def with_asked(family: str, text: str) -> str:
    """A family's page with the prompts that it shows made anew."""
    for shown in SHOWN:
        if shown.family == family and _mark(shown) in text:
            marks = re.compile(rf"{_mark(shown)}\n.*?<!-- end -->", re.DOTALL)
            made = f"{_mark(shown)}\n{blocks(shown)}\n<!-- end -->"
            text = marks.sub(lambda _, made=made: made, text)
    return text


def reference(family: str, page: str) -> str:
    """The prompts that a family's page does not show, a section a task."""
    kept = [each for each in SHOWN if each.family == family and _mark(each) not in page]
    return "\n".join(
        f"## `{each.task}`{', ' + each.name if each.given else ''}\n\n{blocks(each)}\n"
        for each in kept
    )


def _mark(shown: Shown) -> str:
    return f"<!-- asked {shown.name} -->"


def blocks(shown: Shown) -> str:
    """The item's variants, one below the other; each folds."""
    family = load_family(shown.family)
    questions = list(_questions(family, shown))
    first = prompt(family, questions[0])
    return "\n\n".join(
        _block(
            each,
            prompt(family, each),
            None if each is questions[0] else (questions[0].variant, first),
        )
        for each in questions
    )


def _questions(family: Family, shown: Shown) -> Iterator[Question]:
    """The first item's questions, in the order of the task or in that given."""
    spec = family.tasks[shown.task]
    taken = {parameter.name for parameter in spec.parameters}
    data = {name: "synthetic" for name in taken if name == "data"}
    plan = family.plan(shown.task, spec.values({**data, "n": len(data) or 1, **shown.given}))
    item = plan.questions[0].item
    of_item = {each.variant: each for each in plan.questions if each.item == item}
    yield from (of_item[name] for name in shown.variants or of_item)


def prompt(family: Family, question: Question) -> str:
    """What the evaluated model is sent: of several rounds, one below the other."""
    sent = [each.prompt for each in family.requests(question, _ANSWER) if each.role is None]
    if len(sent) == 1:
        return sent[0]
    return "\n\n".join(f"[round {n}]\n{text}" for n, text in enumerate(sent, start=1))


def _block(question: Question, text: str, base: tuple[str, str] | None) -> str:
    """A prompt that folds, all of it or what it has that the base has not."""
    right = f": right is {question.gold}" if question.gold else ""
    if base is not None and text == base[1]:
        return f"`{question.variant}`{right}. The same prompt again."
    body = _shortened(text if base is None else beside(text, *base))
    fence = "`" * max(3, *(len(found) + 1 for found in _FENCE.findall(body)), 3)
    head = f"<summary><code>{question.variant}</code>{right}</summary>"
    opened = " open" if base is None and len(text) < _LONG else ""
    return f'<details markdown="1"{opened}>\n{head}\n\n{fence}text\n{body}\n{fence}\n\n</details>'


def _shortened(text: str) -> str:
    lines = (
        line if len(line) <= _TEXT else f"{line[: _TEXT // 4]} [...]" for line in text.splitlines()
    )
    return "\n".join(lines)


def beside(text: str, name: str, base: str) -> str:
    """The lines of a text, with a word for each longer stretch that the base has as well."""
    lines, kept = text.splitlines(), list[str]()
    matcher = SequenceMatcher(None, _unmarked(base), _unmarked(text), autojunk=False)
    changes = matcher.get_opcodes()
    changed = [lines[start:end] for kind, _, _, start, end in changes if kind != "equal"]
    if len(changed) == 1 and 0 < len(changed[0]) <= _FEW:
        return "\n".join([f"[as in {name}, but for]", *changed[0]])
    for kind, _, _, start, end in changes:
        kept += _short(lines[start:end], name) if kind == "equal" else lines[start:end]
    return "\n".join(kept)


def _unmarked(text: str) -> list[str]:
    """The lines without the marks around blocks, which no two prompts share."""
    return _MARK.sub("MARK", text).splitlines()


def _short(lines: Sequence[str], name: str) -> list[str]:
    if len(lines) <= 2 * _SAME + 1:
        return list(lines)
    between = len(lines) - 2 * _SAME
    return [*lines[:_SAME], f"[... {between} lines as in {name} ...]", *lines[-_SAME:]]
