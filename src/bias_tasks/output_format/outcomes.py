"""From an answer's text to its outcome in its format, and from outcomes to a run's figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from bias_tasks.family import Answer, Outcome
from bias_tasks.output_format.formats import FORMATS, FormatReading
from bias_tasks.output_format.formats.reading import read
from bias_tasks.output_format.items import payload_text
from bias_tasks.output_format.metrics.outcome import FormatOutcome
from bias_tasks.output_format.metrics.task_scores import task_score
from bias_tasks.output_format.questions import FormatQuestion, question_from_dict
from bias_tasks.statistics.estimate import Estimate

Group = tuple[str, str]
"""Data set and category: formats are compared within one of each."""


def read_format(question: FormatQuestion, text: str) -> FormatReading:
    """Whether the answer `text` follows the format it was asked in, and what it holds.

    An answer that was cut at its token limit is read like any other: where that leaves its
    wrapping open, it does not follow.
    """
    params = question.params
    return read(FORMATS[question.format], text, question.item, params.protocol, params.prompting)


def score_of(question: FormatQuestion, reading: FormatReading) -> float:
    """The task score of what was read, from 0 to 1.

    Corrected: an answer that does not follow scores 0. Published: it scores what was extracted.
    """
    protocol = question.params.protocol
    counted = reading.follows or protocol == "published"
    if not counted or reading.payload is None:
        return 0.0
    return task_score(reading.payload, question.item, protocol)


def outcome_of(facts: Mapping[str, Any], answer: Answer) -> Outcome:
    """What became of a question, from its answer."""
    question = question_from_dict(facts["question"])
    reading = read_format(question, answer.text)
    return Outcome(
        item=facts["item"],
        cluster=facts["cluster"],
        variant=facts["variant"],
        gold=facts["gold"],
        answer=payload_text(reading.payload),
        score=score_of(question, reading),
        why=explained(reading, answer),
        reason=unfollowed(reading, answer),
        epoch=answer.epoch,
        own={
            "follows": reading.follows,
            "category": facts["category"],
            "dataset": facts["dataset"],
        },
    )


def explained(reading: FormatReading, answer: Answer) -> str:
    """Why an answer does not follow, and whether it was cut."""
    cut = " (cut at its token limit)" if answer.stop == "cut" else ""
    return f"{reading.detail or 'follows the format'}{cut}"


def unfollowed(reading: FormatReading, answer: Answer) -> str | None:
    """The host's word for an answer that does not follow its format; None for one that does."""
    if reading.follows:
        return None
    found = "invalid_response_format" if answer.text.strip() else "no_response"
    return answer.reason(found, unread=True)


def metric_rows(outcomes: Sequence[Outcome]) -> dict[Group, list[FormatOutcome]]:
    """By data set and category one row for each item and format: the means over its epochs."""
    same: dict[tuple[str, str, str], list[Outcome]] = {}
    for outcome in outcomes:
        key = outcome.own["dataset"], outcome.item, outcome.variant
        same.setdefault(key, []).append(outcome)
    groups: dict[Group, list[FormatOutcome]] = {}
    for found in same.values():
        own = found[0].own
        groups.setdefault((own["dataset"], own["category"]), []).append(_row(found))
    return groups


def format_card(outcomes: Sequence[Outcome], options: Mapping[str, Any]) -> dict[str, Estimate]:
    """Every figure of a run; no outcomes give none.

    Formats are compared within one category and one data set. Where a run has several categories,
    the figures that compare formats say which: `wrapping/bias_f`. Where it has several data sets,
    the names of their figures begin with them: `gsm8k/fi/bolding`, `gsm8k/wrapping/bias_f`. Where
    the option `figures_of` names the one format asked, nothing is compared.
    """
    # Imported here: it loads numpy and scipy, which listing or building a task doesn't need.
    from bias_tasks.output_format.metrics.card import format_scorecard

    one = options.get("figures_of")
    asked = {name: options[name] for name in ("moe", "alpha", "protocol") if name in options}
    groups = metric_rows(outcomes)
    datasets, categories = ({group[place] for group in groups} for place in (0, 1))
    card: dict[str, Estimate] = {}
    for (dataset, category), rows in groups.items():
        for name, figure in format_scorecard(rows, **asked).items():
            names_formats = "/" in name
            in_category = name if names_formats or len(categories) < 2 else f"{category}/{name}"
            card[in_category if len(datasets) < 2 else f"{dataset}/{in_category}"] = figure
    if one is None:
        return card
    return {name: figure for name, figure in card.items() if name.endswith(f"/{one}")}


def _row(same: Sequence[Outcome]) -> FormatOutcome:
    first = same[0]
    return FormatOutcome(
        item=first.item,
        cluster=first.cluster,
        format=first.variant,
        follows=fmean(outcome.own["follows"] for outcome in same),
        score=fmean(outcome.score or 0.0 for outcome in same),
    )
