"""Pydantic models of answers: the JSON schema of an item's answer, and the value that fits it."""

import math
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from bias_tasks.data.errors import shorten
from bias_tasks.output_format.formats.errors import FormatNotFollowedError, reject_if
from bias_tasks.output_format.items import AnswerType, FormatItem, Payload
from bias_tasks.randomness import seeded_random

ANSWER_FIELD, REASONING_FIELD = "answer", "reasoning"
ReasoningPlace = Literal["", "first", "last"]
"""Whether an object has a field for reasoning, and where."""
SchemaOrder = Literal["drawn", "listed"]
_STRICT = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False, protected_namespaces=())


def list_labels(item: FormatItem) -> tuple[str, ...]:
    """Return the labels or keys that a schema lists, as the item lists them; empty if none."""
    if item.answer_type == "option_text":
        return item.options
    if item.answer_type in ("option_letter", "option_set"):
        return tuple(item.letters)
    return item.keys


def order_labels(item: FormatItem, order: SchemaOrder, seed: int) -> tuple[str, ...]:
    """Return the labels or keys in the order of the schema.

    Args:
        item: The item.
        order: `listed` as the item lists them; `drawn` in an order drawn for the item.
        seed: Seed of that draw.
    """
    labels = list(list_labels(item))
    if order == "drawn":
        seeded_random(seed, "schema order", item.id).shuffle(labels)
    return tuple(labels)


def answer_model(
    item: FormatItem, labels: Sequence[str], reasoning: ReasoningPlace = ""
) -> type[BaseModel]:
    """Return the model of an answer, an object without other fields.

    The answer is the field `answer`; a mapping has a field per key.

    Args:
        item: The item.
        labels: The labels or keys of the answer, in the order of the schema.
        reasoning: Where the field for reasoning is.

    Raises:
        ValueError: A key of the mapping is the field for reasoning.
    """
    if reasoning and REASONING_FIELD in item.keys:
        raise ValueError(f"item {item.id}: its key {REASONING_FIELD!r} is the field of reasoning")
    length = len(item.answer) if item.answer_type == "binary_list" else 0
    return _build_model(item.answer_type, tuple(labels), length, reasoning)


@lru_cache(maxsize=512)
def _build_model(
    answer_type: AnswerType, labels: tuple[str, ...], length: int, reasoning: ReasoningPlace
) -> type[BaseModel]:
    value: Any = {
        "number": float,
        "string_list": list[str],
        "binary_list": Annotated[
            list[Literal[0, 1]], Field(min_length=length, max_length=length or None)
        ],
    }.get(answer_type, str)
    if answer_type.startswith("option_") and labels:
        label: Any = Literal.__getitem__(labels)
        value = list[label] if answer_type == "option_set" else label
    names = labels if answer_type == "mapping" else (ANSWER_FIELD,)
    fields = [(name, list[str] if answer_type == "mapping" else value) for name in names]
    if reasoning:
        fields.insert(0 if reasoning == "first" else len(fields), (REASONING_FIELD, str))
    # Aliases allow any key; a name of a field must be an identifier.
    definitions: dict[str, Any] = {
        f"field_{number}": (field_type, Field(alias=name, description=name))
        for number, (name, field_type) in enumerate(fields)
    }
    return create_model("Answer", __config__=_STRICT, **definitions)


def read_object(value: object, model: type[BaseModel], item: FormatItem) -> Payload:
    """Return the answer in an object.

    Args:
        value: The object, as JSON values.
        model: The model that it must fit.
        item: The item of the question.

    Raises:
        FormatNotFollowedError: The object does not fit the model, or repeats a label.
    """
    try:
        fields = model.model_validate(value).model_dump(by_alias=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = shorten(".".join(map(str, first["loc"])))
        raise FormatNotFollowedError(f"does not fit the schema: {place}: {first['msg']}") from error
    if item.answer_type == "mapping":
        return {key: tuple(fields[key]) for key in item.keys}
    answer = fields[ANSWER_FIELD]
    if isinstance(answer, float):
        # The shortest decimal number; an exponent as in 1e22 is no number of a text.
        return format(Decimal(repr(answer)).normalize(), "f") if math.isfinite(answer) else ""
    if isinstance(answer, list):
        is_repeated = item.answer_type == "option_set" and len({*answer}) < len(answer)
        reject_if(is_repeated, "a label occurs twice")
        return tuple(answer)
    return to_letter(answer, item)


def write_object(payload: Payload, item: FormatItem, reasoning: ReasoningPlace) -> dict[str, Any]:
    """Return the object with an answer, in which reasoning says nothing.

    Args:
        payload: The answer.
        item: The item of the question.
        reasoning: As in `answer_model`.
    """
    value: Any = payload
    fields: dict[str, Any]
    match item.answer_type, payload:
        case "mapping", dict():
            fields = {key: list(texts) for key, texts in payload.items()}
        case "number", str():
            fields = {ANSWER_FIELD: float(Decimal(payload.replace(",", "")))}
        case "option_text", str() if item.options:
            fields = {ANSWER_FIELD: item.options[item.letters.index(payload)]}
        case _:
            fields = {ANSWER_FIELD: list(value) if isinstance(value, tuple) else value}
    note = {REASONING_FIELD: "-"}
    return {"first": note | fields, "last": fields | note}.get(reasoning, fields)


def to_letter(label: str, item: FormatItem) -> str:
    """Return the letter of an option that is named by its text; another text as it is."""
    if item.answer_type == "option_text" and label in item.options:
        return item.letters[item.options.index(label)]
    return label
