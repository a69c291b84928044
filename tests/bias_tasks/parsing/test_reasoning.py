"""Reasoning that stands in an answer is passed over, in every family."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bias_tasks.contract.outcomes import Answer
from bias_tasks.families import FAMILY_NAMES, load_family
from bias_tasks.parsing.parsed_answer import UnparsedReason
from bias_tasks.parsing.reasoning import VisibleText, without_reasoning
from tests.bias_tasks.contract.runs import SPECS, small

DIALECTS = [
    *((f"<{tag}>\n", f"\n</{tag}>\n\n") for tag in ("think", "THINK", "thinking", "thought")),
    *((f"<{tag}>", f"</{tag}>") for tag in ("think", "reasoning", "reflection", "seed:think")),
    ("<longcat_think>", "</longcat_think>"),
    ("&lt;think&gt;", "&lt;/think&gt;"),
    ("[THINK]", "[/THINK]"),
    ("<|begin_of_thought|>", "<|end_of_thought|>\n\n<|begin_of_solution|>"),
    ("<|START_THINKING|>", "<|END_THINKING|><|START_RESPONSE|>"),
    ("<|inner_prefix|>", "<|inner_suffix|>"),
    ("◁think▷", "◁/think▷"),
    ("<unused94>thought\n", "<unused95>"),
    ("<|channel>thought\n", "<channel|>"),
    ("<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"),
    ("analysisThe user asks. ", "assistantfinal"),
    ("Here is my thought process:\n\n", "\n\nHere is my response:\n\n"),
    ("Thinking...\n", "\n...done thinking.\n\n"),
]
# What the template's own text begins with, so that the answer holds the end alone.
CLOSED_ALONE = [dialect for dialect in DIALECTS if "final" not in dialect[1]][:17]

SPOKEN = [
    ("2", "2"),
    ("", ""),
    ("<think>1</think>\n\n2", "2"),
    ("<think>1</think>2<think>3</think>", "2"),
    ("<think>1</think><think>2</think>3", "3"),
    ("<think>a</think>The answer is<think>b</think>2", "The answer is 2"),
    ("<think>a <think>b</think> c</think>d", "d"),
    ("first thoughts</think>then others</think>2", "2"),
    ("<think></think>\n\n2", "2"),
    ("<think>1</think>", ""),
    ("<think>1", ""),
    ("Answer: 2\n<think>or 3?", "Answer: 2"),
    ("I never write <think> in my answers. 2", "I never write <think> in my answers. 2"),
    ("A closing `</think>` is none. 2", "A closing `</think>` is none. 2"),
    ('{"why": "it says </think>", "score": 7}', '{"why": "it says </think>", "score": 7}'),
    ('{"why": "<think>so</think>", "score": 7}', '{"why": "<think>so</think>", "score": 7}'),
    ('<think>"B"</think>"C"', '"C"'),
    ("<think>x</think><response>B</response>", "B"),
    ("<response>B</response>", "<response>B</response>"),
    ("2<|end|>", "2"),
    ("<|channel|>final<|message|>2<|return|>", "2"),
    ("<|start|>assistant<|channel|>analysis<|message|>2", ""),
    ("analysis of variance shows 2", "analysis of variance shows 2"),
    ("analysisWe compute 2", ""),
    ("1 or 3?aſſıstantfinal2", "2"),
    ("2AssistantCommentary", "2"),
]


def test_what_an_answer_says():
    wrong = [(answer, said) for answer, said in SPOKEN if without_reasoning(answer) != said]
    for opening, closing in DIALECTS:
        cut = VisibleText.from_text(f"{opening}1, or is it 3?")
        whole = without_reasoning(f"{opening}1, or is it 3?\n\n3.{closing}2")
        wrong += [] if (whole, cut.text, cut.unfinished) == ("2", "", True) else [opening]
    for _, closing in CLOSED_ALONE:
        wrong += [] if without_reasoning(f"1, or is it 3?{closing}2") == "2" else [closing]
    assert wrong == []


pieces = st.sampled_from(
    [*(mark for dialect in DIALECTS for mark in dialect), "2", " ", "\n", '"', "x y", "`", "<", "{"]
) | st.text(max_size=4)


@given(st.lists(pieces, max_size=12).map("".join))
def test_every_character_that_is_said_has_its_place_in_the_answer(answer):
    said = VisibleText.from_text(answer)
    places = [said.span(place, place + 1) for place in range(len(said.text))]
    found = "".join(answer[slice(*place)] for place in places)
    # Pieces are joined by a blank that the answer need not have.
    assert all(ours in (theirs, " ") for ours, theirs in zip(said.text, found, strict=False))
    assert len(said.text) <= len(answer) + answer.count("<") + answer.count("[")


@given(st.lists(pieces, max_size=12).map("".join))
def test_removing_reasoning_twice_changes_nothing(answer):
    visible = VisibleText.from_text(answer).text
    assert VisibleText.from_text(visible).text == visible


@pytest.mark.parametrize("family", FAMILY_NAMES)
def test_an_outcome_is_that_of_the_answer_behind_the_thoughts(family):
    brought = load_family(family)
    spec = next(spec for name, spec in SPECS if name == family)
    questions = brought.plan(spec.name, spec.values(small(f"{family}/{spec.name}", 2))).questions
    for number, question in enumerate(questions[:8]):
        opening, closing = DIALECTS[number % len(DIALECTS)]
        others = [each.gold for each in questions if each.gold != question.gold]
        thought = f"{opening}Final Answer: {(*others, '7')[0]}. 1\n2\n3{closing}"
        for text in (question.gold, f"Final Answer: {question.gold}", "7", "", "I can't say."):
            plain = brought.score_answer(question.scoring_data, Answer(text, "stop"))
            heard = brought.score_answer(question.scoring_data, Answer(thought + text, "stop"))
            if plain.span is not None:
                place = plain.span[0] + len(thought), plain.span[1] + len(thought)
                assert heard.span == place
            assert replace(heard, span=plain.span) == plain
        thinking = f"{opening}{text} {question.gold}"
        cut = brought.score_answer(question.scoring_data, Answer(thinking, "truncated"))
        assert cut.answer is None
        assert cut.unparsed_reason == UnparsedReason.UNFINISHED_REASONING.code
