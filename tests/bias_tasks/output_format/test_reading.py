"""What each format reads: our cases, the page's, models' answers, and published outputs."""

import json
import re
from collections import Counter
from pathlib import Path
from string import ascii_uppercase

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.names import PROTOCOLS
from bias_tasks.output_format.formats import FORMATS, formats_of
from bias_tasks.output_format.items import (
    PROMPTINGS,
    FormatItem,
    FormatParams,
    format_item_from_dict,
)
from bias_tasks.output_format.prompts import ask_format
from bias_tasks.reading.reasoning import without_reasoning
from tests.bias_tasks.output_format import cases
from tests.bias_tasks.output_format.cases import CASES, MEDIUM, STRINGS
from tests.bias_tasks.output_format.test_formats import HARD, ITEMS, WORDS, payloads

WORKED = yaml.safe_load(Path(__file__).with_name("worked_formats.yaml").read_text("utf-8"))
ASKED = {"list": STRINGS, "mapping": cases.EASY}
UNREAD = {
    "In the tale *The Three Brothers*": "titles are in italics, too, and nothing says which of the "
    "three is the answer",
    "My first idea was <ANSWER>B</ANSWER>": "two answers stand between tags, and the reader does "
    "not follow what takes one back",
    "Let x = ((2 + 3) × 6) / 2": "one double parenthesis is not closed as such, so that the tokens "
    "are not well formed",
}
"""Answers of the mended set that are not read, by how they begin, and why."""
LEADS = (
    *("Keyphrases:", "**Keyphrases:**", "## Keyphrases", "Here is a list:", "Here's what I found:"),
    *("Sure!\n\nHere are the results:", "The extracted entities are:", "Output:"),
)
REMARKS = (
    "Let me know if you need anything else!",
    "I have left out what the document only mentions.",
    "Note: these are all that the document names.",
)


def test_every_case_is_read_as_it_says():
    wrong, counts = [], Counter()
    for name, item, prompting, rows in CASES:
        counts[name] += len({row[0] for row in rows})
        for text, payload, *published in rows:
            expected = {
                "corrected": (payload is not None, payload),
                "published": tuple(published) or (payload is not None, payload),
            }
            for protocol in PROTOCOLS:
                reading = FORMATS[name].read(text, item, protocol, prompting)
                found = reading.follows, reading.payload
                if found != expected[protocol] or bool(reading.detail) == reading.follows:
                    wrong.append((name, text, protocol, expected[protocol], reading))
    assert not wrong
    assert set(counts) == set(FORMATS)
    assert min(counts.values()) >= 15, counts


def test_every_worked_case_of_the_page_is_read_as_it_says():
    wrong = []
    for case in WORKED["cases"]:
        item = ASKED.get(case["asked"]) or getattr(cases, case["asked"].upper())
        for protocol in PROTOCOLS:
            prompting = case.get("prompting", "zs")
            reading = FORMATS[case["format"]].read(case["answer"], item, protocol, prompting)
            value = case[protocol]
            expected = value is not None, value
            if isinstance(value, dict) and list(value) == ["taken"]:
                expected = False, value["taken"]
            if (reading.follows, json.loads(json.dumps(reading.payload))) != expected:
                wrong.append((case["format"], case["answer"], protocol, reading))
    assert not wrong
    assert {case["format"] for case in WORKED["cases"]} == set(FORMATS)


_NAMES = {"python_list": "python", "json_mapping": "json", "yaml_mapping": "yaml"}
_ROUND = " \t\n*_`\"'“”‘’«»。.$"
_NUMBER = re.compile(r"-?\$?\d+(?:\.\d+)?(?:/\d+)?")


def answers(name, part):
    """The answers of one part, `realistic` or `adversarial`, of a set."""
    return yaml.safe_load(
        Path(__file__).with_name("answers").joinpath(f"{name}.yaml").read_text("utf-8")
    )[part]


def verdict(answer):
    """How an answer is read: `right`, `unread`, or `wrong`, which is to read what is not there."""
    item = _item(answer)
    fmt = FORMATS[_NAMES.get(answer["format"], answer["format"])]
    reading = fmt.read(without_reasoning(answer["text"]), item, "corrected", answer["prompting"])
    if not reading.follows:
        return "unread" if answer["follows"] else "right"
    return "right" if answer["follows"] and _same(reading.payload, answer, item) else "wrong"


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
    """Whether a payload is what a human reads, but for case and marks round it."""
    wanted = answer["payload"]
    if item.options:
        letters = {option.casefold(): ascii_uppercase[at] for at, option in enumerate(item.options)}
        return payload == letters.get(str(wanted).casefold(), str(wanted))
    if item.answer_type == "number":
        return _value(payload) == _value(str(wanted))
    if item.answer_type == "mapping":
        found = {key: list(map(_bare, values)) for key, values in payload.items()}
        return found == {key: list(map(_bare, values)) for key, values in wanted.items()}
    if item.answer_type == "string_list":
        return list(map(_bare, payload)) == list(map(_bare, wanted))
    return _bare(payload) == _bare(wanted)


def _bare(text):
    return " ".join(str(text).casefold().split()).strip(_ROUND)


def _value(text):
    [number] = _NUMBER.findall(text.replace(",", ""))
    whole, _, part = number.replace("$", "").partition("/")
    return float(whole) / float(part or 1)


@pytest.mark.parametrize(("part", "right"), [("realistic", 180), ("adversarial", 41)])
def test_answers_as_models_write_them(part, right):
    """The readers were mended by one set; the other was written with it and kept aside."""
    mended = answers("formats_mended", part)
    unread = [each["text"] for each in mended if verdict(each) != "right"]
    assert not [text for text in unread if not text.startswith(tuple(UNREAD))]
    assert "wrong" not in map(verdict, mended)
    fresh = Counter(map(verdict, answers("formats_fresh", part)))
    assert fresh["right"] >= right
    assert not fresh["wrong"]


@given(
    data=st.data(),
    lead=st.sampled_from(("", *LEADS)),
    remark=st.sampled_from(("", *REMARKS)),
    fence=st.booleans(),
)
def test_a_frame_is_no_part_of_a_list_or_mapping(data, lead, remark, fence):
    asked = data.draw(st.sampled_from([cases.BINARY, STRINGS, cases.EASY, MEDIUM]))
    fmt = data.draw(st.sampled_from(formats_of(asked)))
    payload = data.draw(payloads(asked, WORDS))
    text = fmt.render(payload, asked)
    text = f"```\n{text}\n```" if fence else text
    framed = "\n\n".join(part for part in (lead, text, remark) if part)
    assert fmt.read(framed, asked, "corrected", "zs").payload == payload, framed


@given(data=st.data(), prompting=st.sampled_from(PROMPTINGS))
def test_the_echo_of_a_prompt_is_no_answer(data, prompting):
    """The whole prompt, each of its lines, and what it ends with."""
    asked = data.draw(st.sampled_from((*ITEMS, HARD)))
    fmt = data.draw(st.sampled_from(formats_of(asked)))
    words = "Which animal ran into the wood, and what did it look for in there?"
    fields = {name: getattr(asked, name) for name in asked.__dataclass_fields__}
    item = format_item_from_dict({**fields, "input": words})
    prompt = ask_format(item, fmt, FormatParams(prompting=prompting))
    lines = prompt.split("\n")
    asks = fmt.instruction(item, "corrected", prompting)
    for echo in (prompt, *lines, "\n".join(lines[-2:]), asks):
        assert not fmt.read(echo, item, "corrected", prompting).follows, echo
