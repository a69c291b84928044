"""Reasoning that stands in an answer is passed over: in every family, and alike in both hosts."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inspect_ai import eval as inspect_eval
from inspect_ai.model import ContentReasoning, ContentText, ModelOutput, get_model

from bias_tasks.families import load_family
from bias_tasks.family import Answer
from bias_tasks.reading.reasoning import Spoken, without_reasoning
from bias_tasks.reading.why_unread import UNFINISHED
from tests.bias_tasks import inspect_runs
from tests.bias_tasks.contract.runs import SPECS, inspect_task, small
from tests.bias_tasks.harness_runs import run, values
from tests.bias_tasks.mocks import mock, output

DIALECTS = [
    ("<think>", "</think>"),
    ("<think>\n", "\n</think>\n\n"),
    ("<THINK>", "</THINK>"),
    ("<thinking>", "</thinking>\n"),
    ("<thought>\n", "\n</thought>\n"),
    ("<reasoning>", "</reasoning>"),
    ("<reflection>", "</reflection>"),
    ("<seed:think>", "</seed:think>"),
    ("<longcat_think>", "</longcat_think>"),
    ("&lt;think&gt;", "&lt;/think&gt;"),
    ("[THINK]", "[/THINK]"),
    ("<|begin_of_thought|>", "<|end_of_thought|>\n\n<|begin_of_solution|>"),
    ("<|START_THINKING|>", "<|END_THINKING|><|START_RESPONSE|>"),
    ("<|inner_prefix|>", "<|inner_suffix|>"),
    ("◁think▷", "◁/think▷"),
    ("<unused94>thought\n", "<unused95>"),
    ("<|channel>thought\n", "<channel|>"),
    (
        "<|channel|>analysis<|message|>",
        "<|end|><|start|>assistant<|channel|>final<|message|>",
    ),
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
]


@pytest.mark.parametrize(("answer", "said"), SPOKEN)
def test_what_an_answer_says(answer, said):
    assert without_reasoning(answer) == said


@pytest.mark.parametrize(("opening", "closing"), DIALECTS)
def test_every_dialect_is_known(opening, closing):
    assert without_reasoning(f"{opening}1, or is it 3?\n\n3.{closing}2") == "2"
    cut = Spoken.of(f"{opening}1, or is it 3?")
    assert (cut.text, cut.unfinished) == ("", True)


@pytest.mark.parametrize(("opening", "closing"), CLOSED_ALONE)
def test_the_template_may_have_printed_the_opening_mark(opening, closing):
    assert without_reasoning(f"1, or is it 3?{closing}2") == "2"


pieces = st.sampled_from(
    [*(mark for dialect in DIALECTS for mark in dialect), "2", " ", "\n", '"', "x y", "`", "<", "{"]
) | st.text(max_size=4)


@given(st.lists(pieces, max_size=12).map("".join))
def test_every_character_that_is_said_has_its_place_in_the_answer(answer):
    said = Spoken.of(answer)
    places = [said.span(place, place + 1) for place in range(len(said.text))]
    found = "".join(answer[slice(*place)] for place in places)
    # Pieces are joined by a blank that the answer need not have.
    assert all(ours in (theirs, " ") for ours, theirs in zip(said.text, found, strict=False))
    assert len(said.text) <= len(answer) + answer.count("<") + answer.count("[")


@given(st.text(alphabet=st.characters(exclude_characters="<[&◁{.:"), max_size=60))
def test_a_text_without_marks_is_said_whole(text):
    said = Spoken.of(text)
    if "analysis" not in text and "assistant" not in text:
        assert (said.text, said.unfinished) == (text, False)


HEARD = [(f"{family}/{spec.name}", family, spec) for family, spec in SPECS]


@pytest.mark.parametrize(("name", "family", "spec"), HEARD)
def test_an_outcome_is_that_of_the_answer_behind_the_thoughts(name, family, spec):
    brought = load_family(family)
    questions = brought.plan(spec.name, spec.values(small(name, 2))).questions[:8]
    for number, question in enumerate(questions):
        opening, closing = DIALECTS[number % len(DIALECTS)]
        others = [each.gold for each in questions if each.gold != question.gold]
        thought = f"{opening}Final Answer: {(*others, '7')[0]}. 1\n2\n3{closing}"
        for text in (question.gold, f"Final Answer: {question.gold}", "7", "", "I can't say."):
            plain = brought.outcome(question.facts, Answer(text, "stop"))
            heard = brought.outcome(question.facts, Answer(thought + text, "stop"))
            if plain.span is not None:
                place = plain.span[0] + len(thought), plain.span[1] + len(thought)
                assert heard.span == place
            assert replace(heard, span=plain.span) == plain
        cut = brought.outcome(question.facts, Answer(f"{opening}{text} {question.gold}", "cut"))
        assert cut.answer is None
        assert UNFINISHED in cut.why


def _thinking(answer):
    """Answers with thoughts before them: in their text, and in the channel that a host has."""
    thought = "Is it A, B, 1 or 2? Yes. No.\n*A*\n- 7"
    content = [ContentReasoning(reasoning=thought), ContentText(text=answer)]
    in_channel = ModelOutput.from_content("mockllm", content)
    in_channel.usage = output("").usage
    return {"plain": answer, "text": f"<think>\n{thought}\n</think>\n\n{answer}"}, in_channel


ASKED = [
    ("instruction_boundary/conformity", "ib_conformity_judging", {"form": "judging"}, "2"),
    ("binary_qa/binaryqa_sc", "binaryqa_sc", {}, "Yes"),
    ("output_format/format_mcq", "format_mcq_synthetic", {}, "B"),
    ("complex_eval/complexeval_basic", "complexeval_basic", {}, '{"score": 7}'),
]


@pytest.mark.parametrize(("name", "in_lm_eval", "more", "answer"), ASKED)
def test_hosts_agree_on_answers_with_thoughts(name, in_lm_eval, more, answer, tmp_path):
    texts, in_channel = _thinking(answer)
    given = small(name, 3)
    reasoning = get_model("mockllm/model", custom_outputs=lambda *_: in_channel, memoize=False)
    cards = []
    for place, model in enumerate([*(mock(lambda _, t=t: t) for t in texts.values()), reasoning]):
        [log] = inspect_eval(
            inspect_task(name, **given, **more),
            model=model,
            log_dir=str(tmp_path / str(place)),
            display="none",
            log_realtime=False,
        )
        assert log.status == "success", log.error
        cards.append(inspect_runs.values(log))
    asked = {key: value for key, value in given.items() if key != "dataset"}
    for text in texts.values():
        cards.append(values(run([in_lm_eval], lambda _, text=text: text, **asked), in_lm_eval))
    for key, value in cards[0].items():
        assert [card[key] for card in cards[1:]] == pytest.approx([value] * 4, nan_ok=True), key
