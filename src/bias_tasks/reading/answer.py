"""`read_answer`: what an answer says, for every form that the tasks ask for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from bias_tasks.reading.bounds import plain_spelling
from bias_tasks.reading.choice import Choice
from bias_tasks.reading.engine import read
from bias_tasks.reading.flaws import FirstError, flaws_in
from bias_tasks.reading.labels import VERDICT, YES_NO, Judging
from bias_tasks.reading.reasoning import Spoken
from bias_tasks.reading.scores import Score, criteria_in

AnswerForm = Literal[
    "choice", "judging", "yes_no", "score", "criteria", "verdict", "flaws", "first_error"
]


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """One answer, read."""

    label: str | None
    value: Any = None
    options: tuple[int, ...] = ()
    why: str = ""
    span: tuple[int, int] | None = None
    reason: str | None = None


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
) -> ReadAnswer:
    spoken = Spoken.of(text)
    if spoken.unfinished and not spoken.text.strip():
        return ReadAnswer(None, why="its reasoning never ends", reason="invalid_response_format")
    said = spoken.text
    asked = plain_spelling(prompt) if prompt else ""
    if form == "criteria":
        scores = criteria_in(said, criteria, scale)
        if isinstance(scores, str):
            return ReadAnswer(None, why=scores, reason="invalid_response_format")
        return ReadAnswer("scores", value=dict(scores), why="fields")
    if form == "flaws":
        flaws = flaws_in(said, criteria, scale)
        if isinstance(flaws, str):
            return ReadAnswer(None, why=flaws, reason="invalid_response_format")
        return ReadAnswer("flaws", value=flaws, why=f"flaws: {len(flaws)}")
    count = options if isinstance(options, int) else len(options)
    texts = () if isinstance(options, int) else tuple(options)
    made: Any
    if form == "choice":
        made = Choice(count, labels == "letters", first, texts)
    elif form == "judging":
        made = Judging(offered)
    elif form == "yes_no":
        made = YES_NO
    elif form == "score":
        made = Score(*scale)
    elif form == "first_error":
        made = FirstError(steps)
    else:
        made = VERDICT
    found = read(said, made, asked)
    span = None if found.span is None else spoken.span(*found.span)
    if found.value is None:
        return ReadAnswer(None, why=found.why, reason=found.reason)
    value = found.value.said
    if form == "choice":
        if any(not 0 <= place < count for place in value):
            return ReadAnswer(
                None,
                value,
                (),
                "an option is named that was not offered",
                span,
                "invalid_response_format",
            )
        label = "none" if not value else "single" if len(value) == 1 else "multiple"
        return ReadAnswer(label, tuple(value), tuple(value), found.why, span)
    if form == "first_error":
        return ReadAnswer(str(value), value, (), found.why, span)
    if form == "score":
        return ReadAnswer(f"{value:g}", value, (), found.why, span)
    if form == "judging" and value not in (*offered, "Unknown"):
        return ReadAnswer(
            None,
            value,
            (),
            "an option is named that was not offered",
            span,
            "invalid_response_format",
        )
    return ReadAnswer(value, value, (), found.why, span)
