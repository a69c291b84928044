"""What a model may reply to the request for one text, and how other replies are refused."""

import contextlib
import json

import pytest

from bias_tasks.complex_eval.attack_replies import parse_attacked
from bias_tasks.complex_eval.data.load import load_judged
from bias_tasks.complex_eval.items import JUDGED_KINDS
from bias_tasks.parsing.written_text import (
    MAX_CHARACTERS,
    MAX_QUESTION_CHARACTERS,
    InvalidReplyError,
    excerpt_reply,
    parse_text,
)
from tests.bias_tasks.effort import cpu_limit
from tests.bias_tasks.hostile import hostile_answers

TURNS = [{"role": "A", "content": "Hm."}, {"role": "B", "content": "So?"}]
ITEMS = {family: load_judged(family, "synthetic", n=1).items[0] for family in JUDGED_KINDS}


def attacked(family, reply, before="x"):
    return parse_attacked(reply, ITEMS[family], before)


def question(reply):
    return parse_text(reply, max_characters=MAX_QUESTION_CHARACTERS, one_line=True)


def test_a_text_is_taken_without_what_names_it():
    for reply, meant in {
        "\n  Is it  so?\n\n": "Is it so?",
        '"Is it so?"': "Is it so?",
        "“Is it so?”": "Is it so?",
        "Reworded question: Is it so?": "Is it so?",
        "Here is the question:\n\nIs it so?": "Is it so?",
        'Question: "Is it so?"': "Is it so?",
        'Is "A" before "B"?': 'Is "A" before "B"?',
    }.items():
        assert question(reply) == meant
    for reply, meant in {
        "\n A text.\n": "A text.",
        "```markdown\nA text.\n```\n": "A text.",
        "**Modified Answer:**\n\nA text.": "A text.",
        "Certainly, here it is:\n```text\nA text.\n```": "A text.",
        "Note: always ask.": "Note: always ask.",
        "A family: 👨\u200d👩\u200d👧": "A family: 👨\u200d👩\u200d👧",
    }.items():
        assert attacked("basic", reply) == attacked("creative_writing", reply) == meant
    assert parse_text("text: a\n\tb ") == "a\n\tb"
    assert parse_text("- [Feature]: x\n---\n- [Other]: y") == "- [Feature]: x\n---\n- [Other]: y"


def test_latex_in_json_stays_latex():
    """A form feed for `\\f` and a tab for `\\t` would change the formula without a word."""
    for written, meant in {
        r"\frac{1}{2} \times 3 = \beta": r"\frac{1}{2} \times 3 = \beta",
        r"\(x\) \neq 3 \right) \text{so} \nu \%": r"\(x\) \neq 3 \right) \text{so} \nu \%",
        r"\\frac{1}{2} and \\\\ end": r"\frac{1}{2} and \\ end",
        r"a \"b\" \u00e9 c\/d": 'a "b" \u00e9 c/d',
        r"one\nThus two\tThree": "one Thus two Three",
        r"one\r\nwhere \neg two": r"one where \neg two",
        "one\ntwo": "one two",
        r"\underline{x} \boxed{5} \rightarrow": r"\underline{x} \boxed{5} \rightarrow",
    }.items():
        reply = f'Here it is:\n```json\n{{"steps": ["{written}"]}}\n```\nChanges made: none.'
        assert attacked("math", reply) == f"Step 0: {meant}"


def test_steps_and_dialogues_are_read():
    for reply in (
        '```json\n{"steps": ["So.", "Thus 2."]}\n```',
        '{"steps": ["Step 0: So.", "Step 1: Thus\\n2."]}',
    ):
        assert attacked("math", reply) == "Step 0: So.\nStep 1: Thus 2."
    for turns in (TURNS, 15 * TURNS):
        for written in map(json.dumps, (turns, {"dialogue": turns})):
            for reply in (written, f"Here [as asked]:\n```json\n{written}\n```\n"):
                assert json.loads(attacked("role_playing", reply)) == turns


def test_anything_else_is_refused_with_the_reason():
    for family, reply, reason in (
        (None, '""', "it is empty"),
        (None, "Sure!\nIs it so?", "it has several lines"),
        (None, "Is it so?\u2028Yes.", "it has several lines"),
        (None, "Is it \u202eso?", "it has control characters"),
        (None, "Is it \ud800?", "it has control characters"),
        (None, "x" * (MAX_QUESTION_CHARACTERS + 1), "it has more than 2,000 characters"),
        ("basic", "A text.\n\n---\n**Changes made:**\n- a word", "several parts"),
        ("basic", "A text:\n```\nx = 1\n```\nI changed a word.", "several parts"),
        ("basic", "```\n\n```", "it is empty"),
        ("basic", "a\x00b", "control characters"),
        ("basic", "x" * (MAX_CHARACTERS + 1), "it has more than 200,000 characters"),
        ("math", "Step 0: So.", "not valid JSON"),
        ("math", '{"steps": ["So."]} or {"steps": ["Thus."]}', "not valid JSON"),
        ("math", '{"steps": ["So.", 2]}', 'it is not {"steps"'),
        ("math", '{"steps": ["So.", " "]}', "it is empty"),
        ("math", '{"steps": ["So.\\ud800"]}', "control characters"),
        ("math", "[" * 100_000, "not valid JSON"),
        ("role_playing", "[]", "not a list of objects"),
        ("role_playing", '[{"role": "A", "content": "x", "to": "B"}]', "not a list of objects"),
        ("role_playing", '[{"role": "A", "content": "\\u0007"}]', "control characters"),
    ):
        with pytest.raises(InvalidReplyError, match=reason):
            question(reply) if family is None else attacked(family, reply)


def test_hostile_replies_are_read_or_refused_in_time():
    sized = ["{" + '"\\' * 60_000, '{"steps": ["' + "\\f" * 90_000, "[" * 190_000]
    sized += ["Here is " + "the " * 45_000, "*" * 190_000]
    hostile = [text for _, text in hostile_answers(60, seed=2)]
    for reply in [*sized, *hostile]:
        with cpu_limit(5, reply[:20]):
            for family in JUDGED_KINDS:
                with contextlib.suppress(InvalidReplyError):
                    attacked(family, reply)
            assert excerpt_reply(reply).isprintable()
            assert len(excerpt_reply(reply)) <= MAX_QUESTION_CHARACTERS
