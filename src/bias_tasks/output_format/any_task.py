"""Questions of another package's tasks, with an output format added. Their gold is not known."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from string import ascii_uppercase
from typing import Literal

from bias_tasks.data.files import RawRecord
from bias_tasks.output_format.answer_models import SchemaOrder, order_labels
from bias_tasks.output_format.formats import FORMATS, OutputFormat
from bias_tasks.output_format.items import (
    ANY_TASK,
    AnswerType,
    Category,
    FormatItem,
    FormatParams,
    Prompting,
    fold_text,
)
from bias_tasks.output_format.modes import MODES
from bias_tasks.output_format.plan import FormatQuestion
from bias_tasks.output_format.plan_modes import ModeQuestion
from bias_tasks.output_format.scoring_data import FormatData
from bias_tasks.user_names import did_you_mean

FreeAnswer = Literal["text", "number", "string_list", "mapping"]
"""The type of an answer to a question without options, in a mode of asking."""
REQUESTED_FORMAT = "requested_format"
"""Key in the metadata of another package's sample: the `FormatData` of the requested format."""
_MARK = "\0"
"""Stands for a question in a prompt that is split."""
_FAMILY = "output_format"
_ANSWER_TYPES: Mapping[Category, AnswerType] = {
    "mcq": "option_letter",
    "wrapping": "text",
    "list": "string_list",
    "mapping": "mapping",
}
"""The type of a free answer in the formats of each category."""


def find_format(name: str) -> OutputFormat:
    """Return a format by its name; a ValueError lists the available names."""
    if name not in FORMATS:
        suggestion = did_you_mean([name], FORMATS)
        raise ValueError(f"format={name!r}{suggestion}: expected one of {', '.join(FORMATS)}")
    return FORMATS[name]


def find_task_data(metadata: RawRecord) -> FormatData | None:
    """Return the scoring data of a sample of this family's tasks, None for another sample.

    Args:
        metadata: The sample's metadata.
    """
    try:
        return FormatData.from_dict(metadata)
    except (TypeError, ValueError):  # another package's metadata
        return None


def find_format_data(metadata: RawRecord) -> FormatData | None:
    """Return the scoring data of a sample whose prompt requests a format, None for another sample.

    Args:
        metadata: The metadata of a sample of this family's tasks, or of another package's sample
            after the solver `format_instruction`.
    """
    requested = metadata.get(REQUESTED_FORMAT)
    if not isinstance(requested, Mapping):
        return find_task_data(metadata)
    return find_task_data({"variant": requested.get("format"), **requested})


def question_for_any_task(
    sample_id: str,
    text: str,
    format: str,
    params: FormatParams,
    *,
    options: Sequence[str] = (),
    keys: Sequence[str] = (),
) -> FormatQuestion:
    """Return a question of another task in a format.

    Args:
        sample_id: Names the sample in messages.
        text: The task's prompt, including its options.
        format: Name of the format.
        params: How the format is requested, parsed and scored.
        options: Texts of the options. If the sample has options, the answer is a letter.
        keys: The keys that a mapping must have; empty for formats of other categories.

    Raises:
        ValueError: The format is unknown, or does not support the sample's answer.
    """
    fmt = find_format(format)
    is_mapping = fmt.category == "mapping"
    if is_mapping != bool(keys):
        fix = "needs keys: set keys=" if is_mapping else "takes no keys: remove keys="
        raise ValueError(f"the format {format} {fix}")
    item = FormatItem(
        id=sample_id,
        dataset=ANY_TASK,
        input=text,
        answer=dict.fromkeys(keys, ()) if is_mapping else "",
        answer_type="option_letter" if options else _ANSWER_TYPES[fmt.category],
        cluster=sample_id,
        options=tuple(options),
    )
    if not fmt.supports(item):
        answer = "an answer to a question with options" if options else "a free answer"
        raise ValueError(f"sample {sample_id}: the format {format} does not support {answer}")
    return FormatQuestion(item, format, params)


def mode_question_for_any_task(
    sample_id: str,
    text: str,
    mode: str | None,
    *,
    options: Sequence[str],
    several: bool,
    answer: FreeAnswer,
    keys: Sequence[str],
    order: SchemaOrder,
    seed: int,
) -> ModeQuestion:
    """Return a question of another task in a mode of asking.

    Args:
        sample_id: Names the sample in messages.
        text: The task's prompt, without its options.
        mode: Name of the mode.
        options: Texts of the options; the answer is then a letter.
        several: Whether several options are correct; the answer is then a set of letters.
        answer: Type of the answer to a question without options.
        keys: The keys of a mapping; empty for other answers.
        order: Order of labels and keys in the schema.
        seed: Seed of a drawn order.

    Raises:
        ValueError: The mode is unknown, or cannot express the answer, or keys do not fit.
    """
    if mode is None or mode not in MODES:
        suggestion = did_you_mean([mode or ""], MODES)
        raise ValueError(f"mode={mode!r}{suggestion}: expected one of {', '.join(MODES)}")
    answer_type: AnswerType = answer
    if options:
        answer_type = "option_set" if several else "option_letter"
        lines = (
            f"{letter}. {option}" for letter, option in zip(ascii_uppercase, options, strict=False)
        )
        text = "\n".join([text, *lines])
    if (answer_type == "mapping") != bool(keys):
        raise ValueError(f"an answer of type {answer_type}: set keys= for answer=mapping alone")
    item = FormatItem(
        id=sample_id,
        dataset=ANY_TASK,
        input=text,
        answer=dict.fromkeys(keys, ()) if keys else "",
        answer_type=answer_type,
        cluster=sample_id,
        options=tuple(options),
    )
    if not MODES[mode].supports(item):
        raise ValueError(f"sample {sample_id}: mode {mode} cannot express a {answer_type}")
    return ModeQuestion(item, mode, FormatParams(), labels=order_labels(item, order, seed))


def split_prompt(question: FormatQuestion) -> tuple[str, str]:
    """Return the text before and after the question in its prompt, with the blanks between."""
    marked = replace(question, item=replace(question.item, input=_MARK))
    before, _, after = marked.prompt().partition(_MARK)
    return before, after


def choices_template(format: str, prompting: Prompting = "zs", **_: object) -> str:
    """Return the template of a question with choices that requests the letter of one.

    Args:
        format: Name of the format; formats of choices have a request of their own.
        prompting: Whether the request is to reason first.
        _: Other arguments of the solver `format_instruction`.
    """
    template = "{question}\n\n{choices}"
    if find_format(format).category == "mcq":
        return template
    item = question_for_any_task("", "", "character", FormatParams(), options=("", "")).item
    return f"{FORMATS['character'].instruction(item, 'corrected', prompting)}\n{template}"


def exclude_item(item: FormatItem, training: Sequence[FormatItem]) -> list[FormatItem]:
    """Return the training items that are not the item, by their id and by their input.

    Inputs are the same if one contains the other, ignoring case and blanks: the prompt of another
    task may have text around a question.
    """
    item_text = fold_text(item.input)
    texts = ((row, fold_text(row.input)) for row in training if row.id != item.id)
    return [row for row, text in texts if text not in item_text and item_text not in text]
