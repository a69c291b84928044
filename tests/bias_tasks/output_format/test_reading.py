"""How each format parses our cases, the page's cases and models' answers."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.output_format.formats import FORMATS, find_formats
from bias_tasks.output_format.items import PROMPTINGS, FormatParams
from bias_tasks.output_format.prompts import render_prompt
from bias_tasks.protocols import PROTOCOLS
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
UNPARSED = {
    "In the tale *The Three Brothers*": "titles are in italics, too, and nothing identifies the "
    "answer among the three",
    "My first idea was <ANSWER>B</ANSWER>": "two answers are between tags, and the parser does "
    "not detect a retraction",
    "Let x = ((2 + 3) × 6) / 2": "one double parenthesis is not closed as one, so that the tokens "
    "are not well formed",
}
"""Answers of the development set that are not parsed, by their beginning, and why."""
LEADS = (
    *("Keyphrases:", "**Keyphrases:**", "## Keyphrases", "Here is a list:", "Here's what I found:"),
    *("Sure!\n\nHere are the results:", "The extracted entities are:", "Output:"),
)
REMARKS = (
    "Let me know if you need anything else!",
    "I have left out what the document only mentions.",
    "Note: these are all that the document names.",
)


def test_every_case_is_parsed_as_expected():
    wrong, counts = [], Counter()
    for name, item, prompting, rows in CASES:
        counts[name] += len({row[0] for row in rows})
        for text, payload, *published in rows:
            expected = {
                "corrected": (payload is not None, payload),
                "published": tuple(published) or (payload is not None, payload),
            }
            for protocol in PROTOCOLS:
                parsed = FORMATS[name].parse(text, item, protocol, prompting)
                result = parsed.follows, parsed.payload
                if result != expected[protocol] or bool(parsed.explanation) == parsed.follows:
                    wrong.append((name, text, protocol, expected[protocol], parsed))
    assert not wrong
    assert set(counts) == set(FORMATS)
    assert min(counts.values()) >= 15, counts


def test_every_worked_case_of_the_page_is_parsed_as_expected():
    wrong = []
    for case in WORKED["cases"]:
        item = ASKED.get(case["asked"]) or getattr(cases, case["asked"].upper())
        for protocol in PROTOCOLS:
            prompting = case.get("prompting", "zs")
            parsed = FORMATS[case["format"]].parse(case["answer"], item, protocol, prompting)
            value = case[protocol]
            expected = value is not None, value
            if isinstance(value, dict) and list(value) == ["taken"]:
                expected = False, value["taken"]
            payload = "" if parsed.follows and parsed.payload is None else parsed.payload
            if (parsed.follows, json.loads(json.dumps(payload))) != expected:
                wrong.append((case["format"], case["answer"], protocol, parsed))
    assert not wrong
    assert {case["format"] for case in WORKED["cases"]} == set(FORMATS)


@pytest.mark.parametrize(("part", "right"), [("realistic", 180), ("adversarial", 41)])
def test_answers_as_models_write_them(part, right):
    """The development set protects every parsed answer of it from a change of a rule.

    No rule was chosen on the held-out set: it shows whether rules hold for answers beyond those
    that they were made for. A rule that fits the development set alone lowers its share.
    """
    development = answers("development", part)
    unparsed = [answer["text"] for answer in development if verdict(answer) != "right"]
    assert not [text for text in unparsed if not text.startswith(tuple(UNPARSED))]
    assert "wrong" not in map(verdict, development)
    held_out = Counter(map(verdict, answers("held_out", part)))
    assert held_out["right"] >= right
    assert not held_out["wrong"]


@given(
    data=st.data(),
    lead=st.sampled_from(("", *LEADS)),
    remark=st.sampled_from(("", *REMARKS)),
    fence=st.booleans(),
)
def test_the_frame_of_a_list_or_mapping_is_ignored(data, lead, remark, fence):
    item = data.draw(st.sampled_from([cases.BINARY, STRINGS, cases.EASY, MEDIUM]))
    fmt = data.draw(st.sampled_from(find_formats(item)))
    payload = data.draw(payloads(item, WORDS))
    text = fmt.render(payload, item)
    text = f"```\n{text}\n```" if fence else text
    framed = "\n\n".join(part for part in (lead, text, remark) if part)
    assert fmt.parse(framed, item, "corrected", "zs").payload == payload, framed


@given(data=st.data())
def test_headings_are_not_a_second_answer(data):
    """A number or letter in bold, below bold headings without one."""
    item = data.draw(st.sampled_from((LETTER, NUMBER)))
    payload = data.draw(payloads(item, WORDS))
    headings = data.draw(st.lists(st.sampled_from(("**Step 1: April**", "**Sum:** 4", "**Why**"))))
    text = "\n".join([*headings, "", FORMATS["bolding"].render(payload, item)])
    assert FORMATS["bolding"].parse(text, item, "corrected").payload == payload


@given(data=st.data(), prompting=st.sampled_from(PROMPTINGS))
def test_a_repeated_prompt_is_not_an_answer(data, prompting):
    """The whole prompt, each of its lines, and its end."""
    item = data.draw(st.sampled_from((*ITEMS, HARD)))
    fmt = data.draw(st.sampled_from(find_formats(item)))
    text = "Which animal ran into the wood, and what did it look for in there?"
    item = replace(item, input=text)
    prompt = render_prompt(item, fmt, FormatParams(prompting=prompting))
    lines = prompt.split("\n")
    asks = fmt.instruction(item, "corrected", prompting)
    for echo in (prompt, *lines, "\n".join(lines[-2:]), asks):
        assert not fmt.parse(echo, item, "corrected", prompting).follows, echo


@given(data=st.data(), prompting=st.sampled_from(PROMPTINGS))
def test_a_further_question_of_a_base_model_is_ignored(data, prompting):
    item = data.draw(st.sampled_from(ITEMS))
    fmt = data.draw(st.sampled_from(find_formats(item)))
    payload = data.draw(payloads(item, WORDS))
    text = fmt.render(payload, item, prompting)
    more = f"{text}\n\nQuestion: And what else?\n{text}"
    assert fmt.parse(more, item, "corrected", prompting).payload == payload
