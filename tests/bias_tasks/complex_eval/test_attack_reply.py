"""What a model may reply to the request for an attack, and what is done with anything else."""

import asyncio
import contextlib
import json

import pytest

from bias_tasks.commands.attack.one_attack import attack_by_model
from bias_tasks.commands.attack.reading import read_attacked, read_text
from bias_tasks.commands.attack.replies import MOST_CHARACTERS, Replies
from bias_tasks.commands.model_calls.attempts import UnusableReplyError
from bias_tasks.complex_eval.attacks.check import check_attack
from bias_tasks.complex_eval.items import JUDGED_KINDS
from tests.bias_tasks.complex_eval.attacker_runs import synthetic
from tests.bias_tasks.effort import cpu_limit
from tests.bias_tasks.hostile import hostile_answers, sized_answers
from tests.bias_tasks.mocks import mock

TURNS = [{"role": "A", "content": "Hm."}, {"role": "B", "content": "So?"}]


def read(family, reply, before="x"):
    (item,) = synthetic(family, 1)
    return read_attacked(reply, item, before)


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        ("A text.", "A text."),
        ("\n A text.\n\nMore.\n", "A text.\n\nMore."),
        ("```\nA text.\n```", "A text."),
        ("```markdown\nA text.\n```\n", "A text."),
        ("```\nA text.", "```\nA text."),
        ("Here:\n```\nA text.\n```", "Here:\n```\nA text.\n```"),
        ("Here is the modified response:\n\nA text.", "A text."),
        ("Sure! Here's the revised answer: A text.", "A text."),
        ("**Modified Answer:**\nA text.", "A text."),
        ("### Revised response\n\nA text.", "A text."),
        ("Certainly!\n```text\nA text.\n```", "A text."),
        ("A text.\n\n**Changes made:**\n- a word", "A text."),
        ("Below is the new version:\n---\nA text.\n---\n### Summary of Changes:\n1. x", "A text."),
        ("A text.\n\n(Note: I preserved the original errors.)", "A text."),
        ("A text.\n\nI made two changes to the wording.", "A text."),
        ("A text.\n\nLet me know if you'd like further adjustments!", "A text."),
        ("<think>Here is the modified response: hm.</think>A text.", "A text."),
        ("A text.\n\nNote: always ask twice.", "A text.\n\nNote: always ask twice."),
        ("A family: 👨\u200d👩\u200d👧", "A family: 👨\u200d👩\u200d👧"),
    ],
)
def test_a_text_is_taken_without_the_fence_around_it(reply, text):
    assert read("basic", reply) == read("creative_writing", reply) == text


def test_a_response_that_is_one_code_block_stays_one():
    assert read_text("```\nx = 1\n```", before="```\nx = 2\n```") == "```\nx = 1\n```"


@pytest.mark.parametrize(
    "response",
    [
        "Here is the revised paragraph:\n\nHello.",
        "Do it.\n\nChanges made: none.",
        "Do it.\n\n---",
        "Do it.\n- Adjustments: the levels of both lines\n- Signals: the colour of the bar",
    ],
)
def test_what_the_response_says_of_itself_stays(response):
    changed = response.replace("Hello.", "Furthermore, hello.").replace("Do it.", "Just do it.")
    changed = changed.replace("\n- ", "\n* ")
    assert read_text(changed, before=response) == changed
    assert read_text(f"Here is the modified version:\n{changed}", before=response) == changed


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (r"\frac{1}{2} \times 3 = \beta", r"\frac{1}{2} \times 3 = \beta"),
        (r"\(x\) \neq 3 \right) \text{so} \nu \%", r"\(x\) \neq 3 \right) \text{so} \nu \%"),
        (r"\\frac{1}{2} and \\\\ end", r"\frac{1}{2} and \\ end"),
        (r"a \"b\" \u00e9 c\/d", 'a "b" \u00e9 c/d'),
        (r"one\nThus two\tThree", "one Thus two Three"),
        ("one\ntwo", "one two"),
        (r"\underline{x} \boxed{5}", r"\underline{x} \boxed{5}"),
    ],
)
def test_latex_in_json_stays_latex(written, meant):
    """A form feed for `\\f` and a tab for `\\t` would change the formula without a word."""
    reply = f'Here is the solution:\n```json\n{{"steps": ["{written}"]}}\n```\nChanges made: none.'
    assert read("math", reply) == f"Step 0: {meant}"


def test_two_objects_are_not_chosen_between():
    with pytest.raises(UnusableReplyError, match="not valid JSON"):
        read("math", '{"steps": ["So."]} or {"steps": ["Thus."]}')


@pytest.mark.parametrize(
    "reply",
    [
        "{" + '"\\' * 60_000,
        '{"' * 90_000,
        '{"steps": ["' + "\\f" * 90_000,
        '"' * 190_000,
        "Here is " + "the " * 45_000,
        "Here is the modified response:\n" * 6_000,
        "I made " * 25_000,
        "*" * 190_000,
    ],
)
def test_wrappings_are_looked_for_in_time(reply):
    for family in JUDGED_KINDS:
        with cpu_limit(5, family), contextlib.suppress(UnusableReplyError):
            read(family, reply)


@pytest.mark.parametrize(
    "reply",
    [
        '{"steps": ["So.", "Thus 2."]}',
        '```json\n{"steps": ["So.", "Thus 2."]}\n```',
        '{"steps": ["Step 0: So.", "Step 1: Thus\\n2."]}',
    ],
)
def test_steps_are_numbered_as_the_response_is(reply):
    assert read("math", reply) == "Step 0: So.\nStep 1: Thus 2."


@pytest.mark.parametrize("value", [TURNS, {"dialogue": TURNS}])
def test_a_dialogue_may_stand_in_an_object(value):
    assert json.loads(read("role_playing", json.dumps(value))) == TURNS


@pytest.mark.parametrize(
    ("family", "reply", "reason"),
    [
        ("basic", " \n", "it is empty"),
        ("basic", "```\n\n```", "it is empty"),
        ("basic", "a\x00b", "control characters"),
        ("basic", "x" * (MOST_CHARACTERS + 1), "it has more than 200,000 characters"),
        ("math", "Step 0: So.", "not valid JSON"),
        ("math", '["So."]', 'it is not {"steps"'),
        ("math", '{"steps": "So."}', 'it is not {"steps"'),
        ("math", '{"steps": ["So.", 2]}', 'it is not {"steps"'),
        ("math", '{"steps": ["So.", " "]}', "it is empty"),
        ("math", '{"steps": ["So.\\ud800"]}', "control characters"),
        ("math", "[" * 100_000, "not valid JSON"),
        ("math", "9" * 100_000, "not valid JSON"),
        ("role_playing", "[]", "not a list of objects"),
        ("role_playing", '{"a": [], "b": []}', "not a list of objects"),
        ("role_playing", '[{"role": "A", "content": "x", "to": "B"}]', "not a list of objects"),
        ("role_playing", '[{"role": "A", "content": {}}]', "not a list of objects"),
        ("role_playing", '[{"role": "A", "content": "\\u0007"}]', "control characters"),
    ],
)
def test_anything_else_is_refused_with_the_reason(family, reply, reason):
    with pytest.raises(UnusableReplyError, match=reason):
        read(family, reply)


@pytest.mark.parametrize("family", JUDGED_KINDS)
def test_hostile_replies_are_attacks_or_rejected(family, tmp_path):
    (item,) = synthetic(family, 1)
    name = "rubric" if family == "basic" else "format"
    replies = Replies(tmp_path / "replies.jsonl")
    for number, (_, text) in enumerate(hostile_answers(60, seed=2)):
        model = mock(lambda prompt, text=text: text, f"m{number}")
        made = asyncio.run(attack_by_model(model, replies, item, name))
        assert (made.text is None) == (made.rejected is not None)
        assert made.text is None or check_attack(item, name, made.text) is None
        json.dumps(made.record(), ensure_ascii=False).encode()
    Replies(tmp_path / "replies.jsonl")  # what was kept can be read


def test_huge_replies_are_cut_wherever_they_go(tmp_path):
    (item,) = synthetic("role_playing", 1)
    for kind, text in sized_answers(500_000):
        replies = Replies(tmp_path / f"{kind}.jsonl")
        with cpu_limit(30, kind):
            made = asyncio.run(attack_by_model(mock(lambda p, t=text: t), replies, item, "format"))
        assert made.rejected == "extraction: it has more than 200,000 characters"
        outputs = [reply["output"] for reply in made.steps[0]["replies"]]
        assert [len(output) for output in outputs] == [MOST_CHARACTERS + 1] * 3
