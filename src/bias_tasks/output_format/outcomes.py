"""From an answer's text to its outcome in its format, and from outcomes to a run's figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bias_tasks.family import Answer, Outcome
from bias_tasks.output_format.formats import FORMATS, FormatReading
from bias_tasks.output_format.formats.reading import read
from bias_tasks.output_format.items import payload_text
from bias_tasks.output_format.metrics.task_scores import task_score
from bias_tasks.output_format.questions import FormatQuestion, question_from_dict
from bias_tasks.statistics.estimate import Estimate

if TYPE_CHECKING:
    from bias_tasks.output_format.metrics.rows import FormatRows
    from bias_tasks.statistics.outcomes import OutcomeColumns

Group = tuple[str, str, str]
"""Data set, prompting and category: formats are compared within one of each."""
AVERAGE = "average"
"""Stands in a figure's name for all data sets, or all promptings."""


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
            "format": question.format,
            "prompting": question.params.prompting,
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


def metric_rows(columns: OutcomeColumns) -> dict[Group, FormatRows]:
    """By data set, prompting and category one row for each item and format: means over epochs."""
    # Imported here: numpy and scipy, which listing or building a task doesn't need.
    import numpy as np

    from bias_tasks.output_format.metrics.rows import FormatRows
    from bias_tasks.statistics.outcomes import grouped, positions

    item, cluster, own = (columns.coded(name) for name in ("item", "cluster", "own"))
    kinds = list(own.values)
    answered, answers = positions((o["dataset"], o["prompting"], o["format"]) for o in kinds)
    part, parts = positions((o["dataset"], o["prompting"], o["category"]) for o in kinds)
    name, formats = positions(o["format"] for o in kinds)
    same = grouped(item.codes.astype(np.int64) * len(answers) + answered[own.codes])
    first = own.codes[same.first]
    follows = np.array([float(o["follows"]) for o in kinds])
    rows = FormatRows(
        item.codes[same.first],
        cluster.codes[same.first],
        name[first],
        same.means(follows[own.codes]),
        same.means(columns.numbers("score")[0]),
        item.values,
        cluster.values,
        formats,
    )
    groups = grouped(part[first])
    return {
        parts[part[first[row]]]: rows.take(np.flatnonzero(groups.group == number))
        for number, row in enumerate(groups.first)
    }


def format_card(columns: OutcomeColumns, options: Mapping[str, Any]) -> dict[str, Estimate]:
    """Every figure of a run; no outcomes give none.

    Formats are compared within one category, one data set and one prompting. Where a run has
    several categories, the figures that compare formats say which: `wrapping/bias_f`. Where it has
    several data sets or promptings, the names of their figures begin with them: `gsm8k/fi/bolding`,
    `gsm8k/zs_cot/wrapping/bias_f`; `average` in place of one is over all of them, as in the paper's
    distilled tables, and `mean_bias_f` is over all groups. Where the option `figures_of` names
    the one format asked, nothing is compared.
    """
    # Imported here: it loads numpy and scipy, which listing or building a task doesn't need.
    from bias_tasks.output_format.metrics.average import averages_of
    from bias_tasks.output_format.metrics.card import figures_of
    from bias_tasks.output_format.metrics.mean_bias import mean_over_groups

    one = options.get("figures_of")
    asked = {name: options[name] for name in ("moe", "alpha", "protocol") if name in options}
    groups = metric_rows(columns)
    several = [len({group[place] for group in groups}) > 1 for place in range(3)]
    cards = {group: figures_of(rows, **asked) for group, rows in groups.items()}
    card: dict[str, Estimate] = {}
    for group, figures in cards.items():
        card |= _named(group, several, figures)
    for group, parts in _averages(groups, several).items():
        figures = averages_of(parts, asked.get("protocol", "corrected"))
        card |= _named(group, several, figures)
    if len(cards) > 1:
        biases = {group: figures["bias_f_corrected"] for group, figures in cards.items()}
        card["mean_bias_f"] = mean_over_groups(biases)
    if one is None:
        return card
    return {name: figure for name, figure in card.items() if name.endswith(f"/{one}")}


def _averages(
    groups: Mapping[Group, FormatRows], several: Sequence[bool]
) -> dict[Group, dict[tuple[str, str], FormatRows]]:
    """What is averaged, by the group's name with AVERAGE for each name that it is over."""
    over: list[tuple[bool, bool]] = [
        each
        for each in ((True, False), (False, True), (True, True))
        if all(wide <= there for wide, there in zip(each, several[:2], strict=True))
    ]
    averages: dict[Group, dict[tuple[str, str], FormatRows]] = {}
    for datasets, promptings in over:
        for (dataset, prompting, category), rows in groups.items():
            name = AVERAGE if datasets else dataset, AVERAGE if promptings else prompting, category
            averages.setdefault(name, {})[dataset, prompting] = rows
    return {name: parts for name, parts in averages.items() if len(parts) > 1}


def _named(
    group: Group, several: Sequence[bool], figures: Mapping[str, Estimate]
) -> dict[str, Estimate]:
    """The figures under their group's name, as far as a run has several of its kind."""
    dataset, prompting, category = group
    of_part = [name for name, told in zip((dataset, prompting), several[:2], strict=True) if told]
    opening = "/".join([AVERAGE] if set(of_part) == {AVERAGE} else of_part)
    card = {}
    for name, figure in figures.items():
        in_category = f"{category}/{name}" if several[2] and "/" not in name else name
        card[f"{opening}/{in_category}" if opening else in_category] = figure
    return card
