"""Questions of other people's tasks, asked in an output format. Nothing of their gold is known."""

from collections.abc import Mapping, Sequence

from bias_tasks.names import did_you_mean
from bias_tasks.output_format.formats import FORMATS, Format
from bias_tasks.output_format.items import (
    FOREIGN,
    AnswerType,
    Category,
    FormatItem,
    FormatParams,
    folded,
)
from bias_tasks.output_format.plan import FormatQuestion

ASKED_FORMAT = "asked_format"
"""Name in the metadata of another task's sample under which our solvers say what they asked."""
_ANSWER_TYPES: Mapping[Category, AnswerType] = {
    "mcq": "option_letter",
    "wrapping": "text",
    "list": "string_list",
    "mapping": "mapping",
}


def known_format(name: str) -> Format:
    """The format of that name; a ValueError names those there are."""
    if name not in FORMATS:
        near = did_you_mean([name], FORMATS)
        raise ValueError(f"format={name!r}{near}: expected one of {', '.join(FORMATS)}")
    return FORMATS[name]


def foreign_question(
    identifier: str,
    text: str,
    format: str,
    params: FormatParams,
    *,
    options: Sequence[str] = (),
    keys: Sequence[str] = (),
) -> FormatQuestion:
    """A question of another task, whose prompt is `text`, in a format: with `options`, which the
    prompt includes, the answer is a letter; `keys` are what a mapping is asked for. A ValueError
    where the format is unknown or can't hold the answer."""
    fmt = known_format(format)
    mapping = fmt.category == "mapping"
    if mapping != bool(keys):
        needs = "needs keys to ask for: give them" if mapping else "asks for no keys: drop them"
        raise ValueError(f"the format {format} {needs} (keys=)")
    item = FormatItem(
        id=identifier,
        dataset=FOREIGN,
        input=text,
        answer=dict.fromkeys(keys, ()) if mapping else "",
        answer_type="option_letter" if options else _ANSWER_TYPES[fmt.category],
        cluster=identifier,
        options=tuple(options),
    )
    if not fmt.holds(item):
        has = "an option of several" if options else "an answer without options to choose from"
        raise ValueError(f"sample {identifier}: the format {format} can't hold {has}")
    return FormatQuestion(item, format, params)


def without_itself(item: FormatItem, training: Sequence[FormatItem]) -> list[FormatItem]:
    """The training items that are not the item, by id and by content, capitals and blanks apart:
    another task's prompt may say more around a question, or less."""
    asked = folded(item.input)
    texts = ((other, folded(other.input)) for other in training if other.id != item.id)
    return [other for other, words in texts if words not in asked and asked not in words]
