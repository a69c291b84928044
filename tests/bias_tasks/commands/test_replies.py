"""What a model may reply to the request for one text, and what is done with anything else."""

import contextlib
import json

import pytest

from bias_tasks.commands.ask import MOST_CHARACTERS, UnusableReplyError
from bias_tasks.commands.replies import (
    MOST_OF_A_QUESTION,
    asked_again,
    read_attacked,
    read_json,
    read_reply,
    read_text,
    shown,
)
from bias_tasks.complex_eval.data.load import load_judged
from bias_tasks.complex_eval.items import JUDGED_KINDS
from tests.bias_tasks.effort import cpu_limit
from tests.bias_tasks.hostile import hostile_answers, sized_answers

TURNS = [{"role": "A", "content": "Hm."}, {"role": "B", "content": "So?"}]
ITEMS = {family: load_judged(family, "synthetic", n=1).items[0] for family in JUDGED_KINDS}


def attacked(family, reply, before="x"):
    return read_attacked(reply, ITEMS[family], before)


def test_one_question_is_read():
    for reply, question in {
        "Is it so?": "Is it so?",
        "\n  Is it  so?\n\n": "Is it so?",
        '"Is it so?"': "Is it so?",
        "“Is it so?”": "Is it so?",
        "Reworded question: Is it so?": "Is it so?",
        'Question: "Is it so?"': "Is it so?",
        'Is "A" before "B"?': 'Is "A" before "B"?',
        '"A" or not? "B"': '"A" or not? "B"',
        "Is it\u00a0so?": "Is it so?",
    }.items():
        assert read_reply(reply) == question
    assert read_reply("text: a\n\tb ", labels=("text:",), lines=True) == "a\n        b"


def test_anything_else_is_no_question():
    for reply, reason in {
        "": "it is empty",
        '""': "it is empty",
        "Question:": "it is empty",
        "Sure!\nIs it so?": "it has several lines",
        "Is it so?\u2028Yes.": "it has several lines",
        "Is it\x00 so?": "it holds control characters",
        "Is it \u202eso?": "it holds control characters",
        "Is it \ud800?": "it holds control characters",
        "x" * (MOST_OF_A_QUESTION + 1): "it has 2,001 characters",
    }.items():
        with pytest.raises(UnusableReplyError, match=reason):
            read_reply(reply)


def test_what_is_shown_again_is_one_short_line():
    assert asked_again("Reword {it}.", "Well,\nI won't.", "no {reason}") == (
        "To the request below you replied \"Well, I won't.\", which can't be used: no {reason}."
        "\n\nReword {it}."
    )
    for _, text in [*hostile_answers(100, seed=1), *sized_answers(200_000)]:
        assert shown(text).isprintable()
        assert len(shown(text)) <= MOST_OF_A_QUESTION


def test_a_text_is_taken_without_what_its_writer_says_around_it():
    for reply in (
        "A text.",
        "\n A text.\n",
        "```\nA text.\n```",
        "```markdown\nA text.\n```\n",
        "Here is the modified response:\n\nA text.",
        "Sure! Here's the revised answer: A text.",
        "**Modified Answer:**\nA text.",
        "### Revised response\n\nA text.",
        "Certainly!\n```text\nA text.\n```",
        "A text.\n\n**Changes made:**\n- a word",
        "Below is the new version:\n---\nA text.\n---\n### Summary of Changes:\n1. x",
        "A text.\n\n(Note: I preserved the original errors.)",
        "A text.\n\nI made two changes to the wording.",
        "A text.\n\nLet me know if you'd like further adjustments!",
    ):
        assert attacked("basic", reply) == attacked("creative_writing", reply) == "A text.", reply
    for whole in (
        "A text.\n\nMore.",
        "```\nA text.",
        "A text.\n\nNote: always ask twice.",
        "A family: 👨\u200d👩\u200d👧",
    ):
        assert attacked("basic", whole) == whole


def test_what_the_response_says_of_itself_stays():
    assert read_text("```\nx = 1\n```", before="```\nx = 2\n```") == "```\nx = 1\n```"
    for response in (
        "Here is the revised paragraph:\n\nHello.",
        "Do it.\n\nChanges made: none.",
        "Do it.\n\n---",
        "Do it.\n- Adjustments: the levels of both lines",
    ):
        changed = response.replace("Hello.", "Furthermore, hello.").replace("Do it.", "Just do it.")
        assert read_text(changed, before=response) == changed


def test_latex_in_json_stays_latex():
    """A form feed for `\\f` and a tab for `\\t` would change the formula without a word."""
    for written, meant in {
        r"\frac{1}{2} \times 3 = \beta": r"\frac{1}{2} \times 3 = \beta",
        r"\(x\) \neq 3 \right) \text{so} \nu \%": r"\(x\) \neq 3 \right) \text{so} \nu \%",
        r"\\frac{1}{2} and \\\\ end": r"\frac{1}{2} and \\ end",
        r"a \"b\" \u00e9 c\/d": 'a "b" \u00e9 c/d',
        r"one\nThus two\tThree": "one Thus two Three",
        "one\ntwo": "one two",
        r"\underline{x} \boxed{5} \rightarrow": r"\underline{x} \boxed{5} \rightarrow",
    }.items():
        reply = f'Here it is:\n```json\n{{"steps": ["{written}"]}}\n```\nChanges made: none.'
        assert attacked("math", reply) == f"Step 0: {meant}"


def test_steps_and_dialogues_are_read():
    for reply in (
        '{"steps": ["So.", "Thus 2."]}',
        '```json\n{"steps": ["So.", "Thus 2."]}\n```',
        '{"steps": ["Step 0: So.", "Step 1: Thus\\n2."]}',
    ):
        assert attacked("math", reply) == "Step 0: So.\nStep 1: Thus 2."
    for value in (TURNS, {"dialogue": TURNS}):
        assert json.loads(attacked("role_playing", json.dumps(value))) == TURNS


def test_anything_else_is_refused_with_the_reason():
    for family, reply, reason in (
        ("basic", " \n", "it is empty"),
        ("basic", "```\n\n```", "it is empty"),
        ("basic", "a\x00b", "control characters"),
        ("basic", "x" * (MOST_CHARACTERS + 1), "it has more than 200,000 characters"),
        ("math", "Step 0: So.", "not valid JSON"),
        ("math", '{"steps": ["So."]} or {"steps": ["Thus."]}', "not valid JSON"),
        ("math", '["So."]', 'it is not {"steps"'),
        ("math", '{"steps": ["So.", 2]}', 'it is not {"steps"'),
        ("math", '{"steps": ["So.", " "]}', "it is empty"),
        ("math", '{"steps": ["So.\\ud800"]}', "control characters"),
        ("math", "[" * 100_000, "not valid JSON"),
        ("role_playing", "[]", "not a list of objects"),
        ("role_playing", '{"a": [], "b": []}', "not a list of objects"),
        ("role_playing", '[{"role": "A", "content": "x", "to": "B"}]', "not a list of objects"),
        ("role_playing", '[{"role": "A", "content": "\\u0007"}]', "control characters"),
    ):
        with pytest.raises(UnusableReplyError, match=reason):
            attacked(family, reply)


def test_hostile_replies_are_read_or_refused_in_time():
    sized = [
        "{" + '"\\' * 60_000,
        '{"' * 90_000,
        '{"steps": ["' + "\\f" * 90_000,
        '"' * 190_000,
        "[" * 190_000,
        "Here is " + "the " * 45_000,
        "Here is the modified response:\n" * 6_000,
        "I made " * 25_000,
        "*" * 190_000,
        "# " * 90_000,
        "sure " * 40_000,
    ]
    hostile = [text for _, text in hostile_answers(60, seed=2)]
    for reply in [*sized, *hostile]:
        with cpu_limit(5, reply[:20]):
            for family in JUDGED_KINDS:
                with contextlib.suppress(UnusableReplyError):
                    attacked(family, reply)
            with contextlib.suppress(UnusableReplyError):
                read_json(reply)
