"""From an answer's text to its outcome in its format: one path for both hosts."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from bias_tasks.design.output_format import FormatQuestion
from bias_tasks.formats import FORMATS, FormatReading
from bias_tasks.formats.reading import read
from bias_tasks.items import Protocol
from bias_tasks.items.output_format import Payload
from bias_tasks.metrics.output_format import Estimate, FormatOutcome, task_score

ASKED_FORMAT = "asked_format"
"""Name in the metadata of another task's sample under which our solvers say what they asked."""
FOLLOWS, SCORE = "follows", "score"
"""Names of the numbers of an outcome, whose means over epochs are the outcome's shares."""


def read_format(question: FormatQuestion, text: str) -> FormatReading:
    """Whether the answer `text` follows the format it was asked in, and what it holds.

    An answer that was cut at its token limit is read like any other: where that leaves its
    wrapping open, it does not follow.
    """
    params = question.params
    return read(FORMATS[question.format], text, question.item, params.protocol, params.prompting)


def format_shares(question: FormatQuestion, reading: FormatReading) -> dict[str, float]:
    """Whether the answer follows its format, and its task score.

    Corrected: an answer that does not follow scores 0. Published: it scores what was extracted.
    """
    protocol = question.params.protocol
    counted = reading.follows or protocol == "published"
    score = 0.0
    if counted and reading.payload is not None:
        score = task_score(reading.payload, question.item, protocol)
    return {FOLLOWS: float(reading.follows), SCORE: score}


def format_outcome(facts: Mapping[str, Any], shares: Mapping[str, float]) -> FormatOutcome:
    """The outcome of a question.

    Args:
        facts: what `FormatQuestion.facts` says of it.
        shares: what `format_shares` says of its answer, or means of that over epochs.
    """
    return FormatOutcome(
        item=facts["item"],
        cluster=facts["cluster"],
        format=facts["format"],
        follows=shares[FOLLOWS],
        score=shares[SCORE],
    )


def format_card(
    answers: Sequence[tuple[Mapping[str, Any], Mapping[str, float]]],
    *,
    moe: float = 0.05,
    alpha: float = 0.05,
    protocol: Protocol = "corrected",
) -> dict[str, Estimate]:
    """Every figure of a run, and `items`, how many items were asked; no answers give none.

    Formats are compared within one category and one data set. Where a run has several categories,
    the figures that compare formats say which: `wrapping/bias_f`. Where it has several data sets,
    the names of their figures begin with them: `gsm8k/fi/bolding`, `gsm8k/wrapping/bias_f`.

    Args:
        answers: facts and shares of each question, as `format_outcome` takes them.
        moe, alpha, protocol: as `format_scorecard` takes them.
    """
    # Imported here: it loads numpy and scipy, which listing or building a task doesn't need.
    from bias_tasks.metrics.output_format import format_scorecard

    groups: dict[tuple[str, str], list[FormatOutcome]] = {}
    for facts, shares in answers:
        group = facts["dataset"], facts["category"]
        groups.setdefault(group, []).append(format_outcome(facts, shares))
    datasets, categories = ({group[place] for group in groups} for place in (0, 1))
    card: dict[str, Estimate] = {}
    for (dataset, category), outcomes in groups.items():
        figures = format_scorecard(outcomes, moe=moe, alpha=alpha, protocol=protocol)
        for name, figure in figures.items():
            names_formats = "/" in name
            in_category = name if names_formats or len(categories) < 2 else f"{category}/{name}"
            card[in_category if len(datasets) < 2 else f"{dataset}/{in_category}"] = figure
    items = len({facts["item"] for facts, _ in answers})
    if not items:
        return {}
    return card | {"items": Estimate(float(items), math.nan, math.nan, items)}


def payload_text(payload: Payload | None) -> str | None:
    """What an answer holds as one text: lists with commas between, mappings as JSON."""
    if payload is None or isinstance(payload, str):
        return payload
    if isinstance(payload, Mapping):
        return json.dumps(payload, ensure_ascii=False)
    return ", ".join(map(str, payload))
