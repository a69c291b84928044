"""Answers of `answers/`, and how their parsed values compare with human labels.

The parsers were developed on `development.yaml`; `held_out.yaml` was written with it, and no
rule was chosen on it.
"""

from __future__ import annotations

import re
from pathlib import Path
from string import ascii_uppercase

import yaml

from bias_tasks.output_format.formats import FORMATS
from bias_tasks.output_format.items import FormatItem
from bias_tasks.parsing.reasoning import without_reasoning

FOLDER = Path(__file__).with_name("answers")
_NAMES = {"python_list": "python", "json_mapping": "json", "yaml_mapping": "yaml"}
_MARKS = " \t\n*_`\"'“”‘’«»。.$"
_NUMBER = re.compile(r"-?\$?\d+(?:\.\d+)?(?:/\d+)?")


def answers(name, part):
    """Return the answers of one part of a set, `realistic` or `adversarial`."""
    return yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))[part]


def verdict(answer):
    """Return `right`, `unparsed`, or `wrong` for a value that the answer does not have."""
    item = _item(answer)
    fmt = FORMATS[_NAMES.get(answer["format"], answer["format"])]
    parsed = fmt.parse(without_reasoning(answer["text"]), item, "corrected", answer["prompting"])
    if not parsed.follows:
        return "unparsed" if answer["follows"] else "right"
    return "right" if answer["follows"] and _same(parsed.payload, answer, item) else "wrong"


def _item(answer):
    kind, gold = answer["kind"], answer["gold"]
    options = tuple(map(str, answer.get("options", ())))
    if kind == "option_text":
        folded = [option.casefold() for option in options]
        gold = ascii_uppercase[folded.index(str(gold).casefold())]
    if kind == "list":
        kind, gold = "string_list", tuple(map(str, gold))
    if kind == "mapping":
        gold = {key: tuple(map(str, values)) for key, values in gold.items()}
    if kind in ("text", "number"):
        gold = str(gold)
    return FormatItem("i", "d", "question", gold, kind, "c", options)


def _same(payload, answer, item):
    """Return whether a payload equals the human label, ignoring case and marks around it."""
    expected = answer["payload"]
    if item.options:
        letters = {
            option.casefold(): ascii_uppercase[index] for index, option in enumerate(item.options)
        }
        return payload == letters.get(str(expected).casefold(), str(expected))
    if item.answer_type == "number":
        return _value(payload) == _value(str(expected))
    if item.answer_type == "mapping":
        values = {key: list(map(_bare, values)) for key, values in payload.items()}
        return values == {key: list(map(_bare, values)) for key, values in expected.items()}
    if item.answer_type == "string_list":
        return list(map(_bare, payload)) == list(map(_bare, expected))
    return _bare(payload) == _bare(expected)


def _bare(text):
    return " ".join(str(text).casefold().split()).strip(_MARKS)


def _value(text):
    [number] = _NUMBER.findall(text.replace(",", ""))
    whole, _, part = number.replace("$", "").partition("/")
    return float(whole) / float(part or 1)
