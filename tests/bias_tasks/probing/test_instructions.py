"""The instructions of the probe `instruction` leave the format of the answer to the prompt."""

import re

import pytest

from bias_tasks.data.errors import DataError
from bias_tasks.parsing.answer import parse_answer
from bias_tasks.probing.displayed_options import find_options
from bias_tasks.probing.formats import find_lead
from bias_tasks.probing.items import ProbedItem
from bias_tasks.probing.probes.prompt import INSTRUCTIONS
from bias_tasks.prompts.edits import surround
from tests.bias_tasks.probing.outcomes import planned

ITEMS = [
    ProbedItem("c", "Which is a river?", ("Rhine", "Alps", "Paris"), (0,), "A"),
    ProbedItem("several", "Which are cities?", ("Rhine", "Rome", "Paris"), (1, 2), "B, C"),
    ProbedItem("s", "How long is a mile in km?", target="1.6"),
    ProbedItem("long", "Describe the Rhine.", target="It must name the source. " * 5),
    ProbedItem("empty", " ", target="yes"),
]
PROMPT = (
    "The last line of your response should be 'ANSWER: $LETTER'.\n\n"
    "Which is a river?\n\nA) Rhine\nB) Alps\nC) Paris"
)
FORM = {
    "choice": r"(?i)\boptions?\b",
    "short": r"(?=.*\bfinal answer\b)(?=.*\b(short|brief|briefly|few words)\b)",
}
"""What every instruction requests: one of the options, or a short final answer."""
OTHER_FORMS = re.compile(
    r"\b(letters?|labels?|explain|explanation|reason(ing)?|steps?|sentence|json|yaml|list|bold"
    r"|brackets?|quotes?)\b|[$<>{}\[\]*\"]|answer:",
    re.IGNORECASE,
)


def drawn(probes="instruction", seed=0, **values):
    """Return the instruction before each item's prompt."""
    plan = planned(ITEMS, probes, repeats=1, seed=seed, **values)
    return {q.item: q.perturbation.prefix for q in plan.questions if q.variant == probes}


@pytest.mark.parametrize("kind", FORM)
def test_instructions_request_one_form_and_no_notation(kind):
    wordings = INSTRUCTIONS[kind]
    assert len({" ".join(re.findall(r"\w+", text.casefold())) for text in wordings}) == 20
    for text in wordings:
        assert re.search(FORM[kind], text), text
        assert not OTHER_FORMS.search(text), text
        prompt = surround(PROMPT, before=text)
        assert find_lead(prompt) == "ANSWER:", text
        assert find_options(prompt).texts == ("Rhine", "Alps", "Paris"), text


def test_an_answer_that_repeats_its_instruction_is_read():
    for text in INSTRUCTIONS["choice"]:
        for reply in (f"{text}\n\nANSWER: B", f"I was told: {text} The answer is (B)."):
            parsed = parse_answer(reply, form="choice", option_labels="letters", options=3)
            assert parsed.value == (1,), reply


def test_items_get_instructions_of_their_kind():
    made = [drawn(seed=seed) for seed in range(60)]
    assert {frozenset(row) for row in made} == {frozenset("cs")}
    assert {row["c"] for row in made} <= {*INSTRUCTIONS["choice"]}
    assert {row["s"] for row in made} <= {*INSTRUCTIONS["short"]}
    assert min(len({row[name] for row in made}) for name in "cs") > 12
    [note] = planned(ITEMS, "instruction", repeats=1).notes
    for reason in (
        "several of its choices are correct",
        "neither choices nor a short correct answer",
        "no text of its own",
    ):
        assert reason in note


def test_a_user_s_instructions_are_drawn_for_all_items(tmp_path):
    path = tmp_path / "instructions.txt"
    path.write_text("﻿Be quick.\n\n  Take care. \nBe quick.\n", encoding="utf-8")
    made = [drawn(seed=seed, instructions=str(path)) for seed in range(20)]
    assert {frozenset(row) for row in made} == {frozenset({"c", "several", "s", "long"})}
    assert {text for row in made for text in row.values()} == {"Be quick.", "Take care."}
    for content, message in ((b"\n \n", "is empty"), (b"\xff", "line 1 is not UTF-8")):
        path.write_bytes(content)
        with pytest.raises(DataError, match=message):
            drawn(instructions=str(path))
    with pytest.raises(DataError, match="cannot read"):
        drawn(instructions=str(tmp_path / "none.txt"))
    with pytest.raises(ValueError, match="instructions: none of the selected probes uses it"):
        planned(ITEMS, "typo", instructions=str(path))
