"""`read_answer`: what an answer says, whatever form was asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, get_args

from bias_tasks.reading.choice import Choice
from bias_tasks.reading.engine import Found, read
from bias_tasks.reading.flaws import FirstError, flaws_in
from bias_tasks.reading.labels import VERDICT, YES_NO, Judging
from bias_tasks.reading.reasoning import Spoken
from bias_tasks.reading.scores import Score, criteria_in
from bias_tasks.reading.types import INVALID_FORMAT, Reading, not_read

AnswerForm = Literal[
    "choice", "judging", "yes_no", "score", "criteria", "verdict", "flaws", "first_error"
]
NOT_OFFERED = "an option is named that was not offered"
CUT = "cut at its token limit before a final answer"


def read_answer(
    text: str,
    *,
    form: AnswerForm,
    options: int | Sequence[str] = (),
    labels: Literal["numbers", "letters"] = "numbers",
    first: int = 1,
    offered: Sequence[str] = ("True", "False", "Unknown"),
    scale: tuple[float, float] = (1, 10),
    criteria: Sequence[str] = (),
    steps: int = 0,
    prompt: str = "",
    cut: bool = False,
) -> Reading:
    """What an answer says, or why that can't be read.

    Rules decide, the same ones for every form (`bias_tasks.reading.engine`): few, chosen on
    recorded answers of real models, and rather unread than wrong.

    Args:
        text: the answer, any string; reasoning in a chat template's marks is passed over.
        form: `choice` (options by number, letter or text; several or none of them too), `judging`
            (True, False, Unknown), `yes_no`, `score`, `criteria` (a score each), `verdict` (A, B
            or a tie), `flaws` (a list of dimension, severity and quote) or `first_error`.
        options: choice: how many options were offered, or their texts.
        labels: choice: whether options carry numbers or letters.
        first: choice: the number of the first option.
        offered: judging: the labels that were offered, under the numbers 1, 2, ...
        scale: score, criteria, flaws: the least and the highest score or severity.
        criteria: criteria, flaws: their names, or those of the dimensions.
        steps: first_error: how many steps there are, counted from 0; -1 says that all are right.
        prompt: what was asked, if known: what an answer repeats of it is nobody's answer.
        cut: whether the answer ended at a token limit. It may have gone on to another answer, so
            that only one at its very beginning is read.

    Returns:
        The reading. The label of a choice is `single`, `multiple` or `none`, and `options` count
        from 0; that of a score is the number; None where nothing can be read, and `why` says so.

    Raises:
        ValueError: there is no such form, or what the form needs is not given.
    """
    spoken = Spoken.of(text)
    if spoken.unfinished and not spoken.text.strip():
        return not_read("its reasoning never ends")
    if form in ("criteria", "flaws"):
        reading = _fields(spoken.text, form, criteria, scale)
    else:
        count = options if isinstance(options, int) else len(options)
        texts = () if isinstance(options, int) else tuple(options)
        if form == "choice" and count < 1:
            raise ValueError("form='choice' needs options: how many there are, or their texts")
        made: Any
        match form:
            case "choice":
                made = Choice(count, labels == "letters", first, texts)
            case "judging":
                made = Judging(offered)
            case "yes_no":
                made = YES_NO
            case "score":
                made = Score(*scale)
            case "verdict":
                made = VERDICT
            case "first_error":
                made = FirstError(steps)
            case _:
                raise ValueError(
                    f"form={form!r}: expected one of {', '.join(get_args(AnswerForm))}"
                )
        reading = _reading(read(spoken.text, made, prompt), form, count, tuple(offered))
    if cut and not reading.unread and not _begins(spoken.text, reading, form):
        return not_read(CUT)
    return reading if reading.span is None else replace(reading, span=spoken.span(*reading.span))


def _fields(text: str, form: str, names: Sequence[str], scale: tuple[float, float]) -> Reading:
    """The reading of an answer that is an object with fields."""
    if not text.strip():
        return not_read("an empty answer", "no_response")
    if not names:
        raise ValueError(f"form={form!r} needs criteria: their names")
    found: Any = (criteria_in if form == "criteria" else flaws_in)(text, names, scale)
    if isinstance(found, str):
        return not_read(found)
    said = f"{len(found)} flaws" if form == "flaws" else ", ".join(f"{v:g}" for v in found.values())
    return Reading(said, found, why="the fields asked for", span=(0, len(text)))


def _reading(found: Found, form: str, count: int, offered: tuple[str, ...]) -> Reading:
    if found.value is None:
        return Reading(None, why=found.why, reason=found.reason)
    said: Any = found.value.said
    if form == "choice":
        inside = tuple(place for place in said if 0 <= place < count)
        if len(inside) < len(said):
            return Reading(None, said, inside, NOT_OFFERED, found.span, INVALID_FORMAT)
        label = "none" if not said else "single" if len(said) == 1 else "multiple"
        return Reading(label, said, said, found.why, found.span)
    if form == "judging" and said not in (*offered, "Unknown"):
        return Reading(None, said, (), NOT_OFFERED, found.span, INVALID_FORMAT)
    label = f"{said:g}" if isinstance(said, float) else str(said)
    return Reading(label, said, (), found.why, found.span)


_LABEL = re.compile(
    r"\W*(?:json\W*)?(?:[^\n.!?]{0,40}\b(?:answer|conclusion|verdict)\b\W*\n\W*)?[^\n.!?]{0,200}",
    re.IGNORECASE,
)
"""What may stand before an answer that a text begins with: a heading, words of its sentence."""
_GOES_ON = re.compile(r"\n[ >#]{0,4}(?:question|q|user|human)(?: ?\d{1,3})? ?:", re.IGNORECASE)


def _begins(text: str, reading: Reading, form: AnswerForm) -> bool:
    """Whether a text that was cut begins with its answer, or went on to another question."""
    if reading.span is None:
        return False
    behind = text[reading.span[1] :]
    longer = form in ("choice", "score", "first_error")  # "2" may begin "2, 3", "2.5" or "21"
    whole = not longer or re.search(r"[\w}\]<]", behind) is not None
    first = _LABEL.fullmatch(text[: reading.span[0]]) is not None
    return whole and (first or _GOES_ON.search(behind) is not None)
