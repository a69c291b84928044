"""What each format reads: our cases, the page's, models' answers, and published outputs."""

import json
from collections import Counter
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.names import PROTOCOLS
from bias_tasks.output_format.formats import FORMATS, formats_of
from bias_tasks.output_format.items import PROMPTINGS, FormatParams, format_item_from_dict
from bias_tasks.output_format.prompts import ask_format
from tests.bias_tasks.output_format import cases
from tests.bias_tasks.output_format.answer_sets import answers, verdict
from tests.bias_tasks.output_format.cases import (
    CASES,
    LETTER,
    MEDIUM,
    NUMBER,
    STRINGS,
)
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


@given(data=st.data())
def test_headings_are_no_second_answer(data):
    """A number or letter in bold, below bold headings that are none."""
    asked = data.draw(st.sampled_from((LETTER, NUMBER)))
    payload = data.draw(payloads(asked, WORDS))
    headings = data.draw(st.lists(st.sampled_from(("**Step 1: April**", "**Sum:** 4", "**Why**"))))
    text = "\n".join([*headings, "", FORMATS["bolding"].render(payload, asked)])
    assert FORMATS["bolding"].read(text, asked, "corrected").payload == payload


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


@given(data=st.data(), prompting=st.sampled_from(PROMPTINGS))
def test_what_a_base_model_goes_on_with_is_not_read(data, prompting):
    asked = data.draw(st.sampled_from(ITEMS))
    fmt = data.draw(st.sampled_from(formats_of(asked)))
    payload = data.draw(payloads(asked, WORDS))
    text = fmt.render(payload, asked, prompting)
    more = f"{text}\n\nQuestion: And what else?\n{text}"
    assert fmt.read(more, asked, "corrected", prompting).payload == payload
