"""Which output format a prompt asks for, read from its text alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bias_tasks.names import PROTOCOLS
from bias_tasks.output_format.formats import formats_of
from bias_tasks.output_format.formats.reading import OPENING, cot_wrapping
from bias_tasks.output_format.formats.types import Format
from bias_tasks.output_format.items import PROMPTINGS, FormatItem, Prompting


class AskedFormat(NamedTuple):
    """What a prompt asks for."""

    formats: tuple[Format, ...]
    """One, or two that are asked for in the same words and answered alike: behind a chain of
    thought, an option's letter or text alone, and in special characters."""
    prompting: Prompting
    """`zs_cot` where a format that is no wrapping is asked for between tags."""
    times: int
    """How often the instruction stands there."""


class _Instruction(NamedTuple):
    """The last place of a sentence that asks for a format."""

    place: int
    format: Format
    sentence: str
    times: int


def asked_format(prompt: str, start: int, item: FormatItem) -> AskedFormat | None:
    """The format that the last instruction asks for; None where there is none.

    Instructions stand behind the question. Those of multiple choice stand before it, and there
    only say what to do with the question where another one follows.

    Args:
        prompt: the whole prompt.
        start: where the item's input begins in it, blanks before it included.
        item: the item that is asked.
    """
    before = prompt[:start]
    behind = prompt[start:].lstrip()[len(item.input.strip()) :]
    choice = _last(before, item, choices_only=True)
    last = _last(behind, item) or choice
    if last is None:
        return None
    formats: tuple[Format, ...] = (last.format,)
    if choice is not None and _may_close(last, choice, item):
        formats = _told_apart(last, choice, item)
        last = max(last, choice, key=lambda instruction: instruction.times)
    tags = formats[0].category != "wrapping" and OPENING in behind
    return AskedFormat(formats, "zs_cot" if tags else "zs", last.times)


def _last(text: str, item: FormatItem, *, choices_only: bool = False) -> _Instruction | None:
    found = (
        _Instruction(text.rfind(sentence), fmt, sentence, text.count(sentence))
        for fmt in formats_of(item)
        if fmt.category == "mcq" or not choices_only
        for sentence in _sentences(fmt, item)
    )
    there = [instruction for instruction in found if instruction.times]
    return max(there, key=lambda instruction: instruction.place, default=None)


def _sentences(fmt: Format, item: FormatItem) -> Iterator[str]:
    for prompting in PROMPTINGS:
        for protocol in PROTOCOLS:
            yield fmt.instruction(item, protocol=protocol, prompting=prompting)


def _may_close(last: _Instruction, choice: _Instruction, item: FormatItem) -> bool:
    """Whether the last instruction may be the wrapping of the choice behind its reasoning."""
    reasoned = choice.format.instruction(item, prompting="zs_cot")
    return choice.sentence == reasoned and last.sentence == cot_wrapping(choice.format)


def _told_apart(last: _Instruction, choice: _Instruction, item: FormatItem) -> tuple[Format, ...]:
    """The choice, the wrapping, or both where the prompt is the same for either.

    A wrapping's question asks for the choice in the first of the item's formats, and the
    instruction that is meant is the one that is repeated.
    """
    if choice.times > 1 or choice.format != formats_of(item)[0]:
        return (choice.format,)
    return (last.format,) if last.times > 1 else (choice.format, last.format)
