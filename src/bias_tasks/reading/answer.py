"""`read_answer`: what an answer says, whatever form was asked for."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, get_args

from bias_tasks.reading.patterns import patterns
from bias_tasks.reading.reasoning import Spoken
from bias_tasks.reading.types import ASKED_FOR, INVALID_FORMAT, Reading, not_read

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
    # Imported here: patterns are compiled, which listing or building a task doesn't need.
    from bias_tasks.reading.choice import Choice
    from bias_tasks.reading.engine import read
    from bias_tasks.reading.flaws import FirstError, flaws_in
    from bias_tasks.reading.labels import VERDICT, YES_NO, Judging
    from bias_tasks.reading.scores import Score, criteria_in

    count, texts = (options, ()) if isinstance(options, int) else (len(options), options)
    if form not in get_args(AnswerForm):
        raise ValueError(f"form={form!r}: expected one of {', '.join(get_args(AnswerForm))}")
    if form == "choice" and count < 1:
        raise ValueError("form='choice' needs options: how many there are, or their texts")
    if labels not in ("numbers", "letters"):
        raise ValueError(f"labels={labels!r}: expected numbers or letters")
    if scale[0] >= scale[1]:
        raise ValueError(f"scale={scale!r}: expected the least and the highest score")
    if form in ("criteria", "flaws") and not criteria:
        raise ValueError(f"form={form!r} needs criteria: their names")
    spoken = Spoken.of(text)
    said = spoken.text
    if spoken.unfinished and not said.strip():
        return not_read("its reasoning never ends")
    match form:
        case "criteria":
            reading = _fields(said, criteria_in(said, criteria, scale))
        case "flaws":
            reading = _fields(said, flaws_in(said, criteria, scale))
        case "choice":
            found = read(said, Choice(count, labels == "letters", first, texts), prompt)
            reading = _chosen(found, count)
        case "judging":
            reading = read(said, Judging(offered), prompt)
            if not reading.unread and reading.value not in (*offered, "Unknown"):
                reading = replace(reading, label=None, why=NOT_OFFERED, reason=INVALID_FORMAT)
        case "score":
            reading = read(said, Score(*scale), prompt)
            if not reading.unread:
                reading = replace(reading, label=f"{reading.value:g}")
        case "first_error":
            reading = read(said, FirstError(steps), prompt)
        case _:
            reading = read(said, YES_NO if form == "yes_no" else VERDICT, prompt)
    if cut and not reading.unread and not _begins(said, reading, form):
        return not_read(CUT)
    return reading if reading.span is None else replace(reading, span=spoken.span(*reading.span))


def _fields(text: str, found: Any) -> Reading:
    """The reading of an answer that is an object with fields; `found` says why where it is none."""
    if not text.strip():
        return not_read("an empty answer", "no_response")
    if isinstance(found, str):
        return not_read(found)
    scores = isinstance(found, dict)
    said = ", ".join(f"{v:g}" for v in found.values()) if scores else f"{len(found)} flaws"
    return Reading(said, found, why=ASKED_FOR[1], span=(0, len(text)))


def _chosen(reading: Reading, count: int) -> Reading:
    """The reading of a choice; unread where an option was not offered."""
    if reading.unread:
        return reading
    inside = tuple(place for place in reading.value if 0 <= place < count)
    if len(inside) < len(reading.value):
        return Reading(None, reading.value, inside, NOT_OFFERED, reading.span, INVALID_FORMAT)
    label = "none" if not inside else "single" if len(inside) == 1 else "multiple"
    return replace(reading, label=label, options=inside)


def _begins(text: str, reading: Reading, form: AnswerForm) -> bool:
    """Whether a text that was cut begins with its answer, or went on to another question."""
    if reading.span is None:
        return False
    behind = text[reading.span[1] :]
    longer = form in ("choice", "score", "first_error")  # "2" may begin "2, 3", "2.5" or "21"
    whole = not longer or re.search(r"[\w}\]<]", behind) is not None
    first = patterns.stands_before.fullmatch(text[: reading.span[0]]) is not None
    return whole and (first or patterns.another_turn.search(behind) is not None)
