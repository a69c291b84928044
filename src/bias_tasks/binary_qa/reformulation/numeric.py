"""Turns "How many ..." questions into yes/no questions (Khrapunova 2025, section 2.1)."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Literal

from bias_tasks.binary_qa.items import BinaryLabel
from bias_tasks.binary_qa.reformulation.checks import refused_form, refused_losses
from bias_tasks.binary_qa.reformulation.how_many import with_amount
from bias_tasks.binary_qa.reformulation.tokens import MAX_LENGTH, normalise, tokens_of

NumberStyle = Literal["threshold", "exact"]

_NUMBER = re.compile(r"(?<![\w.,])\d{1,15}(?:,\d{3}){0,4}(?:\.\d{1,9})?(?![\w]|[.,]\d)")
_ABOVE = re.compile(r"\b(?:over|more than|above|exceed(?:s|ed|ing)?|greater than|longer than)\s*$")
_AT_LEAST = re.compile(r"\b(?:at least|no fewer than|no less than|a minimum of)\s*$")
_BELOW = re.compile(r"\b(?:under|fewer than|less than|below|shorter than)\s*$")
_AT_MOST = re.compile(r"\b(?:at most|no more than|up to|a maximum of)\s*$")
_COMPARED: tuple[tuple[re.Pattern[str], Callable[[float, float], bool]], ...] = (
    (_AT_LEAST, lambda value, bound: value >= bound),
    (_AT_MOST, lambda value, bound: value <= bound),
    (_ABOVE, lambda value, bound: value > bound),
    (_BELOW, lambda value, bound: value < bound),
)
_LARGEST = 1e12


def number_question(
    question: str, value: int | float, style: NumberStyle, answer: BinaryLabel, seed: int
) -> str | None:
    """A "How many ...?" question turned yes/no, so that `answer` is right.

    exact: "Were there 2 TD runs in the game?"; a larger number near by for No. threshold: "Did his
    career span over 14 years?"; the bound is below the value for Yes, above it for No, never equal.

    Args:
        question: asks for a number; a missing question mark is added.
        value: the right number, from 0 to 1e12.
        style: "threshold" or "exact".
        answer: what the right answer shall be.
        seed: draws the number asked about; the same seed gives the same question.

    Returns:
        None where the shape isn't known, or no such number exists (a positive bound below 1).

    Raises:
        ValueError: `value` is out of its range.
    """
    if not 0 <= value <= _LARGEST:
        raise ValueError(f"value must be a number from 0 to {_LARGEST:.0e}, not {value!r}")
    number = _drawn(value, style, answer, Random(f"{seed}/{normalise(question[:MAX_LENGTH])}"))
    if number is None:
        return None
    return with_amount(question, f"over {number}" if style == "threshold" else number)


def check_number_question(
    question: str, value: int | float, style: NumberStyle, answer: BinaryLabel, text: str
) -> str | None:
    """Why `text` is refused as a yes/no form of `question` to which `answer` is right, or None.

    It must be one yes/no question, keep the original's names, numbers and quotations, and ask about
    exactly one new number: the value itself for an exact Yes, another one for an exact No, and a
    bound ("over 14", "at least 3") on the side of the value that `answer` asks for.
    """
    refused = refused_form(question, text)
    refused = refused or refused_losses(tokens_of(normalise(question[:MAX_LENGTH])), text)
    if refused is not None:
        return refused
    new = list(_NUMBER.finditer(text))
    for old in _NUMBER.findall(question[:MAX_LENGTH]):
        kept = next((found for found in new if found.group() == old), None)
        if kept is None:
            return f"it lost {old!r}"
        new.remove(kept)
    if len(new) != 1:
        return f"it asks about {len(new)} new numbers, not one (in digits)"
    number = float(new[0].group().replace(",", ""))
    before = text[max(0, new[0].start() - 30) : new[0].start()].lower()
    holds = next((holds for words, holds in _COMPARED if words.search(before)), None)
    if style == "exact":
        if holds is not None:
            return "it asks about a bound, not an exact number"
        return None if (number == value) == (answer == "Yes") else _wrong(answer)
    if holds is None:
        return "it names no bound (over, under, at least, at most)"
    if number == value:
        return "its bound is the value itself"
    return None if holds(value, number) == (answer == "Yes") else _wrong(answer)


def _wrong(answer: str) -> str:
    return f"its number doesn't make {answer} the right answer"


def _drawn(value: int | float, style: str, answer: str, rng: Random) -> str | None:
    """The number to ask about, written like the value; None where there is none."""
    text = f"{value}"
    decimals = len(text.partition(".")[2]) if isinstance(value, float) else 0
    if "e" in text or (isinstance(value, float) and value.is_integer()):
        text, decimals = f"{value:.0f}", 0
    if style == "exact" and answer == "Yes":
        return text
    unit = 10.0**-decimals
    steps = round(value / unit)
    far = max(2, round(steps * 0.3))
    distance = rng.randint(max(1, round(steps * 0.05)), far)
    # Who scored 3 has scored 2 as well, so a wrong exact number lies above the value.
    below = style == "threshold" and answer == "Yes"
    drawn = max(1, steps - distance) if below else steps + distance
    return None if below and drawn >= steps else f"{drawn * unit:.{decimals}f}"
